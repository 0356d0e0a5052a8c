// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Multicast: trees that reach their members and nobody else, once. */
#include "shim_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weft/rng.h>

#define MLID 0xc000

/* --- a group and the fabric that it is in ------------------------------ */

struct scene {
	struct weft_fabric *f;
	struct weft_fabric *seen;	/* the same, as OpenSM tells of it */
	struct shim_subnet *s;
	struct weft__multicast m;
	osm_mgrp_t mgrp[2];	/* share the MLID */
	osm_mgrp_box_t box;
	osm_port_t *port;	/* [nsw + nep] of all vertices */
	osm_mcm_port_t *mcm;	/* [2 * (nsw + nep)] */
	unsigned nmcm;
	bool *member;		/* [nsw + nep] */
};

static osm_physp_t *physp_of(const struct scene *x, uint32_t v)
{
	const struct weft_endport *ep;

	if (v < x->f->nsw)
		return &shim_node(x->s, x->f->sw[v].guid)->physp_table[0];
	ep = &x->f->ep[v - x->f->nsw];
	return &shim_node(x->s, x->f->node[ep->node].guid)
			->physp_table[ep->port];
}

static struct scene open_scene(uint32_t seed, unsigned nsw, unsigned hosts)
{
	struct scene x = { .f = shim_random_fabric(seed, nsw, hosts, 0) };
	uint32_t n = x.f->nsw + x.f->nep;
	struct weft__snapshot snapshot;

	x.s = shim_subnet_new(x.f);
	ASSERT_EQ(weft__snapshot_take(&x.s->osm->subn, NULL, &snapshot, NULL),
		  0);
	x.m.distance = need(weft__distances_all(snapshot.fabric));
	x.m.fabric = x.seen = snapshot.fabric;
	snapshot.fabric = NULL;
	weft__snapshot_free(&snapshot);
	x.port = need(calloc(n, sizeof(*x.port)));
	x.mcm = need(calloc(2 * n, sizeof(*x.mcm)));
	x.member = need(calloc(n, sizeof(*x.member)));
	for (uint32_t v = 0; v < n; v++) {
		x.port[v].p_physp = physp_of(&x, v);
		x.port[v].p_node = x.port[v].p_physp->p_node;
		x.port[v].guid = x.port[v].p_physp->port_guid;
	}
	x.box.mlid = MLID;
	return x;
}

static void close_scene(struct scene *x)
{
	weft__multicast_free(&x->m);
	ASSERT(!x->m.fabric);
	free(x->port);
	free(x->mcm);
	free(x->member);
	shim_subnet_free(x->s);
	weft_fabric_free(x->seen);
	weft_fabric_free(x->f);
}

static void clear_group(struct scene *x)
{
	shim_clear_multicast(x->s);
	memset(x->member, 0, (x->f->nsw + x->f->nep) * sizeof(*x->member));
	x->nmcm = 0;
	cl_qlist_init(&x->box.mgrp_list);
	for (unsigned i = 0; i < 2; i++) {
		cl_qmap_init(&x->mgrp[i].mcm_port_tbl);
		cl_qlist_insert_tail(&x->box.mgrp_list,
				     &x->mgrp[i].list_item);
	}
}

static void join(struct scene *x, uint32_t v, unsigned group)
{
	osm_mcm_port_t *mcm = &x->mcm[x->nmcm++];

	mcm->port = &x->port[v];
	cl_qmap_insert(&x->mgrp[group].mcm_port_tbl, x->port[v].guid,
		       &mcm->map_item);
	x->member[v] = true;
}

static int build(const struct scene *x)
{
	return weft__multicast_tree(&x->m, &x->s->osm->subn, &x->box, NULL);
}

/* --- what a packet does ------------------------------------------------ */

/* Where packets have been. */
struct flood {
	const struct scene *x;
	unsigned *seen;		/* [nsw + nep] */
	unsigned switches;
};

/* A packet comes into switch sw by port in (0: from port 0). */
static void flood(struct flood *w, uint32_t sw, unsigned in)
{
	const struct weft_fabric *f = w->x->f;
	const osm_switch_t *osm = shim_switch(w->x->s, f->sw[sw].guid);

	ASSERT_WITHIN(++w->switches, 1, f->nsw);	/* no loop */
	for (unsigned p = 0; p <= f->sw[sw].nports; p++) {
		uint32_t ch = weft_channel(f, sw, p), peer = f->peer[ch];

		if (p == in || !shim_sends(osm, MLID, p))
			continue;
		if (!p) {
			w->seen[sw]++;
			continue;
		}
		ASSERT_NE(peer, WEFT_NONE);
		if (weft_is_switch(peer))
			flood(w, peer, f->peer_port[ch]);
		else
			w->seen[f->nsw + (peer & ~WEFT_ENDPORT)]++;
	}
}

