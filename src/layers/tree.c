// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One destination tree: where the traffic of each source switch ends, over how
 * many hops, what it loads and which channels wait for each other.
 *
 * Only switches that carry traffic are looked at.  From each source the walk
 * follows the entries until it meets a switch it knows already; going back, it
 * appends the switches to order[], so that each stands behind the next one on
 * its way.  Read backwards, order[] then hands loads and lanes down the tree,
 * farthest switches first.
 */
#include "layers/run.h"

static bool has_lane(const struct weft_fabric *f, uint32_t sw, unsigned port)
{
	return port <= f->sw[sw].nports &&
		(!port || f->peer[weft_channel(f, sw, port)] != WEFT_NONE);
}

static uint8_t lane_of(const struct weft__run *r, uint32_t sw, unsigned in,
		       unsigned out, unsigned sl)
{
	return weft_layers_vl(&r->routes->layers, r->fabric, sw, in, out, sl) %
		WEFT_NSL;
}

/* Reads the entry of switch s: fills in out, next and port. */
static inline uint8_t step(const struct weft__run *r, struct weft__stop *at,
			   uint32_t s)
{
	const struct weft_fabric *f = r->fabric;
	uint32_t first = f->first_channel[s], peer;
	unsigned port = r->tree.column[s];

	at->next = WEFT_NONE;
	at->port = 0;
	if (port >= f->first_channel[s + 1] - first)
		return port == WEFT_NO_PORT ? WEFT_NO_ROUTE : WEFT_BAD_PORT;
	at->out = first + port;
	peer = f->peer[at->out];
	if (weft_is_switch(peer)) {
		at->next = peer;
		at->port = port;
		return WEFT__UNDER_WAY;
	}
	if (!port)
		peer = s;
	else if (peer == WEFT_NONE)
		return WEFT_DEAD_END;
	return peer == r->tree.owner ? WEFT_ARRIVED : WEFT_WRONG_END;
}

/* Whether the next switch discards what comes from here; else next_lane. */
static uint8_t step_lane(const struct weft__run *r, struct weft__stop *at,
			 unsigned sl)
{
	unsigned in = r->fabric->peer_port[at->out];
	unsigned out = r->tree.column[at->next];

	if (!has_lane(r->fabric, at->next, out))
		return WEFT__UNDER_WAY;
	at->next_lane = lane_of(r, at->next, in, out, sl);
	if (at->next_lane != WEFT_VL_DROP)
		return WEFT__UNDER_WAY;
	at->next = WEFT_NONE;
	return WEFT__DROPPED;
}

/* sl < 0: lanes are not mixed. */
static inline void resolve(struct weft__run *r, uint32_t s, int sl)
{
	struct weft__stop *at = &r->stop[s];
	uint32_t n = 0, hops = 0;
	uint8_t end;

	do {
		at->walk = r->walk;
		at->end = WEFT__UNDER_WAY;
		at->flow = 0;
		at->lanes = 0;
		r->path[n++] = s;
		end = step(r, at, s);
		if (sl >= 0 && end == WEFT__UNDER_WAY)
			end = step_lane(r, at, sl);
		if (end != WEFT__UNDER_WAY)
			break;
		s = at->next;
		at = &r->stop[s];
	} while (at->walk != r->walk);
	if (end == WEFT__UNDER_WAY) {
		end = at->end;
		hops = at->hops;
	}
	if (end == WEFT__UNDER_WAY) {
		end = WEFT_LOOP;
		r->looped = true;
	}
	while (n) {
		s = r->path[--n];
		r->stop[s].end = end;
		r->stop[s].hops = ++hops;
		r->order[r->norder++] = s;
	}
}

/* Counts hosts behind switch s whose packets to the LID leave it. */
static inline void tally(struct weft__run *r, uint32_t s, uint32_t hosts)
{
	struct weft__stop *at = &r->stop[s];

	if (at->end != WEFT_ARRIVED) {
		r->out->found[at->end - WEFT_NO_ROUTE] += hosts;
		return;
	}
	at->flow += hosts;
	r->hops[at->hops] += hosts;
	if (r->tree.cables && at->hops > r->tree.cables[s] + 1)
		r->out->found[WEFT_FIND_NONMINIMAL] += hosts;
}

/* Hands flows down the tree. */
static void add_loads(struct weft__run *r)
{
	struct weft__stop *stop = r->stop;
	uint64_t *load = r->out->channel_load;

	for (uint32_t k = r->norder; k--;) {
		const struct weft__stop *at = &stop[r->order[k]];

		if (at->end != WEFT_ARRIVED)
			continue;
		load[at->out] += at->flow;
		if (at->next != WEFT_NONE)
			stop[at->next].flow += at->flow;
	}
}

/* Hands lanes down the tree; what meets on the way waits for each other. */
static void add_edges(struct weft__run *r)
{
	struct weft__stop *stop = r->stop;

	for (uint32_t k = r->norder; k--;) {
		const struct weft__stop *at = &stop[r->order[k]];
		struct weft__stop *to;

		if (at->next == WEFT_NONE)
			continue;
		to = &stop[at->next];
		to->lanes |= at->lanes;
		if (!to->port)
			continue;
		for (unsigned m = at->lanes; m; m &= m - 1)
			weft__cdg_add(&r->cdg, __builtin_ctz(m) * r->cdg.nch +
				      at->out, 0, to->port);
	}
}

/*
 * The same with mixed lanes, for the packets of one SL: which lane they take
 * from a switch depends on the port they came in by and on nothing before, so
 * that the lanes are complete after one round in any order.
 */
