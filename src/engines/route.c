// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: fabrics in parts
 *
 * A failed uplink, or two subnets in one dump, and no cable joins what an engine
 * gets to route.  Engines know nothing of that: each part is made a fabric of
 * its own and routed by itself, so that it gets the tables that it would get
 * without the others, and the tables are put together.  No switch then has an
 * entry for a LID in another part.
 *
 * Lists of nodes in options are looked up in the whole fabric first, for all that
 * there is to say about them; the parts then take what they have of them.
 *
 * Service levels: one for all, if all parts say so, else one for each pair of
 * switches, or for each endport and LID where a part has any other form.
 * Engines make no SL2VL tables.
 */
#include "core/components.h"
#include "core/list.h"

#include <weft/engine.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED 4		/* parts that the warning tells more about */

/* One part, and its ids in the whole fabric. */
struct part {
	uint32_t number;	/* in weft__components() */
	struct weft_fabric *fabric;
	uint32_t *sw, *ep;
	struct weft_routes routes;
};

struct parts {
	const struct weft_fabric *f;
	struct weft_diag *diag;
	uint32_t *of_switch, *queue;	/* [nsw] */
	struct part *part;
	uint32_t n;
};

static void free_parts(struct parts *p)
{
	for (uint32_t i = 0; p->part && i < p->n; i++) {
		weft_routes_free(&p->part[i].routes);
		weft_fabric_free(p->part[i].fabric);
		free(p->part[i].sw);
		free(p->part[i].ep);
	}
	free(p->part);
	free(p->of_switch);
	free(p->queue);
}

/* Ids of the same switches, and of what hangs on the same ports. */
static bool map_ids(const struct weft_fabric *f, struct part *part)
{
	const struct weft_fabric *g = part->fabric;

	part->sw = malloc((g->nsw + (size_t)1) * sizeof(*part->sw));
	part->ep = malloc((g->nep + (size_t)1) * sizeof(*part->ep));
	if (!part->sw || !part->ep)
		return false;
	for (uint32_t s = 0; s < g->nsw; s++)
		part->sw[s] = weft_fabric_switch_by_guid(f, g->sw[s].guid);
	for (uint32_t e = 0; e < g->nep; e++) {
		const struct weft_endport *ep = &g->ep[e];

		part->ep[e] = f->peer[weft_channel(f, part->sw[ep->sw],
						   ep->sw_port)] &
			      ~WEFT_ENDPORT;
	}
	return true;
}

/* Most hosts first, then most switches, then the lowest GUID. */
static int compare(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;

	if (a->fabric->nhosts != b->fabric->nhosts)
		return a->fabric->nhosts > b->fabric->nhosts ? -1 : 1;
	if (a->fabric->nsw != b->fabric->nsw)
		return a->fabric->nsw > b->fabric->nsw ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static bool make_parts(struct parts *p)
{
	p->part = calloc(p->n, sizeof(*p->part));
	for (uint32_t i = 0; p->part && i < p->n; i++) {
		struct part *part = &p->part[i];

		part->number = i;
		part->fabric = weft__component(p->f, p->of_switch, i);
		if (!part->fabric || !map_ids(p->f, part))
			return false;
	}
	if (p->part)
		qsort(p->part, p->n, sizeof(*p->part), compare);
	return p->part;
}

/* "10 switches with 24 hosts, such as leaf-000 (0x...) and host-0000" */
static int describe(const struct part *part, char *text, size_t size)
{
	const struct weft_fabric *f = part->fabric;
	const char *host = f->nep ? f->node[f->ep[0].node].name : "";

	return snprintf(text, size, "%" PRIu32 " switch%s with %" PRIu32
			" host%s, such as 0x%016" PRIx64 " (%.64s)%s%.64s",
			f->nsw, f->nsw == 1 ? "" : "es", f->nhosts,
			f->nhosts == 1 ? "" : "s", f->sw[0].guid, f->sw[0].name,
			*host ? " and " : "", host);
}

static void warn(const struct parts *p)
{
	char text[1500];
	size_t n = 0;

	for (uint32_t i = 0; i < p->n && i < NAMED; i++) {
		n += snprintf(text + n, sizeof(text) - n, "%s", i ? "; " : "");
		n += describe(&p->part[i], text + n, sizeof(text) - n);
	}
	if (p->n > NAMED)
		snprintf(text + n, sizeof(text) - n, "; and %" PRIu32 " more",
			 p->n - NAMED);
	weft_diag_say(p->diag, WEFT_WARNING, "the fabric is in %" PRIu32
		      " parts that no cable joins, and each is routed by "
		      "itself: %s", p->n, text);
}

static int route_part(struct parts *p, uint32_t i,
		      const struct weft_engine *engine,
		      const struct weft_options *options)
{
	struct part *part = &p->part[i];
	char text[400];

	if (weft_explains(p->diag)) {
		describe(part, text, sizeof(text));
		weft_explain(p->diag, "part %" PRIu32 " of %" PRIu32 ": %s",
			     i + 1, p->n, text);
	}
	return engine->route(part->fabric, options, &part->routes, p->diag);
}

static void join_lft(const struct part *part, struct weft_lft *lft)
{
	const struct weft_lft *from = &part->routes.lft;

	for (uint32_t s = 0; s < part->fabric->nsw; s++)
		memcpy(weft_lft_row(lft, part->sw[s]), weft_lft_row(from, s),
		       from->max_lid + 1u);
}

/* The form that all parts' service levels can be written in. */
static enum weft_sl_form common_form(const struct parts *p)
{
	enum weft_sl_form form = WEFT_SL_ONE;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct weft_layers *l = &p->part[i].routes.layers;

		if (l->form == WEFT_SL_DESTINATION ||
		    l->form == WEFT_SL_ENDPORT_LID)
			return WEFT_SL_ENDPORT_LID;
		if (l->form == WEFT_SL_SWITCH_PAIR || l->sl)
			form = WEFT_SL_SWITCH_PAIR;
	}
	return form;
}

