// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Looks for an order of switches in which no step loses packets or closes a
 * circle of buffers.
 *
 * Any switch that can be written safely is, until none can; so that a step is
 * never taken back.  Steps are as safe backward as forward: where the search
 * sticks, one that begins with the new tables and undoes switches may find the
 * order from its other end.  Later attempts try the switches in other orders.
 * If no switch can be the first, or none the last, there is no order.
 */
#include "transition/buffers.h"

#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WORK (1ull << 31)
#define MAX_MEMORY (4ull << 30) /* bytes of slots */
#define ATTEMPTS 8

enum { MUST_ARRIVE = 1, MUST_NOT_LOOP = 2 };

struct safe {
	struct weft__transit *t;
	uint32_t nslots;
	uint32_t *slot_of;	 /* [max_lid + 1] WEFT_NONE: LID without one */
	unsigned *lid;		 /* [nslots] */
	struct weft__slot *slot; /* [nslots] */
	uint8_t *needs;		 /* [nslots][nsw] */
	bool waits;		 /* circles of buffers count */
	struct weft__buffers buffers;

	unsigned to;	/* set of tables that is being written: 1, or 0
			 * if switches are undone */
	uint32_t *left; /* [nleft] switches to write */
	uint32_t nleft;
	uint32_t *done; /* [ndone] those that were, in order */
	uint32_t ndone;
	uint32_t *failed; /* [nsw] slot that failed last, tried first */
	uint32_t stuck_sw, stuck_lid;
	bool stuck_loop;
	uint64_t steps, limit;
	struct weft_rng *rng;

	uint8_t *end[2], *column;   /* [nsw] */
	uint32_t *up, *seen, round; /* [nsw] */
};

/* Returns which needs, a bit each, the change of the entry of s would leave
 * unmet; MUST_ARRIVE if there is one, else any. */
static unsigned unmet(struct safe *a, uint32_t k, uint32_t s)
{
	const struct weft_fabric *f = a->t->fabric;
	struct weft__slot *slot = &a->slot[k];
	uint8_t former = slot->port[s];
	const uint8_t *needs = a->needs + (size_t)k * f->nsw;
	uint32_t at, n = 0;
	unsigned end, lost = 0;

	slot->port[s] = weft_lft_get(&a->t->routes[a->to]->lft, s, a->lid[k]);
	end = weft__transit_walk(f, slot->port, slot->owner, s, &at, &a->steps);
	if (end != WEFT_ARRIVED)
		n = weft__transit_behind(f, slot->port, s, a->up, a->seen,
					 ++a->round);
	a->steps += n;
	for (uint32_t i = 0; i < n && !(lost & MUST_ARRIVE); i++)
		lost |= needs[a->up[i]] &
			(end == WEFT_LOOP ? MUST_ARRIVE | MUST_NOT_LOOP :
					    MUST_ARRIVE);
	slot->port[s] = former;
	if (!lost)
		return 0;
	a->failed[s] = k;
	a->stuck_lid = a->lid[k];
	a->stuck_loop = !(lost & MUST_ARRIVE);
	return lost;
}

/* Changes all entries of a switch to what a set of tables says. */
static void change(struct safe *a, uint32_t s, unsigned to)
{
	const struct weft_lft *lft = &a->t->routes[to]->lft;

	for (uint32_t k = 0; k < a->nslots; k++) {
		uint8_t port = weft_lft_get(lft, s, a->lid[k]);

		if (a->slot[k].port[s] == port)
			continue;
		a->steps++;
		if (a->waits)
			weft__slot_change(&a->buffers, &a->slot[k], s, port);
		else
			a->slot[k].port[s] = port;
	}
}

/* Writes a switch, or returns false if that is not safe. */
static bool write_switch(struct safe *a, uint32_t s)
{
	struct weft__buffers *b = &a->buffers;

	a->stuck_sw = s;
	if (a->failed[s] != WEFT_NONE && unmet(a, a->failed[s], s))
		return false;
	for (uint32_t k = 0; k < a->nslots; k++)
		if (a->t->risky[a->lid[k]] &&
		    a->slot[k].port[s] !=
			    weft_lft_get(&a->t->routes[a->to]->lft, s,
					 a->lid[k]) &&
		    unmet(a, k, s))
			return false;
	change(a, s, a->to);
	if (!a->waits)
		return true;
	weft__buffers_add(b);
	if (!b->circle) {
		weft__buffers_drop(b);
		return true;
	}
	weft__buffers_drop(b);
	change(a, s, 1 - a->to);
	weft__buffers_drop(b);
	weft__buffers_add(b);
	a->stuck_lid = 0;
	a->stuck_loop = false;
	return false;
}

static bool out_of_work(const struct safe *a)
{
	return a->steps + a->buffers.order.work > a->limit || a->buffers.failed;
}

