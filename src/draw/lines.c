// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cables between the same two switches are one line.  Where there would be very
 * many lines in a tree, those between the same two clusters that nothing is
 * marked about are one band instead.
 */
#include "draw/lines.h"

#include "draw/fold.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MANY_LINES 900u /* from there on bands */

void weft__lines_free(struct weft__lines *lines)
{
	free(lines->line);
	free(lines->band);
}

/* --- lines ---------------------------------------------------------------- */

/* Whether a heat shows rather than another one of the same line. */
static bool is_more(const struct weft__overlay *o, float heat, float other)
{
	return o && o->centred && other >= 0 && heat >= 0 ?
		       fabsf(heat - .5f) > fabsf(other - .5f) :
		       heat > other;
}

static void add_channel(struct weft__line *line, const struct weft__overlay *o,
			uint32_t ch)
{
	if (o && o->heat && is_more(o, o->heat[ch], line->heat)) {
		line->heat = o->heat[ch];
		line->channel = ch;
	}
	if (o && o->mark && o->mark[ch] > line->mark) {
		line->mark = o->mark[ch];
		line->channel = ch;
	}
}

/* A line for each pair; a pair with an unused channel is so if all are. */
static void collect(const struct weft_fabric *f, const struct weft__overlay *o,
		    struct weft__lines *out)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t ch = f->adj[e], peer = f->peer[ch];
			struct weft__line *line = &out->line[out->n];

			if (peer < s)
				continue;
			if (out->n && line[-1].a == s && line[-1].b == peer)
				line--;
			else
				*line = (struct weft__line){
					.a = s,
					.b = peer,
					.channel = ch,
					.heat = -1,
				};
			out->n = line - out->line + 1;
			line->cables++;
			add_channel(line, o, ch);
			add_channel(line, o, f->reverse[ch]);
		}
}

static int by_ends(const void *va, const void *vb)
{
	const struct weft__line *a = va, *b = vb;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

uint32_t weft__lines_merge(struct weft__line *line, uint32_t n,
			   const struct weft__overlay *o)
{
	uint32_t kept = 0;

	if (n)
		qsort(line, n, sizeof(*line), by_ends);
	for (uint32_t i = 0; i < n; i++) {
		struct weft__line *last = &line[kept - 1];

		if (line[i].a == line[i].b)
			continue;
		if (!kept || by_ends(last, &line[i])) {
			line[kept++] = line[i];
			continue;
		}
		last->cables += line[i].cables;
		if (is_more(o, line[i].heat, last->heat)) {
			last->heat = line[i].heat;
			last->channel = line[i].channel;
		}
		if (line[i].mark > last->mark) {
			last->mark = line[i].mark;
			last->channel = line[i].channel;
		}
	}
	return kept;
}

/* The same between boxes. */
static void fold(const struct weft__layout *l, const struct weft__overlay *o,
		 struct weft__lines *out)
{
	for (uint32_t i = 0; i < out->n; i++) {
		struct weft__line *line = &out->line[i];
		uint32_t a = weft__stands(l, line->a);
		uint32_t b = weft__stands(l, line->b);

		line->a = a < b ? a : b;
		line->b = a < b ? b : a;
	}
	out->n = weft__lines_merge(out->line, out->n, o);
}

static int by_heat(const void *va, const void *vb)
{
	const struct weft__line *a = va, *b = vb;

	if (a->mark != b->mark)
		return a->mark < b->mark ? -1 : 1;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight < b->weight ? -1 : 1;
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

/* --- bands ---------------------------------------------------------------- */

/* A line by the clusters it joins, [0] the lower number. */
struct joint {
	uint32_t cluster[2], sw[2], cables;
};

static int by_clusters(const void *va, const void *vb)
{
	const struct joint *a = va, *b = vb;

	for (unsigned i = 0; i < 2; i++)
		if (a->cluster[i] != b->cluster[i])
			return a->cluster[i] < b->cluster[i] ? -1 : 1;
	for (unsigned i = 0; i < 2; i++)
		if (a->sw[i] != b->sw[i])
			return a->sw[i] < b->sw[i] ? -1 : 1;
	return 0;
}

static struct joint joint_of(const struct weft__layout *l,
			     const struct weft__line *line)
{
	uint32_t a = l->cluster[line->a], b = l->cluster[line->b];

	return a < b ? (struct joint){ { a, b },
				       { line->a, line->b },
				       line->cables } :
		       (struct joint){ { b, a },
				       { line->b, line->a },
				       line->cables };
}

static void extend(struct weft__band *band, const struct weft__layout *l,
		   const struct joint *j)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct weft__spot *p = &l->spot[j->sw[i]];
		double left = p->x - p->w / 2, right = p->x + p->w / 2;

		if (!band->cables || left < band->left[i])
			band->left[i] = left;
		if (!band->cables || right > band->right[i])
			band->right[i] = right;
		band->cluster[i] = j->cluster[i];
		band->y[i] = p->y;
	}
	band->cables += j->cables;
}

/* Cables within a row are left to lines. */
static bool is_banded(const struct weft__layout *l,
		      const struct weft__line *line)
{
	uint32_t a = l->cluster[line->a], b = l->cluster[line->b];

	return weft__folded(l, line->a) == 1 &&
	       weft__folded(l, line->b) == 1 &&
	       line->mark == WEFT__MARK_NONE && a != WEFT_NONE &&
	       b != WEFT_NONE && a != b &&
	       l->shape->level[line->a] != l->shape->level[line->b];
}

/* Turns lines into bands; those that stay move to the front. */
static bool bundle(const struct weft__layout *l, struct weft__lines *out)
{
	struct joint *joint = calloc(out->n, sizeof(*joint));
	uint32_t n = 0, kept = 0;

	out->band = calloc(out->n, sizeof(*out->band));
	for (uint32_t i = 0; joint && out->band && i < out->n; i++)
		if (is_banded(l, &out->line[i]))
			joint[n++] = joint_of(l, &out->line[i]);
		else
			out->line[kept++] = out->line[i];
	if (n)
		qsort(joint, n, sizeof(*joint), by_clusters);
	for (uint32_t i = 0; i < n; i++) {
		if (!i || joint[i].cluster[0] != joint[i - 1].cluster[0] ||
		    joint[i].cluster[1] != joint[i - 1].cluster[1])
			out->nbands++;
		extend(&out->band[out->nbands - 1], l, &joint[i]);
	}
	free(joint);
	if (!joint || !out->band)
		return false;
	out->n = kept;
	return true;
}

int weft__lines_make(const struct weft__layout *l,
		     const struct weft__overlay *o, struct weft__lines *out)
{
	*out = (struct weft__lines){ .n = 0 };
	out->line = calloc(l->f->adj_first[l->f->nsw] + (size_t)1,
			   sizeof(*out->line));
	if (!out->line)
		return -ENOMEM;
	collect(l->f, o, out);
	if (l->stands)
		fold(l, o, out);
	for (uint32_t i = 0; i < out->n; i++) {
		struct weft__line *line = &out->line[i];

		if (line->cables > out->widest)
			out->widest = line->cables;
		line->weight = o && o->centred && line->heat >= 0 ?
				       2 * fabsf(line->heat - .5f) :
				       line->heat;
	}
	if (out->n > MANY_LINES && !(o && o->heat) && !bundle(l, out)) {
		weft__lines_free(out);
		return -ENOMEM;
	}
	if (out->n)
		qsort(out->line, out->n, sizeof(*out->line), by_heat);
	return 0;
}
