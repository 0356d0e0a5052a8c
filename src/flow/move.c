// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Moves flows to cheaper ways; see flow.c. */
#include "flow/solver.h"

#include <math.h>
#include <string.h>

#define PRICE_ONE 0x1p30 /* what costs as much as the most crowded edge */
#define POWER_MOST 6.0	 /* of e, beyond what was most crowded */

double weft__solver_put(struct weft__solver *s, uint32_t g, double *sent)
{
	const struct weft__flow_demand *d = s->demand;
	double lost = 0;

	weft__flow_net_search(&s->net, d->goal[g], s->price_back, &s->tree);
	memset(s->passes, 0, s->net.nsw * sizeof(*s->passes));
	for (uint32_t i = d->first[d->row[g]]; i < d->first[d->row[g] + 1];
	     i++) {
		double amount = d->scale[g] * d->amount[i];

		if (d->source[i] == d->goal[g])
			continue;
		*sent += amount;
		if (s->tree.distance[d->source[i]] == WEFT__FLOW_NET_FAR)
			lost += amount;
		else
			s->passes[d->source[i]] += amount;
	}
	return lost;
}

/* Prices are integers, so that sums of them are exact; nothing is free. */
static uint64_t to_price(const struct weft__solver *s, uint32_t e)
{
	double price = s->weight[e] * s->inverse[e] * s->scale * PRICE_ONE;

	return 1 + (price < 0x1p50 ? (uint64_t)price : UINT64_C(1) << 50);
}

void weft__solver_price(struct weft__solver *s, uint32_t e)
{
	double power = s->steep * (s->u[e] - s->top);

	s->weight[e] = exp(power < POWER_MOST ? power : POWER_MOST);
	s->price_back[s->net.back[e]] = to_price(s, e);
}

/* Returns how much dearer edge e gets for each Mbit/s. */
static double bend(const struct weft__solver *s, uint32_t e)
{
	return s->steep * s->inverse[e] * s->price_back[s->net.back[e]];
}

static bool is_nearer(const struct weft__solver *s, uint32_t e, uint32_t at)
{
	return s->tree.distance[s->net.head[e]] < s->tree.distance[at];
}

/* What it costs to send from a switch by edge e, and on as the flow does. */
static double cost_by(const struct weft__solver *s, uint32_t e)
{
	return s->price_back[s->net.back[e]] + s->cost[s->net.head[e]];
}

/*
 * Finds for each switch what a block's flow pays from there on, as far as it
 * leads nearer to the goal, the edge by which it would pay least, and how much
 * dearer the way by this edge gets with more.
 */
static void find_costs(struct weft__solver *s, const float *flow)
{
	const struct weft__flow_net *net = &s->net;

	s->cost[s->tree.order[0]] = s->bend[s->tree.order[0]] = 0;
	for (uint32_t i = 1; i < s->tree.n; i++) {
		uint32_t at = s->tree.order[i], best = s->tree.by[at];
		double sum = 0, paid = 0, least = cost_by(s, best);

		for (uint32_t e = net->first[at]; e < net->first[at + 1]; e++) {
			double cost;

			if (!is_nearer(s, e, at))
				continue;
			cost = cost_by(s, e);
			sum += flow[e];
			paid += flow[e] * cost;
			if (cost < least) {
				least = cost;
				best = e;
			}
		}
		s->cost[at] = sum > 0 ? paid / sum : least;
		s->best_by[at] = best;
		s->sum[at] = sum;
		s->bend[at] = s->bend[net->head[best]] + bend(s, best);
	}
}

/*
 * Sends on what passes a switch: in the parts in which the block's flow does
 * so, but for what moves to the edge by which it pays least: as much as makes
 * that as dear as the others.
 */
