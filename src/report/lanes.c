// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "report/lanes.h"

/* Adds what endport e sends to one LID. */
static void add_pair(const struct weft_fabric *f,
		     const struct weft_routes *routes, uint32_t e, unsigned lid,
		     struct weft__lane_use *out)
{
	const struct weft_endport *from = &f->ep[e];
	unsigned port = weft_lft_get(&routes->lft, from->sw, lid), sl;

	if (!port || port > f->sw[from->sw].nports)
		return;
	sl = weft_layers_sl(&routes->layers, f, e | WEFT_ENDPORT, lid);
	out->pairs++;
	out->sl[sl]++;
	out->vl[weft_layers_vl(&routes->layers, f, from->sw, from->sw_port,
			       port, sl)]++;
}

void weft__lane_use_count(const struct weft_fabric *f,
			  const struct weft_routes *routes, bool all_hosts,
			  struct weft__lane_use *out)
{
	*out = (struct weft__lane_use){ .pairs = 0 };
	for (uint32_t d = 0; d < f->nep; d++) {
		unsigned lids = f->ep[d].lid ? 1u << f->ep[d].lmc : 0;

		if (!weft_endport_is_host(&f->ep[d], all_hosts))
			continue;
		for (unsigned i = 0; i < lids; i++)
			for (uint32_t e = 0; e < f->nep; e++)
				if (e != d &&
				    weft_endport_is_host(&f->ep[e], all_hosts))
					add_pair(f, routes, e, f->ep[d].lid + i,
						 out);
	}
}

unsigned weft__lanes_used(const struct weft__lane_use *use)
{
	unsigned n = 0;

	for (unsigned i = 0; i < WEFT_NSL; i++)
		n += use->vl[i] && i != WEFT_VL_DROP;
	return n;
}
