// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Groups sources of traffic; see sources.h. */
#include "proof/sources.h"

#include <errno.h>
#include <string.h>

/* Returns true if packets from two ports of a switch take the same lanes. */
static bool alike(const struct weft__proof_lanes *l, uint32_t sw, unsigned in,
		  unsigned other)
{
	size_t rows = l->fabric->sw[sw].nports + 1u;
	const uint8_t *vl;

	if (!l->mixed || !l->layers->base)
		return true;
	vl = l->layers->sl2vl + l->layers->base[sw] * WEFT_NSL;
	return !memcmp(vl + in * rows * WEFT_NSL, vl + other * rows * WEFT_NSL,
		       rows * WEFT_NSL);
}

/* Returns the source of switch sw, among those from first on, for packets that
 * come in by that port.  Makes it if need be. */
static uint32_t find_source(struct weft__sources *s,
			    const struct weft__proof_lanes *l, uint32_t first,
			    uint32_t sw, unsigned in)
{
	uint32_t i = first;

	while (i < s->n && !alike(l, sw, s->source[i].in, in))
		i++;
	if (i == s->n)
		s->source[s->n++] = (struct weft__proof_source){
			.sw = sw, .in = in };
	return i;
}

/* Makes the sources of a switch. */
static void find_sources(struct weft__sources *s,
			 const struct weft_proof_spec *spec,
			 const struct weft__proof_lanes *l, uint32_t sw)
{
	const struct weft_fabric *f = s->fabric;
	uint32_t first = s->n;

	if (spec->switches) {
		s->of_switch[sw] = find_source(s, l, first, sw, 0);
		s->source[first].hosts = s->source[first].all = 1;
		s->source[first].self = true;
	}
	for (uint32_t k = f->sw_ep_first[sw]; k < f->sw_ep_first[sw + 1];
	     k++) {
		uint32_t e = f->sw_endport[k];

		s->of_endport[e] = find_source(s, l, first, sw,
					       f->ep[e].sw_port);
	}
}

/* Lists the endports of source i. */
static void list_endports(struct weft__sources *s,
			  const struct weft_proof_spec *spec, uint32_t i)
{
	const struct weft_fabric *f = s->fabric;
	struct weft__proof_source *source = &s->source[i];
	uint32_t at = i ? source[-1].first + source[-1].n : 0;

	source->first = at;
	for (uint32_t k = f->sw_ep_first[source->sw];
	     k < f->sw_ep_first[source->sw + 1]; k++) {
		uint32_t e = f->sw_endport[k];

		if (s->of_endport[e] != i)
			continue;
		s->host[at] = weft__counts(f, spec, e | WEFT_ENDPORT);
		source->hosts += s->host[at];
		s->endport[at++] = e;
	}
	source->n = at - source->first;
	source->all += source->n;
	s->hosts += source->hosts;
}

int weft__sources_init(struct weft__sources *s,
		       const struct weft_fabric *fabric,
		       const struct weft_proof_spec *spec,
		       struct weft__proof_lanes *lanes,
		       struct weft_arena *scratch)
{
	size_t nep = fabric->nep, nsw = fabric->nsw, max = nep + nsw;

	*s = (struct weft__sources){ .fabric = fabric };
	s->source = weft__arena_alloc(scratch, max, sizeof(*s->source));
	s->endport = weft__arena_alloc(scratch, nep, sizeof(*s->endport));
	s->host = weft__arena_alloc(scratch, nep, sizeof(*s->host));
	s->of_endport = weft__arena_alloc(scratch, nep,
					  sizeof(*s->of_endport));
	s->of_switch = weft__arena_alloc(scratch, nsw, sizeof(*s->of_switch));
	if (weft__arena_failed(scratch))
		return -ENOMEM;
	for (uint32_t sw = 0; sw < nsw; sw++)
		find_sources(s, spec, lanes, sw);
	for (uint32_t i = 0; i < s->n; i++)
		list_endports(s, spec, i);
	lanes->endport = s->endport;
	if (!lanes->mixed)
		return 0;
	s->sls = weft__arena_zalloc(scratch, s->n, sizeof(*s->sls));
	s->share = weft__arena_zalloc(scratch, s->n,
				      WEFT_NSL * sizeof(*s->share));
	return weft__arena_error(scratch);
}

/* Adds one source, or several alike, to those with an SL. */
static void enter_share(struct weft__sources *s, uint32_t i, unsigned sl,
			uint32_t hosts, uint32_t all)
{
	struct weft__share *share = &s->share[(size_t)sl * s->n + i];

	if (!(s->sls[i] >> sl & 1))
		*share = (struct weft__share){ 0 };
	s->sls[i] |= 1u << sl;
	share->hosts += hosts;
	share->all += all;
}

/* Returns the SL of traffic from the owner of the LID. */
static unsigned owner_sl(const struct weft__sources *s,
			 const struct weft__proof_source *home, uint32_t owner,
			 const struct weft__sls *sls)
{
	uint32_t k = home->first;

	if (!sls->by_endport)
		return sls->by_switch ? sls->by_switch[home->sw] : sls->one;
	if (weft_is_switch(owner))
		return sls->one;
	while (s->endport[k] != (owner & ~WEFT_ENDPORT))
		k++;
	return sls->by_endport[k];
}

void weft__sources_share(struct weft__sources *s, uint32_t owner,
			 bool counted, const struct weft__sls *sls)
{
	uint32_t home = weft__source_of(s, owner);
	unsigned sl = owner_sl(s, &s->source[home], owner, sls);
	struct weft__share *share = &s->share[(size_t)sl * s->n + home];

	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft__proof_source *source = &s->source[i];

		s->sls[i] = 0;
		if (!sls->by_endport) {
			enter_share(s, i,
				    sls->by_switch ?
					    sls->by_switch[source->sw] :
					    sls->one,
				    source->hosts, source->all);
			continue;
		}
		if (source->self)
			enter_share(s, i, sls->one, 1, 1);
		for (uint32_t k = source->first;
		     k < source->first + source->n; k++)
			enter_share(s, i, sls->by_endport[k], s->host[k], 1);
	}
	share->hosts -= counted;
	if (!--share->all)
		s->sls[home] &= ~(1u << sl);
}
