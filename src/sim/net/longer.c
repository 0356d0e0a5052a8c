// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: longer ways
 *
 * In a dragonfly a pair of groups has one cable or few, and traffic between two
 * groups needs others on the way: switches send a packet to a third group
 * first, as Valiant does always ("A scheme for fast parallel communication",
 * 1982), UGAL where the output of the short way has more packets, and PAR also
 * later, as long as the packet is in its first group (Kim, Dally, Scott, Abts,
 * "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008; Jiang,
 * Kim, Dally, "Indirect Adaptive Routing on Large Scale Interconnection
 * Networks", ISCA 2009).
 *
 * Short ways are those with the fewest cables between groups, of these the
 * shortest.  A packet takes a lane for each cable between groups that it has
 * passed, and one more once PAR has it leave the short way: in groups that are
 * full meshes a packet that holds a buffer then waits for one of a higher lane,
 * or for that of a cable between groups from one within a group of the same
 * lane, so that nobody waits in a circle.
 */
#include "sim/kernel/random.h"
#include "sim/net/net.h"

#include <errno.h>

#define FAR UINT32_MAX
#define BETWEEN 64u /* what a cable between groups costs, one within one */

/* Where a packet is on its way. */
struct way {
	uint32_t hops; /* that it had when it was last looked at */
	uint32_t via;  /* group that it goes to first, or WEFT_NONE */
	uint8_t passed, lane, port;
	bool short_way; /* so far; may change in the first group */
};

struct weft__longer {
	const uint32_t *group; /* [nsw] */
	uint32_t ngroups;
	unsigned words;	  /* of a set of ports */
	uint32_t nleaf;	  /* switches with endports */
	uint32_t *leaf;	  /* [nsw] number of a switch among these, or NONE */
	uint64_t *nearer; /* [nsw * (nleaf + ngroups) * words] ports nearer to
			   * that leaf, or group */
	struct way *way;  /* [npool] of each packet */
	uint64_t random;
};

/* A packet at a switch. */
struct place {
	struct weft__net *net;
	struct weft__packet *packet;
	struct way *way;
	uint32_t sw, home; /* where it is and is to leave */
	uint64_t now;
};

bool weft__paths_are_longer(enum weft_sim_paths paths)
{
	return paths >= WEFT_SIM_VALIANT;
}

unsigned weft__longer_lanes(enum weft_sim_paths paths)
{
	return !weft__paths_are_longer(paths) ? 1 :
	       paths == WEFT_SIM_PAR	      ? 4 :
						3;
}

int weft__longer_check(const struct weft_fabric *f,
		       const struct weft_sim_spec *spec, struct weft_diag *diag)
{
	uint32_t some = WEFT_NONE;
	bool several = false;

	if (!weft__paths_are_longer(spec->paths))
		return 0;
	if (spec->subnets || spec->switch_load > 0)
		return weft_fail(
			diag, EINVAL,
			"longer ways are of one subnet whose switches send nothing");
	for (uint32_t sw = 0; sw < f->nsw && spec->group; sw++) {
		if (spec->group[sw] == WEFT_NONE || spec->group[sw] >= f->nsw)
			return weft_fail(
				diag, EINVAL,
				"longer ways lead over groups, and switch '%s' is in none",
				f->sw[sw].name);
		several |= some != WEFT_NONE && spec->group[sw] != some;
		some = spec->group[sw];
	}
	if (!several)
		return weft_fail(
			diag, EINVAL,
			"longer ways lead over groups, as those of a dragonfly, and this fabric has none");
	return 0;
}

/* --- ports that are nearer ------------------------------------------------ */

/* Searches by what cables cost, from those whose cost is 0; queue[] has room
 * for the switches of a cost, in a list by next[]. */
struct search {
	const struct weft_fabric *f;
	const uint32_t *group;
	uint32_t *cost, *next; /* [nsw] */
	uint32_t first[8 * BETWEEN];
};

static uint32_t cost_of(const struct search *s, uint32_t a, uint32_t b)
{
	return s->group[a] == s->group[b] ? 1 : BETWEEN;
}

static void reach(struct search *s, uint32_t sw, uint32_t cost)
{
	if (cost >= s->cost[sw] || cost >= 8 * BETWEEN)
		return;
	/* One that was reached at a higher cost stays there in vain. */
	s->cost[sw] = cost;
	s->next[sw] = s->first[cost];
	s->first[cost] = sw;
}

static void search(struct search *s)
{
	for (uint32_t cost = 0; cost < 8 * BETWEEN; cost++)
		while (s->first[cost] != WEFT_NONE) {
			uint32_t sw = s->first[cost];

			s->first[cost] = s->next[sw];
			for (uint32_t i = s->f->adj_first[sw];
			     i < s->f->adj_first[sw + 1]; i++) {
				uint32_t to = s->f->peer[s->f->adj[i]];

				reach(s, to, cost + cost_of(s, sw, to));
			}
		}
}

static uint64_t *nearer(const struct weft__longer *l, uint32_t sw,
			uint32_t target)
{
	return &l->nearer[((size_t)sw * (l->nleaf + l->ngroups) + target) *
			  l->words];
}

/* Sets the ports nearer to a target, which is a switch or a group. */
static void set_nearer(const struct weft__longer *l, struct search *s,
		       uint32_t target, uint32_t leaf, uint32_t group)
{
	const struct weft_fabric *f = s->f;

	for (uint32_t sw = 0; sw < f->nsw; sw++)
		s->cost[sw] = FAR;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (sw == leaf || l->group[sw] == group)
			reach(s, sw, 0);
	search(s);
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		for (uint32_t i = f->adj_first[sw]; i < f->adj_first[sw + 1];
		     i++) {
			uint32_t ch = f->adj[i], to = f->peer[ch];
			unsigned port = ch - f->first_channel[sw];

			if (s->cost[to] != FAR &&
			    s->cost[to] + cost_of(s, sw, to) == s->cost[sw])
				nearer(l, sw, target)[port / 64] |=
					1ull << port % 64;
		}
}

static bool find_nearer(const struct weft__net *net, struct weft__longer *l,
			struct weft_arena *a)
{
	const struct weft_fabric *f = net->f;
	struct search s = { .f = f, .group = l->group };

	l->leaf = weft__arena_alloc(a, f->nsw, sizeof(*l->leaf));
	s.cost = weft__arena_alloc(a, f->nsw, sizeof(*s.cost));
	s.next = weft__arena_alloc(a, f->nsw, sizeof(*s.next));
	if (weft__arena_failed(a))
		return false;
	for (unsigned i = 0; i < 8 * BETWEEN; i++)
		s.first[i] = WEFT_NONE;
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		bool hosts = f->sw_ep_first[sw] != f->sw_ep_first[sw + 1];

		l->leaf[sw] = hosts ? l->nleaf++ : WEFT_NONE;
		if (l->group[sw] >= l->ngroups)
			l->ngroups = l->group[sw] + 1;
		while (f->sw[sw].nports >= l->words * 64)
			l->words++;
	}
	l->nearer =
		weft__arena_zalloc(a, (size_t)f->nsw * (l->nleaf + l->ngroups),
				   l->words * sizeof(*l->nearer));
	if (!l->nearer)
		return false;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (l->leaf[sw] != WEFT_NONE)
			set_nearer(l, &s, l->leaf[sw], sw, WEFT_NONE);
	for (uint32_t g = 0; g < l->ngroups; g++)
		set_nearer(l, &s, l->nleaf + g, WEFT_NONE, g);
	return true;
}

