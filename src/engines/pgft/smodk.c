// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: smodk, source-mod-k on fat trees
 *
 * Idea ("source-mod-k" in Nienaber, Mahapatra, Yuan; section III.A): a route
 * from host s climbs by digits of the source's number, as dmodk does by those
 * of the destination's; on two levels with m top switches it goes over top
 * switch s mod m.
 *
 * Forwarding tables do not see the source, but with LMC they see which of the
 * destination's LIDs it chose: the LID at offset i takes way i, and host s
 * sends to offset s mod K, where K is the number of different ways (the least
 * common multiple of w_2 ... w_l+1 p_l+1 over all levels l).  So 2^LMC has to
 * be at least K, or the number of hosts if that is less.  The offsets are part
 * of the result.
 *
 * Structures, deadlock, complexity and limits are those of dmodk; in addition,
 * LMC is needed.
 */
#include "engines/pgft/tables.h"

#include "core/divisor.h"

#include <inttypes.h>

struct smodk {
	uint32_t lids;		/* K, or the number of hosts if that is less */
};

/* Counts the ways, and checks that LMC is enough for them. */
static int smodk_prepare(const struct weft_fabric *f,
			 const struct weft__pgft_form *form, void *context,
			 struct weft_diag *diag)
{
	struct smodk *c = context;
	uint32_t hosts = form->leaves[form->h] * form->n;
	uint64_t places = 1, ways = 1;

	for (unsigned l = 2; l <= form->h; l++) {
		uint64_t period;

		places *= form->w[l];
		period = places * form->p[l];
		ways *= period / weft__common_divisor(ways, period);
	}
	c->lids = ways < hosts ? ways : hosts;
	weft_diag_explain(diag, "%s through the tree: host s sends to offset s mod %"
			  PRIu32, WEFT_COUNT(ways, "way"), c->lids);
	return weft__pgft_need_lmc(f, c->lids, diag);
}

static uint32_t smodk_way(const void *context, uint32_t number, unsigned offset)
{
	(void)context;
	(void)number;
	return offset;
}

static uint8_t smodk_offset(const void *context, uint32_t number)
{
	const struct smodk *c = context;

	return number % c->lids;
}

static int smodk_route(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_routes *out, struct weft_diag *diag)
{
	struct smodk context;
	const struct weft__pgft_rule rule = {
		.prepare = smodk_prepare,
		.way = smodk_way,
		.offset = smodk_offset,
		.context = &context,
	};

	(void)options;
	return weft__pgft_route(f, &rule, out, diag);
}

const struct weft_engine weft__engine_smodk = {
	.name = "smodk",
	.summary = "source-mod-k on fat trees, by LMC (S-mod-k)",
	.needs = WEFT_NEEDS_TREE | WEFT_NEEDS_LMC | WEFT_REFERENCE,
	.minimal = true,
	.loopfree = WEFT_LOOPFREE_HOSTS,
	.route = smodk_route,
};
