// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts what changed from one state of a fabric to the next. */
#include "dumps.h"

#include <stdlib.h>
#include <string.h>

/* The GUID of each LID's owner. */
static uint64_t *owners(const struct dumps *d, unsigned lmc)
{
	uint64_t *owner = calloc(LIDS, sizeof(*owner));

	if (!owner)
		exit(99);
	for (uint32_t h = 0; h < d->nhost; h++)
		for (unsigned i = 0; i < 1u << lmc; i++)
			if (d->host[h].lid && d->host[h].lid + i < LIDS)
				owner[d->host[h].lid + i] = d->host[h].guid;
	for (uint32_t s = 0; s < d->nsw; s++)
		owner[d->sw[s].lid] = d->sw[s].guid;
	owner[0] = 0;
	return owner;
}

/* Whether a port leads to the same port of the same node in both. */
static bool same_cable(const struct dumps *was, const struct sw *a,
		       const struct dumps *now, const struct sw *b,
		       unsigned port)
{
	const struct port *x = &a->port[port], *y = &b->port[port];

	if (!port)
		return true;
	if (x->far != y->far || x->far == NOWHERE)
		return false;
	if (x->far == TO_HOST)
		return was->host[x->to].guid == now->host[y->to].guid;
	return was->sw[x->to].guid == now->sw[y->to].guid &&
	       x->far_port == y->far_port;
}

void changes_count(const struct dumps *was, const struct dumps *now,
		   unsigned lmc, struct changes *out)
{
	uint64_t *had = owners(was, lmc), *has = owners(now, lmc);

	*out = (struct changes){ 0 };
	for (uint32_t s = 0; s < now->nsw; s++) {
		const struct sw *b = &now->sw[s], *a;
		uint32_t before = dumps_switch(was, b->guid);
		unsigned long blocks = out->blocks;
		unsigned block = LIDS;

		if (before == was->nsw)
			continue;
		a = &was->sw[before];
		for (unsigned lid = 1; lid < LIDS; lid++) {
			bool other = a->lft[lid] != b->lft[lid];

			if (other && block != lid / 64) {
				block = lid / 64;
				out->blocks++;
			}
			if (!had[lid] || had[lid] != has[lid] ||
			    a->lft[lid] == NO_PORT)
				continue;
			out->entries += other;
			out->dead += !same_cable(was, a, now, b, a->lft[lid]);
		}
		out->switches += out->blocks > blocks;
	}
	free(had);
	free(has);
}
