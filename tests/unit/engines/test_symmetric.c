// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Symmetric fabrics under the tree engines: every cable between switches
 * carries something, and a ring in the order of the hosts has as few streams on
 * a channel as its cables allow.
 */
#include "../route.h"

#include <errno.h>

static const char *const fabrics[] = {
	"rack216", "rack432", "rack648", "switch648",
	"pgft:2;6,8;1,3;1,2", "pgft:3;4,4,4;1,4,4;1,1,1", "kary:4;3", NULL
};
static const char *const engines[] = {
	"eft", "beft", "sftree", "vftree", "eftree", "mftree", "dmodk", "weave",
	NULL
};

/* Returns false where dmodk refuses racks, which are no generalized fat tree. */
static bool route_symmetric(const char *engine, const struct weft_fabric *f,
			    struct weft_routes *r)
{
	int err = route_by(engine, NULL, f, r, NULL);

	EXPECT(!err || (err == -ENOTSUP && !strcmp(engine, "dmodk") &&
	       f->sw[0].name[0] == 'r'));
	return !err;
}

TEST(test_all_used)
{
	const struct weft_proof_spec spec = { .loads = true };

	for (unsigned i = 0; fabrics[i]; i++) {
		struct weft_fabric *f = route_fabric(fabrics[i], -1);

		for (unsigned k = 0; engines[k]; k++) {
			struct weft_routes r = { 0 };
			struct weft_proof p;

			if (!route_symmetric(engines[k], f, &r))
				continue;
			ASSERT_EQ(weft_proof_run(f, &r, &spec, &p, NULL), 0);
			if (p.load_zero)
				printf("\n%s, %s: %u channels carry nothing\n",
				       fabrics[i], engines[k],
				       (unsigned)p.load_zero);
			EXPECT_EQ(p.load_zero, 0);
			weft_proof_free(&p);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* Returns the bandwidth of the slowest stream of a ring by names. */
static double slowest_of_ring(const struct weft_fabric *f,
			      const struct weft_routes *r)
{
	const struct weft_mapping_spec by_name = { .order = WEFT_ORDER_NAME };
	struct weft_model_spec spec = { .samples = 1, .seed = 1 };
	struct weft_mapping mapping = { 0 };
	struct weft_traffic *ring = NULL;
	struct weft_model model;
	double slowest;

	ASSERT_EQ(weft_mapping_init(&mapping, f, &by_name, NULL), 0);
	ASSERT_EQ(weft_traffic_new("ring:both", mapping.nranks, &ring, NULL),
		  0);
	spec.traffic = ring;
	spec.mapping = &mapping;
	ASSERT_EQ(weft_model_run(f, r, &spec, &model, NULL), 0);
	slowest = model.slowest;
	weft_model_free(&model);
	weft_traffic_free(ring);
	weft_mapping_free(&mapping);
	return slowest;
}

TEST(test_natural_rings)
{
	for (unsigned i = 0; fabrics[i]; i++) {
		struct weft_fabric *f = route_fabric(fabrics[i], -1);

		for (unsigned k = 0; engines[k]; k++) {
			struct weft_routes r = { 0 };

			if (!route_symmetric(engines[k], f, &r))
				continue;
			EXPECT(slowest_of_ring(f, &r) >= .5);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}
