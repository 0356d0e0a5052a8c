/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of src/io know of each other's formats. */
#ifndef WEFT_IO_FORMATS_H
#define WEFT_IO_FORMATS_H

#include <weft/io.h>

#include "io/source.h"

struct weft__topology;

/* The format of a text, judged by its first 64 KiB; O(1) beyond that, except
 * that the "DR path" lines of a verbose capture are not counted. */
enum weft_format weft__format_of(const struct weft__source *source);

/*
 * Why a text of no known format cannot be read, where that can be seen
 * (compressed, UTF-16, a mere list of nodes); NULL otherwise.
 */
const char *weft__format_hint(const struct weft__source *source);

/*
 * The topology readers: each feeds what the text says to the topology, in the
 * order of the text.  0, or -errno after an error with the line.
 */
int weft__read_ibnetdiscover(const struct weft__source *source,
			     struct weft__topology *topology);
int weft__read_rows(const struct weft__source *source,
		    struct weft__topology *topology);
int weft__read_subnet_lst(const struct weft__source *source,
			  struct weft__topology *topology);

/* weft_io_read_fabric() of a text that is in memory. */
int weft__read_fabric(const struct weft__source *source,
		      struct weft_fabric **out, struct weft_diag *diag);

/*
 * Rates: "4x" and "HDR".  Unknown ones ("??", "???", or words that are no rate)
 * give 0, WEFT_SPEED_UNKNOWN.
 */
uint8_t weft__width_of(const char *text, size_t length);
uint8_t weft__speed_of(const char *text, size_t length);

#endif
