// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Products of rings and paths: tori, meshes, hypercubes, or parts of them. */
#include "shapes/shape.h"

#include "core/arena.h"
#include "shapes/rings.h"

#include <errno.h>
#include <string.h>
#include <weft/diag.h>

#define SPARSE 64u /* places for each switch; in more nothing is missed */

/* Whether all dimensions are rings, or paths; pairs are both. */
static bool are_rings(const struct weft__rings *r, bool rings)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->dim[i].length > 2 && r->dim[i].ring != rings)
			return false;
	return true;
}

static bool are_pairs(const struct weft__rings *r)
{
	return are_rings(r, true) && are_rings(r, false);
}

static void say_grid(struct weft_shape_part *p, const struct weft__rings *r)
{
	if (!r->whole)
		weft__shape_say(p, "part of a ");
	if (are_pairs(r)) {
		weft__shape_say(p,
				r->n == 1 ? "two switches" :
					    "hypercube of %u dimensions",
				r->n);
		return;
	}
	if (r->n == 1) {
		weft__shape_say(p, "%s of %u switches",
				r->dim[0].ring ? "ring" : "chain",
				r->dim[0].length);
		return;
	}
	weft__shape_say(p, "%s ",
			are_rings(r, true)  ? "torus" :
			are_rings(r, false) ? "mesh" :
					      "torus and mesh");
	for (unsigned i = 0; i < r->n; i++)
		weft__shape_say(p, "%s%u", i ? "x" : "", r->dim[i].length);
}

/* The place of a switch, moved by one step ahead in dimension d; WEFT_NONE: a
 * path ends there.  d = r->n: where it is. */
static uint32_t place_of(const struct weft__rings *r, uint32_t s, unsigned d)
{
	const uint32_t *at = r->at + (size_t)s * r->n;
	uint32_t place = 0;

	for (unsigned i = 0; i < r->n; i++) {
		uint32_t here = at[i] + (i == d);

		if (here == r->dim[i].length && (!r->dim[i].ring || here == 2))
			return WEFT_NONE;
		place = place * r->dim[i].length + here % r->dim[i].length;
	}
	return place;
}

/* Counts pairs of switches of a part of a product that are next to each other
 * there, without a cable. */
static int count_lacking(struct weft__shape_job *j, const struct weft__rings *r,
			 uint32_t product, uint32_t *lacking)
{
	uint32_t *on = weft__arena_alloc(j->arena, product, sizeof(*on));

	if (!on)
		return -ENOMEM;
	memset(on, 0xff, product * sizeof(*on));
	for (uint32_t s = 0; s < j->f->nsw; s++)
		on[place_of(r, s, r->n)] = s;
	for (uint32_t s = 0; s < j->f->nsw; s++)
		for (unsigned d = 0; d < r->n; d++) {
			uint32_t place = place_of(r, s, d), to;

			to = place == WEFT_NONE ? place : on[place];
			*lacking += to != WEFT_NONE &&
				    weft__rings_next(r, s, d,
						     WEFT__ASCENDING) != to;
		}
	return 0;
}

/* Switches and cables that the product has and the fabric lacks. */
static int say_lacking(struct weft__shape_job *j, const struct weft__rings *r)
{
	uint64_t product = 1;
	uint32_t lacking = 0;

	for (unsigned i = 0; i < r->n; i++)
		product *= r->dim[i].length;
	if (!r->whole && product <= (uint64_t)SPARSE * j->f->nsw &&
	    count_lacking(j, r, product, &lacking))
		return -ENOMEM;
	if (product > j->f->nsw)
		weft__shape_say(j->part, ", %s missing",
				WEFT_COUNT(product - j->f->nsw, "switch"));
	lacking = r->whole ? r->ngaps : lacking;
	if (lacking)
		weft__shape_say(j->part, ", %s missing",
				WEFT_COUNT(lacking, "cable"));
	return 0;
}

/* The switches whose cable ahead is missing. */
static void note_gaps(struct weft__shape_job *j, const struct weft__rings *r)
{
	for (uint32_t s = 0; s < j->f->nsw && r->whole && r->ngaps; s++)
		for (unsigned i = 0; i < r->n; i++) {
			size_t k = (size_t)s * r->n + i;

			if (r->gap[k] == r->at[k])
				weft__shape_note(j, WEFT__NOTE_GAP, s, 0,
						 "%s: no cable ahead in dimension %u",
						 WEFT__SHAPE_NAMED(j, s),
						 i + 1);
		}
	weft__shape_notes_end(j, WEFT__NOTE_GAP, "more missing cable");
}

int weft__shape_grid(struct weft__shape_job *j, bool *found)
{
	struct weft_shape_part *p = j->part;
	struct weft__rings r;

	if (!weft__rings_find(&r, j->f, j->arena, found))
		return -ENOMEM;
	if (!*found)
		return 0;
	p->kind = WEFT_SHAPE_GRID;
	p->ndimensions = r.n;
	for (unsigned i = 0; i < r.n; i++) {
		p->length[i] = r.dim[i].length;
		p->ring[i] = r.dim[i].ring;
	}
	for (uint32_t s = 0; s < j->f->nsw; s++)
		memcpy(j->at + (size_t)s * WEFT_SHAPE_DIMENSIONS,
		       r.at + (size_t)s * r.n, r.n * sizeof(*r.at));
	say_grid(p, &r);
	note_gaps(j, &r);
	return say_lacking(j, &r);
}
