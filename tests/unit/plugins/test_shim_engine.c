// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The engine as OpenSM sees it: registration, set-up, sweeps good and bad. */
#include "shim_util.h"

#include <weft/proof.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- an engine whose tables the tests decide --------------------------- */

/* What the next route() does to the good tables of the null engine. */
static void (*spoil)(const struct weft_fabric *f, struct weft_routes *routes);
static int route_error;

static const struct weft_option options[] = {
	{ .name = "level", .type = WEFT_OPT_INT, .preset = "3", .min = 0,
	  .max = 9, .help = "for the tests" },
	{ .type = WEFT_OPT_END },
};
static long level;

static int route(const struct weft_fabric *f,
		 const struct weft_options *values, struct weft_routes *out,
		 struct weft_diag *diag)
{
	int err;

	level = weft_options_int(values, "level");
	if (route_error)
		return weft_fail(diag, route_error, "cannot do it");
	err = weft_engine_find("null")->route(f, NULL, out, diag);
	if (!err && spoil)
		spoil(f, out);
	return err;
}

static const struct weft_engine engine = {
	.name = "testengine", .summary = "for tests", .options = options,
	.route = route,
};

/* --- fixture ----------------------------------------------------------- */

struct fixture {
	struct weft_fabric *f;
	struct shim_subnet *s;
	struct osm_routing_engine re;
	char conf[64];		/* path of its weft.conf */
	char words[100];	/* event_plugin_options */
};

static void write_conf(const struct fixture *x, const char *text)
{
	FILE *file = fopen(x->conf, "w");

	ASSERT(file);
	fputs(text, file);
	fclose(file);
}

static void open_fixture(struct fixture *x, struct weft_fabric *f)
{
	int fd;

	*x = (struct fixture){ .f = f, .s = shim_subnet_new(f) };
	snprintf(x->conf, sizeof(x->conf), "/tmp/weft-test-shim.XXXXXX");
	fd = mkstemp(x->conf);
	ASSERT(fd >= 0);
	close(fd);
	snprintf(x->words, sizeof(x->words), "weft.conf=%s", x->conf);
	x->s->osm->subn.opt.event_plugin_options = x->words;
	x->re.context = (void *)&engine;
	spoil = NULL;
	route_error = 0;
	shim_log_clear();
	ASSERT_EQ(weft__shim_setup(&x->re, x->s->osm), 0);
}

static int set_up(void **state)
{
	static struct fixture x;

	open_fixture(&x, shim_random_fabric(11, 20, 4, 1));
	*state = &x;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	if (x->re.destroy)
		x->re.destroy(x->re.context);
	unlink(x->conf);
	shim_subnet_free(x->s);
	weft_fabric_free(x->f);
	return 0;
}

static int sweep(struct fixture *x)
{
	return shim_sweep(x->s, &x->re);
}

static void expect_untouched(const struct fixture *x)
{
	for (uint32_t i = 0; i < x->s->nsw; i++) {
		const osm_switch_t *sw = &x->s->sw[i];

		for (unsigned lid = 0; lid < sw->lft_size; lid++)
			ASSERT_EQ(sw->new_lft[lid], OSM_NO_PATH);
		for (unsigned lid = 0; lid <= sw->max_lid_ho; lid++)
			if (sw->hops[lid])
				for (unsigned p = 0; p < sw->num_ports; p++)
					ASSERT_EQ(sw->hops[lid][p],
						  OSM_NO_PATH);
	}
}

/* --- sweeps ------------------------------------------------------------ */

TEST_WITH(test_sweep, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct weft_routes routes = { 0 };
	struct weft_proof_spec spec = { .all_hosts = true, .switches = true,
					.loads = true };
	struct weft_proof proof;
	char words[80];

	write_conf(x, "[weft]\ndeadlock = ignore\n");
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("testengine: routed ");
	ASSERT_EQ(weft_engine_find("null")->route(x->f, NULL, &routes, NULL),
		  0);
	for (uint32_t i = 0; i < x->f->nsw; i++) {
		const osm_switch_t *sw = shim_switch(x->s, x->f->sw[i].guid);

		ASSERT_MEM(sw->new_lft, weft_lft_row(&routes.lft, i),
			   x->f->max_lid + 1);
	}
	ASSERT_EQ(weft_proof_run(x->f, &routes, &spec, &proof, NULL), 0);
	snprintf(words, sizeof(words),
		 "forwarding index %llu, longest route %u switches",
		 (unsigned long long)proof.load_max,
		 proof.max_hops);
	shim_expect_log(words);
	weft_proof_free(&proof);
	weft_routes_free(&routes);
	ASSERT_EQ(sweep(x), 0);	/* and again */
}

