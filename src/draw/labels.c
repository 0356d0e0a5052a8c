// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "draw/labels.h"

#include "draw/fold.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <weft/diag.h>

#define EDGE 3. /* of a switch, that has no letters */

void weft__labels_free(struct weft__labels *labels)
{
	free(labels->text);
	free(labels->told);
}

/* A label that is shown, and the row that it is in. */
struct shown {
	const char *text, *name;
	uint32_t part, level, sw;
};

static int by_text(const void *va, const void *vb)
{
	const struct shown *a = va, *b = vb;
	int order;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	order = strcmp(a->text, b->text);
	return order ? order : (a->sw > b->sw) - (a->sw < b->sw);
}

static int by_name(const void *va, const void *vb)
{
	const struct shown *a = va, *b = vb;
	int order = strverscmp(a->name, b->name);

	return order ? order : (a->sw > b->sw) - (a->sw < b->sw);
}

static bool same_label(const struct shown *a, const struct shown *b)
{
	return a->part == b->part && a->level == b->level &&
	       !strcmp(a->text, b->text);
}

/* Keeps those whose label another one has, too; returns how many. */
static uint32_t find_repeats(struct shown *shown, uint32_t n)
{
	uint32_t kept = 0, next;

	if (n)
		qsort(shown, n, sizeof(*shown), by_text);
	for (uint32_t i = 0; i < n; i = next) {
		for (next = i + 1;
		     next < n && same_label(&shown[i], &shown[next]);)
			next++;
		for (uint32_t k = i; next - i > 1 && k < next; k++)
			shown[kept++] = shown[k];
	}
	if (kept)
		qsort(shown, kept, sizeof(*shown), by_name);
	return kept;
}

/* A box of a pod is within its frame, which has the name; that of a group has
 * none. */
static void label_box(const struct weft__layout *l, uint32_t s,
		      char text[WEFT__DRAW_NAME])
{
	bool tree = l->shape->part[l->shape->part_of[s]].kind ==
		    WEFT_SHAPE_TREE;
	uint32_t n = weft__folded(l, s);

	weft__draw_fit(tree ? WEFT_COUNT(n, "switch") :
			      l->group_name[l->shape->group[s]],
		       WEFT_COUNT(n, NULL), l->spot[s].w - EDGE, text);
}

int weft__labels_make(const struct weft__layout *l, struct weft__labels *out)
{
	uint32_t nsw = l->f->nsw, n = 0;
	struct shown *shown = calloc(nsw + (size_t)1, sizeof(*shown));
	struct weft__trims trims;

	*out = (struct weft__labels){
		.text = calloc(nsw + (size_t)1, sizeof(*out->text)),
		.told = calloc(nsw + (size_t)1, sizeof(*out->told)),
	};
	if (!shown || !out->text || !out->told) {
		free(shown);
		return -ENOMEM;
	}
	weft__draw_trims(l->f, l->shape, &trims);
	for (uint32_t s = 0; s < nsw; s++) {
		char *text = out->text[s];

		if (weft__stands(l, s) != s)
			continue;
		if (weft__folded(l, s) > 1)
			label_box(l, s, text);
		else if (!weft__draw_label(l->f, s, &trims,
					   l->spot[s].w - EDGE, text))
			*text = '\0';
		else
			shown[n++] = (struct shown){
				text, l->f->sw[s].name, l->shape->part_of[s],
				l->shape->level[s], s };
	}
	n = find_repeats(shown, n);
	for (uint32_t i = 0; i < n; i++) {
		char *text = out->text[shown[i].sw];

		if (n > WEFT__LABELS_TOLD)
			*text = '\0';
		else
			snprintf(text, WEFT__DRAW_NAME, "%" PRIu32, i + 1);
		out->told[i] = shown[i].sw;
	}
	out->ntold = n > WEFT__LABELS_TOLD ? 0 : n;
	free(shown);
	return 0;
}

const char *weft__labels_tell(const struct weft__layout *l, uint32_t s,
			      char *buf, size_t size)
{
	char name[WEFT__DRAW_NAME];

	snprintf(buf, size, "%.60s, 0x%016" PRIx64 ", LID %u",
		 weft__draw_name(l->f, s, name), l->f->sw[s].guid,
		 l->f->sw[s].lid);
	return buf;
}
