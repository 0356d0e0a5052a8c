// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which questions there are.  They are put round by round, one to each node, so
 * that many nodes work at a time and no node gets many at once.
 */
#include "capture/inside.h"

#include "core/grow.h"

#include <weft/lft.h>

#include <errno.h>
#include <stdlib.h>

#define MLIDS_PER_BLOCK 32
#define PORTS_PER_POSITION 16
#define FIRST_MLID 0xc000u
#define NO_MLID 0xbfffu	    /* MulticastFDBTop where there is no entry */
#define ARB_HALF 32	    /* entries of a VLArbitrationTable */
#define CAP_IS_SM (1u << 1) /* PortInfo, CapabilityMask */
#define CLASS_WIDE                                                             \
	0x600u /* ClassPortInfo: extended counters, with or                    \
		* without those of packets */

/* What is known of a node when its questions are counted. */
struct counts {
	unsigned lft, mft, positions;
	unsigned cabled[256], ncabled;
};

static int add(struct weft__capture *c, const struct weft__item *item)
{
	if (weft__grow(&c->item, &c->item_capacity, c->nitems + 1))
		return -ENOMEM;
	c->item[c->nitems++] = *item;
	return 0;
}

unsigned weft__kind_size(unsigned kind)
{
	static const uint8_t size[WEFT__KINDS] = {
		[WEFT__KIND_LFT] = 64,	    [WEFT__KIND_SL2VL] = 8,
		[WEFT__KIND_VLARB] = 64,    [WEFT__KIND_MULTICAST] = 64,
		[WEFT__KIND_SM] = 24,	    [WEFT__KIND_CLASS] = 8,
		[WEFT__KIND_COUNTERS] = 48, [WEFT__KIND_WIDE_COUNTERS] = 72,
	};

	return size[kind];
}

const char *weft__kind_name(enum weft__kind kind)
{
	static const char *const name[WEFT__KINDS] = {
		[WEFT__KIND_LFT] = "forwarding tables",
		[WEFT__KIND_SL2VL] = "SL2VL tables",
		[WEFT__KIND_VLARB] = "VL arbitration",
		[WEFT__KIND_MULTICAST] = "multicast tables",
		[WEFT__KIND_SM] = "subnet managers",
		[WEFT__KIND_CLASS] = "kinds of counters",
		[WEFT__KIND_COUNTERS] = "counters",
		[WEFT__KIND_WIDE_COUNTERS] = "wide counters",
	};

	return name[kind];
}

static unsigned mft_blocks(ibnd_node_t *n)
{
	unsigned cap = mad_get_field(n->switchinfo, 0, IB_SW_MCAST_FDB_CAP_F);
	unsigned top = mad_get_field(n->switchinfo, 0, IB_SW_MCAST_FDB_TOP_F);

	if (top == NO_MLID)
		return 0;
	if (top >= FIRST_MLID && top - FIRST_MLID < cap)
		cap = top - FIRST_MLID + 1;
	return (cap + MLIDS_PER_BLOCK - 1) / MLIDS_PER_BLOCK;
}

static struct counts count(ibnd_node_t *n)
{
	struct counts k = { 0 };
	unsigned top;

	for (int p = 1; p <= n->numports && p < 255; p++)
		if (weft__is_cabled(n, (unsigned)p))
			k.cabled[k.ncabled++] = (unsigned)p;
	if (!weft__is_switch_node(n))
		return k;
	top = mad_get_field(n->switchinfo, 0, IB_SW_LINEAR_FDB_TOP_F);
	k.lft = top ? top / WEFT_LFT_BLOCK + 1 : 0;
	k.mft = mft_blocks(n);
	k.positions = (unsigned)n->numports / PORTS_PER_POSITION + 1;
	return k;
}

/* The i-th question of a kind to a node; false: it has fewer. */
typedef bool (*nth_fn)(const struct counts *k, ibnd_node_t *n, unsigned i,
		       struct weft__item *item);

static bool nth_lft(const struct counts *k, ibnd_node_t *n, unsigned i,
		    struct weft__item *item)
{
	(void)n;
	item->modifier = i;
	return i < k->lft;
}

/* Input port, 0 among them, and output port: pairs of cabled ones. */
static bool nth_sl2vl(const struct counts *k, ibnd_node_t *n, unsigned i,
		      struct weft__item *item)
{
	unsigned in, out;

	if (!weft__is_switch_node(n) || i >= (k->ncabled + 1) * k->ncabled)
		return false;
	in = i / k->ncabled ? k->cabled[i / k->ncabled - 1] : 0;
	out = k->cabled[i % k->ncabled];
	item->modifier = in << 8 | out;
	item->port = in == out ? 0 : (uint8_t)out;
	return true;
}

/* Halves of the tables of low and high priority, 1 to 4. */
static bool nth_vlarb(const struct counts *k, ibnd_node_t *n, unsigned i,
		      struct weft__item *item)
{
	unsigned half = i % 4, cap;
	ibnd_port_t *port;

