// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A fat tree for htsim, which knows trees of two or three tiers alone, each by
 * the ports of its switches: a fabric that is one, to the last cable.
 *
 * Its wiring: a leaf has a bundle of cables to each switch of the second tier in
 * its pod; of three tiers, the second-tier switches of a plane, one of each pod,
 * have a bundle to each core of that plane.  Both are sets, of switches of a tier
 * and of the one above, in which each is joined to each.
 */
#include "tools/export/export.h"

#include <math.h>
#include <stdlib.h>

#define TIERS 3
#define CABLE 20  /* ns, as weft sim has them, */
#define RELAY 100 /* and of a switch */

/* A tier, whose switches are alike. */
struct tier {
	uint32_t switches, down, up; /* cables of one of them */
	uint32_t bundle;	     /* of cables to one below */
	uint32_t mbps;		     /* of a cable downwards */
};

struct look {
	struct tool *t;
	const struct weft_fabric *f;
	const struct weft_shape *shape;
	unsigned ntiers;
	struct tier tier[TIERS];
	uint32_t pods;
	uint32_t *set;	 /* [nsw] the least switch above of a switch's set */
	uint32_t *pod;	 /* [nsw] sets of the lowest two tiers */
	uint32_t *count; /* [nsw] */
};

static bool refuse(const struct look *l, uint32_t sw, const char *why)
{
	char name[256];

	weft_diag_say(&l->t->diag, WEFT_ERROR,
		      "htsim knows whole fat trees of two or three tiers, all switches of a tier alike: %s%s",
		      sw == WEFT_NONE ? "" :
		      tool_text_vertex(l->f, sw, name, sizeof(name)), why);
	return false;
}

/* Whether a channel leads to a switch of the tier above that of sw. */
static bool is_up(const struct look *l, uint32_t sw, uint32_t ch)
{
	uint32_t peer = l->f->peer[ch];

	return peer != WEFT_NONE && weft_is_switch(peer) &&
	       l->shape->level[peer] == l->shape->level[sw] + 1;
}

/* Counts the cables of a switch; all of its tier have as many. */
static bool count_cables(struct look *l, uint32_t sw)
{
	const struct weft_fabric *f = l->f;
	unsigned at = l->shape->level[sw];
	struct tier *tier = &l->tier[at], mine = { .switches = 1 };

	for (uint32_t ch = f->first_channel[sw]; ch < f->first_channel[sw + 1];
	     ch++) {
		uint32_t peer = f->peer[ch];

		if (peer == WEFT_NONE)
			continue;
		if (is_up(l, sw, ch)) {
			mine.up++;
			continue;
		}
		if (weft_is_switch(peer) ? l->shape->level[peer] + 1u != at :
					   at > 0)
			return refuse(l, sw, " has a cable past a tier");
		if (mine.down++ && mine.mbps != f->capacity[ch])
			return refuse(l, sw, " has cables of two rates");
		mine.mbps = f->capacity[ch];
	}
	if (tier->switches && (mine.down != tier->down || mine.up != tier->up ||
			       mine.mbps != tier->mbps))
		return refuse(l, sw, " has other cables than the rest of its tier");
	mine.switches += tier->switches;
	*tier = mine;
	return true;
}

/* Counts the cables of sw to each switch above, all bundles alike; returns the
 * least of these switches, WEFT_NONE: they are not alike. */
static uint32_t look_up(struct look *l, uint32_t sw)
{
	struct tier *above = &l->tier[l->shape->level[sw] + 1];
	uint32_t least = WEFT_NONE, end = l->f->first_channel[sw + 1];

	for (uint32_t ch = l->f->first_channel[sw]; ch < end; ch++)
		if (is_up(l, sw, ch)) {
			uint32_t peer = l->f->peer[ch];

			l->count[peer]++;
			least = peer < least ? peer : least;
		}
	if (least != WEFT_NONE && !above->bundle)
		above->bundle = l->count[least];
	for (uint32_t ch = l->f->first_channel[sw]; ch < end; ch++)
		if (is_up(l, sw, ch) &&
		    l->count[l->f->peer[ch]] != above->bundle)
			least = WEFT_NONE;
	for (uint32_t ch = l->f->first_channel[sw]; ch < end; ch++)
		if (is_up(l, sw, ch))
			l->count[l->f->peer[ch]] = 0;
	return least;
}

/* Finds the sets of a tier and the one above: a switch's is that of all switches
 * above that it has cables to, and these are all that there are in it. */
