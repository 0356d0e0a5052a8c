// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft standing: what stands in a subnet manager, by the file that its plugin
 * leaves. */
#include "tools/standing/standing.h"

#include <limits.h>
#include <stdlib.h>

#define NAME "weft-standing"
#define CACHE "/var/cache/opensm"	/* OpenSM's own default */

/* The file in OpenSM's cache, by its own rule. */
static const char *usual_file(char path[PATH_MAX])
{
	const char *directory = getenv("OSM_CACHE_DIR");

	if (!directory || !*directory)
		directory = CACHE;
	snprintf(path, PATH_MAX, "%s/" NAME, directory);
	return path;
}

static bool find_away(struct tool *t, struct tool_standing *s)
{
	const struct weft_diff_side now = {
		s->stored.now.fabric, &s->stored.now.routes,
	}, home = { s->home->fabric, &s->home->routes };

	return !weft_away_find(&now, &home, &s->away) || tool_no_memory(t);
}

static bool report(struct tool *t, struct tool_standing *s)
{
	FILE *out;

	if (!find_away(t, s))
		return false;
	tool_phase_end(t);
	out = tool_output_open(t, t->args.output);
	if (out)
		tool_standing_report(t, s, out);
	return out;
}

static enum tool_status standing_run(struct tool *t)
{
	const struct tool_list *rest = &t->args.rest;
	struct tool_standing s = { .file = NULL };
	char path[PATH_MAX];
	bool ok;

	if (rest->n > 1)
		return tool_usage(t, "one file is reported on at a time");
	tool_output_by_name(t);
	s.file = rest->n ? rest->item[0] : usual_file(path);
	tool_output_input(NULL, s.file);
	if (weft_stored_read(s.file, &s.stored, &t->diag))
		return TOOL_FAILED;
	s.home = s.stored.home.fabric ? &s.stored.home : &s.stored.now;
	ok = report(t, &s);
	weft_away_free(&s.away);
	weft_stored_free(&s.stored);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option standing_options[] = {
	TOOL_OPT(TOOL_NUMBER, hottest, "top", 0, "N",
		 "missing parts, and cables that flap, to list", .preset = 10, .max = 1000000),
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_standing = {
	.name = "standing",
	.summary = "say what stands in a subnet manager, and since when",
	.usage = "[OPTION]... [FILE]",
	.about = "Reads the file in which a plugin keeps the tables that stand, weft-standing in OpenSM's cache directory (/var/cache/opensm, or $OSM_CACHE_DIR) unless FILE is given: "
		 "which engine routed the fabric and when, since when tables are as they are, how many entries are other ones than as it was routed, and on account of which missing cables, switches and hosts; "
		 "what tables routed anew would gain (the debt), and which cables came and went of late.",
	.options = standing_options,
	.run = standing_run,
};
