// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the saturation of all-to-all traffic; see uniform.h. */
#include "worth/model/uniform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct uniform {
	const struct weft__paths *paths;
	const struct weft_fabric *f;
	const uint8_t *offset;
	uint64_t *load;		/* [first_injection] Mbit/s x (hosts - 1) */
	uint32_t *sends;	/* [nsw] hosts of a switch that send to the
				 * current row */
	uint64_t *much;		/* [nsw] Mbit/s that these hosts send
				 * together */
	uint32_t capacity;	/* of the destination that these two are for;
				 * UINT32_MAX: none yet */
	unsigned row;		/* the LID of it that they are for */
	uint8_t mask;		/* and the offsets of its LIDs */
	uint64_t lost;		/* units, weft__paths_unit() a pair */
	uint32_t *list;		/* [nsw] switches on routes to the current row,
				 * each behind those on its way */
	uint8_t *listed;	/* [nsw] */
	uint64_t *flow;		/* [nsw] what passes a switch towards it */
	double *part;		/* [nsw] what comes through from there; < 0: not
				 * known yet */
};

static uint32_t host_capacity(const struct uniform *u, uint32_t host)
{
	const struct weft_fabric *f = u->f;
	uint32_t known = f->capacity[f->first_injection +
				     u->paths->endport[host]];

	return known ? known : 1;
}

static bool sends_to(const struct uniform *u, uint32_t host, uint8_t mask,
		     unsigned row)
{
	return u->paths->spread || !u->offset ||
		(u->offset[u->paths->endport[host]] & mask) == row;
}

/* Counts what every switch's hosts send to a LID; the counts are the same for
 * most LIDs in a row. */
static void count_sources(struct uniform *u, uint32_t dest, unsigned row)
{
	uint32_t most = host_capacity(u, dest);
	uint8_t mask = u->paths->mask[dest];

	if (u->capacity == most && (u->row == row || u->paths->spread) &&
	    u->mask == mask)
		return;
	u->capacity = most;
	u->row = row;
	u->mask = mask;
	memset(u->sends, 0, u->f->nsw * sizeof(*u->sends));
	memset(u->much, 0, u->f->nsw * sizeof(*u->much));
	for (uint32_t h = 0; h < u->paths->nhosts; h++) {
		uint32_t own = host_capacity(u, h), s = u->paths->sw[h];

		if (!sends_to(u, h, mask, row))
			continue;
		u->sends[s]++;
		u->much[s] += own < most ? own : most;
	}
}

/* Returns how many units each host sends to one LID of a destination. */
static unsigned units(const struct uniform *u, uint32_t dest)
{
	return weft__paths_unit(u->paths) / weft__paths_parts(u->paths, dest);
}

/* Appends to the n switches that are listed those on the way from s that are
 * not, the nearest one to the goal first.  Returns how many there are then. */
static uint32_t list_way(struct uniform *u, const uint8_t *port, uint32_t s,
			 uint32_t n)
{
	const struct weft_fabric *f = u->f;
	uint32_t from = n;

	for (; !u->listed[s]; s = f->peer[weft_channel(f, s, port[s])]) {
		u->list[n++] = s;
		u->listed[s] = true;
		u->flow[s] = 0;
	}
	for (uint32_t to = n; from + 1 < to; ) {
		uint32_t farther = u->list[from];

		u->list[from++] = u->list[--to];
		u->list[to] = farther;
	}
	return n;
}

/* Loads the channels of listed switches, the farthest ones first. */
static void load_listed(struct uniform *u, const uint8_t *port, uint32_t n)
{
	const struct weft_fabric *f = u->f;

	while (n--) {
		uint32_t s = u->list[n];
		uint32_t ch = weft_channel(f, s, port[s]);

		u->load[ch] += u->flow[s];
		u->flow[f->peer[ch]] += u->flow[s];
		u->listed[s] = false;
	}
}

static void load_row(struct uniform *u, uint32_t dest, unsigned row)
{
	const struct weft_fabric *f = u->f;
	const uint8_t *port = weft__paths_row(u->paths, dest, row);
	uint32_t goal = u->paths->sw[dest], n = 0;
	unsigned size = units(u, dest);

	count_sources(u, dest, row);
	u->listed[goal] = true;
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!u->sends[s])
			continue;
		if (!weft__paths_reach(port, s)) {
			u->lost += (uint64_t)size * u->sends[s];
			/* except the destination itself, which needs no
			 * route */
			if (s == goal && sends_to(u, dest, u->mask, row))
				u->lost -= size;
			continue;
		}
		n = list_way(u, port, s, n);
		u->flow[s] += size * u->much[s];
	}
	load_listed(u, port, n);
	u->listed[goal] = false;
}

