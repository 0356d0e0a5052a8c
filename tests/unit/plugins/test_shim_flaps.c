// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cables that come and go, by a clock that the test sets. */
#include "plugins/standing/osm_flaps.h"

#include "shim_util.h"

#include <stdio.h>
#include <string.h>

#define WINDOW 600

static char said[4096];

static void hear(void *context, const struct weft_message *m)
{
	size_t used = strlen(said);

	(void)context;
	snprintf(said + used, sizeof(said) - used, "%s\n", m->text);
}

/* Three switches in a row with two cables between the first two, and one on
 * to the third: ports 1, 2 and 3 of the one in the middle. */
struct fixture {
	struct weft_fabric *f;
	struct shim_subnet *s;
	osm_physp_t *port[4];
	struct weft__flaps flaps;
};

static int set_up(void **state)
{
	static struct fixture x;
	struct weft_builder *b = weft_builder_new();
	const struct weft_rate rate = { 4, WEFT_EDR };
	struct weft_fabric *bare;

	for (unsigned i = 0; i < 3; i++) {
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x10 + i, 4);
		weft_builder_name(b, i, (char[]){ 's', 'a' + i }, 2);
	}
	for (unsigned i = 0; i < 3; i++) {
		weft_builder_node(b, WEFT_NODE_CA, 0x20 + i, 1);
		weft_builder_link(b, i, 4, 3 + i, 1, rate);
	}
	weft_builder_link(b, 1, 1, 0, 1, rate);
	weft_builder_link(b, 1, 2, 0, 2, rate);
	weft_builder_link(b, 1, 3, 2, 1, rate);
	ASSERT_EQ(weft_builder_finish(b, &bare, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(bare, 0, &x.f, NULL), 0);
	weft_fabric_free(bare);
	weft_builder_free(b);
	x.s = shim_subnet_new(x.f);
	for (unsigned p = 1; p <= 3; p++) {
		x.port[p] = osm_node_get_physp_ptr(shim_node(x.s, 0x11), p);
		ib_port_info_set_port_state(&x.port[p]->port_info,
					    IB_LINK_ACTIVE);
		ib_port_info_set_port_state(
			&x.port[p]->p_remote_physp->port_info, IB_LINK_ACTIVE);
	}
	x.flaps = (struct weft__flaps){ .times = 3, .window = WINDOW };
	*state = &x;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	weft__flaps_forget(&x->flaps);
	shim_subnet_free(x->s);
	weft_fabric_free(x->f);
	return 0;
}

static void set(struct fixture *x, unsigned p, uint8_t port_state)
{
	ib_port_info_set_port_state(&x->port[p]->port_info, port_state);
}

/* A sweep at some time; returns how many cables and hosts' links it uses. */
static uint32_t sweep(struct fixture *x, int64_t now)
{
	struct weft_diag diag = { .emit = hear };
	struct weft__snapshot snapshot;
	uint32_t links;

	said[0] = '\0';
	x->flaps.now = now;
	ASSERT_EQ(weft__snapshot_take(&x->s->osm->subn, &x->flaps, &snapshot,
		  &diag), 0);
	links = snapshot.fabric->nlinks;
	weft__snapshot_free(&snapshot);
	return links;
}

/* A cable goes and comes; returns what the sweep after that uses. */
static uint32_t flap(struct fixture *x, unsigned p, int64_t gone, int64_t back)
{
	set(x, p, IB_LINK_DOWN);
	sweep(x, gone);
	set(x, p, IB_LINK_ACTIVE);
	return sweep(x, back);
}

#define WARNS "\"sa\" (0x0000000000000010):1 - \"sb\" (0x0000000000000011):1 " \
	"went 3 times within 600 s: out of use, where others lead to the "     \
	"same places, until it was there for as long\n"

/* The third time within a window is one too many, and a window without makes
 * good for it. */