/* Writes switches as long as one can be. */
static void write_all(struct safe *a)
{
	bool again = true;

	a->ndone = 0;
	while (again && a->nleft) {
		uint32_t n = a->nleft;

		again = false;
		a->nleft = 0;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t s = a->left[i];

			if (out_of_work(a) || !write_switch(a, s)) {
				a->left[a->nleft++] = s;
				continue;
			}
			a->done[a->ndone++] = s;
			again = true;
		}
	}
}

/* Enters the traffic of a LID without a slot, which stays as it is. */
static void enter_column(struct safe *a, unsigned lid, const uint8_t *column)
{
	struct weft__slot *slot = &a->slot[a->nslots];

	slot->owner = weft_lid_owner(a->t->fabric, lid);
	memcpy(slot->port, column, a->t->fabric->nsw);
	weft__transit_classes(a->t, lid, slot->classes);
	weft__slot_flows(&a->buffers, slot, true);
	weft__buffers_add(&a->buffers);
}

static void load_slot(struct safe *a, uint32_t k, unsigned lid,
		      const uint8_t *column)
{
	struct weft__slot *slot = &a->slot[k];

	memcpy(slot->port, column, a->t->fabric->nsw);
	if (!a->waits)
		return;
	weft__transit_classes(a->t, lid, slot->classes);
	weft__slot_flows(&a->buffers, slot, true);
	weft__buffers_add(&a->buffers);
}

/* Finds which switches' packets to a LID must not be lost. */
static void find_needs(struct safe *a, uint32_t k, const uint8_t *const *column)
{
	const struct weft_fabric *f = a->t->fabric;
	uint8_t *needs = a->needs + (size_t)k * f->nsw;

	for (unsigned i = 0; i < 2; i++)
		weft__transit_ends(f, column[i], a->slot[k].owner, a->end[i],
				   a->up);
	for (uint32_t s = 0; s < f->nsw; s++) {
		needs[s] = 0;
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			continue;
		if (a->end[0][s] == WEFT_ARRIVED &&
		    a->end[1][s] == WEFT_ARRIVED)
			needs[s] |= MUST_ARRIVE;
		if (a->end[0][s] != WEFT_LOOP && a->end[1][s] != WEFT_LOOP)
			needs[s] |= MUST_NOT_LOOP;
	}
}

/* Begins anew: with the old tables, or, to undo switches, the new ones. */
static int load(struct safe *a)
{
	struct weft__transit *t = a->t;
	const struct weft_fabric *f = t->fabric;
	int err = 0;

	weft__buffers_free(&a->buffers);
	if (a->waits)
		err = weft__buffers_init(&a->buffers, t);
	if (err)
		return err;
	for (unsigned lid = 0; lid <= f->max_lid; lid++) {
		size_t at = (size_t)(lid % WEFT_LFT_BLOCK) * f->nsw;
		uint32_t owner = weft_lid_owner(f, lid);
		const uint8_t *column[2];

		if (lid % WEFT_LFT_BLOCK == 0)
			weft__transit_columns(t, lid / WEFT_LFT_BLOCK);
		for (unsigned k = 0; k < 2; k++)
			column[k] = t->column[k] + at;
		if (a->slot_of[lid] != WEFT_NONE) {
			find_needs(a, a->slot_of[lid], column);
			load_slot(a, a->slot_of[lid], lid, column[1 - a->to]);
		} else if (a->waits && owner != WEFT_NONE &&
			   !weft_is_switch(owner)) {
			enter_column(a, lid, column[0]);
		}
	}
	return a->buffers.failed ? -ENOMEM : 0;
}

/* Finds the LIDs that need a slot: those of whose writes some may be unsafe. */
static int find_slots(struct safe *a)
{
	struct weft__transit *t = a->t;
	const struct weft_fabric *f = t->fabric;

	for (unsigned lid = 0; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid);
		size_t at = (size_t)(lid % WEFT_LFT_BLOCK) * f->nsw;

		if (lid % WEFT_LFT_BLOCK == 0)
			weft__transit_columns(t, lid / WEFT_LFT_BLOCK);
		a->slot_of[lid] = WEFT_NONE;
		if (owner == WEFT_NONE || weft_is_switch(owner) ||
		    !(t->risky[lid] ||
		      (a->waits &&
		       memcmp(t->column[0] + at, t->column[1] + at, f->nsw))))
			continue;
		a->lid[a->nslots] = lid;
		a->slot_of[lid] = a->nslots++;
	}
	return 0;
}

