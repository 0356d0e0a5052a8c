// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Trees: levels, pods, what is missing and who is unlike the rest.
 *
 * Switches of two neighbouring levels that cables join are, in fat trees of
 * every family, joined each to each by as many cables.  Where that nearly holds
 * and the switches differ in their cables, those that lack to it are missing.
 */
#include "shapes/shape.h"

#include "core/arena.h"
#include "core/grow.h"
#include "core/sets.h"
#include "graph/entries.h"
#include "shapes/fattree.h"
#include "shapes/pgft.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <weft/diag.h>

#define PLANNED .6 /* share of a plan's cables that shows it */
#define UPRIGHT                                                                \
	.6    /* a fabric with this share of its cables between                \
	       * neighbouring levels is shown as a tree, even if                 \
	       * engines do not route it as one */
#define FEW 8 /* trees, for one of that many switches */

/* --- cables that are missing ---------------------------------------------- */

/* Two neighbouring levels. */
struct between {
	const struct weft__fattree *t;
	uint16_t low;
	uint32_t *set;		 /* [nsw] */
	uint32_t *below, *above; /* [nsw] by set: its switches */
	uint32_t *cables;	 /* [pairs] of each pair joined */
	uint32_t pairs;
	uint32_t *joined;	 /* [nsw] scratch */
};

static bool is_between(const struct between *b, uint32_t s, uint32_t peer)
{
	const struct weft__fattree *t = b->t;

	return t->level[s] == b->low && t->level[peer] == b->low + 1 &&
	       !t->stub[s] && !t->stub[peer];
}

static void join_pairs(struct between *b)
{
	const struct weft_fabric *f = b->t->fabric;
	uint32_t peer, n;

	weft__sets_begin(b->set, f->nsw);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s];
		     (peer = weft__shape_next(f, s, &i, &n)) != WEFT_NONE;)
			if (is_between(b, s, peer)) {
				weft__sets_join(b->set, s, peer);
				b->cables[b->pairs++] = n;
			}
	memset(b->below, 0, f->nsw * sizeof(*b->below));
	memset(b->above, 0, f->nsw * sizeof(*b->above));
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t set = weft__sets_find(b->set, s);

		b->below[set] += b->t->level[s] == b->low && !b->t->stub[s];
		b->above[set] += b->t->level[s] == b->low + 1 && !b->t->stub[s];
	}
}

/* Whether all switches of either level have as many cables between them. */
static bool is_even(const struct between *b)
{
	const struct weft_fabric *f = b->t->fabric;
	uint32_t first[2] = { WEFT_NONE, WEFT_NONE };

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t n = 0, upper = b->t->level[s] - b->low;

		if (b->t->level[s] < b->low || upper > 1 || b->t->stub[s])
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t peer = f->peer[f->adj[e]];

			n += upper ? is_between(b, peer, s) :
				     is_between(b, s, peer);
		}
		if (first[upper] == WEFT_NONE)
			first[upper] = n;
		if (first[upper] != n)
			return false;
	}
	return true;
}

static bool add_gap(struct weft__shape_job *j, uint32_t low, uint32_t high,
		    uint32_t cables)
{
	struct weft__notes *n = j->notes;

	if (n->ngaps == WEFT__SHAPE_GAPS)
		return false;
	if (weft__grow_one(&n->gap, n->ngaps)) {
		n->failed = true;
		return false;
	}
	n->gap[n->ngaps++] = (struct weft_shape_gap){
		{ j->sw[low], j->sw[high] }, cables
	};
	return true;
}

/* Lists the pairs that lack cables.  joined[nsw]: scratch, zeroed. */
static void list_missing(struct weft__shape_job *j, const struct between *b,
			 uint32_t each, uint32_t *joined)
{
	const struct weft_fabric *f = b->t->fabric;
	bool room = true;

	for (uint32_t s = 0; s < f->nsw && room; s++) {
		if (b->t->level[s] != b->low || b->t->stub[s])
			continue;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
			joined[f->peer[f->adj[i]]]++;
		for (uint32_t u = 0; u < f->nsw && room; u++)
			if (b->t->level[u] == b->low + 1 && !b->t->stub[u] &&
			    joined[u] < each &&
			    weft__sets_find(b->set, u) ==
				    weft__sets_find(b->set, s))
				room = add_gap(j, s, u, each - joined[u]);
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
			joined[f->peer[f->adj[i]]] = 0;
	}
}

