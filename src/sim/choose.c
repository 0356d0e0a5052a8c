// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: which way packets go
 *
 * Tables name one port for a LID.  Here switches or hosts choose among all
 * ports of a switch that are equal: those from which no other one is nearer to
 * the destination.  Packets then need no more hops than there are to the
 * destination, whatever each switch chooses, but the lanes of the tables prove
 * nothing of them where cables close circles.  Between subnets the destination
 * is that of a leg, a host or the port of a router: switches do not look behind
 * that, and routers choose by their mapping.
 *
 * Switches choose when a packet comes up in its queue, or with a queue for each
 * output when it arrives, and stay with it: the output at which the fewest
 * packets are, that is those that wait for it, the one under way, and those in
 * the buffer at its end as far as the credits tell.  Equal ones are taken by
 * the lowest number, or at random; a flowlet stays where the last packet of the
 * same two hosts went, unless it is long ago.
 *
 * Hosts choose as Geoffray and Hoefler do ("Adaptive Routing Strategies for
 * Modern High Performance Networks", HOTI 2008).  A pair has a number of
 * routes: route k goes by the port number (k + a number drawn for the pair and
 * the hop) of those that are equal.  It is drawn for each packet, or kept until
 * the host had to wait for credits: back-pressure.  Before a new route is used
 * it may be probed, by a packet without payload, which takes room as others do;
 * that its answer comes back is taken to last as long as in an empty network.
 */
#include "sim/sim.h"

#include "graph/bfs.h"

#define FLOWLETS 4096u /* of a switch that it remembers */

/* What a switch remembers of a flow. */
struct flowlet {
	uint64_t last; /* when its last packet went */
	uint32_t source, dest;
	uint8_t port;
};

/* A probe that a host has sent, one at most. */
struct probe {
	uint64_t back; /* when its answer is there; WEFT__NEVER: it moves */
	uint32_t dest;
	uint8_t route;
	bool sent, fine;
};

struct weft__choose {
	unsigned words;	   /* of a set of ports */
	uint32_t nleaf;	   /* switches with endports, and beside routers */
	uint32_t *leaf;	   /* [nsw] number of a switch among these, or NONE */
	uint64_t *equal;   /* [nsw * nleaf * words] ports nearer to that leaf */
	uint32_t *home; /* [nparts * (max_lid + 1)] switch that a LID of a part
			 * hangs on, WEFT_NONE; NULL: one subnet */
	uint32_t *waiting; /* [nch] packets that wait for it */
	struct flowlet *flowlet; /* [nsw * FLOWLETS] */
	uint32_t packet;	 /* blocks of a whole packet */
	uint64_t random;
	uint8_t *route;	     /* [nep * nep] that a host uses to another, + 1 */
	struct probe *probe; /* [nep] */
	uint64_t *stalled;   /* [nep] since when a host waits for credits;
			      * WEFT__NEVER: it does not */
};

/* --- equal ports ---------------------------------------------------------- */

static const uint64_t *equal_ports(const struct weft__sim *s, uint32_t sw,
				   uint32_t leaf)
{
	const struct weft__choose *p = s->choose;

	return &p->equal[((size_t)sw * p->nleaf + leaf) * p->words];
}

/* Sets the ports of all switches that are nearer to a leaf. */
static void set_nearer(const struct weft__sim *s, uint32_t leaf,
		       const uint16_t *hops)
{
	const struct weft_fabric *f = s->f;

	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		uint64_t *set = (uint64_t *)equal_ports(s, sw, leaf);

		for (uint32_t i = f->adj_first[sw]; i < f->adj_first[sw + 1];
		     i++) {
			uint32_t ch = f->adj[i];
			unsigned port = ch - f->first_channel[sw];

			if (hops[sw] != WEFT__FAR &&
			    hops[f->peer[ch]] + 1 == hops[sw])
				set[port / 64] |= 1ull << port % 64;
		}
	}
}

/* Returns which leaf a switch is, for all that endports hang on or routers. */
static uint32_t number_leaves(const struct weft__sim *s, uint32_t *leaf)
{
	const struct weft_fabric *f = s->f;
	uint32_t n = 0;

	for (uint32_t sw = 0; sw < f->nsw; sw++)
		leaf[sw] = WEFT_NONE;
	for (uint32_t ep = 0; ep < f->nep; ep++)
		leaf[f->ep[ep].sw] = 0;
	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		if (weft__sim_to_router(s, ch))
			leaf[s->out[ch].sw] = 0;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (leaf[sw] != WEFT_NONE)
			leaf[sw] = n++;
	return n;
}

