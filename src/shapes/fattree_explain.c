// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The report about a tree (weft route --explain): the source of its levels,
 * each level, the roots, racks, and whatever is irregular. */
#include "shapes/fattree.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	MAX_NAMED = 8,		/* most roots, trees and kinds of racks named */
	MAX_IRREGULAR = 32,	/* most irregular switches named */
	MAX_CABLES = 255,	/* most cables of a switch */
};

#define NAME "0x%016" PRIx64 " (%s)"
#define NAME_OF(t, s) (t)->fabric->sw[s].guid, (t)->fabric->sw[s].name

/* True if no neighbour of switch s is above it: s is a root of its part. */
static bool is_top(const struct weft__fattree *t, uint32_t s)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t e = f->adj_first[s];

	while (e < f->adj_first[s + 1] &&
	       t->place[f->peer[f->adj[e]]] > t->place[s])
		e++;
	return e == f->adj_first[s + 1];
}

struct weft__level_cables weft__level_cables(const struct weft__fattree *t,
					     uint32_t s)
{
	const struct weft_fabric *f = t->fabric;
	struct weft__level_cables c = { 0 };

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		int d = (int)t->level[f->peer[f->adj[e]]] - t->level[s];

		c.up += d > 0;
		c.down += d < 0;
		c.across += d == 0;
		c.past += d > 1 || d < -1;
	}
	return c;
}

/* Appends ", N what" to a line, unless n is 0. */
static void append_count(char *line, size_t size, uint32_t n, const char *noun,
			 const char *where)
{
	size_t at = strlen(line);

	if (n)
		snprintf(line + at, size - at, ", %s%s", WEFT_COUNT(n, noun),
			 where);
}

static void explain_level(const struct weft__fattree *t, uint16_t level,
			  struct weft_diag *diag)
{
	uint32_t n = 0, with_hosts = 0, hosts = 0, roots = 0, stubs = 0;
	struct weft__level_cables sum = { 0 };
	char rest[200] = "", cables[200] = "";

	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		struct weft__level_cables c;
		uint32_t h;

		if (t->level[s] != level)
			continue;
		c = weft__level_cables(t, s);
		h = weft__hosts_on(t->fabric, s, false);
		n++;
		hosts += h;
		with_hosts += h > 0;
		stubs += t->stub[s];
		roots += is_top(t, s);
		sum.up += c.up;
		sum.down += c.down;
		sum.across += c.across;
		sum.past += c.past;
	}
	append_count(cables, sizeof(cables), sum.up, "cable", " up");
	append_count(cables, sizeof(cables), sum.down, "cable", " down");
	append_count(cables, sizeof(cables), sum.across / 2, "cable", " across");
	append_count(cables, sizeof(cables), sum.past, "cable", " past a level");
	append_count(rest, sizeof(rest), roots, "root", "");
	append_count(rest, sizeof(rest), stubs, "switch", " aside");
	weft_diag_explain(diag, "level %u: %s, %s on %" PRIu32 " of them%s%s", level,
			  WEFT_COUNT(n, "switch"), WEFT_COUNT(hosts, "host"),
			  with_hosts, cables, rest);
}

static void explain_sources(const struct weft__fattree *t,
			    struct weft_diag *diag)
{
	uint32_t listed = 0, described = 0;

	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		listed += t->source[s] == WEFT__FATTREE_LISTED;
		described += t->source[s] == WEFT__FATTREE_DESCRIBED;
	}
	if (listed || described)
		weft_diag_explain(diag, "roles as told: of %" PRIu32
				  " switches by options, of %" PRIu32 " by their descriptions",
				  listed, described);
	else
		weft_diag_explain(diag,
				  "levels found from the distances between switches with hosts");
}

static void explain_roots(const struct weft__fattree *t, struct weft_diag *diag)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < t->fabric->nsw; s++)
		if (is_top(t, s) && n++ < MAX_NAMED)
			weft_diag_explain(
				diag, "root " NAME ": level %u, %s down",
				NAME_OF(t, s), t->level[s],
				WEFT_COUNT(t->fabric->adj_first[s + 1] -
						   t->fabric->adj_first[s],
					   "cable"));
	if (n > MAX_NAMED)
		weft_diag_explain(diag, "and %s", WEFT_COUNT(n - MAX_NAMED,
							     "more root"));
}

/* --- groups of switches -------------------------------------------------- */

/* Switches that are joined by cables of one kind. */
struct group {
	uint32_t first, n;	/* lowest member, members */
	uint32_t hosts, up;	/* cables upwards */
	uint32_t across;	/* cables within, each counted twice */
	bool told;
};

struct groups {
	const struct weft__fattree *t;
	uint32_t *of, *queue;	/* [nsw] */
	struct group *group;	/* [n], at most nsw */
	uint32_t n;
};