static double saturation(const struct uniform *u)
{
	double hosts = u->paths->nhosts, least = 1;
	double unit = weft__paths_unit(u->paths);

	for (uint32_t ch = 0; ch < u->f->first_injection; ch++) {
		double holds = u->f->capacity[ch] * (hosts - 1) * unit;

		if (u->load[ch] && holds / u->load[ch] < least)
			least = holds / u->load[ch];
	}
	return least * (1 - u->lost / (hosts * (hosts - 1) * unit));
}

/* Sums up what all channels between switches carry. */
static int load_all(struct uniform *u, const struct weft__paths *paths,
		    const uint8_t *offset)
{
	const struct weft_fabric *f = paths->fabric;

	*u = (struct uniform){
		.paths = paths, .f = f, .offset = offset,
		.capacity = UINT32_MAX,
		.load = calloc(f->first_injection + 1ull, sizeof(*u->load)),
		.sends = malloc((f->nsw + 1ull) * sizeof(*u->sends)),
		.much = malloc((f->nsw + 1ull) * sizeof(*u->much)),
		.list = malloc((f->nsw + 1ull) * sizeof(*u->list)),
		.listed = calloc(f->nsw + 1ull, 1),
		.flow = calloc(f->nsw + 1ull, sizeof(*u->flow)),
	};
	if (!u->load || !u->sends || !u->much || !u->list || !u->listed ||
	    !u->flow)
		return -ENOMEM;
	for (uint32_t h = 0; h < paths->nhosts; h++)
		for (unsigned row = 0; row <= paths->mask[h]; row++)
			load_row(u, h, row);
	return 0;
}

static void uniform_free(struct uniform *u)
{
	free(u->load);
	free(u->sends);
	free(u->much);
	free(u->list);
	free(u->listed);
	free(u->flow);
}

/* Returns the pairs without a route; those that lack a part of theirs count as
 * much. */
static uint64_t lost_pairs(const struct uniform *u)
{
	unsigned unit = weft__paths_unit(u->paths);

	return (u->lost + unit - 1) / unit;
}

int weft__uniform(const struct weft__paths *paths, const uint8_t *offset,
		  double *share, uint64_t *lost)
{
	struct uniform u;
	int err = load_all(&u, paths, offset);

	if (!err) {
		*share = saturation(&u);
		*lost = lost_pairs(&u);
	}
	uniform_free(&u);
	return err;
}

/* Returns the part of what is sent to a LID that its route lets through: what
 * its most crowded channel does. */
static double let_through(const struct uniform *u, uint32_t sw, uint32_t goal,
			  const uint8_t *port)
{
	const struct weft_fabric *f = u->f;
	double hosts = u->paths->nhosts, least = 1;

	if (!weft__paths_reach(port, sw))
		return 0;
	while (sw != goal) {
		uint32_t ch = weft_channel(f, sw, port[sw]);
		double part = f->capacity[ch] * (hosts - 1) *
			      weft__paths_unit(u->paths) / u->load[ch];

		if (part < least)
			least = part;
		sw = f->peer[ch];
	}
	return least;
}

/* Adds to each host what it gets through to a LID.  The hosts of a switch share
 * their route. */
static void add_row(struct uniform *u, uint32_t dest, unsigned row, double *got)
{
	const struct weft__paths *p = u->paths;
	const uint8_t *port = weft__paths_row(p, dest, row);
	double full = host_capacity(u, dest), *part = u->part;
	double size = (double)units(u, dest) / weft__paths_unit(p);

	for (uint32_t s = 0; s < u->f->nsw; s++)
		part[s] = -1;
	for (uint32_t h = 0; h < p->nhosts; h++) {
		double own = host_capacity(u, h);
		uint32_t s = p->sw[h];

		if (h == dest || !sends_to(u, h, p->mask[dest], row))
			continue;
		if (part[s] < 0)
			part[s] = let_through(u, s, p->sw[dest], port);
		got[h] += size * part[s] * (own < full ? 1 : full / own);
	}
}

/* Returns the most crowded channel of a route, and what it takes from what is
 * sent there; WEFT_NONE: nothing is taken. */