bool weft__longer_init(struct weft__net *net, struct weft_arena *arena)
{
	struct weft__longer *l;

	if (!weft__paths_are_longer(net->spec->paths))
		return true;
	l = net->longer = weft__arena_zalloc(arena, 1, sizeof(*l));
	if (!l)
		return false;
	l->group = net->spec->group;
	l->random = net->spec->seed;
	l->words = 1;
	l->way = weft__arena_alloc(arena, net->npool, sizeof(*l->way));
	net->waiting =
		weft__arena_zalloc(arena, net->nch, sizeof(*net->waiting));
	return l->way && net->waiting && find_nearer(net, l, arena);
}

/* --- queues --------------------------------------------------------------- */

/* Returns how many packets are at an output, in all of its lanes. */
static uint32_t packets_at(const struct place *p, uint32_t ch)
{
	struct weft__net *net = p->net;
	uint32_t most = weft__net_buffer(net, ch) / WEFT_SIM_BLOCK, blocks = 0;
	uint32_t packet = weft__net_blocks(net->spec->mtu + net->spec->header);

	for (unsigned vl = 0; vl < net->nvl; vl++)
		blocks += most - weft__credits(net, p->now, ch * net->nvl + vl);
	return net->waiting[ch] + (net->out[ch].busy > p->now) +
	       blocks / packet;
}

/* Returns the port of a switch nearer to a target at which the fewest packets
 * are, of several a random one; 0 if there is none. */
