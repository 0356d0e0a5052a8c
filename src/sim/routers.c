// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: routers in the simulation
 *
 * A router is a switch here, with buffers and credits as others have, that has
 * no entry for any LID.  What it does instead is looked up once for a packet,
 * when it is first in its queue: the next leg, which sets the LID that switches
 * go by from there on.  Legs are kept beside the packets, so that a simulation
 * of one subnet does not carry them along.
 *
 * Under load a message leaves its subnet with a probability that may be given,
 * as Bogdanski et al. (Euro-Par 2013) vary it: their inter-subnet percentage.
 */
#include "sim/sim.h"

#include "core/components.h"

#include <weft/rng.h>

#include <errno.h>

#define NOWHERE UINT32_MAX

/* Where a packet is on its way. */
struct way {
	struct weft_sim_leg leg;
	uint32_t hops;	 /* that it had when it was given the leg by a router */
	uint32_t passed; /* routers */
};

struct weft__routers {
	struct way *way;  /* [npool] of each packet */
	uint32_t *rank;	  /* [nranks] by subnet */
	uint32_t *place;  /* [nranks] of a rank among these */
	uint32_t *first;  /* [n + 1] of a subnet's */
	uint32_t *hot;	  /* [nhot] ranks that are hot spots, by subnet */
	uint32_t *hot_of; /* [n] of these, a subnet's; NOWHERE */
	uint32_t nhot;
	uint64_t leave; /* of 2^32; UINT64_MAX: as it comes */
};

int weft__routers_check(const struct weft_sim_spec *spec,
			struct weft_diag *diag)
{
	if (spec->packet_least > spec->mtu)
		return weft_fail(diag, EINVAL,
				 "packets of %u bytes at least, but an MTU of %u",
				 spec->packet_least, spec->mtu);
	if (spec->packet_least && (spec->traffic || spec->schedule))
		return weft_fail(diag, EINVAL,
				 "packets of random sizes are for loads, not for patterns");
	if (spec->leave > 1)
		return weft_fail(diag, EINVAL,
				 "a share of %g that leaves its subnet: 0 to 1",
				 spec->leave);
	if (spec->leave >= 0 && !spec->subnets)
		return weft_fail(diag, EINVAL,
				 "there is one subnet only: nothing can leave it");
	if (spec->subnets && spec->paths >= WEFT_SIM_OBLIVIOUS)
		return weft_fail(diag, EINVAL,
				 "between subnets routers and tables choose the way, or switches within their subnet: hosts know no routes across routers");
	return 0;
}

/* --- parts ---------------------------------------------------------------- */

bool weft__routers_part(struct weft__sim *s)
{
	uint32_t nsw = s->f->nsw;
	uint32_t *queue = weft__arena_alloc(s->arena, nsw, sizeof(*queue));

	s->part = weft__arena_zalloc(s->arena, nsw, sizeof(*s->part));
	if (!queue || !s->part)
		return false;
	s->nparts = s->spec->subnets ?
			    weft__components_around(
				    s->f, s->spec->subnets->is_router, s->part,
				    queue) :
			    1;
	return true;
}

/* --- ranks by subnet ------------------------------------------------------ */

static uint32_t subnet_of(const struct weft__sim *s, uint32_t rank)
{
	return s->spec->subnets->subnet[s->rank_host[rank]];
}

/* Sorts the ranks by subnet, in their order. */
static void sort_ranks(struct weft__sim *s)
{
	struct weft__routers *r = s->routers;
	uint32_t n = s->spec->subnets->n, at = 0;

	for (uint32_t i = 0; i < s->nranks; i++)
		r->first[subnet_of(s, i) + 1]++;
	for (uint32_t i = 0; i < n; i++)
		r->first[i + 1] += r->first[i];
	for (uint32_t i = 0; i < s->nranks; i++) {
		at = r->first[subnet_of(s, i)]++;
		r->rank[at] = i;
		r->place[i] = at;
	}
	for (uint32_t i = n; i; i--)
		r->first[i] = r->first[i - 1];
	r->first[0] = 0;
}

/* Draws a hot spot in each subnet that has ranks. */
static void draw_spots(struct weft__sim *s)
{
	struct weft__routers *r = s->routers;

	for (uint32_t i = 0; i < s->spec->subnets->n; i++) {
		uint32_t n = r->first[i + 1] - r->first[i];

		r->hot_of[i] = NOWHERE;
		if (!n)
			continue;
		r->hot_of[i] = r->nhot;
		r->hot[r->nhot++] =
			r->rank[r->first[i] + weft_rng_below(s->rng, n)];
	}
}