/* Adds the group of the first switch and all that are joined to it. */
static void join_all(struct groups *g, uint32_t first, bool across)
{
	const struct weft_fabric *f = g->t->fabric;
	const uint16_t *level = g->t->level;
	struct group *group = &g->group[g->n];
	uint32_t tail = 0;

	*group = (struct group){ .first = first };
	g->of[first] = g->n;
	g->queue[tail++] = first;
	for (uint32_t i = 0; i < tail; i++) {
		uint32_t s = g->queue[i];
		struct weft__level_cables c = weft__level_cables(g->t, s);

		group->hosts += weft__hosts_on(f, s, false);
		group->up += c.up;
		group->across += c.across;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t x = f->peer[f->adj[e]];

			if ((level[x] == level[s]) != across ||
			    g->of[x] != WEFT_NONE)
				continue;
			g->of[x] = g->n;
			g->queue[tail++] = x;
		}
	}
	group->n = tail;
	g->n++;
}

/*
 * Groups the switches that are joined by cables across levels or, if across is
 * set, by cables within the lowest level, where a switch without such cables is
 * in no group.  Returns false without memory.
 */
static bool find_groups(struct groups *g, const struct weft__fattree *t,
			struct weft_arena *arena, bool across)
{
	uint32_t nsw = t->fabric->nsw;

	*g = (struct groups){ .t = t };
	g->of = weft__arena_alloc(arena, nsw, sizeof(*g->of));
	g->queue = weft__arena_alloc(arena, nsw, sizeof(*g->queue));
	g->group = weft__arena_alloc(arena, nsw, sizeof(*g->group));
	if (weft__arena_failed(arena))
		return false;
	memset(g->of, 0xff, nsw * sizeof(*g->of));
	for (uint32_t s = 0; s < nsw; s++)
		if (g->of[s] == WEFT_NONE &&
		    (!across || (!t->level[s] && weft__level_cables(t, s).across)))
			join_all(g, s, across);
	return true;
}

static bool is_alike(const struct group *a, const struct group *b)
{
	return a->n == b->n && a->hosts == b->hosts && a->up == b->up &&
	       a->across == b->across;
}

/* Reports racks, all those that are alike in one line; of more kinds than
 * MAX_NAMED only the first. */
static void explain_racks(struct groups *g, struct weft_diag *diag)
{
	uint32_t kinds = 0, more = 0;

	for (uint32_t i = 0; i < g->n; i++) {
		struct group *a = &g->group[i];
		uint32_t count = 0;

		if (a->told)
			continue;
		for (uint32_t k = i; k < g->n; k++) {
			if (!is_alike(a, &g->group[k]))
				continue;
			g->group[k].told = true;
			count++;
		}
		if (kinds++ >= MAX_NAMED) {
			more += count;
			continue;
		}
		weft_diag_explain(diag,
			"%s of %s, joined by %s, with %s and %s up, as that of "
			NAME, WEFT_COUNT(count, "rack"),
			WEFT_COUNT(a->n, "switch"),
			WEFT_COUNT(a->across / 2, "cable"),
			WEFT_COUNT(a->hosts, "host"),
			WEFT_COUNT(a->up, "cable"),
			NAME_OF(g->t, a->first));
	}
	if (more)
		weft_diag_explain(diag, "and %s", WEFT_COUNT(more, "more rack"));
}

/* Reports the trees that are joined by cables within levels only. */
static void explain_trees(const struct groups *g, struct weft_diag *diag)
{
	for (uint32_t i = 0; g->n > 1 && i < g->n && i < MAX_NAMED; i++)
		weft_diag_explain(diag, "tree %" PRIu32 " of %" PRIu32
			", which cables across alone join to the others: %s, %s, as "
			NAME,
			i + 1, g->n, WEFT_COUNT(g->group[i].n, "switch"),
			WEFT_COUNT(g->group[i].hosts, "host"),
			NAME_OF(g->t, g->group[i].first));
}

/* --- irregular switches -------------------------------------------------- */

/* The number of cables that most switches of a level have; WEFT_NONE if no
 * number is that of most. */
struct usual {
	uint32_t up, down, across;
};

/* Returns the number that more than half of n switches have, or WEFT_NONE,
 * which it reports. */
static uint32_t most_of(const uint32_t *count, uint32_t n, uint16_t level,
			const char *what, struct weft_diag *diag)
{
	uint32_t least = MAX_CABLES, most = 0;

	for (uint32_t i = 0; i <= MAX_CABLES; i++) {
		if (2 * count[i] > n)
			return i;
		least = count[i] && i < least ? i : least;
		most = count[i] ? i : most;
	}
	if (n)
		weft_diag_explain(diag, "switches on level %u have %" PRIu32 " to %" PRIu32 " cables %s, no number of them most",
				  level, least, most, what);
	return WEFT_NONE;
}

