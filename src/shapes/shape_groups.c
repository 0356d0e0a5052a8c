// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Groups that are joined each to each, as those of a dragonfly; and fabrics
 * that are none of what is known.
 *
 * Cables within a group are those whose ends have many neighbours in common
 * (groups that are full meshes), or of which one end has hosts and the other
 * has none (groups of leaves and spines).
 */
#include "shapes/shape.h"

#include "core/arena.h"
#include "core/sets.h"
#include "graph/bfs.h"

#include <errno.h>
#include <string.h>
#include <weft/diag.h>

#define JOINED .7	  /* share of pairs that shows each to each */
#define MAX_SEARCHED 4096 /* switches whose diameter is looked for */

struct groups {
	const struct weft_fabric *f;
	uint32_t *group;		       /* [nsw] */
	uint32_t *parent, *size, *seen, *mark; /* [nsw] scratch */
	uint32_t n;			       /* groups */
	uint32_t common; /* neighbours of two switches of one group */
};

static bool has_hosts(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] != f->sw_ep_first[s + 1];
}

/* Neighbours of s are those marked with its number plus one. */
static void mark_neighbours(struct groups *g, uint32_t s)
{
	uint32_t peer, n;

	for (uint32_t i = g->f->adj_first[s];
	     (peer = weft__shape_next(g->f, s, &i, &n)) != WEFT_NONE;)
		g->mark[peer] = s + 1;
}

static uint32_t count_common(const struct groups *g, uint32_t s, uint32_t peer)
{
	uint32_t common = 0, other, n;

	for (uint32_t i = g->f->adj_first[peer];
	     (other = weft__shape_next(g->f, peer, &i, &n)) != WEFT_NONE;)
		common += g->mark[other] == s + 1;
	return common;
}

/* Calls with each pair of neighbours once. */
static void each_pair(struct groups *g,
		      void (*call)(struct groups *g, uint32_t s, uint32_t peer))
{
	for (uint32_t s = 0; s < g->f->nsw; s++) {
		uint32_t peer, n;

		mark_neighbours(g, s);
		for (uint32_t i = g->f->adj_first[s];
		     (peer = weft__shape_next(g->f, s, &i, &n)) != WEFT_NONE;)
			if (peer > s)
				call(g, s, peer);
	}
}

static void find_common(struct groups *g, uint32_t s, uint32_t peer)
{
	uint32_t common = count_common(g, s, peer);

	if (common > g->common)
		g->common = common;
}

static void join_common(struct groups *g, uint32_t s, uint32_t peer)
{
	if (g->common && 2 * count_common(g, s, peer) >= g->common)
		weft__sets_join(g->parent, s, peer);
}

static void join_unlike(struct groups *g, uint32_t s, uint32_t peer)
{
	if (has_hosts(g->f, s) != has_hosts(g->f, peer))
		weft__sets_join(g->parent, s, peer);
}

/* Numbers the groups by their lowest switches. */
static void number_groups(struct groups *g)
{
	g->n = 0;
	for (uint32_t s = 0; s < g->f->nsw; s++) {
		uint32_t first = weft__sets_find(g->parent, s);

		if (first == s) {
			g->size[g->n] = 0;
			g->group[s] = g->n++;
		}
		g->group[s] = g->group[first];
		g->size[g->group[s]]++;
	}
}

/* How many pairs of groups cables join.  By group: seen[] has the last one that
 * was met with each. */
static uint64_t count_joined(struct groups *g, uint32_t *by_group)
{
	const struct weft_fabric *f = g->f;
	uint64_t pairs = 0;
	uint32_t at = 0;

	memset(g->seen, 0xff, f->nsw * sizeof(*g->seen));
	for (uint32_t k = 0; k < g->n; k++)
		for (uint32_t s = 0; s < g->size[k]; s++, at++) {
			uint32_t sw = by_group[at];

			for (uint32_t e = f->adj_first[sw];
			     e < f->adj_first[sw + 1]; e++) {
				uint32_t to = g->group[f->peer[f->adj[e]]];

				if (to != k && g->seen[to] != k) {
					g->seen[to] = k;
					pairs++;
				}
			}
		}
	return pairs / 2;
}

