// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables given with -t. */
#include "tools/common/tool.h"

#include <sys/stat.h>

/* Finds whether a file is one of service levels, SL2VL tables or paths. */
static bool is_layers(struct tool *t, const char *path, bool *layers)
{
	const struct weft_format *format;
	struct stat st;

	*layers = false;
	if (stat(path, &st) || S_ISDIR(st.st_mode))
		return true;
	if (weft_io_detect(path, &format, &t->diag))
		return false;
	*layers = format && format->kind != WEFT_FILE_TOPOLOGY &&
		  format->kind != WEFT_FILE_TABLES;
	return true;
}

/* Reads a file if it is one of these; *met tells. */
static bool read_layers(struct tool *t, const char *path,
			const struct weft_fabric *f,
			struct weft_routes *routes, bool *met)
{
	return is_layers(t, path, met) &&
	       (!*met || !weft_io_add_tables(path, f, routes, &t->diag));
}

bool tool_tables_count(struct tool *t, unsigned *n)
{
	const struct tool_list *list = &t->args.table;
	bool ok = true, layers;

	*n = 0;
	for (unsigned i = 0; i < list->n && ok; i++) {
		ok = is_layers(t, list->item[i], &layers);
		*n += !i || !layers;
	}
	return ok;
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
