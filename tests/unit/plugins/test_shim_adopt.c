// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables that the switches hold when a subnet manager becomes their master. */
#include "shim_fixture.h"

#include <weft/rng.h>

#include <string.h>

/* --- switches ---------------------------------------------------------- */

/* What they hold. */
static struct {
	const struct weft_fabric *f;
	struct weft_routes routes;
	uint32_t silent;	/* a switch, WEFT_NONE: none is */
	unsigned last;		/* block that it, or with none anybody, answers
				 * with */
} hardware;

static bool answer(const osm_switch_t *sw, unsigned block, uint8_t entry[64])
{
	uint32_t s = weft_fabric_switch_by_guid(
		hardware.f, cl_ntoh64(osm_node_get_node_guid(sw->p_node)));
	const struct weft_lft *lft = &hardware.routes.lft;

	if (s == hardware.silent && block >= hardware.last)
		return false;
	for (unsigned i = 0; i < 64; i++)
		entry[i] = weft_lft_get(lft, s, 64 * block + i);
	return true;
}

static uint8_t *held_row(uint32_t s)
{
	return weft_lft_row(&hardware.routes.lft, s);
}

static void hold(const struct weft_fabric *f, const char *engine)
{
	const struct weft_engine *e = weft_engine_find(engine);
	struct weft_options *values;

	weft_routes_free(&hardware.routes);
	ASSERT_EQ(weft_options_new(&values, e->options), 0);
	ASSERT_EQ(e->route(f, values, &hardware.routes, NULL), 0);
	weft_options_free(values);
	hardware.f = f;
	hardware.silent = WEFT_NONE;
	hardware.last = 0;
}

/* --- a subnet manager -------------------------------------------------- */

#define TREE "pgft:2;10,10;1,10;1,1"
#define TORUS "torus:5x5,hosts=4"

/* The port with the highest LID: nobody looks for another one. */
static osm_port_t last_port;
static osm_physp_t last_physp;

/* LinearFDBTop: 0 after a power failure. */
static void set_top(struct fixture *x, unsigned lid)
{
	for (uint32_t i = 0; i < x->s->nsw; i++)
		x->s->sw[i].switch_info.lin_top = cl_hton16(lid);
}

static void open_switches(struct fixture *x, const char *spec,
			  const char *engine)
{
	osm_subn_t *subnet;

	open_engine(x, spec, engine);
	hold(x->f, "updn");
	subnet = &x->s->osm->subn;
	cl_qmap_init(&subnet->port_guid_tbl);
	memset(&last_physp, 0, sizeof(last_physp));
	last_physp.port_info.base_lid = cl_hton16(x->f->max_lid);
	last_port = (osm_port_t){ .p_physp = &last_physp };
	cl_qmap_insert(&subnet->port_guid_tbl, 1, &last_port.map_item);
	set_top(x, x->f->max_lid);
	subnet->sm_state = IB_SMINFO_STATE_DISCOVERING;
	ASSERT_EQ(cl_plock_init(&x->s->osm->lock), CL_SUCCESS);
	x->s->osm->routing_engine_list = &x->re;
	shim_answer = answer;
}

static void close_switches(struct fixture *x)
{
	cl_plock_destroy(&x->s->osm->lock);
	weft_routes_free(&hardware.routes);
	close_fixture(x);
}

static int set_up_adopt(void **state)
{
	static struct fixture x;

	open_switches(&x, TREE, "psssp");
	*state = &x;
	return 0;
}

static int tear_down_adopt(void **state)
{
	close_switches(*state);
	return 0;
}

/* What OpenSM does from discovery to the tables. */
static void take_over(struct fixture *x)
{
	shim_questions = 0;
	weft__shim_report(x->s->osm, OSM_EVENT_ID_HEAVY_SWEEP_DONE, NULL);
	x->s->osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	ASSERT_EQ(sweep(x), 0);
}

/* Counts entries of LIDs in use that are not what the switches hold. */
static unsigned changed(const struct fixture *x)
{
	unsigned n = 0;

	for (uint32_t s = 0; s < x->f->nsw; s++) {
		const osm_switch_t *sw = shim_switch(x->s, x->f->sw[s].guid);

		for (unsigned lid = 1; lid <= x->f->max_lid; lid++)
			n += weft_lid_owner(x->f, lid) != WEFT_NONE &&
			     sw->new_lft[lid] != held_row(s)[lid];
	}
	return n;
}

