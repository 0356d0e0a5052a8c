// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Products of rings and paths: tori, meshes, hypercubes, or parts of them. */
#include "shapes/shape.h"

#include "shapes/rings.h"

#include <errno.h>
#include <string.h>
#include <weft/diag.h>

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

/* Switches and cables that the product has and the fabric lacks. */
static void say_lacking(struct weft__shape_job *j, const struct weft__rings *r)
{
	uint32_t product = 1;

	for (unsigned i = 0; i < r->n; i++)
		product *= r->dim[i].length;
	if (product > j->f->nsw)
		weft__shape_say(j->part, ", %s missing",
				WEFT_COUNT(product - j->f->nsw, "switch"));
	if (r->whole && r->ngaps)
		weft__shape_say(j->part, ", %s missing",
				WEFT_COUNT(r->ngaps, "cable"));
}

/* The switches whose cable ahead is missing. */
static void note_gaps(struct weft__shape_job *j, const struct weft__rings *r)
{
	for (uint32_t s = 0; s < j->f->nsw && r->whole && r->ngaps; s++)
		for (unsigned i = 0; i < r->n; i++) {
			size_t k = (size_t)s * r->n + i;

			if (r->gap[k] == r->at[k])
				weft__shape_note(j, WEFT__NOTE_GAP, s,
						 "%s: no cable ahead in "
						 "dimension %u",
						 WEFT__SHAPE_NAMED(j->f, s),
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
	say_lacking(j, &r);
	note_gaps(j, &r);
	return 0;
}
