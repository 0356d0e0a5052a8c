// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Has newcomers take trees that are there; see newcomers.h. */
#include "standing/newcomers.h"

#include <string.h>

/* Returns the highest load of a channel of a tree if all that is sent along it
 * were sent twice. */
static uint64_t most_of(struct weft__loads *t, const struct weft__column *c)
{
	uint64_t weight = weft__loads_weight(t, c), most = 0;

	weft__loads_spread(t, c);
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];
		uint32_t channel = weft_channel(t->fabric, s, c->port[s]);
		uint64_t here = (t->load[channel] + weight * t->through[s]) *
				t->scale[channel];

		most = t->through[s] && here > most ? here : most;
	}
	return most;
}

/* Gives the LID, and its endport as a source, the service levels of another
 * one on the same switch. */
static void share_levels(const struct weft_fabric *f, struct weft_layers *y,
			unsigned lid, unsigned from)
{
	uint32_t e = f->lid_owner[lid] & ~WEFT_ENDPORT;
	uint32_t like = f->lid_owner[from] & ~WEFT_ENDPORT;
	size_t row = y->max_lid + 1ull;

	if (y->form == WEFT_SL_DESTINATION)
		y->table[lid] = y->table[from];
	if (y->form != WEFT_SL_ENDPORT_LID)
		return;
	for (uint32_t i = 0; i < f->nep; i++)
		y->table[i * row + lid] = y->table[i * row + from];
	if (weft_is_switch(f->lid_owner[lid]))
		return;
	memcpy(y->table + e * row, y->table + like * row, row);
}

bool weft__take_tree(struct weft__loads *t, const struct weft_lft *lft,
		     struct weft_layers *layers, struct weft__column *c,
		     struct weft__column *scratch)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t least = UINT64_MAX;
	unsigned best = 0;

	for (uint32_t i = f->sw_ep_first[c->root];
	     i < f->sw_ep_first[c->root + 1]; i++) {
		const struct weft_endport *e = &f->ep[f->sw_endport[i]];

		for (unsigned o = 0; e->lid && o < 1u << e->lmc; o++) {
			uint64_t most;

			weft__column_read(scratch, lft, e->lid + o);
			weft__column_survey(scratch);
			if (scratch->nlost || scratch->owner == c->owner)
				continue;
			most = most_of(t, scratch);
			if (most < least) {
				least = most;
				best = e->lid + o;
			}
		}
	}
	if (!best)
		return false;
	weft__column_read(scratch, lft, best);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (s != c->root)
			c->port[s] = scratch->port[s];
	share_levels(f, layers, c->lid, best);
	return true;
}

static bool was_there(const struct weft__match *m, uint32_t e)
{
	uint32_t old = m->ep[e];

	return old != WEFT_NONE && m->a->ep[old].sw == m->sw[m->b->ep[e].sw];
}

/* Returns an endport on a switch that was there, or WEFT_NONE. */
static uint32_t find_settled(const struct weft__match *m, uint32_t s)
{
	const struct weft_fabric *f = m->b;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		if (was_there(m, f->sw_endport[i]))
			return f->sw_endport[i];
	return WEFT_NONE;
}

void weft__take_levels(struct weft_layers *y, const struct weft__match *m)
{
	size_t row = y->max_lid + 1ull;

	for (uint32_t e = 0; y->form == WEFT_SL_ENDPORT_LID && e < m->b->nep;
	     e++) {
		uint32_t like = was_there(m, e) ? WEFT_NONE :
			find_settled(m, m->b->ep[e].sw);

		if (like != WEFT_NONE)
			memcpy(y->table + e * row, y->table + like * row, row);
	}
}

bool weft__has_new_levels(const struct weft_layers *y,
			  const struct weft__match *m, uint32_t s)
{
	return y->form == WEFT_SL_ENDPORT_LID &&
	       find_settled(m, s) == WEFT_NONE;
}
