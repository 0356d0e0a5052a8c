// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes in OpenSM: how many there are, what the callbacks answer, and that the
 * answers together are free of deadlock. */
#include "plugins/lanes/osm_layers.h"

#include "shim_fixture.h"

#include <weft/proof.h>
#include <weft/rng.h>

#include <opensm/osm_partition.h>

#include <string.h>
#include <sys/stat.h>

static int set_up_tree(void **state)
{
	static struct fixture x;

	open_fixture(&x, "pgft:2;4,4;1,2;1,1");
	*state = &x;
	return 0;
}

static void set_code(osm_physp_t *port, uint8_t code)
{
	port->port_info.vl_cap = code << 4;
	port->port_info.vl_enforce = code << 4;
}

/* Sets the lanes of all ports with a link. */
static void set_all_codes(const struct fixture *x, uint8_t code)
{
	for (uint32_t s = 0; s < x->f->nsw; s++)
		for (unsigned p = 1; p <= x->f->sw[s].nports; p++) {
			osm_physp_t *port = port_of(x, s, p);

			if (!port->p_remote_physp)
				continue;
			set_code(port, code);
			set_code(port->p_remote_physp, code);
		}
}

/* --- the callbacks together, as a proof sees them ---------------------- */

static void collect_tables(const struct fixture *x, struct weft_routes *r)
{
	const struct weft_fabric *f = x->f;

	ASSERT_EQ(weft_lft_init(&r->lft, f->nsw, f->max_lid), 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		memcpy(weft_lft_row(&r->lft, s),
		       shim_switch(x->s, f->sw[s].guid)->new_lft,
		       f->max_lid + 1);
}

static void collect_sls(const struct fixture *x, unsigned hint,
			struct weft_layers *y)
{
	const struct weft_fabric *f = x->f;

	y->form = WEFT_SL_ENDPORT_LID;
	y->nsw = f->nsw;
	y->nep = f->nep;
	y->max_lid = f->max_lid;
	y->sl = hint;
	y->table = calloc(f->nep, f->max_lid + 1);
	for (uint32_t e = 0; e < f->nep; e++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			y->table[e * (f->max_lid + 1) + lid] =
				path_sl(x, hint, f->ep[e].lid, lid);
}

/* The table by the options for a kind of port. */
static void usual_sl2vl(const struct fixture *x, const osm_physp_t *port,
			ib_slvl_table_t *table)
{
	const osm_subn_opt_t *o = options(x);
	const char *text =
		osm_node_get_type(port->p_node) != IB_NODE_TYPE_SWITCH ?
			o->qos_ca_options.sl2vl : o->qos_swe_options.sl2vl;

	if (!text)
		text = o->qos_options.sl2vl;
	if (!text)
		text = OSM_DEFAULT_QOS_SL2VL;
	for (unsigned sl = 0; sl < 16; sl++) {
		ib_slvl_table_set(table, sl, atoi(text));
		text += strcspn(text, ",");
		text += *text == ',';
	}
}

/* As OpenSM does: the table by its options, then the engine's word, cut to the
 * lanes that the port has. */
static void ask_sl2vl(const struct fixture *x, osm_physp_t *port, unsigned in,
		      unsigned out, uint8_t *vl)
{
	unsigned code = port->port_info.vl_enforce >> 4;
	unsigned mask = code ? (1u << (code - 1)) - 1 : 15;
	ib_slvl_table_t table;

	usual_sl2vl(x, port, &table);
	if (x->re.update_sl2vl)
		x->re.update_sl2vl(x->re.context, port, in, out, &table);
	for (unsigned sl = 0; sl < 16; sl++) {
		vl[sl] = ib_slvl_table_get(&table, sl);
		if (vl[sl] != 15)
			vl[sl] &= mask;
	}
}

static void collect_sl2vl(const struct fixture *x, struct weft_layers *y)
{
	const struct weft_fabric *f = x->f;
	uint64_t rows = 0;

	y->base = calloc(f->nsw, sizeof(*y->base));
	for (uint32_t s = 0; s < f->nsw; s++) {
		y->base[s] = rows;
		rows += (f->sw[s].nports + 1u) * (f->sw[s].nports + 1u);
	}
	y->sl2vl = calloc(rows, 16);
	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned n = f->sw[s].nports + 1u;

		for (unsigned in = 0; in < n; in++)
			for (unsigned out = 1; out < n; out++)
				ask_sl2vl(x, port_of(x, s, out), in, out,
					  &y->sl2vl[(y->base[s] + in * n +
						     out) * 16]);
	}
	y->nvl = 15;
}

/* Whether everything on paths that OpenSM gives out with hint is reachable and
 * free of deadlock. */
static void expect_proven(const struct fixture *x, unsigned hint)
{
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .credit_loops = true, .max_examples = 1,
	};
	struct weft_routes r = { 0 };
	struct weft_proof proof;

	collect_tables(x, &r);
	collect_sls(x, hint, &r.layers);
	collect_sl2vl(x, &r.layers);
	ASSERT_EQ(weft_proof_run(x->f, &r, &spec, &proof, NULL), 0);
	ASSERT_EQ(proof.unreachable, 0);
	ASSERT_EQ(proof.cyclic_vls, 0);
	weft_proof_free(&proof);
	weft_routes_free(&r);
}