static void expect_no_log(const char *words)
{
	if (strstr(shim_log, words))
		ASSERT_NEVER("\"%s\" in the log:\n%s", words, shim_log);
}

/* --- tests ------------------------------------------------------------- */

TEST_WITH(test_kept, set_up_adopt, tear_down_adopt)
{
	struct fixture *x = suite_state;

	take_over(x);
	ASSERT_EQ(shim_questions, 20 * 2);
	shim_expect_log("psssp: tables of 20 switches taken over: 2400 entries");
	shim_expect_log("psssp: tables stand: 0 entries mended, 0 back home, 0 moved for balance, 0 for what is new");
	ASSERT_EQ(changed(x), 0);
	/* from now on they are ours */
	take_over(x);
	ASSERT_EQ(shim_questions, 0);
	expect_no_log("taken over");
	shim_expect_log("psssp: tables stand");
	ASSERT_EQ(changed(x), 0);
}

/* One that is silent, or falls silent, gets entries as a new one does. */
TEST_WITH(test_silent, set_up_adopt, tear_down_adopt)
{
	struct fixture *x = suite_state;
	uint32_t spine = WEFT_NONE;

	for (uint32_t s = 0; s < x->f->nsw && spine == WEFT_NONE; s++)
		if (x->f->sw_ep_first[s] == x->f->sw_ep_first[s + 1])
			spine = s;
	hardware.silent = spine;
	take_over(x);
	ASSERT_EQ(shim_questions, 20 * 2 - 1);
	shim_expect_log("2280 entries, read in ");
	shim_expect_log("s, 1 switches silent");
	for (unsigned lid = 1; lid <= x->f->max_lid; lid++)
		held_row(spine)[lid] = shim_switch(
			x->s, x->f->sw[spine].guid)->new_lft[lid];
	ASSERT_EQ(changed(x), 0);

	hardware.last = 1;
	x->s->osm->subn.first_time_master_sweep = TRUE;
	held_row(!spine)[x->f->max_lid] = WEFT_NO_PORT;
	take_over(x);
	ASSERT_EQ(shim_questions, 20 * 2);
}

/* What stands here goes by what the switches hold when they had another master
 * meanwhile; if they did not, it stands as it was. */
TEST_WITH(test_other_master, set_up_adopt, tear_down_adopt)
{
	struct fixture *x = suite_state;

	take_over(x);
	x->s->osm->subn.first_time_master_sweep = TRUE;
	take_over(x);
	ASSERT_EQ(shim_questions, 20 * 2);
	expect_no_log("taken over");
	hold(x->f, "minhop");
	ASSERT_NE(changed(x), 0);
	take_over(x);
	shim_expect_log("taken over");
	shim_expect_log("tables stand");
	ASSERT_EQ(changed(x), 0);
	/* and what stood before is home no more */
	x->s->osm->subn.first_time_master_sweep = FALSE;
	take_over(x);
	ASSERT_EQ(changed(x), 0);
}

TEST_WITH(test_no, set_up_adopt, tear_down_adopt)
{
	struct fixture *x = suite_state;

	write_conf(x, "[weft]\nadopt = no\n");
	take_over(x);
	ASSERT_EQ(shim_questions, 0);
	expect_no_log("tables");
	write_conf(x, "[weft]\nstanding = no\n");
	x->s->osm->subn.first_time_master_sweep = TRUE;
	take_over(x);
	ASSERT_EQ(shim_questions, 0);
	/* another engine is asked first */
	write_conf(x, "");
	x->s->osm->routing_engine_list = &(struct osm_routing_engine){ 0 };
	take_over(x);
	ASSERT_EQ(shim_questions, 0);
}

/* Switches after a power failure, and such that hold next to nothing. */
TEST_WITH(test_empty, set_up_adopt, tear_down_adopt)
{
	struct fixture *x = suite_state;

	for (uint32_t s = 0; s < x->f->nsw; s++)
		memset(held_row(s), WEFT_NO_PORT, x->f->max_lid + 1);
	take_over(x);
	expect_no_log("tables");
	expect_no_log("routed anew");
	weft__shim_idle(x->re.context);

	close_switches(x);
	set_up_adopt(&suite_state);
	for (uint32_t s = 4; s < x->f->nsw; s++)
		memset(held_row(s), WEFT_NO_PORT, x->f->max_lid + 1);
	take_over(x);
	shim_expect_log("routed anew: of 2400 entries the switches hold 480 that are of use");

	close_switches(x);
	set_up_adopt(&suite_state);
	set_top(x, 0);
	take_over(x);
	ASSERT_EQ(shim_questions, 0);
	expect_no_log("tables");
}

