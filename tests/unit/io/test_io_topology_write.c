// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writing fabrics, and reading them back. */
#include "io_topology_util.h"

#include <errno.h>
#include <jansson.h>

#define SEED 20260

static uint32_t random_switch(struct weft_rng *rng, struct weft_builder *b,
			      uint64_t guid)
{
	static const char *const name[] = {
		"", "MF0;sw:MQM8700/U1", "a \"b\" # c", "GUID=0x1", "x\xff y ",
	};
	const char *n = name[weft_rng_below(rng, 5)];
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, guid,
					1 + weft_rng_below(rng, 254));
	struct weft_node_spec *s = weft_builder_spec(b, sw);
	struct weft_port_spec *p = weft_builder_port(b, sw, 0);

	s->vendor = weft_rng_below(rng, 2) ? 0x2c9 : 0;
	s->device = weft_rng_below(rng, 65536);
	s->system_guid = weft_rng_below(rng, 2) ? guid ^ 0xff : 0;
	s->enhanced = weft_rng_below(rng, 2);
	p->guid = weft_rng_below(rng, 2) ? guid ^ 0xf0 : 0;
	weft_builder_name(b, sw, n, strlen(n));
	return sw;
}

static uint32_t random_node(struct weft_rng *rng, struct weft_builder *b,
			    uint64_t guid)
{
	static const char *const name[] = {
		"node01 HCA-1", "", "Mellanox Technologies Aggregation Node",
	};
	const char *n = name[weft_rng_below(rng, 3)];
	uint32_t node = weft_builder_node(b, weft_rng_below(rng, 9) ?
		WEFT_NODE_CA : WEFT_NODE_ROUTER, guid,
		1 + weft_rng_below(rng, 3));
	struct weft_node_spec *s = weft_builder_spec(b, node);

	s->device = weft_rng_below(rng, 65536);
	weft_builder_name(b, node, n, strlen(n));
	for (unsigned port = 1; port <= s->nports; port++)
		*weft_builder_port(b, node, port) = (struct weft_port_spec){
			.guid = guid + port, .peer = WEFT_NONE,
			.lmc = weft_rng_below(rng, 3),
		};
	return node;
}

/* Cables random ports until one does not fit. */
static void random_cables(struct weft_rng *rng, struct weft_builder *b)
{
	static const uint8_t width[] = { 0, 1, 2, 4, 8, 12 };
	uint32_t n = weft_builder_count(b);

	for (unsigned tries = 0; tries < 20 * n; tries++) {
		uint32_t a = weft_rng_below(rng, n), c = weft_rng_below(rng, n);

		if (weft_builder_spec(b, a)->type != WEFT_NODE_SWITCH &&
		    weft_builder_spec(b, c)->type != WEFT_NODE_SWITCH)
			continue;
		weft_builder_link(
			b, a,
			1 + weft_rng_below(rng,
					   weft_builder_spec(b, a)->nports),
			c,
			1 + weft_rng_below(rng,
					   weft_builder_spec(b, c)->nports),
			(struct weft_rate){
				width[weft_rng_below(rng, 6)],
				weft_rng_below(rng, WEFT_XDR + 1) });
	}
}

/* Any fabric: loops, parallel cables, nodes with several ports, odd names. */
static struct weft_fabric *any_fabric(struct weft_rng *rng, bool lids)
{
	struct weft_builder *b = weft_builder_new();
	unsigned nsw = 1 + weft_rng_below(rng, 12);
	unsigned nodes = weft_rng_below(rng, 40);
	struct weft_fabric *f, *with_lids;

	for (unsigned i = 0; i < nsw; i++)
		random_switch(rng, b, (uint64_t)weft_rng_u32(rng) << 32 |
			      i << 8);
	for (unsigned i = 0; i < nodes; i++)
		random_node(rng, b, (uint64_t)weft_rng_u32(rng) << 32 |
			    (i + 64) << 8);
	random_cables(rng, b);
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	if (!lids)
		return f;
	ASSERT_EQ(weft_fabric_assign_lids(f, -1, &with_lids, NULL), 0);
	weft_fabric_free(f);
	return with_lids;
}

