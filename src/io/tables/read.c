// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading tables of whichever format. */
#include "io/compressed.h"
#include "io/formats.h"
#include "io/tables/tables.h"

#include <errno.h>

/* 0, or -EINVAL after an error when the text plainly holds no forwarding
 * tables.  Text of no known format is left to the grammar. */
static int check_tables(const struct weft__source *source,
			const struct weft__format *format,
			struct weft_diag *diag)
{
	const char *hint = weft__format_hint(source);

	if (format && format->row.kind == WEFT_FILE_TABLES)
		return 0;
	if (format)
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "this is %s, which holds no forwarding tables",
			     format->row.name);
	else if (hint)
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "no forwarding tables: %s", hint);
	else
		return 0;
	return -EINVAL;
}

/* A text's own format if it is of that kind, else the first one of the kind,
 * which says what is wrong with the text. */
static const struct weft__format *of_kind(const struct weft__format *own,
					  enum weft_file_kind kind)
{
	const struct weft__format *const *f = weft__formats;

	if (own && own->row.kind == kind)
		return own;
	while ((*f)->row.kind != kind)
		f++;
	return *f;
}

static int read_text(const struct weft__source *source,
		     enum weft_file_kind kind, const struct weft_fabric *fabric,
		     struct weft_routes *routes, struct weft_diag *diag)
{
	const struct weft__format *format = weft__format_of(source);
	int err = 0;

	if (kind == WEFT_FILE_TABLES)
		err = check_tables(source, format, diag);
	if (err)
		return err;
	return of_kind(format, kind)->read_tables(source, fabric, routes, diag);
}

int weft__read_tables(const char *path, enum weft_file_kind kind,
		      const struct weft_fabric *fabric,
		      struct weft_routes *routes, struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, diag);

	if (err)
		return err;
	err = read_text(&source, kind, fabric, routes, diag);
	weft__source_close(&source);
	return err;
}

int weft_io_lft_init(const struct weft_fabric *fabric, struct weft_lft *lft)
{
	return weft_lft_init(lft, fabric->nsw, fabric->max_lid);
}

int weft_io_read_lft(const char *path, const struct weft_fabric *fabric,
		     struct weft_lft *lft, struct weft_diag *diag)
{
	struct weft_routes routes = { .lft = *lft };
	int tables = weft__read_tables(path, WEFT_FILE_TABLES, fabric, &routes,
				       diag);

	/* A single table is one of a file for each switch. */
	if (tables > 1)
		weft__lft_missing(fabric, lft, path, diag);
	return tables < 0 ? tables : 0;
}

static int read_layers(const char *path, enum weft_file_kind kind,
		       const struct weft_fabric *fabric,
		       struct weft_layers *layers, struct weft_diag *diag)
{
	struct weft_routes routes = { .layers = *layers };
	int err = weft__read_tables(path, kind, fabric, &routes, diag);

	*layers = routes.layers;
	return err < 0 ? err : 0;
}

int weft_io_read_sl2vl(const char *path, const struct weft_fabric *fabric,
		       struct weft_layers *layers, struct weft_diag *diag)
{
	return read_layers(path, WEFT_FILE_SL2VL, fabric, layers, diag);
}

int weft_io_read_sl(const char *path, const struct weft_fabric *fabric,
		    struct weft_layers *layers, struct weft_diag *diag)
{
	return read_layers(path, WEFT_FILE_SL, fabric, layers, diag);
}

int weft_io_read_paths(const char *path, const struct weft_fabric *fabric,
		       struct weft_routes *routes, struct weft_diag *diag)
{
	int err = weft__read_tables(path, WEFT_FILE_PATHS, fabric, routes,
				    diag);

	return err < 0 ? err : 0;
}

int weft_io_add_tables(const char *path, const struct weft_fabric *fabric,
		       struct weft_routes *routes, struct weft_diag *diag)
{
	const struct weft__format *format;
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, diag);

	if (err)
		return err;
	format = weft__format_of(&source);
	if (format && format->row.kind != WEFT_FILE_TOPOLOGY) {
		err = format->read_tables(&source, fabric, routes, diag);
	} else {
		weft_diag_at(diag, WEFT_ERROR, path, 0, "no tables here");
		err = -EINVAL;
	}
	weft__source_close(&source);
	return err < 0 ? err : 0;
}
