// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rates of links, and cables that are slower than they should be.
 *
 * Engines weigh a cable by its rate, so that one that is read wrong, or runs at
 * less than it could, loses its traffic without a word.  There are two ways to
 * tell: both ends may run at more, or nearly all cables between the same two
 * levels do; the level of a switch is how far the next host is.  A speed that
 * came after this opensm, or that a simulator does not know, looks like the
 * latter, or like none.
 */
#include "plugins/osm_shim.h"

#include "core/fabric/port_info.h"
#include "core/text/words.h"
#include "graph/bfs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAMED 3		/* cables in a message, at most */
#define LEVELS 16	/* those beyond count as the last */
#define RATES 8		/* of cables between two levels */

static const ib_port_info_t *capable(const osm_physp_t *port)
{
	const osm_physp_t *first = port;

	if (osm_node_get_type(port->p_node) == IB_NODE_TYPE_SWITCH)
		first = osm_node_get_physp_ptr(port->p_node, 0);
	return first ? &first->port_info : &port->port_info;
}

struct weft_rate weft__rate_of(const osm_physp_t *port)
{
	struct weft_rate rate = weft__port_rate(&port->port_info,
						capable(port));

	if (rate.speed == WEFT_QDR &&
	    port->ext_port_info.link_speed_active & FDR10)
		rate.speed = WEFT_FDR10;
	return rate;
}

static struct weft__port_enabled enabled(const osm_physp_t *port)
{
	struct weft__port_enabled e = weft__port_enabled(&port->port_info,
							 capable(port));

	if (port->ext_port_info.link_speed_enabled & FDR10)
		e.speeds |= 1u << WEFT_FDR10;
	return e;
}

struct weft_rate weft__rate_enabled(const osm_physp_t *port)
{
	return weft__port_best(enabled(port), enabled(port->p_remote_physp));
}

/* --- what is usual between two levels ---------------------------------- */

struct class {
	uint32_t n;
	uint32_t capacity[RATES], count[RATES];
};

/* Why a cable is told of. */
enum why { FINE, BELOW, UNKNOWN, UNLIKE, WHYS };

struct slow {
	const struct weft__snapshot *snapshot;
	const struct weft_fabric *f;
	uint16_t *level;		/* [nsw] */
	struct class class[LEVELS][LEVELS];
	bool throttled;			/* those are told of elsewhere */
	uint32_t told[WHYS];		/* cables to tell of, */
	uint32_t named[WHYS][NAMED];	/* and the first of these */
};

static struct class *class_of(struct slow *x, uint32_t ch)
{
	unsigned a = x->level[x->f->peer[x->f->reverse[ch]]];
	unsigned b = x->level[x->f->peer[ch]];

	a = a < LEVELS ? a : LEVELS - 1;
	b = b < LEVELS ? b : LEVELS - 1;
	return a < b ? &x->class[a][b] : &x->class[b][a];
}

static uint32_t capacity_of(const struct slow *x, uint32_t ch)
{
	return weft_speed_capacity(x->f->width[ch], x->f->speed[ch]);
}

static void count(struct slow *x, uint32_t ch)
{
	struct class *c = class_of(x, ch);
	uint32_t capacity = capacity_of(x, ch);
	unsigned i = 0;

	while (i < RATES - 1 && c->count[i] && c->capacity[i] != capacity)
		i++;
	c->capacity[i] = capacity;
	c->count[i]++;
	c->n++;
}

/* What at least three quarters of the cables between two levels carry, or 0. */
static uint32_t usual(struct slow *x, uint32_t ch)
{
	const struct class *c = class_of(x, ch);

	for (unsigned i = 0; i < RATES - 1; i++)
		if (4ull * c->count[i] >= 3ull * c->n)
			return c->capacity[i];
	return 0;
}

/* Finds the levels of switches, and what is usual. */
static bool find_usual(struct slow *x)
{
	const struct weft_fabric *f = x->f;
	uint8_t *leaf = calloc(f->nsw + 1ull, sizeof(*leaf));
	uint32_t *order = calloc(f->nsw + 1ull, sizeof(*order));

	x->level = calloc(f->nsw + 1ull, sizeof(*x->level));
	for (uint32_t s = 0; leaf && s < f->nsw; s++)
		leaf[s] = f->sw_ep_first[s] < f->sw_ep_first[s + 1];
	if (leaf && order && x->level) {
		weft__bfs_many(f, leaf, x->level, order);
		for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
			count(x, f->adj[e]);
	}
	free(order);
	free(leaf);
	return leaf && order && x->level;
}

/* --- messages ---------------------------------------------------------- */

static enum why judge(struct slow *x, uint32_t ch)
{
	uint32_t capacity = capacity_of(x, ch), most;
	struct weft_rate best;

	if (x->f->reverse[ch] < ch)
		return FINE;
	best = weft__rate_enabled(weft__channel_port(x->snapshot, ch));
	most = weft_speed_capacity(best.width, best.speed);
	if (!capacity)
		return UNKNOWN;
	if (capacity < most)
		return x->throttled ? FINE : BELOW;
	return capacity < usual(x, ch) ? UNLIKE : FINE;
}

/* Counts cables by what is to be said of them, and keeps the first ones. */
static void judge_all(struct slow *x)
{
	for (uint32_t e = 0; e < x->f->adj_first[x->f->nsw]; e++) {
		uint32_t ch = x->f->adj[e];
		enum why why = judge(x, ch);

		if (why != FINE && x->told[why]++ < NAMED)
			x->named[why][x->told[why] - 1] = ch;
	}
}

static void tell(const struct slow *x, enum why why, const char *what,
		 const char *advice, struct weft_diag *diag)
{
	const struct weft_fabric *f = x->f;
	uint32_t n = x->told[why];
	char text[1200];
	struct weft__words w = { .buf = text, .size = sizeof(text) };

	for (uint32_t i = 0; i < n && i < NAMED; i++) {
		uint32_t ch = x->named[why][i];
		struct weft_rate best = weft__rate_enabled(
			weft__channel_port(x->snapshot, ch));

		weft__words_add(&w, i ? "; " : ": ");
		weft__words_cable(&w, f, ch);
		weft__words_add(&w, ", %s",
				WEFT__RATE(f->width[ch], f->speed[ch]));
		if (why == BELOW)
			weft__words_add(&w, " in place of %s",
					WEFT__RATE(best.width, best.speed));
	}
	if (n > NAMED)
		weft__words_add(&w, "; and %" PRIu32 " more", n - NAMED);
	weft__words_end(&w);
	if (n)
		weft_diag_say(diag, WEFT_WARNING,
			      "%s between switches %s%s; routes weigh what cables carry: %s",
			      WEFT_COUNT(n, "cable"), what, text, advice);
}

void weft__tell_slow(const osm_subn_t *subnet,
		     const struct weft__snapshot *snapshot,
		     struct weft_diag *diag)
{
	struct slow x = {
		.snapshot = snapshot, .f = snapshot->fabric,
		.throttled = subnet->opt.avoid_throttled_links,
	};

	if (find_usual(&x)) {
		judge_all(&x);
		tell(&x, BELOW, "below what both ends have enabled",
		     "see to these, or set avoid_throttled_links", diag);
		tell(&x, UNKNOWN,
		     "at a rate that is not known, which counts as the slowest",
		     "is it newer than this version?", diag);
		tell(&x, UNLIKE, "slower than most between the same levels",
		     "see to these, or is their speed newer than this version?",
		     diag);
	}
	free(x.level);
}
