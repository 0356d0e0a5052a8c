// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compares the tables of two sides, entry by entry; see weft/diff.h. */
#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Ids of one side that the other one does not have. */
static int find_only(const struct weft__match *m, struct weft_diff *out)
{
	const struct weft_fabric *side[2] = { m->a, m->b };

	for (unsigned k = 0; k < 2; k++) {
		out->switches_only[k] = calloc(side[k]->nsw + 1ull,
					       sizeof(uint32_t));
		out->endports_only[k] = calloc(side[k]->nep + 1ull,
					       sizeof(uint32_t));
		if (!out->switches_only[k] || !out->endports_only[k])
			return -ENOMEM;
	}
	for (uint32_t s = 0; s < m->b->nsw; s++)
		if (m->sw[s] == WEFT_NONE)
			out->switches_only[1][out->nswitches_only[1]++] = s;
		else
			out->switches_only[0][m->sw[s]] = 1;
	for (uint32_t e = 0; e < m->b->nep; e++)
		if (m->ep[e] == WEFT_NONE)
			out->endports_only[1][out->nendports_only[1]++] = e;
		else
			out->endports_only[0][m->ep[e]] = 1;
	/* Marks of what is in both make room for ids of what is not. */
	for (uint32_t s = 0; s < m->a->nsw; s++)
		if (!out->switches_only[0][s])
			out->switches_only[0][out->nswitches_only[0]++] = s;
	for (uint32_t e = 0; e < m->a->nep; e++)
		if (!out->endports_only[0][e])
			out->endports_only[0][out->nendports_only[0]++] = e;
	out->switches = m->b->nsw - out->nswitches_only[1];
	out->endports = m->b->nep - out->nendports_only[1];
	return 0;
}

static void count_moved(const struct weft__match *m, struct weft_diff *out)
{
	for (uint32_t e = 0; e < m->b->nep; e++) {
		const struct weft_endport *is = &m->b->ep[e], *was;

		if (m->ep[e] == WEFT_NONE)
			continue;
		was = &m->a->ep[m->ep[e]];
		out->endports_moved += m->sw[is->sw] != was->sw ||
			is->sw_port != was->sw_port;
		out->lids_moved += is->lid != was->lid || is->lmc != was->lmc;
	}
}

static int by_entries(const void *x, const void *y)
{
	const struct weft_diff_row *a = x, *b = y;

	if (a->entries != b->entries)
		return a->entries < b->entries ? 1 : -1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Moves rows with a difference to the front and sorts them. */
static uint32_t sort_rows(struct weft_diff_row *row, uint32_t n)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++)
		if (row[i].entries)
			row[k++] = row[i];
	qsort(row, k, sizeof(*row), by_entries);
	return k;
}

/* Compares a block of 64 entries; returns how many differ. */
static uint32_t compare_block(const struct weft_lft *a, uint32_t was,
			      const struct weft_lft *b, uint32_t is,
			      unsigned first, struct weft_diff_row *lid)
{
	uint32_t n = 0;

	if (first + WEFT_LFT_BLOCK <= a->stride &&
	    first + WEFT_LFT_BLOCK <= b->stride &&
	    !memcmp(weft_lft_row(a, was) + first, weft_lft_row(b, is) + first,
		    WEFT_LFT_BLOCK))
		return 0;
	for (unsigned i = first; i < first + WEFT_LFT_BLOCK; i++) {
		bool differs = weft_lft_get(a, was, i) !=
			weft_lft_get(b, is, i);

		lid[i].entries += differs;
		n += differs;
	}
	return n;
}

static int compare_entries(const struct weft__match *m,
			   const struct weft_lft *a, const struct weft_lft *b,
			   struct weft_diff *out)
{
	unsigned last = a->max_lid > b->max_lid ? a->max_lid : b->max_lid;
	uint32_t nblocks = last / WEFT_LFT_BLOCK + 1;
	uint32_t nlids = nblocks * WEFT_LFT_BLOCK;