static void send_on(struct weft__solver *s, const float *flow, uint32_t at)
{
	const struct weft__flow_net *net = &s->net;
	uint32_t best = s->best_by[at];
	double passes = s->passes[at], rest = passes;
	double least = cost_by(s, best);

	for (uint32_t e = net->first[at]; e < net->first[at + 1]; e++) {
		uint32_t to = net->head[e];
		double part;

		if (e == best || flow[e] <= 0 || !is_nearer(s, e, at))
			continue;
		part = passes * flow[e] / s->sum[at];
		part -= (cost_by(s, e) - least) /
			(s->bend[at] + s->bend[to] + bend(s, e));
		if (part <= 0)
			continue;
		s->fresh[e] += part;
		s->passes[to] += part;
		rest -= part;
	}
	s->fresh[best] += rest;
	s->passes[net->head[best]] += rest;
}

/* Sends all that passes switches by the cheapest ways. */
static void follow_tree(struct weft__solver *s)
{
	for (uint32_t i = s->tree.n; --i;) {
		uint32_t at = s->tree.order[i], e = s->tree.by[at];

		s->fresh[e] += s->passes[at];
		s->passes[s->net.head[e]] += s->passes[at];
	}
}

/* Finds the flow of a block on cheaper ways, and what it changes. */
static void find_fresh(struct weft__solver *s, uint32_t b, bool cheapest)
{
	const struct weft__flow_net *net = &s->net;
	const float *flow = s->flow + (size_t)b * net->nedges;
	uint32_t end = (b + 1) * s->per_block;
	double unused = 0;

	memset(s->fresh, 0, net->nedges * sizeof(*s->fresh));
	for (uint32_t g = b * s->per_block; g < end && g < s->demand->ngoals;
	     g++) {
		weft__solver_put(s, g, &unused);
		if (cheapest) {
			follow_tree(s);
			continue;
		}
		find_costs(s, flow);
		for (uint32_t i = s->tree.n; --i;)
			if (s->passes[s->tree.order[i]] > 0)
				send_on(s, flow, s->tree.order[i]);
	}
	s->nmoved = 0;
	for (uint32_t e = 0; e < net->nedges; e++) {
		double by = s->fresh[e] - flow[e];

		s->moved[s->nmoved] = e;
		s->by[s->nmoved] = by * s->inverse[e];
		s->nmoved += by != 0;
	}
}

/* How the sum of exp(steep u) changes with the part that moves. */
static double slope(const struct weft__solver *s, double part)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->nmoved; i++) {
		double power = s->steep * part * s->by[i];

		sum += s->by[i] * s->weight[s->moved[i]] *
		       exp(power < 500 ? power : 500);
	}
	return sum;
}

/* Finds the part of a block's flow to move: where the slope is nearly 0, and
 * not beyond. */
static double best_part(const struct weft__solver *s)
{
	double first = 0, second = 0, part;
	double low = 0, at_low, high = 2, at_high = 0;

	for (uint32_t i = 0; i < s->nmoved; i++) {
		double change = s->by[i] * s->weight[s->moved[i]];

		first += change;
		second += s->steep * change * s->by[i];
	}
	if (first >= 0)
		return 0;
	at_low = first;
	part = -first / second;
	for (unsigned i = 0; i < 5; i++) {
		double at;

		part = part < 1 ? part : 1;
		at = slope(s, part);
		if (at > 0) {
			high = part;
			at_high = at;
		} else {
			low = part;
			at_low = at;
			if (part >= 1 || at > first / 8)
				break;
		}
		part = high <= 1 ? low + (high - low) * at_low /
						   (at_low - at_high) :
				   2 * part;
	}
	return low;
}

void weft__solver_move(struct weft__solver *s, uint32_t b, bool cheapest)
{
	float *flow = s->flow + (size_t)b * s->net.nedges;
	double part;

	find_fresh(s, b, cheapest);
	part = best_part(s);
	if (part <= 0)
		return;
	for (uint32_t i = 0; i < s->nmoved; i++) {
		uint32_t e = s->moved[i];

		flow[e] += part * (s->fresh[e] - flow[e]);
		s->u[e] += part * s->by[i];
		weft__solver_price(s, e);
	}
}
