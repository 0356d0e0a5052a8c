// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft-ports.csv and weft-counters.csv: what is read of them, and defects. */
#include "io_tables_util.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

struct fixture {
	struct weft_fabric *fabric;	/* small_fabric() */
	struct weft_counters counters;
	struct heard heard;
	char directory[32], path[3][64];
};

static int set_up(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	x->fabric = small_fabric();
	heard_init(&x->heard);
	strcpy(x->directory, "/tmp/weft-test-XXXXXX");
	ASSERT(mkdtemp(x->directory));
	snprintf(x->path[0], 64, "%s/weft-ports.csv", x->directory);
	snprintf(x->path[1], 64, "%s/weft-counters.csv", x->directory);
	snprintf(x->path[2], 64, "%s/ibdiagnet2.pm", x->directory);
	*state = x;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	unlink(x->path[0]);
	unlink(x->path[1]);
	unlink(x->path[2]);
	rmdir(x->directory);
	weft_counters_free(&x->counters);
	weft_fabric_free(x->fabric);
	free(x);
	return 0;
}

static void put(struct fixture *x, int file, const char *text)
{
	FILE *out = fopen(x->path[file], "w");

	ASSERT(out);
	fputs(text, out);
	ASSERT_EQ(fclose(out), 0);
}

static int read_all(struct fixture *x)
{
	weft_counters_free(&x->counters);
	return weft_io_read_counters(x->directory, x->fabric, &x->counters,
				     &x->heard.diag);
}

static const struct weft_port_counters *
of_switch(const struct fixture *x, uint64_t guid, unsigned port)
{
	uint32_t s = weft_fabric_switch_by_guid(x->fabric, guid);

	return &x->counters.port[weft_channel(x->fabric, s, port)];
}

TEST_WITH(both_files, set_up, tear_down)
{
	struct fixture *x = suite_state;
	const struct weft_port_counters *p;
	uint32_t e = weft_fabric_endport_by_guid(x->fabric, 0xb1);

	/* columns in any order, unknown ones between them */
	put(x, 0, "port,guid,colour,state,physical,vls\n"
		  "2,0x10,\"red\",4,5,8\n"
		  "4,0x10,,1,2,\n"
		  "1,0xb0,x,2,5,1\n");
	put(x, 1, "# a comment\n"
		  "guid,port,reading,seconds,PortXmitWait,PortXmitData,SymbolErrorCounter\n"
		  "0x10,2,1,1.5,100,18446744073709551615,\n"
		  "0xb0,1,1,2,7,8,9\n"
		  "0x10,2,2,3.5,180,20,3\n");
	ASSERT_EQ(read_all(x), 0);
	assert_heard_count(&x->heard, 0, 0);
	ASSERT_EQ(x->counters.nch, x->fabric->nch);
	ASSERT_EQ(x->counters.nstates, 3);
	ASSERT_EQ(x->counters.nread, 2);
	p = of_switch(x, 0x10, 2);
	ASSERT_EQ(p->state, WEFT_PORT_ACTIVE);
	ASSERT_EQ(p->physical, 5);
	ASSERT_EQ(p->vls, 8);
	ASSERT_EQ(p->readings, 2);
	ASSERT(p->seconds == 2);
	ASSERT_EQ(p->value[WEFT_XMIT_WAIT], 180);
	ASSERT_EQ(p->growth[WEFT_XMIT_WAIT], 80);
	ASSERT(weft_counter_rate(p, WEFT_XMIT_WAIT) == 40);
	/* cleared in between */
	ASSERT_EQ(p->growth[WEFT_XMIT_DATA], 20);
	/* read once */
	ASSERT_EQ(p->value[WEFT_SYMBOL_ERRORS], 3);
	ASSERT(isnan(weft_counter_rate(p, WEFT_SYMBOL_ERRORS)));
	ASSERT_EQ(of_switch(x, 0x10, 4)->state, WEFT_PORT_DOWN);
	p = &x->counters.port[x->fabric->first_injection +
			      (e & ~WEFT_ENDPORT)];
	ASSERT_EQ(p->state, WEFT_PORT_INIT);
	ASSERT_EQ(p->readings, 1);
	ASSERT_EQ(p->value[WEFT_SYMBOL_ERRORS], 9);
	ASSERT(isnan(weft_counter_rate(p, WEFT_XMIT_WAIT)));
}

