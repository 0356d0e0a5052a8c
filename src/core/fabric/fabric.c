// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks things up in a finished fabric; see weft/fabric.h. */
#include <weft/fabric.h>
#include <weft/planes.h>

#include "core/arena.h"
#include "core/fabric/fabric_build.h"
#include "core/find_key.h"

#include <errno.h>

void weft_fabric_free(struct weft_fabric *fabric)
{
	if (fabric)
		weft__arena_free(fabric->arena);	/* the fabric itself is
							 * in it */
}

void weft_fabric_weigh(struct weft_fabric *f, uint32_t ep, uint32_t weight)
{
	struct weft_endport *e = WEFT_WRITABLE(struct weft_endport, f->ep) + ep;

	e->weight = !weight ? 1 :
		    weight > WEFT_MAX_WEIGHT ? WEFT_MAX_WEIGHT : weight;
}

int weft_fabric_limit(struct weft_fabric *f, uint32_t channel, unsigned vls)
{
	uint8_t *all = WEFT_WRITABLE(uint8_t, f->vls);

	if (!all)
		all = weft__arena_zalloc(f->arena, f->nch, 1);
	if (!all)
		return -ENOMEM;
	all[channel] = all[f->reverse[channel]] = vls;
	f->vls = all;
	return 0;
}

uint32_t weft_channel_switch(const struct weft_fabric *f, uint32_t ch)
{
	uint32_t lo = 0, hi = f->nsw;

	if (ch >= f->first_injection)
		return WEFT_NONE;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (f->first_channel[mid] <= ch)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

uint32_t weft_fabric_switch_by_guid(const struct weft_fabric *f, uint64_t guid)
{
	uint32_t s = weft__find_key(f->sw, f->nsw, sizeof(*f->sw),
				    offsetof(struct weft_switch, guid), guid);

	return s < f->nsw ? s : WEFT_NONE;
}

static uint32_t node_by_guid(const struct weft_fabric *f, uint64_t guid)
{
	uint32_t n = weft__find_key(f->node, f->nnodes, sizeof(*f->node),
				    offsetof(struct weft_node, guid), guid);

	return n < f->nnodes ? n : WEFT_NONE;
}

uint32_t weft_fabric_endport_by_guid(const struct weft_fabric *f,
				     uint64_t guid)
{
	uint32_t node, e = weft__find_key(f->ep, f->nep, sizeof(*f->ep),
					  offsetof(struct weft_endport, guid),
					  guid);

	if (e < f->nep)
		return e;
	node = node_by_guid(f, guid);
	if (node == WEFT_NONE || !f->node[node].nendports)
		return WEFT_NONE;
	return f->node_endport[f->node[node].first_endport];
}

static const struct {
	const char *name;
	uint32_t lane;		/* Mbit/s of data for one lane */
} speeds[] = {
	[WEFT_SPEED_UNKNOWN] = { "unknown", 0 },
	[WEFT_SDR] = { "SDR", 2000 },
	[WEFT_DDR] = { "DDR", 4000 },
	[WEFT_QDR] = { "QDR", 8000 },
	[WEFT_FDR10] = { "FDR10", 10000 },
	[WEFT_FDR] = { "FDR", 13636 },
	[WEFT_EDR] = { "EDR", 25000 },
	[WEFT_HDR] = { "HDR", 50000 },
	[WEFT_NDR] = { "NDR", 100000 },
	[WEFT_XDR] = { "XDR", 200000 },
};

const char *weft_speed_name(enum weft_speed speed)
{
	return speed <= WEFT_XDR ? speeds[speed].name : speeds[0].name;
}

uint32_t weft_speed_capacity(unsigned width, enum weft_speed speed)
{
	return speed <= WEFT_XDR ? width * speeds[speed].lane : 0;
}

bool weft_planes_same_port(const struct weft_fabric *f, uint32_t a, uint32_t b)
{
	return f->ep[a].guid == f->ep[b].guid && f->ep[a].node == f->ep[b].node;
}

uint32_t weft_plane_first(const struct weft_fabric *f, uint32_t e)
{
	uint32_t i = e;

	if (f->ep[e].lid)
		return e;
	/* endports of one port follow each other, in the order of GUIDs */
	while (i && weft_planes_same_port(f, i - 1, e))
		i--;
	for (; i < f->nep && weft_planes_same_port(f, i, e); i++)
		if (f->ep[i].lid)
			return i;
	return e;
}