static void sort_by_group(const struct groups *g, uint32_t *by_group,
			  struct weft_arena *arena, bool *ok)
{
	uint32_t *next =
		weft__arena_zalloc(arena, g->n + (size_t)1, sizeof(*next));

	*ok = next;
	for (uint32_t k = 0; next && k < g->n; k++)
		next[k + 1] = next[k] + g->size[k];
	for (uint32_t s = 0; next && s < g->f->nsw; s++)
		by_group[next[g->group[s]]++] = s;
}

/* Whether there are three or more of about one size, joined each to each. */
static int are_groups(struct groups *g, struct weft_arena *arena, bool *found)
{
	uint32_t *by_group =
		weft__arena_alloc(arena, g->f->nsw, sizeof(*by_group));
	uint32_t least = g->f->nsw, most = 0;
	bool ok = false;

	number_groups(g);
	for (uint32_t k = 0; k < g->n; k++) {
		least = g->size[k] < least ? g->size[k] : least;
		most = g->size[k] > most ? g->size[k] : most;
	}
	if (g->n < 3 || least < 2 || 2 * least < most)
		return by_group ? 0 : -ENOMEM;
	if (by_group)
		sort_by_group(g, by_group, arena, &ok);
	if (!ok)
		return -ENOMEM;
	*found = count_joined(g, by_group) >= JOINED * g->n * (g->n - 1) / 2;
	return 0;
}

static void say_groups(struct weft__shape_job *j, const struct groups *g,
		       bool leaves)
{
	uint32_t least = g->f->nsw, most = 0;

	j->part->kind = WEFT_SHAPE_GROUPS;
	j->part->ngroups = g->n;
	for (uint32_t k = 0; k < g->n; k++) {
		least = g->size[k] < least ? g->size[k] : least;
		most = g->size[k] > most ? g->size[k] : most;
	}
	weft__shape_say(j->part, "%s: %u groups of ",
			leaves ? "dragonfly+ (groups of leaves and spines)" :
				 "dragonfly",
			g->n);
	if (least == most)
		weft__shape_say(j->part, "%u switches", most);
	else
		weft__shape_say(j->part, "%u to %u switches", least, most);
}

/* Cables of switches within their groups, or to others, against what most have
 * that have hosts, or have none, as they do. */
static int note_cables(struct weft__shape_job *j, const struct groups *g,
		       bool within, bool hosts)
{
	const struct weft_fabric *f = j->f;
	uint32_t *count = weft__arena_zalloc(j->arena, f->nsw, sizeof(*count));
	uint32_t *like = weft__arena_alloc(j->arena, f->nsw, sizeof(*like));
	uint32_t n = 0, usual;

	if (!count || !like)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (has_hosts(f, s) != hosts)
			continue;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
			count[s] += within == (g->group[f->peer[f->adj[i]]] ==
					       g->group[s]);
		like[n++] = count[s];
	}
	usual = weft__shape_usual(like, n, j->arena);
	for (uint32_t s = 0; s < f->nsw && n > 2; s++)
		if (has_hosts(f, s) == hosts && count[s] != usual)
			weft__shape_note(j, WEFT__NOTE_CABLES, s,
					 weft__shape_off(count[s], usual),
					 "%s: %s %s, most have %u",
					 WEFT__SHAPE_NAMED(j, s),
					 WEFT_COUNT(count[s], "cable"),
					 within ? "within its group" :
						  "to other groups",
					 usual);
	return 0;
}

static int note_groups(struct weft__shape_job *j, const struct groups *g)
{
	int err = 0;

	for (int way = 0; way < 4 && !err; way++)
		err = note_cables(j, g, way & 1, way & 2);
	weft__shape_notes_end(j, WEFT__NOTE_CABLES, "more such switch");
	return err;
}

