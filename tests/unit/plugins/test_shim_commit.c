// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commit: hop counts and tables as OpenSM's own engines leave them. */
#include "shim_util.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define FAR 1000u

/* Distances by relaxing every cable until nothing changes: slow and plain. */
static unsigned *brute_distances(const struct weft_fabric *f)
{
	unsigned *d = malloc(f->nsw * f->nsw * sizeof(*d));
	bool changed = true;

	ASSERT(d);
	for (uint32_t i = 0; i < f->nsw * f->nsw; i++)
		d[i] = i / f->nsw == i % f->nsw ? 0 : FAR;
	while (changed) {
		changed = false;
		for (uint32_t ch = 0; ch < f->first_injection; ch++) {
			uint32_t a = weft_channel_switch(f, ch);
			uint32_t b = f->peer[ch];

			if (b == WEFT_NONE || !weft_is_switch(b))
				continue;
			for (uint32_t c = 0; c < f->nsw; c++)
				if (d[a * f->nsw + c] >
				    d[b * f->nsw + c] + 1) {
					d[a * f->nsw + c] =
						d[b * f->nsw + c] + 1;
					changed = true;
				}
		}
	}
	return d;
}

/* The count that belongs to a switch, port and destination switch. */
static unsigned expected_hops(const struct weft_fabric *f, const unsigned *d,
			      uint32_t s, unsigned port, uint32_t dest)
{
	uint32_t peer = f->peer[weft_channel(f, s, port)];
	unsigned hops = FAR;

	if (!port)
		hops = d[s * f->nsw + dest];
	else if (peer != WEFT_NONE && weft_is_switch(peer) && peer != s)
		hops = d[peer * f->nsw + dest] + 1;
	return hops < FAR ? hops : OSM_NO_PATH;
}

static void check_hops(const struct weft_fabric *f, const osm_switch_t *sw,
		       const unsigned *d, uint32_t s)
{
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t dest = f->lid_owner[lid];

		if (dest == WEFT_NONE || !weft_is_switch(dest)) {
			ASSERT(!sw->hops[lid]);
			continue;
		}
		for (unsigned p = 0; p < sw->num_ports; p++)
			ASSERT_EQ(osm_switch_get_hop_count(sw, lid, p),
				  expected_hops(f, d, s, p, dest));
		ASSERT_EQ(osm_switch_get_least_hops(sw, lid),
			  expected_hops(f, d, s, 0, dest));
	}
}

static void commit_hops(const struct weft__snapshot *snapshot)
{
	uint8_t *distance = weft__distances_all(snapshot->fabric);

	ASSERT(distance);
	ASSERT_EQ(weft__commit_hops(snapshot, distance, NULL), 0);
	free(distance);
}

static void commit_and_check(struct shim_subnet *s)
{
	struct weft__snapshot snapshot;
	unsigned *d;

	ASSERT_EQ(weft__snapshot_take(&s->osm->subn, NULL, &snapshot, NULL), 0);
	shim_subnet_prepare(s);
	commit_hops(&snapshot);
	d = brute_distances(snapshot.fabric);
	for (uint32_t i = 0; i < snapshot.fabric->nsw; i++)
		check_hops(snapshot.fabric, snapshot.sw[i], d, i);
	free(d);
	weft__snapshot_free(&snapshot);
}

TEST(test_hops)
{
	for (uint32_t seed = 1; seed <= 30; seed++) {
		struct weft_fabric *f = shim_random_fabric(
			seed, 1 + seed * 2, seed % 4, seed % 3);
		struct shim_subnet *s = shim_subnet_new(f);

		printf("seed %u\n", seed);
		commit_and_check(s);
		shim_subnet_free(s);
		weft_fabric_free(f);
	}
}

/* A second sweep over rows that are there, with links and pieces missing. */
TEST(test_hops_again)
{
	struct weft_fabric *f = shim_random_fabric(3, 30, 2, 0);
	struct shim_subnet *s = shim_subnet_new(f);

	commit_and_check(s);
	for (uint32_t i = 0; i < s->nsw; i += 5)
		for (unsigned p = 1; p < s->sw[i].num_ports; p++)
			ib_port_info_set_port_state(
				&s->node[i]->physp_table[p].port_info,
				IB_LINK_DOWN);
	commit_and_check(s);
	shim_subnet_free(s);
	weft_fabric_free(f);
}