static bool find_sets(struct look *l, unsigned tier)
{
	const struct weft_fabric *f = l->f;

	for (uint32_t s = 0; s < f->nsw; s++)
		if (l->shape->level[s] == tier + 1)
			l->set[s] = WEFT_NONE;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t set;

		if (l->shape->level[s] != tier)
			continue;
		set = l->set[s] = look_up(l, s);
		if (set == WEFT_NONE)
			return refuse(l, s, " has not as many cables to each switch above");
		for (uint32_t ch = f->first_channel[s];
		     ch < f->first_channel[s + 1]; ch++) {
			uint32_t peer = f->peer[ch];

			if (!is_up(l, s, ch))
				continue;
			if (l->set[peer] != WEFT_NONE && l->set[peer] != set)
				return refuse(l, s, " joins two pods or planes");
			l->set[peer] = set;
		}
	}
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (l->shape->level[s] != tier + 1)
			continue;
		if (l->set[s] == WEFT_NONE)
			return refuse(l, s, " has no cables down");
		l->count[l->set[s]]++;
	}
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t n = l->count[s] * l->tier[tier + 1].bundle;

		l->count[s] = 0;
		if (n && n != l->tier[tier].up)
			return refuse(l, s, "'s pod or plane lacks cables");
	}
	return true;
}

/* Whether each plane has one switch of each pod. */
static bool planes_are_whole(struct look *l)
{
	for (uint32_t s = 0; s < l->f->nsw; s++)
		for (uint32_t o = 0; o < s && l->shape->level[s] == 1; o++)
			if (l->shape->level[o] == 1 &&
			    l->set[o] == l->set[s] && l->pod[o] == l->pod[s])
				return refuse(l, s, " shares its cores with another one of its pod");
	return l->tier[2].down / l->tier[2].bundle == l->pods ||
	       refuse(l, WEFT_NONE, "cores are not joined to every pod");
}

static bool look(struct look *l)
{
	const struct weft_shape_part *part = l->shape->part;

	if (l->shape->nparts != 1 || part->kind != WEFT_SHAPE_TREE ||
	    part->nlevels < 2 || part->nlevels > TIERS)
		return refuse(l, WEFT_NONE, "this is another fabric");
	l->ntiers = part->nlevels;
	for (uint32_t s = 0; s < l->f->nsw; s++)
		if (!count_cables(l, s))
			return false;
	if (!find_sets(l, 0))
		return false;
	l->pods = l->tier[0].switches * l->tier[1].bundle / l->tier[1].down;
	for (uint32_t s = 0; s < l->f->nsw; s++)
		l->pod[s] = l->set[s];
	if (l->ntiers == TIERS)
		return find_sets(l, 1) && planes_are_whole(l);
	return l->pods == 1 ||
	       refuse(l, WEFT_NONE, "leaves are not joined by all spines");
}

/* How many times as much comes from below as goes up; 0: no whole number. */
static uint64_t oversubscription(const struct tier *t)
{
	uint64_t below = (uint64_t)t->down * t->mbps;
	uint64_t up = (uint64_t)t->up * (t + 1)->mbps;

	return up && below % up == 0 ? below / up : 0;
}

static bool put(const struct look *l, FILE *out)
{
	for (unsigned k = 0; k + 1 < l->ntiers; k++)
		if (!oversubscription(&l->tier[k]))
			return refuse(l, WEFT_NONE, "what comes from below is no whole multiple of what goes up");
	fprintf(out, "Nodes %u\nTiers %u\nPodsize %u\n", l->f->nep, l->ntiers,
		l->f->nep / l->pods);
	for (unsigned k = 0; k < l->ntiers; k++) {
		const struct tier *t = &l->tier[k];

		fprintf(out, "\nTier %u\nDownlink_speed_Gbps %ld\nRadix_Down %u\n",
			k, lround(t->mbps / 1e3), t->down);
		if (k + 1 < l->ntiers)
			fprintf(out, "Radix_Up %u\nOversubscribed %u\n", t->up,
				(unsigned)oversubscription(t));
		if (k)
			fprintf(out, "Bundle %u\n", t->bundle);
		fprintf(out, "Downlink_Latency_ns %d\nSwitch_Latency_ns %d\n",
			CABLE, RELAY);
	}
	return true;
}

bool tool_export_htsim(struct tool *t, const struct weft_fabric *f, FILE *out)
{
	struct weft_shape shape;
	struct look l = { .t = t, .f = f, .shape = &shape };
	bool ok;

	if (weft_shape_find(f, &shape, &t->diag))
		return false;
	l.set = malloc((f->nsw + 1ull) * sizeof(*l.set));
	l.pod = malloc((f->nsw + 1ull) * sizeof(*l.pod));
	l.count = calloc(f->nsw + 1ull, sizeof(*l.count));
	ok = l.set && l.pod && l.count ? look(&l) && put(&l, out) :
					 tool_no_memory(t);
	free(l.set);
	free(l.pod);
	free(l.count);
	weft_shape_free(&shape);
	return ok;
}