int weft__shape_groups(struct weft__shape_job *j, bool *found)
{
	static void (*const join[])(struct groups * g, uint32_t s,
				    uint32_t peer) = { join_common,
						       join_unlike };
	uint32_t n = j->f->nsw;
	struct groups g = {
		.f = j->f,
		.group = j->group,
		.parent = weft__arena_alloc(j->arena, n, sizeof(*g.parent)),
		.size = weft__arena_alloc(j->arena, n, sizeof(*g.size)),
		.seen = weft__arena_alloc(j->arena, n, sizeof(*g.seen)),
		.mark = weft__arena_zalloc(j->arena, n, sizeof(*g.mark)),
	};
	int err = 0;

	if (!g.parent || !g.size || !g.seen || !g.mark)
		return -ENOMEM;
	each_pair(&g, find_common);
	for (unsigned way = 0; way < 2 && !*found && !err; way++) {
		weft__sets_begin(g.parent, n);
		each_pair(&g, join[way]);
		err = are_groups(&g, j->arena, found);
		if (*found)
			say_groups(j, &g, way);
	}
	if (*found && !err)
		err = note_groups(j, &g);
	if (!*found)
		memset(j->group, 0xff, n * sizeof(*j->group));
	return err;
}

/* --- what is left --------------------------------------------------------- */

/* Least and most neighbours, and the longest way. */
struct extent {
	uint32_t least, most;
	unsigned diameter; /* 0 = not looked for */
};

static int measure(struct weft__shape_job *j, struct extent *x)
{
	const struct weft_fabric *f = j->f;
	uint16_t *hops = weft__arena_alloc(j->arena, f->nsw, sizeof(*hops));
	uint32_t *order = weft__arena_alloc(j->arena, f->nsw, sizeof(*order));

	if (weft__arena_failed(j->arena))
		return -ENOMEM;
	*x = (struct extent){ .least = UINT32_MAX };
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t neighbours = 0, n;

		for (uint32_t i = f->adj_first[s];
		     weft__shape_next(f, s, &i, &n) != WEFT_NONE;)
			neighbours++;
		x->least = neighbours < x->least ? neighbours : x->least;
		x->most = neighbours > x->most ? neighbours : x->most;
		if (f->nsw > MAX_SEARCHED)
			continue;
		n = weft__bfs(f, s, hops, order);
		if (hops[order[n - 1]] > x->diameter)
			x->diameter = hops[order[n - 1]];
	}
	return 0;
}

/* q of a Slim Fly of that size and degree, or 0: 2 q^2 switches with (3q - d)/2
 * neighbours, d being what q leaves of a multiple of 4: 0, 1 or -1. */
static uint32_t slim_fly(uint32_t nsw, const struct extent *x)
{
	uint32_t q = 1, degree;

	while (2 * q * q < nsw)
		q++;
	degree = (3 * q + (q % 4 == 1 ? -1 : q % 4 == 3 ? 1 : 0)) / 2;
	return 2 * q * q == nsw && x->diameter == 2 && x->least == x->most &&
			       x->most == degree ?
		       q :
		       0;
}

int weft__shape_irregular(struct weft__shape_job *j)
{
	struct weft_shape_part *p = j->part;
	struct extent x;
	uint32_t q;

	p->kind = WEFT_SHAPE_IRREGULAR;
	if (measure(j, &x))
		return -ENOMEM;
	q = slim_fly(p->switches, &x);
	if (q)
		weft__shape_say(p,
				"Slim Fly of q = %u, %u switches, each joined to %u others",
				q, p->switches, x.most);
	else if (x.least == x.most)
		weft__shape_say(p,
				"no known structure: %u switches, each joined to %u others",
				p->switches, x.most);
	else
		weft__shape_say(p,
				"irregular: %u switches, joined to %u to %u others",
				p->switches, x.least, x.most);
	if (x.diameter)
		weft__shape_say(p, ", diameter %u", x.diameter);
	return 0;
}