static uint32_t count_missing(struct weft__shape_job *j, struct between *b,
			      struct weft_arena *arena)
{
	uint64_t planned = 0, there = 0;
	uint32_t each;

	join_pairs(b);
	if (!b->pairs || is_even(b))
		return 0;
	each = weft__shape_usual(b->cables, b->pairs, arena);
	for (uint32_t s = 0; s < b->t->fabric->nsw; s++)
		planned += (uint64_t)b->below[s] * b->above[s] * each;
	for (uint32_t i = 0; i < b->pairs; i++)
		there += b->cables[i] < each ? b->cables[i] : each;
	if (there < PLANNED * planned || there == planned)
		return 0;
	memset(b->joined, 0, b->t->fabric->nsw * sizeof(*b->joined));
	list_missing(j, b, each, b->joined);
	return planned - there;
}

static int find_missing(struct weft__shape_job *j,
			const struct weft__fattree *t)
{
	const struct weft_fabric *f = j->f;
	struct between b = {
		.t = t,
		.set = weft__arena_alloc(j->arena, f->nsw, sizeof(*b.set)),
		.below = weft__arena_alloc(j->arena, f->nsw, sizeof(*b.below)),
		.above = weft__arena_alloc(j->arena, f->nsw, sizeof(*b.above)),
		.cables = weft__arena_alloc(j->arena, f->adj_first[f->nsw],
					    sizeof(*b.cables)),
		.joined = weft__arena_alloc(j->arena, f->nsw,
					    sizeof(*b.joined)),
	};

	if (!b.set || !b.below || !b.above || !b.cables || !b.joined)
		return -ENOMEM;
	for (b.low = 0; b.low + 1u < j->part->nlevels; b.low++) {
		b.pairs = 0;
		j->part->level[b.low].missing = count_missing(j, &b,
								j->arena);
	}
	return 0;
}

/* --- levels --------------------------------------------------------------- */

static uint64_t host_capacity(const struct weft_fabric *f, uint32_t s)
{
	uint64_t sum = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		uint32_t e = f->sw_endport[i];

		if (weft_endport_is_host(&f->ep[e], false))
			sum += f->capacity[f->first_injection + e];
	}
	return sum;
}

/* Adds a switch to its level; up[] and down[] are sums of capacity. */
static void count_switch(struct weft__shape_job *j,
			 const struct weft__fattree *t, uint32_t s,
			 uint64_t *up, uint64_t *down)
{
	const struct weft_fabric *f = j->f;
	unsigned level = t->level[s];
	struct weft_shape_level *l = &j->part->level[level];
	struct weft__level_cables c = weft__level_cables(t, s);
	uint8_t radix = f->sw[s].nports;

	if (!l->switches || radix < l->radix_least)
		l->radix_least = radix;
	if (radix > l->radix_most)
		l->radix_most = radix;
	l->switches++;
	l->hosts += weft__hosts_on(f, s, false);
	l->up += c.up;
	l->across += c.across;
	down[level] += host_capacity(f, s);
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t ch = f->adj[e], peer = t->level[f->peer[ch]];

		up[level] += peer > level ? f->capacity[ch] : 0;
		down[level] += peer < level ? f->capacity[ch] : 0;
	}
}

static void count_levels(struct weft__shape_job *j,
			 const struct weft__fattree *t)
{
	uint64_t up[WEFT_SHAPE_LEVELS] = { 0 }, down[WEFT_SHAPE_LEVELS] = { 0 };
	struct weft_shape_part *p = j->part;

	p->nlevels =
		t->nlevels < WEFT_SHAPE_LEVELS ? t->nlevels : WEFT_SHAPE_LEVELS;
	for (uint32_t s = 0; s < j->f->nsw; s++)
		if (t->level[s] < p->nlevels)
			count_switch(j, t, s, up, down);
	for (unsigned l = 0; l + 1 < p->nlevels; l++)
		p->level[l].oversubscription =
			up[l] ? (double)down[l] / up[l] : 0;
	for (unsigned l = 0; l < p->nlevels; l++)
		p->level[l].across /= 2;
}

