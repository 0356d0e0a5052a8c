// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The best tree among the others, by what streams expect; see expect.h. */
#include "trees/expect_tree.h"

#define LEGAL (INT64_C(1) << 57)	/* above all differences of worth */

/* Lists the cables of switch s, n runs of them, with numbers from noise on;
 * returns what is behind. */
static struct weft__cable *list(const struct weft__expect *x, uint32_t s,
				const struct weft__run *run, unsigned n,
				struct weft__cable *cable, uint32_t noise)
{
	uint32_t first = x->fabric->adj_first[s];
	const struct weft__cable *mine = cable;

	for (; n; n--, run++) {
		for (unsigned k = 0; k < run->length; k++) {
			unsigned position = run->start + k;
			uint32_t e = first + position;

			*cable = (struct weft__cable){
				.edge = e, .head = x->edge[e].head,
				.sw = s, .position = position,
				.noise = noise++ % WEFT__NOISE,
				.fresh = cable == mine,
			};
			cable++;
		}
	}
	return cable;
}

/* Lists the cables of a plan, level by level of hops.  Where a switch has no
 * choice its only cable is the best one for good, and not listed. */
static void unfold(struct weft__expect *x, const struct weft__plan *plan)
{
	const uint32_t *first = x->fabric->adj_first;
	const struct weft__run *run = plan->run;
	struct weft__cable *cable = x->cable;
	uint32_t single = 0;

	x->hops[plan->order[0]] = 0;
	x->nlevels = 0;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		uint32_t head = x->edge[first[s] + run->start].head;

		x->hops[s] = x->hops[head] + 1;
		if (x->hops[s] > x->nlevels)
			x->level[x->nlevels++] = (struct weft__level){
				.sw = i + 1, .cable = cable - x->cable,
			};
		if (plan->nruns[i] == 1 && run->length == 1) {
			x->best[s] = UINT8_MAX - run->start;
			single++;
		} else {
			cable = list(x, s, run, plan->nruns[i], cable,
				     cable - x->cable + single);
		}
		run += plan->nruns[i];
	}
	x->level[x->nlevels] = (struct weft__level){
		.sw = plan->n + 1, .cable = cable - x->cable,
	};
	x->unfolded = plan->order[0];
}

/*
 * The kernel: which cable of each switch of a level serves its streams best,
 * less what they cost others.  Below its worth are a bit for the cable taken so
 * far and a byte for its position, the lower the better, so that the maximum of
 * a switch, best[], finds the cable without a branch: how many cables switches
 * have, and which is best, no processor predicts.
 */
static void weigh_cables(const struct weft__expect *x,
			 const struct weft__level *level, const uint8_t *choice,
			 const int32_t *noise)
{
	const struct weft__cable *cable = x->cable;
	const struct weft__edge *edge = x->edge;
	const struct weft__rest *way = x->way;
	int64_t *best = x->best, most = INT64_MIN;
	uint32_t end = level[1].cable;

	for (uint32_t c = level->cable; c < end; c++) {
		const struct weft__edge *e = &edge[cable[c].edge];
		const struct weft__rest *head = &way[cable[c].head];
		uint32_t s = cable[c].sw, k = cable[c].position;
		uint32_t quarters = weft__expect_fresh(e, head,
						       x->sender[s].own, 0);
		int64_t worth;

		worth = weft__crowds_worth(
			x->tables->chance[weft__expect_crowd(x, e, quarters)], head->gain);
		worth -= head->price + (int64_t)e->price * quarters;
		worth += noise[cable[c].noise];
		worth = worth * 512 + (k == choice[s]) * 256 + (255 - k);
		if (x->legal)
			worth += LEGAL * weft__legal_rank(x->legal, s,
							  cable[c].edge,
							  cable[c].head);
		most = cable[c].fresh ? INT64_MIN : most;
		most = worth > most ? worth : most;
		best[s] = most;
	}
}

/* Takes the best cables of a level; returns how many choices changed. */
static uint32_t take_best(struct weft__expect *x, const uint32_t *sw, uint32_t n,
			  uint8_t *choice)
{
	uint32_t changed = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = sw[i], e = x->fabric->adj_first[s];
		uint8_t k = ~x->best[s];

		changed += k != choice[s];
		choice[s] = k;
		weft__expect_settle(x, s, k, 0);
		if (x->legal)
			weft__legal_take(x->legal, s, e + k,
					 x->edge[e + k].head);
	}
	return changed;
}

/* Returns how many choices changed. */
static uint32_t choose(struct weft__expect *x, const struct weft__plan *plan,
		       uint8_t *choice, const int32_t *noise)
{
	uint32_t changed = 0;

	if (x->unfolded != plan->order[0])
		unfold(x, plan);
	if (x->legal)
		weft__legal_start(x->legal, plan->order[0]);
	weft__expect_start(x, plan->order[0]);
	for (const struct weft__level *l = x->level;
	     l < x->level + x->nlevels; l++) {
		weigh_cables(x, l, choice, noise);
		changed += take_best(x, plan->order + l->sw, l[1].sw - l->sw,
				     choice);
	}
	return changed;
}

uint32_t weft__expect_choose(struct weft__expect *x,
			     const struct weft__plan *plan, uint8_t *choice,
			     const int32_t *noise)
{
	uint32_t changed;

	weft__expect_follow(x, plan, choice, -UINT32_C(1));
	changed = choose(x, plan, choice, noise);
	weft__expect_follow(x, plan, choice, 1);
	weft__expect_sum(x, plan->order[0], choice);
	return changed;
}
