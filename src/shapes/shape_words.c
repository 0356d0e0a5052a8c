// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What all kinds of shapes need: words, notes, neighbours, sets. */
#include "shapes/shape.h"

#include "core/arena.h"
#include "core/grow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/diag.h>

#define KEPT 8 /* notes of a kind in each part */

void weft__shape_say(struct weft_shape_part *part, const char *format, ...)
{
	size_t n = strlen(part->what);
	va_list ap;

	va_start(ap, format);
	vsnprintf(part->what + n, sizeof(part->what) - n, format, ap);
	va_end(ap);
}

const char *weft__shape_named(const struct weft_fabric *f, uint32_t s,
			      char buf[WEFT__SHAPE_NAME])
{
	if (*f->sw[s].name)
		snprintf(buf, WEFT__SHAPE_NAME, "%s", f->sw[s].name);
	else
		snprintf(buf, WEFT__SHAPE_NAME, "0x%016" PRIx64, f->sw[s].guid);
	return buf;
}

/* --- notes ---------------------------------------------------------------- */

static void keep(struct weft__shape_job *j, uint32_t sw, const char *format,
		 va_list ap)
{
	struct weft__notes *n = j->notes;
	char *text;

	if (weft__grow_one(&n->note, n->n)) {
		n->failed = true;
		return;
	}
	if (vasprintf(&text, format, ap) < 0) {
		n->failed = true;
		return;
	}
	n->note[n->n++] =
		(struct weft_shape_note){ sw == WEFT_NONE ? sw : j->sw[sw],
					  text };
}

void weft__shape_note(struct weft__shape_job *j, enum weft__note_kind kind,
		      uint32_t sw, const char *format, ...)
{
	va_list ap;

	j->notes->all++;
	if (j->notes->of_kind[kind]++ >= KEPT)
		return;
	va_start(ap, format);
	keep(j, sw, format, ap);
	va_end(ap);
}

static void keep_plain(struct weft__shape_job *j, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	keep(j, WEFT_NONE, format, ap);
	va_end(ap);
}

void weft__shape_notes_end(struct weft__shape_job *j, enum weft__note_kind kind,
			   const char *noun)
{
	uint32_t n = j->notes->of_kind[kind];

	if (n > KEPT)
		keep_plain(j, "and %s", WEFT_COUNT(n - KEPT, noun));
}

/* --- neighbours and sets -------------------------------------------------- */

uint32_t weft__shape_next(const struct weft_fabric *f, uint32_t s, uint32_t *i,
			  uint32_t *n)
{
	uint32_t first = *i, end = f->adj_first[s + 1], peer;

	if (first == end)
		return WEFT_NONE;
	peer = f->peer[f->adj[first]];
	while (*i < end && f->peer[f->adj[*i]] == peer)
		++*i;
	*n = *i - first;
	return peer;
}

static int ascending(const void *va, const void *vb)
{
	const uint32_t *a = va, *b = vb;

	return (*a > *b) - (*a < *b);
}

uint32_t weft__shape_usual(const uint32_t *value, uint32_t n,
			   struct weft_arena *arena)
{
	uint32_t *sorted = weft__arena_alloc(arena, n, sizeof(*sorted));
	uint32_t best = 0, usual = 0;

	if (!sorted || !n)
		return 0;
	memcpy(sorted, value, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i; next < n && sorted[next] == sorted[i];)
			next++;
		if (next - i >= best) {
			best = next - i;
			usual = sorted[i];
		}
	}
	return usual;
}
