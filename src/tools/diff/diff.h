/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft diff: two sets of tables, and the way from one to the other. */
#ifndef WEFT_TOOLS_DIFF_DIFF_H
#define WEFT_TOOLS_DIFF_DIFF_H

#include "tools/check/against.h"
#include "tools/common/figures.h"

/* One side. */
struct tool_side {
	struct weft_input *input;	/* of its own, or of the other side */
	struct weft_input own_input;
	struct weft_fabric *told;	/* with LMCs or LIDs that were added */
	struct weft_routes own_routes;
	struct weft_sources own_sources;
	char *label;		/* of its own, or NULL */
	struct tool_case c;	/* what the two stand for */
	struct tool_figures figures;
};

struct tool_diff {
	struct tool_side side[2];
	struct weft_diff found;
	struct weft_against fabric;	/* n = 0: the same */
	bool has_transition;
	struct weft_transition transition;
	bool same;
};

/* --- sides.c -------------------------------------------------------------- */

/* Opens both sides, as inputs, -t and -e say.  False after an error message. */
bool tool_sides_open(struct tool *t, struct tool_side side[2]);
void tool_sides_close(struct tool_side side[2]);

/* --- report.c ------------------------------------------------------------- */

/* most: switches, LIDs and parts to show of each kind. */
void tool_diff_print(const struct tool_diff *d, uint64_t most, FILE *out);
void tool_diff_json(const struct tool_diff *d, uint64_t most, FILE *out);
void tool_diff_csv(const struct tool_diff *d, FILE *out);
/* The safe order, a line "GUID name" for each switch. */
void tool_diff_order(const struct tool_diff *d, FILE *out);

#endif
