// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A capture of a subnet that answers all: what is asked, and what comes of it
 * in fabric, tables and files.  subnet_util.h draws the subnet. */
#include "subnet_util.h"

#include "capture/inside.h"

static struct weft__capture *capture(bool paths)
{
	struct weft__capture_spec spec = subnet_spec();
	struct heard heard;
	struct weft__capture *c;

	spec.paths = paths;
	subnet_init();
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	assert_heard_count(&heard, 0, 0);
	return c;
}

static void end(struct weft__capture *c)
{
	weft__capture_free(c);
	EXPECT_EQ(subnet.destroyed, 1);
	EXPECT_EQ(subnet.closed, 2);
	EXPECT_EQ(subnet.released, subnet.opened);
}

/* --- what is asked -------------------------------------------------------- */

/* Fails unless a node was asked for these modifiers of an attribute, each once,
 * and for no others. */
static void expect_asked(unsigned node, unsigned attribute,
			 const unsigned *modifier, unsigned n)
{
	suite_case("node %u, attribute 0x%x", node, attribute);
	EXPECT_EQ(subnet_count(node, attribute), n);
	for (unsigned i = 0; i < n; i++)
		EXPECT_EQ(subnet_asked(node, attribute, modifier[i]), 1);
}
#define EXPECT_ASKED(node, attribute, ...)                                     \
	do {                                                                   \
		static const unsigned list[] = { __VA_ARGS__ };                \
		expect_asked(node, attribute, list,                            \
			     sizeof(list) / sizeof(list[0]));                  \
	} while (0)

/* Forwarding tables up to the last block in use, lanes of each way from a cable
 * or from port 0 to another cable, groups of both sixteens of ports. */
TEST(switches)
{
	struct weft__capture *c = capture(false);

	EXPECT_ASKED(A, IB_ATTR_LINEARFORWTBL, 0, 1, 2);
	EXPECT_ASKED(B, IB_ATTR_LINEARFORWTBL, 0);
	EXPECT_ASKED(A, IB_ATTR_SLVL_TABLE, 1, 2, 17, 0x102, 0x111, 0x201,
		     0x211, 0x1101, 0x1102);
	EXPECT_ASKED(B, IB_ATTR_SLVL_TABLE, 1, 2, 3, 0x102, 0x103, 0x201,
		     0x203, 0x301, 0x302);
	EXPECT_ASKED(A, IB_ATTR_MULTICASTFORWTBL, 0, 1, 1u << 28, 1u << 28 | 1);
	expect_asked(B, IB_ATTR_MULTICASTFORWTBL, NULL, 0);
	for (unsigned n = H1; n < NODES; n++) {
		expect_asked(n, IB_ATTR_LINEARFORWTBL, NULL, 0);
		expect_asked(n, IB_ATTR_SLVL_TABLE, NULL, 0);
		expect_asked(n, IB_ATTR_MULTICASTFORWTBL, NULL, 0);
	}
	end(c);
}

/* Halves of arbitration tables: as many as a port has entries for.  Adapters
 * are asked by the LID of the port instead. */
TEST(arbitration)
{
	struct weft__capture *c = capture(false);
	unsigned n[3] = { 0 };

	EXPECT_ASKED(A, IB_ATTR_VL_ARBITRATION, 0x10001, 0x10002, 0x20002,
		     0x30002, 0x40002, 0x10011);
	EXPECT_ASKED(B, IB_ATTR_VL_ARBITRATION, 0x10001, 0x10002, 0x10003);
	EXPECT_ASKED(H1, IB_ATTR_VL_ARBITRATION, 0x10000);
	EXPECT_ASKED(R, IB_ATTR_VL_ARBITRATION, 0x10000);
	suite_case("host 0x40");
	for (size_t i = 0; i < subnet.n; i++)
		if (subnet.log[i].node == H2 &&
		    subnet.log[i].attribute == IB_ATTR_VL_ARBITRATION)
			n[subnet.log[i].port]++;
	EXPECT_EQ(n[1], 1);
	EXPECT_EQ(n[2], 3);
	EXPECT_EQ(subnet_asked(H2, IB_ATTR_VL_ARBITRATION, 0x10000), 2);
	EXPECT_EQ(subnet_asked(H2, IB_ATTR_VL_ARBITRATION, 0x20000), 1);
	EXPECT_EQ(subnet_asked(H2, IB_ATTR_VL_ARBITRATION, 0x30000), 1);
	end(c);
}

