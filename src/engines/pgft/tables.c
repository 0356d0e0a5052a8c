// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Forwarding tables over a fat tree; see tables.h.
 *
 * The ports that a route takes on each level depend on the LID alone and are
 * worked out once; the tables are then filled row by row.
 */
#include "engines/pgft/tables.h"

#include "core/arena.h"
#include "graph/bfs.h"
#include "graph/entries.h"

#include <weft/engine.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A LID that leads to a leaf. */
struct target {
	uint16_t lid;
	uint8_t delivery;	/* its port on the leaf; 0: the leaf itself */
	uint32_t leaf;		/* its number */
	/* By level: the upward port, and the cable to that level. */
	uint8_t up[WEFT__PGFT_LEVELS + 1];
	uint8_t cable[WEFT__PGFT_LEVELS + 1];
};

struct tables {
	const struct weft_fabric *f;
	const struct weft__pgft_form *form;
	const struct weft__pgft_rule *rule;
	struct weft_lft *lft;
	struct target *target;	/* [ntargets] */
	uint32_t ntargets;
	uint16_t *hops;		/* [nsw] */
	uint32_t *order;	/* [nsw] */
};

/*
 * Returns the number of the endport or leaf that has a LID, or WEFT_NONE for
 * owners that are not on a leaf.  *offset is the LID's offset among those of
 * its owner, and is set if it has one.
 */
static uint32_t number_of(const struct tables *t, unsigned lid,
			  unsigned *offset)
{
	uint32_t owner = t->f->lid_owner[lid];

	if (weft_is_endport(owner)) {
		uint32_t e = owner & ~WEFT_ENDPORT;

		*offset = lid - t->f->ep[e].lid;
		return t->form->number[e];
	}
	if (owner == WEFT_NONE)
		return WEFT_NONE;
	*offset = lid - t->f->sw[owner].lid;
	return t->form->level[owner] > 1 ? WEFT_NONE :
		t->form->subtree[owner] * t->form->n;
}

/* Adds a LID that takes that way: works out its ports level by level. */
static void add_target(struct tables *t, unsigned lid, uint32_t way)
{
	const struct weft__pgft_form *form = t->form;
	struct target *to = &t->target[t->ntargets++];
	uint32_t owner = t->f->lid_owner[lid];

	to->lid = lid;
	to->delivery = weft__delivery_port(t->f, owner);
	to->leaf = form->subtree[weft_vertex_switch(t->f, owner)];
	for (unsigned l = 1; l < form->h; l++) {
		uint32_t w = form->w[l + 1], up = way % (w * form->p[l + 1]);

		to->up[l] = up;
		to->cable[l + 1] = up / w;
		way /= w;
	}
}

static void list_targets(struct tables *t)
{
	for (unsigned lid = 1; lid <= t->f->max_lid; lid++) {
		unsigned offset = 0;
		uint32_t number = number_of(t, lid, &offset);

		if (number != WEFT_NONE)
			add_target(t, lid, t->rule->way(t->rule->context,
							number, offset));
	}
}

/* Port 0 is that of a cable which is missing. */
static void set_port(uint8_t *row, const struct target *to, uint8_t port)
{
	row[to->lid] = port ? port : WEFT_NO_PORT;
}

/* Fills in the entries of switch s for all targets. */
static void fill_row(const struct tables *t, uint32_t s)
{
	const struct weft__pgft_form *form = t->form;
	uint8_t *row = weft_lft_row(t->lft, s);
	const uint8_t *up = form->up + t->f->first_channel[s];
	const uint8_t *down = form->down + t->f->first_channel[s];
	unsigned l = form->level[s];
	uint32_t first = form->subtree[s] * form->leaves[l];
	uint32_t child = l > 1 ? form->leaves[l - 1] : 1;

	for (uint32_t i = 0; i < t->ntargets; i++) {
		const struct target *to = &t->target[i];
		uint32_t inside = to->leaf - first;

		if (inside >= form->leaves[l])
			set_port(row, to, up[to->up[l]]);
		else if (l == 1)
			row[to->lid] = to->delivery;
		else
			set_port(row, to, down[inside / child * form->p[l] +
					       to->cable[l]]);
	}
}

/* Returns a port by which switch s comes nearer to the root of hops[]; turn
 * chooses among them. */
static uint8_t nearer_port(const struct tables *t, uint32_t s, uint32_t turn)
{
	const struct weft_fabric *f = t->f;
	uint8_t port[WEFT_MAX_PORTS];
	unsigned n = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		if (t->hops[f->peer[f->adj[i]]] < t->hops[s])
			port[n++] = weft__port(f, s, f->adj[i]);
	return port[turn % n];
}

/* Routes the LIDs of owners that are not on a leaf. */
static void route_above(const struct tables *t)
{
	const struct weft_fabric *f = t->f;
	uint32_t last = WEFT_NONE;

	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = f->lid_owner[lid], root;
		unsigned offset = 0;

		if (owner == WEFT_NONE || number_of(t, lid, &offset) !=
					  WEFT_NONE)
			continue;
		root = weft_vertex_switch(f, owner);
		if (root != last)
			weft__bfs(f, root, t->hops, t->order);
		last = root;
		for (uint32_t s = 0; s < f->nsw; s++)
			weft_lft_row(t->lft, s)[lid] = s == root ?
				weft__delivery_port(f, owner) :
				nearer_port(t, s, (owner & ~WEFT_ENDPORT) +
					    offset);
	}
}