/* Hop counts: for the dump, for OpenSM's multicast trees, or not at all. */
TEST_WITH(test_hops_wanted, set_up, tear_down)
{
	struct fixture *x = suite_state;
	const osm_switch_t *sw = &x->s->sw[0];
	uint16_t lid = cl_ntoh16(osm_node_get_base_lid(sw->p_node, 0));

	ASSERT_EQ(sweep(x), 0);
	ASSERT(!sw->hops[lid]);
	ASSERT(x->re.mcast_build_stree);
	x->s->osm->log.level = OSM_LOG_ROUTING;
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(osm_switch_get_least_hops(sw, lid), 0);
	ASSERT(x->re.mcast_build_stree);
	x->s->osm->log.level = 0;
	write_conf(x, "[weft]\nmulticast = opensm\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(osm_switch_get_least_hops(sw, lid), 0);
	ASSERT(!x->re.mcast_build_stree);
}

/* The tree itself: test_shim_multicast.c. */
TEST_WITH(test_multicast, set_up, tear_down)
{
	struct fixture *x = suite_state;
	osm_mgrp_box_t box = { .mlid = 0xc000 };

	cl_qlist_init(&box.mgrp_list);
	ASSERT_EQ(sweep(x), 0);
	shim_purged = 0;
	ASSERT_EQ(x->re.mcast_build_stree(x->re.context, &box), IB_SUCCESS);
	ASSERT_EQ(shim_purged, 1);
}

TEST_WITH(test_no_layers, set_up, tear_down)
{
	struct fixture *x = suite_state;

	write_conf(x, "[weft]\ndeadlock = ignore\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT(!x->re.update_sl2vl);
	ASSERT(!x->re.update_vlarb);
	ASSERT(!x->re.ucast_dump_tables);
	for (unsigned hint = 0; hint < 16; hint++)
		ASSERT_EQ(x->re.path_sl(x->re.context, hint,
			  cl_hton16(x->f->ep[0].lid),
			  cl_hton16(x->f->ep[1].lid)), hint);
}

TEST_WITH(test_engine_refuses, set_up, tear_down)
{
	struct fixture *x = suite_state;

	route_error = EINVAL;
	ASSERT_EQ(sweep(x), -1);
	shim_expect_log("testengine: ERR 5703: cannot do it");
	expect_untouched(x);
	ASSERT_EQ(x->re.ucast_build_fwd_tables(x->re.context), -1);
	expect_untouched(x);
	route_error = 0;
	ASSERT_EQ(sweep(x), 0);	/* it recovers */
}

/* Each way in which a route can fail; the LID is an endport's. */
static unsigned victim(const struct weft_fabric *f)
{
	return f->ep[0].lid;
}

static void no_route(const struct weft_fabric *f, struct weft_routes *r)
{
	weft_lft_row(&r->lft, f->nsw - 1)[victim(f)] = WEFT_NO_PORT;
}

static void bad_port(const struct weft_fabric *f, struct weft_routes *r)
{
	weft_lft_row(&r->lft, f->nsw - 1)[victim(f)] = 250;
}

static void dead_end(const struct weft_fabric *f, struct weft_routes *r)
{
	weft_lft_row(&r->lft, f->nsw - 1)[victim(f)] = f->sw[f->nsw - 1].nports;
}

static void loop(const struct weft_fabric *f, struct weft_routes *r)
{
	uint32_t ch = f->adj[f->adj_first[0]], peer = f->peer[ch];

	weft_lft_row(&r->lft, 0)[f->sw[5].lid] = ch - f->first_channel[0];
	weft_lft_row(&r->lft, peer)[f->sw[5].lid] = f->peer_port[ch];
}

static void wrong_end(const struct weft_fabric *f, struct weft_routes *r)
{
	weft_lft_row(&r->lft, f->nsw - 1)[victim(f)] = 0;
}

static void switch_unreachable(const struct weft_fabric *f,
			       struct weft_routes *r)
{
	weft_lft_row(&r->lft, 0)[f->sw[f->nsw - 1].lid] = WEFT_NO_PORT;
}

static void second_lid(const struct weft_fabric *f, struct weft_routes *r)
{
	weft_lft_row(&r->lft, f->nsw - 1)[victim(f) + 1] = WEFT_NO_PORT;
}

TEST_WITH(test_bad_tables, set_up, tear_down)
{
	static void (*const spoilers[])(const struct weft_fabric *f,
					struct weft_routes *r) = {
		no_route, bad_port, dead_end, loop, wrong_end,
		switch_unreachable, second_lid,
	};
	struct fixture *x = suite_state;

	ASSERT_NE(x->f->ep[0].sw, x->f->nsw - 1);
	for (unsigned i = 0; i < sizeof(spoilers) / sizeof(*spoilers); i++) {
		spoil = spoilers[i];
		printf("spoiler %u\n", i);
		ASSERT_EQ(sweep(x), -1);
		shim_expect_log("testengine: ERR 5704: ");
		shim_expect_log("do not reach each other");
		expect_untouched(x);
	}
}

static void two_lanes(const struct weft_fabric *f, struct weft_routes *r)
{
	(void)f;
	r->layers.nvl = 2;
}

TEST_WITH(test_lanes, set_up, tear_down)
{
	struct fixture *x = suite_state;

	spoil = two_lanes;
	write_conf(x, "[weft]\ndeadlock = ignore\n");
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("testengine: WARNING: its service levels are left out: they need 2 virtual lanes, and there is 1");
	ASSERT(!x->re.update_sl2vl);
	write_conf(x, "");
	ASSERT_EQ(sweep(x), 0);
}

/* An engine with service levels of its own, where there are lanes for them. */
static void by_destination(const struct weft_fabric *f, struct weft_routes *r)
{
	r->layers.form = WEFT_SL_DESTINATION;
	r->layers.nvl = 2;
	r->layers.max_lid = f->max_lid;
	r->layers.table = malloc(f->max_lid + 1);
	ASSERT(r->layers.table);
	for (unsigned lid = 0; lid <= f->max_lid; lid++)
		r->layers.table[lid] = lid % 2;
}

TEST_WITH(test_own_lanes, set_up, tear_down)
{
	struct fixture *x = suite_state;

	spoil = by_destination;
	write_conf(x, "[weft]\ndeadlock = ignore\n");
	x->s->osm->subn.opt.qos = TRUE;
	ASSERT_EQ(sweep(x), 0);
	ASSERT(x->re.update_sl2vl);
	for (unsigned lid = 1; lid <= x->f->max_lid; lid++)
		if (weft_lid_owner(x->f, lid) != WEFT_NONE)
			ASSERT_EQ(x->re.path_sl(x->re.context, 0,
				  cl_hton16(x->f->ep[0].lid), cl_hton16(lid)),
				  lid % 2);
	x->s->osm->subn.opt.max_op_vls = 1;
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("WARNING: its service levels are left out: they need 2 virtual lanes, and there is 1");
	ASSERT(!x->re.update_sl2vl);
}

/* Does not fit: the LFTs of OpenSM are shorter than the LIDs in use. */
TEST_WITH(test_short_tables, set_up, tear_down)
{
	struct fixture *x = suite_state;

	x->s->osm->subn.max_ucast_lid_ho--;
	ASSERT_EQ(sweep(x), -1);
	shim_expect_log("testengine: ERR 5707: ");
	expect_untouched(x);
}

/* --- credit loops ------------------------------------------------------ */

/* Five switches in a ring with a host each: shortest paths have a loop. */
static struct weft_fabric *ring(void)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *bare, *f;

	for (unsigned i = 0; i < 5; i++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x100 + i, 4);
	for (unsigned i = 0; i < 5; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x200 + i, 1);

		ASSERT_EQ(weft_builder_link(b, i, 1, (i + 1) % 5, 2, (struct
			  weft_rate){ 4, WEFT_EDR }), 0);
		ASSERT_EQ(weft_builder_link(b, i, 3, h, 1, (struct weft_rate){
			  4, WEFT_EDR }), 0);
	}
	ASSERT_EQ(weft_builder_finish(b, &bare, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(bare, -1, &f, NULL), 0);
	weft_fabric_free(bare);
	weft_builder_free(b);
	return f;
}

static int set_up_ring(void **state)
{
	static struct fixture x;

	open_fixture(&x, ring());
	*state = &x;
	return 0;
}

TEST_WITH(test_credit_loop, set_up_ring, tear_down)
{
	struct fixture *x = suite_state;

	write_conf(x, "[weft]\ndeadlock = ignore\n");
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("testengine: WARNING: credit loop");
	shim_expect_log("(0x0000000000000104)");
	ASSERT(!strstr(shim_log, "ERR"));
	write_conf(x, "[weft]\ndeadlock = refuse\n");
	ASSERT_EQ(sweep(x), -1);
	shim_expect_log("testengine: ERR 5705: credit loop");
	shim_expect_log("(0x0000000000000104)");
	expect_untouched(x);
	write_conf(x, "");
	ASSERT_EQ(sweep(x), 0);
	ASSERT(!strstr(shim_log, "credit loop, traffic"));
	shim_expect_log("testengine: against credit loops: 1 of 1 lane in use");
}

/* --- options ----------------------------------------------------------- */

TEST_WITH(test_options, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(level, 3);
	write_conf(x, "[testengine]\nlevel = 7\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(level, 7);
	write_conf(x, "[testengine]\nlevel = much\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(level, 7);	/* what was read before stays */
	shim_expect_log(":2: ");
	shim_expect_log("testengine: ERR 5701: ");
	shim_expect_log("stay in force");
	write_conf(x, "");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(level, 3);
}

TEST_WITH(test_setup_refuses, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct osm_routing_engine re = { .context = (void *)&engine };

	write_conf(x, "[weft]\nno = such option\n");
	shim_log_clear();
	ASSERT_NE(weft__shim_setup(&re, x->s->osm), 0);
	shim_expect_log("testengine: ERR 5701: ");
	shim_expect_log(":2: ");
	ASSERT(re.context == &engine);
	ASSERT(!re.destroy);
}

TEST_WITH(test_unused_options, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct osm_routing_engine re = { .context = (void *)&engine };

	x->s->osm->subn.opt.scatter_ports = 8;
	x->s->osm->subn.opt.guid_routing_order_file = (char *)"/some/file";
	shim_log_clear();
	ASSERT_EQ(weft__shim_setup(&re, x->s->osm), 0);
	shim_expect_log("WARNING: OpenSM's option scatter_ports has no effect");
	shim_expect_log("guid_routing_order_file");
	ASSERT(!strstr(shim_log, "port_shifting"));
	re.destroy(re.context);
}

/* OpenSM computes the weighted hop counts when it is given weights. */
TEST_WITH(test_hop_weights, set_up, tear_down)
{
	struct fixture *x = suite_state;
	const osm_switch_t *sw = &x->s->sw[0];

	x->s->osm->subn.opt.hop_weights_file = (char *)"/some/file";
	shim_subnet_prepare(x->s);
	ASSERT_EQ(x->re.build_lid_matrices(x->re.context), 1);
	expect_untouched(x);
	ASSERT(!x->re.mcast_build_stree);
	ASSERT_EQ(x->re.ucast_build_fwd_tables(x->re.context), 0);
	ASSERT_NE(sw->new_lft[x->f->ep[0].lid], OSM_NO_PATH);
}

/* --- registration ------------------------------------------------------ */

static bool registered(const char *known_as)
{
	const struct weft_engine *e = weft_engine_find(known_as);
	const char *name = e->osm_name ? e->osm_name : e->name;

	for (unsigned i = 0; i < shim_nmodules; i++)
		if (!strcmp(shim_modules[i].name, name) &&
		    shim_modules[i].setup == weft__shim_setup &&
		    shim_modules[i].context == e)
			return true;
	return false;
}

TEST_WITH(test_register_one, set_up, tear_down)
{
	struct fixture *x = suite_state;
	void *plugin;

	shim_modules_clear();
	plugin = weft__shim_create(x->s->osm, "psssp");
	ASSERT(plugin);
	ASSERT_EQ(shim_nmodules, 1);
	ASSERT(registered("psssp"));
	weft__shim_delete(plugin);
	ASSERT(!weft__shim_create(x->s->osm, "nonesuch"));
	shim_register_status = CL_DUPLICATE;
	ASSERT(!weft__shim_create(x->s->osm, "psssp"));
}

TEST_WITH(test_register_all, set_up, tear_down)
{
	struct fixture *x = suite_state;
	unsigned n = 0;
	void *plugin;

	shim_modules_clear();
	plugin = weft__shim_create(x->s->osm, NULL);
	for (unsigned i = 0; weft_engines()[i]; i++) {
		const struct weft_engine *e = weft_engines()[i];
		bool offline = e->needs & WEFT_OFFLINE;

		ASSERT_EQ(registered(e->name), !offline);
		n += !offline;
	}
	ASSERT(n >= 1);
	ASSERT_EQ(shim_nmodules, n);
	weft__shim_delete(plugin);
}

/* Three switches with a host each, of which a cable joins the first two. */
static int set_up_parts(void **state)
{
	static struct fixture x;
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *plain = NULL, *f = NULL;
	uint32_t sw[3];

	for (unsigned i = 0; i < 3; i++) {
		uint32_t ca = weft_builder_node(b, WEFT_NODE_CA, 20 + i, 1);

		sw[i] = weft_builder_node(b, WEFT_NODE_SWITCH, 10 + i, 4);
		weft_builder_link(b, sw[i], 1, ca, 1,
				  (struct weft_rate){ 4, WEFT_EDR });
	}
	weft_builder_link(b, sw[0], 2, sw[1], 2,
			  (struct weft_rate){ 4, WEFT_EDR });
	ASSERT_EQ(weft_builder_finish(b, &plain, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(weft_fabric_assign_lids(plain, 0, &f, NULL), 0);
	weft_fabric_free(plain);
	open_fixture(&x, f);
	write_conf(&x, "[weft]\nstanding = no\n");
	*state = &x;
	return 0;
}

/* In the first part, switch 0 forgets the host of switch 1. */
static void forget_neighbour(const struct weft_fabric *f,
			     struct weft_routes *r)
{
	if (f->nsw == 2)
		weft_lft_row(&r->lft, 0)[f->ep[1].lid] = WEFT_NO_PORT;
}

/* A stray switch that no cable leads to takes nothing from the others; but what
 * cables lead to has to be reached. */
TEST_WITH(test_parts, set_up_parts, tear_down)
{
	struct fixture *x = suite_state;
	const osm_switch_t *sw = shim_switch(x->s, 10);

	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("testengine: WARNING: the fabric is in 2 parts that no cable joins");
	shim_expect_log("testengine: routed 3 hosts, 3 switches");
	for (uint32_t i = 0; i < 3; i++)
		ASSERT_EQ(sw->new_lft[x->f->ep[i].lid],
			  i == 0 ? 1 : i == 1 ? 2 : OSM_NO_PATH);
	sw = shim_switch(x->s, 12);
	ASSERT_EQ(sw->new_lft[x->f->ep[2].lid], 1);
	ASSERT_EQ(sw->new_lft[x->f->ep[0].lid], OSM_NO_PATH);
	x->s->osm->log.level = OSM_LOG_ROUTING;
	ASSERT_EQ(sweep(x), 0);

	spoil = forget_neighbour;
	ASSERT_EQ(sweep(x), -1);
	shim_expect_log("testengine: ERR 5704: 2 of ");
	shim_expect_log("has no entry for it");
	expect_untouched(x);
}

/* In the first part, switch 0 forgets switch 1. */
static void forget_switch(const struct weft_fabric *f, struct weft_routes *r)
{
	if (f->nsw == 2)
		weft_lft_row(&r->lft, 0)[f->sw[1].lid] = WEFT_NO_PORT;
}

/* Ports without a LID are told of, and take nothing from the others. */
TEST_WITH(test_no_lid, set_up_parts, tear_down)
{
	struct fixture *x = suite_state;
	osm_physp_t *port;

	ASSERT_EQ(sweep(x), 0);
	ASSERT(!strstr(shim_log, "no LID"));
	port = osm_node_get_physp_ptr(shim_node(x->s, 21), 1);
	ASSERT(port);
	port->port_info.base_lid = 0;
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("testengine: WARNING: some ports have no LID and cannot be reached");
	spoil = forget_switch;
	ASSERT_EQ(sweep(x), -1);
	shim_expect_log("testengine: ERR 5704: 2 of ");
	expect_untouched(x);
}
