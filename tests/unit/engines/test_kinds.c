// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hosts of several kinds: what stands between the compute nodes of a leaf does not
 * push their routes from where they meet nobody.
 */
#include "../route.h"

#include <weft/worth.h>

#include <stdlib.h>

static const char *const kinds[] = { "compute", "storage" };

/* Has every n-th host on a leaf be storage. */
static void give_kinds(struct weft_fabric *f, unsigned n)
{
	uint8_t *use = calloc(f->nep, 1);

	for (uint32_t e = 0; e < f->nep; e++)
		use[e] = f->ep[e].sw_port % n == n / 2 + 1;
	ASSERT_EQ(weft_fabric_use(f, use, kinds, 2), 0);
	free(use);
}

/* Lists the hosts of a kind, leaf by leaf. */
static uint32_t list_kind(const struct weft_fabric *f, uint8_t use,
			  uint32_t *host)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nep; i++)
		if (f->ep[f->sw_endport[i]].use == use)
			host[n++] = f->sw_endport[i];
	return n;
}

/* The most streams on a cable when each host of a kind sends to the one that is
 * shift places on. */
static unsigned busiest(const struct weft_fabric *f, const struct weft_lft *lft,
			const uint32_t *host, uint32_t n, uint32_t shift)
{
	unsigned *streams = calloc(f->nch, sizeof(*streams)), most = 0;
	uint32_t path[64];
	size_t hops;

	for (uint32_t i = 0; i < n; i++) {
		weft_lft_walk(f, lft, f->ep[host[i]].sw,
			      f->ep[host[(i + shift) % n]].lid,
			      (struct weft_walk_path){ path, 64 }, &hops);
		for (size_t k = 0; k + 1 < hops; k++)
			if (++streams[path[k]] > most)
				most = streams[path[k]];
	}
	free(streams);
	return most;
}

TEST(shifts_of_a_kind)
{
	static const struct {
		const char *spec;
		unsigned every;
	} fabric[] = {
		{ "pgft:2;3,4;1,2;1,1", 3 },
		{ "pgft:2;5,8;1,4;1,1", 5 },
		{ "pgft:2;9,16;1,8;1,1", 9 },
		{ "pgft:3;5,4,4;1,4,4;1,1,1", 5 },
	};
	static const char *const engine[] = { "weave", "eftree", "beft",
					      "psssp" };

	for (size_t i = 0; i < sizeof(fabric) / sizeof(fabric[0]); i++)
		for (size_t k = 0; k < sizeof(engine) / sizeof(*engine); k++) {
			struct weft_fabric *f = route_fabric(fabric[i].spec, -1);
			uint32_t *host = malloc(f->nep * sizeof(*host));
			struct weft_routes routes = { 0 };
			uint32_t n;

			suite_case("%s %s", fabric[i].spec, engine[k]);
			give_kinds(f, fabric[i].every);
			ASSERT_EQ(route_by(engine[k], NULL, f, &routes, NULL),
				  0);
			for (uint8_t use = 0; use < 2; use++) {
				unsigned most = 0;

				n = list_kind(f, use, host);
				for (uint32_t s = 1; s < n; s++) {
					unsigned m = busiest(f, &routes.lft,
							     host, n, s);

					most = m > most ? m : most;
				}
				EXPECT_EQ(most, 1);
			}
			weft_routes_free(&routes);
			free(host);
			weft_fabric_free(f);
		}
}

static double uniform(const struct weft_fabric *f, const char *engine)
{
	const struct weft_saturation_spec spec = { .all_hosts = false };
	struct weft_routes routes = { 0 };
	struct weft_saturation got;

	ASSERT_EQ(route_by(engine, NULL, f, &routes, NULL), 0);
	ASSERT_EQ(weft_saturation_run(f, &routes, &spec, &got, NULL), 0);
	weft_routes_free(&routes);
	return got.even;
}

/* Loads are eased where cables are missing, kinds or not. */
TEST(eased_with_kinds)
{
	static const struct {
		const char *spec;
		unsigned every;
	} fabric[] = {
		{ "pgft:2;17,24;1,8;1,2,fail-links=4%", 17 },
		{ "torus:6x6,hosts=3,fail-links=2%", 3 },
		{ "dragonfly:4,3,2,9,fail-links=2%", 3 },
	};

	for (size_t i = 0; i < sizeof(fabric) / sizeof(fabric[0]); i++) {
		struct weft_fabric *f = route_fabric(fabric[i].spec, -1);
		double without = uniform(f, "weave");

		suite_case("%s", fabric[i].spec);
		give_kinds(f, fabric[i].every);
		EXPECT(uniform(f, "weave") >= without * .97);
		weft_fabric_free(f);
	}
}

/* Has hosts be storage anywhere, more of them on some leaves than on others. */
static void scatter_kinds(struct weft_fabric *f, uint64_t seed)
{
	struct weft_rng *rng = weft_rng_new(seed);
	uint8_t *use = calloc(f->nep, 1);

	for (uint32_t e = 0; e < f->nep; e++)
		use[e] = weft_rng_below(rng, 10) < 3;
	ASSERT_EQ(weft_fabric_use(f, use, kinds, 2), 0);
	free(use);
	weft_rng_free(rng);
}

/* In a whole tree all traffic is as even with kinds as without. */
TEST(even_with_kinds)
{
	static const char *const specs[] = {
		"pgft:2;18,24;1,18;1,1",
		"pgft:2;16,12;1,8;1,2",
		"pgft:3;8,8,16;1,8,8;1,1,1",
		"pgft:3;8,8,8;1,8,4;1,1,1",
		"pgft:3;4,4,6;1,4,4;1,2,1",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct weft_fabric *f = route_fabric(specs[i], -1);
			double without = uniform(f, "weave");

			suite_case("%s %llu", specs[i],
				   (unsigned long long)seed);
			scatter_kinds(f, seed);
			EXPECT(uniform(f, "weave") >= without * .999);
			weft_fabric_free(f);
		}
}
