// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Who uses a part; see weft_through_find().
 *
 * The routes to a LID form a tree, and those from the switches below a channel
 * take it.  Whether a switch is below is found once for each LID, by following
 * the tables until one is met of which that is known.
 */
#include "core/grow.h"

#include <weft/faults.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum state { UNKNOWN, NOT, PASSES };

struct search {
	const struct weft_fabric *f;
	const struct weft_routes *routes;
	bool all_hosts;
	uint32_t sw;	     /* the switch, WEFT_NONE: a cable */
	uint32_t channel[2]; /* of the cable, both directions */
	uint8_t *state;	     /* [nsw] enum state, for one LID */
	uint32_t *path;	     /* [nsw] */
	struct weft_through *out;
	size_t room, source_room;
};

static bool counts(const struct search *s, uint32_t e)
{
	return weft_endport_is_host(&s->f->ep[e], s->all_hosts);
}

/* Whether a packet that is at a switch and leaves it by ch uses the part. */
static bool uses(const struct search *s, uint32_t sw, uint32_t ch)
{
	return sw == s->sw || (ch != WEFT_NONE &&
			       (ch == s->channel[0] || ch == s->channel[1]));
}

/* Whether the route from sw passes the part; marks all switches on its way. */
static bool passes(struct search *s, uint32_t sw, unsigned lid)
{
	uint8_t outcome = NOT;
	uint32_t n = 0;

	while (s->state[sw] == UNKNOWN) {
		unsigned port = weft_lft_get(&s->routes->lft, sw, lid);
		uint32_t ch = WEFT_NONE, peer = WEFT_NONE;

		if (port && port <= s->f->sw[sw].nports) {
			ch = weft_channel(s->f, sw, port);
			peer = s->f->peer[ch];
		}
		s->state[sw] = uses(s, sw, ch) ? PASSES : NOT;
		s->path[n++] = sw;
		if (s->state[sw] == PASSES || peer == WEFT_NONE ||
		    !weft_is_switch(peer))
			break;
		sw = peer;
	}
	if (s->state[sw] == PASSES)
		outcome = PASSES;
	while (n)
		s->state[s->path[--n]] = outcome;
	return outcome == PASSES;
}

/* Whether the host's own cable is the part: all that it sends uses it. */
static bool is_own(const struct search *s, uint32_t e)
{
	uint32_t ch = s->f->first_injection + e;

	return ch == s->channel[0] || ch == s->channel[1];
}

static bool sends(const struct search *s, uint32_t e, uint32_t owner,
		  unsigned lid)
{
	if (!counts(s, e))
		return false;
	if (weft_is_switch(owner))
		return true;
	return e != (owner & ~WEFT_ENDPORT) &&
	       weft_routes_lid(s->f, s->routes, e, owner & ~WEFT_ENDPORT) ==
		       lid;
}

static bool add_source(struct search *s, uint32_t e)
{
	struct weft_through *out = s->out;

	if (weft__grow(&out->source, &s->source_room, out->nsources + 1ull))
		return false;
	out->source[out->nsources++] = e;
	return true;
}

/* The direction in which packets to a LID take the cable. */
static unsigned direction(const struct search *s, unsigned lid)
{
	for (unsigned i = 0; i < 2 && s->sw == WEFT_NONE; i++) {
		uint32_t from = weft_channel_switch(s->f, s->channel[i]);

		if (from != WEFT_NONE &&
		    weft_lft_get(&s->routes->lft, from, lid) ==
			    s->channel[i] - s->f->first_channel[from])
			return i;
	}
	/* what a host sends by its own cable */
	return s->channel[0] < s->f->first_injection;
}

static bool add_lid(struct search *s, uint32_t owner, unsigned lid)
{
	const struct weft_fabric *f = s->f;
	struct weft_through *out = s->out;
	struct weft_through_lid one = {
		.lid = lid,
		.dest = owner,
		.first = out->nsources,
	};

	memset(s->state, UNKNOWN, f->nsw);
	for (uint32_t e = 0; e < f->nep; e++)
		if (sends(s, e, owner, lid) &&
		    (is_own(s, e) || passes(s, f->ep[e].sw, lid)) &&
		    !add_source(s, e))
			return false;
	one.n = out->nsources - one.first;
	if (!one.n)
		return true;
	if (weft__grow(&out->lid, &s->room, out->nlids + 1ull))
		return false;
	one.direction = direction(s, lid);
	if (weft_is_endport(owner))
		out->pairs += one.n;
	out->lid[out->nlids++] = one;
	return true;
}

static bool find_all(struct search *s)
{
	for (uint32_t lid = 1; lid <= s->f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(s->f, lid);

		if (owner == WEFT_NONE || (weft_is_endport(owner) &&
					   !counts(s, owner & ~WEFT_ENDPORT)))
			continue;
		if (!add_lid(s, owner, lid))
			return false;
	}
	return true;
}

int weft_through_find(const struct weft_fabric *f,
		      const struct weft_routes *routes, uint32_t part,
		      bool all_hosts, struct weft_through *out)
{
	size_t n = f->nsw + (size_t)1;
	struct weft_through x = { .pairs = 0 };
	struct search s = {
		.f = f,
		.routes = routes,
		.all_hosts = all_hosts,
		.sw = WEFT_NONE,
		.channel = { WEFT_NONE, WEFT_NONE },
		.state = malloc(n),
		.path = malloc(n * sizeof(*s.path)),
		.out = &x,
	};
	bool ok;

	if (part & WEFT_PART_SWITCH) {
		s.sw = part & ~WEFT_PART_SWITCH;
	} else {
		s.channel[0] = part;
		s.channel[1] = f->reverse[part];
	}
	x.channel[0] = s.channel[0];
	x.channel[1] = s.channel[1];
	ok = s.state && s.path && find_all(&s);
	free(s.state);
	free(s.path);
	if (!ok) {
		weft_through_free(&x);
		return -ENOMEM;
	}
	*out = x;
	return 0;
}

void weft_through_free(struct weft_through *x)
{
	free(x->lid);
	free(x->source);
	*x = (struct weft_through){ .pairs = 0 };
}
