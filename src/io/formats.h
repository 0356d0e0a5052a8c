/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The table of formats: what a row of it is made of; see weft/io.h.
 *
 * A new format is a file that defines a struct weft__format, and a line in
 * formats.def.  The row decides which file of a directory is read, which reader
 * gets a text, and what messages call it.
 */
#ifndef WEFT_IO_FORMATS_H
#define WEFT_IO_FORMATS_H

#include <weft/io.h>

#include "io/source.h"

struct weft__topology;

#define WEFT__FORMAT_NAMES 4

struct weft__format {
	struct weft_format row;
	/*
	 * Whether a line is one that no other format has.  Blanks before it are
	 * skipped, and of a long one only the beginning is there.
	 */
	bool (*recognises)(struct weft__line line);
	/*
	 * Kind TOPOLOGY: feeds what the text says to the topology, in the order
	 * of the text.  0, or -errno after an error with the line.
	 */
	int (*read_topology)(const struct weft__source *source,
			     struct weft__topology *topology);
	/*
	 * The other kinds: adds what the text says to the part of the routes
	 * that the kind is about.  Returns for how many switches it had a
	 * table, 0 where tables are not by switch, or -errno after an error.
	 */
	int (*read_tables)(const struct weft__source *source,
			   const struct weft_fabric *fabric,
			   struct weft_routes *routes, struct weft_diag *diag);
	/* Kind TOPOLOGY: names that such files usually have, as of fnmatch(),
	 * the surest first. */
	const char *names[WEFT__FORMAT_NAMES];
	/* Kind TOPOLOGY: what to call such files where one was expected. */
	const char *examples[WEFT__FORMAT_NAMES];
	/* A dump of that name (as of fnmatch()) should not be empty. */
	const char *dump;
	/* Kind TABLES: a file of that name holds all tables, any other one
	 * those of one switch.  NULL: every file holds all. */
	const char *whole;
};

#define WEFT_FORMAT(symbol) extern const struct weft__format \
	weft__format_##symbol;
#include "io/formats.def"
#undef WEFT_FORMAT

/* All formats, NULL-terminated, in the order of formats.def. */
extern const struct weft__format *const weft__formats[];

/* The format of a text, judged by its first 64 KiB, NULL if nobody knows it.
 * O(1) beyond that, except that the "DR path" lines of a verbose capture are
 * not counted. */
const struct weft__format *weft__format_of(const struct weft__source *source);

/* weft__format_of() of a file; 0 or -errno after an error. */
int weft__format_detect(const char *path, const struct weft__format **format,
			struct weft_diag *diag);

/*
 * Why a text of no known format cannot be read, where that can be seen
 * (compressed, UTF-16, a mere list of nodes); NULL otherwise.
 */
const char *weft__format_hint(const struct weft__source *source);

/* weft_io_read_fabric() of a text that is in memory. */
int weft__read_fabric(const struct weft__source *source,
		      struct weft_fabric **out, struct weft_diag *diag);

/*
 * Rates: "4x" and "HDR".  Unknown ones ("??", "???", or words that are no rate)
 * give 0, WEFT_SPEED_UNKNOWN.
 */
uint8_t weft__width_of(const char *text, size_t length);
uint8_t weft__speed_of(const char *text, size_t length);
/* The signalling rate of a lane in Gbit/s, rounded or not: "25", "25.78125",
 * and "FDR10". */
uint8_t weft__speed_of_gbps(const char *text, size_t length);

#endif
