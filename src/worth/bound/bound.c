// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Bounds of uniform traffic, and of one round of any other; see bound.h. */
#include "worth/bound/bound.h"

#include "core/arena.h"
#include "core/fabric/components.h"

#include <math.h>
#include <stdlib.h>

#define MEAN_GAP .05

/* What has one way each is a number of parts on each channel: the share is the
 * largest capacity / (parts x unit) that is no more than most.  unit: Mbit/s
 * of a part at a share of 1. */
static double whole_parts(const struct weft_fabric *f, double most, double unit)
{
	uint32_t seen = 0;
	double best = 0;

	for (uint32_t ch = 0; ch < f->nch; ch++) {
		double room = f->capacity[ch] / unit, parts;

		if (!f->capacity[ch] || f->capacity[ch] == seen)
			continue;
		seen = f->capacity[ch];
		parts = ceil(room / most - 1e-6);
		best = fmax(best, fmin(room / parts, most));
	}
	return best > 0 ? best : most;
}

/* Fills in the bounds that are by a demand; unit: of a stream, or 0 where these
 * differ. */
static int bound_demand(const struct weft_fabric *f,
			const struct weft_bound_spec *spec,
			const struct weft__flow_demand *demand, double unit,
			struct weft_arena *arena, struct weft__flow *flow,
			struct weft_bound *out)
{
	struct weft__flow_budget budget = {
		.gap = spec->gap, .work = spec->work,
		.memory = WEFT__FLOW_MEMORY,
	};
	double share;
	int err = weft__flow_cut(f, demand, &out->cables);

	budget.known = out->cables;
	if (!err)
		err = weft__flow_solve(f, demand, &budget, arena, flow);
	if (err)
		return err;
	out->least = flow->least;
	out->most = flow->most;
	out->exact = out->most - out->least < 1e-6;
	err = out->exact ? -ENOTSUP :
			   weft__bound_solve(f, spec, demand, &share);
	if (!err) {
		out->exact = true;
		out->least = out->most = fmin(share, demand->hosts_allow);
	}
	out->whole = out->ways = out->most;
	if (unit > 0 && out->most < 1) {
		out->whole = whole_parts(f, out->most, unit);
		out->ways = whole_parts(f, out->most,
					unit / (1u << spec->lmc));
	}
	return err == -ENOTSUP ? 0 : err;
}

/* --- uniform traffic ------------------------------------------------------ */

static void scale(struct weft_bound *b, double by)
{
	b->cables *= by;
	b->most *= by;
	b->least *= by;
	b->whole *= by;
	b->ways *= by;
}

struct hosts {
	uint32_t n;
	uint32_t rate;		/* of all of them, 0: they differ */
	double joined;		/* part of all pairs that have a way */
};

static int count_hosts(const struct weft_fabric *f, bool all,
		       struct hosts *out)
{
	uint32_t *part = malloc((f->nsw + 1ull) * sizeof(*part));
	uint32_t *queue = malloc((f->nsw + 1ull) * sizeof(*queue));
	uint32_t *in = calloc(f->nsw + 1ull, sizeof(*in));
	double pairs = 0;
	bool ok = part && queue && in;

	*out = (struct hosts){ .joined = 1 };
	if (ok)
		weft__components(f, part, queue);
	for (uint32_t e = 0; ok && e < f->nep; e++) {
		uint32_t rate = weft__flow_rate(f, e, e);

		if (!weft_endport_is_host(&f->ep[e], all))
			continue;
		out->rate = !out->n || out->rate == rate ? rate : 0;
		out->n++;
		in[part[f->ep[e].sw]]++;
	}
	for (uint32_t s = 0; ok && s < f->nsw; s++)
		pairs += in[s] * (in[s] - 1.0);
	if (ok && out->n > 1)
		out->joined = pairs / (out->n * (out->n - 1.0));
	free(part);
	free(queue);
	free(in);
	return ok ? 0 : -ENOMEM;
}

int weft_bound_uniform(const struct weft_fabric *f,
			const struct weft_bound_spec *spec,
			struct weft_bound *out)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft__flow_demand demand;
	struct weft__flow flow;
	struct hosts hosts;
	double unit = 0;
	int err = count_hosts(f, spec->all_hosts, &hosts);

	*out = (struct weft_bound){ .hosts = hosts.n, .mean = NAN };
	if (!err)
		err = weft__flow_uniform(f, spec->all_hosts, arena, &demand);
	if (!err && hosts.n > 1)
		unit = hosts.rate / (hosts.n - 1.0);
	if (!err)
		err = bound_demand(f, spec, &demand, unit, arena, &flow, out);
	if (!err && hosts.n > 1 && hosts.joined == 1)
		err = weft__bound_entries(f, &demand, 1 / (hosts.n - 1.0),
					  spec->lmc, arena, out);
	if (!err)
		scale(out, hosts.joined);
	weft__arena_free(arena);
	return err;
}

/* --- a round of streams --------------------------------------------------- */

/* The rate of all streams, 0 if they differ. */
static double common_rate(const struct weft_fabric *f,
			  const struct weft__flow_pair *pair, uint32_t n)
{
	uint32_t rate = n ? weft__flow_rate(f, pair[0].from, pair[0].to) : 0;

	for (uint32_t i = 1; i < n; i++)
		if (weft__flow_rate(f, pair[i].from, pair[i].to) != rate)
			return 0;
	return rate;
}

int weft__bound_round(const struct weft_fabric *f,
		      const struct weft_bound_spec *spec,
		      const struct weft__flow_pair *pair, uint32_t n,
		      struct weft_bound *out)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft__flow_demand demand;
	struct weft__flow flow;
	int err;

	*out = (struct weft_bound){ .rounds = 1, .all = 1 };
	err = weft__flow_pairs(f, pair, n, arena, &demand);
	if (!err && (!spec->endpoints || demand.hosts_allow > 1))
		demand.hosts_allow = 1;
	if (!err)
		err = bound_demand(f, spec, &demand, common_rate(f, pair, n),
				   arena, &flow, out);
	if (!err)
		err = weft__flow_mean(f, pair, n, flow.price, &out->mean);
	if (!err && flow.lost > 0)
		out->cables = out->least = out->most = out->whole =
			out->ways = 0;
	weft__arena_free(arena);
	return err;
}

int weft__bound_mean(const struct weft_fabric *f,
		     const struct weft_bound_spec *spec,
		     const struct weft__flow_pair *pair, uint32_t n,
		     double *mean)
{
	struct weft_bound_spec less = *spec;
	struct weft_bound bound;
	int err;

	/* any prices are a bound, and better ones hardly a better one */
	less.solve = NULL;
	less.gap = fmax(spec->gap, MEAN_GAP);
	less.work = spec->work / 16;
	err = weft__bound_round(f, &less, pair, n, &bound);
	if (!err)
		*mean = bound.mean;
	return err;
}
