/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Many names in few words. */
#ifndef WEFT_TOOLS_COMMON_FOLD_H
#define WEFT_TOOLS_COMMON_FOLD_H

#include "tools/common/tool.h"

/*
 * The first words of the names of nodes with these endports, as Slurm writes
 * them: "login1, node[001-016,020]"; sorted, each once; GUIDs of those without
 * a name.  malloc()ed; NULL without memory.
 */
char *tool_fold_hosts(const struct weft_fabric *f, const uint32_t *endport,
		      uint32_t n);
/* The same of any names, up to their first blank.  Slurm takes nothing behind
 * brackets: names that do not end in a digit are written out. */
char *tool_fold_names(const char *const *said, uint32_t n);
/* Numbers, ascending, as "1-4, 7".  malloc()ed; NULL without memory. */
char *tool_fold_numbers(const uint32_t *number, uint32_t n);
/* Prints text like tool_text_wrap(), that many lines of it at most; how to get
 * the rest stands behind that. */
void tool_fold_print(FILE *out, int used, int indent, const char *text,
		     unsigned lines);

#endif
