// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* SL2VL tables that a fabric has; see sl2vl.h. */
#include "tools/layer/sl2vl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether packets can come in by one port and leave by the other, cabled one.
 * Tables by output alone have in = 0. */
static bool passes(const struct weft_fabric *f, uint32_t sw, unsigned in,
		   unsigned out)
{
	return in != out &&
		(!in || f->peer[weft_channel(f, sw, in)] != WEFT_NONE);
}

/* Lanes to which SL2VL tables lead on one channel: the highest one, plus 1. */
static unsigned channel_lanes(const struct weft_fabric *f,
			      const struct weft_layers *layers, uint32_t sw,
			      unsigned out)
{
	unsigned inputs = layers->base ? f->sw[sw].nports : 0, lanes = 0;

	for (unsigned in = 0; in <= inputs; in++) {
		if (!passes(f, sw, in, out))
			continue;
		for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
			unsigned vl = weft_layers_vl(layers, f, sw, in, out,
						     sl);

			if (vl < WEFT_VL_DROP && vl >= lanes)
				lanes = vl + 1;
		}
	}
	return lanes;
}

unsigned tool_sl2vl_lanes(const struct weft_fabric *f,
			  const struct weft_layers *layers)
{
	unsigned least = 0;

	for (uint32_t s = 0; s < f->nsw && layers->sl2vl; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			unsigned lanes = channel_lanes(f, layers, s,
				f->adj[i] - f->first_channel[s]);

			if (lanes && (!least || lanes < least))
				least = lanes;
		}
	return least;
}

/* Whether the first SLs go to the lanes of their numbers on a channel to a
 * switch, and are not discarded on others. */
static bool channel_fits(const struct weft_fabric *f,
			 const struct weft_layers *layers, uint32_t sw,
			 unsigned out, unsigned lanes)
{
	bool between = weft_is_switch(f->peer[weft_channel(f, sw, out)]);
	unsigned inputs = layers->base ? f->sw[sw].nports : 0;

	for (unsigned in = 0; in <= inputs; in++) {
		if (!passes(f, sw, in, out))
			continue;
		for (unsigned sl = 0; sl < lanes; sl++) {
			unsigned vl = weft_layers_vl(layers, f, sw, in, out,
						     sl);

			if (vl >= WEFT_VL_DROP || (between && vl != sl))
				return false;
		}
	}
	return true;
}

bool tool_sl2vl_fits(const struct weft_fabric *f,
		     const struct weft_layers *layers, unsigned lanes)
{
	if (!layers->sl2vl)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned out = 1; out <= f->sw[s].nports; out++)
			if (f->peer[weft_channel(f, s, out)] != WEFT_NONE &&
			    !channel_fits(f, layers, s, out, lanes))
				return false;
	return true;
}

int tool_sl2vl_copy(const struct weft_fabric *f, const struct weft_layers *from,
		    struct weft_layers *to)
{
	uint64_t *base = NULL, rows = f->first_injection;
	uint8_t *sl2vl;

	if (from->base && f->nsw) {
		uint64_t ports = f->sw[f->nsw - 1].nports + 1u;

		base = malloc(f->nsw * sizeof(*base));
		if (!base)
			return -ENOMEM;
		memcpy(base, from->base, f->nsw * sizeof(*base));
		rows = base[f->nsw - 1] + ports * ports;
	}
	sl2vl = malloc(rows * WEFT_NSL + 1);
	if (!sl2vl) {
		free(base);
		return -ENOMEM;
	}
	memcpy(sl2vl, from->sl2vl, rows * WEFT_NSL);
	to->sl2vl = sl2vl;
	to->base = base;
	return 0;
}
