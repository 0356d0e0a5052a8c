/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft --list-options. */
#ifndef WEFT_TOOLS_OPTION_LIST_H
#define WEFT_TOOLS_OPTION_LIST_H

#include "tools/common/tool.h"

/* Prints the n commands, their options and what values these take; the lines
 * are described in option_list.c. */
void tool_option_list(FILE *out, const struct tool_command *const *commands,
		      size_t n);

#endif
