// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Says what a product of full meshes is, and which cables it lacks. */
#include "shapes/hyperx.h"
#include "shapes/shape.h"

#include <errno.h>
#include <string.h>
#include <weft/diag.h>

static void say_hyperx(struct weft__shape_job *j)
{
	struct weft_shape_part *p = j->part;
	uint32_t each = 0, missing = 0;

	if (p->ndimensions == 1)
		weft__shape_say(p, "full mesh of %u switches", p->length[0]);
	else
		weft__shape_say(p, "HyperX ");
	for (unsigned d = 0; d < p->ndimensions; d++) {
		if (p->ndimensions > 1)
			weft__shape_say(p, "%s%u", d ? "x" : "", p->length[d]);
		each += p->length[d] - 1;
	}
	for (uint32_t s = 0; s < j->f->nsw; s++) {
		uint32_t lacks = each - weft__hyperx_degree(j->f, s);

		missing += lacks;
		if (lacks)
			weft__shape_note(j, WEFT__NOTE_GAP, s, lacks,
					 "%s: joined to %u switches, most are to %u",
					 WEFT__SHAPE_NAMED(j, s),
					 each - lacks, each);
	}
	weft__shape_notes_end(j, WEFT__NOTE_GAP, "more such switch");
	if (missing)
		weft__shape_say(p, ", %s not joined",
				WEFT_COUNT(missing / 2, "pair"));
}

int weft__shape_hyperx(struct weft__shape_job *j, bool *found)
{
	struct weft__hyperx x = { .at = j->at };

	if (!weft__hyperx_find(&x, j->f, j->arena, found))
		return -ENOMEM;
	if (*found) {
		j->part->kind = WEFT_SHAPE_HYPERX;
		j->part->ndimensions = x.n;
		memcpy(j->part->length, x.length, sizeof(x.length));
		say_hyperx(j);
		return 0;
	}
	j->part->ndimensions = 0;
	memset(j->at, 0,
	       (size_t)j->f->nsw * WEFT_SHAPE_DIMENSIONS * sizeof(*j->at));
	return 0;
}