static struct usual find_usual(const struct weft__fattree *t, uint16_t level,
			       struct weft_diag *diag)
{
	uint32_t up[MAX_CABLES + 1] = { 0 }, down[MAX_CABLES + 1] = { 0 };
	uint32_t across[MAX_CABLES + 1] = { 0 }, n = 0;

	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		struct weft__level_cables c;

		if (t->level[s] != level || t->stub[s])
			continue;
		c = weft__level_cables(t, s);
		up[c.up]++;
		down[c.down]++;
		across[c.across]++;
		n++;
	}
	return (struct usual){ most_of(up, n, level, "up", diag),
			       most_of(down, n, level, "down", diag),
			       most_of(across, n, level, "across", diag) };
}

static void append_unusual(char *line, size_t size, uint32_t n, uint32_t usual,
			   const char *what)
{
	size_t at = strlen(line);

	if (usual != WEFT_NONE && n != usual)
		snprintf(line + at, size - at, "; %" PRIu32
			 " cables %s, most have %" PRIu32, n, what, usual);
}

/* Reports what is irregular about a switch; returns whether anything is. */
static bool explain_switch(const struct weft__fattree *t, uint32_t s,
			   struct usual usual, struct weft_diag *diag)
{
	uint32_t hosts = weft__hosts_on(t->fabric, s, false);
	struct weft__level_cables c = weft__level_cables(t, s);
	char line[300] = "";

	if (t->stub[s]) {
		snprintf(line, sizeof(line),
			 "; aside: on no shortest way between switches with hosts");
	} else {
		append_unusual(line, sizeof(line), c.up, usual.up, "up");
		append_unusual(line, sizeof(line), c.down, usual.down, "down");
		append_unusual(line, sizeof(line), c.across, usual.across,
			       "across");
	}
	if (t->level[s] && hosts)
		snprintf(line + strlen(line), sizeof(line) - strlen(line),
			 "; %s above the leaves", WEFT_COUNT(hosts, "host"));
	if (c.past)
		snprintf(line + strlen(line), sizeof(line) - strlen(line),
			 "; %s past a level", WEFT_COUNT(c.past, "cable"));
	if (!line[0])
		return false;
	weft_diag_explain(diag, NAME ", level %u%s", NAME_OF(t, s), t->level[s],
			  line);
	return true;
}

/* Reports irregular switches from the top down, the first MAX_IRREGULAR of
 * them. */
static void explain_irregular(const struct weft__fattree *t,
			      struct weft_diag *diag)
{
	uint32_t n = 0;

	for (uint16_t level = t->nlevels; level-- > 0;) {
		struct usual usual = find_usual(t, level, diag);

		for (uint32_t s = 0; s < t->fabric->nsw; s++)
			if (t->level[s] == level)
				n += explain_switch(t, s, usual,
						    n < MAX_IRREGULAR ? diag :
									NULL);
	}
	if (n > MAX_IRREGULAR)
		weft_diag_explain(diag,
				  "and %" PRIu32 " more switches unlike the rest",
				  n - MAX_IRREGULAR);
}

static void explain_no_tree(const struct weft__fattree *t,
			    struct weft_diag *diag)
{
	if (!t->fabric->nsw)
		return;
	weft_diag_explain(diag,
			  "no tree: switches are ordered by closeness to all hosts, "
			  NAME " first", NAME_OF(t, t->by_place[0]));
	if (t->misfits)
		weft_diag_explain(diag, "%" PRIu64 " of %" PRIu64
			" pairs of hosts on different switches would have no shortest way up and down in the tree that comes nearest, as from "
			NAME " to " NAME, t->misfits, t->judged,
			NAME_OF(t, t->misfit_from), NAME_OF(t, t->misfit_to));
	else
		weft_diag_explain(diag,
				  "no switch is half-way between others with hosts");
}

void weft__fattree_explain(const struct weft__fattree *t,
			   struct weft_diag *diag)
{
	struct weft_arena *arena;
	struct groups g;

	if (!weft_diag_explains(diag))
		return;
	if (!t->is_tree) {
		explain_no_tree(t, diag);
		return;
	}
	weft_diag_explain(diag, "tree of %s", WEFT_COUNT(t->nlevels, "level"));
	explain_sources(t, diag);
	for (uint16_t l = t->nlevels; l-- > 0;)
		explain_level(t, l, diag);
	explain_roots(t, diag);
	arena = weft__arena_new();
	if (arena && find_groups(&g, t, arena, false))
		explain_trees(&g, diag);
	if (arena && find_groups(&g, t, arena, true))
		explain_racks(&g, diag);
	weft__arena_free(arena);
	explain_irregular(t, diag);
}
