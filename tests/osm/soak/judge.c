// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * judge [-h] DIR LMC LANES KIND HOSTS SWITCHES [BEFORE]: judges the tables that
 * opensm dumped into a directory, and what changed since those in another one;
 * -h: what switches send and are sent themselves is left aside.
 *
 * One line: what happened (KIND), hosts and switches seen and meant, pairs,
 * unreachable, looping, pairs of a switch and a LID that fail, lanes with a
 * credit loop, entries changed, those that had to, blocks, switches.
 * Exit status 1: something is wrong; 2: there is no whole dump.
 */
#include "dumps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verdict {
	unsigned long pairs, unreachable, looping;	/* hosts to LIDs of
							 * others */
	unsigned long switch_pairs;	/* switches to any LID that fail */
	unsigned cyclic;		/* lanes */
};

/* How the way from a switch to a LID ends. */
enum end { UNKNOWN, ARRIVES, DIES, LOOPS, UNDERWAY };

/* Who waits for whom: channel (switch, port, lane) to (next port, lane). */
struct waits {
	const struct dumps *d;
	unsigned ports;		/* the highest number, and one */
	uint8_t *bits;
};

/* A LID and the port that it is delivered by. */
struct target {
	unsigned lid;
	uint32_t sw;
	uint8_t port;
	uint32_t host;		/* or nhost */
};

static void *room(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p) {
		fputs("judge: out of memory\n", stderr);
		exit(99);
	}
	return p;
}

/* --- ways ------------------------------------------------------------ */

/* One step to a LID: the next switch, or nsw with *end set. */
static uint32_t step(const struct dumps *d, const struct target *t, uint32_t s,
		     enum end *end)
{
	uint8_t port = d->sw[s].lft[t->lid];

	if (s == t->sw && port == t->port)
		*end = ARRIVES;
	else if (port == NO_PORT || d->sw[s].port[port].far != TO_SWITCH)
		*end = DIES;
	else
		return d->sw[s].port[port].to;
	return d->nsw;
}

/* Finds how the ways of all switches to a LID end. */
static void follow(const struct dumps *d, const struct target *t, uint8_t *end,
		   uint32_t *path)
{
	memset(end, UNKNOWN, d->nsw);
	for (uint32_t from = 0; from < d->nsw; from++) {
		enum end how = UNKNOWN;
		uint32_t n = 0, s = from;

		while (s < d->nsw && end[s] == UNKNOWN) {
			end[s] = UNDERWAY;
			path[n++] = s;
			s = step(d, t, s, &how);
		}
		if (s < d->nsw)
			how = end[s] == UNDERWAY ? LOOPS : end[s];
		while (n)
			end[path[--n]] = how;
	}
}

/* --- credit loops ----------------------------------------------------- */

static size_t bit_of(const struct waits *w, uint32_t s, unsigned port,
		     unsigned lane, unsigned next, unsigned next_lane)
{
	return ((((size_t)s * w->ports + port) * SLS + lane) * w->ports +
		next) * SLS + next_lane;
}

static unsigned lane_of(const struct dumps *d, uint32_t s, unsigned in,
			unsigned out, unsigned sl)
{
	return d->sw[s].vl ? d->sw[s].vl[in][out][sl] : sl % d->lanes;
}

/* Adds the channels of a host's way; false: a lane of it drops packets. */
static bool add_way(struct waits *w, const struct target *t, uint32_t from)
{
	const struct dumps *d = w->d;
	const struct host *h = &d->host[from];
	unsigned sl = h->sl ? h->sl[t->lid] : 0;
	unsigned in = h->port, last = 0, last_lane = 0;
	uint32_t s = h->sw, before = d->nsw;

	while (s != t->sw || d->sw[s].lft[t->lid] != t->port) {
		unsigned out = d->sw[s].lft[t->lid];
		unsigned lane = lane_of(d, s, in, out, sl);

		if (lane >= SLS - 1)
			return false;
		if (before < d->nsw) {
			size_t bit = bit_of(w, before, last, last_lane, out,
					    lane);

			w->bits[bit / 8] |= 1 << bit % 8;
		}
		before = s;
		last = out;
		last_lane = lane;
		in = d->sw[s].port[out].far_port;
		s = d->sw[s].port[out].to;
	}
	return true;
}

/* Calls for the channels that one waits for: those it is the last to hold up
 * join the queue. */
static void release(const struct waits *w, uint32_t node, uint32_t *waiting,
		    uint32_t *queue, size_t *n, bool count)
{
	unsigned lane = node % SLS, port = node / SLS % w->ports;
	uint32_t s = node / SLS / w->ports;
	uint32_t to = w->d->sw[s].port[port].to;

	for (unsigned p = 1; p < w->ports; p++)
		for (unsigned l = 0; l < SLS; l++) {
			size_t bit = bit_of(w, s, port, lane, p, l);
			uint32_t next = (to * w->ports + p) * SLS + l;

			if (!(w->bits[bit / 8] >> bit % 8 & 1))
				continue;
			if (count)
				waiting[next]++;
			else if (!--waiting[next])
				queue[(*n)++] = next;
		}
}

