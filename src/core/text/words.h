/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sentences about a fabric, put together word by word. */
#ifndef WEFT_CORE_WORDS_H
#define WEFT_CORE_WORDS_H

#include <weft/fabric.h>

/* A line in a buffer, and whether it did not fit. */
struct weft__words {
	char *buf;
	size_t size, used;
	bool cut;
};

/* Adds what there is room for as a whole. */
void weft__words_add(struct weft__words *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Ends a line that did not fit with "...". */
void weft__words_end(struct weft__words *w);

/* Adds "name" (0xguid).  Bytes of the name that would spoil a terminal become
 * '?'. */
void weft__words_name(struct weft__words *w, const char *name, uint64_t guid);
/* Adds the two ends of a channel between switches, with their ports. */
void weft__words_cable(struct weft__words *w, const struct weft_fabric *f,
		       uint32_t channel);

/* "4x EDR", "unknown", "4x of unknown speed": a rate, in buf. WEFT__RATE() has
 * a buffer of its own, which lasts as long as the block that it is in. */
#define WEFT__RATE_SIZE 32
const char *weft__rate_text(char buf[WEFT__RATE_SIZE], unsigned width,
			    enum weft_speed speed);
#define WEFT__RATE(width, speed) \
	weft__rate_text((char[WEFT__RATE_SIZE]){ 0 }, (width), (speed))

#endif
