// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: sorting cables into dimensions
 *
 * Where port p of every switch is cabled to a port q, both ports are of one
 * dimension, and so are the ports of parallel cables.  At many sites a few
 * switches are cabled otherwise, or all are; then squares tell which cables go
 * the same way.  In a product of rings and paths the only circles of four
 * cables are a step in one dimension, a step in another one, and both back, as
 * long as a ring of four counts as a product of two pairs, which it is.  Hence:
 * 1. Opposite cables of a square are of one class, and point the same way.  No
 *    two switches are opposite corners of two squares; where they are, as in
 *    most trees and dense graphs, the search ends at once.  The cables of a
 *    triangle are a ring of three.
 * 2. Classes that share a square anywhere cross: they are of two dimensions.
 * 3. Where a cable of a switch crosses all others but one, and that one crosses
 *    all but this, a ring runs straight through the switch, and the two classes
 *    become one.  This is repeated, as larger classes cross more others.
 *
 * The classes that are left are the dimensions.  A missing cable takes its
 * squares with it, but other squares around the same ring make up for them; a
 * cable that is left without squares is found by step 3, if one of its switches
 * has all its other cables.
 *
 * Ports and squares are both needed: a few switches cabled otherwise are enough
 * to make port numbers useless, and where many cables are missing, ports may
 * still tell what squares do not.
 *
 * Structures: parallel cables are one.  A dart is a cable in one direction.  A
 * class is a set of darts in a union-find forest that knows the reverse darts,
 * too.
 * Limits: MAX_CLASSES classes after step 1: there are as many as all rings
 * together are long, unless many cables are missing.
 */
#include "shapes/rings_cables.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <string.h>

#define MAX_CLASSES 2048
#define MAX_NEIGHBOURS (2 * WEFT__MAX_DIMENSIONS)

struct sorter {
	struct weft__product_cables *c;
	const struct weft_fabric *f;
	uint32_t *dart;		/* 2 * cable, + 1 towards its lower switch */
	uint32_t *parent;	/* [cables] the dart that the cable's even dart
				 * is like */
	uint32_t ncables;
	uint32_t *class_of;	/* [cables] by roots of the forest */
	uint32_t nclasses;
	uint8_t *cross;		/* [nclasses * nclasses] 1: these cross */
	bool merged;		/* true if classes were merged in this round */
};

/* Returns the dart that stands for all that are like this one. */
static uint32_t find_class(uint32_t *parent, uint32_t dart)
{
	while (parent[dart / 2] != (dart & ~1u)) {
		uint32_t up = parent[dart / 2];

		parent[dart / 2] = parent[up / 2] ^ (up & 1);
		dart = parent[dart / 2] ^ (dart & 1);
	}
	return dart;
}

/* Makes two darts alike; returns false if they are known to be each other's
 * reverse. */
static bool unite(struct sorter *v, uint32_t a, uint32_t b)
{
	uint32_t x = find_class(v->parent, a), y = find_class(v->parent, b);

	if (x / 2 == y / 2)
		return x == y;
	if (x < y)
		v->parent[y / 2] = x ^ (y & 1);
	else
		v->parent[x / 2] = y ^ (x & 1);
	return true;
}

uint32_t weft__product_cables_find(const struct weft__product_cables *c,
				   uint32_t s, uint32_t t)
{
	for (uint32_t k = c->first[s]; k < c->first[s + 1]; k++)
		if (c->to[k] == t)
			return k;
	return WEFT_NONE;
}

/* Lists the cables; returns false if a switch has more neighbours than one of a
 * product. */
static bool list_cables(struct sorter *v)
{
	struct weft__product_cables *c = v->c;
	const struct weft_fabric *f = v->f;
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		c->first[s] = n;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (n > c->first[s] && c->to[n - 1] == t)
				continue;
			c->to[n] = t;
			v->dart[n++] =
				s < t ? 2 * v->ncables++ :
					v->dart[weft__product_cables_find(c, t,
									  s)] +
						1;
		}
		if (n - c->first[s] > MAX_NEIGHBOURS)
			return false;
	}
	c->first[f->nsw] = n;
	for (uint32_t i = 0; i < v->ncables; i++)
		v->parent[i] = 2 * i;
	return true;
}

/* Visits a square: cables a and b lead away from one corner, and a_on and b_on
 * go on from there to the opposite corner.  Returns false to end the search. */
typedef bool square_fn(struct sorter *v, uint32_t a, uint32_t a_on, uint32_t b,
		       uint32_t b_on);

static bool unite_opposite(struct sorter *v, uint32_t a, uint32_t a_on,
			   uint32_t b, uint32_t b_on)
{
	return unite(v, v->dart[a], v->dart[b_on]) &&
		unite(v, v->dart[b], v->dart[a_on]);
}