/* Whether a table has a packet leave the switches of a part by a port: to a
 * host, or a router. */
static bool leaves_part(const struct weft__sim *s, uint32_t sw, uint8_t port)
{
	uint32_t ch;

	if (!port || port > s->f->sw[sw].nports)
		return false;
	ch = weft_channel(s->f, sw, port);
	return s->f->peer[ch] != WEFT_NONE &&
	       (weft_is_endport(s->f->peer[ch]) || weft__sim_to_router(s, ch));
}

/* Finds by the tables where the LIDs of hosts and of routers' ports are. */
static bool find_homes(struct weft__sim *s)
{
	const struct weft_lft *lft = &s->r->lft;
	size_t row = lft->max_lid + 1ull, n = s->nparts * row;
	uint32_t *home = weft__arena_alloc(s->arena, n, sizeof(*home));

	s->choose->home = home;
	for (size_t i = 0; i < n && home; i++)
		home[i] = WEFT_NONE;
	for (uint32_t sw = 0; sw < s->f->nsw && home; sw++)
		for (uint32_t lid = 1; lid < row; lid++)
			if (s->part[sw] != WEFT_NONE &&
			    leaves_part(s, sw, weft_lft_get(lft, sw, lid)))
				home[s->part[sw] * row + lid] = sw;
	return home;
}

/* Returns the switch that a packet leaves the switches of its part by, or
 * WEFT_NONE. */
static uint32_t home_of(const struct weft__sim *s, uint32_t sw, uint16_t lid)
{
	size_t row = s->r->lft.max_lid + 1ull;
	uint32_t owner;

	if (s->choose->home)
		return lid < row ? s->choose->home[s->part[sw] * row + lid] :
				   WEFT_NONE;
	owner = weft_lid_owner(s->f, lid);
	return owner == WEFT_NONE ? WEFT_NONE : weft_vertex_switch(s->f, owner);
}

static bool find_equal(struct weft__sim *s)
{
	const struct weft_sim_subnets *subnets = s->spec->subnets;
	const struct weft_fabric *f = s->f;
	struct weft__choose *p = s->choose;
	uint16_t *hops = weft__arena_alloc(s->arena, f->nsw, sizeof(*hops));
	uint32_t *order = weft__arena_alloc(s->arena, f->nsw, sizeof(*order));

	p->leaf = weft__arena_alloc(s->arena, f->nsw, sizeof(*p->leaf));
	if (!hops || !order || !p->leaf)
		return false;
	p->nleaf = number_leaves(s, p->leaf);
	p->words = 1;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		while (f->sw[sw].nports >= p->words * 64)
			p->words++;
	p->equal = weft__arena_zalloc(s->arena, (size_t)f->nsw * p->nleaf,
				      p->words * sizeof(*p->equal));
	if (!p->equal)
		return false;
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		if (p->leaf[sw] == WEFT_NONE)
			continue;
		weft__bfs_around(f, sw, subnets ? subnets->is_router : NULL,
				 hops, order);
		set_nearer(s, p->leaf[sw], hops);
	}
	return true;
}

/* Makes room for the routes of hosts. */
static bool make_routes(struct weft__sim *s)
{
	struct weft__choose *p = s->choose;
	uint32_t nep = s->f->nep;

	p->route = weft__arena_zalloc(s->arena, (size_t)nep * nep,
				      sizeof(*p->route));
	p->probe = weft__arena_zalloc(s->arena, nep, sizeof(*p->probe));
	p->stalled = weft__arena_alloc(s->arena, nep, sizeof(*p->stalled));
	for (uint32_t ep = 0; ep < nep && p->stalled; ep++)
		p->stalled[ep] = WEFT__NEVER;
	return p->route && p->probe && p->stalled;
}

