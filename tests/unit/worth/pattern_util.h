/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Drawing patterns in tests, and looking at what was drawn. */
#ifndef TESTS_UNIT_PATTERN_UTIL_H
#define TESTS_UNIT_PATTERN_UTIL_H

#include <weft/weft.h>

#define SEED 20080915u

/* A pattern and all that drawing it takes. */
struct drawn {
	struct weft_traffic *t;
	struct weft_draw draw;
	struct weft_pair *pair;
	uint64_t n;		/* pairs of the round drawn last */
	uint32_t *sends, *hears;	/* [nranks] in that round */
};

struct drawn make(const char *what, uint32_t nranks);
struct drawn make_seated(const char *what, uint32_t nranks,
			 const struct weft_seat *seat);
void unmake(struct drawn *d);

/* Draws a round; checks what holds of all: ranks are in range, nobody sends to
 * itself. */
void draw(struct drawn *d, uint64_t round);

bool has_pair(const struct drawn *d, uint32_t from, uint32_t to);
/* Number of ranks that send (or hear) exactly so often. */
uint32_t ranks_with(const uint32_t *times, uint32_t nranks, uint32_t n);
/* Whoever is sent to sends back. */
bool is_symmetric(const struct drawn *d);

#endif