/* Field by field: what the text does not show must be the same, too. */
static void assert_equal_fields(const struct weft_fabric *a,
				const struct weft_fabric *b)
{
	assert_counts(b, a->nsw, a->nnodes, a->nep, a->nlinks);
	for (uint32_t i = 0; i < a->nsw; i++) {
		const struct weft_switch *x = &a->sw[i], *y = &b->sw[i];

		ASSERT(x->guid == y->guid && x->lid == y->lid && x->port_guid ==
		       y->port_guid && x->system_guid == y->system_guid &&
		       x->nports == y->nports && x->lmc == y->lmc && x->enhanced
		       == y->enhanced && x->vendor == y->vendor && x->device ==
		       y->device);
		ASSERT_STR(x->name, y->name);
	}
	for (uint32_t i = 0; i < a->nep; i++) {
		const struct weft_endport *x = &a->ep[i], *y = &b->ep[i];

		ASSERT(x->guid == y->guid && x->node == y->node && x->sw ==
		       y->sw && x->sw_port == y->sw_port && x->port == y->port
		       && x->lid == y->lid && x->lmc == y->lmc && x->kind ==
		       y->kind);
		ASSERT_STR(a->node[x->node].name, b->node[y->node].name);
	}
	for (uint32_t i = 0; i < a->nnodes; i++)
		ASSERT(a->node[i].guid == b->node[i].guid && a->node[i].nports
		       == b->node[i].nports && a->node[i].device ==
		       b->node[i].device);
	ASSERT_MEM(a->peer, b->peer, a->nch * sizeof(*a->peer));
	ASSERT_MEM(a->peer_port, b->peer_port, a->nch);
	ASSERT_MEM(a->width, b->width, a->nch);
	ASSERT_MEM(a->speed, b->speed, a->nch);
	ASSERT_MEM(a->capacity, b->capacity, a->nch * sizeof(*a->capacity));
}

TEST(test_round_trip)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	printf("seed %u\n", SEED);
	for (unsigned round = 0; round < 200; round++) {
		struct weft_fabric *f = any_fabric(rng, round % 4), *again;
		char *text = written(f);
		struct heard heard;

		again = load_text(text, &heard);
		assert_equal_fields(f, again);
		weft_fabric_free(f);
		weft_fabric_free(again);
		free(text);
	}
	weft_rng_free(rng);
}

/* Sections in any order: the same fabric. */
TEST(test_any_order)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned round = 0; round < 50; round++) {
		struct weft_fabric *f = any_fabric(rng, true), *again;
		char *text = written(f), *section[64], *shuffled;
		uint32_t n = split_sections(text, section, 64), order[64];
		struct heard heard;

		for (uint32_t i = 0; i < n; i++)
			order[i] = i;
		weft_rng_shuffle(rng, order, n);
		shuffled = join_sections(section, order, n);
		again = load_text(shuffled, &heard);
		assert_equal_fields(f, again);
		weft_fabric_free(f);
		weft_fabric_free(again);
		free(text);
		free(shuffled);
	}
	weft_rng_free(rng);
}

/* ibsim cannot do with '=' or long names behind the far end's name. */
TEST(test_port_lines)
{
	char name[201], *text, *out;
	struct heard heard;
	struct weft_fabric *f;

	memset(name, '=', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	text = replaced(TEXT, "\"host\"\n", "\"@\"\n");
	out = replaced(text, "@", name);
	free(text);
	f = load_text(out, &heard);
	free(out);
	out = written(f);
	for (char *line = strtok(out, "\n"); line; line = strtok(NULL, "\n"))
		if (*line == '[') {
			ASSERT(!strchr(line, '='));
			ASSERT(strlen(line) < 200);
		}
	free(out);
	weft_fabric_free(f);
}

TEST(test_line_breaks_in_names)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, 1, 2);
	struct weft_fabric *f, *again;
	struct heard heard;
	char *text;

	weft_builder_name(b, sw, "a\r\nb", 4);
	weft_builder_link(b, sw, 1, sw, 2, (struct weft_rate){ 4, WEFT_SDR });
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	text = written(f);
	again = load_text(text, &heard);
	ASSERT_STR(again->sw[0].name, "a  b");
	weft_fabric_free(f);
	weft_fabric_free(again);
	weft_builder_free(b);
	free(text);
}

static char *output(int (*write)(FILE *, const struct weft_fabric *),
		    const struct weft_fabric *f)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ASSERT_EQ(write(out, f), 0);
	fclose(out);
	return text;
}

static int write_json(FILE *out, const struct weft_fabric *f)
{
	return weft_io_write_fabric_json(out, f, NULL);
}

