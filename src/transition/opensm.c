// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The transition as OpenSM makes it: the first block of 64 LIDs on all switches
 * where it differs, then the next block.
 *
 * LIDs do not meddle with each other in what arrives, so that one is looked at
 * after the other.  A write breaks only routes that come by its switch; one
 * walk from there tells whether they still arrive, and only if not are they
 * looked for.
 */
#include "transition/buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct opensm {
	struct weft__transit *t;
	struct weft_transition_writes *out;
	uint64_t written; /* writes before the current block */
	uint32_t *sw;	  /* [n] switches with a write in this block */
	uint32_t n;
	/* of one LID */
	uint8_t *port;	 /* [nsw] entries in place */
	uint8_t *end[2]; /* [nsw] how the routes of both sets end */
	uint8_t *hit;	 /* [nsw] 1: packets were lost, 2: they looped */
	uint32_t *up, *seen, round; /* [nsw] */
	uint32_t *path;		    /* [nsw] */

	struct weft__buffers buffers;
	struct weft__slot slot[WEFT_LFT_BLOCK];
	uint32_t nslots;
	unsigned slot_column[WEFT_LFT_BLOCK];
};

/* Finds the switches whose block differs, in the order of writes. */
static void find_writes(struct opensm *o)
{
	const struct weft__transit *t = o->t;
	uint32_t nsw = t->fabric->nsw;

	memset(o->hit, 0, nsw);
	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++) {
		const uint8_t *a = t->column[0] + (size_t)i * nsw;
		const uint8_t *b = t->column[1] + (size_t)i * nsw;

		for (uint32_t s = 0; s < nsw; s++)
			o->hit[s] |= a[s] != b[s];
	}
	o->n = 0;
	for (uint32_t i = 0; i < nsw; i++)
		if (o->hit[t->writes[i]])
			o->sw[o->n++] = t->writes[i];
}

/* Returns true if packets from switch s must arrive all the time. */
static bool is_served(const struct opensm *o, uint32_t s)
{
	return o->t->hosts[s] && o->end[0][s] == WEFT_ARRIVED &&
	       o->end[1][s] == WEFT_ARRIVED;
}

/* Returns a host on switch s that does not own the LID, or WEFT_NONE. */
static uint32_t host_on(const struct weft_fabric *f, uint32_t s, uint32_t owner)
{
	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		uint32_t vertex = f->sw_endport[i] | WEFT_ENDPORT;

		if (vertex != owner &&
		    weft_endport_is_host(&f->ep[f->sw_endport[i]], false))
			return vertex;
	}
	return WEFT_NONE;
}

/* Keeps the loss that comes with the earliest write. */
static void note_loss(struct opensm *o, unsigned lid, uint64_t write,
		      uint32_t sw, const struct weft_finding *found)
{
	const struct weft_fabric *f = o->t->fabric;
	uint32_t owner = weft_lid_owner(f, lid);

	if (o->out->first_loss && o->out->first_loss <= write)
		return;
	o->out->first_loss = write;
	o->out->loss_sw = sw;
	o->out->loss = *found;
	o->out->loss.source = host_on(f, found->source, owner);
	o->out->loss.dest = owner;
	o->out->loss.lid = lid;
	o->out->loss.port = o->port[found->sw];
}

/* Marks the switches whose packets are lost after a write to s. */
static void mark_lost(struct opensm *o, unsigned lid, uint32_t i, uint32_t s,
		      struct weft_finding *found)
{
	const struct weft_fabric *f = o->t->fabric;
	uint32_t owner = weft_lid_owner(f, lid);
	uint32_t n =
		weft__transit_behind(f, o->port, s, o->up, o->seen, ++o->round);

	for (uint32_t k = 0; k < n; k++) {
		found->source = o->up[k];
		if (!is_served(o, o->up[k]) ||
		    host_on(f, o->up[k], owner) == WEFT_NONE)
			continue;
		o->hit[o->up[k]] |= found->kind == WEFT_FIND_LOOP ? 2 : 1;
		note_loss(o, lid, o->written + i + 1, s, found);
	}
}

/* Counts the pairs of a LID that lost packets. */
static void count_lost(struct opensm *o, uint32_t owner)
{
	const struct weft_fabric *f = o->t->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t hosts = o->t->hosts[s];

		if (!o->hit[s])
			continue;
		hosts -= weft_vertex_switch(f, owner) == s;
		o->out->lost += hosts;
		o->out->loops += o->hit[s] & 2 ? hosts : 0;
	}
}

/* Writes the entries of one LID, switch by switch. */
static void write_lid(struct opensm *o, unsigned lid)
{
	const struct weft__transit *t = o->t;
	const struct weft_fabric *f = t->fabric;
	size_t column = (size_t)(lid % WEFT_LFT_BLOCK) * f->nsw;
	const uint8_t *now = t->column[1] + column;
	uint32_t owner = weft_lid_owner(f, lid);

	for (unsigned k = 0; k < 2; k++)
		weft__transit_ends(f, t->column[k] + column, owner, o->end[k],
				   o->path);
	memcpy(o->port, t->column[0] + column, f->nsw);
	memset(o->hit, 0, f->nsw);
	for (uint32_t i = 0; i < o->n; i++) {
		struct weft_finding found = { 0 };
		uint32_t s = o->sw[i];
		uint64_t steps = 0;
		unsigned end;

		if (o->port[s] == now[s])
			continue;
		o->port[s] = now[s];
		end = weft__transit_walk(f, o->port, owner, s, &found.sw,
					 &steps);
		if (end == WEFT_ARRIVED)
			continue;
		found.kind = (enum weft_finding_kind)(end - WEFT_NO_ROUTE);
		mark_lost(o, lid, i, s, &found);
	}
	count_lost(o, owner);
}