/* Subnet managers where a port says that it has one; counters of all cabled
 * ports, twice, and the wide ones of nodes that have them. */
TEST(managers_and_counters)
{
	static const unsigned cables[NODES] = { 3, 3, 1, 2, 1 };
	static const unsigned managers[NODES] = { 0, 1, 1, 1, 0 };
	struct weft__capture *c = capture(false);

	for (unsigned n = 0; n < NODES; n++) {
		suite_case("node %u", n);
		EXPECT_EQ(subnet_count(n, IB_ATTR_SMINFO), managers[n]);
		EXPECT_EQ(subnet_asked(n, IB_ATTR_SMINFO, 0), managers[n]);
		EXPECT_EQ(subnet_count(n, CLASS_PORT_INFO), 1);
		EXPECT_EQ(subnet_count(n, IB_GSI_PORT_COUNTERS), 2 * cables[n]);
		EXPECT_EQ(subnet_count(n, IB_GSI_PORT_COUNTERS_EXT),
			  n == A || n == H2 ? 2 * cables[n] : 0);
	}
	for (size_t i = 0; i < subnet.n; i++) {
		const struct asked *q = &subnet.log[i];

		EXPECT(q->node < NODES);
		if (q->attribute == IB_GSI_PORT_COUNTERS)
			EXPECT(weft__is_cabled(&subnet.node[q->node],
					       q->select));
		if (q->class == IB_PERFORMANCE_CLASS)
			EXPECT_EQ(q->modifier, 0);
		/* a switch answers for all its ports */
		if (q->class == IB_PERFORMANCE_CLASS && q->node >= H1)
			EXPECT_EQ(q->port, q->attribute == CLASS_PORT_INFO ?
					  1 : q->select);
	}
	end(c);
}

/* Nodes without a LID are asked along their paths, and not for counters; tables
 * that are empty are not asked for. */
TEST(no_lid)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c;
	struct heard heard;

	subnet_init();
	subnet.node[B].smalid = 0;
	subnet.port[B][0].base_lid = 0;
	subnet.port[H2][2].base_lid = 0;
	mad_set_field(subnet.node[A].switchinfo, 0, IB_SW_LINEAR_FDB_TOP_F, 0);
	mad_set_field(subnet.node[A].switchinfo, 0, IB_SW_MCAST_FDB_TOP_F, 0);
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	expect_asked(A, IB_ATTR_LINEARFORWTBL, NULL, 0);
	/* what nobody set is as long as the table */
	EXPECT_ASKED(A, IB_ATTR_MULTICASTFORWTBL, 0, 1, 2, 3, 1u << 28,
		     1u << 28 | 1, 1u << 28 | 2, 1u << 28 | 3);
	expect_asked(B, IB_GSI_PORT_COUNTERS, NULL, 0);
	expect_asked(B, CLASS_PORT_INFO, NULL, 0);
	suite_case("all");
	EXPECT_EQ(subnet_count(B, IB_ATTR_SLVL_TABLE), 9);
	EXPECT_EQ(subnet_count(H2, IB_GSI_PORT_COUNTERS), 2);
	for (size_t i = 0; i < subnet.n; i++)
		EXPECT_EQ(subnet.log[i].by_path, subnet.log[i].node == B);
	/* the path to host 0x40 leads to its other port: nobody can be asked
	 * for three halves of its tables, nor for its manager */
	EXPECT_EQ(subnet_count(H2, IB_ATTR_VL_ARBITRATION), 1);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KIND_VLARB).silent, 3);
	EXPECT_EQ(subnet_count(H2, IB_ATTR_SMINFO), 0);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KIND_SM).silent, 1);
	end(c);
}