static uint32_t class_of(const struct sorter *v, uint32_t cable)
{
	return v->class_of[find_class(v->parent, v->dart[cable]) / 2];
}

static bool note_cross(struct sorter *v, uint32_t a, uint32_t a_on, uint32_t b,
		       uint32_t b_on)
{
	size_t x = class_of(v, a), y = class_of(v, b);

	(void)a_on;
	(void)b_on;
	v->cross[x * v->nclasses + y] = 1;
	v->cross[y * v->nclasses + x] = 1;
	return x != y;
}

/* The ways of two steps from the current switch to another one. */
struct corner {
	uint32_t from;		/* the current switch; else the rest is void */
	uint32_t first, second;	/* cables of the first way found */
	unsigned n;		/* ways */
};

/* Visits all squares with a corner at s, each once.  Returns false if one is
 * not accepted, or if three ways lead to an opposite corner. */
static bool visit_corner(struct sorter *v, uint32_t s, struct corner *far,
			 square_fn *fn)
{
	const struct weft__product_cables *c = v->c;

	for (uint32_t a = c->first[s]; a < c->first[s + 1]; a++) {
		uint32_t end = c->first[c->to[a] + 1];

		for (uint32_t b = c->first[c->to[a]]; b < end; b++) {
			struct corner *x = &far[c->to[b]];

			if (c->to[b] == s)
				continue;
			if (x->from != s)
				*x = (struct corner){ s, a, b, 0 };
			x->n++;
			if (x->n > 2 || (x->n == 2 &&
					 !fn(v, x->first, x->second, a, b)))
				return false;
		}
	}
	return true;
}

static bool visit_squares(struct sorter *v, struct corner *far, square_fn *fn)
{
	for (uint32_t s = 0; s < v->f->nsw; s++)
		far[s].from = WEFT_NONE;
	for (uint32_t s = 0; s < v->f->nsw; s++)
		if (!visit_corner(v, s, far, fn))
			return false;
	return true;
}

/* Makes three cables in a circle a ring. */
static bool join_triangles(struct sorter *v, uint32_t s)
{
	const struct weft__product_cables *c = v->c;

	for (uint32_t a = c->first[s]; a < c->first[s + 1]; a++) {
		uint32_t end = c->first[c->to[a] + 1];

		for (uint32_t b = c->first[c->to[a]]; b < end; b++)
			if (weft__product_cables_find(c, s, c->to[b]) !=
				    WEFT_NONE &&
			    !unite(v, v->dart[a], v->dart[b]))
				return false;
	}
	return true;
}

/* Unites what squares and triangles tell to be alike. */
static bool join_squares(struct sorter *v, struct corner *far)
{
	if (!visit_squares(v, far, unite_opposite))
		return false;
	for (uint32_t s = 0; s < v->f->nsw; s++)
		if (!join_triangles(v, s))
			return false;
	return true;
}

/* Returns the only one of a switch's other cables that may go straight on from
 * a, or WEFT_NONE if there are none or several. */
static uint32_t cable_straight_on(const struct sorter *v, uint32_t s,
				  uint32_t a)
{
	const struct weft__product_cables *c = v->c;
	const uint8_t *cross = v->cross + (size_t)class_of(v, a) * v->nclasses;
	uint32_t found = WEFT_NONE;
	uint32_t class[MAX_NEIGHBOURS] = { 0 };
	unsigned n = c->first[s + 1] - c->first[s];

	for (unsigned i = 0; i < n; i++)
		class[i] = class_of(v, c->first[s] + i);
	for (unsigned i = 0; i < n; i++) {
		bool taken = cross[class[i]] || c->first[s] + i == a;

		for (unsigned k = 0; k < n; k++)
			taken |= k != i && class[k] == class[i];
		if (!taken && found != WEFT_NONE)
			return WEFT_NONE;
		if (!taken)
			found = c->first[s] + i;
	}
	return found;
}

/* Merges the classes of two cables of a switch, of which one goes on straight
 * from the other. */
static bool merge_classes(struct sorter *v, uint32_t a, uint32_t b)
{
	size_t x = class_of(v, a), y = class_of(v, b), n = v->nclasses;
	size_t z;

	if (!unite(v, v->dart[a] ^ 1, v->dart[b]))
		return false;
	z = class_of(v, a);
	for (size_t i = 0; i < n; i++) {
		v->cross[z * n + i] = v->cross[x * n + i] | v->cross[y * n + i];
		v->cross[i * n + z] = v->cross[z * n + i];
	}
	v->merged = true;
	return true;
}

static bool merge_at(struct sorter *v, uint32_t s)
{
	const struct weft__product_cables *c = v->c;

	for (uint32_t a = c->first[s]; a < c->first[s + 1]; a++) {
		uint32_t b = cable_straight_on(v, s, a);

		if (b != WEFT_NONE && cable_straight_on(v, s, b) == a &&
		    class_of(v, a) != class_of(v, b) && !merge_classes(v, a, b))
			return false;
	}
	return true;
}

