// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Splits fabrics into parts; see split.h.
 *
 * The service levels of all parts are put together in the simplest form that
 * holds them: one for all, if all parts have one; by destination or by pair of
 * switches, if all have that form; else one for each endport and LID.
 */

#include "core/fabric/split.h"

#include "core/fabric/components.h"

#include <weft/planes.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weft__split_free(struct weft__split *p)
{
	for (uint32_t i = 0; p->part && i < p->n; i++) {
		weft_routes_free(&p->part[i].routes);
		weft_fabric_free(p->part[i].fabric);
		free(p->part[i].sw);
		free(p->part[i].ep);
	}
	free(p->part);
	free(p->of_switch);
}

/* Finds the ids in the whole fabric of the part's switches and endports. */
static bool map_ids(const struct weft_fabric *f, struct weft__part *part)
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

/* Orders parts by most hosts, then most switches, then the lowest GUID. */
static int compare(const void *va, const void *vb)
{
	const struct weft__part *a = va, *b = vb;

	if (a->fabric->nhosts != b->fabric->nhosts)
		return a->fabric->nhosts > b->fabric->nhosts ? -1 : 1;
	if (a->fabric->nsw != b->fabric->nsw)
		return a->fabric->nsw > b->fabric->nsw ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

int weft__split_init(struct weft__split *p, const struct weft_fabric *f)
{
	size_t n = f->nsw + (size_t)1;
	uint32_t *queue = malloc(n * sizeof(*queue));

	*p = (struct weft__split){
		.f = f, .of_switch = malloc(n * sizeof(*p->of_switch)),
	};
	if (queue && p->of_switch)
		p->n = weft__components(f, p->of_switch, queue);
	free(queue);
	return queue && p->of_switch ? 0 : -ENOMEM;
}

bool weft__split_make(struct weft__split *p)
{
	p->part = calloc(p->n, sizeof(*p->part));
	for (uint32_t i = 0; p->part && i < p->n; i++) {
		struct weft__part *part = &p->part[i];

		part->number = i;
		part->fabric = weft__component(p->f, p->of_switch, i);
		if (!part->fabric || !map_ids(p->f, part))
			return false;
	}
	if (p->part && !p->as_numbered)
		qsort(p->part, p->n, sizeof(*p->part), compare);
	return p->part;
}

static void join_lft(const struct weft__part *part, struct weft_lft *lft)
{
	const struct weft_lft *from = &part->routes.lft;

	for (uint32_t s = 0; s < part->fabric->nsw; s++)
		memcpy(weft_lft_row(lft, part->sw[s]), weft_lft_row(from, s),
		       from->max_lid + 1u);
}

static bool has_planes(const struct weft_fabric *f)
{
	for (uint32_t e = 0; e < f->nep; e++)
		if (weft_is_plane(f, e))
			return true;
	return false;
}

/* Returns the form in which all parts' service levels can be written. */
static enum weft_sl_form common_form(const struct weft__split *p)
{
	bool has[WEFT_SL_ENDPORT_LID + 1] = { false };

	for (uint32_t i = 0; i < p->n; i++) {
		const struct weft_layers *l = &p->part[i].routes.layers;

		/* A level of this part alone needs a table. */
		has[l->form == WEFT_SL_ONE && l->sl ? WEFT_SL_SWITCH_PAIR :
						      l->form] = true;
	}
	/* In planes one LID, and a pair of switches of it, has several. */
	if (has[WEFT_SL_ENDPORT_LID] ||
	    (has[WEFT_SL_DESTINATION] && has[WEFT_SL_SWITCH_PAIR]) ||
	    ((has[WEFT_SL_DESTINATION] || has[WEFT_SL_SWITCH_PAIR]) &&
	     has_planes(p->f)))
		return WEFT_SL_ENDPORT_LID;
	return has[WEFT_SL_DESTINATION] ? WEFT_SL_DESTINATION :
	       has[WEFT_SL_SWITCH_PAIR] ? WEFT_SL_SWITCH_PAIR : WEFT_SL_ONE;
}

static void join_destinations(const struct weft__part *part,
			      struct weft_layers *layers)
{
	const struct weft_layers *from = &part->routes.layers;

	for (uint32_t lid = 1; lid <= part->fabric->max_lid; lid++)
		if (weft_lid_owner(part->fabric, lid) != WEFT_NONE)
			layers->table[lid] = from->table ? from->table[lid] :
							   from->sl;
}

static void join_switch_pairs(const struct weft__part *part,
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

static void join_endports(const struct weft__part *part,
			  struct weft_layers *layers)
{
	const struct weft_fabric *f = part->fabric;

	for (uint32_t e = 0; e < f->nep; e++)
		for (uint32_t lid = 1; lid <= f->max_lid; lid++)
			layers->table[(size_t)part->ep[e] *
				      (layers->max_lid + 1) + lid] =
				weft_layers_sl(&part->routes.layers, f,
					       e | WEFT_ENDPORT, lid);
}

static int join_layers(const struct weft__split *p, struct weft_layers *layers)
{
	const struct weft_fabric *f = p->f;
	size_t size = 0;

	weft_layers_init(layers);
	layers->form = common_form(p);
	layers->nsw = f->nsw;
	layers->nep = f->nep;
	layers->max_lid = f->max_lid;
	if (layers->form == WEFT_SL_DESTINATION)
		size = f->max_lid + 1ull;
	else if (layers->form == WEFT_SL_SWITCH_PAIR)
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
		if (layers->form == WEFT_SL_DESTINATION)
			join_destinations(&p->part[i], layers);
		else if (layers->form == WEFT_SL_SWITCH_PAIR)
			join_switch_pairs(&p->part[i], layers);
		else if (layers->form == WEFT_SL_ENDPORT_LID)
			join_endports(&p->part[i], layers);
	}
	return 0;
}

static int join_offsets(const struct weft__split *p, struct weft_routes *out)
{
	for (uint32_t i = 0; i < p->n; i++) {
		const struct weft__part *part = &p->part[i];

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

int weft__split_join(const struct weft__split *p, struct weft_routes *out)
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