	if (i / 4 >= k->ncabled)
		return false;
	port = weft__port_of(n, k->cabled[i / 4]);
	cap = mad_get_field(port->info, 0,
			    half < 2 ? IB_PORT_VL_ARBITRATION_LOW_CAP_F :
				       IB_PORT_VL_ARBITRATION_HIGH_CAP_F);
	item->port = cap > half % 2 * ARB_HALF ? (uint8_t)port->portnum : 0;
	item->modifier =
		(half + 1) << 16 |
		(weft__is_switch_node(n) ? (unsigned)port->portnum : 0);
	return true;
}

static bool nth_multicast(const struct counts *k, ibnd_node_t *n, unsigned i,
			  struct weft__item *item)
{
	(void)n;
	if (i >= k->mft * k->positions)
		return false;
	item->modifier = i / k->positions | i % k->positions << 28;
	return true;
}

/* Of ports that say that they are a subnet manager's. */
static bool nth_sm(const struct counts *k, ibnd_node_t *n, unsigned i,
		   struct weft__item *item)
{
	unsigned p = weft__is_switch_node(n) ? 0 :
		     i < k->ncabled	     ? k->cabled[i] :
					       255;
	ibnd_port_t *port = p < 255 ? weft__port_of(n, p) : NULL;

	if (!port || (!p && i))
		return false;
	item->modifier = p;
	item->port =
		mad_get_field(port->info, 0, IB_PORT_CAPMASK_F) & CAP_IS_SM ?
			(uint8_t)(p ? p : 1) :
			0;
	return true;
}

/* Adds the questions of a kind; a port of 0 is one that is left out. */
static int plan(struct weft__capture *c, unsigned kind, nth_fn nth,
		bool by_port)
{
	bool more = true;
	int err = 0;

	struct counts *k = malloc((c->nnodes + 1ull) * sizeof(*k));

	if (!k)
		return -ENOMEM;
	for (uint32_t i = 0; i < c->nnodes; i++)
		k[i] = count(c->node[i]);
	for (unsigned round = 0; more && !err; round++) {
		more = false;
		for (uint32_t i = 0; i < c->nnodes && !err; i++) {
			struct weft__item item = {
				.node = i,
				.kind = (uint8_t)kind,
				.answer = WEFT__UNASKED,
			};

			if (!nth(&k[i], c->node[i], round, &item))
				continue;
			more = true;
			if (item.port || !by_port)
				err = add(c, &item);
		}
	}
	free(k);
	return err;
}

int weft__plan_tables(struct weft__capture *c)
{
	static const struct {
		nth_fn nth;
		bool by_port;
	} kinds[] = {
		[WEFT__KIND_LFT] = { nth_lft, false },
		[WEFT__KIND_SL2VL] = { nth_sl2vl, true },
		[WEFT__KIND_VLARB] = { nth_vlarb, true },
		[WEFT__KIND_MULTICAST] = { nth_multicast, false },
		[WEFT__KIND_SM] = { nth_sm, true },
	};
	int err = 0;

	for (unsigned kind = 0; kind <= WEFT__KIND_SM && !err; kind++)
		err = plan(c, kind, kinds[kind].nth, kinds[kind].by_port);
	return err;
}

static bool nth_class(const struct counts *k, ibnd_node_t *n, unsigned i,
		      struct weft__item *item)
{
	item->port = k->ncabled ? (uint8_t)k->cabled[0] : 0;
	return !i && k->ncabled && weft__lid_of(n, item->port);
}

int weft__plan_classes(struct weft__capture *c)
{
	return plan(c, WEFT__KIND_CLASS, nth_class, true);
}

static bool nth_counter(const struct counts *k, ibnd_node_t *n, unsigned i,
			struct weft__item *item)
{
	if (i >= k->ncabled)
		return false;
	item->port = weft__lid_of(n, k->cabled[i]) ? (uint8_t)k->cabled[i] : 0;
	item->modifier = k->cabled[i];
	return true;
}

int weft__plan_counters(struct weft__capture *c, unsigned reading)
{
	bool *wide = calloc(c->nnodes + 1ull, sizeof(*wide));
	size_t first = c->nitems, end;
	int err = wide ? 0 : -ENOMEM;

	for (size_t i = 0; i < first && !err; i++) {
		const uint8_t *answer =
			c->item[i].kind == WEFT__KIND_CLASS ?
				weft__answer_of(c, &c->item[i]) :
				NULL;

		if (answer)
			wide[c->item[i].node] =
				mad_get_field((void *)answer, 0,
					      IB_CPI_CAPMASK_F) &
				CLASS_WIDE;
	}
	if (!err)
		err = plan(c, WEFT__KIND_COUNTERS, nth_counter, true);
	end = c->nitems;
	for (size_t i = first; i < end && !err; i++) {
		struct weft__item item = c->item[i];

		c->item[i].reading = item.reading = (uint8_t)reading;
		item.kind = WEFT__KIND_WIDE_COUNTERS;
		if (wide[item.node])
			err = add(c, &item);
	}
	free(wide);
	return err;
}