bool weft__routers_init(struct weft__sim *s)
{
	struct weft_arena *a = s->arena;
	struct weft__routers *r;
	uint32_t n;

	if (!s->spec->subnets)
		return true;
	n = s->spec->subnets->n;
	r = s->routers = weft__arena_zalloc(a, 1, sizeof(*r));
	if (!r)
		return false;
	r->way = weft__arena_alloc(a, s->npool, sizeof(*r->way));
	r->rank = weft__arena_alloc(a, s->nranks, sizeof(*r->rank));
	r->place = weft__arena_alloc(a, s->nranks, sizeof(*r->place));
	r->first = weft__arena_zalloc(a, n + 2, sizeof(*r->first));
	r->hot = weft__arena_alloc(a, n, sizeof(*r->hot));
	r->hot_of = weft__arena_alloc(a, n, sizeof(*r->hot_of));
	if (!r->way || !r->rank || !r->place || !r->first || !r->hot ||
	    !r->hot_of)
		return false;
	r->leave = s->spec->leave < 0 ? UINT64_MAX :
					(uint64_t)(s->spec->leave * 0x1p32);
	sort_ranks(s);
	draw_spots(s);
	return true;
}

/* Whether the next message of a rank leaves its subnet, which has n ranks. */
static bool draw_leaves(const struct weft__sim *s, struct weft__host *host,
			uint32_t n)
{
	uint64_t leave = s->routers->leave;

	if (n < 2 || n == s->nranks)
		return n < 2;
	if (leave == UINT64_MAX)
		return weft__draw_below(&host->random, s->nranks - 1) >= n - 1;
	return weft__draw(&host->random) >> 32 < leave;
}

/* Returns the hot spot of a subnet, or with away that of another one that is
 * drawn; NOWHERE if there is none. */
static uint32_t draw_spot(const struct weft__sim *s, struct weft__host *host,
			  uint32_t subnet, bool away)
{
	const struct weft__routers *r = s->routers;
	uint32_t own = r->hot_of[subnet], k;

	if (!away)
		return r->hot[own];
	if (r->nhot < 2)
		return NOWHERE;
	k = weft__draw_below(&host->random, r->nhot - 1);
	return r->hot[k + (k >= own)];
}

uint32_t weft__routers_draw(const struct weft__sim *s, struct weft__host *host)
{
	const struct weft__routers *r = s->routers;
	uint32_t subnet = subnet_of(s, host->rank);
	uint32_t first = r->first[subnet], n = r->first[subnet + 1] - first, k;
	bool away = draw_leaves(s, host, n);

	if (s->hot && weft__draw(&host->random) >> 32 < s->hot) {
		uint32_t spot = draw_spot(s, host, subnet, away);

		if (spot != host->rank && spot != NOWHERE)
			return spot;
	}
	if (away) {
		k = weft__draw_below(&host->random, s->nranks - n);
		return r->rank[k < first ? k : k + n];
	}
	k = first + weft__draw_below(&host->random, n - 1);
	return r->rank[k + (k >= r->place[host->rank])];
}

/* --- legs ----------------------------------------------------------------- */

void weft__routers_begin(const struct weft__sim *s, uint32_t from,
			 struct weft__message *m)
{
	const struct weft_sim_subnets *n = s->spec->subnets;
	struct weft_sim_leg leg;

	n->begin(n->context, from, m->dest, &leg);
	m->lid = leg.to;
	m->sl = leg.sl;
	m->vl = leg.vl;
}

void weft__routers_send(struct weft__sim *s, uint32_t packet)
{
	const struct weft__packet *p = &s->packet[packet];
	bool host = p->source < s->f->nep;

	s->result->crossing += weft__sim_crosses(s, p->source, p->dest);
	s->routers->way[packet] = (struct way){
		.leg = { .from = host ? s->f->ep[p->source].lid : 0,
			 .to = p->lid },
		.hops = NOWHERE,
	};
}

bool weft__routers_pass(struct weft__sim *s, const struct weft__lane *queue,
			struct weft__packet *p, enum weft_sim_drop *why)
{
	const struct weft_sim_subnets *n = s->spec->subnets;
	struct way *way = &s->routers->way[p - s->packet];
	const struct weft__out *in = &s->out[queue->channel];
	const struct weft_sim_arrival at = { in->to, p->dest, in->port,
					     &way->leg };
	struct weft_sim_leg next = { .sl = p->sl };

	if (way->hops == p->hops)
		return true;
	*why = WEFT_SIM_NO_ROUTE;
	if (p->dest >= s->f->nep)
		return false;
	if (!n->is_router[in->to] || !n->pass(n->context, &at, &next))
		return false;
	*why = WEFT_SIM_TOO_FAR;
	if (way->passed == n->hop_limit || p->hops > s->f->nsw)
		return false;
	*why = WEFT_SIM_NO_LANE;
	p->out = weft_channel(s->f, in->to, next.port);
	p->vl = next.vl;
	p->sl = next.sl;
	p->lid = next.to;
	way->leg = next;
	way->hops = p->hops;
	way->passed++;
	if (s->out[p->out].to == WEFT_NONE) {
		*why = WEFT_SIM_NO_ROUTE;
		return false;
	}
	return p->vl < s->nvl;
}
