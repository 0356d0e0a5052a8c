// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables that a dump was made with; see mark.h. */
#include "io/tables/mark.h"

#include <weft/diag.h>

#include "io/tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define RUNS 8		/* of LIDs on a line */
#define LIDS_WORD "# lids "
#define TABLE_WORD "# table "

static bool has_lid(const uint8_t *lids, unsigned lid)
{
	return lids[lid / 8] >> lid % 8 & 1;
}

/* A sum of what a table says about LIDs up to top. */
static uint64_t sum_of(const uint8_t *row, const uint8_t *lids, unsigned top)
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

/* --- writing -------------------------------------------------------------- */

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
		fputs(runs % RUNS ? " " : runs ? "\n" LIDS_WORD : LIDS_WORD,
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
		fprintf(out, TABLE_WORD "0x%016" PRIx64 " 0x%016" PRIx64 "\n",
			fabric->sw[s].guid,
			sum_of(weft_lft_row(lft, s), lids, fabric->max_lid));
	free(lids);
	return 0;
}

/* --- reading -------------------------------------------------------------- */

/* The runs of LIDs after "# lids ". */
static bool read_lids(struct weft__mark *mark, struct weft__line *line)
{
	while (!weft__at_end(line)) {
		uint64_t first, last;

		weft__expect(line, "a LID, 0x and hexadecimal digits");
		if (!weft__skip_0x(line, &first))
			return false;
		last = first;
		if (weft__skip_char(line, '-') && !weft__skip_0x(line, &last))
			return false;
		weft__expect(line, "LIDs in ascending order");
		if (first <= mark->top || last < first || last > WEFT_MAX_LID)
			return false;
		for (uint64_t lid = first; lid <= last; lid++)
			mark->lids[lid / 8] |= 1u << lid % 8;
		mark->top = (uint32_t)last;
		weft__skip_blanks(line);
	}
	return true;
}

/* The switch and the sum after "# table ". */
static bool read_table(struct weft__line *line, uint64_t *guid, uint64_t *sum)
{
	weft__expect(line, "the GUID of a switch, 0x and hexadecimal digits");
	if (!weft__skip_0x(line, guid))
		return false;
	weft__skip_blanks(line);
	weft__expect(line, "the sum of its table, 0x and hexadecimal digits");
	if (!weft__skip_0x(line, sum))
		return false;
	weft__skip_blanks(line);
	weft__expect(line, "the end of the line");
	return weft__at_end(line);
}

static void compare(struct weft__mark *mark, unsigned long line, uint32_t sw,
		    uint64_t sum, const struct weft_fabric *f,
		    const struct weft_lft *lft)
{
	/* The topology ends before the LIDs do: nobody can tell. */
	if (sw == WEFT_NONE || mark->top > lft->max_lid ||
	    weft__lft_is_empty(lft, sw))
		return;
	mark->tables++;
	if (sum_of(weft_lft_row(lft, sw), mark->lids, mark->top) != sum)
		weft__notice_add(&mark->others, line, "\"%s\" (0x%016" PRIx64
				 ")", f->sw[sw].name, f->sw[sw].guid);
}

int weft__mark_line(struct weft__mark *mark, const struct weft__source *source,
		    struct weft__line line,
		    const struct weft__switch_index *index,
		    const struct weft_fabric *fabric,
		    const struct weft_lft *lft, struct weft_diag *diag)
{
	struct weft__line start = line;
	uint64_t guid, sum;
	bool understood;

	if (!mark->lids)
		mark->lids = calloc(WEFT_MAX_LID / 8 + 1, 1);
	if (!mark->lids)
		return -ENOMEM;
	if (weft__skip_text(&line, LIDS_WORD)) {
		understood = read_lids(mark, &line);
	} else if (weft__skip_text(&line, TABLE_WORD)) {
		understood = read_table(&line, &guid, &sum);
		if (understood && lft->port)
			compare(mark, line.number,
				weft__switch_by_any_guid(index, guid), sum,
				fabric, lft);
	} else {
		return 0;
	}
	return understood ? 0 :
		weft__refuse_field(source, &start, &line, "not understood",
				   diag);
}

int weft__mark_judge(const struct weft__mark *mark, const char *file,
		     struct weft_diag *diag)
{
	const struct weft__notice *others = &mark->others;

	if (!others->count)
		return 0;
	weft_diag_at(diag, WEFT_ERROR, file, others->line,
		     "written with other forwarding tables: the entries of %"
		     PRIu64 " of %" PRIu32 " switches differ, the first is %s; "
		     "read files of one sweep, or leave this one out",
		     others->count, mark->tables, others->text);
	return -EINVAL;
}

void weft__mark_free(struct weft__mark *mark)
{
	free(mark->lids);
	mark->lids = NULL;
}
