// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weave tells of the loads of its trees. */
#include "engines/weave.h"

#include "core/arena.h"
#include "engines/common.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The hottest cables: 5 with the most routes in one direction. */
static void explain(const struct weft__weave *w, const struct weft__balance *b)
{
	const struct weft_fabric *f = w->f;
	uint64_t below = UINT64_MAX;
	unsigned shown = 0;

	weft_explain(w->diag, "hottest links, by routes of endports over "
		     "them:");
	while (shown < 5) {
		uint64_t most = 0;

		for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
			uint64_t load = weft__balance_routes(b, e);

			if (load > most && load < below)
				most = load;
		}
		if (!most)
			return;
		for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
			uint32_t s;

			if (weft__balance_routes(b, e) != most || shown++ >= 5)
				continue;
			s = weft_channel_switch(f, f->adj[e]);
			weft_explain(w->diag, "  %" PRIu64 ": %s port %u -> %s",
				     most, f->sw[s].name,
				     weft__port(f, s, f->adj[e]),
				     f->sw[f->peer[f->adj[e]]].name);
		}
		below = most;
	}
}

/* One tree as a plan: its switches, each behind where it sends to. */
static void follow(const struct weft_fabric *f, const struct weft__tree *t,
		   struct weft__plan *plan, uint32_t *below, uint32_t *sibling)
{
	memset(below, 0xff, f->nsw * sizeof(*below));
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t next;

		if (s == t->root)
			continue;
		next = f->peer[f->adj[f->adj_first[s] + t->choice[s]]];
		sibling[s] = below[next];
		below[next] = s;
	}
	plan->order[0] = t->root;
	plan->n = 0;
	for (uint32_t i = 0; i <= plan->n; i++) {
		uint32_t s = below[plan->order[i]];

		for (; s != WEFT_NONE; s = sibling[s])
			plan->order[++plan->n] = s;
	}
}

int weft__weave_explain_hottest(struct weft__weave *w,
				const struct weft__trees *trees)
{
	const struct weft_fabric *f = w->f;
	uint32_t *room = weft__arena_alloc(w->arena, 3ull * f->nsw,
					   sizeof(*room));
	struct weft__plan plan = { .order = room };
	struct weft__balance balance;

	if (!room || !weft__balance_init(&balance, f, w->arena))
		return -ENOMEM;
	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *t = &trees->tree[d];

		follow(f, t, &plan, room + f->nsw, room + 2 * f->nsw);
		weft__balance_load(&balance, &plan, t->choice, 1);
	}
	explain(w, &balance);
	return 0;
}
