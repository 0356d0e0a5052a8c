// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Comparing the tables that a dump was made with; see mark.h. */
#include "io/tables/mark.h"

#include <weft/diag.h>

#include "io/tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

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
	if (weft__mark_sum(weft_lft_row(lft, sw), mark->lids, mark->top) != sum)
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
	if (weft__skip_text(&line, WEFT__MARK_LIDS)) {
		understood = read_lids(mark, &line);
	} else if (weft__skip_text(&line, WEFT__MARK_TABLE)) {
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
		     "written with other forwarding tables: the entries of %" PRIu64 " of %" PRIu32
		     " switches differ, the first is %s; read files of one sweep, or leave this one out",
		     others->count, mark->tables, others->text);
	return -EINVAL;
}

void weft__mark_free(struct weft__mark *mark)
{
	free(mark->lids);
	mark->lids = NULL;
}
