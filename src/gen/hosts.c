// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hanging hosts on the leaves of a net.  Hosts are numbered in the order in
 * which they are dealt out: round the leaves of a unit in turn, or round all
 * leaves when only the total is given.
 *
 * A place is where hosts go together: a leaf, or all leaves of a unit when
 * every host has ports on each of them (net->multi).
 */
#include "core/fabric/lid_room.h"
#include "gen/net.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static uint32_t place_leaves(const struct weft__net *net)
{
	return net->multi ? net->unit : 1;
}

static uint32_t count_places(const struct weft__net *net)
{
	return net->nleaves / place_leaves(net);
}

/* Hosts that fit on a place. */
static uint32_t room(const struct weft__net *net, uint32_t place)
{
	uint32_t ports = net->leaf[place * place_leaves(net)].capacity;

	return net->multi ? ports / net->multi : ports;
}

/* hosts=X:Y: units in turn; a unit's leaves share its hosts evenly. */
static void want_each(const struct weft__net *net,
		      const struct weft__gen_value *hosts, uint32_t *want)
{
	uint32_t share = net->multi ? 1 : net->unit;

	for (uint32_t i = 0; i < count_places(net); i++) {
		uint32_t n = i / share % 2 ? hosts->b : hosts->a;

		want[i] = n / share + (i % share < n % share);
	}
}

/* Units are filled one after the other; each machine has an adapter on each
 * leaf of its unit. */
static void want_machines(const struct weft__net *net, uint32_t *want)
{
	for (uint32_t i = 0; i < net->nleaves; i++) {
		uint32_t before = i / net->unit * net->leaf[i].capacity;
		uint32_t left = net->machines - before;

		want[i] = before > net->machines ? 0 :
			  left < net->leaf[i].capacity ? left :
			  net->leaf[i].capacity;
	}
}

/* total=N: one more for every place that has room, until all are placed. */
static int want_total(const struct weft__net *net,
		      const struct weft__gen_spec *spec, uint32_t *want,
		      struct weft_diag *diag)
{
	uint32_t total = weft__gen_get(spec, WEFT__GEN_TOTAL), left = total;
	uint32_t n = count_places(net), before = 0;

	for (uint32_t i = 0; left; i = (i + 1) % n) {
		if (!i) {
			if (before == left)
				return weft__gen_error(spec, diag, ERANGE,
					"total=%" PRIu32
					": the leaves have ports for %" PRIu32 " hosts", total,
					total - left);
			before = left;
		}
		if (want[i] < room(net, i)) {
			want[i]++;
			left--;
		}
	}
	return 0;
}

static int check_room(const struct weft__net *net,
		      const struct weft__gen_spec *spec, const uint32_t *want,
		      struct weft_diag *diag)
{
	unsigned lmc = weft__gen_get(spec, WEFT__GEN_LMC);
	uint32_t leaves = place_leaves(net), each = 1;
	char fit[WEFT__LID_ROOM_SIZE] = "";
	uint64_t ports = 0;

	if (net->multi)
		each = leaves * net->multi;
	for (uint32_t i = 0; i < count_places(net); i++) {
		if (want[i] > room(net, i))
			return weft__gen_error(spec, diag, ERANGE,
				"%" PRIu32
				" hosts on %s, which has ports for %" PRIu32, want[i],
				net->sw[net->leaf[i * leaves].sw].name,
				room(net, i));
		ports += (uint64_t)want[i] * each;
	}
	if (ports <= weft__lid_room(net->nsw, lmc))
		return 0;
	if (lmc)
		weft__lid_room_text(net->nsw, ports, lmc, fit);
	return weft__gen_error(spec, diag, ERANGE,
		"%" PRIu32 " switches and their hosts need up to %" PRIu64
		" LIDs, and LIDs end at %u%s%s", net->nsw,
		net->nsw + (ports << lmc) + (1u << lmc) - 1,	/* aligned */
		WEFT_MAX_LID, lmc ? ": " : "", fit);
}

static void add_port(struct weft__net *net, unsigned number, uint32_t leaf)
{
	struct weft__net_leaf *l = &net->leaf[leaf];

	net->port[net->nports++] = (struct weft__net_port){
		.host = net->nhosts, .number = number, .sw = l->sw,
		.sw_port = ++l->used };
}

/* True if this leaf and the next are a pair. */
static bool paired(const struct weft__net *net, uint32_t leaf)
{
	uint32_t at = leaf % net->row;

	return at % 2 == 0 && at + 1 < net->row && leaf + 1 < net->nleaves;
}

/* Leaves, from this one on, that its hosts are cabled to. */
static uint32_t width(const struct weft__net *net, bool dual, uint32_t leaf)
{
	if (net->multi)
		return net->unit;
	return dual && paired(net, leaf) ? 2 : 1;
}

/* One host, on those of n leaves that want more than k; false if none does. */
static bool hang_host(struct weft__net *net, const uint32_t *want,
		      uint32_t leaf, uint32_t n, uint32_t k)
{
	uint32_t each = net->multi ? net->multi : 1;
	unsigned number = 0;

	for (uint32_t l = leaf; l < leaf + n; l++)
		for (uint32_t i = 0; i < each &&
		     want[l / place_leaves(net)] > k; i++)
			add_port(net, ++number, l);
	net->nhosts += number > 0;
	return number;
}

/* Deals hosts to the leaves from..to-1, one each in turn. */
static void deal(struct weft__net *net, bool dual, const uint32_t *want,
		 const uint32_t range[2])
{
	bool any = true;

	for (uint32_t k = 0; any; k++) {
		uint32_t n;

		any = false;
		for (uint32_t i = range[0]; i < range[1]; i += n) {
			n = width(net, dual, i);
			any |= hang_host(net, want, i, n, k);
		}
	}
}

/* With total= hosts are dealt to all leaves, else to those of each unit. */
static void hang(struct weft__net *net, const struct weft__gen_spec *spec,
		 bool dual, const uint32_t *want)
{
	bool all = weft__gen_given(spec, WEFT__GEN_TOTAL);
	uint32_t range[2] = { 0, net->nleaves };

	for (; range[0] < net->nleaves; range[0] = range[1]) {
		uint32_t n = width(net, dual, range[0]);

		if (!all)
			range[1] = range[0] + (n > net->unit ? n : net->unit);
		deal(net, dual, want, range);
	}
}

int weft__net_hosts(struct weft__net *net, const struct weft__gen_spec *spec,
		    struct weft_diag *diag)
{
	bool dual = weft__gen_get(spec, WEFT__GEN_DUAL) == WEFT__GEN_YES;
	uint32_t *want = calloc(net->nleaves + 1, sizeof(*want));
	uint64_t ports = 0;
	int err = 0;

	if (!want)
		return weft_no_memory(diag);
	if (dual && net->multi)
		err = weft__gen_error(spec, diag, EINVAL,
				      "dual=yes: the hosts of this tree have several ports already");
	else if (net->machines)
		want_machines(net, want);
	else if (weft__gen_given(spec, WEFT__GEN_TOTAL))
		err = want_total(net, spec, want, diag);
	else
		want_each(net, &spec->option[WEFT__GEN_HOSTS], want);
	if (!err)
		err = check_room(net, spec, want, diag);
	if (err)
		goto free_want;
	for (uint32_t i = 0; i < count_places(net); i++)
		ports += (uint64_t)want[i] * place_leaves(net) *
			 (net->multi ? net->multi : 1);
	net->port = malloc((ports + 1) * sizeof(*net->port));
	if (net->port)
		hang(net, spec, dual, want);
	else
		err = weft_no_memory(diag);
free_want:
	free(want);
	return err;
}