/* The SLs that paths have with a hint, a bit each. */
static unsigned all_sls(const struct fixture *x, unsigned hint)
{
	unsigned used = 0;

	for (uint32_t a = 0; a < x->f->nep; a++)
		for (uint32_t b = 0; b < x->f->nep; b++)
			used |= 1u << path_sl(x, hint, x->f->ep[a].lid,
					      x->f->ep[b].lid);
	return used;
}

static unsigned count_sls(const struct fixture *x, unsigned hint)
{
	return __builtin_popcount(all_sls(x, hint));
}

/* --- lanes ------------------------------------------------------------- */

TEST_WITH(test_layers, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	ASSERT(x->re.update_sl2vl);
	ASSERT(x->re.update_vlarb);
	ASSERT(count_sls(x, 0) > 1);
	expect_proven(x, 0);
	write_conf(x, "[weft]\ndeadlock = ignore\n");
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("WARNING: credit loop");
	ASSERT(!x->re.update_sl2vl);
	ASSERT_EQ(count_sls(x, 5), 1);
}

TEST_WITH(test_tree, set_up_tree, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("VLs 1,");
	ASSERT(!strstr(shim_log, "lanes"));
	ASSERT(!x->re.update_sl2vl);
	ASSERT(!x->re.update_vlarb);
	ASSERT_EQ(path_sl(x, 6, x->f->ep[0].lid, x->f->ep[1].lid), 6);
}

TEST_WITH(test_no_qos, set_up, tear_down)
{
	struct fixture *x = suite_state;

	options(x)->qos = FALSE;
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("WARNING: qos is FALSE");
	shim_expect_log("1 of 1 lane in use");
	shim_expect_log("Up*/Down*");
	ASSERT(!x->re.update_sl2vl);
	ASSERT_EQ(path_sl(x, 3, x->f->ep[0].lid, x->f->ep[9].lid), 3);
	expect_proven(x, 0);
}

/* Any number of lanes will do, however it is limited. */
TEST_WITH(test_lane_budget, set_up, tear_down)
{
	static const unsigned lanes[] = { 0, 1, 2, 4, 8, 15 };
	struct fixture *x = suite_state;
	char words[32];

	for (unsigned code = 1; code <= 5; code++) {
		snprintf(words, sizeof(words), "of %u lane", lanes[code]);
		set_all_codes(x, code);
		ASSERT_EQ(sweep(x), 0);
		shim_expect_log(words);
		expect_proven(x, 0);
		ASSERT(count_sls(x, 0) <= lanes[code]);
		set_all_codes(x, 5);
		options(x)->max_op_vls = code;
		ASSERT_EQ(sweep(x), 0);
		shim_expect_log(words);
		expect_proven(x, 0);
		options(x)->max_op_vls = 5;
	}
}

static void expect_no_log(const char *words)
{
	if (strstr(shim_log, words))
		ASSERT_NEVER("\"%s\" in the log:\n%s", words, shim_log);
}

/* One port in the middle of the fabric has a single data lane: others keep
 * theirs, and the log names it once. */
