// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finding a file's format by its content.
 *
 * Each line that only one format has is a vote for it; the format with most
 * votes wins.  So banners, prompts and error messages of a terminal log do not
 * matter, and a file need not begin with its format's first line.
 */
#include "io/compressed.h"
#include "io/formats.h"

#define LOOK ((size_t)64 << 10)		/* bytes of text that vote */

#define WEFT_FORMAT(symbol) &weft__format_##symbol,
const struct weft__format *const weft__formats[] = {
#include "io/formats.def"
	NULL
};
#undef WEFT_FORMAT

#define WEFT_FORMAT(symbol) &weft__format_##symbol.row,
static const struct weft_format *const rows[] = {
#include "io/formats.def"
	NULL
};
#undef WEFT_FORMAT

#define NFORMATS (sizeof(rows) / sizeof(*rows) - 1)

const struct weft_format *const *weft_formats(void)
{
	return rows;
}

/* Lines are looked at up to here, so that one of 10 MB costs nothing. */
#define LINE_LOOK 4096

const struct weft__format *weft__format_of(const struct weft__source *source)
{
	struct weft__lines lines = weft__lines_begin(source, NULL);
	unsigned votes[NFORMATS] = { 0 };
	struct weft__line line;
	size_t looked = 0, best = 0;
	int err = 0;

	lines.looked = lines.end; /* it is the reader that refuses NUL bytes */
	while (looked < LOOK && weft__lines_next(&lines, &line, &err)) {
		size_t length = (size_t)(line.end - line.p);

		weft__skip_blanks(&line);
		if (weft__skip_text(&line, "DR path "))
			continue;
		looked += length + 1;
		if (line.end - line.p > LINE_LOOK)
			line.end = line.p + LINE_LOOK;
		for (size_t f = 0; f < NFORMATS; f++)
			votes[f] += weft__formats[f]->recognises(line);
	}
	for (size_t f = 1; f < NFORMATS; f++)
		if (votes[f] > votes[best])
			best = f;
	return votes[best] ? weft__formats[best] : NULL;
}

const char *weft__format_hint(const struct weft__source *source)
{
	static const struct {
		const char *begin, *hint;
	} known[] = {
		{ "BZh", "it is compressed: bunzip2 it first" },
		{ "\xff\xfe", "it is UTF-16: convert it to UTF-8 first" },
		{ "\xfe\xff", "it is UTF-16: convert it to UTF-8 first" },
		{ "Switch\t : 0x",
			"a list of nodes (ibnetdiscover -l) has no cables: run ibnetdiscover without options"
			},
		{ "Ca\t : 0x",
			"a list of nodes (ibnetdiscover -l) has no cables: run ibnetdiscover without options"
			},
	};
	struct weft__line all = { .p = source->data,
				  .end = source->data + source->size };

	if (!source->size)
		return "it is empty";
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (weft__skip_text(&all, known[i].begin))
			return known[i].hint;
	return NULL;
}

int weft__format_detect(const char *path, const struct weft__format **format,
			struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, WEFT__LOOK_MAX, &source, diag);

	if (err)
		return err;
	*format = weft__format_of(&source);
	weft__source_close(&source);
	return 0;
}

int weft_io_detect(const char *path, const struct weft_format **format,
		   struct weft_diag *diag)
{
	const struct weft__format *found;
	int err = weft__format_detect(path, &found, diag);

	if (!err)
		*format = found ? &found->row : NULL;
	return err;
}
