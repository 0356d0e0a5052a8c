// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* parts: each kind of hosts has the entries of its own engine. */
#include "../route.h"

#include <errno.h>

static const char *const kinds[] = { "compute", "storage" };

/* Every third host is storage. */
static struct weft_fabric *make(void)
{
	struct weft_fabric *f = route_fabric("pgft:2;6,6;1,3;1,1", -1);
	uint8_t use[36];

	for (uint32_t e = 0; e < f->nep; e++)
		use[e] = e % 3 == 1;
	ASSERT_EQ(weft_fabric_use(f, use, kinds, 2), 0);
	return f;
}

static void check(const char *engines, const char *compute,
		  const char *storage, const char *switches)
{
	struct weft_fabric *f = make();
	struct weft_routes r = { 0 }, own[3] = { { .lid_offset = NULL } };
	const char *const engine[] = { compute, storage, switches };

	suite_case("%s", engines);
	ASSERT_EQ(route_by("parts", engines, f, &r, NULL), 0);
	for (unsigned i = 0; i < 3; i++)
		ASSERT_EQ(route_by(engine[i], NULL, f, &own[i], NULL), 0);
	for (uint32_t lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = f->lid_owner[lid];
		unsigned part = weft_is_switch(owner) ? 2 :
			f->ep[owner & ~WEFT_ENDPORT].use;

		if (owner == WEFT_NONE)
			continue;
		for (uint32_t s = 0; s < f->nsw; s++)
			EXPECT_EQ(weft_lft_get(&r.lft, s, lid),
				  weft_lft_get(&own[part].lft, s, lid));
	}
	for (unsigned i = 0; i < 3; i++)
		weft_routes_free(&own[i]);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

TEST(each_kind_has_its_engine)
{
	check("engines=storage=dmodk+compute=psssp", "psssp", "dmodk", "dmodk");
	check("engines=psssp+storage=minhop", "psssp", "minhop", "psssp");
	check("engines=eftree", "eftree", "eftree", "eftree");
}

TEST(misread)
{
	static const char *const bad[] = {
		"engines=", "engines=storage=", "engines==dmodk",
		"engines=storage=nonsense", "engines=parts",
		"engines=compute=psssp+",
	};
	struct weft_fabric *f = make();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct weft_routes r = { 0 };
		int err = route_by("parts", bad[i], f, &r, NULL);

		suite_case("%s", bad[i]);
		EXPECT_EQ(err, i == 5 ? 0 : -EINVAL);
		weft_routes_free(&r);
	}
	weft_fabric_free(f);
}
