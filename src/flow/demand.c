// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums up what switches send each other; see flow.h. */
#include "flow/flow.h"

#include "core/arena.h"

#include <stdlib.h>

static uint32_t rate(const struct weft_fabric *f, uint32_t ep)
{
	uint32_t known = f->capacity[f->first_injection + ep];

	return known ? known : 1;
}

uint32_t weft__flow_rate(const struct weft_fabric *f, uint32_t from,
			 uint32_t to)
{
	uint32_t a = rate(f, from), b = rate(f, to);

	return a < b ? a : b;
}

/* --- uniform traffic ------------------------------------------------------ */

struct uniform {
	const struct weft_fabric *f;
	bool all_hosts;
	uint32_t nhosts, nrates;
	uint32_t *host;	 /* [nhosts] endports, by switch */
	uint32_t *rates; /* [nrates] Mbit/s of their links, ascending */
};

static int compare_rates(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void find_rates(struct uniform *u)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->nhosts; i++)
		u->rates[i] = rate(u->f, u->host[i]);
	qsort(u->rates, u->nhosts, sizeof(*u->rates), compare_rates);
	for (uint32_t i = 0; i < u->nhosts; i++)
		if (!n || u->rates[n - 1] != u->rates[i])
			u->rates[n++] = u->rates[i];
	u->nrates = n;
}

static void list_hosts(struct uniform *u)
{
	const struct weft_fabric *f = u->f;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1];
		     i++)
			if (weft_endport_is_host(&f->ep[f->sw_endport[i]],
						 u->all_hosts))
				u->host[u->nhosts++] = f->sw_endport[i];
}

/* What the hosts of each switch send to a host of a rate: a row. */
static uint32_t add_row(const struct uniform *u, uint32_t most,
			uint32_t *source, double *amount, uint32_t n)
{
	const struct weft_fabric *f = u->f;
	double part = 1.0 / (u->nhosts - 1);

	for (uint32_t i = 0, s = WEFT_NONE; i < u->nhosts; i++) {
		uint32_t own = rate(f, u->host[i]);

		if (f->ep[u->host[i]].sw != s) {
			s = f->ep[u->host[i]].sw;
			source[n] = s;
			amount[n++] = 0;
		}
		amount[n - 1] += (own < most ? own : most) * part;
	}
	return n;
}

/* The hosts of a rate on each switch are a goal, with that rate's row. */
static uint32_t add_goals(const struct uniform *u, uint32_t row, uint32_t *goal,
			  double *scale, uint32_t *rows, uint32_t n)
{
	const struct weft_fabric *f = u->f;

	for (uint32_t i = 0, s = WEFT_NONE; i < u->nhosts; i++) {
		if (rate(f, u->host[i]) != u->rates[row])
			continue;
		if (f->ep[u->host[i]].sw != s) {
			s = f->ep[u->host[i]].sw;
			goal[n] = s;
			rows[n] = row;
			scale[n++] = 0;
		}
		scale[n - 1]++;
	}
	return n;
}

int weft__flow_uniform(const struct weft_fabric *f, bool all_hosts,
		       struct weft_arena *arena,
		       struct weft__flow_demand *demand)
{
	struct uniform u = {
		.f = f,
		.all_hosts = all_hosts,
		.host = weft__arena_alloc(arena, f->nep, sizeof(*u.host)),
		.rates = weft__arena_alloc(arena, f->nep, sizeof(*u.rates)),
	};
	uint32_t *goal = weft__arena_alloc(arena, f->nep, sizeof(*goal));
	uint32_t *rows = weft__arena_alloc(arena, f->nep, sizeof(*rows));
	double *scale = weft__arena_alloc(arena, f->nep, sizeof(*scale));
	uint32_t *first, *source, most;
	double *amount;

