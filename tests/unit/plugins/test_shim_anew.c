// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Better tables in steps: the thread that finds them, and the sweeps that make
 * them. */
#include "shim_fixture.h"

#include <string.h>

#include <weft/rng.h>

#define CABLES 4
#define WAIT 2000		/* hundredths of a second */

/* Waits until the plugin asks for a sweep, and makes it.  False: it does not. */
static bool next_step(struct fixture *x, unsigned *asked, unsigned long *blocks)
{
	for (unsigned i = 0; i < WAIT && shim_asked == *asked; i++)
		usleep(10000);
	if (shim_asked == *asked)
		return false;
	*asked = shim_asked;
	ASSERT_EQ(sweep(x), 0);
	*blocks = shim_send(x->s);
	return true;
}

TEST(test_steps)
{
	static const char conf[] = "[weft]\nrebalance_pause = 0\nchanges = 9\n";
	struct weft_rng *rng = weft_rng_new(20261125);
	unsigned asked = shim_asked, steps = 0;
	unsigned long blocks;
	struct fixture x;

	open_engine(&x, "pgft:3;4,4,6;1,4,3;1,1,1", "weave");
	x.s->osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	write_conf(&x, conf);
	ASSERT_EQ(sweep(&x), 0);
	shim_send(x.s);
	for (unsigned i = 0; i < CABLES; i++) {
		uint32_t e = weft_rng_below(rng, x.f->adj_first[x.f->nsw]);

		shim_set_cable(x.s, x.f, x.f->adj[e], false);
		ASSERT_EQ(sweep(&x), 0);
		shim_expect_log("tables stand");
		shim_send(x.s);
	}
	write_conf(&x, "[weft]\nrebalance_pause = 0\nchanges = 9\n"
		   "rebalance = now\n");
	ASSERT_EQ(sweep(&x), 0);
	ASSERT_EQ(shim_send(x.s), 0);
	while (next_step(&x, &asked, &blocks)) {
		shim_expect_log("a step to better tables");
		ASSERT_WITHIN(blocks, 1, 9);
		steps++;
		if (strstr(shim_log, " 0 are left"))
			break;
	}
	ASSERT_WITHIN(steps, 3, 1000);
	/* these stand now */
	ASSERT_EQ(sweep(&x), 0);
	ASSERT_EQ(shim_send(x.s), 0);
	close_fixture(&x);
	weft_rng_free(rng);
}
