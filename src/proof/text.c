// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describes findings and cycles in words. */
#include <weft/proof.h>

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* A line in a buffer, and whether it did not fit. */
struct line {
	char *buf;
	size_t size, used;
	bool cut;
};

static void add(struct line *l, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void add(struct line *l, const char *format, ...)
{
	va_list args;
	int n;

	if (l->cut || !l->size)
		return;
	va_start(args, format);
	n = vsnprintf(l->buf + l->used, l->size - l->used, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= l->size - l->used)
		l->cut = true;
	else
		l->used += n;
}

/* Ends a line that did not fit with "...". */
static void end(struct line *l)
{
	if (l->cut && l->size > 3)
		strcpy(l->buf + l->size - 4, "...");
}

/* Adds "name" (0xguid).  Bytes of the name that would spoil a terminal become
 * '?'. */
static void add_named(struct line *l, const char *name, uint64_t guid)
{
	add(l, "\"");
	for (; *name; name++)
		add(l, "%c", isprint((unsigned char)*name) ? *name : '?');
	add(l, "\" (0x%016" PRIx64 ")", guid);
}

static void add_switch(struct line *l, const struct weft_fabric *f,
		       uint32_t sw)
{
	add_named(l, f->sw[sw].name, f->sw[sw].guid);
}

static void add_vertex(struct line *l, const struct weft_fabric *f,
		       uint32_t vertex)
{
	const struct weft_endport *ep;

	if (weft_is_switch(vertex)) {
		add_switch(l, f, vertex);
		return;
	}
	ep = &f->ep[vertex & ~WEFT_ENDPORT];
	add_named(l, f->node[ep->node].name, ep->guid);
}

void weft_cycle_text(const struct weft_fabric *fabric,
		     const struct weft_cycle *cycle, char *buf, size_t size)
{
	struct line l = { .buf = buf, .size = size };
	unsigned lane = cycle->vl;

	add(&l, "VL %u: ", lane);
	for (uint32_t i = 0; i < cycle->n; i++) {
		uint32_t ch = cycle->channel[i];
		uint32_t sw = weft_channel_switch(fabric, ch);

		if (i)
			add(&l, ", ");
		if (cycle->lane[i] != lane)
			add(&l, "VL %u: ", cycle->lane[i]);
		lane = cycle->lane[i];
		add_switch(&l, fabric, sw);
		add(&l, ":%u -> ", ch - fabric->first_channel[sw]);
		add_switch(&l, fabric, fabric->peer[ch]);
		add(&l, ":%u", fabric->peer_port[ch]);
	}
	end(&l);
}

const char *weft_finding_name(enum weft_finding_kind kind)
{
	static const char *const name[] = {
		[WEFT_FIND_NO_ROUTE] = "no route",
		[WEFT_FIND_BAD_PORT] = "port does not exist",
		[WEFT_FIND_DEAD_END] = "nothing on the port",
		[WEFT_FIND_WRONG_END] = "wrong end",
		[WEFT_FIND_LOOP] = "loop",
		[WEFT_FIND_DROPPED] = "discarded",
		[WEFT_FIND_NONMINIMAL] = "detour",
		[WEFT_FIND_NO_LID] = "no LID",
		[WEFT_FIND_APART] = "not connected",
	};

	return name[kind];
}

/* Says what happens at the switch of a finding. */
static void add_reason(struct line *l, const struct weft_fabric *f,
		       const struct weft_finding *x)
{
	switch (x->kind) {
	case WEFT_FIND_NO_ROUTE:
		add(l, " has no entry for it");
		break;
	case WEFT_FIND_BAD_PORT:
		add(l, " sends it to port %u but has only %u", x->port,
		    f->sw[x->sw].nports);
		break;
	case WEFT_FIND_DEAD_END:
		add(l, " sends it to port %u, where nothing is connected",
		    x->port);
		break;
	case WEFT_FIND_WRONG_END:
		add(l, " sends it to port %u, where it does not belong",
		    x->port);
		break;
	case WEFT_FIND_LOOP:
		add(l, " port %u is where it enters a loop", x->port);
		break;
	case WEFT_FIND_DROPPED:
		add(l, " port %u discards it: SL %u is mapped to VL %u",
		    x->port, x->sl, WEFT_VL_DROP);
		break;
	case WEFT_FIND_NONMINIMAL:
		add(l, " port %u is where it turns from the shortest way: "
		    "%u hops in place of %u", x->port, x->hops, x->minimum);
		break;
	case WEFT_FIND_NO_LID:
	case WEFT_FIND_APART:
	case WEFT_FIND_KINDS:
		break;
	}
}

void weft_finding_text(const struct weft_fabric *fabric,
		       const struct weft_finding *finding,
		       char *buf, size_t size)
{
	struct line l = { .buf = buf, .size = size };

	add_vertex(&l, fabric, finding->source);
	add(&l, " -> ");
	add_vertex(&l, fabric, finding->dest);
	if (finding->kind == WEFT_FIND_NO_LID) {
		add(&l, ": the destination has no LID");
	} else if (finding->kind == WEFT_FIND_APART) {
		add(&l, " LID %u: no cable leads there", finding->lid);
	} else {
		add(&l, " LID %u: switch ", finding->lid);
		add_switch(&l, fabric, finding->sw);
		add_reason(&l, fabric, finding);
	}
	end(&l);
}
