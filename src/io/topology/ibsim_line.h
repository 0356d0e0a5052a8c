/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The words in a line of ibsim's topologies, and what they tell. */
#ifndef WEFT_IO_TOPOLOGY_IBSIM_LINE_H
#define WEFT_IO_TOPOLOGY_IBSIM_LINE_H

#include "io/source.h"
#include "io/topology/topology.h"

struct weft__ibsim_rates {
	uint32_t width, speed, extended;	/* masks, as in PortInfo */
};

/* What a line tells behind its node or its far end. */
struct weft__ibsim_facts {
	struct weft__ibsim_rates rates;
	uint32_t lid, lmc;
	uint8_t width, speed;	/* as 4xHDR, 0 = not told */
	bool enhanced, odd_rate;
};

struct weft__ibsim_name {
	const char *text;
	size_t length;
};

/* Lanes, and enum weft_speed, that such masks allow. */
uint8_t weft__ibsim_widest(uint32_t mask);
uint8_t weft__ibsim_fastest(const struct weft__ibsim_rates *rates);

/* A number as C writes it, decimal or after 0x; with its bounds. */
bool weft__ibsim_number(struct weft__line *l, uint64_t *value);
bool weft__ibsim_small(struct weft__line *l, uint64_t min, uint64_t max,
		       uint32_t *value);
/* The masks. */
bool weft__ibsim_width(struct weft__line *l, uint32_t *mask);
bool weft__ibsim_speed(struct weft__line *l, uint32_t *mask);
bool weft__ibsim_extended(struct weft__line *l, uint32_t *mask);
/* A text in quotes. */
bool weft__ibsim_quoted(struct weft__line *l, const char **text,
			uint32_t *length);

/*
 * The rest of a line: options, #, facts, a name, facts.  Without quotes the
 * whole text is facts, or, where a name is asked for, begins with it.
 */
bool weft__ibsim_rest(struct weft__line *l, const struct weft__ibsim_rates *all,
		      struct weft__ibsim_facts *f,
		      struct weft__ibsim_name *name);

#endif
