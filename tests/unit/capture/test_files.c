// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files of comma-separated values that a capture writes, to the letter;
 * subnet_util.h draws the subnet. */
#include "subnet_util.h"

#include "capture/inside.h"

#include <inttypes.h>

static char *file_of(const struct weft__capture *c, const char *name)
{
	const struct weft__capture_file *file = weft__capture_files;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	while (file->name && strcmp(file->name, name))
		file++;
	ASSERT(file->name);
	EXPECT_EQ(file->sample, !strcmp(name, "weft-sample.csv"));
	ASSERT_EQ(file->write(c, out), 0);
	fclose(out);
	return text;
}

static struct weft__capture *capture(int (*fate)(const struct asked *q),
				     uint64_t sample)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c;
	struct heard heard;

	spec.paths = sample;
	spec.sample = sample;
	subnet_init();
	subnet.fate = fate;
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	return c;
}

static void end(struct weft__capture *c, char *text)
{
	free(text);
	weft__capture_free(c);
}

/* Rows of ports without a cable, of a switch. */
static void put_free(FILE *out, uint64_t guid, unsigned first, unsigned last)
{
	for (unsigned p = first; p <= last; p++)
		fprintf(out, "0x%016" PRIx64 ",%u,,,1,2,,,,,,\n", guid, p);
}

/* LIDs and subnet managers are those of port 0 in switches. */
TEST(ports)
{
	struct weft__capture *c = capture(NULL, 0);
	char *text = file_of(c, "weft-ports.csv"), *expected;
	size_t size;
	FILE *out = open_memstream(&expected, &size);

	fputs("guid,port,lid,lmc,state,physical,width,speed,mtu,vls,sm_lid,"
	      "sm_sl\n"
	      "0x0000000000000010,0,2,0,1,2,,,,,0,0\n"
	      "0x0000000000000010,1,,,4,5,4,QDR,4096,8,,\n"
	      "0x0000000000000010,2,,,4,5,4,QDR,4096,4,,\n"
	      "0x0000000000000010,3,,,4,5,4,QDR,4096,15,,\n"
	      "0x0000000000000010,4,,,1,5,,,,,,\n"
	      "0x0000000000000020,0,1,0,1,2,,,,,0,0\n"
	      "0x0000000000000020,1,,,4,5,4,QDR,4096,1,,\n"
	      "0x0000000000000020,2,,,4,5,4,QDR,4096,2,,\n", out);
	put_free(out, 0x20, 3, 16);
	fputs("0x0000000000000020,17,,,4,5,4,QDR,4096,8,,\n", out);
	put_free(out, 0x20, 18, 18);
	fputs("0x0000000000000030,1,4,0,4,5,4,QDR,4096,1,4,3\n"
	      "0x0000000000000040,1,5,0,4,5,4,QDR,4096,2,4,3\n"
	      "0x0000000000000040,2,66,1,4,5,4,QDR,4096,4,4,3\n"
	      "0x0000000000000050,1,130,0,4,5,4,QDR,4096,15,4,3\n", out);
	fclose(out);
	EXPECT_STR(text, expected);
	free(expected);
	end(c, text);
}

/* Codes that are none leave their columns empty. */
TEST(codes)
{
	static const struct {
		unsigned mtu, vls;
		const char *columns;
	} cases[] = {
		{ 0, 0, ",4,QDR,,," },	  { 1, 1, ",4,QDR,256,1," },
		{ 2, 2, ",4,QDR,512,2," }, { 3, 3, ",4,QDR,1024,4," },
		{ 4, 4, ",4,QDR,2048,8," }, { 5, 5, ",4,QDR,4096,15," },
		{ 6, 6, ",4,QDR,,," },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft__capture *c = capture(NULL, 0);
		uint8_t *info = subnet.port[A][1].info;
		char row[64], *text;

		mad_set_field(info, 0, IB_PORT_NEIGHBOR_MTU_F, cases[i].mtu);
		mad_set_field(info, 0, IB_PORT_OPER_VLS_F, cases[i].vls);
		text = file_of(c, "weft-ports.csv");
		suite_case("%u, %u", cases[i].mtu, cases[i].vls);
		snprintf(row, sizeof(row), "0x%016x,1,,,4,5%s,\n", 0x20,
			 cases[i].columns);
		EXPECT(strstr(text, row));
		end(c, text);
	}
}