TEST_WITH(test_narrow_port, set_up, tear_down)
{
	struct fixture *x = suite_state;
	uint32_t ch = x->f->adj[x->f->adj_first[5] + 1];
	osm_physp_t *port = port_of(x, 5, ch - x->f->first_channel[5]);

	set_code(port, 1);
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	shim_expect_log("WARNING: 1 cable with fewer than 8 lanes: ");
	shim_expect_log(x->f->sw[5].name);
	shim_expect_log(" has 1; layers share them there, or keep away");
	ASSERT(count_sls(x, 0) > 1);
	expect_proven(x, 0);
	ASSERT_EQ(sweep(x), 0);
	expect_no_log("WARNING");
	/* Able to do more, but not at present: OpenSM would cut the tables. */
	port->port_info.vl_cap = 4 << 4;
	port->port_info.vl_enforce = 2 << 4;
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	expect_proven(x, 0);
	set_code(port, 4);
	port->port_info.vl_enforce = 0;		/* not known */
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	expect_no_log("WARNING");
	set_code(port, 1);
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("WARNING: 1 cable with fewer than 8 lanes: ");
}

/* An adapter with few lanes costs nobody else any; its layers are folded. */
TEST_WITH(test_narrow_adapter, set_up, tear_down)
{
	struct fixture *x = suite_state;
	const struct weft_endport *ep = &x->f->ep[3];
	osm_physp_t *port = port_of(x, ep->sw, ep->sw_port);
	uint8_t vl[16];

	set_code(port->p_remote_physp, 1);
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	for (unsigned end = 0; end < 2; end++) {
		ask_sl2vl(x, end ? port->p_remote_physp : port, 0,
			  end ? 0 : ep->sw_port, vl);
		for (unsigned sl = 0; sl < 16; sl++)
			ASSERT_EQ(vl[sl], 0);
	}
	expect_proven(x, 0);
}

/* --- QoS --------------------------------------------------------------- */

TEST_WITH(test_levels, set_up, tear_down)
{
	struct fixture *x = suite_state;
	unsigned lane_level[16] = { 0 };
	uint8_t vl[16];

	write_conf(x, "[weft]\nqos_levels = 2\n");
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 4 lanes in use");
	expect_proven(x, 0);
	expect_proven(x, 8);
	for (uint32_t a = 0; a < x->f->nep; a++)
		for (uint32_t b = 0; b < x->f->nep; b++) {
			unsigned from = x->f->ep[a].lid, to = x->f->ep[b].lid;
			unsigned low = path_sl(x, 0, from, to);
			unsigned high = path_sl(x, 8, from, to);

			ASSERT_WITHIN(low, 0, 3);
			ASSERT_EQ(high, 8 + low);
			/* Whoever asks for what it was told gets it again. */
			ASSERT_EQ(path_sl(x, low, from, to), low);
			ASSERT_EQ(path_sl(x, high, to, from), high);
		}
	/* No lane has traffic of two levels. */
	ask_sl2vl(x, port_of(x, 0, x->f->adj[0] - x->f->first_channel[0]), 0,
		  1, vl);
	for (unsigned sl = 0; sl < 16; sl++)
		lane_level[vl[sl]] |= 1u << sl / 8;
	for (unsigned i = 0; i < 16; i++)
		ASSERT_NE(lane_level[i], 3);
}

/* A sweep that works although SLs have taken lanes; the log says so, as a
 * warning where lanes are missed. */
static void expect_left(struct fixture *x, const char *why, const char *left)
{
	ASSERT_EQ(sweep(x), 0);
	expect_no_log("ERR");
	shim_expect_log(why);
	shim_expect_log(left);
	expect_proven(x, 0);
}

TEST_WITH(test_too_many_levels, set_up, tear_down)
{
	struct fixture *x = suite_state;

	write_conf(x, "[weft]\nqos_levels = 3\n");
	options(x)->max_op_vls = 2;
	expect_left(x,
		    "WARNING: qos_levels = 3 in weft.conf are more than the 2 lanes",
		    "of 2 lanes in use");
	shim_expect_log("; set qos_levels = 2, or raise max_op_vls");
}

