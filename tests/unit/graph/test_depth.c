// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a switch keeps together, against taking out each one. */
#include "core/arena.h"
#include "core/fabric/components.h"
#include "graph/depth.h"

#include "../route.h"

#include <stdlib.h>

static const char *const fabrics[] = {
	"full:2,hosts=2", "ring:7,hosts=1", "mesh:6,hosts=1", "star:5,hosts=2",
	"pgft:3;3,3,3;1,1,1;1,1,1", "pgft:3;3,2,4;1,2,1;1,2,1",
	"mesh:4x5,hosts=1,fail-links=30%,keep-connected=yes,seed=3",
	"mesh:4x5,hosts=1,fail-links=50%,keep-connected=no,seed=4",
	"torus:4x4,hosts=1,fail-links=40%,keep-connected=no,seed=5",
	"random:20,3,2,seed=6",
	"random:30,3,2,fail-links=3,keep-connected=no,seed=7",
	"dragonfly:4,2,1,3,fail-switches=2,seed=8",
};
enum { NFABRICS = sizeof(fabrics) / sizeof(fabrics[0]) };

/* Returns how many pairs lose touch, or were never in touch, without sw. */
static uint64_t check(const struct weft_fabric *f, const struct weft__depth *d,
		      uint32_t sw)
{
	uint32_t *part = calloc(f->nsw, sizeof(*part));
	uint32_t *queue = calloc(f->nsw, sizeof(*queue));
	bool *avoid = calloc(f->nsw, sizeof(*avoid));
	uint64_t n = 0;

	ASSERT(part && queue && avoid);
	avoid[sw] = true;
	weft__components_around(f, avoid, part, queue);
	for (uint32_t a = 0; a < f->nsw; a++)
		for (uint32_t b = 0; b < f->nsw; b++) {
			if (a == sw || b == sw)
				continue;
			EXPECT_EQ(weft__depth_parts(d, sw, a, b),
				  part[a] != part[b]);
			n += part[a] != part[b];
		}
	free(part);
	free(queue);
	free(avoid);
	return n;
}

TEST(test_each_switch)
{
	unsigned parted = 0;

	for (unsigned i = 0; i < NFABRICS; i++) {
		struct weft_fabric *f = route_fabric(fabrics[i], -1);
		struct weft_arena *arena = weft__arena_new();
		struct weft__depth d;

		ASSERT(weft__depth_init(&d, f, arena));
		for (uint32_t s = 0; s < f->nsw; s++)
			parted += check(f, &d, s) > 0;
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
	/* else nothing was tested */
	EXPECT(parted > 50);
}
