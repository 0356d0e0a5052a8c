// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on HyperX
 *
 * On products of full meshes (shapes/hyperx.c) routes go by one dimension after
 * the other, one hop in each, which is as short as can be and loads all cables
 * alike.  Turns lead to later dimensions only, so that one lane is enough.
 *
 * Where two switches of a row lack their cable, both directions go by a third
 * one that is joined to all others in the row.  It sends by no detour itself:
 * the second hop of a detour is never the first of another one, and no cycle
 * comes of them either.  Detours of several pairs take turns among such
 * switches.  A row that has none is left to others (lanes.c).
 *
 * Complexity: O(LIDs x switches x dimensions).
 */
#include "engines/weave/weave.h"

#include "core/arena.h"

#include <errno.h>

struct mesher {
	const struct weft_fabric *f;
	const struct weft__hyperx *x;
	uint32_t offset[WEFT_SHAPE_DIMENSIONS];	/* of a dimension's cables */
	uint32_t total;
	uint8_t *first;		/* [nsw * total] position of the cables to the
				 * switch with that coordinate in the row */
	uint8_t *width;		/* [nsw * total] how many there are */
	bool *joined;		/* [nsw * n] to all others in the row */
};

/* Returns the place of the cables to coordinate c in dimension i. */
static size_t cables_to(const struct mesher *m, uint32_t s, unsigned i,
			uint32_t c)
{
	return (size_t)s * m->total + m->offset[i] + c;
}

/* Returns the dimension in which two switches differ first. */
static unsigned first_dimension(const struct mesher *m, uint32_t a, uint32_t b)
{
	const uint32_t *x = weft__hyperx_at(m->x, a);
	const uint32_t *y = weft__hyperx_at(m->x, b);
	unsigned i = 0;

	while (x[i] == y[i])
		i++;
	return i;
}

/* Lists the cables of a switch by where they lead. */
static void list_cables(struct mesher *m, uint32_t s)
{
	const uint32_t *first = m->f->adj_first;

	for (uint32_t e = first[s]; e < first[s + 1]; e++) {
		uint32_t t = m->f->peer[m->f->adj[e]];
		unsigned i = first_dimension(m, s, t);
		size_t at = cables_to(m, s, i, weft__hyperx_at(m->x, t)[i]);

		if (!m->width[at]++)
			m->first[at] = e - first[s];
	}
	for (unsigned i = 0; i < m->x->n; i++) {
		uint32_t n = 0;

		for (uint32_t c = 0; c < m->x->length[i]; c++)
			n += m->width[cables_to(m, s, i, c)] != 0;
		m->joined[(size_t)s * m->x->n + i] =
			n == m->x->length[i] - 1;
	}
}

static bool prepare(struct mesher *m, const struct weft__weave *w)
{
	size_t nsw = w->f->nsw;

	*m = (struct mesher){ .f = w->f, .x = &w->facts.hyperx };
	for (unsigned i = 0; i < m->x->n; i++) {
		m->offset[i] = m->total;
		m->total += m->x->length[i];
	}
	m->first = weft__arena_zalloc(w->arena, nsw, m->total);
	m->width = weft__arena_zalloc(w->arena, nsw, m->total);
	m->joined = weft__arena_zalloc(w->arena, nsw,
				       m->x->n * sizeof(*m->joined));
	if (weft__arena_failed(w->arena))
		return false;
	for (uint32_t s = 0; s < nsw; s++)
		list_cables(m, s);
	return true;
}

/* Returns the place of the cables from s to a switch of its row in dimension i
 * that is joined to all, or to nowhere if there is none. */
static size_t find_detour(const struct mesher *m, uint32_t s, unsigned i,
			  uint32_t to)
{
	uint32_t length = m->x->length[i];
	uint32_t c = weft__hyperx_at(m->x, s)[i] + to;

	for (uint32_t k = 0; k < length; k++) {
		size_t at = cables_to(m, s, i, (c + k) % length);
		uint32_t e = m->f->adj_first[s] + m->first[at];

		if (m->width[at] &&
		    m->joined[(size_t)m->f->peer[m->f->adj[e]] * m->x->n + i])
			return at;
	}
	return cables_to(m, s, i, to);
}

/* Returns the cables by which s sends towards switch b. */
static size_t choose_cables(const struct mesher *m, uint32_t s, uint32_t b)
{
	unsigned i = first_dimension(m, s, b);
	uint32_t to = weft__hyperx_at(m->x, b)[i];
	size_t at = cables_to(m, s, i, to);

	return m->width[at] ? at : find_detour(m, s, i, to);
}

/* Parallel cables take turns.  Returns false if a row has no detour. */
static bool choose_tree(const struct mesher *m, const struct weft__tree *t,
			uint32_t turn)
{
	for (uint32_t s = 0; s < m->f->nsw; s++) {
		size_t at;

		if (s == t->root)
			continue;
		at = choose_cables(m, s, t->root);
		if (!m->width[at])
			return false;
		t->choice[s] = m->first[at] + turn % m->width[at];
	}
	return true;
}

static double work(const struct weft__weave *w)
{
	return (double)w->facts.lids * w->f->nsw * (w->facts.hyperx.n + 4);
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__trees trees;
	struct mesher m;
	int err;

	if (!weft__trees_list(w->f, w->arena, w->order, &trees) ||
	    !prepare(&m, w))
		return -ENOMEM;
	for (uint32_t d = 0; d < trees.n; d++)
		if (!choose_tree(&m, &trees.tree[d], d))
			return -ENOTSUP;
	w->looked += work(w);
	err = weft__trees_fill(w->f, &trees, &out->lft);
	weft_layers_init(&out->layers);
	return err;
}

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	if (!w->facts.meshes)
		return "no product of full meshes";
	return w->facts.rings && w->facts.product.whole ?
		"a product of rings and paths" : NULL;
}

static double promise(const struct weft__weave *w)
{
	(void)w;
	return 10;
}

const struct weft__strategy weft__strategy_meshes = {
	.name = "meshes",
	.about = "HyperX, full meshes",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
};