TEST_WITH(test_sl2vl_option, set_up, tear_down)
{
	struct fixture *x = suite_state;

	options(x)->qos_options.sl2vl =
		(char *)OSM_DEFAULT_QOS_SL2VL;
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	/* What OpenSM makes of the usual table, for 8 lanes. */
	options(x)->qos_options.sl2vl =
		(char *)"0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7";
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	expect_no_log("qos_sl2vl");
	/* Lanes 2 to 7 are left, and SLs in the lane of SL 0. */
	options(x)->qos_swe_options.sl2vl =
		(char *)"0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1";
	expect_left(x,
		    "option qos_swe_sl2vl sends SL 8 to VL 1: that leaves 7 of 8 lanes",
		    "of 7 lanes in use");
	write_conf(x, "[weft]\nqos_levels = 2\n");
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 4 lanes in use");
	expect_no_log("that leaves");
	/* What no path uses may be dropped. */
	options(x)->qos_swe_options.sl2vl =
		(char *)"0,0,0,0,0,0,0,15,1,1,1,1,1,1,1,15";
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 4 lanes in use");
	expect_no_log("that leaves");
	/* Where all SLs have lanes of their own, none is left. */
	options(x)->qos_swe_options.sl2vl =
		(char *)"0,1,2,3,4,5,7,6,0,1,2,3,4,5,7,6";
	expect_left(x,
		    "WARNING: option qos_swe_sl2vl sends SL 1 to VL 1: that leaves 1 of 8 lanes",
		    "1 of 1 lane in use");
	shim_expect_log("; leave out qos_swe_sl2vl, or set qos_levels = ");
	ASSERT(!x->re.update_sl2vl);
}

/* Where adapters and switches have tables of their own, layers go by the one of
 * switches, and adapters keep theirs. */
TEST_WITH(test_sl2vl_of_adapters, set_up, tear_down)
{
	struct fixture *x = suite_state;
	const struct weft_endport *ep = &x->f->ep[3];
	osm_physp_t *port = port_of(x, ep->sw, ep->sw_port);
	uint8_t vl[16];

	options(x)->qos_ca_options.sl2vl =
		(char *)"3,4,3,3,3,3,3,3,3,3,3,3,3,3,3,3";
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	expect_no_log("WARNING");
	expect_proven(x, 0);
	ASSERT(count_sls(x, 0) > 1);
	ask_sl2vl(x, port->p_remote_physp, 0, 0, vl);
	for (unsigned sl = 0; sl < 16; sl++)
		if (!(1u << sl & all_sls(x, 0)))
			ASSERT_EQ(vl[sl], sl == 1 ? 4 : 3);
		else
			ASSERT_EQ(vl[sl], 3);
}

TEST_WITH(test_partition, set_up, tear_down)
{
	struct fixture *x = suite_state;
	osm_prtn_t usual = { .sl = 0, .name = "Default" };
	osm_prtn_t partition = { .sl = 8, .name = "storage" };

	cl_qmap_insert(&x->s->osm->subn.prtn_pkey_tbl, 1, &usual.map_item);
	cl_qmap_insert(&x->s->osm->subn.prtn_pkey_tbl, 2,
		       &partition.map_item);
	/* With 8 lanes SL 8 is in that of SL 0. */
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	expect_no_log("storage");
	expect_proven(x, 0);
	expect_proven(x, 8);
	write_conf(x, "[weft]\nqos_levels = 2\n");
	ASSERT_EQ(sweep(x), 0);
	expect_no_log("storage");
	expect_proven(x, 8);
	partition.sl = 3;
	expect_left(x, "partition 'storage' has SL 3: that leaves 4 of 8 lanes",
		    "of 4 lanes in use");
	expect_no_log("WARNING");
	expect_proven(x, 3);
	/* With few lanes they are missed, as is said once. */
	options(x)->max_op_vls = 2;
	expect_left(x,
		    "WARNING: partition 'storage' has SL 3: that leaves 1 of 2 lanes",
		    "of 1 lane in use");
	shim_expect_log("; one SL for all paths would leave 2");
	expect_proven(x, 3);
	ASSERT_EQ(sweep(x), 0);
	expect_no_log("WARNING");
}

/* --- whatever an administrator sets up --------------------------------- */

