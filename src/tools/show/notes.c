// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is unlike the rest: the first of each kind, or all by pod or rack. */
#include "tools/show/show.h"

#include <stdlib.h>
#include <string.h>

/* A note and the pod, group or rack that it is about; "" for the whole fabric. */
struct placed {
	const struct weft_shape_note *note;
	char where[WEFT_SHAPE_GROUP_NAME];
	uint32_t beside;	/* notes of the same place */
	uint64_t off;		/* of all of these */
};

static void find_place(const struct weft_fabric *f,
		       const struct weft_shape *shape,
		       char (*group)[WEFT_SHAPE_GROUP_NAME], struct placed *p)
{
	uint32_t s = p->note->sw;

	if (s == WEFT_NONE)
		return;
	if (shape->group[s] != WEFT_NONE)
		memcpy(p->where, group[shape->group[s]], sizeof(p->where));
	else
		weft_shape_rack_name(f->sw[s].name, p->where);
}

static int by_place(const void *va, const void *vb)
{
	const struct placed *a = va, *b = vb;
	int order = strverscmp(a->where, b->where);

	return order ? order : (a->note > b->note) - (a->note < b->note);
}

/* Places with most notes first, of these those with the most telling ones; what
 * has no place comes last. */
static int by_telling(const void *va, const void *vb)
{
	const struct placed *a = va, *b = vb;

	if (!*a->where != !*b->where)
		return *a->where ? -1 : 1;
	if (a->beside != b->beside)
		return a->beside > b->beside ? -1 : 1;
	if (a->off != b->off)
		return a->off > b->off ? -1 : 1;
	return by_place(va, vb);
}

/* All notes but sums, by place; *n of them.  NULL without memory. */
static struct placed *place_notes(const struct weft_fabric *f,
				  const struct weft_shape *shape, uint32_t *n,
				  uint32_t *places)
{
	char (*group)[WEFT_SHAPE_GROUP_NAME];
	struct placed *p = calloc(shape->nnotes + 1ull, sizeof(*p));
	uint32_t ngroups, next;

	*n = *places = 0;
	if (!p || weft_shape_group_names(f, shape, &ngroups, &group)) {
		free(p);
		return NULL;
	}
	for (uint32_t i = 0; i < shape->nnotes; i++)
		if (shape->note[i].told != WEFT_SHAPE_SUM) {
			p[*n].note = &shape->note[i];
			find_place(f, shape, group, &p[(*n)++]);
		}
	free(group);
	if (*n)
		qsort(p, *n, sizeof(*p), by_place);
	for (uint32_t i = 0; i < *n; i = next, ++*places) {
		uint64_t off = 0;

		for (next = i; next < *n && !strcmp(p[next].where, p[i].where);)
			off += p[next++].note->off;
		for (uint32_t k = i; k < next; k++) {
			p[k].beside = next - i;
			p[k].off = off;
		}
	}
	if (*n)
		qsort(p, *n, sizeof(*p), by_telling);
	return p;
}

static void print_note(const struct weft_shape_note *note, int indent,
		       FILE *out)
{
	char text[400];

	fprintf(out, "%*s", indent, "");
	weft_diag_printable(text, sizeof(text), note->text);
	tool_text_wrap(out, indent, indent + 2, text);
}

static void print_placed(const struct placed *p, uint32_t n, FILE *out)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!i || strcmp(p[i].where, p[i - 1].where)) {
			char name[2 * WEFT_SHAPE_GROUP_NAME];

			weft_diag_printable(name, sizeof(name), p[i].where);
			fprintf(out, "  %s (%s):\n",
				*name ? name : "elsewhere",
				WEFT_COUNT(p[i].beside, NULL));
		}
		print_note(p[i].note, 4, out);
	}
}

void tool_show_notes(const struct weft_fabric *f,
		     const struct weft_shape *shape, bool all, FILE *out)
{
	struct placed *p = NULL;
	uint32_t n = 0, places = 0;

	if (!shape->nnotes)
		return;
	fprintf(out, "unlike the rest (%s):\n",
		WEFT_COUNT(shape->irregular, NULL));
	if (all)
		p = place_notes(f, shape, &n, &places);
	if (p && places > 1 && places < n)
		print_placed(p, n, out);
	else
		for (uint32_t i = 0; i < shape->nnotes; i++)
			if (shape->note[i].told !=
			    (all ? WEFT_SHAPE_SUM : WEFT_SHAPE_MORE))
				print_note(&shape->note[i], 2, out);
	free(p);
}

json_t *tool_show_notes_json(const struct weft_fabric *f,
			     const struct weft_shape *shape)
{
	uint32_t n, places;
	struct placed *p = place_notes(f, shape, &n, &places);
	json_t *array = json_array();

	for (uint32_t i = 0; p && i < n; i++)
		json_array_append_new(array, json_pack(
			"{s:o, s:o, s:o, s:f}",
			"text", tool_json_string(p[i].note->text),
			"switch", tool_json_node(f, p[i].note->sw),
			"place", *p[i].where ? tool_json_string(p[i].where) :
					       json_null(),
			"off", p[i].note->off / 1000.));
	free(p);
	return array;
}
