// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Everything that may happen in any order of writes.
 *
 * While a LID's entries are written, each switch forwards by its old entry or
 * by its new one.  So packets may take any way through the graph in which both
 * entries of a switch are edges.  A way that meets no switch twice is that of
 * some mixture; so packets of a source can be lost if and only if a circle, or
 * an end that is not the LID's owner, can be reached from there.  What a source
 * loses that one of the two sets does not serve is no fault of the transition.
 * Packets that a switch sent by its old entry may be where the next one has its
 * new entry already, and the other way round; so that each edge into a switch
 * may be followed by each edge out of it, and these are the dependencies
 * between buffers.
 */
#include "transition/mixture.h"

#include "proof/cycle.h"

#include <errno.h>
#include <string.h>

/* Reads the entries of switch s. */
static void open_fork(struct weft__mixture *m, uint32_t s)
{
	struct weft__fork *at = &m->fork[s];

	*at = (struct weft__fork){ .walk = m->walk,
				   .open = true,
				   .classes = m->classes[s] };
	for (unsigned k = 0; k < 2; k++) {
		unsigned port = m->entry[k][s], end;

		if (k && port == m->entry[0][s])
			break;
		end = weft__transit_entry(m->fabric, s, port, m->owner,
					  &at->next[at->n]);
		if (end == WEFT__ON_THE_WAY)
			at->port[at->n++] = port;
		else if (end != WEFT_ARRIVED)
			at->fate |= WEFT__MAY_END;
	}
}

/* Visits all switches that packets from s can meet.  The fate of a switch is
 * known when it is left: of those that it leads to, each was left before or is
 * on the way that is being followed, which closes a circle. */
static void visit(struct weft__mixture *m, uint32_t s)
{
	uint32_t n = 0;

	if (m->fork[s].walk == m->walk)
		return;
	open_fork(m, s);
	m->path[n++] = s;
	while (n) {
		struct weft__fork *at = &m->fork[m->path[n - 1]];
		uint32_t to;

		if (at->done == at->n) {
			at->open = false;
			m->order[m->norder++] = m->path[--n];
			if (n)
				m->fork[m->path[n - 1]].fate |= at->fate;
			continue;
		}
		to = at->next[at->done++];
		if (m->fork[to].walk != m->walk) {
			open_fork(m, to);
			m->path[n++] = to;
		} else if (m->fork[to].open) {
			m->circle = true;
			at->fate |= WEFT__MAY_LOOP;
		} else {
			at->fate |= m->fork[to].fate;
		}
	}
}

/* Hands classes of traffic on, until all have come as far as they can. */
static void spread_classes(struct weft__mixture *m)
{
	bool again;

	do {
		again = false;
		for (uint32_t i = m->norder; i--;) {
			struct weft__fork *at = &m->fork[m->order[i]];

			for (unsigned k = 0; k < at->n; k++) {
				struct weft__fork *to = &m->fork[at->next[k]];

				again |= at->classes & ~to->classes;
				to->classes |= at->classes;
			}
		}
	} while (again && m->circle);
}

static void add_waits(struct weft__transit *t, struct weft__mixture *m)
{
	const struct weft_fabric *f = t->fabric;

	for (uint32_t i = 0; i < m->norder; i++) {
		uint32_t s = m->order[i];
		const struct weft__fork *at = &m->fork[s];

		for (unsigned e = 0; e < at->n * 2u; e++) {
			const struct weft__fork *to = &m->fork[at->next[e / 2]];
			uint32_t v = weft_channel(f, s, at->port[e / 2]);

			if (e % 2 >= to->n)
				continue;
			for (unsigned l = at->classes; l; l &= l - 1)
				weft__cdg_add(&t->waits,
					      __builtin_ctz(l) * t->waits.nch +
						      v,
					      0, to->port[e % 2]);
		}
	}
}

/* Whether an endport that does not own the LID is on switch s. */
static bool has_source(const struct weft__mixture *m, uint32_t s)
{
	const struct weft_fabric *f = m->fabric;
	uint32_t n = f->sw_ep_first[s + 1] - f->sw_ep_first[s];

	return n > (weft_vertex_switch(f, m->owner) == s);
}