/* One slot more than there are LIDs takes in LIDs that stay as they are. */
static int alloc_slots(struct safe *a)
{
	struct weft__transit *t = a->t;
	uint32_t nsw = t->fabric->nsw;
	uint64_t each = nsw * (4ull + 2ull * t->nlanes);

	if ((a->nslots + 1) * each > MAX_MEMORY)
		return -E2BIG;
	a->slot = weft__arena_zalloc(t->scratch, a->nslots + 1ull,
				     sizeof(*a->slot));
	a->needs = weft__arena_alloc(t->scratch, a->nslots + 1ull, nsw);
	if (weft__arena_failed(t->scratch))
		return -ENOMEM;
	for (uint32_t k = 0; k <= a->nslots; k++) {
		struct weft__slot *slot = &a->slot[k];

		slot->owner = weft_lid_owner(t->fabric, a->lid[k]);
		slot->port = weft__arena_alloc(t->scratch, nsw, 1);
		if (!slot->port)
			return -ENOMEM;
		if (!a->waits)
			continue;
		slot->classes = weft__arena_alloc(t->scratch, nsw,
						  sizeof(*slot->classes));
		slot->flow =
			weft__arena_alloc(t->scratch, (size_t)nsw * t->nlanes,
					  sizeof(*slot->flow));
		if (weft__arena_failed(t->scratch))
			return -ENOMEM;
	}
	return 0;
}

static int alloc(struct safe *a)
{
	struct weft_arena *m = a->t->scratch;
	const struct weft_fabric *f = a->t->fabric;
	uint32_t **array[] = { &a->left, &a->done, &a->failed, &a->up,
			       &a->seen };
	int err;

	for (unsigned i = 0; i < sizeof(array) / sizeof(array[0]); i++) {
		*array[i] = weft__arena_zalloc(m, f->nsw, sizeof(uint32_t));
		if (!*array[i])
			return -ENOMEM;
	}
	a->slot_of =
		weft__arena_alloc(m, f->max_lid + 1ull, sizeof(*a->slot_of));
	a->lid = weft__arena_zalloc(m, f->max_lid + 2ull, sizeof(*a->lid));
	a->end[0] = weft__arena_alloc(m, f->nsw, 1);
	a->end[1] = weft__arena_alloc(m, f->nsw, 1);
	if (weft__arena_failed(m))
		return -ENOMEM;
	err = find_slots(a);
	return err ? err : alloc_slots(a);
}

/* Sets a->left to the switches that differ, by id or shuffled. */
static void choose_left(struct safe *a, unsigned attempt)
{
	const struct weft__transit *t = a->t;
	const struct weft_lft *was = &t->routes[0]->lft;
	const struct weft_lft *is = &t->routes[1]->lft;
	unsigned last = was->max_lid > is->max_lid ? was->max_lid : is->max_lid;

	a->nleft = 0;
	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		a->failed[s] = WEFT_NONE;
		for (unsigned lid = 0; lid <= last; lid++)
			if (weft_lft_get(was, s, lid) !=
			    weft_lft_get(is, s, lid)) {
				a->left[a->nleft++] = s;
				break;
			}
	}
	if (attempt > 1) {
		weft_rng_seed(a->rng, attempt);
		weft_rng_shuffle(a->rng, a->left, a->nleft);
	}
}

static int keep_order(struct safe *a)
{
	struct weft_transition *out = a->t->out;

	out->verdict = WEFT_ORDER_FOUND;
	out->norder = a->ndone;
	out->order = malloc((a->ndone + 1ull) * sizeof(*out->order));
	if (!out->order)
		return -ENOMEM;
	for (uint32_t i = 0; i < a->ndone; i++)
		out->order[i] = a->done[a->to ? i : a->ndone - 1 - i];
	return 0;
}

static int attempt_all(struct safe *a)
{
	struct weft_transition *out = a->t->out;

	out->verdict = WEFT_ORDER_UNKNOWN;
	for (unsigned i = 0; i < ATTEMPTS && !out_of_work(a); i++) {
		int err;

		a->to = 1 - i % 2;
		choose_left(a, i);
		err = load(a);
		if (err)
			return err;
		write_all(a);
		if (!a->nleft)
			return keep_order(a);
		if (i == 0 || (!a->ndone && !out_of_work(a))) {
			out->stuck_sw = a->stuck_sw;
			out->stuck_lid = a->stuck_lid;
			out->stuck_loop = a->stuck_loop;
			out->stuck_after = a->to ? a->ndone : a->nleft - 1;
		}
		if (!a->ndone && !out_of_work(a)) {
			out->verdict = WEFT_ORDER_NONE;
			return 0;
		}
	}
	return 0;
}

int weft__transit_search(struct weft__transit *t)
{
	struct weft_transition *out = t->out;
	struct safe a = { .t = t,
			  .limit = t->spec->work,
			  .rng = weft_rng_new(0) };
	int err;

	if (!a.limit)
		a.limit = DEFAULT_WORK;
	a.waits = t->knots.n && !t->mixed && !out->cyclic_before &&
		  !out->cyclic_after;
	out->order_waits = a.waits || !t->knots.n;
	if (!a.waits && !out->risky_lids && !out->looping_lids) {
		out->verdict = WEFT_ORDER_ANY;
		weft_rng_free(a.rng);
		return 0;
	}
	err = a.rng ? alloc(&a) : -ENOMEM;
	if (!err)
		err = attempt_all(&a);
	weft__buffers_free(&a.buffers);
	weft_rng_free(a.rng);
	if (err != -E2BIG)
		return err;
	out->verdict = WEFT_ORDER_UNKNOWN;
	return 0;
}
