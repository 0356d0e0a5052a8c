// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A sweep that mends, and another one that improves what it made. */
#include "shim_fixture.h"

#include <weft/proof.h>
#include <weft/standing.h>

#include <string.h>

/* So large that improving tables takes long, and cables that are worth it. */
#define TREE "pgft:3;12,12,24;1,12,12;1,1,1"
#define A_CABLE 13000
#define ANOTHER 4000

#define CONF "[weft]\nsweeps_size = 0\nrebalance = never\nflaps = 0\n"

static struct fixture x;
static unsigned asked, waited;

TEST(begin)
{
	open_engine(&x, TREE, "eftree");
	x.s->osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	write_conf(&x, CONF);
	ASSERT_EQ(sweep(&x), 0);
	shim_send(x.s);
	asked = shim_asked;
}

/* What the switches have, in the order of x.f. */
static struct weft_lft tables(void)
{
	struct weft_lft lft;

	ASSERT_EQ(weft_lft_init(&lft, x.f->nsw, x.f->max_lid), 0);
	for (uint32_t s = 0; s < x.f->nsw; s++)
		memcpy(weft_lft_row(&lft, s),
		       shim_switch(x.s, x.f->sw[s].guid)->lft,
		       x.f->max_lid + 1ull);
	return lft;
}

static void assert_same(const struct weft_lft *a, const struct weft_lft *b)
{
	struct weft_lft_diff d;

	weft_lft_compare(a, b, &d);
	ASSERT_EQ(d.entries, 0);
}

/* In as many sweeps as entries that return home take. */
static void set_cable(uint32_t e, bool there)
{
	unsigned n = 0;

	shim_set_cable(x.s, x.f, x.f->adj[e], there);
	do {
		ASSERT_EQ(sweep(&x), 0);
		shim_send(x.s);
		waited += n;
	} while (strstr(shim_log, "wait for the next sweep") && ++n < 5);
	ASSERT(n < 5);
}

/* Makes the sweep that the plugin asks for. */
static void improve(void)
{
	weft__shim_idle(x.re.context);
	ASSERT_NE(shim_asked, asked);
	asked = shim_asked;
	ASSERT_EQ(sweep(&x), 0);
	shim_expect_log("moved for balance, as the sweep before had left it");
	ASSERT_NE(shim_send(x.s), 0);
}

/* The tables are those of before again, which are freed. */
static void expect_again(struct weft_lft *before)
{
	struct weft_lft now = tables();

	assert_same(before, &now);
	weft_lft_free(&now);
	weft_lft_free(before);
}

/* Both sweeps together change what one that does all at once does. */
TEST(test_same_as_at_once)
{
	struct weft_lft before = tables(), after;
	struct weft_routes routes = { .lft = before }, whole;
	struct weft_standing_spec spec = {
		.standing = { x.f, &routes },
		.changes = WEFT_STANDING_CHANGES,
	};
	struct weft_standing what;
	struct weft_fabric *less;
	uint32_t cable = x.f->adj[A_CABLE];

	set_cable(A_CABLE, false);
	shim_expect_log("tables stand");
	shim_expect_log("balance is left for another sweep");
	improve();
	after = tables();
	ASSERT_EQ(weft_fabric_without(x.f, &cable, 1, &less, NULL), 0);
	ASSERT_EQ(weft_standing_run(less, &spec, &whole, &what, NULL), 0);
	ASSERT_NE(what.moved, 0);
	assert_same(&after, &whole.lft);
	weft_routes_free(&whole);
	weft_fabric_free(less);
	weft_lft_free(&after);

	set_cable(A_CABLE, true);
	expect_again(&before);
}

/* What was prepared before another fault is of no use, and what was to change
 * may change after that one. */
TEST(test_another_fault)
{
	struct weft_lft before = tables();

	set_cable(A_CABLE, false);
	set_cable(ANOTHER, false);
	shim_expect_log("balance is left for another sweep");
	ASSERT(!strstr(shim_log, "as the sweep before"));
	improve();
	ASSERT_EQ(sweep(&x), 0);
	ASSERT_EQ(shim_send(x.s), 0);

	set_cable(A_CABLE, true);
	set_cable(ANOTHER, true);
	expect_again(&before);
	ASSERT(waited);
}

