// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Proves one destination tree: finds where the traffic of each source switch
 * ends, over how many hops, which channels it loads and which ones wait for
 * each other.
 *
 * Only switches that carry traffic are looked at.  From each source the walk
 * follows the entries until it meets a switch it knows already.  Going back, it
 * appends the switches to order[], so that each stands behind the next one on
 * its way.  Read backwards, order[] then hands loads and lanes down the tree,
 * farthest switches first.  Trees without a defect need less work (shape.h).
 */
#include "proof/run.h"

static bool has_lane(const struct weft_fabric *f, uint32_t sw, unsigned port)
{
	return port <= f->sw[sw].nports &&
		(!port || f->peer[weft_channel(f, sw, port)] != WEFT_NONE);
}

static uint8_t lane_of(const struct weft__proof_run *r, uint32_t sw,
		       unsigned in, unsigned out, unsigned sl)
{
	return weft_layers_vl(&r->routes->layers, r->fabric, sw, in, out, sl) %
		WEFT_NSL;
}

/* Reads the entry of switch s: fills in out, next and port. */
static inline uint8_t read_entry(const struct weft__proof_run *r,
				 struct weft__stop *at, uint32_t s)
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

/* Finds next_lane, or returns WEFT__DROPPED if the next switch discards packets
 * from here. */