/* A chain is longer than a byte can count: 254 stands for more. */
TEST(test_long_chain)
{
	enum { N = 300 };
	struct weft_builder *b = weft_builder_new();
	struct weft__snapshot snapshot;
	struct weft_fabric *bare, *f;
	struct shim_subnet *s;

	for (unsigned i = 0; i < N; i++)
		weft_builder_node(b, WEFT_NODE_SWITCH, i + 1, 2);
	for (unsigned i = 0; i + 1 < N; i++)
		ASSERT_EQ(weft_builder_link(b, i, 2, i + 1, 1, (struct
			  weft_rate){ 4, WEFT_EDR }), 0);
	ASSERT_EQ(weft_builder_finish(b, &bare, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(bare, -1, &f, NULL), 0);
	weft_builder_free(b);
	s = shim_subnet_new(f);
	shim_subnet_prepare(s);
	ASSERT_EQ(weft__snapshot_take(&s->osm->subn, NULL, &snapshot, NULL), 0);
	commit_hops(&snapshot);
	for (unsigned i = 0; i < N; i++)
		for (unsigned j = 0; j < N; j++) {
			unsigned apart = i < j ? j - i : i - j;

			ASSERT_EQ(osm_switch_get_least_hops(snapshot.sw[i],
				  f->sw[j].lid), apart < 254 ? apart : 254);
		}
	weft__snapshot_free(&snapshot);
	shim_subnet_free(s);
	weft_fabric_free(bare);
	weft_fabric_free(f);
}

/* A table with something in every entry. */
static struct weft_lft filled_table(const struct weft_fabric *f)
{
	struct weft_lft lft;

	ASSERT_EQ(weft_lft_init(&lft, f->nsw, f->max_lid), 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 0; lid <= f->max_lid; lid++)
			weft_lft_row(&lft, s)[lid] = s * 7 + lid;
	return lft;
}

TEST(test_tables)
{
	struct weft_fabric *f = shim_random_fabric(5, 12, 9, 2);
	struct shim_subnet *s = shim_subnet_new(f);
	struct weft_lft lft = filled_table(f);
	struct weft__snapshot snapshot;

	s->osm->subn.max_ucast_lid_ho += 100;	/* OpenSM knows of more */
	shim_subnet_prepare(s);
	ASSERT_EQ(weft__snapshot_take(&s->osm->subn, NULL, &snapshot, NULL), 0);
	ASSERT_EQ(weft__commit_check(&snapshot, &lft, NULL), 0);
	weft__commit_tables(&snapshot, &lft);
	for (uint32_t i = 0; i < f->nsw; i++) {
		const osm_switch_t *sw = shim_switch(s, f->sw[i].guid);

		ASSERT_MEM(sw->new_lft, weft_lft_row(&lft, i), f->max_lid + 1);
		for (unsigned lid = f->max_lid + 1; lid < sw->lft_size; lid++)
			ASSERT_EQ(sw->new_lft[lid], OSM_NO_PATH);
	}
	weft__snapshot_free(&snapshot);
	weft_lft_free(&lft);
	shim_subnet_free(s);
	weft_fabric_free(f);
}

/* One switch whose table is short, or missing. */
TEST(test_tables_do_not_fit)
{
	struct weft_fabric *f = shim_random_fabric(5, 12, 9, 2);
	struct shim_subnet *s = shim_subnet_new(f);
	struct weft_lft lft = filled_table(f);
	struct weft__snapshot snapshot;

	shim_subnet_prepare(s);
	ASSERT_EQ(weft__snapshot_take(&s->osm->subn, NULL, &snapshot, NULL), 0);
	ASSERT_EQ(weft__commit_check(&snapshot, &lft, NULL), 0);
	s->sw[3].max_lid_ho--;
	ASSERT_EQ(weft__commit_check(&snapshot, &lft, NULL), -ERANGE);
	s->sw[3].max_lid_ho++;
	free(s->sw[4].new_lft);
	s->sw[4].new_lft = NULL;
	ASSERT_EQ(weft__commit_check(&snapshot, &lft, NULL), -ERANGE);
	weft__snapshot_free(&snapshot);
	weft_lft_free(&lft);
	shim_subnet_free(s);
	weft_fabric_free(f);
}
