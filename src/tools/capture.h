/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of weft capture share. */
#ifndef WEFT_TOOLS_CAPTURE_H
#define WEFT_TOOLS_CAPTURE_H

#include "tool.h"

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

/* Reads a live fabric into the directory. */
enum tool_status tool_capture_live(struct tool *t, const char *directory);

#endif