/* When the last counters of a node's reading came. */
static uint64_t when(unsigned node, unsigned reading)
{
	uint64_t last = 0;

	for (size_t i = 0; i < subnet.n; i++) {
		const struct asked *q = &subnet.log[i];

		if (q->node == node && q->nth == reading - 1 &&
		    q->answered > last &&
		    (q->attribute == IB_GSI_PORT_COUNTERS ||
		     q->attribute == IB_GSI_PORT_COUNTERS_EXT))
			last = q->answered;
	}
	return last;
}

static void put_counters(FILE *out, uint64_t guid, unsigned node, unsigned port)
{
	bool wide = node == A || node == H2;

	for (unsigned reading = 1; reading <= 2; reading++) {
		uint64_t ms = when(node, reading) - 5000;

		fprintf(out, "0x%016" PRIx64 ",%u,%u,%u.%03u", guid, port,
			reading, (unsigned)(ms / 1000), (unsigned)(ms % 1000));
		for (unsigned i = 0; i < 17; i++)
			fprintf(out, ",%" PRIu64,
				subnet_counter(node, port, i, reading, wide));
		putc('\n', out);
	}
}

/* Two readings of each port, at least a second apart; wide counters take the
 * place of narrow ones. */
TEST(counters)
{
	struct weft__capture *c = capture(NULL, 0);
	char *text = file_of(c, "weft-counters.csv"), *expected;
	size_t size;
	FILE *out = open_memstream(&expected, &size);

	fputs("guid,port,reading,seconds,SymbolErrorCounter,"
	      "LinkErrorRecoveryCounter,LinkDownedCounter,PortRcvErrors,"
	      "PortRcvRemotePhysicalErrors,PortRcvSwitchRelayErrors,"
	      "PortXmitDiscards,PortXmitConstraintErrors,"
	      "PortRcvConstraintErrors,LocalLinkIntegrityErrors,"
	      "ExcessiveBufferOverrunErrors,VL15Dropped,PortXmitWait,"
	      "PortXmitData,PortRcvData,PortXmitPkts,PortRcvPkts\n", out);
	for (unsigned p = 1; p <= 3; p++)
		put_counters(out, 0x10, B, p);
	put_counters(out, 0x20, A, 1);
	put_counters(out, 0x20, A, 2);
	put_counters(out, 0x20, A, 17);
	put_counters(out, 0x30, H1, 1);
	put_counters(out, 0x40, H2, 1);
	put_counters(out, 0x40, H2, 2);
	put_counters(out, 0x50, R, 1);
	fclose(out);
	EXPECT_STR(text, expected);
	free(expected);
	for (unsigned n = 0; n < NODES; n++) {
		EXPECT(when(n, 1) > 5000);
		ASSERT_WITHIN((long long)(when(n, 2) - when(n, 1)), 1000, 1500);
	}
	end(c, text);
}

static int no_wide(const struct asked *q)
{
	return q->attribute == IB_GSI_PORT_COUNTERS_EXT && q->select != 17 ?
		       REFUSED : OK;
}

/* Where the wide ones are refused the narrow ones stand, port by port. */
TEST(refused_wide)
{
	struct weft__capture *c = capture(no_wide, 0);
	char *text = file_of(c, "weft-counters.csv");

	for (const char *line = text; (line = strchr(line, '\n')) && line[1];
	     line++) {
		unsigned guid, port, reading, node;
		unsigned long long counter = 0;
		const char *last = line + 1 + strcspn(line + 1, "\n");

		ASSERT_EQ(sscanf(line + 1, "%x,%u,%u", &guid, &port, &reading),
			  3);
		node = guid == 0x10 ? B : guid == 0x20 ? A : guid / 16 - 1;
		while (last[-1] != ',')
			last--;
		sscanf(last, "%llu", &counter);
		suite_case("0x%x port %u", guid, port);
		EXPECT_EQ(counter, subnet_counter(node, port, 16, reading,
						  port == 17));
	}
	EXPECT_EQ(weft__capture_missing(c, WEFT__KIND_WIDE_COUNTERS).refused,
		  2 * 4);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KIND_WIDE_COUNTERS).asked,
		  2 * 5);
	end(c, text);
}

