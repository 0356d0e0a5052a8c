// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Keeps examples of defects.
 *
 * The counts come from trees and name no source.  When a tree adds to a kind
 * that still has room for examples, the routes of all sources to that LID are
 * walked one by one, in ascending order.  Each such pass keeps at least one
 * example, so that there are few passes, however many defects there are.
 */
#include "proof/run.h"

#include <weft/planes.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Pairs apart are no examples of anything where machines join the parts. */
static bool has_room(const struct weft__proof_run *r, unsigned kind)
{
	return (kind != WEFT_FIND_APART || !r->out->by_machines) &&
	       r->kept[kind] < r->spec->max_examples;
}

static void keep_example(struct weft__proof_run *r,
			 const struct weft_finding *x)
{
	if (has_room(r, x->kind))
		r->example[(size_t)x->kind * r->spec->max_examples +
			   r->kept[x->kind]++] = *x;
}

/* Returns the switch whose channel is number i on the way of finding x. */
static uint32_t nth_switch(const struct weft__proof_run *r,
			   const struct weft_finding *x, size_t i)
{
	return i ? r->fabric->peer[r->path[i - 1]] :
		weft_vertex_switch(r->fabric, x->source);
}

/* Returns the place on the way where a switch discards the packet, or n if none
 * does. */
static size_t drop_at(const struct weft__proof_run *r,
		      const struct weft_finding *x, size_t n)
{
	const struct weft_fabric *f = r->fabric;
	unsigned in = weft_is_switch(x->source) ? 0 :
		f->ep[x->source & ~WEFT_ENDPORT].sw_port;

	for (size_t i = 0; i < n; i++) {
		uint32_t ch = r->path[i], sw = nth_switch(r, x, i);

		if (ch == WEFT_NONE || (ch != f->first_channel[sw] &&
					f->peer[ch] == WEFT_NONE))
			break;
		if (weft_layers_vl(&r->routes->layers, f, sw, in,
				   ch - f->first_channel[sw],
				   x->sl) % WEFT_NSL == WEFT_VL_DROP)
			return i;
		in = f->peer_port[ch];
	}
	return n;
}

/* Returns the place where a way of n channels, which must close the loop,
 * enters it. */
static size_t loop_at(const struct weft__proof_run *r, size_t n)
{
	size_t period = 1, i = 0;

	while (r->path[n - 1 - period] != r->path[n - 1])
		period++;
	while (r->path[i] != r->path[i + period])
		i++;
	return i;
}

/* Returns the first place on a way where it comes no nearer. */
static size_t detour_at(const struct weft__proof_run *r,
			const struct weft_finding *x)
{
	const uint32_t *cables = r->tree.cables;
	size_t i = 0;

	while (cables[nth_switch(r, x, i + 1)] + 1 ==
	       cables[nth_switch(r, x, i)])
		i++;
	return i;
}

/* Walks the route of x->source and says what is wrong with it, and where.
 * Returns false if nothing is. */
static bool examine(struct weft__proof_run *r, struct weft_finding *x)
{
	uint32_t home = weft_vertex_switch(r->fabric, x->source);
	size_t n, i;
	enum weft_walk_end end = weft_lft_walk(
		r->fabric, &r->routes->lft, home, x->lid,
		(struct weft_walk_path){ r->path, r->fabric->nsw + 1ull }, &n);

	i = drop_at(r, x, n);
	if (i < n) {
		x->kind = WEFT_FIND_DROPPED;
	} else if (end == WEFT_LOOP) {
		x->kind = WEFT_FIND_LOOP;
		i = loop_at(r, n);
	} else if (end != WEFT_ARRIVED) {
		x->kind = weft__kind_of(r, end, home);
		i = n - 1;
	} else if (r->tree.cables && n > r->tree.cables[home] + 1) {
		x->kind = WEFT_FIND_NONMINIMAL;
		x->hops = n;
		x->minimum = r->tree.cables[home] + 1;
		i = detour_at(r, x);
	} else {
		return false;
	}
	x->sw = nth_switch(r, x, i);
	x->port = weft_lft_get(&r->routes->lft, x->sw, x->lid);
	return true;
}

/* Returns vertex number n in ascending order, switches first. */
static uint32_t nth_vertex(const struct weft_fabric *f, uint32_t n)
{
	return n < f->nsw ? n : (n - f->nsw) | WEFT_ENDPORT;
}

static void walk_sources(struct weft__proof_run *r)
{
	const struct weft_fabric *f = r->fabric;

	for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
		struct weft_finding x = {
			.source = nth_vertex(f, i),
			.dest = r->tree.owner,
			.lid = r->tree.lid,
		};

		if (x.source == x.dest ||
		    !weft__counts(f, r->spec, x.source) ||
		    !weft__in_plane(r, weft_vertex_switch(f, x.source)))
			continue;
		x.sl = weft_layers_sl(&r->routes->layers, f, x.source, x.lid) %
			WEFT_NSL;
		if (examine(r, &x))
			keep_example(r, &x);
	}
}

void weft__findings_note(struct weft__proof_run *r)
{
	bool look = false;

	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++) {
		if (r->out->found[kind] != r->noted[kind])
			look |= has_room(r, kind);
		r->noted[kind] = r->out->found[kind];
	}
	if (look)
		walk_sources(r);
}

void weft__findings_no_lid(struct weft__proof_run *r)
{
	const struct weft_fabric *f = r->fabric;
	uint32_t n = f->nsw + f->nep;

	for (uint32_t d = 0; d < n; d++) {
		uint32_t dest = nth_vertex(f, d);
		unsigned lid = weft_is_switch(dest) ? f->sw[dest].lid :
			f->ep[dest & ~WEFT_ENDPORT].lid;

		if (lid || !weft__counts(f, r->spec, dest) ||
		    (weft_is_endport(dest) &&
		     weft_is_plane(f, dest & ~WEFT_ENDPORT)))
			continue;
		r->out->pairs += r->sources.hosts - 1;
		r->out->found[WEFT_FIND_NO_LID] += r->sources.hosts - 1;
		for (uint32_t i = 0; i < n && has_room(r, WEFT_FIND_NO_LID);
		     i++) {
			struct weft_finding x = {
				.kind = WEFT_FIND_NO_LID,
				.source = nth_vertex(f, i),
				.dest = dest,
				.sw = WEFT_NONE,
			};

			if (i != d && weft__counts(f, r->spec, x.source))
				keep_example(r, &x);
		}
	}
}

int weft__findings_finish(struct weft__proof_run *r)
{
	uint32_t n = 0;

	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++)
		n += r->kept[kind];
	r->out->finding = malloc((n + 1ull) * sizeof(*r->out->finding));
	if (!r->out->finding)
		return -ENOMEM;
	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++) {
		memcpy(r->out->finding + r->out->nfindings,
		       r->example + (size_t)kind * r->spec->max_examples,
		       r->kept[kind] * sizeof(*r->example));
		r->out->nfindings += r->kept[kind];
	}
	return 0;
}
