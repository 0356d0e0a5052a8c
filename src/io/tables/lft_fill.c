// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Filling forwarding tables; see lft_fill.h. */
#include "io/tables/lft_fill.h"

#include "io/tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int weft__fill_init(struct weft__fill *fill, const struct weft_fabric *fabric,
		    struct weft_lft *lft)
{
	*fill = (struct weft__fill){ .fabric = fabric, .lft = lft };
	fill->scratch = malloc(fabric->max_lid + 1);
	if (!fill->scratch || weft__switch_index_init(&fill->index, fabric)) {
		free(fill->scratch);
		return -ENOMEM;
	}
	for (int i = 0; i < WEFT__FILL_DEFECTS; i++)
		fill->notice[i].severity = i == WEFT__FILL_FOREIGN ?
			WEFT_NOTE : WEFT_WARNING;
	return 0;
}

void weft__fill_free(struct weft__fill *fill)
{
	free(fill->scratch);
	weft__switch_index_free(&fill->index);
}

/* By node GUID, port GUID, LID, in this order. */
static uint32_t find_switch(struct weft__fill *fill, unsigned long line,
			    const struct weft__fill_header *header)
{
	const struct weft_fabric *f = fill->fabric;
	uint32_t sw = header->guid ?
		weft__switch_by_any_guid(&fill->index, header->guid) :
		WEFT_NONE;

	if (sw != WEFT_NONE) {
		if (header->lid && f->sw[sw].lid &&
		    header->lid != f->sw[sw].lid)
			weft__notice_add(&fill->notice[WEFT__FILL_OTHER_LID],
				line, "switch 0x%016" PRIx64 " had LID %" PRIu32
				" when the tables were taken, in the topology it has %u: routes may seem to end at the wrong port",
				header->guid, header->lid,
				(unsigned)f->sw[sw].lid);
		return sw;
	}
	sw = weft__switch_by_lid(f, header->lid);
	if (header->guid && sw != WEFT_NONE)
		weft__notice_add(&fill->notice[WEFT__FILL_BY_LID], line,
			"no switch of the topology has GUID 0x%016" PRIx64
			"; taken for switch 0x%016" PRIx64
			", which has its LID %" PRIu32, header->guid, f->sw[sw].guid,
			header->lid);
	return sw;
}

bool weft__lft_is_empty(const struct weft_lft *lft, uint32_t sw)
{
	const uint8_t *row = weft_lft_row(lft, sw);

	return row[0] == WEFT_NO_PORT && !memcmp(row, row + 1, lft->stride - 1);
}

/* Opens a table that goes to row: that of switch sw, or scratch. */
static void open_table(struct weft__fill *fill, unsigned long line,
		       uint32_t sw, uint8_t *row)
{
	weft__fill_end(fill, WEFT_NONE);
	fill->sw = sw;
	fill->nports = sw == WEFT_NONE ? WEFT_NO_PORT :
		fill->fabric->sw[sw].nports;
	fill->row = row;
	if (row == fill->scratch)
		memset(row, WEFT_NO_PORT, fill->fabric->max_lid + 1);
	fill->line = line;
	fill->top = 0;
	fill->entries = 0;
	fill->last_lid = 0;
}

void weft__fill_begin(struct weft__fill *fill, unsigned long line,
		      const struct weft__fill_header *header)
{
	uint32_t sw = find_switch(fill, line, header);
	uint8_t *row = fill->scratch;

	if (!fill->tables++) {
		fill->first_guid = header->guid;
		fill->first_line = line;
	}
	if (sw == WEFT_NONE)
		weft__notice_add(&fill->notice[WEFT__FILL_UNKNOWN], line,
			"switch 0x%016" PRIx64 " (LID %" PRIu32
			") is not in the topology: table left out",
			header->guid,
			header->lid);
	else
		fill->matched++;
	/* The open table may be of the same switch: end it before looking. */
	weft__fill_end(fill, WEFT_NONE);
	if (sw != WEFT_NONE && weft__lft_is_empty(fill->lft, sw))
		row = weft_lft_row(fill->lft, sw);
	open_table(fill, line, sw, row);
	fill->top = header->top;
}

void weft__fill_ignore(struct weft__fill *fill, unsigned long line,
		       const char *what)
{
	open_table(fill, line, WEFT_NONE, fill->scratch);
	weft__notice_add(&fill->notice[WEFT__FILL_IGNORED], line,
			 "%s left out: only unicast tables are read", what);
}

