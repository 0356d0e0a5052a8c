// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is no forwarding table, as comma-separated values; weft-formats(5). */
#include "capture/inside.h"

#include "io/port_names.h"

#include <weft/counters.h>

#include <errno.h>
#include <stdlib.h>

#define ENTRIES 32 /* of half a VLArbitrationTable */
#define FIRST_MLID 0xc000u
#define MLIDS 32 /* of a block of a multicast table */
#define PORTS 16 /* of a position */

static uint32_t info(const ibnd_port_t *port, enum MAD_FIELDS field)
{
	return mad_get_field((void *)port->info, 0, field);
}

/* "8" data lanes in operation; empty where the code is none. */
static void put_vls(FILE *out, unsigned code)
{
	static const uint8_t lanes[] = { 0, 1, 2, 4, 8, 15 };

	if (code && code < sizeof(lanes))
		fprintf(out, "%u", lanes[code]);
}

static void put_port(FILE *out, const ibnd_node_t *n, const ibnd_port_t *port)
{
	struct weft_rate rate = weft__rate_of(port);
	unsigned mtu = info(port, IB_PORT_NEIGHBOR_MTU_F);
	unsigned p = (unsigned)port->portnum;

	fprintf(out, "0x%016" PRIx64 ",%u,", n->guid, p);
	if (!p || !weft__is_switch_node(n))
		fprintf(out, "%u,%u,", weft__lid_of(n, p),
			p ? port->lmc : n->smalmc);
	else
		fputs(",,", out);
	fprintf(out, "%u,%u,", info(port, IB_PORT_STATE_F),
		info(port, IB_PORT_PHYS_STATE_F));
	if (port->remoteport)
		fprintf(out, "%u,%s,", rate.width, weft_speed_name(rate.speed));
	else
		fputs(",,", out);
	if (mtu >= 1 && mtu <= 5)
		fprintf(out, "%u", 128u << mtu);
	putc(',', out);
	put_vls(out, info(port, IB_PORT_OPER_VLS_F));
	if (!p || !weft__is_switch_node(n))
		fprintf(out, ",%u,%u\n", info(port, IB_PORT_SMLID_F),
			info(port, IB_PORT_SMSL_F));
	else
		fputs(",,\n", out);
}

static int write_ports(const struct weft__capture *c, FILE *out)
{
	fputs(WEFT__PORTS_COLUMNS "\n", out);
	for (uint32_t i = 0; i < c->nnodes; i++)
		for (int p = 0; p <= c->node[i]->numports; p++) {
			const ibnd_port_t *port =
				weft__port_of(c->node[i], (unsigned)p);

			if (port)
				put_port(out, c->node[i], port);
		}
	return 0;
}

/* Fields of PortCounters, and of the extended ones where there are any. */
static const struct {
	enum MAD_FIELDS field, wide;
} counter_fields[WEFT_COUNTERS] = {
	[WEFT_SYMBOL_ERRORS] = { IB_PC_ERR_SYM_F, 0 },
	[WEFT_LINK_RECOVERIES] = { IB_PC_LINK_RECOVERS_F, 0 },
	[WEFT_LINK_DOWNED] = { IB_PC_LINK_DOWNED_F, 0 },
	[WEFT_RCV_ERRORS] = { IB_PC_ERR_RCV_F, 0 },
	[WEFT_RCV_REMOTE_PHYSICAL_ERRORS] = { IB_PC_ERR_PHYSRCV_F, 0 },
	[WEFT_RCV_SWITCH_RELAY_ERRORS] = { IB_PC_ERR_SWITCH_REL_F, 0 },
	[WEFT_XMIT_DISCARDS] = { IB_PC_XMT_DISCARDS_F, 0 },
	[WEFT_XMIT_CONSTRAINT_ERRORS] = { IB_PC_ERR_XMTCONSTR_F, 0 },
	[WEFT_RCV_CONSTRAINT_ERRORS] = { IB_PC_ERR_RCVCONSTR_F, 0 },
	[WEFT_LOCAL_INTEGRITY_ERRORS] = { IB_PC_ERR_LOCALINTEG_F, 0 },
	[WEFT_BUFFER_OVERRUNS] = { IB_PC_ERR_EXCESS_OVR_F, 0 },
	[WEFT_VL15_DROPPED] = { IB_PC_VL15_DROPPED_F, 0 },
	[WEFT_XMIT_WAIT] = { IB_PC_XMT_WAIT_F, 0 },
	[WEFT_XMIT_DATA] = { IB_PC_XMT_BYTES_F, IB_PC_EXT_XMT_BYTES_F },
	[WEFT_RCV_DATA] = { IB_PC_RCV_BYTES_F, IB_PC_EXT_RCV_BYTES_F },
	[WEFT_XMIT_PACKETS] = { IB_PC_XMT_PKTS_F, IB_PC_EXT_XMT_PKTS_F },
	[WEFT_RCV_PACKETS] = { IB_PC_RCV_PKTS_F, IB_PC_EXT_RCV_PKTS_F },
};