bool weft__choose_init(struct weft__sim *s)
{
	const struct weft_sim_spec *spec = s->spec;
	struct weft__choose *p;

	if (spec->paths == WEFT_SIM_TABLES)
		return true;
	p = s->choose = weft__arena_zalloc(s->arena, 1, sizeof(*p));
	if (!p || !find_equal(s) || (spec->subnets && !find_homes(s)))
		return false;
	p->packet = weft__sim_blocks(spec->mtu + spec->header);
	p->random = spec->seed;
	if (spec->paths >= WEFT_SIM_OBLIVIOUS)
		return make_routes(s);
	p->waiting = weft__arena_zalloc(s->arena, s->nch, sizeof(*p->waiting));
	s->waiting = p->waiting;
	if (spec->paths == WEFT_SIM_FLOWLETS)
		p->flowlet = weft__arena_zalloc(s->arena,
						(size_t)s->f->nsw * FLOWLETS,
						sizeof(*p->flowlet));
	return p->waiting && (spec->paths != WEFT_SIM_FLOWLETS || p->flowlet);
}

/* --- what switches choose ------------------------------------------------- */

/* A packet at a switch, and the ports that it may leave by. */
struct choice {
	const struct weft__packet *packet;
	uint32_t sw;
	uint8_t in;
	const uint64_t *set;
};

/* Returns how many packets are at an output. */
static uint32_t packets_at(struct weft__sim *s, const struct choice *c,
			   unsigned port)
{
	uint32_t ch = weft_channel(s->f, c->sw, port);
	unsigned vl = weft__sim_lane(s, c->sw, c->in, port, c->packet->sl);
	uint32_t blocks = weft__sim_buffer(s, ch) / WEFT_SIM_BLOCK;

	if (vl >= s->nvl)
		return UINT32_MAX;
	blocks -= weft__credits(s, ch * s->nvl + vl);
	return s->waiting[ch] + (s->out[ch].busy > s->now) +
	       blocks / s->choose->packet;
}

/* Returns the port at which the fewest packets are, 0 if there is none. */
static uint8_t least_port(struct weft__sim *s, const struct choice *c)
{
	bool draw = s->spec->paths == WEFT_SIM_RANDOM_LEAST;
	uint32_t least = UINT32_MAX, ties = 0;
	uint8_t best = 0;

	for (unsigned w = 0; w < s->choose->words; w++)
		for (uint64_t bits = c->set[w]; bits; bits &= bits - 1) {
			unsigned port = w * 64 + __builtin_ctzll(bits);
			uint32_t ch = weft_channel(s->f, c->sw, port), n;

			if (s->out[ch].to == WEFT_NONE || s->out[ch].down)
				continue;
			n = packets_at(s, c, port);
			if (n < least) {
				least = n;
				best = port;
				ties = 1;
			} else if (draw && n == least &&
				   !weft__draw_below(&s->choose->random,
						     ++ties)) {
				best = port;
			}
		}
	return best;
}

/* Returns the port of the flow that the packet is of. */
static uint8_t flowlet_port(struct weft__sim *s, const struct choice *c)
{
	const struct weft__packet *p = c->packet;
	uint32_t mix = (p->source * 2654435761u ^ p->dest) * 2246822519u;
	struct flowlet *flow =
		&s->choose->flowlet[(size_t)c->sw * FLOWLETS +
				    mix / (UINT32_MAX / FLOWLETS + 1)];
	bool same = flow->source == p->source && flow->dest == p->dest &&
		    flow->port;
	uint64_t gap = s->spec->flowlet * WEFT_SIM_TICKS;

	if (!same || s->now - flow->last > gap)
		flow->port = least_port(s, c);
	flow->source = p->source;
	flow->dest = p->dest;
	flow->last = s->now;
	return flow->port;
}

/* --- routes of hosts ------------------------------------------------------ */

/* Returns the port of a route, of n that are equal. */
static uint8_t route_port(const struct choice *c, uint32_t n)
{
	const struct weft__packet *p = c->packet;
	uint64_t mix = ((uint64_t)p->source << 32 | p->dest) + p->hops;
	uint32_t at = (weft__draw_below(&mix, n) + p->route) % n;
	const uint64_t *set = c->set;
	uint64_t bits = *set;

	while (at >= (uint32_t)__builtin_popcountll(bits)) {
		at -= __builtin_popcountll(bits);
		bits = *++set;
	}
	while (at--)
		bits &= bits - 1;
	for (; !bits; bits = *++set)
		;
	return __builtin_ctzll(bits);
}

