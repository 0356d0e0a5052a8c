// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Has endports of a switch exchange their trees; see alike.h. */
#include "standing/alike.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

struct run {
	const struct weft__alike *a;
	uint32_t *ep, n;	/* endports of a switch that are alike */
	uint32_t lids;		/* of each */
	size_t size;		/* [n][size]: what is sent to each of them, from all
				 * switches */
	uint8_t *was, *now;
	uint64_t *gain;		/* [n * n] */
	uint32_t *who;		/* [n] */
	uint8_t *level;		/* [n] scratch */
};

static bool are_alike(const struct weft_fabric *f, uint32_t a, uint32_t b)
{
	const struct weft_endport *x = &f->ep[a], *y = &f->ep[b];

	return x->group == y->group && x->kind == y->kind &&
	       x->weight == y->weight &&
	       x->lmc == y->lmc && f->capacity[f->first_injection + a] ==
					   f->capacity[f->first_injection + b];
}

static void read_columns(const struct run *r, const struct weft_lft *lft,
			 uint8_t *out)
{
	const struct weft_fabric *f = r->a->fabric;

	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t o = 0; o < r->lids; o++)
			for (uint32_t s = 0; s < f->nsw; s++)
				*out++ = weft_lft_get(lft, s,
						      f->ep[r->ep[i]].lid + o);
}

/* Entries of the root stay with their endports, and do not count. */
static void find_gains(const struct run *r)
{
	uint32_t nsw = r->a->fabric->nsw, root = r->a->fabric->ep[r->ep[0]].sw;

	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t j = 0; j < r->n; j++) {
			const uint8_t *now = r->now + i * r->size;
			const uint8_t *was = r->was + j * r->size;
			uint64_t equal = weft__count_equal(now, was, r->size);

			for (size_t k = root; k < r->size; k += nsw)
				equal -= now[k] == was[k];
			r->gain[(size_t)i * r->n + j] = equal;
		}
}

static void write_columns(const struct run *r)
{
	const struct weft_fabric *f = r->a->fabric;
	const uint8_t *port = r->now;
	uint32_t root = f->ep[r->ep[0]].sw;

	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t o = 0; o < r->lids; o++)
			for (uint32_t s = 0; s < f->nsw; s++, port++)
				if (s != root)
					weft_lft_row(&r->a->routes->lft, s)[
						f->ep[r->ep[r->who[i]]].lid +
						o] = *port;
}

/* Service levels of a row of the table go along with the trees. */
static void exchange_levels(const struct run *r, uint8_t *row)
{
	const struct weft_fabric *f = r->a->fabric;

	for (uint32_t o = 0; o < r->lids; o++) {
		for (uint32_t i = 0; i < r->n; i++)
			r->level[i] = row[f->ep[r->ep[i]].lid + o];
		for (uint32_t i = 0; i < r->n; i++)
			row[f->ep[r->ep[r->who[i]]].lid + o] = r->level[i];
	}
}

static void write_levels(const struct run *r)
{
	const struct weft_fabric *f = r->a->fabric;
	struct weft_layers *l = &r->a->routes->layers;
	uint32_t root = f->ep[r->ep[0]].sw;

	if (l->form == WEFT_SL_DESTINATION)
		exchange_levels(r, l->table);
	for (uint32_t e = 0; l->form == WEFT_SL_ENDPORT_LID && e < f->nep; e++)
		if (f->ep[e].sw != root)
			exchange_levels(r, l->table +
						   e * (l->max_lid + 1ull));
}

static int exchange(struct run *r, struct weft_arena *arena)
{
	bool same = true;

	read_columns(r, r->a->standing, r->was);
	read_columns(r, &r->a->routes->lft, r->now);
	find_gains(r);
	if (!weft__assign(r->gain, r->n, r->who, arena))
		return -ENOMEM;
	for (uint32_t i = 0; i < r->n; i++)
		same &= r->who[i] == i;
	if (!same) {
		write_columns(r);
		write_levels(r);
	}
	return 0;
}

static bool make_room(struct run *r, struct weft_arena *arena)
{
	size_t n = r->n;

	r->lids = 1u << r->a->fabric->ep[r->ep[0]].lmc;
	r->size = (size_t)r->lids * r->a->fabric->nsw;
	r->was = weft__arena_alloc(arena, n * r->size, 1);
	r->now = weft__arena_alloc(arena, n * r->size, 1);
	r->gain = weft__arena_alloc(arena, n * n, 8);
	r->who = weft__arena_alloc(arena, n, 4);
	r->level = weft__arena_alloc(arena, n, 1);
	return r->was && r->now && r->gain && r->who && r->level;
}

/* Endports of a switch that are like the first one which was not taken. */
static void gather(struct run *r, uint32_t s, bool *taken)
{
	const struct weft_fabric *f = r->a->fabric;

	r->n = 0;
	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		uint32_t e = f->sw_endport[i];

		if (taken[e] || !f->ep[e].lid ||
		    (r->n && !are_alike(f, r->ep[0], e)))
			continue;
		taken[e] = true;
		r->ep[r->n++] = e;
	}
}

int weft__alike_trees(const struct weft__alike *a)
{
	const struct weft_fabric *f = a->fabric;
	struct weft_arena *arena = weft__arena_new();
	bool *taken = weft__arena_zalloc(arena, f->nep + 1ull, sizeof(*taken));
	struct run r = {
		.a = a, .ep = weft__arena_alloc(arena, f->nep + 1ull, 4),
	};
	int err = taken && r.ep ? 0 : -ENOMEM;

	for (uint32_t s = 0; !err && s < f->nsw; s++)
		for (;;) {
			struct weft_arena *room;

			gather(&r, s, taken);
			if (err || !r.n)
				break;
			if (r.n == 1)
				continue;
			room = weft__arena_new();
			err = make_room(&r, room) ? exchange(&r, room) :
						    -ENOMEM;
			weft__arena_free(room);
		}
	weft__arena_free(arena);
	return err;
}
