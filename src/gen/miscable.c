// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cables of hosts that are not where they belong: those of two adapters
 * exchanged, or missing with their adapter.  Cables are exchanged within a
 * unit, whose machines stand together, and between leaves: within a leaf
 * nobody would notice.
 */
#include "gen/net.h"

#include <weft/rng.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static void exchange(struct weft__net_port *a, struct weft__net_port *b)
{
	struct weft__net_port was = *a;

	a->sw = b->sw;
	a->sw_port = b->sw_port;
	b->sw = was.sw;
	b->sw_port = was.sw_port;
}

/* Exchanges the cable of list[0] with that of the first of the others on
 * another leaf of its unit, which it moves to list[1]. */
static bool exchange_first(struct weft__net *net, uint32_t *list, uint32_t n)
{
	struct weft__net_port *a = &net->port[list[0]];

	for (uint32_t i = 1; i < n; i++) {
		struct weft__net_port *b = &net->port[list[i]];
		uint32_t found = list[i];

		/* families with units add their leaves first */
		if (a->sw == b->sw || a->sw / net->unit != b->sw / net->unit)
			continue;
		exchange(a, b);
		list[i] = list[1];
		list[1] = found;
		return true;
	}
	return false;
}

static int swap(struct weft__net *net, const struct weft__gen_spec *spec,
		uint32_t *list, uint32_t n, struct weft_diag *diag)
{
	uint32_t wanted = weft__gen_amount(spec, WEFT__GEN_SWAP,
					   net->nports / 2), done = 0;

	while (done < wanted && n) {
		bool found = exchange_first(net, list, n);

		done += found;
		list += 1 + found;
		n -= 1 + found;
	}
	if (done == wanted)
		return 0;
	return weft__gen_error(spec, diag, EINVAL,
			       "swap asks for %" PRIu32 " pairs, but after %"
			       PRIu32 " no adapter is left that another leaf of its unit has a partner for",
			       wanted, done);
}

int weft__net_miscable(struct weft__net *net,
		       const struct weft__gen_spec *spec,
		       struct weft_diag *diag)
{
	uint32_t missing = weft__gen_amount(spec, WEFT__GEN_MISSING,
					    net->nports);
	uint32_t *list;
	struct weft_rng *rng;
	int err = 0;

	if (!missing && !weft__gen_get(spec, WEFT__GEN_SWAP))
		return 0;
	if (missing > net->nports)
		return weft__gen_error(spec, diag, EINVAL,
				       "missing asks for %" PRIu32
				       " adapters, but there are %" PRIu32,
				       missing, net->nports);
	list = malloc((net->nports + 1ull) * sizeof(*list));
	rng = weft__net_rng(spec, WEFT__NET_CABLING);
	if (!list || !rng) {
		err = weft_no_memory(diag);
		goto free_all;
	}
	for (uint32_t i = 0; i < net->nports; i++)
		list[i] = i;
	weft_rng_shuffle(rng, list, net->nports);
	for (uint32_t i = 0; i < missing; i++)
		net->port[list[i]].dead = true;
	err = swap(net, spec, list + missing, net->nports - missing, diag);
free_all:
	weft_rng_free(rng);
	free(list);
	return err;
}