/* Joins the switches at the ends of cables between levels, or of all below the
 * top. */
static void join_ends(const struct weft__fattree *t, uint32_t *set,
		      bool upright)
{
	const struct weft_fabric *f = t->fabric;

	weft__sets_begin(set, f->nsw);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t peer = f->peer[f->adj[e]];

			if (upright ? t->level[s] != t->level[peer] :
				      t->level[s] + 1 < t->nlevels &&
					      t->level[peer] + 1 < t->nlevels)
				weft__sets_join(set, s, peer);
		}
}

/* Numbers the sets of all switches, or of those below the top; returns how many
 * there are. */
static uint32_t number_sets(struct weft__shape_job *j,
			    const struct weft__fattree *t, uint32_t *set,
			    bool top)
{
	uint32_t n = 0;

	memset(j->group, 0xff, j->f->nsw * sizeof(*j->group));
	for (uint32_t s = 0; s < j->f->nsw; s++)
		if (top || t->level[s] + 1 < t->nlevels)
			j->group[s] = weft__sets_find(set, s) == s ?
					      n++ :
					      j->group[weft__sets_find(set, s)];
	return n;
}

static const char across[] = "trees that cables across join";

/*
 * Groups are trees that only cables within levels join, where there are some;
 * else pods: what cables below the top join, unless that is all, or each switch
 * is alone.  Returns -ENOMEM, or what groups are in *noun.
 */
static int find_pods(struct weft__shape_job *j, const struct weft__fattree *t,
		     const char **noun)
{
	uint32_t *set = weft__arena_alloc(j->arena, j->f->nsw, sizeof(*set));
	uint32_t n, below = 0;

	if (!set)
		return -ENOMEM;
	join_ends(t, set, true);
	n = number_sets(j, t, set, true);
	*noun = across;
	if (n > 1 && FEW * n <= j->f->nsw) {
		j->part->ngroups = n;
		return 0;
	}
	*noun = t->nlevels > 2 ? "pods" : "racks";
	join_ends(t, set, false);
	n = number_sets(j, t, set, false);
	for (uint32_t s = 0; s < j->f->nsw; s++)
		below += t->level[s] + 1 < t->nlevels;
	if (n > 1 && n < below)
		j->part->ngroups = n;
	else
		memset(j->group, 0xff, j->f->nsw * sizeof(*j->group));
	return 0;
}

/* --- notes ---------------------------------------------------------------- */

static void note_above(struct weft__shape_job *j, const struct weft__fattree *t)
{
	for (uint32_t s = 0; s < j->f->nsw; s++) {
		uint32_t hosts = weft__hosts_on(j->f, s, false);

		if (t->level[s] && hosts)
			weft__shape_note(j, WEFT__NOTE_HOSTS_ABOVE, s, hosts,
					 "%s (level %u): %s above the leaves",
					 WEFT__SHAPE_NAMED(j, s),
					 t->level[s] + 1u,
					 WEFT_COUNT(hosts, "host"));
	}
	weft__shape_notes_end(j, WEFT__NOTE_HOSTS_ABOVE,
			      "more switch with hosts above the leaves");
}

/* Cables of switches of one level that lead the same way, against what most of
 * them have. */