static bool is_host(const struct weft_fabric *f, unsigned lid)
{
	uint32_t owner = weft_lid_owner(f, lid);

	return owner != WEFT_NONE && !weft_is_switch(owner) &&
	       weft_endport_is_host(&f->ep[owner & ~WEFT_ENDPORT], false);
}

static bool is_endport(const struct weft_fabric *f, unsigned lid)
{
	uint32_t owner = weft_lid_owner(f, lid);

	return owner != WEFT_NONE && !weft_is_switch(owner);
}

/* Makes slots of the LIDs of a block in the old tables. */
static void load_slots(struct opensm *o, uint32_t block, bool enter)
{
	const struct weft__transit *t = o->t;
	uint32_t nsw = t->fabric->nsw;

	o->nslots = 0;
	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++) {
		unsigned lid = block * WEFT_LFT_BLOCK + i;
		struct weft__slot *slot = &o->slot[o->nslots];

		if (!is_endport(t->fabric, lid))
			continue;
		o->slot_column[o->nslots++] = i;
		slot->owner = weft_lid_owner(t->fabric, lid);
		memcpy(slot->port, t->column[0] + (size_t)i * nsw, nsw);
		weft__transit_classes(o->t, lid, slot->classes);
		weft__slot_flows(&o->buffers, slot, enter);
	}
}

/* Writes a block of switch o->sw[i], and looks whether a circle is there. */
static void write_block(struct opensm *o, uint32_t block, uint32_t i)
{
	const struct weft__transit *t = o->t;
	struct weft__buffers *b = &o->buffers;
	uint32_t s = o->sw[i];

	for (uint32_t k = 0; k < o->nslots; k++) {
		uint8_t now = t->column[1][(size_t)o->slot_column[k] *
						   t->fabric->nsw +
					   s];

		if (o->slot[k].port[s] != now)
			weft__slot_change(b, &o->slot[k], s, now);
	}
	weft__buffers_drop(b);
	weft__buffers_add(b);
	if (!b->circle)
		return;
	if (!o->out->cyclic++) {
		o->out->first_cyclic = o->written + i + 1;
		o->out->cyclic_sw = s;
		o->out->cyclic_block = block;
	}
}

static void write_blocks(struct opensm *o, bool losses, bool circles)
{
	const struct weft_fabric *f = o->t->fabric;

	o->written = 0;
	for (uint32_t b = 0; b <= f->max_lid / WEFT_LFT_BLOCK; b++) {
		weft__transit_columns(o->t, b);
		find_writes(o);
		for (unsigned i = 0; losses && i < WEFT_LFT_BLOCK; i++) {
			unsigned lid = b * WEFT_LFT_BLOCK + i;

			if (is_host(f, lid) &&
			    o->t->risky[lid] & WEFT__RISKY_LOST)
				write_lid(o, lid);
		}
		if (circles && o->n) {
			load_slots(o, b, false);
			for (uint32_t i = 0; i < o->n; i++)
				write_block(o, b, i);
		}
		o->written += o->n;
	}
}

static int alloc_slots(struct opensm *o)
{
	struct weft__transit *t = o->t;
	uint32_t nsw = t->fabric->nsw;
	struct weft_arena *a = t->scratch;

	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++) {
		struct weft__slot *slot = &o->slot[i];

		slot->port = weft__arena_alloc(a, nsw, 1);
		slot->classes =
			weft__arena_alloc(a, nsw, sizeof(*slot->classes));
		slot->flow = weft__arena_alloc(a, (size_t)nsw * t->nlanes,
					       sizeof(*slot->flow));
		if (weft__arena_failed(a))
			return -ENOMEM;
	}
	return 0;
}

/* Looks for credit loops of the tables in place. */
static int write_circles(struct opensm *o)
{
	const struct weft_fabric *f = o->t->fabric;
	int err = alloc_slots(o);

	if (!err)
		err = weft__buffers_init(&o->buffers, o->t);
	if (err)
		return err;
	for (uint32_t b = 0; b <= f->max_lid / WEFT_LFT_BLOCK; b++) {
		weft__transit_columns(o->t, b);
		load_slots(o, b, true);
		weft__buffers_add(&o->buffers);
	}
	write_blocks(o, false, true);
	o->out->known = o->buffers.order.work <= WEFT__BUFFERS_WORK;
	err = o->buffers.failed ? -ENOMEM : 0;
	weft__buffers_free(&o->buffers);
	return err;
}

int weft__transit_opensm(struct weft__transit *t)
{
	struct weft_arena *a = t->scratch;
	uint32_t nsw = t->fabric->nsw;
	struct opensm *o = weft__arena_zalloc(a, 1, sizeof(*o));
	int err = 0;

	if (!o)
		return -ENOMEM;
	o->t = t;
	o->out = &t->out->opensm;
	o->sw = weft__arena_alloc(a, nsw, sizeof(*o->sw));
	o->port = weft__arena_alloc(a, nsw, 1);
	o->end[0] = weft__arena_alloc(a, nsw, 1);
	o->end[1] = weft__arena_alloc(a, nsw, 1);
	o->hit = weft__arena_alloc(a, nsw, 1);
	o->up = weft__arena_alloc(a, nsw, sizeof(*o->up));
	o->seen = weft__arena_zalloc(a, nsw, sizeof(*o->seen));
	o->path = weft__arena_alloc(a, nsw, sizeof(*o->path));
	if (weft__arena_failed(a))
		return -ENOMEM;
	if (t->out->risky_lids)
		write_blocks(o, true, false);
	o->out->known = !t->knots.n;
	if (t->knots.n && !t->mixed)
		err = write_circles(o);
	return err;
}