/* So is what was prepared for a cable that is back. */
TEST(test_back_at_once)
{
	struct weft_lft before = tables();

	set_cable(A_CABLE, false);
	set_cable(A_CABLE, true);
	ASSERT(!strstr(shim_log, "balance is left"));
	expect_again(&before);
}

/* Told to, one sweep does it all, with the same outcome. */
TEST(test_at_once)
{
	struct weft_lft twice, once;

	set_cable(A_CABLE, false);
	improve();
	twice = tables();
	set_cable(A_CABLE, true);
	write_conf(&x, CONF "balance = now\n");
	set_cable(A_CABLE, false);
	ASSERT(!strstr(shim_log, "balance is left"));
	once = tables();
	assert_same(&twice, &once);
	weft_lft_free(&once);
	weft_lft_free(&twice);
	set_cable(A_CABLE, true);
	write_conf(&x, CONF);
}

/* Another opensm, which knows what the file says. */
static void restart(void)
{
	x.re.destroy(x.re.context);
	x.re = (struct osm_routing_engine){
		.context = (void *)weft_engine_find("eftree"),
	};
	ASSERT_EQ(weft__shim_setup(&x.re, x.s->osm), 0);
	ASSERT_EQ(sweep(&x), 0);
	shim_expect_log("what stood before is known");
}

/* Routes over the most loaded channel. */
static uint64_t peak(const struct weft_lft *lft)
{
	const struct weft_proof_spec spec = { .loads = true };
	struct weft_routes routes = { .lft = *lft };
	struct weft_proof proof;
	uint64_t most;

	weft_layers_init(&routes.layers);
	ASSERT_EQ(weft_proof_run(x.f, &routes, &spec, &proof, NULL), 0);
	most = proof.load_max;
	weft_proof_free(&proof);
	return most;
}

/* One that is started again before tables were improved does so at once, as far
 * as the same number of entries goes; and not once more. */
TEST(test_restart)
{
	struct weft_lft mended, twice, once;
	char path[128];

	setenv("OSM_CACHE_DIR", x.dir, 1);
	set_cable(A_CABLE, false);
	improve();
	twice = tables();
	set_cable(A_CABLE, true);
	set_cable(A_CABLE, false);
	mended = tables();
	restart();
	ASSERT_NE(shim_send(x.s), 0);
	once = tables();
	EXPECT(peak(&once) < peak(&mended));
	EXPECT(peak(&once) <= peak(&twice));
	restart();
	ASSERT_EQ(shim_send(x.s), 0);
	weft_lft_free(&once);
	weft_lft_free(&twice);
	weft_lft_free(&mended);
	set_cable(A_CABLE, true);
	weft__shim_idle(x.re.context);
	path_in(&x, "weft-standing", path);
	ASSERT_EQ(unlink(path), 0);
	unsetenv("OSM_CACHE_DIR");
}

/* Of two cables that are gone one comes back, with a restart after the first of
 * the sweeps that this takes, or without. */
static struct weft_lft back_in_two(bool restarted)
{
	struct weft_lft lft;

	set_cable(ANOTHER, false);
	set_cable(A_CABLE, false);
	shim_set_cable(x.s, x.f, x.f->adj[A_CABLE], true);
	ASSERT_EQ(sweep(&x), 0);
	shim_send(x.s);
	shim_expect_log("wait for the next sweep");
	if (restarted)
		restart();
	else
		ASSERT_EQ(sweep(&x), 0);
	ASSERT_NE(shim_send(x.s), 0);
	set_cable(A_CABLE, true);	/* nothing but sweeps */
	lft = tables();
	set_cable(ANOTHER, true);
	return lft;
}

/* What waits for others to return home returns after a restart, too. */
TEST(test_restart_between)
{
	struct weft_lft straight, restarted;
	char path[128];

	setenv("OSM_CACHE_DIR", x.dir, 1);
	write_conf(&x, CONF "balance = now\n");
	straight = back_in_two(false);
	restarted = back_in_two(true);
	assert_same(&straight, &restarted);
	weft_lft_free(&straight);
	weft_lft_free(&restarted);
	weft__shim_idle(x.re.context);
	path_in(&x, "weft-standing", path);
	ASSERT_EQ(unlink(path), 0);
	unsetenv("OSM_CACHE_DIR");
}

TEST(end)
{
	close_fixture(&x);
}
