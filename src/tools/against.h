/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft check --against: fabrics and what they should be. */
#ifndef WEFT_TOOLS_AGAINST_H
#define WEFT_TOOLS_AGAINST_H

#include "tool.h"

/* Compares all inputs with a plan, a file or description.  any_port: as for
 * weft_against_run(). */
enum tool_status tool_against_run(struct tool *t, const char *plan,
				  bool any_port);

#endif