static uint32_t most_crowded(const struct uniform *u, uint32_t sw,
			     uint32_t goal, const uint8_t *port, double *taken)
{
	const struct weft_fabric *f = u->f;
	double hosts = u->paths->nhosts, least = 1;
	uint32_t channel = WEFT_NONE;

	while (weft__paths_reach(port, sw) && sw != goal) {
		uint32_t ch = weft_channel(f, sw, port[sw]);
		double part = f->capacity[ch] * (hosts - 1) *
			      weft__paths_unit(u->paths) / u->load[ch];

		if (part < least) {
			least = part;
			channel = ch;
		}
		sw = f->peer[ch];
	}
	*taken = 1 - least;
	return channel;
}

/* Lists the hosts of a switch, by their numbers in paths. */
static unsigned hosts_of(const struct uniform *u, uint32_t sw,
			 uint32_t host[WEFT_MAX_PORTS])
{
	const struct weft_fabric *f = u->f;
	unsigned n = 0;

	for (uint32_t i = f->sw_ep_first[sw]; i < f->sw_ep_first[sw + 1]; i++) {
		uint32_t h = weft__paths_host(u->paths, f->sw_endport[i]);

		if (h != WEFT_NONE)
			host[n++] = h;
	}
	return n;
}

/* Finds the channel that takes most from the hosts of a switch.  taken:
 * [first_injection] of zeros, which it leaves as it was. */
static uint32_t find_blame(struct uniform *u, uint32_t sw, double *taken,
			   uint32_t *touched)
{
	const struct weft__paths *p = u->paths;
	uint32_t worst = WEFT_NONE, n = 0, mine[WEFT_MAX_PORTS];
	unsigned nmine = hosts_of(u, sw, mine);

	for (uint32_t h = 0; nmine && h < p->nhosts; h++)
		for (unsigned row = 0; row <= p->mask[h]; row++) {
			unsigned sends = 0;
			double much;
			uint32_t ch;

			for (unsigned i = 0; i < nmine; i++)
				sends += sends_to(u, mine[i], p->mask[h], row);
			if (!sends)
				continue;
			ch = most_crowded(u, sw, p->sw[h],
					  weft__paths_row(p, h, row), &much);
			if (ch == WEFT_NONE)
				continue;
			if (taken[ch] == 0)
				touched[n++] = ch;
			taken[ch] += much * sends;
		}
	for (uint32_t i = 0; i < n; i++)
		if (worst == WEFT_NONE || taken[touched[i]] > taken[worst] ||
		    (taken[touched[i]] == taken[worst] && touched[i] < worst))
			worst = touched[i];
	for (uint32_t i = 0; i < n; i++)
		taken[touched[i]] = 0;
	return worst;
}

static int blame_all(struct uniform *u, uint32_t *blame)
{
	size_t n = u->f->first_injection + 1ull;
	double *taken = calloc(n, sizeof(*taken));
	uint32_t *touched = malloc(n * sizeof(*touched));
	int err = taken && touched ? 0 : -ENOMEM;

	for (uint32_t s = 0; !err && s < u->f->nsw; s++)
		blame[s] = u->f->sw_ep_first[s] == u->f->sw_ep_first[s + 1] ?
				   WEFT_NONE :
				   find_blame(u, s, taken, touched);
	free(taken);
	free(touched);
	return err;
}

int weft__uniform_hosts(const struct weft__paths *paths, const uint8_t *offset,
			double *got, uint32_t *blame, double *share,
			uint64_t *lost)
{
	struct uniform u;
	int err = load_all(&u, paths, offset);

	if (!err) {
		u.part = malloc((paths->fabric->nsw + 1ull) * sizeof(*u.part));
		err = u.part ? 0 : -ENOMEM;
	}
	memset(got, 0, paths->nhosts * sizeof(*got));
	for (uint32_t h = 0; !err && h < paths->nhosts; h++)
		for (unsigned row = 0; row <= paths->mask[h]; row++)
			add_row(&u, h, row, got);
	if (!err && blame)
		err = blame_all(&u, blame);
	if (!err) {
		for (uint32_t h = 0; h < paths->nhosts; h++)
			got[h] /= paths->nhosts > 1 ? paths->nhosts - 1 : 1;
		*share = saturation(&u);
		*lost = lost_pairs(&u);
	}
	free(u.part);
	uniform_free(&u);
	return err;
}
