/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether the places of switches agree with the cables between them. */
#ifndef WEFT_TESTS_RINGS_CHECK_H
#define WEFT_TESTS_RINGS_CHECK_H

#include "../suite.h"

#include "shapes/rings.h"

static inline bool is_cabled(const struct weft_fabric *f, uint32_t s,
			     uint32_t t)
{
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
		if (f->peer[f->adj[e]] == t)
			return true;
	return false;
}

/* t is one step from s in dimension i; nothing else differs. */
static inline void check_step(const struct weft__rings *r, uint32_t s,
			      uint32_t t, unsigned i, unsigned way)
{
	const uint32_t *a = r->at + (size_t)s * r->n;
	const uint32_t *b = r->at + (size_t)t * r->n;
	uint32_t length = r->dim[i].length;

	for (unsigned k = 0; k < r->n; k++)
		if (k != i)
			EXPECT_EQ(a[k], b[k]);
	EXPECT_EQ(b[i], (way == WEFT__ASCENDING ? a[i] + 1 : a[i] + length - 1)
		  % length);
	EXPECT(r->dim[i].ring || (b[i] > a[i]) == (way == WEFT__ASCENDING));
}

/* Neighbours are as coordinates say, and nobody else is cabled; returns the
 * gaps. */
static inline unsigned check_neighbours(const struct weft_fabric *f,
					const struct weft__rings *r,
					uint32_t s)
{
	unsigned n = 0, found = 0, gaps = 0;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
		n += e == f->adj_first[s] ||
			f->peer[f->adj[e]] != f->peer[f->adj[e - 1]];
	for (unsigned i = 0; i < r->n; i++) {
		for (unsigned way = 0; way < 2; way++) {
			uint32_t t = weft__rings_next(r, s, i, way);

			if (t == WEFT_NONE) {
				gaps += r->dim[i].ring && way;
				continue;
			}
			found++;
			EXPECT(is_cabled(f, s, t));
			check_step(r, s, t, i, way);
		}
	}
	EXPECT_EQ(found, n);
	return gaps;
}

#endif
