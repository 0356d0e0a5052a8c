// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reading weft-paths.dump.  The program wrote it itself, so that any line which
 * does not follow its layout is an error; a fabric that differs a little from
 * the dump's is none.
 * Layout: paths_dump.h, weft-formats(5).
 */
#include "io/formats.h"
#include "io/notice.h"
#include "io/tables/mark.h"
#include "io/tables/paths_dump.h"
#include "io/tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define OFFSETS 128		/* LMC 7 */
#define UNSET 255

enum defect { UNKNOWN_PORT, OTHER_LID, NO_SUCH_LID, MISSING_PORT, DEFECTS };

struct reader {
	const struct weft_fabric *f;
	const struct weft__source *source;
	const struct weft_lft *lft;
	struct weft_diag *diag;
	struct weft__switch_index index;
	struct weft__mark mark;
	struct weft__notice notice[DEFECTS];
	uint8_t *offset;	/* [nep] */
	uint32_t nrows;
	bool ended;
};

static int refuse(struct reader *r, const struct weft__line *line,
		  const char *what)
{
	return weft__refuse_line(r->source, line, what, r->diag);
}

/* The offset of an endport, which may be WEFT_NONE. */
static int set_offset(struct reader *r, const struct weft__line *line,
		      uint32_t e, uint32_t offset)
{
	if (e == WEFT_NONE)
		return 0;
	if (r->offset[e] != UNSET && r->offset[e] != offset)
		return refuse(r, line, "another offset for the same port");
	r->offset[e] = offset;
	return 0;
}

static bool row_columns(struct weft__line *line, uint64_t *guid, uint64_t *lid,
			uint32_t *offset)
{
	weft__expect(line, "the port GUID, 0x and hexadecimal digits");
	if (!weft__skip_0x(line, guid) || !weft__skip_char(line, ' '))
		return false;
	weft__expect(line, "the LID, 0x and hexadecimal digits");
	if (!weft__skip_0x(line, lid) || !weft__skip_char(line, ' '))
		return false;
	weft__expect(line, "the offset, a decimal number");
	if (!weft__skip_decimal(line, offset))
		return false;
	weft__skip_blanks(line);
	weft__expect(line, "# or the end of the line");
	return weft__at_end(line) || weft__skip_char(line, '#');
}

static int read_row(struct reader *r, struct weft__line line)
{
	const struct weft__line start = line;
	uint64_t guid, lid;
	uint32_t offset, e;

	if (!row_columns(&line, &guid, &lid, &offset))
		return weft__refuse_field(r->source, &start, &line,
					  "not understood", r->diag);
	if (offset >= OFFSETS)
		return refuse(r, &start, "no port has that many LIDs");
	r->nrows++;
	e = weft_fabric_endport_by_guid(r->f, guid);
	if (e != WEFT_NONE && r->f->ep[e].guid != guid)
		e = WEFT_NONE;	/* the GUID of its node */
	if (e == WEFT_NONE)
		weft__notice_add(&r->notice[UNKNOWN_PORT], start.number,
				 "port 0x%016" PRIx64
				 " is not in the topology", guid);
	else if (r->f->ep[e].lid != lid)
		weft__notice_add(&r->notice[OTHER_LID], start.number,
				 "port 0x%016" PRIx64
				 " has LID 0x%04x in the topology",
				 guid, r->f->ep[e].lid);
	return set_offset(r, &start, e, offset);
}

static int read_lines(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	uint32_t version;
	int err = 0;
	bool any = weft__lines_next(&lines, &line, &err);

	if (err)
		return err;
	if (!any || !weft__skip_text(&line, WEFT__PATHS_MAGIC) ||
	    !weft__skip_decimal(&line, &version) || !weft__at_end(&line)) {
		weft_diag_at(r->diag, WEFT_ERROR, r->source->name, 1,
			     "no weft-paths.dump: '" WEFT__PATHS_MAGIC
			     "%d' is expected",
			     WEFT__PATHS_VERSION);
		return -EINVAL;
	}
	if (version != WEFT__PATHS_VERSION)
		return refuse(r, &line,
			      "a version that this program does not know");
	while (!err && weft__lines_next(&lines, &line, &err)) {
		weft__skip_blanks(&line);
		if (weft__at_end(&line))
			continue;
		if (*line.p == '#') {
			err = weft__mark_line(&r->mark, r->source, line,
					      &r->index, r->f, r->lft, r->diag);
			continue;
		}
		if (r->ended)
			return refuse(r, &line, "text after the end");
		r->ended = weft__skip_text(&line, "end") &&
			   weft__at_end(&line);
		if (!r->ended)
			err = read_row(r, line);
	}
	return err;
}

/* Judges the whole, and sets what was not given to 0. */
static int finish(struct reader *r)
{
	const struct weft_fabric *f = r->f;
	uint32_t most = 1u << weft_fabric_lmc(f);

	if (!r->ended || (r->nrows && r->notice[UNKNOWN_PORT].count ==
				      r->nrows)) {
		weft_diag_at(r->diag, WEFT_ERROR, r->source->name, 0, "%s",
			     r->ended ?
			     "none of its ports is in the topology: do the files belong together?"
			     :
			     "cut off: there is no 'end'");
		return -EINVAL;
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		if (r->offset[e] == UNSET) {
			weft__notice_add(&r->notice[MISSING_PORT], 0,
				"nothing about port 0x%016" PRIx64
				": offset 0 assumed", f->ep[e].guid);
			r->offset[e] = 0;
		} else if (r->offset[e] >= most) {
			weft__notice_add(&r->notice[NO_SUCH_LID], 0,
				"port 0x%016" PRIx64
				" sends to offset %u, but no port has more than %u LIDs: does the topology tell LMCs?",
				f->ep[e].guid,
				r->offset[e], most);
		}
	}
	for (int i = 0; i < DEFECTS; i++)
		r->notice[i].severity = WEFT_WARNING;
	weft__notices_say(r->notice, DEFECTS, r->source->name, r->diag);
	return 0;
}

static int read_paths(const struct weft__source *source,
		      const struct weft_fabric *fabric,
		      struct weft_routes *routes, struct weft_diag *diag)
{
	struct reader r = { .f = fabric, .lft = &routes->lft,
			    .source = source, .diag = diag };
	int err = weft__switch_index_init(&r.index, fabric);

	r.offset = malloc(fabric->nep + 1ull);
	if (!r.offset)
		err = -ENOMEM;
	if (!err) {
		memset(r.offset, UNSET, fabric->nep);
		err = read_lines(&r);
	}
	if (!err)
		err = weft__mark_judge(&r.mark, source->name, diag);
	if (!err)
		err = finish(&r);
	if (err == -ENOMEM)
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "out of memory");
	if (!err) {
		free(routes->lid_offset);
		routes->lid_offset = r.offset;
		r.offset = NULL;
	}
	weft__mark_free(&r.mark);
	weft__switch_index_free(&r.index);
	free(r.offset);
	return err;
}

static bool recognises(struct weft__line l)
{
	return weft__skip_text(&l, "# weft-paths");
}

const struct weft__format weft__format_paths = {
	.row = { "weft-paths.dump", WEFT_FILE_PATHS },
	.recognises = recognises,
	.read_tables = read_paths,
	.dump = "weft-*.dump",
};