static void join_switch_pairs(const struct part *part,
			      struct weft_layers *layers)
{
	const struct weft_layers *from = &part->routes.layers;
	uint32_t n = part->fabric->nsw;

	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			layers->table[(size_t)part->sw[a] * layers->nsw +
				      part->sw[b]] = from->table ?
				from->table[(size_t)a * n + b] : from->sl;
}

static void join_endports(const struct part *part, struct weft_layers *layers)
{
	const struct weft_fabric *f = part->fabric;

	for (uint32_t e = 0; e < f->nep; e++)
		for (uint32_t lid = 1; lid <= f->max_lid; lid++)
			layers->table[(size_t)part->ep[e] *
				      (layers->max_lid + 1) + lid] =
				weft_layers_sl(&part->routes.layers, f,
					       e | WEFT_ENDPORT, lid);
}

static int join_layers(const struct parts *p, struct weft_layers *layers)
{
	const struct weft_fabric *f = p->f;
	size_t size = 0;

	weft_layers_init(layers);
	layers->form = common_form(p);
	layers->nsw = f->nsw;
	layers->nep = f->nep;
	layers->max_lid = f->max_lid;
	if (layers->form == WEFT_SL_SWITCH_PAIR)
		size = (size_t)f->nsw * f->nsw;
	else if (layers->form == WEFT_SL_ENDPORT_LID)
		size = (size_t)f->nep * (f->max_lid + 1ull);
	layers->table = size ? calloc(size, 1) : NULL;
	if (size && !layers->table)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct weft_layers *l = &p->part[i].routes.layers;

		if (l->nvl > layers->nvl)
			layers->nvl = l->nvl;
		layers->one_way |= l->one_way;
		if (layers->form == WEFT_SL_SWITCH_PAIR)
			join_switch_pairs(&p->part[i], layers);
		else if (layers->form == WEFT_SL_ENDPORT_LID)
			join_endports(&p->part[i], layers);
	}
	return 0;
}

static int join_offsets(const struct parts *p, struct weft_routes *out)
{
	for (uint32_t i = 0; i < p->n; i++) {
		const struct part *part = &p->part[i];

		if (!part->routes.lid_offset)
			continue;
		if (!out->lid_offset)
			out->lid_offset = calloc(p->f->nep + (size_t)1, 1);
		if (!out->lid_offset)
			return -ENOMEM;
		for (uint32_t e = 0; e < part->fabric->nep; e++)
			out->lid_offset[part->ep[e]] =
				part->routes.lid_offset[e];
	}
	return 0;
}

static int join(const struct parts *p, struct weft_routes *out)
{
	struct weft_routes routes = { 0 };
	int err = weft_lft_init(&routes.lft, p->f->nsw, p->f->max_lid);

	for (uint32_t i = 0; i < p->n && !err; i++)
		join_lft(&p->part[i], &routes.lft);
	if (!err)
		err = join_layers(p, &routes.layers);
	if (!err)
		err = join_offsets(p, &routes);
	if (!err)
		*out = routes;
	else
		weft_routes_free(&routes);
	return err;
}

/* Says all there is to say about the options' lists. */
static int check_lists(const struct parts *p,
		       const struct weft_options *options)
{
	const struct weft_option *row = weft_options_table(options);
	int err = 0;

	for (; row->type != WEFT_OPT_END && !err; row++) {
		const struct weft_list *list;
		uint32_t *vertex;

		if (row->type != WEFT_OPT_LIST)
			continue;
		err = weft_options_list(options, row->name, &list, p->diag);
		if (err || !list)
			continue;
		vertex = malloc((list->n + (size_t)1) * sizeof(*vertex));
		if (!vertex)
			return -ENOMEM;
		err = weft_list_find(list, p->f, WEFT_LIST_SWITCHES |
				     WEFT_LIST_ENDPORTS, vertex, p->diag);
		free(vertex);
	}
	return err;
}

static int route_parts(struct parts *p, const struct weft_engine *engine,
		       const struct weft_options *options,
		       struct weft_routes *out)
{
	struct weft_options *quiet = NULL;
	int err;

	if (!make_parts(p))
		return -ENOMEM;
	warn(p);
	err = options ? check_lists(p, options) : 0;
	if (!err && options)
		err = weft__options_quiet(options, &quiet);
	for (uint32_t i = 0; i < p->n && !err; i++)
		err = route_part(p, i, engine, quiet);
	weft_options_free(quiet);
	return err ? err : join(p, out);
}

int weft_route(const struct weft_engine *engine, const struct weft_fabric *f,
	       const struct weft_options *options, struct weft_routes *out,
	       struct weft_diag *diag)
{
	struct parts p = {
		.f = f, .diag = diag,
		.of_switch = malloc((f->nsw + (size_t)1) *
				    sizeof(*p.of_switch)),
		.queue = malloc((f->nsw + (size_t)1) * sizeof(*p.queue)),
	};
	int err;

	if (!p.of_switch || !p.queue) {
		free_parts(&p);
		return weft_fail(diag, ENOMEM, "out of memory");
	}
	p.n = weft__components(f, p.of_switch, p.queue);
	if (p.n > 1)
		err = route_parts(&p, engine, options, out);
	else
		err = engine->route(f, options, out, diag);
	free_parts(&p);
	return err;
}
