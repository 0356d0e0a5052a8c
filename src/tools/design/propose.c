// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Descriptions of fabrics for a number of hosts.  Each family comes in the size
 * that serves them with the fewest switches, for each taper: how many hosts
 * share a cable further on.  On trees that is the leaf's hosts for each of its
 * cables up; on others the hosts of a switch for each cable that random traffic
 * finds across the middle of the fabric.
 */
#include "tools/design/design.h"

struct list {
	const struct tool_wanted *w;
	struct tool_design *d;
	unsigned n;
};

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return (a + b - 1) / b;
}

static struct tool_design *add(struct list *l, const char *family, double taper)
{
	struct tool_design *d = &l->d[l->n];

	if (l->n == TOOL_DESIGNS)
		return NULL;
	l->n++;
	*d = (struct tool_design){ .family = family, .taper = taper };
	return d;
}

/* Hosts and cables up of a leaf. */
static void split_leaf(uint32_t radix, double taper, uint32_t *down,
		       uint32_t *up)
{
	*down = radix * taper / (taper + 1);
	*up = radix - *down;
	while (*up > 1 && (*up - 1) * taper >= *down)
		(*up)--;
}

/* Leaves and spines, with as many parallel cables as a spine has ports for. */
static void add_two_levels(struct list *l, double taper)
{
	uint32_t radix = l->w->radix, down, up, leaves, beside, spines;
	struct tool_design *d;

	split_leaf(radix, taper, &down, &up);
	if (down > l->w->hosts)
		down = l->w->hosts;
	leaves = divide_up(l->w->hosts, down);
	if (leaves < 2 || leaves > radix)
		return;
	/* hosts spread over the leaves need no more cables than that */
	down = divide_up(l->w->hosts, leaves);
	up = divide_up(down * 1000, taper * 1000 + 0.5);
	beside = radix / leaves < up ? radix / leaves : up;
	spines = divide_up(up, beside);
	d = add(l, "2-level tree", taper);
	if (d)
		snprintf(d->text, sizeof(d->text), "pgft:2;%u,%u;1,%u;1,%u",
			 down, leaves, spines, divide_up(up, spines));
}

/* Pods of leaves and middle switches, below top switches that join the pods. */
static void add_three_levels(struct list *l, double taper)
{
	uint32_t radix = l->w->radix, half = radix / 2, down, up, pods, beside;
	uint32_t tops;
	struct tool_design *d;

	split_leaf(radix, taper, &down, &up);
	pods = divide_up(l->w->hosts, down * half);
	if (pods < 2 || pods > radix)
		return;
	beside = radix / pods < half ? radix / pods : half;
	tops = divide_up(half, beside);
	d = add(l, "3-level tree", taper);
	if (d)
		snprintf(d->text, sizeof(d->text),
			 "pgft:3;%u,%u,%u;1,%u,%u;1,1,%u", down, half, pods,
			 up, tops, divide_up(half, tops));
}

/* Balanced: twice as many switches in a group as each has cables to others. */
static void add_dragonfly(struct list *l, double taper)
{
	const struct tool_wanted *w = l->w;

	uint32_t best = 0, fewest = UINT32_MAX;
	struct tool_design *d;

	for (uint32_t h = 1; 3 * h < w->radix; h++) {
		uint32_t a = 2 * h, p = h * taper;
		uint32_t groups = divide_up(w->hosts, a * p);

		if (a - 1 + p + h <= w->radix && groups >= 2 &&
		    groups <= a * h + 1 && groups * a < fewest) {
			best = h;
			fewest = groups * a;
		}
	}
	d = best ? add(l, "dragonfly", taper) : NULL;
	if (d)
		snprintf(d->text, sizeof(d->text), "dragonfly:%u,%u,%u,%u",
			 2 * best, (uint32_t)(best * taper), best,
			 fewest / (2 * best));
}

/* Squares and cubes of switches, rows of which are full meshes. */
static void add_hyperx(struct list *l, unsigned dimensions, double taper)
{
	const struct tool_wanted *w = l->w;

	for (uint32_t side = 2; dimensions * (side - 1) < w->radix; side++) {
		uint32_t n = dimensions == 2 ? side * side : side * side * side;
		uint32_t hosts = divide_up(w->hosts, n);
		struct tool_design *d;

		if (dimensions * (side - 1) + hosts > w->radix ||
		    hosts > side * taper / 2 || n > w->hosts)
			continue;
		d = add(l, dimensions == 2 ? "square HyperX" : "cubic HyperX",
			taper);
		if (d && dimensions == 2)
			snprintf(d->text, sizeof(d->text),
				 "hyperx:%ux%u,hosts=%u", side, side, hosts);
		else if (d)
			snprintf(d->text, sizeof(d->text),
				 "hyperx:%ux%ux%u,hosts=%u", side, side, side,
				 hosts);
		return;
	}
}

/* The sizes of Slim Flies up to 64 ports or so: prime powers of that kind. */
static const uint32_t slimfly_sizes[] = {
	3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41,
	43,
};

static void add_slimfly(struct list *l, double taper)
{
	const struct tool_wanted *w = l->w;

	for (size_t i = 0; i < sizeof(slimfly_sizes) / sizeof(uint32_t); i++) {
		uint32_t q = slimfly_sizes[i], degree = (3 * q + 1) / 2;
		uint32_t hosts = divide_up(w->hosts, 2 * q * q);
		struct tool_design *d;

		if (degree + hosts > w->radix || 2 * q * q > w->hosts ||
		    hosts > (degree + 1) / 2 * taper)
			continue;
		d = add(l, "Slim Fly", taper);
		if (d)
			snprintf(d->text, sizeof(d->text),
				 "slimfly:%u,hosts=%u", q, hosts);
		return;
	}
}

static void add_families(struct list *l, double taper)
{
	add_two_levels(l, taper);
	add_three_levels(l, taper);
	add_dragonfly(l, taper);
	add_hyperx(l, 2, taper);
	add_hyperx(l, 3, taper);
	add_slimfly(l, taper);
}

unsigned tool_design_propose(const struct tool_wanted *w,
			     struct tool_design *out)
{
	struct list l = { .w = w, .d = out };

	add_families(&l, 1);
	if (w->taper >= 3)
		add_families(&l, 2);
	if (w->taper > 1)
		add_families(&l, w->taper);
	return l.n;
}