/* The top of the groups counts where it is within the table. */
TEST(groups)
{
	static const struct {
		unsigned cap, top, blocks;
	} cases[] = {
		{ 100, 0xc000, 1 },	{ 100, 0xc000 + 31, 1 },
		{ 100, 0xc000 + 32, 2 }, { 100, 0xc000 + 98, 4 },
		{ 96, 0xc000 + 95, 3 },	{ 96, 0xc000 + 96, 3 },
		{ 96, 0xc000 + 200, 3 }, { 97, 0, 4 },
		{ 100, 0xbfff, 0 },	{ 0, 0xc000, 0 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft__capture_spec spec = subnet_spec();
		uint8_t *info = subnet.node[A].switchinfo;
		struct heard heard;
		struct weft__capture *c;

		subnet_init();
		mad_set_field(info, 0, IB_SW_MCAST_FDB_CAP_F, cases[i].cap);
		mad_set_field(info, 0, IB_SW_MCAST_FDB_TOP_F, cases[i].top);
		c = subnet_capture(&spec, &heard);
		suite_case("top 0x%x of %u", cases[i].top, cases[i].cap);
		EXPECT_EQ(subnet_count(A, IB_ATTR_MULTICASTFORWTBL),
			  2 * cases[i].blocks);
		end(c);
	}
}

/* --- the fabric and its tables -------------------------------------------- */

TEST(fabric)
{
	struct weft__capture *c = capture(false);
	const struct weft_fabric *f = weft__capture_fabric(c);
	char text[64] = "";

	ASSERT_EQ(weft_fabric_check(f, NULL), 0);
	ASSERT_EQ(f->nsw, 2);
	ASSERT_EQ(f->nep, 4);
	EXPECT_EQ(f->max_lid, 130);
	for (unsigned s = 0; s < 2; s++) {
		EXPECT_EQ(f->sw[s].guid, s ? 0x20 : 0x10);
		EXPECT_EQ(f->sw[s].port_guid, s ? 0x20 : 0x10);
		EXPECT_EQ(f->sw[s].system_guid, s ? 0x21 : 0x11);
		EXPECT_EQ(f->sw[s].lid, s ? 1 : 2);
		EXPECT_EQ(f->sw[s].nports, s ? 18 : 4);
		EXPECT_STR(f->sw[s].name, s ? "leaf" : "spine");
		EXPECT_EQ(f->sw[s].device, s ? 0xc001 : 0xc000);
		EXPECT_EQ(f->sw[s].vendor, 0x2c9);
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		static const struct {
			uint64_t guid;
			unsigned lid, lmc, sw, port;
		} is[] = {
			{ 0x1030, 4, 0, 1, 1 },
			{ 0x1040, 5, 0, 1, 2 },
			{ 0x2040, 66, 1, 0, 2 },
			{ 0x1050, 130, 0, 0, 3 },
		};
		unsigned i = 0;

		while (i < 3 && is[i].guid != f->ep[e].guid)
			i++;
		suite_case("endport %u", e);
		EXPECT_EQ(f->ep[e].guid, is[i].guid);
		EXPECT_EQ(f->ep[e].lid, is[i].lid);
		EXPECT_EQ(f->ep[e].lmc, is[i].lmc);
		EXPECT_EQ(f->ep[e].sw, is[i].sw);
		EXPECT_EQ(f->ep[e].sw_port, is[i].port);
	}
	suite_case("cables");
	EXPECT_EQ(f->peer[weft_channel(f, 0, 1)], 1);
	EXPECT_EQ(f->peer_port[weft_channel(f, 0, 1)], 17);
	EXPECT_EQ(f->peer[weft_channel(f, 0, 4)], WEFT_NONE);
	EXPECT_EQ(weft__capture_hidden(c, text, sizeof(text)), 1);
	EXPECT_STR(text, "node 0x0000000000000010, port 4");
	end(c);
}

/* What a switch was not asked for leads nowhere; ways that have no cable at an
 * end were not told. */
TEST(tables)
{
	struct weft__capture *c = capture(false);
	const struct weft_routes *r = weft__capture_routes(c);
	const struct weft_fabric *f = weft__capture_fabric(c);
	static const bool cabled[2][19] = {
		{ [1] = true, [2] = true, [3] = true },
		{ [1] = true, [2] = true, [17] = true },
	};

	for (unsigned s = 0; s < 2; s++)
		for (unsigned lid = 0; lid <= 130; lid++)
			EXPECT_EQ(weft_lft_get(&r->lft, s, lid),
				  s || lid < 64 ? subnet_out(s, lid) :
						  WEFT_NO_PORT);
	EXPECT(weft__capture_has_sl2vl(c));
	EXPECT(!weft__capture_has_sl(c));
	for (unsigned s = 0; s < 2; s++)
		for (unsigned in = 0; in <= f->sw[s].nports; in++)
			for (unsigned out = 0; out <= f->sw[s].nports; out++) {
				bool told = in != out && cabled[s][out] &&
					    (!in || cabled[s][in]);

				suite_case("%u: %u to %u", s, in, out);
				for (unsigned sl = 0; sl < 16; sl++)
					EXPECT_EQ(weft_layers_vl(&r->layers, f,
						  s, in, out, sl),
						  told ? subnet_lane(in, out,
						  sl) : WEFT_VL_UNTOLD);
			}
	end(c);
}

/* --- paths ---------------------------------------------------------------- */

TEST(paths)
{
	static const unsigned lids[] = { 1, 2, 4, 5, 66, 67, 130 };
	struct weft__capture *c = capture(true);
	const struct weft_routes *r = weft__capture_routes(c);
	const struct weft_fabric *f = weft__capture_fabric(c);
	unsigned asked = 0;

	EXPECT(weft__capture_has_sl(c));
	EXPECT_EQ(r->layers.nvl, 6);
	for (uint32_t e = 0; e < f->nep; e++)
		for (unsigned i = 0; i < 7; i++)
			EXPECT_EQ(weft_layers_sl(&r->layers, f,
				  e | WEFT_ENDPORT, lids[i]),
				  subnet_sl(f->ep[e].lid, lids[i]));
	for (size_t i = 0; i < subnet.n; i++) {
		const struct asked *q = &subnet.log[i];

		if (q->class != IB_SA_CLASS)
			continue;
		asked++;
		EXPECT_EQ(q->attribute, IB_SA_ATTR_PATHRECORD);
		EXPECT_EQ(q->node, H1); /* whose LID the manager's is */
		EXPECT_EQ(q->mask, 1 << 4 | 1 << 5 | 1 << 11 | 1 << 12);
		EXPECT_EQ(q->nth, 0);
	}
	EXPECT_EQ(asked, 4 * 7);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KINDS).asked, 28);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KINDS).silent, 0);
	end(c);
}

