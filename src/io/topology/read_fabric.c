// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading a topology of whichever format. */
#include "io/compressed.h"
#include "io/formats.h"
#include "io/topology/topology.h"

#include <errno.h>

/* "a, b or c" of the files that topologies are usually in. */
static void list_examples(char *text, size_t size)
{
	const char *last = NULL;
	size_t n = 0;

	*text = '\0';
	for (const struct weft__format *const *f = weft__formats; *f; f++)
		for (unsigned i = 0; i < WEFT__FORMAT_NAMES; i++) {
			if (!(*f)->examples[i])
				continue;
			if (last && n < size)
				n += snprintf(text + n, size - n, "%s%s",
					      n ? ", " : "", last);
			last = (*f)->examples[i];
		}
	if (last && n < size)
		snprintf(text + n, size - n, "%s%s", n ? " or " : "", last);
}

static int unreadable(const struct weft__source *source,
		      const struct weft__format *format,
		      struct weft_diag *diag)
{
	const char *hint = weft__format_hint(source);
	char examples[512];

	list_examples(examples, sizeof(examples));
	if (format)
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "this is %s, which holds tables and no topology",
			     format->row.name);
	else
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "not a topology%s%s; expected %s",
			     hint ? ": " : "", hint ? hint : "", examples);
	return -EINVAL;
}

int weft__read_fabric(const struct weft__source *source,
		      struct weft_fabric **out, struct weft_diag *diag)
{
	const struct weft__format *format = weft__format_of(source);
	struct weft__topology topology;
	int err;

	if (!format || format->row.kind != WEFT_FILE_TOPOLOGY)
		return unreadable(source, format, diag);
	err = weft__topology_init(&topology, source->name, diag);
	if (err)
		return err;
	err = format->read_topology(source, &topology);
	if (!err)
		err = weft__topology_finish(&topology, out);
	weft__topology_free(&topology);
	return err;
}

int weft_io_read_fabric(const char *path, struct weft_fabric **out,
			struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, diag);

	if (err)
		return err;
	err = weft__read_fabric(&source, out, diag);
	weft__source_close(&source);
	return err;
}