static void put_counters(FILE *out, const struct weft__capture *c,
			 const struct weft__item *item, const uint8_t *wide)
{
	const uint8_t *data = weft__answer_of(c, item);

	fprintf(out, "0x%016" PRIx64 ",%u,%u,%.3f", c->node[item->node]->guid,
		item->port, item->reading,
		c->second[item->node][item->reading - 1] - c->began);
	for (unsigned i = 0; i < WEFT_COUNTERS; i++)
		if (wide && counter_fields[i].wide)
			fprintf(out, ",%" PRIu64,
				mad_get_field64((void *)wide, 0,
						counter_fields[i].wide));
		else
			fprintf(out, ",%" PRIu32,
				mad_get_field((void *)data, 0,
					      counter_fields[i].field));
	putc('\n', out);
}

/* Items that are written, in the order of nodes, ports and readings. */
static int by_port(const void *a, const void *b)
{
	const struct weft__item *x = *(struct weft__item *const *)a;
	const struct weft__item *y = *(struct weft__item *const *)b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->port != y->port)
		return x->port - y->port;
	if (x->reading != y->reading)
		return x->reading - y->reading;
	if (x->kind != y->kind)
		return x->kind - y->kind;
	return x->modifier < y->modifier ? -1 : x->modifier > y->modifier;
}

/* Answered items of the kinds first to last, sorted; NULL without memory. */
static struct weft__item **sorted(const struct weft__capture *c, unsigned first,
				  unsigned last, size_t *n)
{
	struct weft__item **list = malloc((c->nitems + 1) * sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < c->nitems && list; i++)
		if (c->item[i].kind >= first && c->item[i].kind <= last &&
		    c->item[i].answer == WEFT__ANSWERED)
			list[(*n)++] = &c->item[i];
	if (list)
		qsort(list, *n, sizeof(*list), by_port);
	return list;
}

static int write_counters(const struct weft__capture *c, FILE *out)
{
	size_t n;
	struct weft__item **list =
		sorted(c, WEFT__KIND_COUNTERS, WEFT__KIND_WIDE_COUNTERS, &n);

	if (!list)
		return -ENOMEM;
	fputs(WEFT__COUNTERS_COLUMNS, out);
	for (unsigned i = 0; i < WEFT_COUNTERS; i++)
		fprintf(out, ",%s", weft_counter_name(i));
	putc('\n', out);
	for (size_t i = 0; i < n; i++) {
		const struct weft__item *wide = i + 1 < n ? list[i + 1] : NULL;

		if (list[i]->kind == WEFT__KIND_WIDE_COUNTERS)
			continue;
		if (wide && (wide->kind != WEFT__KIND_WIDE_COUNTERS ||
			     wide->node != list[i]->node ||
			     wide->port != list[i]->port ||
			     wide->reading != list[i]->reading))
			wide = NULL;
		put_counters(out, c, list[i],
			     wide ? weft__answer_of(c, wide) : NULL);
	}
	free(list);
	return 0;
}

/* "0:64 1:32": lane and weight of the entries that have one. */
static void put_entries(FILE *out, const uint8_t *data)
{
	const char *before = "";

	for (unsigned i = 0; i < ENTRIES; i++, data += 2) {
		if (!data[1])
			continue;
		fprintf(out, "%s%u:%u", before, data[0] & 15, data[1]);
		before = " ";
	}
}

static int write_vlarb(const struct weft__capture *c, FILE *out)
{
	size_t n;
	struct weft__item **list =
		sorted(c, WEFT__KIND_VLARB, WEFT__KIND_VLARB, &n);

	if (!list)
		return -ENOMEM;
	fputs("guid,port,priority,first,entries\n", out);
	for (size_t i = 0; i < n; i++) {
		unsigned half = (list[i]->modifier >> 16) - 1;

		fprintf(out, "0x%016" PRIx64 ",%u,%s,%u,",
			c->node[list[i]->node]->guid, list[i]->port,
			half < 2 ? "low" : "high", half % 2 * ENTRIES);
		put_entries(out, weft__answer_of(c, list[i]));
		putc('\n', out);
	}
	free(list);
	return 0;
}