static int note_way(struct weft__shape_job *j, const struct weft__fattree *t,
		    unsigned level, bool up)
{
	const struct weft_fabric *f = j->f;
	uint32_t *count = weft__arena_alloc(j->arena, f->nsw, sizeof(*count));
	uint32_t n = 0, usual;

	if (!count)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++) {
		struct weft__level_cables c = weft__level_cables(t, s);

		if (t->level[s] == level && !t->stub[s])
			count[n++] = up ? c.up : c.down;
	}
	usual = weft__shape_usual(count, n, j->arena);
	for (uint32_t s = 0; s < f->nsw && n > 2; s++) {
		struct weft__level_cables c = weft__level_cables(t, s);
		uint32_t here = up ? c.up : c.down;

		if (t->level[s] == level && !t->stub[s] && here != usual)
			weft__shape_note(j, WEFT__NOTE_CABLES, s,
					 weft__shape_off(here, usual),
					 "%s (level %u): %s %s, most have %u",
					 WEFT__SHAPE_NAMED(j, s), level + 1,
					 WEFT_COUNT(here, "cable"),
					 up ? "up" : "down", usual);
	}
	return 0;
}

static void note_rest(struct weft__shape_job *j, const struct weft__fattree *t)
{
	for (uint32_t s = 0; s < j->f->nsw; s++) {
		struct weft__level_cables c = weft__level_cables(t, s);

		if (c.past && t->level[s])
			weft__shape_note(j, WEFT__NOTE_PAST, s, c.past,
					 "%s (level %u): %s past a level",
					 WEFT__SHAPE_NAMED(j, s),
					 t->level[s] + 1u,
					 WEFT_COUNT(c.past, "cable"));
	}
	weft__shape_notes_end(j, WEFT__NOTE_PAST,
			      "more switch with cables past a level");
	for (uint32_t s = 0; s < j->f->nsw; s++)
		if (t->stub[s])
			weft__shape_note(j, WEFT__NOTE_ASIDE, s, 0,
					 "%s: aside, on no shortest way between switches with hosts",
					 WEFT__SHAPE_NAMED(j, s));
	weft__shape_notes_end(j, WEFT__NOTE_ASIDE, "more switch aside");
}

static int note_tree(struct weft__shape_job *j, const struct weft__fattree *t)
{
	int err = 0;

	note_above(j, t);
	for (unsigned level = t->nlevels; level-- > 0 && !err;) {
		err = note_way(j, t, level, true);
		if (!err)
			err = note_way(j, t, level, false);
	}
	weft__shape_notes_end(j, WEFT__NOTE_CABLES,
			      "more such switch");
	note_rest(j, t);
	return err;
}

/* --- words ---------------------------------------------------------------- */

static void say_list(struct weft_shape_part *p, const uint32_t *value,
		     unsigned from, unsigned to)
{
	for (unsigned i = from; i <= to; i++)
		weft__shape_say(p, "%s%u", i == from ? "" : ",", value[i]);
}

/* The family's name of an exact fat tree. */
static int say_form(struct weft__shape_job *j)
{
	struct weft__pgft_form form;
	struct weft_shape_part *p = j->part;
	int err = weft__pgft_detect(j->f, j->arena, &form, NULL);

	if (err)
		return err == -ENOMEM ? err : 0;
	weft__shape_say(p, ", PGFT(%u; ", form.h);
	say_list(p, form.m, 1, form.h);
	weft__shape_say(p, "; ");
	say_list(p, form.w, 1, form.h);
	weft__shape_say(p, "; ");
	say_list(p, form.p, 1, form.h);
	weft__shape_say(p, ")");
	return 0;
}

static void say_hosts(struct weft_shape_part *p)
{
	uint32_t above = p->hosts - p->level[0].hosts;

	weft__shape_say(p, ", %s",
			p->hosts ? WEFT_COUNT(p->hosts, "host") : "no hosts");
	if (above)
		weft__shape_say(p, ", %s above the leaves",
				WEFT_COUNT(above, NULL));
}

static void say_missing(struct weft_shape_part *p)
{
	for (unsigned l = 0; l + 1 < p->nlevels; l++) {
		uint32_t missing = p->level[l].missing, planned;

		if (!missing)
			continue;
		planned = p->level[l].up + missing;
		weft__shape_say(p,
				", %.*f %% of the cables between levels %u and %u missing (%u of %u)",
				missing * 100 < planned,
				100. * missing / planned, l + 1, l + 2, missing,
				planned);
	}
}