/* Two hosts of a switch have got each other's LIDs, one LID has moved to a
 * switch far away, and nobody has the last one any more. */
TEST_WITH(test_lids, set_up_adopt, tear_down_adopt)
{
	struct fixture *x = suite_state;
	const struct weft_endport *ep = x->f->ep;
	uint8_t *row = held_row(ep[0].sw), port = row[ep[0].lid];

	ASSERT_EQ(ep[0].sw, ep[1].sw);
	row[ep[0].lid] = row[ep[1].lid];
	row[ep[1].lid] = port;
	for (uint32_t s = 0; s < x->f->nsw; s++)
		held_row(s)[ep[2].lid] = held_row(s)[ep[90].lid];
	take_over(x);
	shim_expect_log("tables stand");
	port = shim_switch(x->s, x->f->sw[ep[0].sw].guid)->new_lft[ep[0].lid];
	ASSERT_EQ(port, ep[0].sw_port);
	ASSERT_WITHIN(changed(x), 2, 2 + x->f->nsw);
}

/* Any bytes at all end in tables that are proven. */
TEST_WITH(test_noise, set_up_adopt, tear_down_adopt)
{
	static const char *const specs[] = {
		TREE, TORUS, "pgft:3;4,4,6;1,4,3;1,1,1,fail-links=20%",
		"dragonfly:4,2,2,9", "random:30,5,90", "ring:7,hosts=3",
		"torus:4x4,hosts=2,lmc=2",
	};
	struct fixture *x = suite_state;
	struct weft_rng *rng = weft_rng_new(7);

	for (unsigned i = 0; i < 28; i++) {
		unsigned percent = weft_rng_below(rng, 100);

		close_switches(x);
		open_switches(x, specs[i % 7], i % 3 ? "psssp" : "weave");
		for (uint32_t s = 0; s < x->f->nsw; s++)
			for (unsigned lid = 0; lid <= x->f->max_lid; lid++)
				if (weft_rng_below(rng, 100) < percent)
					held_row(s)[lid] =
						weft_rng_below(rng, i % 5 ? 256 : 12);
		take_over(x);
		expect_no_log("ERR");
	}
	weft_rng_free(rng);
}

/* Tables that need lanes get some, and keep their entries. */
TEST_WITH(test_lanes, set_up_adopt, tear_down_adopt)
{
	struct fixture *x = suite_state;

	close_switches(x);
	open_switches(x, TORUS, "psssp");
	hold(x->f, "minhop");
	take_over(x);
	shim_expect_log("tables stand: 0 entries mended");
	shim_expect_log("of 8 lanes in use");
	ASSERT_EQ(changed(x), 0);
	take_over(x);
	ASSERT_EQ(changed(x), 0);
	shim_expect_log("of 8 lanes in use");

	close_switches(x);
	open_switches(x, TORUS, "psssp");
	hold(x->f, "minhop");
	options(x)->qos = FALSE;
	take_over(x);
	shim_expect_log("psssp: tables of 25 switches not taken over");
	shim_expect_log("psssp: routed anew: the lanes that there are do not do for them");
}

/* Who comes after a subnet manager of ours finds tables that may need lanes. */
TEST_WITH(test_successor, set_up_adopt, tear_down_adopt)
{
	static const char *const engines[] = { "psssp", "weave" };
	struct fixture *x = suite_state;

	for (unsigned i = 0; i < 2; i++) {
		close_switches(x);
		open_switches(x, TORUS, engines[i]);
		set_top(x, 0);
		take_over(x);
		for (uint32_t s = 0; s < x->f->nsw; s++)
			memcpy(held_row(s), shim_switch(x->s, x->f->sw[s].guid)
				->new_lft, x->f->max_lid + 1);
		x->re.destroy(x->re.context);
		x->re.context = (void *)weft_engine_find(engines[i]);
		ASSERT_EQ(weft__shim_setup(&x->re, x->s->osm), 0);
		x->s->osm->subn.first_time_master_sweep = TRUE;
		set_top(x, x->f->max_lid);
		take_over(x);
		shim_expect_log("taken over");
		ASSERT_EQ(changed(x), 0);
	}
}