TEST_WITH(test_counts, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(sweep(x, 1000), 6);
	ASSERT_EQ(flap(x, 1, 1010, 1020), 6);
	ASSERT_EQ(flap(x, 1, 1030, 1040), 6);
	ASSERT_EQ(weft__flaps_count(&x->flaps), 0);
	set(x, 1, IB_LINK_DOWN);
	ASSERT_EQ(sweep(x, 1050), 5);
	ASSERT(strstr(said, WARNS));
	ASSERT_EQ(weft__flaps_count(&x->flaps), 1);
	set(x, 1, IB_LINK_ACTIVE);
	ASSERT_EQ(sweep(x, 1060), 5);
	ASSERT(!strstr(said, "went 3 times"));
	ASSERT(strstr(said, "1 degraded cable not in use: "));
	ASSERT(strstr(said, "flapping"));
	ASSERT_EQ(sweep(x, 1060 + WINDOW - 1), 5);
	ASSERT_EQ(weft__flaps_count(&x->flaps), 1);
	ASSERT_EQ(sweep(x, 1060 + WINDOW), 6);
	ASSERT_EQ(weft__flaps_count(&x->flaps), 0);
	ASSERT(x->flaps.flap[0].over);
	ASSERT_EQ(sweep(x, 1061 + WINDOW), 6);
	ASSERT_EQ(x->flaps.n, 0);
}

/* Twice, and once more when the first time is a window ago. */
TEST_WITH(test_slow, set_up, tear_down)
{
	struct fixture *x = suite_state;

	sweep(x, 0);
	flap(x, 1, 100, 110);
	flap(x, 1, 200, 210);
	ASSERT_EQ(flap(x, 1, 100 + WINDOW, 710), 6);
	ASSERT_EQ(weft__flaps_count(&x->flaps), 0);
	/* the last three are within one */
	ASSERT_EQ(flap(x, 1, 799, 800), 5);
}

/* It goes once more while it is out of use: the window begins anew.  While it
 * is away it does not run. */
TEST_WITH(test_again, set_up, tear_down)
{
	struct fixture *x = suite_state;

	sweep(x, 0);
	for (int64_t t = 10; t <= 30; t += 10)
		flap(x, 2, t, t + 5);
	ASSERT_EQ(flap(x, 2, 500, 900), 5);
	ASSERT_EQ(sweep(x, 899 + WINDOW), 5);
	ASSERT_EQ(sweep(x, 900 + WINDOW), 6);
}

/* The only cable to a switch is used however often it goes. */
TEST_WITH(test_last_resort, set_up, tear_down)
{
	struct fixture *x = suite_state;

	sweep(x, 0);
	for (int64_t t = 10; t <= 30; t += 10)
		ASSERT_EQ(flap(x, 3, t, t + 5), 6);
	ASSERT_EQ(weft__flaps_count(&x->flaps), 1);
	ASSERT(strstr(said, "1 degraded cable in use, where"));
}

/* A cable that went and came between two sweeps: its port is not active any
 * more.  Where the last sweep did not leave it active that says nothing. */
TEST_WITH(test_unseen, set_up, tear_down)
{
	struct fixture *x = suite_state;

	sweep(x, 0);
	set(x, 1, IB_LINK_INIT);
	for (int64_t t = 10; t <= 40; t += 10)
		ASSERT_EQ(sweep(x, t), 6);
	for (int64_t t = 50; t <= 60; t += 10) {
		x->flaps.came_up = true;
		ASSERT_EQ(sweep(x, t), 6);
	}
	x->flaps.came_up = true;
	ASSERT_EQ(sweep(x, 70), 5);
	set(x, 1, IB_LINK_ACTIVE);
	ASSERT_EQ(sweep(x, 69 + WINDOW), 5);
	ASSERT_EQ(sweep(x, 70 + WINDOW), 6);
}

/* All at once, more often than is remembered; then nobody counts. */
TEST_WITH(test_all, set_up, tear_down)
{
	struct fixture *x = suite_state;

	sweep(x, 0);
	for (unsigned i = 1; i <= 2 * WEFT__FLAPS_MOST; i++) {
		for (unsigned p = 1; p <= 3; p++)
			set(x, p, IB_LINK_DOWN);
		sweep(x, 10 * i);
		for (unsigned p = 1; p <= 3; p++)
			set(x, p, IB_LINK_ACTIVE);
		/* as all are alike, all are used */
		ASSERT_EQ(sweep(x, 10 * i + 5), 6);
	}
	ASSERT_EQ(weft__flaps_count(&x->flaps), 3);
	x->flaps.times = 0;
	sweep(x, 1000);
	ASSERT_EQ(weft__flaps_count(&x->flaps), 0);
	ASSERT_STR(said, "");
	x->flaps.times = 3;
	sweep(x, 1010);
	ASSERT_EQ(weft__flaps_count(&x->flaps), 0);
}