static bool is_channel(const struct waits *w, uint32_t node)
{
	unsigned port = node / SLS % w->ports;

	return w->d->sw[node / SLS / w->ports].port[port].far == TO_SWITCH;
}

/* Returns how many lanes have channels that wait for themselves. */
static unsigned cyclic_lanes(const struct waits *w)
{
	size_t nodes = (size_t)w->d->nsw * w->ports * SLS, n = 0, i;
	uint32_t *waiting = room(nodes, sizeof(*waiting));
	uint32_t *queue = room(nodes, sizeof(*queue));
	unsigned lanes = 0, found = 0;

	for (i = 0; i < nodes; i++)
		if (is_channel(w, i))
			release(w, i, waiting, NULL, NULL, true);
	for (i = 0; i < nodes; i++)
		if (!waiting[i] && is_channel(w, i))
			queue[n++] = i;
	for (i = 0; i < n; i++)
		release(w, queue[i], waiting, queue, &n, false);
	for (i = 0; i < nodes; i++)
		if (waiting[i])
			lanes |= 1u << i % SLS;
	for (; lanes; lanes &= lanes - 1)
		found++;
	free(waiting);
	free(queue);
	return found;
}

/* --- all ------------------------------------------------------------ */

static uint32_t list_targets(const struct dumps *d, unsigned lmc,
			     struct target *t)
{
	uint32_t n = 0;

	for (uint32_t h = 0; h < d->nhost; h++)
		for (unsigned i = 0; d->host[h].lid && i < 1u << lmc; i++)
			t[n++] = (struct target){ d->host[h].lid + i,
						  d->host[h].sw,
						  d->host[h].port, h };
	for (uint32_t s = 0; s < d->nsw; s++)
		if (d->sw[s].lid)
			t[n++] = (struct target){ d->sw[s].lid, s, 0,
						  d->nhost };
	return n;
}

static void judge_target(const struct dumps *d, const struct target *t,
			 const uint8_t *end, struct waits *w, struct verdict *v)
{
	for (uint32_t s = 0; s < d->nsw; s++)
		v->switch_pairs += end[s] != ARRIVES;
	for (uint32_t h = 0; h < d->nhost && t->host < d->nhost; h++) {
		if (h == t->host)
			continue;
		v->pairs++;
		v->looping += end[d->host[h].sw] == LOOPS;
		v->unreachable += end[d->host[h].sw] == DIES ||
				  (end[d->host[h].sw] == ARRIVES &&
				   !add_way(w, t, h));
	}
}

static struct verdict judge(const struct dumps *d, unsigned lmc)
{
	struct target *t = room(((size_t)d->nhost << lmc) + d->nsw,
				sizeof(*t));
	uint8_t *end = room(d->nsw, 1);
	uint32_t *path = room(d->nsw, sizeof(*path));
	struct waits w = { .d = d, .ports = 1 };
	struct verdict v = { 0 };
	uint32_t n = list_targets(d, lmc, t);

	for (uint32_t s = 0; s < d->nsw; s++)
		if (d->sw[s].nports >= w.ports)
			w.ports = d->sw[s].nports + 1;
	w.bits = room((size_t)d->nsw * w.ports * SLS * w.ports * SLS / 8, 1);
	for (uint32_t i = 0; i < n; i++) {
		follow(d, &t[i], end, path);
		judge_target(d, &t[i], end, &w, &v);
	}
	v.cyclic = cyclic_lanes(&w);
	free(w.bits);
	free(path);
	free(end);
	free(t);
	return v;
}

int main(int argc, char **argv)
{
	struct dumps now, was;
	struct changes c = { 0 };
	unsigned long hosts, switches;
	unsigned lmc;
	struct verdict v;
	bool hosts_only = argc > 1 && !strcmp(argv[1], "-h");

	argc -= hosts_only;
	argv += hosts_only;
	if (argc < 7) {
		fputs("usage: judge [-h] DIR LMC LANES KIND HOSTS SWITCHES [BEFORE]\n",
		      stderr);
		return 99;
	}
	lmc = strtoul(argv[2], NULL, 10);
	hosts = strtoul(argv[5], NULL, 10);
	switches = strtoul(argv[6], NULL, 10);
	if (!dumps_read(&now, argv[1], atoi(argv[3])))
		return 2;
	v = judge(&now, lmc);
	if (hosts_only)
		v.switch_pairs = 0;
	if (argc > 7 && dumps_read(&was, argv[7], false)) {
		changes_count(&was, &now, lmc, &c);
		dumps_free(&was);
	}
	printf("%s %u %lu %u %lu %lu %lu %lu %lu %u %lu %lu %lu %lu\n", argv[4],
	       now.nhost, hosts, now.nsw, switches, v.pairs, v.unreachable,
	       v.looping, v.switch_pairs, v.cyclic, c.entries, c.dead,
	       c.blocks, c.switches);
	hosts -= now.nhost;
	switches -= now.nsw;
	dumps_free(&now);
	return hosts || switches || v.unreachable || v.looping ||
	       v.switch_pairs || v.cyclic;
}
