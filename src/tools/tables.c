// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables given with -t. */
#include "tool.h"

#include <sys/stat.h>

/* Reads a file if it is one of service levels, SL2VL tables or paths; *met
 * tells. */
static bool read_layers(struct tool *t, const char *path,
			const struct weft_fabric *f,
			struct weft_routes *routes, bool *met)
{
	const struct weft_format *format;
	struct stat st;

	*met = false;
	if (stat(path, &st) || S_ISDIR(st.st_mode))
		return true;
	if (weft_io_detect(path, &format, &t->diag))
		return false;
	*met = format && format->kind != WEFT_FILE_TOPOLOGY &&
	       format->kind != WEFT_FILE_TABLES;
	return !*met || !weft_io_add_tables(path, f, routes, &t->diag);
}

bool tool_tables_read(struct tool *t, unsigned *next,
		      const struct weft_fabric *f, struct weft_routes *out,
		      struct weft_sources *sources)
{
	const struct tool_list *list = &t->args.table;
	bool met = true;

	if (weft_io_read_tables(list->item[(*next)++], f, out, sources,
				&t->diag))
		return false;
	while (met && *next < list->n) {
		if (!read_layers(t, list->item[*next], f, out, &met)) {
			weft_routes_free(out);
			weft_sources_free(sources);
			return false;
		}
		*next += met;
	}
	return true;
}