/* A packet from each member reaches every other one once and nobody else. */
static void check_delivery(const struct scene *x)
{
	const struct weft_fabric *f = x->f;
	uint32_t n = f->nsw + f->nep;
	unsigned *seen = need(malloc(n * sizeof(*seen)));

	for (uint32_t from = 0; from < n; from++) {
		struct flood w = { .x = x, .seen = seen };

		if (!x->member[from])
			continue;
		memset(seen, 0, n * sizeof(*seen));
		if (from < f->nsw)
			flood(&w, from, 0);
		else
			flood(&w, f->ep[from - f->nsw].sw,
			      f->ep[from - f->nsw].sw_port);
		for (uint32_t v = 0; v < n; v++)
			ASSERT_EQ(seen[v], x->member[v] && v != from);
	}
	free(seen);
}

static unsigned ports_set(const struct scene *x)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < x->s->nsw; i++)
		for (unsigned p = 0; p < x->s->sw[i].num_ports; p++)
			n += shim_sends(&x->s->sw[i], MLID, p);
	return n;
}

/* --- tests ------------------------------------------------------------- */

TEST(test_random)
{
	for (uint32_t seed = 1; seed <= 40; seed++) {
		struct scene x = open_scene(seed, 1 + seed, 5);
		struct weft_rng *rng = weft_rng_new(seed);
		uint32_t n = x.f->nsw + x.f->nep;

		printf("seed %u\n", seed);
		for (unsigned round = 0; round < 8; round++) {
			clear_group(&x);
			for (uint32_t v = 0; v < n; v++) {
				unsigned draw = weft_rng_below(rng, 8);

				if (draw >= round + 1)
					continue;
				join(&x, v, draw & 1);
				if (!(draw & 2))	/* in both groups */
					join(&x, v, !(draw & 1));
			}
			ASSERT_EQ(build(&x), 0);
			check_delivery(&x);
		}
		weft_rng_free(rng);
		close_scene(&x);
	}
}

TEST(test_few_members)
{
	struct scene x = open_scene(4, 10, 3);

	clear_group(&x);
	ASSERT_EQ(build(&x), 0);
	ASSERT_EQ(ports_set(&x), 0);
	join(&x, 3, 0);
	join(&x, 3, 1);		/* one port twice is still one */
	ASSERT_EQ(build(&x), 0);
	ASSERT_EQ(ports_set(&x), 0);
	join(&x, 4, 1);
	ASSERT_EQ(build(&x), 0);
	check_delivery(&x);
	close_scene(&x);
}

/* A line of switches: the root is in its middle, or where it can be. */
TEST(test_root)
{
	struct scene x = open_scene(9, 12, 2);
	unsigned with, without;

	clear_group(&x);
	for (uint32_t v = 0; v < x.f->nsw; v++)
		join(&x, v, 0);
	ASSERT_EQ(build(&x), 0);
	check_delivery(&x);
	/* All switches are members: nsw port 0s, two ends of nsw - 1 cables. */
	with = ports_set(&x);
	ASSERT_EQ(with, x.f->nsw + 2 * (x.f->nsw - 1));
	shim_clear_multicast(x.s);
	for (uint32_t i = 0; i < x.s->nsw; i++)
		x.s->sw[i].switch_info.mcast_cap = 0;
	ASSERT_NE(build(&x), 0);
	without = ports_set(&x);
	ASSERT_EQ(without, 0);
	close_scene(&x);
}

/* A switch that does no multicast cuts its own members off, not the others. */
TEST(test_deaf_switch)
{
	struct scene x = open_scene(12, 16, 3);

	for (uint32_t deaf = 0; deaf < x.f->nsw; deaf++) {
		osm_switch_t *sw = shim_switch(x.s, x.f->sw[deaf].guid);

		clear_group(&x);
		for (uint32_t v = 0; v < x.f->nsw; v++)
			join(&x, v, 0);
		sw->switch_info.mcast_cap = 0;
		ASSERT_NE(build(&x), 0);
		for (unsigned p = 0; p < sw->num_ports; p++)
			ASSERT(!shim_sends(sw, MLID, p));
		sw->switch_info.mcast_cap = cl_hton16(1024);
	}
	close_scene(&x);
}

/* Switches that went away, and members that hang on nothing. */
TEST(test_gone)
{
	struct scene x = open_scene(13, 8, 3);
	uint32_t host = x.f->nsw;
	osm_switch_t *sw = shim_switch(x.s, x.f->sw[0].guid);

	clear_group(&x);
	for (uint32_t v = 0; v < x.f->nsw + x.f->nep; v++)
		join(&x, v, 0);
	x.port[host].p_physp->p_remote_physp->p_remote_physp = NULL;
	x.port[host].p_physp->p_remote_physp = NULL;
	cl_qmap_remove_item(&x.s->osm->subn.sw_guid_tbl, &sw->map_item);
	ASSERT_NE(build(&x), 0);
	for (unsigned p = 0; p < sw->num_ports; p++)
		ASSERT(!shim_sends(sw, MLID, p));
	ASSERT(ports_set(&x) > 0);
	close_scene(&x);
}