/* A second table of a switch is compared with the first, which stays. */
static void compare_again(struct weft__fill *fill)
{
	const uint8_t *first = weft_lft_row(fill->lft, fill->sw);
	uint32_t differ = 0;

	for (uint32_t lid = 0; lid <= fill->fabric->max_lid; lid++)
		differ += first[lid] != fill->scratch[lid];
	if (differ)
		weft__notice_add(&fill->notice[WEFT__FILL_AGAIN], fill->line,
			"second table of switch 0x%016" PRIx64
			" differs from the first in %" PRIu32 " entries: the first is kept",
			fill->fabric->sw[fill->sw].guid, differ);
}

static void check_extent(struct weft__fill *fill, uint32_t count)
{
	uint64_t guid = fill->fabric->sw[fill->sw].guid;

	if (count == WEFT_NONE) {
		if (fill->top != WEFT_NONE && fill->last_lid < fill->top)
			weft__notice_add(&fill->notice[WEFT__FILL_SHORT],
				fill->line, "table of switch 0x%016" PRIx64
				" ends at LID %" PRIu32 ", expected up to %" PRIu32 ": cut?", guid, fill->last_lid,
				fill->top);
	} else if (count != fill->entries && count != fill->top) {
		/* OpenSM closes with the top LID, ibroute with the rows. */
		weft__notice_add(&fill->notice[WEFT__FILL_COUNT], fill->line,
			"table of switch 0x%016" PRIx64 " has %" PRIu32
			" rows, its last line says %" PRIu32, guid,
			fill->entries, count);
	}
}

void weft__fill_end(struct weft__fill *fill, uint32_t count)
{
	if (!fill->row)
		return;
	if (fill->sw != WEFT_NONE) {
		check_extent(fill, count);
		if (fill->row == fill->scratch)
			compare_again(fill);
	}
	fill->former_last = fill->last_lid;
	fill->row = NULL;
}

void weft__fill_odd_entry(struct weft__fill *fill, unsigned long line,
			  uint32_t lid, unsigned port)
{
	uint32_t max_lid = fill->fabric->max_lid;
	uint64_t guid;

	if (port == WEFT_NO_PORT || fill->sw == WEFT_NONE)
		return;
	guid = fill->fabric->sw[fill->sw].guid;
	if (!lid || lid > WEFT_MAX_LID)
		weft__notice_add(&fill->notice[WEFT__FILL_BAD_LID], line,
			"0x%04" PRIx32 " is no unicast LID: entry left out",
			lid);
	else if (lid > max_lid)
		weft__notice_add(&fill->notice[WEFT__FILL_BEYOND], line,
			"LID 0x%04" PRIx32
			" is above all of the topology (the last one is 0x%04" PRIx32 "): entry left out", lid,
			max_lid);
	else if (fill->row[lid] != WEFT_NO_PORT && fill->row[lid] != port)
		weft__notice_add(&fill->notice[WEFT__FILL_TWICE], line,
			"LID 0x%04" PRIx32
			" again, with port %u where the table of switch 0x%016" PRIx64 " had %u before: the first is kept",
			lid, port, guid,
			(unsigned)fill->row[lid]);
	else
		fill->row[lid] = (uint8_t)port;
	if (port > fill->nports)
		weft__notice_add(&fill->notice[WEFT__FILL_BAD_PORT], line,
			"port %u for LID 0x%04" PRIx32 ", but switch 0x%016" PRIx64 " has only %u ports", port, lid, guid,
			fill->nports);
}

int weft__fill_finish(struct weft__fill *fill, const char *file,
		      struct weft_diag *diag)
{
	if (fill->top == WEFT_NONE)
		fill->top = fill->former_last;
	weft__fill_end(fill, WEFT_NONE);
	weft__notices_say(fill->notice, WEFT__FILL_DEFECTS, file, diag);
	if (!fill->tables) {
		weft_diag_at(diag, WEFT_ERROR, file, 0,
			     "no unicast forwarding table in it");
		return -EINVAL;
	}
	if (!fill->matched) {
		weft_diag_at(diag, WEFT_ERROR, file, fill->first_line,
			     "none of its %" PRIu32
			     " tables is of a switch of the topology (the first is of 0x%016" PRIx64
			     "): do the files belong together?", fill->tables,
			     fill->first_guid);
		return -EINVAL;
	}
	return 0;
}

uint32_t weft__lft_missing(const struct weft_fabric *fabric,
			   const struct weft_lft *lft, const char *file,
			   struct weft_diag *diag)
{
	uint32_t missing = 0, first = 0;

	for (uint32_t s = fabric->nsw; s-- > 0;)
		if (weft__lft_is_empty(lft, s)) {
			missing++;
			first = s;
		}
	if (missing)
		weft_diag_at(diag, WEFT_WARNING, file, 0,
			     "no table for %" PRIu32 " of %" PRIu32
			     " switches, the first is 0x%016" PRIx64, missing,
			     fabric->nsw, fabric->sw[first].guid);
	return missing;
}