/*
 * A probe is late from the moment on at which it is first in its switch: its
 * host knows by the credits when what it had sent before was gone.
 */
static void start_probe(const struct weft__sim *s, struct weft__packet *p)
{
	p->created = s->now - s->out[s->f->first_injection + p->source].ahead;
}

uint8_t weft__choose_port(struct weft__sim *s, struct weft__packet *p,
			  uint8_t in, uint32_t sw, uint8_t port)
{
	uint32_t home = home_of(s, sw, p->lid), leaf, n = 0;
	struct choice c = { p, sw, in, NULL };

	if (home == WEFT_NONE || home == sw)
		return port;
	leaf = s->choose->leaf[home];
	if (leaf == WEFT_NONE)
		return port;
	c.set = equal_ports(s, sw, leaf);
	for (unsigned w = 0; w < s->choose->words; w++)
		n += __builtin_popcountll(c.set[w]);
	if (n < 2)
		return port;
	if (p->probe && p->hops == 1)
		start_probe(s, p);
	if (s->choose->route)
		return route_port(&c, n);
	n = s->choose->flowlet ? flowlet_port(s, &c) : least_port(s, &c);
	return n ? n : port;
}

void weft__choose_stalled(struct weft__sim *s, uint32_t ep)
{
	if (s->choose->stalled && s->choose->stalled[ep] == WEFT__NEVER)
		s->choose->stalled[ep] = s->now;
}

/* Whether a host waited for longer than it has patience before it can send
 * now. */
static bool had_to_wait(struct weft__sim *s, uint32_t ep)
{
	uint64_t since = s->choose->stalled[ep];

	s->choose->stalled[ep] = WEFT__NEVER;
	return since != WEFT__NEVER &&
	       s->now - since > s->spec->patience * WEFT_SIM_TICKS;
}

/* Returns a route other than that one. */
static uint8_t other_route(struct weft__sim *s, uint8_t route)
{
	uint32_t n = s->spec->routes;
	uint32_t at = weft__draw_below(&s->choose->random, n > 1 ? n - 1 : 1);

	return at + (n > 1 && at >= route);
}

/* Takes the route that a probe found to be free. */
static void take_answer(struct weft__sim *s, uint32_t ep)
{
	struct weft__choose *p = s->choose;
	struct probe *probe = &p->probe[ep];

	if (!probe->sent || probe->back > s->now)
		return;
	probe->sent = false;
	if (!probe->fine)
		return;
	p->route[(size_t)ep * s->f->nep + probe->dest] = probe->route + 1;
	s->result->reroutes++;
}

bool weft__choose_route(struct weft__sim *s, struct weft__packet *packet)
{
	uint32_t ep = packet->source;
	uint8_t *route;
	struct probe *probe;

	if (!s->choose->route)
		return false;
	probe = &s->choose->probe[ep];
	route = &s->choose->route[(size_t)ep * s->f->nep + packet->dest];
	if (!*route || s->spec->paths == WEFT_SIM_OBLIVIOUS)
		*route = 1 +
			 weft__draw_below(&s->choose->random, s->spec->routes);
	take_answer(s, ep);
	packet->route = *route - 1;
	if (!had_to_wait(s, ep) || s->spec->paths == WEFT_SIM_OBLIVIOUS)
		return false;
	if (s->spec->paths == WEFT_SIM_ADAPTIVE) {
		packet->route = other_route(s, *route - 1);
		*route = packet->route + 1;
		s->result->reroutes++;
		return false;
	}
	if (probe->sent)
		return false;
	*probe = (struct probe){
		.back = WEFT__NEVER,
		.dest = packet->dest,
		.route = other_route(s, *route - 1),
		.sent = true,
	};
	packet->route = probe->route;
	s->result->probes++;
	return true;
}

void weft__choose_probed(struct weft__sim *s, const struct weft__packet *p,
			 uint64_t time)
{
	struct probe *probe = &s->choose->probe[p->source];
	const struct weft__out *out =
		&s->out[s->f->first_injection + p->source];
	uint64_t empty = (uint64_t)p->hops * out->ahead + out->wire +
			 (uint64_t)p->bytes * out->byte;

	probe->back = time + empty;
	probe->fine =
		time - p->created <= empty + s->spec->patience * WEFT_SIM_TICKS;
}