/* Cables across are not counted, and between trees they alone count. */
static void say_subscription(struct weft_shape_part *p, bool trees)
{
	bool full = true;

	for (unsigned l = 0; l + 1 < p->nlevels; l++)
		if (p->level[l].oversubscription > 1.005) {
			weft__shape_say(p,
					", %.3g:1 oversubscribed at level %u",
					p->level[l].oversubscription, l + 1);
			full = false;
		}
	if (full && p->hosts && !trees)
		weft__shape_say(p, ", full bandwidth");
}

static int say_tree(struct weft__shape_job *j, bool exact, const char *groups)
{
	struct weft_shape_part *p = j->part;
	const struct weft_shape_level *l = p->level;
	int err;

	weft__shape_say(p, "%s, %u levels",
			!exact ? "irregular tree" :
			p->nlevels == 2 && l[1].switches == 1 ? "star" :
								"fat tree",
			p->nlevels);
	err = say_form(j);
	if (err)
		return err;
	for (unsigned i = 0; i < p->nlevels; i++)
		weft__shape_say(p, "%s%u", i ? " + " : ", ", l[i].switches);
	weft__shape_say(p, " switches");
	if (p->ngroups)
		weft__shape_say(p, " in %u %s", p->ngroups, groups);
	say_hosts(p);
	say_missing(p);
	say_subscription(p, groups == across);
	return 0;
}

/*
 * Levels of what is no tree to route, because some hosts have no shortest way
 * up and down: cables to the nearest switch with hosts.  False where few cables
 * lead from a level to the next.
 */
static bool raise_levels(struct weft__fattree *t)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t steps = 0, *queue = t->by_place, tail = 0, leaves;

	t->nlevels = 1;
	t->is_tree = false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		t->stub[s] = 0;
		t->level[s] = WEFT__FATTREE_NO_LEVEL;
		if (weft__hosts_on(f, s, false)) {
			t->level[s] = 0;
			queue[tail++] = s;
		}
	}
	leaves = tail;
	for (uint32_t k = 0; k < tail; k++)
		for (uint32_t e = f->adj_first[queue[k]];
		     e < f->adj_first[queue[k] + 1]; e++) {
			uint32_t peer = f->peer[f->adj[e]];

			steps += t->level[peer] == t->level[queue[k]] + 1;
			if (t->level[peer] != WEFT__FATTREE_NO_LEVEL)
				continue;
			steps++;
			t->level[peer] = t->level[queue[k]] + 1;
			t->nlevels = t->level[peer] + 1;
			queue[tail++] = peer;
		}
	return leaves > 1 && t->nlevels > 1 &&
	       t->nlevels <= WEFT_SHAPE_LEVELS &&
	       2 * steps >= UPRIGHT * f->adj_first[f->nsw];
}

/* Tells about a tree whose levels are known. */
static int describe(struct weft__shape_job *j, struct weft__fattree *t)
{
	const char *groups;
	int err;

	j->part->kind = WEFT_SHAPE_TREE;
	memcpy(j->level, t->level, j->f->nsw * sizeof(*j->level));
	count_levels(j, t);
	err = find_missing(j, t);
	if (!err)
		err = find_pods(j, t, &groups);
	if (!err)
		err = note_tree(j, t);
	return err ? err : say_tree(j, t->is_tree, groups);
}

int weft__shape_tree(struct weft__shape_job *j, bool *found)
{
	struct weft__fattree t;
	int err = weft__fattree_find(j->f, NULL, j->arena, &t, NULL);

	*found = !err && weft__fattree_fits(&t) && t.nlevels > 1;
	return *found ? describe(j, &t) : err == -ENOMEM ? err : 0;
}

int weft__shape_levels(struct weft__shape_job *j, bool *found)
{
	struct weft__fattree t;
	int err = weft__fattree_find(j->f, NULL, j->arena, &t, NULL);

	*found = !err && raise_levels(&t);
	return *found ? describe(j, &t) : err == -ENOMEM ? err : 0;
}