static int no_paths(const struct asked *q)
{
	return q->class == IB_SA_CLASS ? LOST : OK;
}

static int half_of_paths(const struct asked *q)
{
	return q->class == IB_SA_CLASS && q->dlid < 10 ? REFUSED : OK;
}

/* Service levels are told unless not one was answered. */
TEST(silent_paths)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c;
	struct heard heard;

	spec.paths = true;
	for (unsigned i = 0; i < 2; i++) {
		subnet_init();
		subnet.fate = i ? half_of_paths : no_paths;
		c = subnet_capture(&spec, &heard);
		ASSERT(c);
		EXPECT_EQ(weft__capture_has_sl(c), i);
		EXPECT_EQ(weft__capture_missing(c, WEFT__KINDS).asked, 28);
		EXPECT_EQ(weft__capture_missing(c, WEFT__KINDS).silent,
			  i ? 16 : 28);
		end(c);
	}
}

/* A sample is of as many pairs as were asked for, drawn by the seed. */
TEST(sample)
{
	struct weft__capture_spec spec = subnet_spec();
	unsigned differ = 0;

	spec.paths = true;
	spec.sample = 40;
	for (unsigned i = 0; i < 3; i++) {
		struct weft__capture *c;
		struct heard heard;
		static struct weft__pair first[40];

		spec.seed = i / 2;
		subnet_init();
		c = subnet_capture(&spec, &heard);
		ASSERT(c);
		EXPECT(!weft__capture_has_sl(c));
		ASSERT_EQ(c->npairs, 40);
		EXPECT_EQ(weft__capture_missing(c, WEFT__KINDS).asked, 40);
		for (unsigned k = 0; k < 40; k++) {
			const struct weft__pair *p = &c->pair[k];

			EXPECT_EQ(p->answer, WEFT__ANSWERED);
			EXPECT(p->source < 4);
			EXPECT_EQ(p->sl, subnet_sl(c->fabric->ep[p->source].lid,
				  p->dlid));
			if (i)
				differ += p->source != first[k].source ||
					  p->dlid != first[k].dlid;
			else
				first[k] = *p;
		}
		EXPECT_EQ(differ > 0, i == 2);
		end(c);
	}
}
