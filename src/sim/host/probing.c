// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Routes that hosts choose, as Geoffray and Hoefler have it ("Adaptive Routing
 * Strategies for Modern High Performance Networks", HOTI 2008).
 *
 * A pair has a number of routes; net/choose.c has what a route is.  It is drawn
 * for each packet, or kept until the host had to wait for credits:
 * back-pressure.  Before a new route is used it may be probed, by a packet
 * without payload, which takes room as others do; that its answer comes back is
 * taken to last as long as in an empty network.
 */
#include "sim/host/host.h"
#include "sim/kernel/random.h"

/* A probe that a host has sent, one at most. */
struct probe {
	uint64_t back; /* when its answer is there; WEFT__NEVER: it moves */
	uint32_t dest;
	uint8_t route;
	bool sent, fine;
};

struct weft__probing {
	const struct weft_sim_spec *spec;
	struct weft_sim *result;
	uint32_t nhosts;
	uint64_t random;
	uint8_t *route;	     /* [nhosts * nhosts] of a host to another, + 1 */
	struct probe *probe; /* [nhosts] */
	uint64_t *stalled;   /* [nhosts] since when it waits for credits;
			      * WEFT__NEVER: it does not */
};

bool weft__probing_init(struct weft__hosts *hosts, uint32_t nhosts,
			struct weft_sim *result, struct weft_arena *arena)
{
	const struct weft_sim_spec *spec = hosts->spec;
	struct weft__probing *d;

	if (!weft__hosts_choose(spec))
		return true;
	d = hosts->probing = weft__arena_zalloc(arena, 1, sizeof(*d));
	if (!d)
		return false;
	d->spec = spec;
	d->result = result;
	d->nhosts = nhosts;
	d->random = spec->seed;
	d->route = weft__arena_zalloc(arena, (size_t)nhosts * nhosts,
				      sizeof(*d->route));
	d->probe = weft__arena_zalloc(arena, nhosts, sizeof(*d->probe));
	d->stalled = weft__arena_alloc(arena, nhosts, sizeof(*d->stalled));
	for (uint32_t ep = 0; ep < nhosts && d->stalled; ep++)
		d->stalled[ep] = WEFT__NEVER;
	return d->route && d->probe && d->stalled;
}

void weft__probing_stalled(struct weft__probing *probing, uint64_t now,
			   uint32_t ep)
{
	if (probing->stalled[ep] == WEFT__NEVER)
		probing->stalled[ep] = now;
}

/* Whether a host waited for longer than it has patience before it can send
 * now. */
static bool had_to_wait(struct weft__probing *probing, uint64_t now,
			uint32_t ep)
{
	uint64_t since = probing->stalled[ep];

	probing->stalled[ep] = WEFT__NEVER;
	return since != WEFT__NEVER &&
	       now - since > probing->spec->patience * WEFT_SIM_TICKS;
}

/* Returns a route other than that one. */
static uint8_t other_route(struct weft__probing *probing, uint8_t route)
{
	uint32_t n = probing->spec->routes;
	uint32_t at =
		weft__sim_random_below(&probing->random, n > 1 ? n - 1 : 1);

	return at + (n > 1 && at >= route);
}

/* Takes the route that a probe found to be free. */
static void take_answer(struct weft__probing *probing, uint64_t now,
			uint32_t ep)
{
	struct probe *probe = &probing->probe[ep];

	if (!probe->sent || probe->back > now)
		return;
	probe->sent = false;
	if (!probe->fine)
		return;
	probing->route[(size_t)ep * probing->nhosts + probe->dest] =
		probe->route + 1;
	probing->result->reroutes++;
}

bool weft__probing_route(struct weft__probing *probing, uint64_t now,
			 struct weft__packet *packet)
{
	uint32_t ep = packet->source;
	uint8_t *route;
	struct probe *probe;

	probe = &probing->probe[ep];
	route = &probing->route[(size_t)ep * probing->nhosts + packet->dest];
	if (!*route || probing->spec->paths == WEFT_SIM_OBLIVIOUS)
		*route = 1 + weft__sim_random_below(&probing->random,
						    probing->spec->routes);
	take_answer(probing, now, ep);
	packet->route = *route - 1;
	if (!had_to_wait(probing, now, ep) ||
	    probing->spec->paths == WEFT_SIM_OBLIVIOUS)
		return false;
	if (probing->spec->paths == WEFT_SIM_ADAPTIVE) {
		packet->route = other_route(probing, *route - 1);
		*route = packet->route + 1;
		probing->result->reroutes++;
		return false;
	}
	if (probe->sent)
		return false;
	*probe = (struct probe){
		.back = WEFT__NEVER,
		.dest = packet->dest,
		.route = other_route(probing, *route - 1),
		.sent = true,
	};
	packet->route = probe->route;
	probing->result->probes++;
	return true;
}

void weft__probing_answer(struct weft__probing *probing,
			  const struct weft__packet *p,
			  const struct weft__out *out, uint64_t time)
{
	struct probe *probe = &probing->probe[p->source];
	uint64_t empty = (uint64_t)p->hops * out->ahead + out->wire +
			 (uint64_t)p->bytes * out->byte;

	probe->back = time + empty;
	probe->fine = time - p->created <=
		      empty + probing->spec->patience * WEFT_SIM_TICKS;
}