static void add_mixed_edges(struct weft__run *r)
{
	struct weft__stop *stop = r->stop;

	for (uint32_t k = 0; k < r->norder; k++) {
		const struct weft__stop *at = &stop[r->order[k]];

		if (at->next != WEFT_NONE)
			stop[at->next].lanes |= 1u << at->next_lane;
	}
	for (uint32_t k = 0; k < r->norder; k++) {
		const struct weft__stop *at = &stop[r->order[k]];
		unsigned port;

		if (at->next == WEFT_NONE)
			continue;
		port = stop[at->next].port;
		for (unsigned m = port ? at->lanes : 0; m; m &= m - 1)
			weft__cdg_add(&r->cdg, __builtin_ctz(m) * r->cdg.nch +
				      at->out, at->next_lane, port);
	}
}

/* Lanes of the sources at a switch, when each endport has an SL of its own. */
static uint16_t endport_lanes(const struct weft__run *r, uint32_t s)
{
	const struct weft_fabric *f = r->fabric;
	const struct weft__sls *sls = &r->tree.sls;
	uint16_t lanes = 0;

	if (r->spec->switches && r->tree.owner != s)
		lanes = 1u << r->lanes.of_sl[sls->one];
	for (uint32_t k = f->sw_ep_first[s]; k < f->sw_ep_first[s + 1]; k++)
		if ((f->sw_endport[k] | WEFT_ENDPORT) != r->tree.owner)
			lanes |= 1u << r->lanes.of_sl[sls->by_endport[k]];
	return lanes;
}

static uint16_t source_lanes(const struct weft__run *r, uint32_t s)
{
	const struct weft__sls *sls = &r->tree.sls;

	if (sls->by_endport)
		return endport_lanes(r, s);
	return 1u << r->lanes.of_sl[sls->by_switch ? sls->by_switch[s] :
						     sls->one];
}

/* All sources at a switch but the owner of the LID itself. */
static inline void prove_source(struct weft__run *r,
				const struct weft__source *source)
{
	uint32_t s = source->sw, hosts = source->hosts, all = source->all;
	struct weft__stop *at = &r->stop[s];
	bool home = s == r->tree.home;

	if (home) {
		hosts -= r->tree.counted;
		all--;
	}
	if (!all)
		return;
	if (at->walk != r->walk)
		resolve(r, s, -1);
	at->lanes |= source_lanes(r, s);
	if (!r->tree.counted || !hosts)
		return;
	tally(r, s, hosts);
	if (at->end != WEFT_ARRIVED)
		return;
	r->arrived[s]++;
	if (home && weft_is_endport(r->tree.owner))
		r->to_itself[r->tree.owner & ~WEFT_ENDPORT]++;
}

static void prove_plain(struct weft__run *r)
{
	r->walk++;
	r->norder = 0;
	r->looped = false;
	for (uint32_t i = 0; i < r->nsources; i++)
		prove_source(r, &r->source[i]);
	if (r->tree.counted && r->spec->loads)
		add_loads(r);
	if (!r->spec->credit_loops)
		return;
	/* Around a loop the first round may pass a switch before lanes that
	 * join farther on have come around. */
	add_edges(r);
	if (r->looped)
		add_edges(r);
}

/* One source with mixed lanes, behind port in of switch s; true if it counts
 * and arrives. */
static bool prove_mixed_source(struct weft__run *r, uint32_t s, unsigned in,
			       unsigned sl, bool counts)
{
	unsigned out = r->tree.column[s], lane = 0;
	bool sends = has_lane(r->fabric, s, out);

	counts = counts && r->tree.counted;
	if (sends)
		lane = lane_of(r, s, in, out, sl);
	if (lane == WEFT_VL_DROP) {
		r->out->found[WEFT_FIND_DROPPED] += counts;
		return false;
	}
	if (r->stop[s].walk != r->walk)
		resolve(r, s, sl);
	r->stop[s].lanes |= 1u << lane;
	if (counts)
		tally(r, s, 1);
	return counts && r->stop[s].end == WEFT_ARRIVED;
}

/* Those sources at a switch that send with that SL. */
static void prove_mixed_switch(struct weft__run *r, uint32_t s, unsigned sl)
{
	const struct weft_fabric *f = r->fabric;
	const struct weft__sls *sls = &r->tree.sls;
	unsigned all = sls->by_switch ? sls->by_switch[s] : sls->one;

	if (r->spec->switches && r->tree.owner != s && all == sl)
		prove_mixed_source(r, s, 0, sl, true);
	for (uint32_t k = f->sw_ep_first[s]; k < f->sw_ep_first[s + 1]; k++) {
		uint32_t e = f->sw_endport[k];

		if ((e | WEFT_ENDPORT) == r->tree.owner ||
		    (sls->by_endport ? sls->by_endport[k] : all) != sl)
			continue;
		if (prove_mixed_source(r, s, f->ep[e].sw_port, sl,
				       weft__counts(r, e | WEFT_ENDPORT)) &&
		    r->spec->loads)
			r->out->channel_load[f->first_injection + e]++;
	}
}

static void prove_mixed(struct weft__run *r)
{
	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		if (!(r->lanes.used >> sl & 1))
			continue;
		r->walk++;
		r->norder = 0;
		for (uint32_t i = 0; i < r->nsources; i++)
			prove_mixed_switch(r, r->source[i].sw, sl);
		if (r->tree.counted && r->spec->loads)
			add_loads(r);
		if (r->spec->credit_loops)
			add_mixed_edges(r);
	}
}

void weft__tree_prove(struct weft__run *r)
{
	if (r->lanes.mixed)
		prove_mixed(r);
	else
		prove_plain(r);
}
