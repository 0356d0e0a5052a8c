// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages from files: which format it is. */
#include "io/compressed.h"
#include "io/replay/build.h"

/* A schedule begins with its number of ranks, after comments; no line of a
 * trace and no comment of one does. */
static bool is_goal(const struct weft__source *source)
{
	struct weft__lines lines = weft__lines_begin(source, NULL);
	struct weft__line line;
	int err = 0;

	while (weft__lines_next(&lines, &line, &err)) {
		weft__skip_blanks(&line);
		if (!weft__at_end(&line))
			return weft__skip_text(&line, "num_ranks") ||
			       weft__skip_text(&line, "//") ||
			       weft__skip_text(&line, "/*") ||
			       weft__skip_text(&line, "rank ");
	}
	return false;
}

int weft__read_replay(const struct weft__source *source, uint32_t nranks,
		      struct weft_replay *out, struct weft_diag *diag)
{
	struct weft__build b = { .source = source,
				 .diag = diag,
				 .nranks = nranks };
	bool goal = is_goal(source);
	int err = goal ? weft__read_goal(&b) : weft__read_trace(&b);

	err = weft__build_end(&b, err, out);
	if (!err)
		out->goal = goal;
	return err;
}

int weft_replay_read(const char *path, uint32_t nranks, struct weft_replay *out,
		     struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, diag);

	if (err)
		return err;
	err = weft__read_replay(&source, nranks, out, diag);
	weft__source_close(&source);
	return err;
}