static uint8_t step_lane(const struct weft__proof_run *r, struct weft__stop *at,
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

/* Follows the route from s, and stores how it ends for each switch on it. sl <
 * 0: lanes are not mixed. */
static inline void follow_route(struct weft__proof_run *r, uint32_t s, int sl)
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
		end = read_entry(r, at, s);
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

/* Counts hosts whose packets leave switch s for the LID. self (0 or 1) of them
 * is the switch, whose traffic is no load. */
static inline void count_hosts(struct weft__proof_run *r, uint32_t s,
			       uint32_t hosts, uint32_t self)
{
	struct weft__stop *at = &r->stop[s];

	if (at->end != WEFT_ARRIVED) {
		r->out->found[weft__kind_of(r, at->end, s)] += hosts;
		return;
	}
	at->flow += hosts - self;
	r->hops[at->hops] += hosts;
	if (r->tree.cables && at->hops > r->tree.cables[s] + 1)
		r->out->found[WEFT_FIND_NONMINIMAL] += hosts;
}

/* Hands flows down the tree. */
static void add_loads(struct weft__proof_run *r)
{
	struct weft__stop *stop = r->stop;
	uint64_t *load = r->out->channel_load;

	if (!load || !r->tree.counted || weft_is_switch(r->tree.owner))
		return;
	for (uint32_t k = r->norder; k--;) {
		const struct weft__stop *at = &stop[r->order[k]];

		if (at->end != WEFT_ARRIVED)
			continue;
		load[at->out] += at->flow;
		if (at->next != WEFT_NONE)
			stop[at->next].flow += at->flow;
	}
}

/* Hands lanes down the tree, and adds a dependency wherever packets go from one
 * channel to the next. */
static void add_edges(struct weft__proof_run *r)
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

/* Hands lanes down the tree when they are mixed: the lane that packets take
 * from a switch depends on nothing but the port they came in by. */
static void mix_lanes(struct weft__proof_run *r)
{
	struct weft__stop *stop = r->stop;

	for (uint32_t k = r->norder; k--;) {
		const struct weft__stop *at = &stop[r->order[k]];

		if (at->next != WEFT_NONE && at->lanes)
			stop[at->next].lanes |= 1u << at->next_lane;
	}
}

/* Adds the dependencies of the packets of one SL when lanes are mixed. */
static void add_mixed_edges(struct weft__proof_run *r)
{
	struct weft__stop *stop = r->stop;

	mix_lanes(r);
	if (r->looped)
		mix_lanes(r);
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

/*
 * Returns true if the switch itself is one of a source that sends to the
 * current LID on lanes that count.  Traffic between two switches does not count
 * unless it was asked for.
 */
static inline bool sends_itself(const struct weft__proof_run *r,
				const struct weft__proof_source *source)
{
	return source->self && source->sw != r->tree.owner &&
		(r->spec->between_switches || !weft_is_switch(r->tree.owner));
}

/* Returns the lanes of a source whose endports have SLs of their own. */
static uint16_t endport_lanes(const struct weft__proof_run *r,
			      const struct weft__proof_source *source)
{
	const struct weft__sls *sls = &r->tree.sls;
	uint16_t lanes = 0;

	if (sends_itself(r, source))
		lanes = 1u << r->lanes.of_sl[sls->one];
	for (uint32_t k = source->first; k < source->first + source->n; k++)
		if ((r->sources.endport[k] | WEFT_ENDPORT) != r->tree.owner)
			lanes |= 1u << r->lanes.of_sl[sls->by_endport[k]];
	return lanes;
}

static inline uint16_t source_lanes(const struct weft__proof_run *r,
				    const struct weft__proof_source *source)
{
	const struct weft__sls *sls = &r->tree.sls;

	if (sls->by_endport)
		return endport_lanes(r, source);
	if (!source->n && !sends_itself(r, source))
		return 0;
	return 1u << r->lanes.of_sl[sls->by_switch ?
				    sls->by_switch[source->sw] : sls->one];
}

/* Proves the routes of one source, without the owner of the LID. */
static inline void prove_source(struct weft__proof_run *r,
				const struct weft__proof_source *source,
				bool home)
{
	uint32_t s = source->sw;

	if (source->all == home || !weft__in_plane(r, s))
		return;
	if (r->stop[s].walk != r->walk)
		follow_route(r, s, -1);
	r->stop[s].lanes |= source_lanes(r, source);
	if (r->tree.counted)
		count_hosts(r, s, source->hosts - home,
			    sends_itself(r, source));
}

static void prove_plain(struct weft__proof_run *r)
{
	uint32_t home = weft__source_of(&r->sources, r->tree.owner);

	r->walk++;
	r->norder = 0;
	r->looped = false;
	for (uint32_t i = 0; i < r->sources.n; i++)
		prove_source(r, &r->sources.source[i], i == home);
	add_loads(r);
	if (!r->spec->credit_loops)
		return;
	/* On a loop, the first pass may visit a switch before lanes that join
	 * farther on have come around. */
	add_edges(r);
	if (r->looped)
		add_edges(r);
}

/* Returns true if the switch itself sends with that SL. */
static bool in_share(const struct weft__proof_run *r,
		     const struct weft__proof_source *source, unsigned sl)
{
	const struct weft__sls *sls = &r->tree.sls;
	unsigned own = sls->by_switch && !sls->by_endport ?
		sls->by_switch[source->sw] : sls->one;

	return source->self && source->sw != r->tree.owner && sl == own;
}

/* Proves the routes of one source with that SL when lanes are mixed. */
static void prove_share(struct weft__proof_run *r,
			const struct weft__proof_source *source, unsigned sl,
			const struct weft__share *share)
{
	uint32_t s = source->sw, self = in_share(r, source, sl);
	unsigned out = r->tree.column[s], lane = 0;

	if (has_lane(r->fabric, s, out))
		lane = lane_of(r, s, source->in, out, sl);
	if (lane == WEFT_VL_DROP) {
		if (r->tree.counted)
			r->out->found[WEFT_FIND_DROPPED] += share->hosts;
		return;
	}
	if (r->stop[s].walk != r->walk)
		follow_route(r, s, sl);
	if (share->all > self || sends_itself(r, source))
		r->stop[s].lanes |= 1u << lane;
	if (r->tree.counted)
		count_hosts(r, s, share->hosts, self);
}

static void prove_mixed(struct weft__proof_run *r)
{
	const struct weft__sources *from = &r->sources;
	const struct weft__share *share = from->share;

	weft__sources_share(&r->sources, r->tree.owner, r->tree.counted,
			    &r->tree.sls);
	for (unsigned sl = 0; sl < WEFT_NSL; sl++, share += from->n) {
		if (!(r->lanes.used >> sl & 1))
			continue;
		r->walk++;
		r->norder = 0;
		r->looped = false;
		for (uint32_t i = 0; i < from->n; i++)
			if (from->sls[i] >> sl & 1 &&
			    weft__in_plane(r, from->source[i].sw))
				prove_share(r, &from->source[i], sl,
					    &share[i]);
		add_loads(r);
		if (r->spec->credit_loops)
			add_mixed_edges(r);
	}
}

void weft__tree_prove(struct weft__proof_run *r)
{
	if (r->lanes.mixed)
		prove_mixed(r);
	else if (!weft__shape_prove(r))
		prove_plain(r);
}