TEST(test_json)
{
	char *text = replaced(TEXT, "\"host\"\n", "\"caf\xc3\xa9 \xff \"\n");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);
	char *json = output(write_json, f);
	json_error_t error;
	json_t *root = json_loads(json, 0, &error), *list, *item;
	int64_t lid, mbps;

	ASSERT(root);
	list = json_object_get(root, "switches");
	ASSERT_EQ(json_array_size(list), 2);
	item = json_array_get(list, 0);
	ASSERT_STR(json_string_value(json_object_get(item, "guid")),
		   "0x00000000000000a0");
	ASSERT_STR(json_string_value(json_object_get(item, "name")),
		   "leaf \\\"#1\\\"");
	ASSERT_EQ(json_integer_value(json_object_get(item, "device")), 0xd2f0);
	list = json_object_get(root, "endports");
	ASSERT_EQ(json_array_size(list), 3);
	item = json_array_get(list, 0);
	ASSERT_STR(json_string_value(json_object_get(item, "name")),
		   "caf\xc3\xa9 ? ");
	lid = json_integer_value(json_object_get(item, "lid"));
	ASSERT_EQ(lid, 4);
	ASSERT_STR(json_string_value(json_object_get(item, "kind")), "host");
	list = json_object_get(root, "links");
	ASSERT_EQ(json_array_size(list), 5);
	item = json_array_get(list, 0);
	mbps = json_integer_value(json_object_get(item, "mbps"));
	ASSERT_EQ(mbps, weft_speed_capacity(4, WEFT_HDR));
	json_decref(root);
	weft_fabric_free(f);
	free(json);
	free(text);
}

static int write_dot(FILE *out, const struct weft_fabric *f)
{
	return weft_io_write_dot(out, f, true, NULL);
}

TEST(test_dot)
{
	struct heard heard;
	struct weft_fabric *f = load_text(TEXT, &heard);
	char *dot = output(write_dot, f);

	ASSERT_STR(dot, "graph fabric {\n"
		   "\ts0 [shape=box, style=filled, fillcolor=gray90, label=\"leaf \\\\\\\"#1\\\\\\\"\"];\n"
		   "\ts1 [shape=box, style=filled, fillcolor=gray90, label=\"spine\"];\n"
		   "\ts0 -- s1;\n" "\ts0 -- s0;\n"
		   "\tn0 [shape=ellipse, label=\"host\"];\n"
		   "\tn1 [shape=ellipse, label=\"dual\"];\n" "\ts1 -- n0;\n"
		   "\ts0 -- n1;\n" "\ts1 -- n1;\n" "}\n");
	weft_fabric_free(f);
	free(dot);
}

TEST(test_dot_trunk)
{
	struct weft_fabric *f = small_fabric();
	char *dot = output(write_dot, f);

	ASSERT(strstr(dot, "\ts0 -- s1;\n"));
	ASSERT(strstr(dot, "\ts1 -- s2 [label=2];\n"));
	ASSERT(!strstr(dot, "s1 -- s0"));
	weft_fabric_free(f);
	free(dot);
}

TEST(test_csv)
{
	struct weft_fabric *f = small_fabric();
	uint64_t *load = calloc(f->nch, sizeof(*load));
	char *text;
	size_t size, lines = 0;
	FILE *out = open_memstream(&text, &size);

	load[weft_channel(f, 0, 2)] = 1ull << 40;
	ASSERT_EQ(weft_io_write_links_csv(out, f, load, NULL), 0);
	fclose(out);
	ASSERT(strstr(text,
	       "from_guid,from_name,from_port,to_guid,to_name,to_port,width,speed,mbps,load\n"
	       "0x0000000000000010,switch,2,0x0000000000000020,switch,2,4,EDR,"));
	ASSERT(strstr(text, ",1099511627776\n"));
	for (char *p = text; *p; p++)
		lines += *p == '\n';
	ASSERT_EQ(lines, 1 + 6);
	weft_fabric_free(f);
	free(load);
	free(text);
}

TEST(test_csv_names)
{
	char *text = replaced(TEXT, "\"spine\"", "\"a,\"b\"\"");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);
	char *csv;
	size_t size;
	FILE *out = open_memstream(&csv, &size);

	ASSERT_EQ(weft_io_write_links_csv(out, f, NULL, NULL), 0);
	fclose(out);
	ASSERT(strstr(csv, ",mbps\n"));
	ASSERT(strstr(csv, ",\"a,\"\"b\"\"\",1,"));
	weft_fabric_free(f);
	free(csv);
	free(text);
}

TEST(test_full_disk)
{
	struct weft_fabric *f = small_fabric();
	struct heard heard;

	for (unsigned which = 0; which < 4; which++) {
		FILE *out = fopen("/dev/full", "w");
		int err;

		ASSERT(out);
		heard_init(&heard);
		err = which == 0 ?
			weft_io_write_ibnetdiscover(out, f, &heard.diag) :
		      which == 1 ?
			weft_io_write_dot(out, f, true, &heard.diag) :
		      which == 2 ?
			weft_io_write_fabric_json(out, f, &heard.diag) :
			weft_io_write_links_csv(out, f, NULL, &heard.diag);
		ASSERT_EQ(err, -ENOSPC);
		assert_heard(&heard, WEFT_ERROR, 0, "cannot write");
		fclose(out);
	}
	weft_fabric_free(f);
}
