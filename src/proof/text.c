// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describes findings and cycles in words. */
#include <weft/proof.h>

#include "core/text/words.h"

static void add_switch(struct weft__words *w, const struct weft_fabric *f,
		       uint32_t sw)
{
	weft__words_name(w, f->sw[sw].name, f->sw[sw].guid);
}

static void add_vertex(struct weft__words *w, const struct weft_fabric *f,
		       uint32_t vertex)
{
	const struct weft_endport *ep;

	if (weft_is_switch(vertex)) {
		add_switch(w, f, vertex);
		return;
	}
	ep = &f->ep[vertex & ~WEFT_ENDPORT];
	weft__words_name(w, f->node[ep->node].name, ep->guid);
}

void weft_cycle_text(const struct weft_fabric *fabric,
		     const struct weft_cycle *cycle, char *buf, size_t size)
{
	struct weft__words w = { .buf = buf, .size = size };
	unsigned lane = cycle->vl;

	weft__words_add(&w, "VL %u: ", lane);
	for (uint32_t i = 0; i < cycle->n; i++) {
		uint32_t ch = cycle->channel[i];
		uint32_t sw = weft_channel_switch(fabric, ch);

		if (i)
			weft__words_add(&w, ", ");
		if (cycle->lane[i] != lane)
			weft__words_add(&w, "VL %u: ", cycle->lane[i]);
		lane = cycle->lane[i];
		add_switch(&w, fabric, sw);
		weft__words_add(&w, ":%u -> ", ch - fabric->first_channel[sw]);
		add_switch(&w, fabric, fabric->peer[ch]);
		weft__words_add(&w, ":%u", fabric->peer_port[ch]);
	}
	weft__words_end(&w);
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
static void add_reason(struct weft__words *w, const struct weft_fabric *f,
		       const struct weft_finding *x)
{
	switch (x->kind) {
	case WEFT_FIND_NO_ROUTE:
		weft__words_add(w, " has no entry for it");
		break;
	case WEFT_FIND_BAD_PORT:
		weft__words_add(w, " sends it to port %u but has only %u",
				x->port, f->sw[x->sw].nports);
		break;
	case WEFT_FIND_DEAD_END:
		weft__words_add(
			w, " sends it to port %u, where nothing is connected",
			x->port);
		break;
	case WEFT_FIND_WRONG_END:
		weft__words_add(
			w, " sends it to port %u, where it does not belong",
			x->port);
		break;
	case WEFT_FIND_LOOP:
		weft__words_add(w, " port %u is where it enters a loop",
				x->port);
		break;
	case WEFT_FIND_DROPPED:
		weft__words_add(
			w, " port %u discards it: SL %u is mapped to VL %u",
			x->port, x->sl, WEFT_VL_DROP);
		break;
	case WEFT_FIND_NONMINIMAL:
		weft__words_add(w,
				" port %u is where it turns from the shortest way: %u hops in place of %u",
				x->port, x->hops, x->minimum);
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
	struct weft__words w = { .buf = buf, .size = size };

	add_vertex(&w, fabric, finding->source);
	weft__words_add(&w, " -> ");
	add_vertex(&w, fabric, finding->dest);
	if (finding->kind == WEFT_FIND_NO_LID) {
		weft__words_add(&w, ": the destination has no LID");
	} else if (finding->kind == WEFT_FIND_APART) {
		weft__words_add(&w, " LID %u: no cable leads there",
				finding->lid);
	} else {
		weft__words_add(&w, " LID %u: switch ", finding->lid);
		add_switch(&w, fabric, finding->sw);
		add_reason(&w, fabric, finding);
	}
	weft__words_end(&w);
}
