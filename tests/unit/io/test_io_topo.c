// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ibdm's plans of fabrics, .topo. */
#include "io_topology_util.h"

#include <weft/against.h>

#define PLAN \
	"# two switches\n" \
	"MTS2400 S-1\n" \
	"   P1 -4x-5G-> MT23108 H-1 P1\n" \
	"\tP2 -> MT23108 H-2 P2\n" \
	"   P24 -12x-> MTS2400 S-2 P3\n" \
	"\n" \
	"MTS2400 S-2\n" \
	"   P3 -12x-> MTS2400 S-1 P24\n" \
	"   P4 -10G-> HCA_1 H-3 P1\n"

static uint32_t switch_called(const struct weft_fabric *f, const char *name)
{
	uint32_t s = 0;

	while (s < f->nsw && strcmp(f->sw[s].name, name) != 0)
		s++;
	ASSERT(s < f->nsw);
	return s;
}

TEST(test_plan)
{
	struct heard heard;
	struct weft_fabric *f = load_text(PLAN, &heard);
	uint32_t a = switch_called(f, "S-1"), b = switch_called(f, "S-2");
	uint32_t c = weft_channel(f, a, 24), d = weft_channel(f, a, 1);

	assert_heard_count(&heard, 0, 0);
	assert_counts(f, 2, 3, 3, 4);
	/* both are of one type */
	ASSERT_EQ(f->sw[a].nports, 24);
	ASSERT_EQ(f->sw[b].nports, 24);
	ASSERT(f->sw[a].more_ports);
	ASSERT_EQ(f->peer[c], b);
	ASSERT_EQ(f->peer_port[c], 3);
	ASSERT_EQ(f->width[c], 12);
	ASSERT_EQ(f->speed[c], WEFT_SPEED_UNKNOWN);
	ASSERT_EQ(f->width[d], 4);
	ASSERT_EQ(f->speed[d], WEFT_DDR);
	ASSERT_EQ(f->speed[weft_channel(f, b, 4)], WEFT_QDR);
	ASSERT_EQ(f->width[weft_channel(f, a, 2)], 0);
	weft_fabric_free(f);
}

/* A switch that has more ports than the plan uses is as planned. */
TEST(test_against)
{
	struct heard heard;
	struct weft_fabric *plan = load_text(PLAN, &heard);
	struct weft_fabric *f = load_text(
		"Switch 36 \"S-1\"\n[1] \"H-1\"[1]\n[2] \"H-2\"[2]\n"
		"[24] \"S-2\"[3]\n\n"
		"Switch 20 \"S-2\"\n[3] \"S-1\"[24]\n[4] \"H-3\"[1]\n\n"
		"Hca 2 \"H-1\"\n[1] \"S-1\"[1]\n\n"
		"Hca 2 \"H-2\"\n[2] \"S-1\"[2]\n\n"
		"Hca 2 \"H-3\"\n[1] \"S-2\"[4]\n", &heard);
	struct weft_against found;

	ASSERT_EQ(weft_against_run(plan, f, false, &found, NULL), 0);
	EXPECT_EQ(found.matched, 5);
	EXPECT_EQ(found.count[WEFT_NODE_PORTS], 1);
	EXPECT_EQ(found.count[WEFT_CABLE_MISSING], 0);
	EXPECT_EQ(found.count[WEFT_CABLE_EXTRA], 0);
	weft_against_free(&found);
	weft_fabric_free(plan);
	weft_fabric_free(f);
}

TEST(test_order)
{
	struct heard heard;
	struct weft_fabric *a = load_text(PLAN, &heard);
	struct weft_fabric *b = load_text(
		"MTS2400 S-2\r\nP4 -10G-> HCA_1 H-3 P1\r\n"
		"HCA_1 H-3\nMTS2400 S-1\nP24 -12x-> MTS2400 S-2 P3\n"
		"P2 -> MT23108 H-2 P2\nP1 -4x-5G-> MT23108 H-1 P1\n", &heard);

	assert_heard_count(&heard, 0, 0);
	assert_same_fabric(a, b);
	weft_fabric_free(a);
	weft_fabric_free(b);
}

TEST(test_refused)
{
#define CABLE " P1 -> HCA H-1 P1\n"
	assert_refused("MTS9600 S-1\n" CABLE " L1/P3 -> HCA H-2 P1\n", 3,
		       "list each device as a system");
	assert_refused("MTS9600 S-1 CFG: leaf3=R\n" CABLE, 1,
		       "boards of a system");
	assert_refused("MTS9600 S-1\n" CABLE "S-2\n", 3,
		       "expected the name of the system");
	assert_refused(CABLE, 1, "without the line of its system");
	assert_refused("A S-1\n" CABLE "B S-1\n", 3,
		       "is of another type in line 1");
	assert_refused("A S-1\n" CABLE " P1 -> HCA H-2 P1\n", 3,
		       "is cabled to one port here");
	assert_refused("A S-1\n" CABLE " P2 -5-> HCA H-2 P1\n", 3,
		       "expected the cable, as");
	assert_refused("A S-1\n" CABLE " P2 -> HCA H-2 P255\n", 3,
		       "P1 to P254");
	assert_refused("HCA S-1\n" CABLE, 0, "no switch is described");
}
