/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of weft capture share. */
#ifndef WEFT_TOOLS_CAPTURE_CAPTURE_H
#define WEFT_TOOLS_CAPTURE_CAPTURE_H

#include "tools/common/tool.h"

#define CAPTURE_TOPOLOGY "fabric.ibnetdiscover"
#define CAPTURE_LFTS "opensm-lfts.dump"
#define CAPTURE_SL2VL "opensm-sl2vl.dump"
#define CAPTURE_SL "weft-sl.dump"
#define CAPTURE_PATHS "weft-paths.dump"
#define CAPTURE_SUMMARY "weft-capture.txt"

/* Values of the options of weft capture. */
struct capture_options {
	const char *ca, *paths, *key;
	int64_t port, timeout, retries, outstanding, interval;
	bool fresh, anonymise;
};

/* --- alias.c -------------------------------------------------------------- */

/* Aliases by the key of --key, or by one of this run; false after an error. */
bool tool_capture_aliases(struct tool *t, const struct weft_fabric *f,
			  struct weft_aliases **out);
/* Writes the topology and the kinds (bits of enum weft_file_kind) of tables
 * that there are, and removes others.  False after an error message. */
bool tool_capture_write(struct tool *t, const char *directory,
			const struct weft_fabric *f,
			const struct weft_routes *routes, unsigned kinds);
/* Writes an input under its aliases. */
enum tool_status tool_capture_anonymise(struct tool *t, const char *input,
					const char *directory);

/* --- live.c --------------------------------------------------------------- */

/* Reads a live fabric into the directory. */
enum tool_status tool_capture_live(struct tool *t, const char *directory);

#endif
