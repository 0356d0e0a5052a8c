// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Service levels and lanes. */
#include "../proof_random.h"
#include "../suite.h"

#include <stdlib.h>

#define SEED 7u

static const unsigned line[][2] = { { 0, 1 }, { 1, 2 } };

/* Three switches in a line, a host on each: LIDs 1..3 and 4..6. */
static struct weft_fabric *line_fabric(void)
{
	return plain_fabric(3, 3, line, 2);
}

TEST(test_init)
{
	struct weft_fabric *f = line_fabric();
	struct weft_layers y;

	weft_layers_init(&y);
	EXPECT_EQ(weft_layers_sl(&y, f, 0 | WEFT_ENDPORT, 5), 0);
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		EXPECT_EQ(weft_layers_vl(&y, f, 1, 1, 2, sl), 0);
	y.table = need(malloc(1));
	y.sl2vl = need(malloc(1));
	y.base = need(malloc(8));
	weft_layers_free(&y);
	EXPECT(!y.table && !y.sl2vl && !y.base);
	EXPECT(y.form == WEFT_SL_ONE && y.nvl == 1);
	weft_fabric_free(f);
}

/* Each byte of a table is found under the indices the header gives. */
TEST(test_sl_forms)
{
	struct weft_fabric *f = line_fabric();
	struct weft_rng *rng = need(weft_rng_new(SEED));
	struct weft_layers y;

	random_layers(rng, f, WEFT_SL_DESTINATION, SL2VL_NONE, &y);
	for (unsigned lid = 1; lid <= 6; lid++)
		EXPECT_EQ(weft_layers_sl(&y, f, 2, lid), y.table[lid]);
	weft_layers_free(&y);

	random_layers(rng, f, WEFT_SL_SWITCH_PAIR, SL2VL_NONE, &y);
	for (uint32_t s = 0; s < 3; s++)
		for (unsigned lid = 1; lid <= 6; lid++) {
			uint8_t sl = y.table[s * 3 + (lid - 1) % 3];

			EXPECT_EQ(weft_layers_sl(&y, f, s, lid), sl);
			EXPECT_EQ(weft_layers_sl(&y, f, s | WEFT_ENDPORT, lid),
				  sl);
		}
	weft_layers_free(&y);

	random_layers(rng, f, WEFT_SL_ENDPORT_LID, SL2VL_NONE, &y);
	for (uint32_t e = 0; e < 3; e++)
		for (unsigned lid = 1; lid <= 6; lid++) {
			EXPECT_EQ(weft_layers_sl(&y, f, e | WEFT_ENDPORT, lid),
				  y.table[e * 7 + lid]);
			EXPECT_EQ(weft_layers_sl(&y, f, e, lid), y.sl);
		}
	EXPECT_EQ(weft_layers_sl(&y, f, 1 | WEFT_ENDPORT, 7), y.sl);
	EXPECT_EQ(weft_layers_sl(&y, f, 1 | WEFT_ENDPORT, 0), y.sl);
	weft_layers_free(&y);
	weft_rng_free(rng);
	weft_fabric_free(f);
}

TEST(test_identity)
{
	struct weft_fabric *f = line_fabric();
	struct weft_layers y;

	weft_layers_init(&y);
	for (y.nvl = 1; y.nvl < 16; y.nvl++)
		for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
			uint8_t vl = weft_layers_vl(&y, f, 0, 1, 2, sl);

			EXPECT(vl < y.nvl && (sl >= y.nvl || vl == sl));
		}
	weft_fabric_free(f);
}

TEST(test_sl2vl)
{
	struct weft_fabric *f = line_fabric();
	struct weft_rng *rng = need(weft_rng_new(SEED));
	struct weft_layers y, z;

	random_layers(rng, f, WEFT_SL_ONE, SL2VL_OUTPUT, &y);
	random_layers(rng, f, WEFT_SL_ONE, SL2VL_INPUT, &z);
	for (uint32_t s = 0, at = 0; s < 3; s++)
		for (unsigned in = 0; in <= 12; in++)
			for (unsigned out = 0; out <= 12; out++, at++)
				for (unsigned sl = 0; sl < 16; sl++) {
					unsigned ch = s * 13 + out;

					EXPECT_EQ(weft_layers_vl(&y, f, s, in,
						  out, sl), y.sl2vl[ch * 16 +
						  sl]);
					EXPECT_EQ(weft_layers_vl(&z, f, s, in,
						  out, sl), z.sl2vl[at * 16 +
						  sl]);
				}
	weft_layers_free(&y);
	weft_layers_free(&z);
	weft_rng_free(rng);
	weft_fabric_free(f);
}
