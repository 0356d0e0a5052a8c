// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading a topology of whichever format. */
#include "io/formats.h"
#include "io/topology.h"

#include <errno.h>

static int (*reader_of(enum weft_format format))(const struct weft__source *,
						 struct weft__topology *)
{
	switch (format) {
	case WEFT_FORMAT_IBNETDISCOVER:
		return weft__read_ibnetdiscover;
	case WEFT_FORMAT_ROWS:
		return weft__read_rows;
	case WEFT_FORMAT_SUBNET_LST:
		return weft__read_subnet_lst;
	default:
		return NULL;
	}
}

static int unreadable(const struct weft__source *source,
		      enum weft_format format, struct weft_diag *diag)
{
	const char *hint = weft__format_hint(source);

	if (format != WEFT_FORMAT_UNKNOWN)
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "this is %s, which holds tables and no topology",
			     weft_format_name(format));
	else
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "not a topology%s%s; expected the output of "
			     "ibnetdiscover (with or without -p), "
			     "ibdiagnet2.ibnetdiscover, opensm-subnet.lst or "
			     "ibdiagnet2.lst", hint ? ": " : "",
			     hint ? hint : "");
	return -EINVAL;
}

int weft__read_fabric(const struct weft__source *source,
		      struct weft_fabric **out, struct weft_diag *diag)
{
	enum weft_format format = weft__format_of(source);
	int (*read)(const struct weft__source *, struct weft__topology *) =
		reader_of(format);
	struct weft__topology topology;
	int err;

	if (!read)
		return unreadable(source, format, diag);
	err = weft__topology_init(&topology, source->name, diag);
	if (err)
		return err;
	err = read(source, &topology);
	if (!err)
		err = weft__topology_finish(&topology, out);
	weft__topology_free(&topology);
	return err;
}

int weft_io_read_fabric(const char *path, struct weft_fabric **out,
			struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	err = weft__read_fabric(&source, out, diag);
	weft__source_close(&source);
	return err;
}
