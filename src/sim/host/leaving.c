// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Whom hosts of several subnets send to.  Under load a message leaves its
 * subnet with a probability that may be given, as Bogdanski et al. (Euro-Par
 * 2013) vary it: their inter-subnet percentage.
 */
#include "sim/host/host.h"
#include "sim/kernel/random.h"

#include <errno.h>

#define NOWHERE UINT32_MAX

struct weft__leaving {
	uint32_t *rank;	  /* [nranks] by subnet */
	uint32_t *place;  /* [nranks] of a rank among these */
	uint32_t *first;  /* [n + 1] of a subnet's */
	uint32_t *hot;	  /* [nhot] ranks that are hot spots, by subnet */
	uint32_t *hot_of; /* [n] of these, a subnet's; NOWHERE */
	uint32_t nhot;
	uint64_t leave; /* of 2^32; UINT64_MAX: as it comes */
};

int weft__leaving_check(const struct weft_sim_spec *spec,
			struct weft_diag *diag)
{
	if (spec->packet_least > spec->mtu)
		return weft_fail(
			diag, EINVAL,
			"packets of %u bytes at least, but an MTU of %u",
			spec->packet_least, spec->mtu);
	if (spec->packet_least && (spec->traffic || spec->schedule))
		return weft_fail(
			diag, EINVAL,
			"packets of random sizes are for loads, not for patterns");
	if (spec->leave > 1)
		return weft_fail(diag, EINVAL,
				 "a share of %g that leaves its subnet: 0 to 1",
				 spec->leave);
	if (spec->leave >= 0 && !spec->subnets)
		return weft_fail(
			diag, EINVAL,
			"there is one subnet only: nothing can leave it");
	if (spec->subnets && weft__hosts_choose(spec))
		return weft_fail(
			diag, EINVAL,
			"between subnets routers and tables choose the way, or switches within their subnet: hosts know no routes across routers");
	return 0;
}

/* --- ranks by subnet ------------------------------------------------------ */

static uint32_t subnet_of(const struct weft__hosts *hosts, uint32_t rank)
{
	return hosts->spec->subnets->subnet[hosts->rank_host[rank]];
}

/* Sorts the ranks by subnet, in their order. */
static void sort_ranks(struct weft__hosts *hosts)
{
	struct weft__leaving *r = hosts->leaving;
	uint32_t n = hosts->spec->subnets->n, at = 0;

	for (uint32_t i = 0; i < hosts->nranks; i++)
		r->first[subnet_of(hosts, i) + 1]++;
	for (uint32_t i = 0; i < n; i++)
		r->first[i + 1] += r->first[i];
	for (uint32_t i = 0; i < hosts->nranks; i++) {
		at = r->first[subnet_of(hosts, i)]++;
		r->rank[at] = i;
		r->place[i] = at;
	}
	for (uint32_t i = n; i; i--)
		r->first[i] = r->first[i - 1];
	r->first[0] = 0;
}

/* Draws a hot spot in each subnet that has ranks. */
static void draw_spots(struct weft__hosts *hosts)
{
	struct weft__leaving *r = hosts->leaving;

	for (uint32_t i = 0; i < hosts->spec->subnets->n; i++) {
		uint32_t n = r->first[i + 1] - r->first[i];

		r->hot_of[i] = NOWHERE;
		if (!n)
			continue;
		r->hot_of[i] = r->nhot;
		r->hot[r->nhot++] =
			r->rank[r->first[i] + weft_rng_below(hosts->rng, n)];
	}
}

bool weft__leaving_init(struct weft__hosts *hosts, struct weft_arena *arena)
{
	const struct weft_sim_spec *spec = hosts->spec;
	struct weft__leaving *r;
	uint32_t n;

	if (!spec->subnets)
		return true;
	n = spec->subnets->n;
	r = hosts->leaving = weft__arena_zalloc(arena, 1, sizeof(*r));
	if (!r)
		return false;
	r->rank = weft__arena_alloc(arena, hosts->nranks, sizeof(*r->rank));
	r->place = weft__arena_alloc(arena, hosts->nranks, sizeof(*r->place));
	r->first = weft__arena_zalloc(arena, n + 2, sizeof(*r->first));
	r->hot = weft__arena_alloc(arena, n, sizeof(*r->hot));
	r->hot_of = weft__arena_alloc(arena, n, sizeof(*r->hot_of));
	if (weft__arena_failed(arena))
		return false;
	r->leave =
		spec->leave < 0 ? UINT64_MAX : (uint64_t)(spec->leave * 0x1p32);
	sort_ranks(hosts);
	draw_spots(hosts);
	return true;
}

/* --- draws ---------------------------------------------------------------- */

/* Whether the next message of a rank leaves its subnet, which has n ranks. */
static bool draw_leaves(const struct weft__hosts *hosts,
			struct weft__host *host, uint32_t n)
{
	uint64_t leave = hosts->leaving->leave;

	if (n < 2 || n == hosts->nranks)
		return n < 2;
	if (leave == UINT64_MAX)
		return weft__sim_random_below(&host->random,
					      hosts->nranks - 1) >= n - 1;
	return weft__sim_random(&host->random) >> 32 < leave;
}

/* Returns the hot spot of a subnet, or with away that of another one that is
 * drawn; NOWHERE if there is none. */
static uint32_t draw_spot(const struct weft__hosts *hosts,
			  struct weft__host *host, uint32_t subnet, bool away)
{
	const struct weft__leaving *r = hosts->leaving;
	uint32_t own = r->hot_of[subnet], k;

	if (!away)
		return r->hot[own];
	if (r->nhot < 2)
		return NOWHERE;
	k = weft__sim_random_below(&host->random, r->nhot - 1);
	return r->hot[k + (k >= own)];
}

uint32_t weft__leaving_draw(const struct weft__hosts *hosts,
			    struct weft__host *host)
{
	const struct weft__leaving *r = hosts->leaving;
	uint32_t subnet = subnet_of(hosts, host->rank);
	uint32_t first = r->first[subnet], n = r->first[subnet + 1] - first, k;
	bool away = draw_leaves(hosts, host, n);

	if (hosts->hot && weft__sim_random(&host->random) >> 32 < hosts->hot) {
		uint32_t spot = draw_spot(hosts, host, subnet, away);

		if (spot != host->rank && spot != NOWHERE)
			return spot;
	}
	if (away) {
		k = weft__sim_random_below(&host->random, hosts->nranks - n);
		return r->rank[k < first ? k : k + n];
	}
	k = first + weft__sim_random_below(&host->random, n - 1);
	return r->rank[k + (k >= r->place[host->rank])];
}
