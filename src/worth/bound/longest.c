// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: a permutation with long ways
 *
 * Each host sends to one, and hears from one, far away: the sum of hops is as
 * large as exchanging partners makes it, two hosts at a time, from the order in
 * which everybody sends to the one half way round.  It takes the most cables of
 * all, so that their capacity is used up soonest.  Any permutation is a bound;
 * this one is near the worst on most fabrics.
 */
#include "worth/bound/bound.h"

#include "graph/bfs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define PASSES 8
#define MOST_SWAPS UINT64_C(100000000)	/* looked at in all */

struct longest {
	const struct weft_fabric *f;
	uint32_t n;
	uint32_t *host;		/* [n] endports */
	uint32_t *place;	/* [n] of its switch among those with hosts */
	uint32_t *to;		/* [n] position in host[] */
	uint16_t *hops;		/* [places][places] */
	uint32_t nplaces;
	uint32_t *sw;		/* [nplaces] */
};

static int longest_init(struct longest *l, bool all)
{
	const struct weft_fabric *f = l->f;

	l->host = malloc((f->nep + 1ull) * sizeof(*l->host));
	l->place = malloc((f->nep + 1ull) * sizeof(*l->place));
	l->to = malloc((f->nep + 1ull) * sizeof(*l->to));
	l->sw = malloc((f->nsw + 1ull) * sizeof(*l->sw));
	if (!l->host || !l->place || !l->to || !l->sw)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t before = l->n;

		for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1];
		     i++) {
			if (!weft_endport_is_host(&f->ep[f->sw_endport[i]],
						  all))
				continue;
			l->place[l->n] = l->nplaces;
			l->host[l->n++] = f->sw_endport[i];
		}
		if (l->n > before)
			l->sw[l->nplaces++] = s;
	}
	l->hops = malloc(((size_t)l->nplaces * l->nplaces + 1) *
			 sizeof(*l->hops));
	return l->hops ? 0 : -ENOMEM;
}

static int find_hops(struct longest *l)
{
	uint32_t nsw = l->f->nsw;
	uint16_t *hops = malloc((nsw + 1ull) * sizeof(*hops));
	uint32_t *order = malloc((nsw + 1ull) * sizeof(*order));
	int err = hops && order ? 0 : -ENOMEM;

	for (uint32_t a = 0; !err && a < l->nplaces; a++) {
		weft__bfs(l->f, l->sw[a], hops, order);
		/* what has no way counts as little as can be */
		for (uint32_t b = 0; b < l->nplaces; b++)
			l->hops[(size_t)a * l->nplaces + b] =
				hops[l->sw[b]] == WEFT__FAR ? 0 :
				hops[l->sw[b]] + 1;
	}
	free(hops);
	free(order);
	return err;
}

static int hops(const struct longest *l, uint32_t from, uint32_t to)
{
	return l->hops[(size_t)l->place[from] * l->nplaces + l->place[to]];
}

/* Exchanges the partners of two hosts if that makes ways longer. */
static bool swap(struct longest *l, uint32_t a, uint32_t b)
{
	uint32_t x = l->to[a], y = l->to[b];

	if (a == y || b == x ||
	    hops(l, a, y) + hops(l, b, x) <= hops(l, a, x) + hops(l, b, y))
		return false;
	l->to[a] = y;
	l->to[b] = x;
	return true;
}

static void lengthen(struct longest *l)
{
	uint64_t each = (uint64_t)l->n * l->n / 2 + 1;
	bool better = true;

	for (unsigned i = 0; i < PASSES && better; i++) {
		better = false;
		if ((i + 1) * each > MOST_SWAPS)
			return;
		for (uint32_t a = 0; a < l->n; a++)
			for (uint32_t b = a + 1; b < l->n; b++)
				better |= swap(l, a, b);
	}
}

int weft_bound_longest(const struct weft_fabric *f,
			const struct weft_bound_spec *spec,
			struct weft_bound *out)
{
	struct longest l = { .f = f };
	struct weft__flow_pair *pair = NULL;
	int err = longest_init(&l, spec->all_hosts);
	uint32_t n = l.n > 1 ? l.n : 0;

	if (!err)
		err = find_hops(&l);
	for (uint32_t i = 0; !err && i < n; i++)
		l.to[i] = (i + n / 2) % n;
	if (!err)
		lengthen(&l);
	if (!err)
		pair = malloc((n + 1ull) * sizeof(*pair));
	if (!err && !pair)
		err = -ENOMEM;
	for (uint32_t i = 0; !err && i < n; i++)
		pair[i] = (struct weft__flow_pair){
			l.host[i], l.host[l.to[i]], 1
		};
	if (!err)
		err = weft__bound_round(f, spec, pair, n, out);
	if (!err)
		out->hosts = l.n;
	free(pair);
	free(l.host);
	free(l.place);
	free(l.to);
	free(l.sw);
	free(l.hops);
	return err;
}
