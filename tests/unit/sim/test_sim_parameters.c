// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a spec holds when parameters are set by name. */
#include "sim_util.h"

#include <errno.h>

/* Sets one in a spec; the error of either step. */
static int set(struct weft_sim_spec *spec, const char *assignment,
	       struct weft_diag *diag)
{
	struct weft_options *o;
	int err;

	ASSERT_EQ(weft_options_new(&o, weft_sim_options()), 0);
	err = weft_options_parse(o, assignment, diag);
	err = err ? err : weft_sim_set(spec, o, diag);
	weft_options_free(o);
	return err;
}

static struct weft_sim_spec spec_of(const char *assignment)
{
	struct weft_sim_spec spec;

	weft_sim_preset(&spec);
	EXPECT_EQ(set(&spec, assignment, NULL), 0);
	return spec;
}

/* Units, fields of every size, and words in the order of their enums. */
TEST(test_fields)
{
	EXPECT_EQ(spec_of("mtu=4096").mtu, 4096);
	EXPECT_EQ(spec_of("cable=5").cable, 5000);
	EXPECT_EQ(spec_of("time=2000").time, UINT64_C(2000000000));
	EXPECT_EQ(spec_of("warmup=0").warmup, 0);
	EXPECT_EQ(spec_of("bytes=1099511627776").bytes, UINT64_C(1) << 40);
	EXPECT_EQ(spec_of("vlarb-limit=255").limit, 255);
	EXPECT_EQ(spec_of("host-sl=3").host_sl, 3);
	EXPECT_EQ(spec_of("inject=4294967295").inject, UINT32_MAX);
	EXPECT(spec_of("cc").cc.on);
	EXPECT(!spec_of("cc=no").cc.on);
	EXPECT(spec_of("host-queues=lane").lossy);
	EXPECT_EQ(spec_of("arbitration=age").arbitration, WEFT_SIM_AGE);
	EXPECT_EQ(spec_of("queues=voq").queues, WEFT_SIM_VOQ);
	EXPECT_NEAR(spec_of("load=30").load, .3, 1e-12);
	EXPECT_NEAR(spec_of("isp=0").leave, 0, 0);
	EXPECT_EQ(spec_of("sizes=64:7,2000-2100:2").sizes.entry[1].most, 2100);
	EXPECT_EQ(spec_of("vlarb-low=0:1,2:255").low.entry[1].weight, 255);
	EXPECT_EQ(spec_of("vlarb-low=0:1,2:255").high.n, 0);
}

static void each_word(const char *option, unsigned n,
		      const char *(*name)(unsigned),
		      unsigned (*field)(const struct weft_sim_spec *))
{
	char text[64];

	for (unsigned i = 0; i < n; i++) {
		struct weft_sim_spec spec;

		snprintf(text, sizeof(text), "%s=%s", option, name(i));
		spec = spec_of(text);
		EXPECT_EQ(field(&spec), i);
	}
}

static const char *paths_name(unsigned i)
{
	return weft_sim_paths_name((enum weft_sim_paths)i);
}
static unsigned paths_of(const struct weft_sim_spec *spec)
{
	return spec->paths;
}
static const char *lids_name(unsigned i)
{
	return weft_sim_lids_name((enum weft_sim_lids)i);
}
static unsigned lids_of(const struct weft_sim_spec *spec)
{
	return spec->lids;
}

TEST(test_words)
{
	each_word("paths", WEFT_SIM_PAR + 1, paths_name, paths_of);
	each_word("lids", WEFT_SIM_LIDS_ALL + 1, lids_name, lids_of);
}

/* What is not given stays; every preset of the table is that of the spec. */
TEST(test_presets)
{
	const struct weft_option *row = weft_sim_options();
	struct weft_sim_spec spec, same;
	char text[64];

	weft_sim_preset(&spec);
	EXPECT_EQ(spec.mtu, 2048);
	EXPECT_EQ(spec.relay, 100000);
	EXPECT_EQ(spec.warmup, UINT64_MAX);
	EXPECT_EQ(spec.host_sl, -1);
	EXPECT_EQ(spec.threads, 1);
	EXPECT_NEAR(spec.load, 1, 0);
	for (; row->type != WEFT_OPT_END; row++) {
		if (!row->preset)
			continue;
		snprintf(text, sizeof(text), "%s=%s", row->name, row->preset);
		same = spec;
		EXPECT_EQ(set(&same, text, NULL), 0);
		EXPECT_EQ(memcmp(&same, &spec, sizeof(spec)), 0);
	}
	spec.buffer = 4096;
	EXPECT_EQ(set(&spec, "relay=50", NULL), 0);
	EXPECT_EQ(spec.buffer, 4096);
}

TEST(test_refused)
{
	static const char *const wrong[] = {
		"load=0",	"load=101",	  "hot-share=-1",
		"until=0",	"isp=100.5",	  "switches=0",
		"sizes=",	"sizes=0",	  "sizes=64,",
		"sizes=100-50", "vlarb-low=15:1", "vlarb-high=1:256",
		"vlarb-high=1", "load=nan",
	};
	struct weft_sim_spec spec;

	weft_sim_preset(&spec);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		EXPECT_EQ(set(&spec, wrong[i], NULL), -EINVAL);
	EXPECT_EQ(set(&spec, "nosuch=1", NULL), -ENOENT);
}
