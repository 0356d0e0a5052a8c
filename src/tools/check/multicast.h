/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft check: multicast tables that lie beside the others. */
#ifndef WEFT_TOOLS_CHECK_MULTICAST_H
#define WEFT_TOOLS_CHECK_MULTICAST_H

#include "tools/common/record.h"
#include "tools/common/tool.h"

#include <weft/multicast.h>

/* What is told of a case. */
struct tool_multicast {
	bool there;		/* the case has groups in such tables */
	struct weft_multicast_verdict v;
};

/* Reads and judges those of a case; false after an error message. */
bool tool_multicast_make(struct tool *t, const struct tool_case *c,
			 struct tool_multicast *out);
void tool_multicast_free(struct tool_multicast *m);

/* Groups, broken ones, the load of channels. */
extern const struct tool_field tool_multicast_fields[];

/* Prints what was found, at most that many of a kind; nothing where there are
 * none. */
void tool_multicast_print(const struct weft_fabric *fabric,
			  const struct tool_multicast *m, uint32_t most,
			  FILE *out);
json_t *tool_multicast_json(const struct weft_fabric *fabric,
			    const struct tool_multicast *m, uint32_t most);

#endif