struct setup {
	osm_prtn_t partition[4];
	char table[2][64];
	unsigned used;			/* SLs, a bit each */
};

static char *random_table(struct weft_rng *rng, char text[64])
{
	unsigned most = 1 + weft_rng_below(rng, 8), used = 0;

	for (unsigned sl = 0; sl < 16; sl++)
		used += sprintf(text + used, "%s%u", sl ? "," : "",
				(unsigned)weft_rng_below(rng, most));
	return text;
}

/* Partitions with SLs, SL2VL tables, and cables with few lanes, at random. */
static void set_up_at_random(struct fixture *x, struct setup *u,
			     struct weft_rng *rng)
{
	cl_qmap_t *table = &x->s->osm->subn.prtn_pkey_tbl;
	unsigned n = 1 + weft_rng_below(rng, 4);

	cl_qmap_init(table);
	*u = (struct setup){ .used = 0 };
	for (unsigned i = 0; i < n; i++) {
		sprintf(u->partition[i].name, "part%u", i);
		u->partition[i].sl = i ? weft_rng_below(rng, 16) : 0;
		u->used |= 1u << u->partition[i].sl;
		cl_qmap_insert(table, i + 1, &u->partition[i].map_item);
	}
	options(x)->qos_options.sl2vl = weft_rng_below(rng, 3) ? NULL :
		random_table(rng, u->table[0]);
	options(x)->qos_ca_options.sl2vl = weft_rng_below(rng, 3) ? NULL :
		random_table(rng, u->table[1]);
	options(x)->max_op_vls = 1 + weft_rng_below(rng, 5);
	set_all_codes(x, 2 + weft_rng_below(rng, 4));
	for (unsigned i = weft_rng_below(rng, 4); i; i--) {
		uint32_t e = weft_rng_below(rng, x->f->adj_first[x->f->nsw]);
		uint32_t ch = x->f->adj[e], s = weft_channel_switch(x->f, ch);

		set_code(port_of(x, s, ch - x->f->first_channel[s]),
			 1 + weft_rng_below(rng, 3));
	}
}

/* Paths of an SL in use keep it or move by layers of its own, whatever way they
 * are asked for; its own lane stays as it was. */
static void expect_kept(const struct fixture *x, const struct setup *u,
			unsigned sl)
{
	osm_physp_t *port = port_of(x, 0, x->f->adj[0] -
					  x->f->first_channel[0]);
	ib_slvl_table_t usual;
	uint8_t vl[16];

	for (unsigned a = 0; a < 8; a++)
		for (unsigned b = 0; b < 8; b++) {
			unsigned from = x->f->ep[a].lid, to = x->f->ep[b].lid;
			unsigned got = path_sl(x, sl, from, to);

			ASSERT_EQ(path_sl(x, sl, to, from), got);
			ASSERT_EQ(path_sl(x, got, from, to), got);
			if (got != sl)
				ASSERT(!(u->used >> got & 1));
		}
	usual_sl2vl(x, port, &usual);
	ask_sl2vl(x, port, 0, port->port_num, vl);
	if (x->re.update_sl2vl)
		ASSERT_EQ(vl[sl], weft__lane_cut(ib_slvl_table_get(&usual, sl),
			  weft__port_lanes(&x->s->osm->subn, port)));
}

TEST(test_any_setup)
{
	static const char *const engines[] = { "psssp", "weave" };

	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct weft_rng *rng = weft_rng_new(seed);
		struct fixture x;
		struct setup u;

		open_engine(&x, seed % 3 ? "torus:4x4,hosts=1" :
					   "ring:6,hosts=2", engines[seed % 2]);
		set_up_at_random(&x, &u, rng);
		if (sweep(&x))
			ASSERT_NEVER("seed %u: refused:\n%s", seed, shim_log);
		for (unsigned sl = 0; sl < 16; sl++)
			if (u.used >> sl & 1) {
				expect_proven(&x, sl);
				expect_kept(&x, &u, sl);
			}
		weft_rng_free(rng);
		close_fixture(&x);
	}
}

