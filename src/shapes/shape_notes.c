// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is unlike the rest in a fabric of any shape. */
#include "shapes/shape.h"

#include "core/arena.h"
#include "core/text/words.h"
#include "graph/entries.h"

#include <errno.h>
#include <weft/diag.h>

/* How many of n values are that one. */
static uint32_t count_equal(const uint32_t *value, uint32_t n, uint32_t equal)
{
	uint32_t same = 0;

	for (uint32_t i = 0; i < n; i++)
		same += value[i] == equal;
	return same;
}

/* Hosts of each switch that has some, against what most have; a number that a
 * quarter of them has is nothing to tell. */
static int note_hosts(struct weft__shape_job *j)
{
	const struct weft_fabric *f = j->f;
	uint32_t *hosts = weft__arena_alloc(j->arena, f->nsw, sizeof(*hosts));
	uint32_t n = 0, usual;

	if (!hosts)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (!j->level[s] && weft__hosts_on(f, s, false))
			hosts[n++] = weft__hosts_on(f, s, false);
	usual = weft__shape_usual(hosts, n, j->arena);
	for (uint32_t s = 0; s < f->nsw && n > 2; s++) {
		uint32_t here = weft__hosts_on(f, s, false);

		if (!j->level[s] && here != usual &&
		    4 * count_equal(hosts, n, here) < n)
			weft__shape_note(
				j, WEFT__NOTE_HOSTS, s,
				weft__shape_off(here, usual),
				"%s: %s, most have %u",
				WEFT__SHAPE_NAMED(j, s),
				here ? WEFT_COUNT(here, "host") : "no hosts",
				usual);
	}
	weft__shape_notes_end(j, WEFT__NOTE_HOSTS, "more such switch");
	return 0;
}

/* What cables are compared with: those between the same levels, or to hosts. */
static uint32_t class_of(const struct weft__shape_job *j, uint32_t s,
			 uint32_t ch)
{
	uint32_t peer = j->f->peer[ch];
	unsigned a = j->level[s], b;

	if (!weft_is_switch(peer))
		return a;
	b = j->level[peer];
	return (a < b ? a * WEFT_SHAPE_LEVELS + b : b * WEFT_SHAPE_LEVELS + a) +
	       WEFT_SHAPE_LEVELS;
}

static uint32_t rate_of(const struct weft_fabric *f, uint32_t ch)
{
	return (uint32_t)f->width[ch] << 8 | f->speed[ch];
}

static void note_rate(struct weft__shape_job *j, uint32_t s, unsigned port,
		      uint32_t usual)
{
	const struct weft_fabric *f = j->f;
	uint32_t ch = weft_channel(f, s, port), peer = f->peer[ch];
	const char *to = weft_is_switch(peer) ?
				 WEFT__SHAPE_NAMED(j, peer) :
				 WEFT__SHAPE_NAMED_PORT(
					 j, peer & ~WEFT_ENDPORT);

	weft__shape_note(j, WEFT__NOTE_RATE, s,
			 weft__shape_off(f->capacity[ch],
					 weft_speed_capacity(usual >> 8,
							     usual & 0xff)),
			 "%s:%u - %s:%u: %s, most such cables are %s",
			 WEFT__SHAPE_NAMED(j, s), port, to, f->peer_port[ch],
			 WEFT__RATE(f->width[ch], f->speed[ch]),
			 WEFT__RATE(usual >> 8, usual & 0xff));
}

/* Calls with each cable once, from the end with the lower channel. */
static void each_cable(struct weft__shape_job *j,
		       void (*call)(struct weft__shape_job *j, uint32_t s,
				    unsigned port, void *context),
		       void *context)
{
	const struct weft_fabric *f = j->f;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);

			if (f->peer[ch] != WEFT_NONE && f->reverse[ch] > ch)
				call(j, s, p, context);
		}
}

/* The rates of the cables of each class. */
struct rates {
	uint32_t *rate[WEFT_SHAPE_LEVELS * (WEFT_SHAPE_LEVELS + 1)];
	uint32_t n[WEFT_SHAPE_LEVELS * (WEFT_SHAPE_LEVELS + 1)];
	uint32_t usual[WEFT_SHAPE_LEVELS * (WEFT_SHAPE_LEVELS + 1)];
};
#define NCLASSES (WEFT_SHAPE_LEVELS * (WEFT_SHAPE_LEVELS + 1))

static void count_rate(struct weft__shape_job *j, uint32_t s, unsigned port,
		       void *context)
{
	struct rates *r = context;
	uint32_t ch = weft_channel(j->f, s, port), c = class_of(j, s, ch);

	if (c >= NCLASSES)
		return;
	if (r->rate[c])
		r->rate[c][r->n[c]] = rate_of(j->f, ch);
	r->n[c]++;
}

static void compare_rate(struct weft__shape_job *j, uint32_t s, unsigned port,
			 void *context)
{
	const struct rates *r = context;
	uint32_t ch = weft_channel(j->f, s, port), c = class_of(j, s, ch);

	if (c < NCLASSES && rate_of(j->f, ch) != r->usual[c])
		note_rate(j, s, port, r->usual[c]);
}

static int note_rates(struct weft__shape_job *j)
{
	struct rates r = { .n = { 0 } };

	each_cable(j, count_rate, &r);
	for (unsigned c = 0; c < NCLASSES; c++) {
		if (!r.n[c])
			continue;
		r.rate[c] =
			weft__arena_alloc(j->arena, r.n[c], sizeof(*r.rate[c]));
		if (!r.rate[c])
			return -ENOMEM;
		r.n[c] = 0;
	}
	each_cable(j, count_rate, &r);
	for (unsigned c = 0; c < NCLASSES; c++)
		r.usual[c] = weft__shape_usual(r.rate[c], r.n[c], j->arena);
	each_cable(j, compare_rate, &r);
	weft__shape_notes_end(j, WEFT__NOTE_RATE, "more cable at another rate");
	return 0;
}

static void note_loop(struct weft__shape_job *j, uint32_t s, unsigned port,
		      void *context)
{
	uint32_t ch = weft_channel(j->f, s, port);

	(void)context;
	if (j->f->peer[ch] == s)
		weft__shape_note(j, WEFT__NOTE_LOOPED, s, 0,
				 "%s: a cable from port %u back to port %u",
				 WEFT__SHAPE_NAMED(j, s), port,
				 j->f->peer_port[ch]);
}

/* Nodes with several cabled ports, in one line. */
static void note_ports(struct weft__shape_job *j)
{
	const struct weft_fabric *f = j->f;
	uint32_t n = 0, first = 0;

	for (uint32_t i = 0; i < f->nnodes; i++)
		if (f->node[i].nendports > 1 && !n++)
			first = i;
	if (n && n < f->nnodes)
		weft__shape_note(j, WEFT__NOTE_PORTS, WEFT_NONE, 0,
				 "%s with several cabled ports, the others have one; first: %.90s",
				 WEFT_COUNT(n, "node"), f->node[first].name);
}

int weft__shape_note_all(struct weft__shape_job *j)
{
	int err = note_hosts(j);

	if (!err)
		err = note_rates(j);
	each_cable(j, note_loop, NULL);
	weft__shape_notes_end(j, WEFT__NOTE_LOOPED, "more such cable");
	note_ports(j);
	return err;
}