int weft__pgft_fill(const struct weft_fabric *f,
		    const struct weft__pgft_form *form,
		    const struct weft__pgft_rule *rule,
		    struct weft_arena *arena, struct weft_lft *lft,
		    struct weft_diag *diag)
{
	struct tables t = { .f = f, .form = form, .rule = rule, .lft = lft };
	int err = rule->prepare ?
			  rule->prepare(f, form, rule->context, diag) :
			  0;

	if (err)
		return err;
	t.target = weft__arena_alloc(arena, f->max_lid, sizeof(*t.target));
	t.hops = weft__arena_alloc(arena, f->nsw, sizeof(*t.hops));
	t.order = weft__arena_alloc(arena, f->nsw, sizeof(*t.order));
	if (!t.target || !t.hops || !t.order ||
	    weft_lft_init(lft, f->nsw, f->max_lid))
		return weft_no_memory(diag);
	list_targets(&t);
	for (uint32_t s = 0; s < f->nsw; s++)
		fill_row(&t, s);
	route_above(&t);
	return 0;
}

/* Finds the LIDs that endports send to; endports that are on no leaf send to
 * base LIDs. */
static int make_offsets(const struct weft_fabric *f,
			const struct weft__pgft_form *form,
			const struct weft__pgft_rule *rule, uint8_t **out)
{
	uint8_t *offset = calloc(f->nep + 1ull, 1);

	if (!offset)
		return -ENOMEM;
	for (uint32_t e = 0; e < f->nep; e++)
		if (form->number[e] != WEFT_NONE)
			offset[e] = rule->offset(rule->context,
						 form->number[e]);
	*out = offset;
	return 0;
}

/* Writes one list of parameters, such as "4,6"; returns its length. */
static int print_list(char *out, const uint32_t *numbers, unsigned h)
{
	int n = 0;

	for (unsigned l = 1; l <= h; l++)
		n += sprintf(out + n, "%" PRIu32 "%s", numbers[l],
			     l < h ? "," : "");
	return n;
}

static void explain_form(const struct weft__pgft_form *form,
			 struct weft_diag *diag)
{
	char text[WEFT__PGFT_LEVELS * 3 * 12];
	int n = 0;

	if (!weft_diag_explains(diag))
		return;
	n += print_list(text + n, form->m, form->h);
	text[n++] = ';';
	n += print_list(text + n, form->w, form->h);
	text[n++] = ';';
	print_list(text + n, form->p, form->h);
	weft_diag_explain(diag, "fat tree of %u level%s, pgft:%u;%s: %" PRIu32
			  " leaves of %s", form->h, form->h == 1 ? "" : "s",
			  form->h, text, form->leaves[form->h],
			  WEFT_COUNT(form->n, "host"));
}

static int route_form(const struct weft_fabric *f,
		      const struct weft__pgft_rule *rule,
		      struct weft_arena *arena, struct weft_routes *out,
		      struct weft_diag *diag)
{
	struct weft__pgft_form form;
	struct weft_lft lft = { 0 };
	int err = weft__pgft_detect(f, arena, &form, diag);

	if (!err)
		explain_form(&form, diag);
	if (!err)
		err = weft__pgft_fill(f, &form, rule, arena, &lft, diag);
	if (!err && rule->offset &&
	    make_offsets(f, &form, rule, &out->lid_offset))
		err = weft_no_memory(diag);
	if (err) {
		weft_lft_free(&lft);
		return err;
	}
	out->lft = lft;
	weft_layers_init(&out->layers);
	return 0;
}

int weft__pgft_route(const struct weft_fabric *fabric,
		     const struct weft__pgft_rule *rule,
		     struct weft_routes *out, struct weft_diag *diag)
{
	struct weft_arena *arena;
	int err = weft__require_connected(fabric, diag);

	if (err)
		return err;
	arena = weft__arena_new();
	if (!arena)
		return weft_no_memory(diag);
	err = route_form(fabric, rule, arena, out, diag);
	weft__arena_free(arena);
	return err;
}

int weft__pgft_need_lmc(const struct weft_fabric *f, uint32_t paths,
			struct weft_diag *diag)
{
	unsigned lmc = 0;

	while (1u << lmc < paths)
		lmc++;
	if (lmc > 7)
		return weft_fail(diag, ENOTSUP, "%" PRIu32
				 " paths need LMC %u, InfiniBand has 7 at the most",
				 paths,
				 lmc);
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *ep = &f->ep[e];

		if (ep->kind == WEFT_HOST && ep->lid && ep->lmc < lmc)
			return weft_fail(diag, ENOTSUP, "%" PRIu32
				" paths need LMC %u, port 0x%016" PRIx64 " (%s) has %u: set lmc in opensm.conf, or --lmc",
				paths,
				lmc, ep->guid, f->node[ep->node].name,
				ep->lmc);
	}
	return 0;
}
