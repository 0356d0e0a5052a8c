// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Classes of traffic, which have their dependencies to themselves: lanes if
 * packets stay in theirs by both sets of tables, else SLs.
 */
#include "transition/run.h"

#include <string.h>

/* The lanes of an SL by that set's tables, in the first of which it is
 * used. */
static void plain_lanes(struct weft__transit *t)
{
	for (unsigned k = 0; k < 2; k++) {
		const struct weft_layers *layers = &t->routes[k]->layers;
		uint16_t used = t->lanes[1 - k].used & ~t->lanes[k].used;

		for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
			uint8_t vl;

			if (!(used >> sl & 1))
				continue;
			if (layers->sl2vl) {
				t->mixed = true;
				continue;
			}
			vl = weft_layers_vl(layers, t->fabric, 0, 0, 0, sl);
			t->lanes[k].of_sl[sl] = vl;
			if (vl >= t->nlanes)
				t->nlanes = vl + 1;
		}
	}
}

int weft__transit_lanes(struct weft__transit *t, struct weft_diag *diag)
{
	for (unsigned k = 0; k < 2; k++) {
		int err = weft__proof_lanes_init(&t->lanes[k], t->fabric,
						 &t->routes[k]->layers,
						 t->scratch, diag);

		if (err)
			return err;
		t->mixed |= t->lanes[k].mixed;
		if (t->lanes[k].nlanes > t->nlanes)
			t->nlanes = t->lanes[k].nlanes;
	}
	plain_lanes(t);
	if (t->mixed)
		t->nlanes = WEFT_MAX_LANES;
	return weft__cdg_init(&t->waits, t->fabric, t->nlanes, t->mixed);
}

/* Returns the classes of an SL: itself, or its lanes by both sets. */
static inline uint16_t class_of(const struct weft__transit *t, unsigned sl)
{
	return t->mixed ? 1u << sl :
			  1u << t->lanes[0].of_sl[sl] |
				  1u << t->lanes[1].of_sl[sl];
}

void weft__transit_classes(struct weft__transit *t, unsigned lid,
			   uint16_t *classes)
{
	const struct weft_fabric *f = t->fabric;

	memset(classes, 0, f->nsw * sizeof(*classes));
	for (unsigned k = 0; k < 2; k++) {
		struct weft__sls sls = weft__proof_lanes_sls(&t->lanes[k], lid);

		for (uint32_t s = 0; s < f->nsw; s++) {
			uint32_t i = f->sw_ep_first[s];
			uint32_t end = f->sw_ep_first[s + 1];

			if (i == end)
				continue;
			if (!sls.by_endport)
				classes[s] |= class_of(
					t, sls.by_switch ? sls.by_switch[s] :
							   sls.one);
			for (; sls.by_endport && i < end; i++)
				classes[s] |= class_of(t, sls.by_endport[i]);
		}
	}
}
