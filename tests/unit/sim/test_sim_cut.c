// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which switches are simulated together: parts of as many hosts, and switches
 * without hosts beside most of their neighbours. */
#include "../route.h"

#include "core/arena.h"
#include "sim/parallel/parallel.h"

#include <stdlib.h>

#define MOST 8 /* parts */

static uint32_t *cut(const struct weft_fabric *f, uint32_t n)
{
	struct weft_arena *arena = weft__arena_new();
	uint32_t *part = need(malloc(f->nsw * sizeof(*part)));

	ASSERT(weft__cut_switches(f, n, part, arena));
	weft__arena_free(arena);
	for (uint32_t s = 0; s < f->nsw; s++)
		ASSERT(part[s] < n);
	return part;
}

static uint32_t hosts_on(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s + 1] - f->sw_ep_first[s];
}

/* Each part has as many hosts as the others, up to those of one switch. */
static void check_hosts(const struct weft_fabric *f, uint32_t n,
			const uint32_t *part)
{
	uint32_t hosts[MOST] = { 0 }, most = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		hosts[part[s]] += hosts_on(f, s);
		most = hosts_on(f, s) > most ? hosts_on(f, s) : most;
	}
	for (uint32_t p = 0; p < n; p++) {
		EXPECT(hosts[p] + most >= f->nep / n);
		EXPECT(hosts[p] <= f->nep / n + most);
	}
}

/* Cables of a switch to each part; false: some lead to switches without hosts,
 * which join parts at the same time or later. */
static bool count_cables(const struct weft_fabric *f, uint32_t s,
			 const uint32_t *part, uint32_t count[MOST])
{
	memset(count, 0, MOST * sizeof(*count));
	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t to = f->peer[f->adj[i]];

		if (!hosts_on(f, to))
			return false;
		count[part[to]]++;
	}
	return true;
}

static void check_rest(const struct weft_fabric *f, uint32_t n,
		       const uint32_t *part)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t count[MOST];

		if (hosts_on(f, s) || !count_cables(f, s, part, count))
			continue;
		for (uint32_t p = 0; p < n; p++)
			EXPECT(count[p] <= count[part[s]]);
	}
}

TEST(test_parts)
{
	static const char *const specs[] = {
		"pgft:2;4,6;1,4;1,1", "pgft:2;4,6;1,4;1,1,fail-links=30%",
		"pgft:3;3,3,4;1,3,3;1,1,1,fail-links=10%,seed=2",
		"torus:5x5,hosts=2", "dragonfly:4,2,2,9", "random:20,5,3",
		"ring:9,hosts=0:2", "slimfly:5,hosts=2",
	};

	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);

		for (uint32_t n = 1; n <= MOST; n++) {
			uint32_t *part = cut(f, n);

			suite_case("%s in %u", specs[i], n);
			check_hosts(f, n, part);
			check_rest(f, n, part);
			free(part);
		}
		weft_fabric_free(f);
	}
}

/* Spines that have as many cables to each part are dealt to all. */
TEST(test_dealt)
{
	for (uint32_t n = 2; n <= 4; n++) {
		struct weft_fabric *f = route_fabric("pgft:2;4,12;1,12;1,1",
						     -1);
		uint32_t *part = cut(f, n), spines[MOST] = { 0 };

		for (uint32_t s = 0; s < f->nsw; s++)
			spines[part[s]] += !hosts_on(f, s);
		for (uint32_t p = 0; p < n; p++)
			EXPECT_EQ(spines[p], 12 / n);
		free(part);
		weft_fabric_free(f);
	}
}

/* A ring is cut into stretches on both sides of its first switch: no more than
 * two cables of a part lead to others for each stretch. */
TEST(test_ring)
{
	struct weft_fabric *f = route_fabric("ring:24,hosts=2", -1);

	for (uint32_t n = 2; n <= 6; n += 2) {
		uint32_t *part = cut(f, n), crossing = 0;

		for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
			crossing += part[f->peer[f->adj[i]]] !=
				    part[f->peer[f->reverse[f->adj[i]]]];
		/* of each of the n - 1 cuts two, told by both ends */
		EXPECT(crossing <= 4 * (n - 1));
		EXPECT(crossing >= 2 * n);
		free(part);
	}
	weft_fabric_free(f);
}

/* Switches from which no cable leads to a host are somewhere. */
TEST(test_apart)
{
	struct weft_builder *b = weft_builder_new();
	const struct weft_rate rate = { 4, WEFT_EDR };
	struct weft_fabric *f = NULL;
	uint32_t *part;

	for (unsigned i = 0; i < 4; i++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x10 + i, 4);
	for (unsigned i = 0; i < 4; i++)
		weft_builder_link(b, i / 2, 1 + i % 2,
				  weft_builder_node(b, WEFT_NODE_CA, 0x100 + i,
						    1), 1, rate);
	weft_builder_link(b, 0, 3, 1, 3, rate);
	weft_builder_link(b, 2, 1, 3, 1, rate);
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	part = cut(f, 2);
	EXPECT_NE(part[0], part[1]);
	free(part);
	weft_fabric_free(f);
}
