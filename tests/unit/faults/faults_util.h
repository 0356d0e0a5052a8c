/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics from which parts are really taken, and their tables. */
#ifndef WEFT_TESTS_FAULTS_UTIL_H
#define WEFT_TESTS_FAULTS_UTIL_H

#include "../route.h"

#include <stdlib.h>

static inline struct weft_options *defaults(const char *engine)
{
	struct weft_options *o = NULL;

	ASSERT_EQ(weft_options_new(&o, weft_engine_find(engine)->options), 0);
	return o;
}

static inline int route_left(const char *engine, const struct weft_fabric *f,
			     struct weft_routes *out)
{
	struct weft_options *o = defaults(engine);
	int err;

	*out = (struct weft_routes){ .lid_offset = NULL };
	err = weft_route(weft_engine_find(engine), f, o, out, NULL);
	weft_options_free(o);
	return err;
}

static inline void route_whole(const char *engine, const struct weft_fabric *f,
			       struct weft_routes *out)
{
	ASSERT_EQ(route_left(engine, f, out), 0);
}

/* The fabric without a set; switches stay in it, without cables. */
static inline struct weft_fabric *take_away(const struct weft_fabric *f,
					    const uint32_t *part, uint32_t n)
{
	uint32_t *channel = calloc(f->nch, sizeof(*channel)), k = 0;
	struct weft_fabric *left = NULL;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t sw = part[i] & ~WEFT_PART_SWITCH;

		if (!(part[i] & WEFT_PART_SWITCH)) {
			channel[k++] = part[i];
			continue;
		}
		for (unsigned p = 1; p <= f->sw[sw].nports; p++)
			if (f->peer[weft_channel(f, sw, p)] != WEFT_NONE)
				channel[k++] = weft_channel(f, sw, p);
	}
	ASSERT_EQ(weft_fabric_without(f, channel, k, &left, NULL), 0);
	free(channel);
	return left;
}

#endif
