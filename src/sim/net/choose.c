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
 * Hosts choose among routes of a pair: route k goes by the port number (k + a
 * number drawn for the pair and the hop) of those that are equal.  Which one a
 * packet takes is told in host/probing.c.
 */
#include "graph/bfs.h"
#include "sim/kernel/random.h"
#include "sim/net/net.h"

#define FLOWLETS 4096u /* of a switch that it remembers */

/* What a switch remembers of a flow. */
struct flowlet {
	uint64_t last; /* when its last packet went */
	uint32_t source, dest;
	uint8_t port;
};

struct weft__choose {
	unsigned words;	 /* of a set of ports */
	uint32_t nleaf;	 /* switches with endports, and beside routers */
	uint32_t *leaf;	 /* [nsw] number of a switch among these, or NONE */
	uint64_t *equal; /* [nsw * nleaf * words] ports nearer to that leaf */
	uint32_t *home;	 /* [nparts * (max_lid + 1)] switch that a LID of a part
			  * hangs on, WEFT_NONE; NULL: one subnet */
	struct flowlet *flowlet; /* [nsw * FLOWLETS] */
	uint32_t packet;	 /* blocks of a whole packet */
	uint64_t random;
};

/* --- equal ports ---------------------------------------------------------- */

static const uint64_t *equal_ports(const struct weft__net *net, uint32_t sw,
				   uint32_t leaf)
{
	const struct weft__choose *p = net->choose;

	return &p->equal[((size_t)sw * p->nleaf + leaf) * p->words];
}

/* Sets the ports of all switches that are nearer to a leaf. */
static void set_nearer(const struct weft__net *net, uint32_t leaf,
		       const uint16_t *hops)
{
	const struct weft_fabric *f = net->f;

	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		uint64_t *set = (uint64_t *)equal_ports(net, sw, leaf);

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
static uint32_t number_leaves(const struct weft__net *net, uint32_t *leaf)
{
	const struct weft_fabric *f = net->f;
	uint32_t n = 0;

	for (uint32_t sw = 0; sw < f->nsw; sw++)
		leaf[sw] = WEFT_NONE;
	for (uint32_t ep = 0; ep < f->nep; ep++)
		leaf[f->ep[ep].sw] = 0;
	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		if (weft__net_to_router(net, ch))
			leaf[net->out[ch].sw] = 0;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (leaf[sw] != WEFT_NONE)
			leaf[sw] = n++;
	return n;
}

/* Whether a table has a packet leave the switches of a part by a port: to a
 * host, or a router. */
static bool leaves_part(const struct weft__net *net, uint32_t sw, uint8_t port)
{
	uint32_t ch;

	if (!port || port > net->f->sw[sw].nports)
		return false;
	ch = weft_channel(net->f, sw, port);
	return net->f->peer[ch] != WEFT_NONE &&
	       (weft_is_endport(net->f->peer[ch]) ||
		weft__net_to_router(net, ch));
}

/* Finds by the tables where the LIDs of hosts and of routers' ports are. */
static bool find_homes(struct weft__net *net, struct weft_arena *arena)
{
	const struct weft_lft *lft = &net->r->lft;
	size_t row = lft->max_lid + 1ull, n = net->nparts * row;
	uint32_t *home = weft__arena_alloc(arena, n, sizeof(*home));

	net->choose->home = home;
	for (size_t i = 0; i < n && home; i++)
		home[i] = WEFT_NONE;
	for (uint32_t sw = 0; sw < net->f->nsw && home; sw++)
		for (uint32_t lid = 1; lid < row; lid++)
			if (net->part[sw] != WEFT_NONE &&
			    leaves_part(net, sw, weft_lft_get(lft, sw, lid)))
				home[net->part[sw] * row + lid] = sw;
	return home;
}

/* Returns the switch that a packet leaves the switches of its part by, or
 * WEFT_NONE. */
static uint32_t home_of(const struct weft__net *net, uint32_t sw, uint16_t lid)
{
	size_t row = net->r->lft.max_lid + 1ull;
	uint32_t owner;

	if (net->choose->home)
		return lid < row ?
			       net->choose->home[net->part[sw] * row + lid] :
			       WEFT_NONE;
	owner = weft_lid_owner(net->f, lid);
	return owner == WEFT_NONE ? WEFT_NONE :
				    weft_vertex_switch(net->f, owner);
}

static bool find_equal(struct weft__net *net, struct weft_arena *arena)
{
	const struct weft_sim_subnets *subnets = net->spec->subnets;
	const struct weft_fabric *f = net->f;
	struct weft__choose *p = net->choose;
	uint16_t *hops = weft__arena_alloc(arena, f->nsw, sizeof(*hops));
	uint32_t *order = weft__arena_alloc(arena, f->nsw, sizeof(*order));

	p->leaf = weft__arena_alloc(arena, f->nsw, sizeof(*p->leaf));
	if (weft__arena_failed(arena))
		return false;
	p->nleaf = number_leaves(net, p->leaf);
	p->words = 1;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		while (f->sw[sw].nports >= p->words * 64)
			p->words++;
	p->equal = weft__arena_zalloc(arena, (size_t)f->nsw * p->nleaf,
				      p->words * sizeof(*p->equal));
	if (!p->equal)
		return false;
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		if (p->leaf[sw] == WEFT_NONE)
			continue;
		weft__bfs_around(f, sw, subnets ? subnets->is_router : NULL,
				 hops, order);
		set_nearer(net, p->leaf[sw], hops);
	}
	return true;
}