TEST_WITH(no_files, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_all(x), -ENOENT);
	ASSERT_EQ(weft_io_read_counters("/nowhere", x->fabric, &x->counters,
		  &x->heard.diag), -ENOENT);
	/* a topology is no file of counters, and that is no defect */
	ASSERT_EQ(weft_io_read_counters(file_with("x", 1), x->fabric,
		  &x->counters, &x->heard.diag), -ENOENT);
	assert_heard_count(&x->heard, 0, 0);
	/* one alone will do */
	put(x, 1, "guid,port,PortXmitWait\n0x10,2,5\n");
	ASSERT_EQ(read_all(x), 0);
	ASSERT_EQ(x->counters.nread, 1);
	ASSERT_EQ(x->counters.nstates, 0);
	weft_counters_free(&x->counters);
	ASSERT_EQ(weft_io_read_counters(x->path[1], x->fabric, &x->counters,
		  &x->heard.diag), 0);
	ASSERT_EQ(x->counters.nread, 1);
}

TEST_WITH(worked_around, set_up, tear_down)
{
	struct fixture *x = suite_state;

	put(x, 0, "guid,port,state\n0x10,2,4\n0x99,1,4\n0x10,77,4\n0x98,1,4\n");
	ASSERT_EQ(read_all(x), 0);
	assert_heard(&x->heard, WEFT_WARNING, 3,
		     "node 0x0000000000000099, port 1, is not in the topology");
	assert_heard_count(&x->heard, 1, 0);
	put(x, 0, "guid,port,state\n0x10,2,4\n0x10,3,4");
	ASSERT_EQ(read_all(x), 0);
	assert_heard(&x->heard, WEFT_WARNING, 3, "cut?");
	ASSERT_EQ(x->counters.nstates, 1);
}

TEST_WITH(refused, set_up, tear_down)
{
	static const struct {
		const char *text, *message;
		unsigned line;
	} broken[] = {
		{ "", "empty", 0 },
		{ "guid,state\n", "no columns 'guid' and 'port'", 1 },
		{ "guid,port,guid\n", "a column that is there twice", 1 },
		{ "guid,port,state\n0x10,2\n", "expected ,", 2 },
		{ "guid,port,state\n0x10,2,4,5\n", "the end of the line", 2 },
		{ "guid,port,state\nx10,2,4\n", "a GUID", 2 },
		{ "guid,port,state\n0x10,-2,4\n", "a decimal number", 2 },
		{ "guid,port,state\n0x10,2,9\n", "cannot be", 2 },
		{ "guid,port,state\n0x10,256,4\n", "cannot be", 2 },
		{ "guid,port,VL15Dropped\n0x10,2,18446744073709551616\n",
		  "a decimal number", 2 },
		{ "guid,port,seconds\n0x10,2,1e999\n", "seconds", 2 },
		{ "guid,port,state\n,2,4\n", "cannot be read", 2 },
	};
	struct fixture *x = suite_state;

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		heard_init(&x->heard);
		put(x, 0, broken[i].text);
		ASSERT_EQ(read_all(x), -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, broken[i].line,
			     broken[i].message);
		assert_heard_count(&x->heard, 0, 1);
	}
}

