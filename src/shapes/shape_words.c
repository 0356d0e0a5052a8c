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

#define FIRST 8 /* notes of a kind in each part that are told by themselves */
#define KEPT 4096 /* and those that are kept */

void weft__shape_say(struct weft_shape_part *part, const char *format, ...)
{
	size_t n = strlen(part->what);
	va_list ap;

	va_start(ap, format);
	vsnprintf(part->what + n, sizeof(part->what) - n, format, ap);
	va_end(ap);
}

/* A switch or a node, to be sorted by name. */
struct named {
	const char *name;
	uint32_t id;
};

static int by_name(const void *va, const void *vb)
{
	const struct named *a = va, *b = vb;

	return strcmp(a->name, b->name);
}

/* Which of n names are there twice; NULL without memory. */
static bool *find_repeats(struct weft__shape_job *j, struct named *named,
			  uint32_t n)
{
	bool *repeats = weft__arena_zalloc(j->arena, n, sizeof(*repeats));

	if (n)
		qsort(named, n, sizeof(*named), by_name);
	for (uint32_t i = 1; i < n && repeats; i++)
		if (!strcmp(named[i].name, named[i - 1].name))
			repeats[named[i].id] = repeats[named[i - 1].id] = true;
	return repeats;
}

bool weft__shape_find_repeats(struct weft__shape_job *j)
{
	const struct weft_fabric *f = j->f;
	uint32_t most = f->nsw > f->nnodes ? f->nsw : f->nnodes;
	struct named *named = weft__arena_alloc(j->arena, most, sizeof(*named));

	if (!named)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		named[s] = (struct named){ f->sw[s].name, s };
	j->repeats = find_repeats(j, named, f->nsw);
	for (uint32_t i = 0; i < f->nnodes; i++)
		named[i] = (struct named){ f->node[i].name, i };
	j->node_repeats = find_repeats(j, named, f->nnodes);
	return j->repeats && j->node_repeats;
}

const char *weft__shape_named_port(const struct weft__shape_job *j, uint32_t e,
				   char buf[WEFT__SHAPE_NAME])
{
	const struct weft_endport *ep = &j->f->ep[e];
	const char *name = j->f->node[ep->node].name;

	if (*name && j->node_repeats[ep->node])
		snprintf(buf, WEFT__SHAPE_NAME,
			 "%.90s (0x%016" PRIx64 ", LID %u)", name, ep->guid,
			 ep->lid);
	else if (*name)
		snprintf(buf, WEFT__SHAPE_NAME, "%.90s", name);
	else
		snprintf(buf, WEFT__SHAPE_NAME, "0x%016" PRIx64, ep->guid);
	return buf;
}

const char *weft__shape_named(const struct weft__shape_job *j, uint32_t s,
			      char buf[WEFT__SHAPE_NAME])
{
	const struct weft_fabric *f = j->f;

	if (*f->sw[s].name && j->repeats[s])
		snprintf(buf, WEFT__SHAPE_NAME,
			 "%.100s (0x%016" PRIx64 ", LID %u)", f->sw[s].name,
			 f->sw[s].guid, f->sw[s].lid);
	else if (*f->sw[s].name)
		snprintf(buf, WEFT__SHAPE_NAME, "%s", f->sw[s].name);
	else
		snprintf(buf, WEFT__SHAPE_NAME, "0x%016" PRIx64, f->sw[s].guid);
	return buf;
}

/* --- notes ---------------------------------------------------------------- */

uint32_t weft__shape_off(uint64_t here, uint64_t usual)
{
	uint64_t apart = here < usual ? usual - here : here - usual;

	return usual ? (uint32_t)(1000 * apart / usual) + (here < usual) : 0;
}

static void keep(struct weft__shape_job *j, uint32_t sw,
		 enum weft_shape_told told, uint32_t off, const char *format,
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
					  told, text, off };
}

void weft__shape_note(struct weft__shape_job *j, enum weft__note_kind kind,
		      uint32_t sw, uint32_t off, const char *format, ...)
{
	va_list ap;

	uint32_t n = j->notes->of_kind[kind]++;

	j->notes->all++;
	if (n >= KEPT)
		return;
	va_start(ap, format);
	keep(j, sw, n < FIRST ? WEFT_SHAPE_FIRST : WEFT_SHAPE_MORE, off, format,
	     ap);
	va_end(ap);
}

static void keep_plain(struct weft__shape_job *j, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	keep(j, WEFT_NONE, WEFT_SHAPE_SUM, 0, format, ap);
	va_end(ap);
}

/* Most telling first, then in the order of names. */
static int more_telling(const void *va, const void *vb)
{
	const struct weft_shape_note *a = va, *b = vb;
	int order;

	if (a->off != b->off)
		return a->off > b->off ? -1 : 1;
	order = strverscmp(a->text, b->text);
	return order ? order : (a->sw > b->sw) - (a->sw < b->sw);
}

void weft__shape_notes_end(struct weft__shape_job *j, enum weft__note_kind kind,
			   const char *noun)
{
	uint32_t n = j->notes->of_kind[kind];
	uint32_t kept = n < KEPT ? n : KEPT;
	struct weft_shape_note *note;

	if (j->notes->failed || !kept)
		return;
	note = j->notes->note + j->notes->n - kept;
	qsort(note, kept, sizeof(*note), more_telling);
	for (uint32_t i = 0; i < kept; i++)
		note[i].told = i < FIRST ? WEFT_SHAPE_FIRST : WEFT_SHAPE_MORE;
	if (n > FIRST)
		keep_plain(j, "and %s", WEFT_COUNT(n - FIRST, noun));
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