bool weft__choose_init(struct weft__net *net, struct weft_arena *arena)
{
	const struct weft_sim_spec *spec = net->spec;
	struct weft__choose *p;

	if (spec->paths == WEFT_SIM_TABLES ||
	    weft__paths_are_longer(spec->paths))
		return true;
	p = net->choose = weft__arena_zalloc(arena, 1, sizeof(*p));
	if (!p || !find_equal(net, arena) ||
	    (spec->subnets && !find_homes(net, arena)))
		return false;
	p->packet = weft__net_blocks(spec->mtu + spec->header);
	p->random = spec->seed;
	if (weft__hosts_choose(spec))
		return true;
	net->waiting =
		weft__arena_zalloc(arena, net->nch, sizeof(*net->waiting));
	if (spec->paths == WEFT_SIM_FLOWLETS)
		p->flowlet = weft__arena_zalloc(arena,
						(size_t)net->f->nsw * FLOWLETS,
						sizeof(*p->flowlet));
	return net->waiting && (spec->paths != WEFT_SIM_FLOWLETS || p->flowlet);
}

/* --- what switches choose ------------------------------------------------- */

/* A packet at a switch, and the ports that it may leave by. */
struct choice {
	const struct weft__packet *packet;
	uint32_t sw;
	uint8_t in;
	const uint64_t *set;
	uint64_t now;
};

/* Returns how many packets are at an output. */
static uint32_t packets_at(struct weft__net *net, const struct choice *c,
			   unsigned port)
{
	uint32_t ch = weft_channel(net->f, c->sw, port);
	unsigned vl = weft__net_lane(net, c->sw, c->in, port, c->packet->sl);
	uint32_t blocks = weft__net_buffer(net, ch) / WEFT_SIM_BLOCK;

	if (vl >= net->nvl)
		return UINT32_MAX;
	blocks -= weft__credits(net, c->now, ch * net->nvl + vl);
	return net->waiting[ch] + (net->out[ch].busy > c->now) +
	       blocks / net->choose->packet;
}

/* Returns the port at which the fewest packets are, 0 if there is none. */
static uint8_t least_port(struct weft__net *net, const struct choice *c)
{
	bool draw = net->spec->paths == WEFT_SIM_RANDOM_LEAST;
	uint32_t least = UINT32_MAX, ties = 0;
	uint8_t best = 0;

	for (unsigned w = 0; w < net->choose->words; w++)
		for (uint64_t bits = c->set[w]; bits; bits &= bits - 1) {
			unsigned port = w * 64 + __builtin_ctzll(bits);
			uint32_t ch = weft_channel(net->f, c->sw, port), n;

			if (net->out[ch].to == WEFT_NONE || net->out[ch].down)
				continue;
			n = packets_at(net, c, port);
			if (n < least) {
				least = n;
				best = port;
				ties = 1;
			} else if (draw && n == least &&
				   !weft__sim_random_below(&net->choose->random,
							   ++ties)) {
				best = port;
			}
		}
	return best;
}

/* Returns the port of the flow that the packet is of. */
static uint8_t flowlet_port(struct weft__net *net, const struct choice *c)
{
	const struct weft__packet *p = c->packet;
	uint32_t mix = (p->source * 2654435761u ^ p->dest) * 2246822519u;
	struct flowlet *flow =
		&net->choose->flowlet[(size_t)c->sw * FLOWLETS +
				      mix / (UINT32_MAX / FLOWLETS + 1)];
	bool same = flow->source == p->source && flow->dest == p->dest &&
		    flow->port;
	uint64_t gap = net->spec->flowlet * WEFT_SIM_TICKS;

	if (!same || c->now - flow->last > gap)
		flow->port = least_port(net, c);
	flow->source = p->source;
	flow->dest = p->dest;
	flow->last = c->now;
	return flow->port;
}

/* --- routes of hosts ------------------------------------------------------ */

/* Returns the port of a route, of n that are equal. */
static uint8_t route_port(const struct choice *c, uint32_t n)
{
	const struct weft__packet *p = c->packet;
	uint64_t mix = ((uint64_t)p->source << 32 | p->dest) + p->hops;
	uint32_t at = (weft__sim_random_below(&mix, n) + p->route) % n;
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
static void start_probe(const struct weft__net *net, uint64_t now,
			struct weft__packet *p)
{
	p->created = now - net->out[net->f->first_injection + p->source].ahead;
}

uint8_t weft__choose_port(struct weft__net *net, uint64_t now,
			  struct weft__packet *p, uint8_t in, uint32_t sw,
			  uint8_t port)
{
	uint32_t home = home_of(net, sw, p->lid), leaf, n = 0;
	struct choice c = { p, sw, in, NULL, now };

	if (home == WEFT_NONE || home == sw)
		return port;
	leaf = net->choose->leaf[home];
	if (leaf == WEFT_NONE)
		return port;
	c.set = equal_ports(net, sw, leaf);
	for (unsigned w = 0; w < net->choose->words; w++)
		n += __builtin_popcountll(c.set[w]);
	if (n < 2)
		return port;
	if (p->probe && p->hops == 1)
		start_probe(net, now, p);
	if (weft__hosts_choose(net->spec))
		return route_port(&c, n);
	n = net->choose->flowlet ? flowlet_port(net, &c) : least_port(net, &c);
	return n ? n : port;
}