static bool merge_all(struct sorter *v)
{
	do {
		v->merged = false;
		for (uint32_t s = 0; s < v->f->nsw; s++)
			if (!merge_at(v, s))
				return false;
	} while (v->merged);
	return true;
}

/* Numbers the classes; returns false if there are too many. */
static bool count_classes(struct sorter *v)
{
	v->nclasses = 0;
	for (uint32_t i = 0; i < v->ncables; i++)
		if (v->parent[i] == 2 * i)
			v->class_of[i] = v->nclasses++;
	return v->nclasses <= MAX_CLASSES;
}

/* Labels all cables of the class of this one with the next dimension. */
static bool label_class(struct sorter *v, uint32_t cable)
{
	struct weft__product_cables *c = v->c;
	uint32_t ahead = find_class(v->parent, v->dart[cable]);

	if (c->n == WEFT__MAX_DIMENSIONS)
		return false;
	for (uint32_t k = 0; k < c->first[v->f->nsw]; k++) {
		uint32_t dart = find_class(v->parent, v->dart[k]);

		if (dart / 2 == ahead / 2)
			c->label[k] = 2 * c->n + (dart != ahead);
	}
	c->n++;
	return true;
}

/* Labels all cables; dimensions are in the order of the ports they are met
 * by. */
static bool label_all(struct sorter *v)
{
	const struct weft_fabric *f = v->f;
	struct weft__product_cables *c = v->c;

	memset(c->label, 0xff, c->first[f->nsw]);
	for (uint32_t s = 0; s < f->nsw; s++) {
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t t = f->peer[weft_channel(f, s, p)];
			uint32_t k = t == WEFT_NONE ?
					     t :
					     weft__product_cables_find(c, s, t);

			if (k != WEFT_NONE && c->label[k] == UINT8_MAX &&
			    !label_class(v, k))
				return false;
		}
	}
	return true;
}

/*
 * Unites what ports tell to be alike; returns false unless each port is always
 * cabled to the same one.  Where a port is cabled to itself, directions are not
 * known, nor needed.
 */
static bool join_ports(struct sorter *v)
{
	const struct weft_fabric *f = v->f;
	uint32_t dart_of[UINT8_MAX + 1];
	uint8_t mate[UINT8_MAX + 1] = { 0 };

	for (uint32_t s = 0; s < f->nsw; s++) {
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t ch = f->adj[e];
			uint32_t dart = v->dart[weft__product_cables_find(
				v->c, s, f->peer[ch])];
			unsigned p = weft__port(f, s, ch);
			unsigned q = f->peer_port[ch];

			if (p == q)
				dart &= ~1u;
			if (!mate[p])
				dart_of[p] = dart;
			else if (mate[p] != q || !unite(v, dart_of[p], dart))
				return false;
			mate[p] = q;
		}
	}
	return true;
}

static bool allocate(struct sorter *v, struct weft_arena *arena)
{
	struct weft__product_cables *c = v->c;
	size_t n = v->f->adj_first[v->f->nsw];

	c->first = weft__arena_alloc(arena, v->f->nsw + 1, sizeof(*c->first));
	c->to = weft__arena_alloc(arena, n, sizeof(*c->to));
	c->label = weft__arena_alloc(arena, n, sizeof(*c->label));
	v->dart = weft__arena_alloc(arena, n, sizeof(*v->dart));
	v->parent = weft__arena_alloc(arena, n / 2, sizeof(*v->parent));
	v->class_of = weft__arena_alloc(arena, n / 2, sizeof(*v->class_of));
	return c->first && c->to && c->label && v->dart && v->parent &&
		v->class_of;
}

/* Finds classes by squares.  Returns false without memory. */
static bool find_classes(struct sorter *v, struct corner *far,
			 struct weft_arena *arena, bool *found)
{
	*found = join_squares(v, far) && count_classes(v);
	if (!*found)
		return true;
	v->cross = weft__arena_zalloc(arena, v->nclasses, v->nclasses);
	if (!v->cross)
		return false;
	*found = visit_squares(v, far, note_cross) && merge_all(v);
	return true;
}

bool weft__product_cables_sort(struct weft__product_cables *c,
			       const struct weft_fabric *f,
			       struct weft_arena *arena, bool by_port,
			       bool *found)
{
	struct sorter v = { .c = c, .f = f };
	struct corner *far = weft__arena_alloc(arena, f->nsw, sizeof(*far));

	*c = (struct weft__product_cables){ .n = 0 };
	if (!far || !allocate(&v, arena))
		return false;
	*found = list_cables(&v);
	if (*found && by_port)
		*found = join_ports(&v);
	else if (*found && !find_classes(&v, far, arena, found))
		return false;
	*found = *found && label_all(&v);
	return true;
}