static uint8_t least_port(const struct place *p, uint32_t sw, uint32_t target)
{
	struct weft__longer *l = p->net->longer;
	const uint64_t *set = nearer(l, sw, target);
	uint32_t least = UINT32_MAX, ties = 0;
	uint8_t best = 0;

	for (unsigned w = 0; w < l->words; w++)
		for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
			unsigned port = w * 64 + __builtin_ctzll(bits);
			uint32_t ch = weft_channel(p->net->f, sw, port), n;

			if (p->net->out[ch].to == WEFT_NONE ||
			    p->net->out[ch].down)
				continue;
			n = packets_at(p, ch);
			if (n < least) {
				least = n;
				best = port;
				ties = 1;
			} else if (n == least && !weft__sim_random_below(
							 &l->random, ++ties)) {
				best = port;
			}
		}
	return best;
}

/* Returns how many packets are at the output towards a target: of this switch,
 * or of the cable that leaves the group. */
static uint32_t queue_to(const struct place *p, uint32_t target)
{
	const struct weft__longer *l = p->net->longer;
	bool far = p->net->spec->paths == WEFT_SIM_UGAL_G;
	uint32_t sw = p->sw, ch;

	for (uint32_t hops = 0; hops < p->net->f->nsw; hops++) {
		uint8_t port = least_port(p, sw, target);

		if (!port)
			break;
		ch = weft_channel(p->net->f, sw, port);
		if (!far || l->group[p->net->f->peer[ch]] != l->group[sw])
			return packets_at(p, ch);
		sw = p->net->f->peer[ch];
	}
	return UINT32_MAX / 4;
}

/* --- which way ------------------------------------------------------------ */

/* Draws a group that is neither a nor b; WEFT_NONE: there is none. */
static uint32_t draw_group(struct weft__longer *l, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a, g;

	if (l->ngroups < 3)
		return WEFT_NONE;
	g = weft__sim_random_below(&l->random, l->ngroups - 2);
	g += g >= low;
	return g + (g >= high);
}

/* Decides in a switch of the first group whether a packet leaves the short way,
 * and for which group. */
static void decide(const struct place *p)
{
	struct weft__longer *l = p->net->longer;
	const struct weft_sim_spec *spec = p->net->spec;
	uint32_t own = l->group[p->sw], to = l->group[p->home], via, target;
	bool first = p->packet->hops == 1;

	if (own == to)
		return;
	via = draw_group(l, own, to);
	if (via == WEFT_NONE)
		return;
	target = l->leaf[p->home];
	if (spec->paths != WEFT_SIM_VALIANT &&
	    queue_to(p, target) <= 2 * queue_to(p, l->nleaf + via) + spec->bias)
		return;
	p->way->via = via;
	p->way->short_way = false;
	p->way->lane += !first;
}

/* Notes that a packet has come into a switch. */
static void enter(const struct place *p, uint8_t in)
{
	const struct weft__longer *l = p->net->longer;
	const struct weft_fabric *f = p->net->f;
	struct way *way = p->way;
	uint32_t from;

	if (p->packet->hops == 1) {
		*way = (struct way){ .via = WEFT_NONE, .short_way = true };
		decide(p);
		return;
	}
	from = f->peer[weft_channel(f, p->sw, in)];
	if (l->group[from] != l->group[p->sw]) {
		way->passed++;
		way->lane++;
	}
	if (way->via == l->group[p->sw])
		way->via = WEFT_NONE;
	if (p->net->spec->paths == WEFT_SIM_PAR && way->short_way &&
	    !way->passed)
		decide(p);
}

void weft__longer_send(struct weft__net *net, uint32_t packet)
{
	net->longer->way[packet].hops = 0;
}

uint8_t weft__longer_port(struct weft__net *net, uint64_t now,
			  struct weft__packet *packet, uint8_t in, uint32_t sw,
			  uint8_t port)
{
	struct weft__longer *l = net->longer;
	uint32_t owner = weft_lid_owner(net->f, packet->lid);
	struct place p = { .net = net,
			   .packet = packet,
			   .way = &l->way[packet - net->packet],
			   .sw = sw,
			   .now = now };

	if (owner == WEFT_NONE)
		return port;
	if (p.way->hops == packet->hops)
		return p.way->port;
	p.home = weft_vertex_switch(net->f, owner);
	enter(&p, in);
	if (p.home != sw && l->leaf[p.home] != WEFT_NONE) {
		uint8_t best = least_port(&p, sw,
					  p.way->via != WEFT_NONE ?
						  l->nleaf + p.way->via :
						  l->leaf[p.home]);

		port = best ? best : port;
	}
	p.way->hops = packet->hops;
	p.way->port = port;
	return port;
}

uint8_t weft__longer_lane(const struct weft__net *net,
			  const struct weft__packet *packet)
{
	return net->longer->way[packet - net->packet].lane;
}