/* What one tool prints, of port 2 of the first switch and of a host's. */
static void expect_printed(struct fixture *x, const char *text)
{
	const struct weft_port_counters *p;
	uint32_t e = weft_fabric_endport_by_guid(x->fabric, 0xb1);

	heard_init(&x->heard);
	put(x, 2, text);
	ASSERT_EQ(read_all(x), 0);
	assert_heard_count(&x->heard, 0, 0);
	ASSERT_EQ(x->counters.nread, 2);
	p = of_switch(x, 0x10, 2);
	ASSERT_EQ(p->readings, 1);
	ASSERT_EQ(p->known, 1u << WEFT_LINK_DOWNED | 1u << WEFT_XMIT_DATA);
	ASSERT_EQ(p->value[WEFT_LINK_DOWNED], 8);
	ASSERT_EQ(p->value[WEFT_XMIT_DATA], 4294967297);
	ASSERT(isnan(weft_counter_rate(p, WEFT_XMIT_DATA)));
	p = &x->counters.port[x->fabric->first_injection + e];
	ASSERT_EQ(p->known, 1u << WEFT_XMIT_WAIT);
	ASSERT_EQ(p->value[WEFT_XMIT_WAIT], 7);
	/* the file alone, whatever it is called */
	weft_counters_free(&x->counters);
	ASSERT_EQ(weft_io_read_counters(x->path[2], x->fabric, &x->counters,
		  &x->heard.diag), 0);
	ASSERT_EQ(x->counters.nread, 2);
}

TEST_WITH(printed, set_up, tear_down)
{
	struct fixture *x = suite_state;

	expect_printed(x, "Errors for 0x10 \"switch\"\n"
		       "   GUID 0x10 port ALL: [LinkDownedCounter == 48]\n"
		       "   GUID 0x10 port 2: [LinkDownedCounter == 8] [PortXmitData == 4294967297 (16.000GB)] [Unknown == 3]\n"
		       "Errors for \"host\"\n"
		       "   GUID 0xb1 port 1: [PortXmitWait == 7]\n\n"
		       "## Summary: 3 nodes checked, 2 bad nodes found\n");
	expect_printed(x, "# Port counters: Lid 1 port 2 (CapMask: 0x1200)\n"
		       "PortSelect:......................2\n"
		       "CounterSelect:...................0x0000\n"
		       "LinkDownedCounter:...............8\n"
		       "# Port extended counters: Lid 1 port 2 (CapMask: 0x1200)\n"
		       "PortXmitData:....................4294967297\n"
		       "# Port counters: Lid 1 port 255 (CapMask: 0x1200)\n"
		       "LinkDownedCounter:...............99\n"
		       "# Port counters: Lid 5 port 1 (CapMask: 0x1200)\n"
		       "PortXmitWait:....................7\n");
	expect_printed(x, "-----------------\n"
		       "Port=2 Lid=0x0001 GUID=0x0000000000000010 Device=54000 Port Name=s/P2\n"
		       "-----------------\n"
		       "link_down_counter=0x08\nport_xmit_data=0xffffffff\n"
		       "port_xmit_data_extended=0x0000000100000001\n"
		       "Port=1 Lid=0x0005 GUID=0x00000000000000b1 Device=4123 Port Name=h/P1\n"
		       "port_xmit_wait=0x00000007\nmax_retransmission_rate=0x00\n");
	/* weft capture's own come first */
	put(x, 1, "guid,port,reading,seconds,VL15Dropped\n0x10,2,1,0,3\n");
	ASSERT_EQ(read_all(x), 0);
	ASSERT_EQ(x->counters.nread, 1);
}

TEST_WITH(printed_elsewhere, set_up, tear_down)
{
	struct fixture *x = suite_state;

	put(x, 2, "GUID 0x99 port 1: [PortXmitWait == 7]\n"
	    "# Port counters: Lid 77 port 1 (CapMask: 0x1200)\n"
	    "PortXmitWait:....................7\n");
	ASSERT_EQ(read_all(x), 0);
	assert_heard(&x->heard, WEFT_WARNING, 1, "is not in the topology");
	ASSERT_EQ(x->counters.nread, 0);
}

TEST(names)
{
	ASSERT_STR(weft_counter_name(WEFT_XMIT_WAIT), "PortXmitWait");
	ASSERT(weft_counter_is_error(WEFT_VL15_DROPPED));
	ASSERT(!weft_counter_is_error(WEFT_XMIT_WAIT));
	ASSERT(!weft_counter_is_error(WEFT_RCV_DATA));
}