/* The ports of one MLID, by the masks of a block's positions. */
static void put_mlid(FILE *out, const struct weft__capture *c,
		     struct weft__item **part, size_t parts, unsigned mlid)
{
	bool any = false;

	for (size_t i = 0; i < parts; i++) {
		const uint8_t *mask = weft__answer_of(c, part[i]) + 2 * mlid;
		unsigned ports = (unsigned)mask[0] << 8 | mask[1];
		unsigned first = (part[i]->modifier >> 28) * PORTS;

		for (unsigned p = 0; p < PORTS; p++) {
			if (!(ports >> p & 1))
				continue;
			if (!any)
				fprintf(out, "0x%016" PRIx64 ",0x%04x,",
					c->node[part[0]->node]->guid,
					FIRST_MLID + mlid +
						(part[0]->modifier & 0x1ff) *
							MLIDS);
			fprintf(out, any ? " %u" : "%u", first + p);
			any = true;
		}
	}
	if (any)
		putc('\n', out);
}

/* By node, block and position. */
static int by_block(const void *a, const void *b)
{
	const struct weft__item *x = *(struct weft__item *const *)a;
	const struct weft__item *y = *(struct weft__item *const *)b;
	unsigned bx = x->modifier & 0x1ff, by = y->modifier & 0x1ff;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (bx != by)
		return bx < by ? -1 : 1;
	return x->modifier < y->modifier ? -1 : x->modifier > y->modifier;
}

static int write_multicast(const struct weft__capture *c, FILE *out)
{
	size_t n, end;
	struct weft__item **list =
		sorted(c, WEFT__KIND_MULTICAST, WEFT__KIND_MULTICAST, &n);

	if (!list)
		return -ENOMEM;
	qsort(list, n, sizeof(*list), by_block);
	fputs("guid,mlid,ports\n", out);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && list[end]->node == list[i]->node &&
				  (list[end]->modifier & 0x1ff) ==
					  (list[i]->modifier & 0x1ff);
		     end++)
			;
		for (unsigned m = 0; m < MLIDS; m++)
			put_mlid(out, c, list + i, end - i, m);
	}
	free(list);
	return 0;
}

static int write_sm(const struct weft__capture *c, FILE *out)
{
	static const char *const states[] = {
		"not active",
		"discovering",
		"standby",
		"master",
	};
	size_t n;
	struct weft__item **list = sorted(c, WEFT__KIND_SM, WEFT__KIND_SM, &n);

	if (!list)
		return -ENOMEM;
	fputs("guid,port,lid,port_guid,state,priority,activity\n", out);
	for (size_t i = 0; i < n; i++) {
		uint8_t *data = (uint8_t *)weft__answer_of(c, list[i]);
		ibnd_node_t *node = c->node[list[i]->node];
		unsigned state = mad_get_field(data, 0, IB_SMINFO_STATE_F);

		fprintf(out,
			"0x%016" PRIx64 ",%u,%u,0x%016" PRIx64 ",%s,%u,%u\n",
			node->guid, list[i]->modifier,
			weft__lid_of(node, list[i]->port),
			mad_get_field64(data, 0, IB_SMINFO_GUID_F),
			state < 4 ? states[state] : "",
			mad_get_field(data, 0, IB_SMINFO_PRIO_F),
			mad_get_field(data, 0, IB_SMINFO_ACT_F));
	}
	free(list);
	return 0;
}

static int write_sample(const struct weft__capture *c, FILE *out)
{
	fputs("lid,dlid,sl\n", out);
	for (uint64_t i = 0; i < c->npairs; i++)
		if (c->pair[i].answer == WEFT__ANSWERED)
			fprintf(out, "%u,%u,%u\n",
				c->fabric->ep[c->pair[i].source].lid,
				c->pair[i].dlid, c->pair[i].sl);
	return 0;
}

const struct weft__capture_file weft__capture_files[] = {
	{ WEFT__PORTS_FILE, write_ports, false },
	{ WEFT__COUNTERS_FILE, write_counters, false },
	{ WEFT__VLARB_FILE, write_vlarb, false },
	{ WEFT__MULTICAST_FILE, write_multicast, false },
	{ WEFT__SM_FILE, write_sm, false },
	{ WEFT__SAMPLE_FILE, write_sample, true },
	{ NULL, NULL, false },
};