/* Returns what a mixture may do to packets to the LID that neither set of
 * tables does: WEFT__RISKY_... */
static unsigned find_risks(struct weft__mixture *m)
{
	unsigned risks = 0;
	bool known = false;

	for (uint32_t s = 0; s < m->fabric->nsw; s++) {
		if (!has_source(m, s) || !m->fork[s].fate)
			continue;
		for (unsigned k = 0; k < 2 && !known; k++)
			weft__transit_ends(m->fabric, m->entry[k], m->owner,
					   m->end[k], m->path);
		known = true;
		if (m->end[0][s] == WEFT_ARRIVED &&
		    m->end[1][s] == WEFT_ARRIVED)
			risks |= WEFT__RISKY_LOST;
		else if (m->fork[s].fate & WEFT__MAY_LOOP &&
			 m->end[0][s] != WEFT_LOOP && m->end[1][s] != WEFT_LOOP)
			risks |= WEFT__RISKY_LOOP;
	}
	return risks;
}

static void mix_lid(struct weft__transit *t, struct weft__mixture *m,
		    unsigned lid)
{
	const struct weft_fabric *f = t->fabric;
	bool same = !memcmp(m->entry[0], m->entry[1], f->nsw);

	m->owner = weft_lid_owner(f, lid);
	m->walk++;
	m->norder = 0;
	m->circle = false;
	weft__transit_classes(t, lid, m->classes);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s] != f->sw_ep_first[s + 1])
			visit(m, s);
	spread_classes(m);
	if (t->mixed)
		weft__mixture_lanes(t, m, lid);
	else
		add_waits(t, m);
	t->out->lids += !same;
	t->risky[lid] = same ? 0 : find_risks(m);
	t->out->risky_lids += t->risky[lid] & WEFT__RISKY_LOST;
	t->out->looping_lids += t->risky[lid] == WEFT__RISKY_LOOP;
}

static void mix_block(struct weft__transit *t, struct weft__mixture *m,
		      uint32_t block)
{
	bool ready = false;

	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++) {
		unsigned lid = block * WEFT_LFT_BLOCK + i;
		uint32_t owner = weft_lid_owner(t->fabric, lid);

		if (owner == WEFT_NONE || weft_is_switch(owner))
			continue;
		if (!ready)
			weft__transit_columns(t, block);
		ready = true;
		for (unsigned k = 0; k < 2; k++)
			m->entry[k] = t->column[k] + (size_t)i * t->fabric->nsw;
		mix_lid(t, m, lid);
	}
}

int weft__transit_union(struct weft__transit *t)
{
	const struct weft_fabric *f = t->fabric;
	struct weft_arena *a = t->scratch;
	struct weft__mixture m = {
		.fabric = f,
		.fork = weft__arena_zalloc(a, f->nsw, sizeof(*m.fork)),
		.path = weft__arena_alloc(a, f->nsw, sizeof(*m.path)),
		.order = weft__arena_alloc(a, f->nsw, sizeof(*m.order)),
		.classes = weft__arena_zalloc(a, f->nsw, sizeof(*m.classes)),
		.end = { weft__arena_alloc(a, f->nsw, 1),
			 weft__arena_alloc(a, f->nsw, 1) },
		.lanes = weft__arena_alloc(a, t->mixed ? f->nsw * 2ull : 0,
					   sizeof(*m.lanes)),
	};
	unsigned lanes = 0;
	int err;

	if (!m.fork || !m.path || !m.order || !m.classes || !m.lanes ||
	    !m.end[0] || !m.end[1])
		return -ENOMEM;
	for (uint32_t b = 0; b <= f->max_lid / WEFT_LFT_BLOCK; b++)
		mix_block(t, &m, b);
	err = weft__knots_find(&t->waits, &t->knots, a);
	if (!err)
		err = weft__cdg_cycles(&t->waits, &t->knots, &t->out->cycle);
	if (err)
		return err;
	t->out->ncycles = t->knots.n;
	for (uint32_t i = 0; t->knots.n && i < t->knots.first[t->knots.n]; i++)
		lanes |= 1u << t->knots.vertex[i] / t->waits.nch;
	t->out->cyclic_vls = __builtin_popcount(lanes);
	return 0;
}
