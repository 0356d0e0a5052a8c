// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads SLs and lanes for a proof; see lanes.h. */
#include "proof/lanes.h"

#include <errno.h>
#include <string.h>

#define UNSEEN 255

static uint16_t sls_of_table(const struct weft_layers *layers, size_t size)
{
	bool present[256] = { false };
	uint16_t used = 0;

	for (size_t i = 0; i < size; i++)
		present[layers->table[i]] = true;
	for (unsigned sl = 0; sl < 256; sl++)
		used |= present[sl] ? 1u << sl % WEFT_NSL : 0;
	return used;
}

/* Notes that SL sl goes to lane vl on an output; between: to another switch. */
static void see_lane(struct weft__proof_lanes *l, unsigned sl, unsigned vl,
		     bool between)
{
	if (vl == WEFT_VL_DROP) {
		l->mixed = true;
	} else if (between) {
		if (l->of_sl[sl] == UNSEEN)
			l->of_sl[sl] = vl;
		l->mixed |= l->of_sl[sl] != vl;
		if (vl >= l->nlanes)
			l->nlanes = vl + 1;
	}
}

static bool leads_somewhere(const struct weft_fabric *f, uint32_t sw,
			    unsigned port)
{
	return !port || f->peer[weft_channel(f, sw, port)] != WEFT_NONE;
}

/* Notes all SLs in use from one input port (of per-input tables) to one
 * output. */
static void see_entry(struct weft__proof_lanes *l, uint32_t sw, unsigned in,
		      unsigned out)
{
	const struct weft_fabric *f = l->fabric;
	bool between = weft_is_switch(f->peer[weft_channel(f, sw, out)]);

	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		if (l->used >> sl & 1)
			see_lane(l, sl, weft_layers_vl(l->layers, f, sw, in,
						       out, sl) % 16,
				 between);
}

static void see_switch(struct weft__proof_lanes *l, uint32_t sw)
{
	unsigned nports = l->fabric->sw[sw].nports;
	unsigned inputs = l->layers->base ? nports : 0;

	for (unsigned in = 0; in <= inputs; in++) {
		if (!leads_somewhere(l->fabric, sw, in))
			continue;
		for (unsigned out = 0; out <= nports; out++)
			if (leads_somewhere(l->fabric, sw, out))
				see_entry(l, sw, in, out);
	}
}

static int of_another_fabric(struct weft_diag *diag)
{
	return weft_fail(diag, EINVAL,
			 "the service levels are for a fabric of another size: read or compute them anew");
}

/* Finds the entries of the SL table and the bytes of a column buffer. */
static int table_size(const struct weft__proof_lanes *l, size_t *size,
		      size_t *buffer, struct weft_diag *diag)
{
	const struct weft_layers *y = l->layers;
	const struct weft_fabric *f = l->fabric;

	*size = *buffer = 0;
	switch (y->form) {
	case WEFT_SL_ONE:
		return 0;
	case WEFT_SL_DESTINATION:
		*size = y->max_lid + 1ull;
		break;
	case WEFT_SL_SWITCH_PAIR:
		*size = (size_t)y->nsw * y->nsw;
		*buffer = f->nsw;
		break;
	case WEFT_SL_ENDPORT_LID:
		*size = (size_t)y->nep * (y->max_lid + 1ull);
		*buffer = (size_t)f->nep * WEFT_LFT_BLOCK;
		break;
	}
	if (!y->table || (y->form == WEFT_SL_SWITCH_PAIR && y->nsw != f->nsw) ||
	    (y->form != WEFT_SL_SWITCH_PAIR && y->max_lid != f->max_lid) ||
	    (y->form == WEFT_SL_ENDPORT_LID && y->nep != f->nep))
		return of_another_fabric(diag);
	return 0;
}

int weft__proof_lanes_init(struct weft__proof_lanes *lanes,
			   const struct weft_fabric *fabric,
			   const struct weft_layers *layers,
			   struct weft_arena *scratch, struct weft_diag *diag)
{
	struct weft__proof_lanes l = {
		.fabric = fabric, .layers = layers, .nlanes = 1,
		.endport = fabric->sw_endport, .column_of = WEFT_NONE,
	};
	size_t size, buffer;
	int err = table_size(&l, &size, &buffer, diag);

	if (err)
		return err;
	l.column = weft__arena_alloc(scratch, buffer, 1);
	if (!l.column)
		return -ENOMEM;
	l.used = sls_of_table(layers, size) | 1u << layers->sl % WEFT_NSL;
	memset(l.of_sl, UNSEEN, sizeof(l.of_sl));
	for (uint32_t s = 0; s < fabric->nsw; s++)
		see_switch(&l, s);
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		if (l.of_sl[sl] == UNSEEN)
			l.of_sl[sl] = 0;
	*lanes = l;
	return 0;
}

static void fill_from_switches(struct weft__proof_lanes *l, uint32_t home)
{
	const struct weft_layers *y = l->layers;

	for (uint32_t s = 0; s < y->nsw; s++)
		l->column[s] = y->table[(size_t)s * y->nsw + home] % WEFT_NSL;
}

static void fill_from_endports(struct weft__proof_lanes *l, uint32_t block)
{
	const struct weft_layers *y = l->layers;
	uint32_t first = block * WEFT_LFT_BLOCK, n = y->max_lid + 1 - first;

	if (n > WEFT_LFT_BLOCK)
		n = WEFT_LFT_BLOCK;
	for (uint32_t k = 0; k < y->nep; k++) {
		const uint8_t *row = y->table + first +
			(size_t)l->endport[k] * (y->max_lid + 1ull);

		for (uint32_t i = 0; i < n; i++)
			l->column[(size_t)i * y->nep + k] =
				row[i] % WEFT_NSL;
	}
}

struct weft__sls weft__proof_lanes_sls(struct weft__proof_lanes *lanes,
				       unsigned lid)
{
	const struct weft_layers *y = lanes->layers;
	struct weft__sls sls = { .one = y->sl % WEFT_NSL };
	uint32_t home;

	switch (y->form) {
	case WEFT_SL_ONE:
		break;
	case WEFT_SL_DESTINATION:
		sls.one = y->table[lid] % WEFT_NSL;
		break;
	case WEFT_SL_SWITCH_PAIR:
		home = weft_vertex_switch(lanes->fabric,
					  lanes->fabric->lid_owner[lid]);
		if (lanes->column_of != home)
			fill_from_switches(lanes, home);
		lanes->column_of = home;
		sls.by_switch = lanes->column;
		break;
	case WEFT_SL_ENDPORT_LID:
		if (lanes->column_of != lid / WEFT_LFT_BLOCK)
			fill_from_endports(lanes, lid / WEFT_LFT_BLOCK);
		lanes->column_of = lid / WEFT_LFT_BLOCK;
		sls.by_endport = lanes->column +
			(size_t)(lid % WEFT_LFT_BLOCK) * y->nep;
		break;
	}
	return sls;
}