TEST(arbitration)
{
	struct weft__capture *c = capture(NULL, 0);
	char *text = file_of(c, "weft-vlarb.csv");

	EXPECT_STR(text, "guid,port,priority,first,entries\n"
		   "0x0000000000000010,1,low,0,0:10 1:255\n"
		   "0x0000000000000010,2,low,0,0:10 1:255\n"
		   "0x0000000000000010,3,low,0,0:10 1:255\n"
		   "0x0000000000000020,1,low,0,0:10 1:255\n"
		   "0x0000000000000020,2,low,0,0:10 1:255\n"
		   "0x0000000000000020,2,low,32,0:20 1:255\n"
		   "0x0000000000000020,2,high,0,0:30 1:255\n"
		   "0x0000000000000020,2,high,32,0:40 1:255\n"
		   "0x0000000000000020,17,low,0,0:10 1:255\n"
		   "0x0000000000000030,1,low,0,1:10 1:255\n"
		   "0x0000000000000040,1,low,0,1:10 1:255\n"
		   "0x0000000000000040,2,low,0,2:10 1:255\n"
		   "0x0000000000000040,2,low,32,2:20 1:255\n"
		   "0x0000000000000040,2,high,0,2:30 1:255\n"
		   "0x0000000000000050,1,low,0,1:10 1:255\n");
	end(c, text);
}

/* A group is told once, with the ports of all sixteens; those without ports are
 * not.  See put_groups(). */
TEST(multicast)
{
	struct weft__capture *c = capture(NULL, 0);
	char *text = file_of(c, "weft-multicast.csv");

	EXPECT_STR(text, "guid,mlid,ports\n"
		   "0x0000000000000020,0xc000,1 15 17\n"
		   "0x0000000000000020,0xc01f,17\n"
		   "0x0000000000000020,0xc021,0\n");
	end(c, text);
}

/* Each switch has its own groups. */
TEST(multicast_of_two)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c;
	struct heard heard;
	char *text;

	subnet_init();
	mad_set_field(subnet.node[B].switchinfo, 0, IB_SW_MCAST_FDB_TOP_F,
		      0xc000 + 32);
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	text = file_of(c, "weft-multicast.csv");
	EXPECT_STR(text, "guid,mlid,ports\n"
		   "0x0000000000000010,0xc000,1 15\n"
		   "0x0000000000000010,0xc021,0\n"
		   "0x0000000000000020,0xc000,1 15 17\n"
		   "0x0000000000000020,0xc01f,17\n"
		   "0x0000000000000020,0xc021,0\n");
	end(c, text);
}

TEST(managers)
{
	struct weft__capture *c = capture(NULL, 0);
	char *text = file_of(c, "weft-sm.csv");

	EXPECT_STR(text, "guid,port,lid,port_guid,state,priority,activity\n"
		   "0x0000000000000020,0,1,0x0000000000001001,standby,10,71\n"
		   "0x0000000000000030,1,4,0x0000000000001002,master,11,72\n"
		   "0x0000000000000040,2,66,0x0000000000001003,,12,73\n");
	end(c, text);
}

static int far_paths(const struct asked *q)
{
	return q->class == IB_SA_CLASS && q->dlid != 5 ? REFUSED : OK;
}

/* Pairs that were answered, in the order in which they were drawn. */
TEST(sample)
{
	struct weft__capture *c = capture(far_paths, 30);
	char *text = file_of(c, "weft-sample.csv"), *expected;
	size_t size;
	FILE *out = open_memstream(&expected, &size);
	unsigned n = 0;

	fputs("lid,dlid,sl\n", out);
	for (unsigned i = 0; i < 30; i++) {
		unsigned lid = c->fabric->ep[c->pair[i].source].lid;

		if (c->pair[i].dlid != 5)
			continue;
		fprintf(out, "%u,5,%u\n", lid, subnet_sl(lid, 5));
		n++;
	}
	fclose(out);
	ASSERT_WITHIN(n, 1, 29);
	EXPECT_STR(text, expected);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KINDS).silent, 30 - n);
	free(expected);
	end(c, text);
}
