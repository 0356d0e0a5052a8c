// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * LogGP by least squares.  What counts is how many times off a time is, not by
 * how many us: sizes range over six orders of magnitude, and the long messages
 * would decide alone.
 *
 * L is that of messages of one packet, and G the rest of longer ones: a packet
 * waits for others once, wherever they share a cable, and one line for both
 * would take these waits for bytes.
 */
#include "tools/sim/sweep.h"

#include <math.h>

/* Sums for a line a + b x that is weighed by 1 / y^2. */
struct sums {
	double w, x, xx, y, xy;
	uint32_t n;
};

static void add(struct sums *s, double x, double y)
{
	double w = y > 0 ? 1 / (y * y) : 0;

	s->w += w;
	s->x += w * x;
	s->xx += w * x * x;
	s->y += w * y;
	s->xy += w * x * y;
	s->n += w > 0;
}

/* Returns whether there is such a line: two different x at least. */
static bool solve(const struct sums *s, double *a, double *b)
{
	double det = s->w * s->xx - s->x * s->x;

	if (s->n < 2 || !(det > 1e-12 * s->w * s->xx))
		return false;
	*b = (s->w * s->xy - s->x * s->y) / det;
	*a = (s->y - *b * s->x) / s->w;
	return true;
}

/* Returns G in us by messages of several packets; without such slope. */
static double fit_bytes(const struct tool_sim_point *point, uint32_t n,
			uint32_t mtu, double latency, double slope)
{
	struct sums s = { 0 };

	for (uint32_t i = 0; i < n; i++)
		if (point[i].n && point[i].bytes > mtu)
			add(&s, point[i].bytes - 1., point[i].us);
	return s.n ? (s.xy - latency * s.x) / s.xx : slope;
}

/* Fits the points of a level. */
static void fit_level(struct tool_sim_point *point, uint32_t n, uint32_t mtu,
		      struct tool_sim_logp *fit)
{
	struct sums s = { 0 };
	double slope, sum = 0;
	uint32_t all = 0;

	fit->streams = point->streams;
	fit->small = point;
	fit->large = point + n - 1;
	for (uint32_t i = 0; i < n; i++)
		if (point[i].n && point[i].bytes <= mtu)
			add(&s, point[i].bytes - 1., point[i].us);
	fit->known = solve(&s, &fit->L, &slope);
	if (!fit->known)
		return;
	slope = fit_bytes(point, n, mtu, fit->L, slope);
	fit->G = slope * 1e3;
	for (uint32_t i = 0; i < n; i++) {
		struct tool_sim_point *p = &point[i];

		if (!p->n)
			continue;
		p->fit = fit->L + slope * (p->bytes - 1.);
		p->off = (p->us - p->fit) / p->us;
		sum += p->off * p->off;
		fit->worst = fmax(fit->worst, fabs(p->off));
		all++;
	}
	fit->rms = sqrt(sum / all);
}

void tool_sim_sweep_fit(struct tool_sim_sweep *w, uint32_t mtu)
{
	struct sums s = { 0 };

	for (uint32_t i = 0; i < w->nlevels; i++) {
		struct tool_sim_logp *fit = &w->fit[i];

		fit_level(&w->point[i * w->nsizes], w->nsizes, mtu,
			  fit);
		if (w->fit->large->gbps > 0)
			fit->share = fit->large->gbps / w->fit->large->gbps /
				     w->fit->streams;
		if (fit->known)
			add(&s, fit->streams - 1., fit->L);
	}
	w->line = s.n > 2 && solve(&s, &w->base, &w->slope);
	for (uint32_t i = 0; i < w->nlevels && w->line; i++) {
		const struct tool_sim_logp *fit = &w->fit[i];
		double by = w->base + w->slope * (fit->streams - 1.);

		if (fit->known)
			w->off = fmax(w->off, fabs(fit->L - by) / fit->L);
	}
}
