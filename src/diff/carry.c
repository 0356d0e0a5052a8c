// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The routes of a fabric as they stand in another one; see weft/diff.h. */
#include "core/tables/lft.h"
#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int carry_entries(const struct weft__match *m, const struct weft_lft *a,
			 struct weft_lft *out)
{
	unsigned last = a->max_lid > m->b->max_lid ? a->max_lid :
		m->b->max_lid;
	int err = weft__lft_make(out, m->b->nsw, last);

	for (uint32_t s = 0; !err && s < m->b->nsw; s++) {
		uint8_t *row = weft_lft_row(out, s);
		size_t n = m->sw[s] == WEFT_NONE ? 0 : a->max_lid + 1ull;

		if (n)
			memcpy(row, weft_lft_row(a, m->sw[s]), n);
		memset(row + n, WEFT_NO_PORT, out->stride - n);
	}
	return err;
}

/* The SLs of a form by its indices in the other fabric. */
static int carry_sls(const struct weft__match *m, const struct weft_layers *a,
		     struct weft_layers *out)
{
	const struct weft_fabric *f = m->b;
	size_t lids = f->max_lid + 1ull, n;
	unsigned common = a->max_lid < f->max_lid ? a->max_lid : f->max_lid;

	if (a->form == WEFT_SL_ONE)
		return 0;
	n = a->form == WEFT_SL_DESTINATION ? lids :
		a->form == WEFT_SL_SWITCH_PAIR ? (size_t)f->nsw * f->nsw :
						 f->nep * lids;
	out->table = malloc(n + 1);
	if (!out->table)
		return -ENOMEM;
	memset(out->table, a->sl, n);
	if (a->form == WEFT_SL_DESTINATION)
		memcpy(out->table, a->table, common + 1ull);
	for (uint32_t s = 0; a->form == WEFT_SL_SWITCH_PAIR && s < f->nsw; s++)
		for (uint32_t d = 0; d < f->nsw; d++)
			if (m->sw[s] != WEFT_NONE && m->sw[d] != WEFT_NONE)
				out->table[(size_t)s * f->nsw + d] =
					a->table[(size_t)m->sw[s] * a->nsw +
						 m->sw[d]];
	for (uint32_t e = 0; a->form == WEFT_SL_ENDPORT_LID && e < f->nep; e++)
		if (m->ep[e] != WEFT_NONE)
			memcpy(out->table + e * lids,
			       a->table + m->ep[e] * (a->max_lid + 1ull),
			       common + 1ull);
	return 0;
}

/* Whether a way through a switch of A, from port to port, leads from a cable to
 * another one; port 0 is as good as a cable. */
static bool is_way(const struct weft_fabric *a, uint32_t s, unsigned in,
		   unsigned out)
{
	return in <= a->sw[s].nports && out <= a->sw[s].nports &&
	       (!in || a->peer[weft_channel(a, s, in)] != WEFT_NONE) &&
	       (!out || a->peer[weft_channel(a, s, out)] != WEFT_NONE);
}

static void read_row(const struct weft_layers *a, const struct weft_fabric *f,
		     uint32_t s, unsigned in, unsigned out,
		     uint8_t row[WEFT_NSL])
{
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		row[sl] = weft_layers_vl(a, f, s, in, out, sl);
}

/* Finds the lanes of the first way of A that leads to another switch and is told,
 * which are those of all where an engine gives lanes to pairs; else the
 * identity. */
static void find_usual(const struct weft_layers *a, const struct weft_fabric *f,
		       uint8_t row[WEFT_NSL])
{
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			read_row(a, f, s, 0, f->adj[i] - f->first_channel[s],
				 row);
			if (row[0] != WEFT_VL_UNTOLD)
				return;
		}
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		row[sl] = sl;
}

/* The SL2VL tables, for each input: those of A may be of either form, and cables
 * that A has not have the lanes of the others. */
static int carry_lanes(const struct weft__match *m, const struct weft_layers *a,
		       struct weft_layers *out)
{
	const struct weft_fabric *f = m->b;
	uint8_t usual[WEFT_NSL];
	uint64_t n = 0;

	if (!a->sl2vl)
		return 0;
	out->base = malloc((f->nsw + 1ull) * sizeof(*out->base));
	if (!out->base)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++) {
		out->base[s] = n;
		n += (f->sw[s].nports + 1ull) * (f->sw[s].nports + 1ull);
	}
	out->sl2vl = malloc(n * WEFT_NSL + 1);
	if (!out->sl2vl)
		return -ENOMEM;
	find_usual(a, m->a, usual);
	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned ports = f->sw[s].nports + 1u;
		uint8_t *row = out->sl2vl + out->base[s] * WEFT_NSL;
		uint32_t was = m->sw[s];

		for (unsigned k = 0; k < ports * ports; k++, row += WEFT_NSL) {
			unsigned in = k / ports, to = k % ports;

			if (was != WEFT_NONE && is_way(m->a, was, in, to))
				read_row(a, m->a, was, in, to, row);
			else
				memcpy(row, usual, WEFT_NSL);
		}
	}
	return 0;
}

static int carry_offsets(const struct weft__match *m, const uint8_t *a,
			 uint8_t **out)
{
	if (!a)
		return 0;
	*out = calloc(m->b->nep + 1ull, 1);
	if (!*out)
		return -ENOMEM;
	for (uint32_t e = 0; e < m->b->nep; e++)
		if (m->ep[e] != WEFT_NONE)
			(*out)[e] = a[m->ep[e]];
	return 0;
}

int weft__carry_routes(const struct weft__match *m,
		       const struct weft_routes *routes,
		       struct weft_routes *out)
{
	const struct weft_layers *a = &routes->layers;
	const struct weft_fabric *to = m->b;
	struct weft_routes carried = { .lid_offset = NULL };
	int err;

	carried.layers = (struct weft_layers){
		.form = a->form, .sl = a->sl, .nsw = to->nsw, .nep = to->nep,
		.max_lid = to->max_lid, .nvl = a->nvl, .one_way = a->one_way,
	};
	memcpy(carried.how, routes->how, sizeof(carried.how));
	err = carry_entries(m, &routes->lft, &carried.lft);
	if (!err)
		err = carry_sls(m, a, &carried.layers);
	if (!err)
		err = carry_lanes(m, a, &carried.layers);
	if (!err)
		err = carry_offsets(m, routes->lid_offset,
				    &carried.lid_offset);
	if (err) {
		weft_routes_free(&carried);
		return err;
	}
	*out = carried;
	return 0;
}

int weft_routes_carry(const struct weft_diff_side *from,
		      const struct weft_fabric *to, struct weft_routes *out)
{
	struct weft__match m;
	int err = weft__match_make(&m, from->fabric, to);

	if (!err)
		err = weft__carry_routes(&m, from->routes, out);
	weft__match_free(&m);
	return err;
}
