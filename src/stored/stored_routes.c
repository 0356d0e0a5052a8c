// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables in a file; see stored.h. */
#include "stored/stored.h"

#include "core/tables/layers.h"

#include <errno.h>
#include <stdlib.h>

#define SL_MOST (WEFT_NSL - 1)

/* Bytes of the table of service levels of a form in a fabric. */
static size_t table_size(const struct weft_fabric *f, enum weft_sl_form form)
{
	const struct weft_layers layers = {
		.form = form, .nsw = f->nsw, .nep = f->nep,
		.max_lid = f->max_lid,
	};

	return weft__layers_size(&layers);
}

/* Returns the row of the same switch in other tables; NULL: there is none. */
static const uint8_t *row_like(const struct weft_stored_tables *s, uint32_t sw,
			       const struct weft_stored_tables *like)
{
	uint32_t other = WEFT_NONE;

	if (like->fabric &&
	    like->routes.lft.max_lid == s->routes.lft.max_lid)
		other = weft_fabric_switch_by_guid(like->fabric,
						   s->fabric->sw[sw].guid);
	return other == WEFT_NONE ? NULL :
				    weft_lft_row(&like->routes.lft, other);
}

/* Returns other service levels of the same size; NULL: there are none. */
static const uint8_t *table_like(size_t size, enum weft_sl_form form,
				 const struct weft_stored_tables *like)
{
	const struct weft_layers *y = &like->routes.layers;

	return like->fabric && y->form == form &&
	       weft__layers_size(y) == size ? y->table : NULL;
}

/* --- what fits --------------------------------------------------------- */

static const char *lft_misfit(const struct weft_stored_tables *s)
{
	const struct weft_lft *lft = &s->routes.lft;

	if (lft->nsw != s->fabric->nsw || lft->max_lid > WEFT_MAX_LID)
		return "tables are of another fabric";
	for (uint32_t sw = 0; sw < lft->nsw; sw++) {
		const uint8_t *row = weft_lft_row(lft, sw);
		unsigned nports = s->fabric->sw[sw].nports;

		for (unsigned lid = 0; lid <= lft->max_lid; lid++)
			if (row[lid] > nports && row[lid] != WEFT_NO_PORT)
				return "an entry leads to a port that is not there";
	}
	return NULL;
}

static const char *layers_misfit(const struct weft_stored_tables *s)
{
	const struct weft_layers *y = &s->routes.layers;
	size_t size = table_size(s->fabric, y->form);

	if (y->sl > SL_MOST || y->nvl > WEFT_MAX_LANES)
		return "there is no such service level or lane";
	if (weft__layers_size(y) != size)
		return "service levels are of another fabric";
	for (size_t i = 0; i < size; i++)
		if (y->table[i] > SL_MOST)
			return "there is no such service level";
	return NULL;
}

const char *weft__stored_misfit(const struct weft_stored_tables *s)
{
	const char *what = lft_misfit(s);

	return what ? what : layers_misfit(s);
}

/* --- writing ----------------------------------------------------------- */

void weft__put_routes(struct weft__put *p, const struct weft_stored_tables *s,
		      const struct weft_stored_tables *like)
{
	const struct weft_lft *lft = &s->routes.lft;
	const struct weft_layers *y = &s->routes.layers;
	size_t size = weft__layers_size(y);

	weft__put_number(p, lft->max_lid, 2);
	for (uint32_t sw = 0; sw < lft->nsw; sw++)
		weft__put_like(p, weft_lft_row(lft, sw), row_like(s, sw, like),
			       lft->max_lid + 1ull);
	weft__put_number(p, y->form, 1);
	weft__put_number(p, y->sl, 1);
	weft__put_number(p, y->nvl, 1);
	weft__put_number(p, y->one_way, 1);
	if (size)
		weft__put_like(p, y->table, table_like(size, y->form, like),
			       size);
	weft__put_number(p, s->routes.lid_offset != NULL, 1);
	if (s->routes.lid_offset)
		weft__put_bytes(p, s->routes.lid_offset, s->fabric->nep);
	weft__put_text(p, s->routes.how);
}

/* --- reading ----------------------------------------------------------- */

/* Rows that are there in full have their bytes in the file, the others in
 * tables that were read. */
static void take_lft(struct weft__take *t, struct weft_stored_tables *s,
		     const struct weft_stored_tables *like)
{
	struct weft_lft *lft = &s->routes.lft;
	uint64_t max_lid = weft__take_most(t, 2, WEFT_MAX_LID, "a LID");
	uint64_t full = 0;

	/* for row_like() */
	lft->max_lid = max_lid;
	for (uint32_t sw = 0; sw < s->fabric->nsw && !t->err; sw++)
		full += row_like(s, sw, like) ? 0 : max_lid + 1;
	if (full > (uint64_t)(t->end - t->at))
		weft__take_fail(t, EINVAL, "ends in the middle of a table");
	*lft = (struct weft_lft){ .nsw = 0 };
	if (!t->err && weft_lft_init(lft, s->fabric->nsw, max_lid))
		weft__take_fail(t, ENOMEM, "out of memory");
	for (uint32_t sw = 0; sw < s->fabric->nsw && !t->err; sw++)
		weft__take_like(t, weft_lft_row(lft, sw),
				row_like(s, sw, like), max_lid + 1);
}

/* Takes bytes into memory of their own; NULL after an error. */
static uint8_t *take_array(struct weft__take *t, const uint8_t *like, size_t n)
{
	uint8_t *array = NULL;

	if (!like && n > (size_t)(t->end - t->at))
		weft__take_fail(t, EINVAL, "ends in the middle of a table");
	if (t->err)
		return NULL;
	array = malloc(n + 1);
	if (array)
		weft__take_like(t, array, like, n);
	else
		weft__take_fail(t, ENOMEM, "out of memory");
	return array;
}

static void take_layers(struct weft__take *t, struct weft_stored_tables *s,
			const struct weft_stored_tables *like)
{
	struct weft_layers *y = &s->routes.layers;
	size_t size;

	y->form = weft__take_most(t, 1, WEFT_SL_ENDPORT_LID,
				  "the form of service levels");
	y->sl = weft__take_number(t, 1);
	y->nvl = weft__take_number(t, 1);
	y->one_way = weft__take_most(t, 1, 1, "a yes or no");
	y->nsw = s->fabric->nsw;
	y->nep = s->fabric->nep;
	y->max_lid = s->fabric->max_lid;
	size = weft__layers_size(y);
	if (size && !t->err)
		y->table = take_array(t, table_like(size, y->form, like), size);
}

static void take_how(struct weft__take *t, char *how, size_t size)
{
	const char *text;
	size_t n = weft__take_text(t, &text);

	if (n >= size)
		weft__take_fail(t, EINVAL, "has a text that is too long");
	if (t->err)
		return;
	memcpy(how, text, n);
	how[n] = '\0';
}

int weft__take_routes(struct weft__take *t, struct weft_stored_tables *s,
		      const struct weft_stored_tables *like)
{
	struct weft_routes *r = &s->routes;
	const char *misfit;

	*r = (struct weft_routes){ .lid_offset = NULL };
	take_lft(t, s, like);
	take_layers(t, s, like);
	if (weft__take_most(t, 1, 1, "a yes or no"))
		r->lid_offset = take_array(t, NULL, s->fabric->nep);
	take_how(t, r->how, sizeof(r->how));
	misfit = t->err ? NULL : weft__stored_misfit(s);
	if (misfit)
		weft__take_fail(t, EINVAL,
				"has tables that do not fit their fabric: %s",
				misfit);
	if (t->err)
		weft_routes_free(r);
	return t->err;
}
