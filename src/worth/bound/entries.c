// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Bounds uniform traffic by the entries of each switch alone.
 *
 * All that the hosts of a switch send to a LID leaves it by one cable.  So what they
 * send is a number of pieces, one for each LID elsewhere, which its cables take whole.
 * Pieces for fast hosts may be larger than those for slow ones; two things hold
 * however they are packed: a cable takes only so many of the larger pieces, and what it
 * takes is a multiple of what all of them are multiples of.
 */
#include "worth/bound/bound.h"

#include "core/arena.h"

#include <errno.h>
#include <math.h>

#define HALVINGS 50	/* of the range that the share is in */
#define NEARLY 1e-9

struct entries {
	const struct weft_fabric *f;
	const struct weft__flow_demand *demand;
	double unit;		/* Mbit/s that amounts are multiples of */
	double *amount;		/* [nrows][nsw] sent to a host of the row, in units */
	double *here;		/* [nrows][nsw] hosts of the row there */
	double *hosts;		/* [nrows] hosts of the row */
};

static int find_pieces(struct entries *e, struct weft_arena *arena)
{
	const struct weft__flow_demand *d = e->demand;
	size_t n = (size_t)d->nrows * e->f->nsw + 1;

	e->amount = weft__arena_zalloc(arena, n, sizeof(*e->amount));
	e->here = weft__arena_zalloc(arena, n, sizeof(*e->here));
	e->hosts = weft__arena_zalloc(arena, d->nrows + 1ull,
				      sizeof(*e->hosts));
	if (weft__arena_failed(arena))
		return -ENOMEM;
	for (uint32_t r = 0; r < d->nrows; r++)
		for (uint32_t i = d->first[r]; i < d->first[r + 1]; i++)
			e->amount[(size_t)r * e->f->nsw + d->source[i]] =
				round(d->amount[i] / e->unit);
	for (uint32_t g = 0; g < d->ngoals; g++) {
		e->here[(size_t)d->row[g] * e->f->nsw + d->goal[g]] +=
			d->scale[g];
		e->hosts[d->row[g]] += d->scale[g];
	}
	return 0;
}

/* Pieces that fit on the cables of s at a share of all traffic. */
static double count_fitting(const struct entries *e, uint32_t s, double piece,
			    double share)
{
	const struct weft_fabric *f = e->f;
	double n = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		n += floor(f->capacity[f->adj[i]] / (share * piece) + NEARLY);
	return n;
}

/* The largest share, up to most, at which n pieces of so many units fit, each cut
 * into parts. */
static double share_of(const struct entries *e, uint32_t s, double units, double n,
		       unsigned parts, double most)
{
	double piece = units * e->unit / parts, fits = 0, not = most;

	n *= parts;
	if (!piece || count_fitting(e, s, piece, most) >= n)
		return most;
	for (unsigned i = 0; i < HALVINGS; i++) {
		double mid = (fits + not) / 2;

		if (count_fitting(e, s, piece, mid) >= n)
			fits = mid;
		else
			not = mid;
	}
	return not;
}

static double common_divisor(double a, double b)
{
	while (b > 0) {
		double rest = fmod(a, b);

		a = b;
		b = rest;
	}
	return a;
}

/* Rows are by rate, so that pieces of later ones are at least as large.  parts: LIDs
 * of each host. */
static double bound_switch(const struct entries *e, uint32_t s, unsigned parts,
			   double most)
{
	double n = 0, sum = 0, divisor = 0;

	for (uint32_t r = e->demand->nrows; r--; ) {
		size_t at = (size_t)r * e->f->nsw + s;
		double others = e->hosts[r] - e->here[at];

		if (!e->amount[at] || !others)
			continue;
		n += others;
		sum += others * e->amount[at];
		divisor = common_divisor(e->amount[at], divisor);
		most = share_of(e, s, e->amount[at], n, parts, most);
	}
	return divisor > 0 ? share_of(e, s, divisor, sum / divisor, parts, most) :
			     most;
}

int weft__bound_entries(const struct weft_fabric *f,
			const struct weft__flow_demand *demand, double unit,
			unsigned lmc, struct weft_arena *arena,
			struct weft_bound *out)
{
	struct entries e = { .f = f, .demand = demand, .unit = unit };
	int err = find_pieces(&e, arena);

	for (uint32_t s = 0; !err && s < f->nsw; s++) {
		out->whole = bound_switch(&e, s, 1, out->whole);
		out->ways = bound_switch(&e, s, 1u << lmc, out->ways);
	}
	return err;
}
