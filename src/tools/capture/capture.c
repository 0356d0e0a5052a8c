// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft capture: a live fabric in files that every command reads. */
#include "config.h"
#include "tools/capture/capture.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the directory may be written to: it holds no capture, or --force was
 * given.  False after an error message. */
static bool may_write(struct tool *t, const char *directory)
{
	char path[PATH_MAX];

	if (t->args.force ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", directory,
			     CAPTURE_TOPOLOGY) >= sizeof(path) ||
	    access(path, F_OK))
		return true;
	weft_diag_at(&t->diag, WEFT_ERROR, directory, 0,
		     "there is a fabric already, which would be replaced; --force replaces it");
	return false;
}

static enum tool_status run_live(struct tool *t, const char *directory)
{
#ifdef WITH_UMAD
	return tool_capture_live(t, directory);
#else
	(void)directory;
	weft_diag_say(&t->diag, WEFT_ERROR,
		      "this weft was built without libibnetdisc, libibmad and libibumad and reads no live fabric: "
		      "install libibnetdisc-dev, libibmad-dev and libibumad-dev and build anew, or use the script weft-capture, which needs infiniband-diags alone");
	return TOOL_FAILED;
#endif
}

static enum tool_status capture_run(struct tool *t)
{
	const struct capture_options *own = t->own;
	const struct tool_list *rest = &t->args.rest;

	if (rest->n != 1)
		return tool_usage(t,
				  rest->n ? "one directory to write to, not %u"
					    :
					    "a directory to write to is needed",
				  rest->n);
	if (t->args.input.n > 1 || (t->args.input.n && !own->anonymise))
		return tool_usage(t, "-i takes one input, to be written under other names: --anonymise");
	if (own->key && !own->anonymise)
		return tool_usage(t, "--key is for --anonymise");
	if (!may_write(t, rest->item[0]))
		return TOOL_FAILED;
	if (t->args.input.n)
		return tool_capture_anonymise(t, t->args.input.item[0],
					      rest->item[0]);
	return run_live(t, rest->item[0]);
}

#define OWN(kind, field, ...)                                                  \
	TOOL_OWN(kind, struct capture_options, field, __VA_ARGS__)

static const struct tool_option capture_options[] = {
	OWN(TOOL_TEXT, ca, "Ca", 'C', "NAME",
	    "adapter to ask from (default: the first with a port that is up)"),
	OWN(TOOL_NUMBER, port, "Port", 'P', "N",
	    "port of the adapter, 0 = the first that is up", .max = 254),
	OWN(TOOL_NUMBER, timeout, "timeout", 0, "MS",
	    "milliseconds to wait for an answer", .preset = 500, .min = 1,
	    .max = 60000),
	OWN(TOOL_NUMBER, retries, "retries", 0, "N",
	    "how often to ask again then", .preset = 3, .max = 100),
	OWN(TOOL_NUMBER, outstanding, "outstanding", 0, "N",
	    "questions under way at a time", .preset = 16, .min = 1,
	    .max = 4096),
	OWN(TOOL_NUMBER, interval, "interval", 0, "SECONDS",
	    "seconds between the two readings of counters, at least",
	    .preset = 10, .max = 86400),
	OWN(TOOL_TEXT, paths, "paths", 0, "SAMPLE",
	    "ask the subnet manager for the service levels of all pairs, or of SAMPLE random ones",
	    .optional = true),
	TOOL_OPT_SEED,
	OWN(TOOL_FLAG, anonymise, "anonymise", 0, NULL,
	    "replace GUIDs, names of nodes and LIDs; figures stay the same"),
	TOOL_OPT(TOOL_LIST, input, "input", 'i', "INPUT",
		 "no live fabric: anonymise this one, a file or a directory"),
	OWN(TOOL_TEXT, key, "key", 0, "FILE",
	    "replace by this key, the same way each time (default: a random one)"),
	OWN(TOOL_FLAG, fresh, "fresh", 0, NULL,
	    "use nothing of a capture that was interrupted"),
	TOOL_OPT(TOOL_FLAG, force, "force", 0, NULL,
		 "replace the fabric in the directory"),
	TOOL_OPT(TOOL_FLAG, json, "json", 0, NULL,
		 "print as JSON what was read"),
	TOOL_OPT_CSV,
	TOOL_OPT_LAST
};

const struct tool_command tool_command_capture = {
	.name = "capture",
	.summary = "read a live fabric into a directory",
	.usage = "[OPTION]... DIRECTORY",
	.about = "Reads topology, forwarding tables, SL2VL tables, VL arbitration, multicast tables, states and counters of ports and the subnet managers of a live fabric; "
		 "the directory is an input of every command.  Nothing is ever set.  What was interrupted goes on when the command is given again.  Exit status 1: "
		 "something is missing.",
	.options = capture_options,
	.own_size = sizeof(struct capture_options),
	.run = capture_run,
};