	out->sw = calloc(m->b->nsw + 1ull, sizeof(*out->sw));
	out->lid = calloc(nlids, sizeof(*out->lid));
	if (!out->sw || !out->lid)
		return -ENOMEM;
	for (uint32_t lid = 0; lid < nlids; lid++)
		out->lid[lid].id = lid;
	for (uint32_t s = 0; s < m->b->nsw; s++) {
		struct weft_diff_row *row = &out->sw[s];

		row->id = s;
		for (uint32_t k = 0; m->sw[s] != WEFT_NONE && k < nblocks;
		     k++) {
			uint32_t n = compare_block(a, m->sw[s], b, s,
						   k * WEFT_LFT_BLOCK,
						   out->lid);

			row->entries += n;
			row->blocks += n != 0;
		}
		out->entries += row->entries;
		out->blocks += row->blocks;
	}
	out->compared = (uint64_t)out->switches * last;
	out->nsw = sort_rows(out->sw, m->b->nsw);
	out->nlids = sort_rows(out->lid, nlids);
	return 0;
}

/* Counts SL2VL entries that differ on cabled ports of switches in both.  Where
 * only one side tells of such tables there is nothing to compare. */
static void compare_lanes(const struct weft__match *m,
			  const struct weft_layers *a,
			  const struct weft_layers *b, struct weft_diff *out)
{
	const struct weft_fabric *f = m->b;

	if (!a->sl2vl != !b->sl2vl || (!a->sl2vl && a->nvl == b->nvl))
		return;
	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned nports = f->sw[s].nports;
		unsigned inputs = a->base || b->base ? nports : 0;

		if (m->sw[s] == WEFT_NONE ||
		    m->a->sw[m->sw[s]].nports != nports)
			continue;
		for (unsigned k = 0; k < (inputs + 1) * (nports + 1) * 16;
		     k++) {
			unsigned sl = k % 16, out_port = k / 16 % (nports + 1);
			unsigned in = k / 16 / (nports + 1);

			if (!out_port || f->peer[weft_channel(f, s, out_port)]
			    == WEFT_NONE ||
			    (in && f->peer[weft_channel(f, s, in)] ==
			     WEFT_NONE))
				continue;
			out->lanes += weft_layers_vl(a, m->a, m->sw[s], in,
						     out_port, sl) !=
				weft_layers_vl(b, f, s, in, out_port, sl);
		}
	}
}

static int compare(const struct weft__match *m, const struct weft_routes *a,
		   const struct weft_routes *b, struct weft_diff *out,
		   struct weft_diag *diag)
{
	int err = find_only(m, out);

	if (err)
		return err;
	if (!out->switches)
		return weft_fail(diag, EINVAL,
				 "no switch is in both fabrics: these are two of different places");
	count_moved(m, out);
	err = compare_entries(m, &a->lft, &b->lft, out);
	if (!err)
		err = weft__diff_needless(m, &a->lft, &b->lft, out);
	if (!err)
		err = weft__diff_pairs(m, a, b, out);
	if (!err)
		compare_lanes(m, &a->layers, &b->layers, out);
	return err;
}

int weft_diff_run(const struct weft_diff_side *a,
		  const struct weft_diff_side *b, struct weft_diff *out,
		  struct weft_diag *diag)
{
	struct weft_diff found = { .switches = 0 };
	struct weft__match m;
	int err;

	if (a->routes->lft.nsw != a->fabric->nsw ||
	    b->routes->lft.nsw != b->fabric->nsw)
		return weft_fail(diag, EINVAL,
				 "tables and fabric have not as many switches: read or compute the tables anew");
	err = weft__match_make(&m, a->fabric, b->fabric);
	if (!err)
		err = compare(&m, a->routes, b->routes, &found, diag);
	weft__match_free(&m);
	if (err) {
		weft_diff_free(&found);
		if (err == -ENOMEM)
			weft_diag_say(diag, WEFT_ERROR,
				      "not enough memory to compare the tables");
		return err;
	}
	*out = found;
	return 0;
}

void weft_diff_free(struct weft_diff *diff)
{
	for (unsigned k = 0; k < 2; k++) {
		free(diff->switches_only[k]);
		free(diff->endports_only[k]);
	}
	free(diff->sw);
	free(diff->lid);
	*diff = (struct weft_diff){ .switches = 0 };
}

bool weft_diff_same(const struct weft_diff *diff)
{
	return !diff->nswitches_only[0] && !diff->nswitches_only[1] &&
		!diff->nendports_only[0] && !diff->nendports_only[1] &&
		!diff->endports_moved && !diff->lids_moved && !diff->entries &&
		!diff->routes && !diff->sls && !diff->lanes;
}
