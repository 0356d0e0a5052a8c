// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Naming the tables that a dump was made with; see mark.h. */
#include "io/tables/mark.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define RUNS 8		/* of LIDs on a line */

static bool has_lid(const uint8_t *lids, unsigned lid)
{
	return lids[lid / 8] >> lid % 8 & 1;
}

uint64_t weft__mark_sum(const uint8_t *row, const uint8_t *lids, unsigned top)
{
	uint64_t sum = top;

	for (unsigned lid = 1; lid <= top; lid++) {
		if (!row[lid] || row[lid] == WEFT_NO_PORT ||
		    !has_lid(lids, lid))
			continue;
		sum = (sum ^ (lid << 8 | row[lid])) * 0x9e3779b97f4a7c15u;
		sum ^= sum >> 29;
	}
	return sum;
}

static uint8_t *owned_lids(const struct weft_fabric *f)
{
	uint8_t *lids = calloc(WEFT_MAX_LID / 8 + 1, 1);

	for (unsigned lid = 1; lids && lid <= f->max_lid; lid++)
		if (f->lid_owner[lid] != WEFT_NONE)
			lids[lid / 8] |= 1u << lid % 8;
	return lids;
}

static void write_lids(FILE *out, const uint8_t *lids, unsigned top)
{
	unsigned runs = 0;

	for (unsigned lid = 1; lid <= top; lid++) {
		unsigned first = lid;

		if (!has_lid(lids, lid))
			continue;
		while (lid < top && has_lid(lids, lid + 1))
			lid++;
		fputs(runs % RUNS ? " " : runs ? "\n" WEFT__MARK_LIDS : WEFT__MARK_LIDS,
		      out);
		runs++;
		fprintf(out, "0x%04x", first);
		if (lid > first)
			fprintf(out, "-0x%04x", lid);
	}
	if (runs)
		fputc('\n', out);
}

int weft__mark_write(FILE *out, const struct weft_fabric *fabric,
		     const struct weft_lft *lft)
{
	uint8_t *lids;

	if (!lft->port)
		return 0;
	lids = owned_lids(fabric);
	if (!lids)
		return -ENOMEM;
	write_lids(out, lids, fabric->max_lid);
	for (uint32_t s = 0; s < fabric->nsw; s++)
		fprintf(out, WEFT__MARK_TABLE "0x%016" PRIx64 " 0x%016" PRIx64 "\n",
			fabric->sw[s].guid,
			weft__mark_sum(weft_lft_row(lft, s), lids,
				       fabric->max_lid));
	free(lids);
	return 0;
}