	*demand = (struct weft__flow_demand){ .hosts_allow = 1 };
	if (weft__arena_failed(arena))
		return -ENOMEM;
	list_hosts(&u);
	if (u.nhosts < 2)
		return 0;
	find_rates(&u);
	most = u.nhosts < f->nsw ? u.nhosts : f->nsw;
	first = weft__arena_zalloc(arena, u.nrates + 1ull, sizeof(*first));
	source = weft__arena_alloc(arena, (size_t)u.nrates * most,
				   sizeof(*source));
	amount = weft__arena_alloc(arena, (size_t)u.nrates * most,
				   sizeof(*amount));
	if (weft__arena_failed(arena))
		return -ENOMEM;
	for (uint32_t r = 0; r < u.nrates; r++) {
		first[r + 1] =
			add_row(&u, u.rates[r], source, amount, first[r]);
		demand->ngoals =
			add_goals(&u, r, goal, scale, rows, demand->ngoals);
	}
	demand->nrows = u.nrates;
	demand->goal = goal;
	demand->scale = scale;
	demand->row = rows;
	demand->first = first;
	demand->source = source;
	demand->amount = amount;
	return 0;
}

/* --- pairs ---------------------------------------------------------------- */

/* Puts the pairs to one switch together, those from one switch next to each
 * other. The switches of the two ends are kept beside them. */
struct stretch {
	uint32_t from, to;
	double amount;
};

static int compare_stretches(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* Sums up what hosts send and get; returns the share their links allow. */
static double sum_hosts(const struct weft_fabric *f,
			const struct weft__flow_pair *pair, uint32_t n,
			struct stretch *stretch, double *sends, double *gets)
{
	double most = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = pair[i].from, to = pair[i].to;
		uint32_t a = rate(f, from), b = rate(f, to);
		double amount = pair[i].weight * weft__flow_rate(f, from, to);

		stretch[i] = (struct stretch){ f->ep[from].sw, f->ep[to].sw,
					       amount };
		sends[from] += amount / a;
		gets[to] += amount / b;
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		most = sends[e] > most ? sends[e] : most;
		most = gets[e] > most ? gets[e] : most;
	}
	return most > 0 ? 1 / most : 1;
}

int weft__flow_pairs(const struct weft_fabric *f,
		     const struct weft__flow_pair *pair, uint32_t n,
		     struct weft_arena *arena, struct weft__flow_demand *demand)
{
	struct stretch *stretch = weft__arena_alloc(arena, n, sizeof(*stretch));
	double *sends = weft__arena_zalloc(arena, f->nep, sizeof(*sends));
	double *gets = weft__arena_zalloc(arena, f->nep, sizeof(*gets));
	uint32_t *goal = weft__arena_alloc(arena, n, sizeof(*goal));
	uint32_t *row = weft__arena_alloc(arena, n, sizeof(*row));
	double *scale = weft__arena_alloc(arena, n, sizeof(*scale));
	uint32_t *first = weft__arena_zalloc(arena, n + 1ull, sizeof(*first));
	uint32_t *source = weft__arena_alloc(arena, n, sizeof(*source));
	double *amount = weft__arena_alloc(arena, n, sizeof(*amount));
	uint32_t at = 0, ngoals = 0;

	if (weft__arena_failed(arena))
		return -ENOMEM;
	*demand = (struct weft__flow_demand){
		.goal = goal,
		.scale = scale,
		.row = row,
		.first = first,
		.source = source,
		.amount = amount,
		.hosts_allow = sum_hosts(f, pair, n, stretch, sends, gets),
	};
	qsort(stretch, n, sizeof(*stretch), compare_stretches);
	for (uint32_t i = 0; i < n; i++) {
		bool new_goal = !i || stretch[i].to != stretch[i - 1].to;

		if (new_goal) {
			goal[ngoals] = stretch[i].to;
			row[ngoals] = ngoals;
			scale[ngoals++] = 1;
		}
		if (new_goal || stretch[i].from != stretch[i - 1].from) {
			source[at] = stretch[i].from;
			amount[at++] = 0;
		}
		amount[at - 1] += stretch[i].amount;
		first[ngoals] = at;
	}
	demand->ngoals = demand->nrows = ngoals;
	return 0;
}