TEST_WITH(test_policy, set_up, tear_down)
{
	struct fixture *x = suite_state;
	char fifo[128];

	options(x)->qos_policy_file = (char *)"/nonexistent/policy";
	shim_policy_level = "gold";
	ASSERT_EQ(sweep(x), 0);
	/* OpenSM would open these, and the first of them never comes back. */
	path_in(x, "policy", fifo);
	ASSERT_EQ(mkfifo(fifo, 0600), 0);
	options(x)->qos_policy_file = fifo;
	shim_policy_sl = 4;
	ASSERT_EQ(sweep(x), 0);
	unlink(fifo);
	options(x)->qos_policy_file = (char *)"/dev/null";
	ASSERT_EQ(sweep(x), 0);
	options(x)->qos_policy_file = x->words + strlen("weft.conf=");
	/* All paths have the lane of SL 4 then, and the others are left. */
	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("of 8 lanes in use");
	expect_no_log("gold");
	ASSERT(all_sls(x, 4) & 1u << 4 && count_sls(x, 4) > 1);
	expect_proven(x, 4);
	options(x)->sm_sl = 3;
	expect_left(x,
		    "option 'sm_sl' has SL 3, QoS policy level 'gold' has SL 4: that leaves 4 of 8 lanes",
		    "of 4 lanes in use");
	expect_proven(x, 3);
	expect_proven(x, 4);
	options(x)->sm_sl = 0;
	write_conf(x, "[weft]\nqos_levels = 4\n");
	ASSERT_EQ(sweep(x), 0);
	expect_proven(x, 4);
	cl_list_remove_all(&x->s->osm->subn.p_qos_policy->qos_levels);
	cl_list_destroy(&x->s->osm->subn.p_qos_policy->qos_levels);
	cl_list_destroy(&x->s->osm->subn.p_qos_policy->qos_match_rules);
}

/* A VL15 of the administrator's stays; all else is lanes that there are. */
TEST_WITH(test_dropped_sl, set_up, tear_down)
{
	struct fixture *x = suite_state;
	ib_slvl_table_t table = { 0 };

	ASSERT_EQ(sweep(x), 0);
	ib_slvl_table_set(&table, 14, 15);
	x->re.update_sl2vl(x->re.context,
			   port_of(x, 0, x->f->adj[0] -
				   x->f->first_channel[0]), 0, 1, &table);
	for (unsigned sl = 0; sl < 16; sl++)
		if (sl == 14)
			ASSERT_EQ(ib_slvl_table_get(&table, sl), 15);
		else
			ASSERT_WITHIN(ib_slvl_table_get(&table, sl), 0, 7);
}

/* --- VL arbitration ---------------------------------------------------- */

static unsigned sum_of(const ib_vl_arb_table_t *block, unsigned length,
		       unsigned first, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < length; i++)
		if (block->vl_entry[i].vl >= first &&
		    block->vl_entry[i].vl < first + n)
			sum += block->vl_entry[i].weight;
	return sum;
}

TEST_WITH(test_vlarb, set_up, tear_down)
{
	struct fixture *x = suite_state;
	ib_vl_arb_table_t block = { .vl_entry = { { 0, 60 }, { 1, 20 } } };
	osm_physp_t *port;

	write_conf(x, "[weft]\nqos_levels = 2\n");
	ASSERT_EQ(sweep(x), 0);
	port = port_of(x, 0, x->f->adj[0] - x->f->first_channel[0]);
	x->re.update_vlarb(x->re.context, port, 1, &block, 8, 0);
	for (unsigned vl = 0; vl < count_sls(x, 0); vl++) {
		ASSERT_EQ(sum_of(&block, 8, vl, 1), 60);
		ASSERT_EQ(sum_of(&block, 8, 4 + vl, 1), 20);
	}
	ASSERT_EQ(sum_of(&block, 8, 0, 16), 80 * count_sls(x, 0));

	/* As OpenSM has it by default: all to level 0, in one lane here. */
	block = (ib_vl_arb_table_t){ .vl_entry = { { 0, 4 }, { 1, 0 } } };
	set_code(port, 1);
	x->re.update_vlarb(x->re.context, port, 1, &block, 8, 2);
	ASSERT_EQ(sum_of(&block, 8, 0, 1), 4);
	ASSERT_EQ(sum_of(&block, 8, 1, 15), 0);
}
