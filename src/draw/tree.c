// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Trees: a row for each level, leaves at the bottom.  Pods stand side by side,
 * each as wide as its longest row; the top stands above all of them, those that
 * have the same switches below next to each other.  Rows are in the order of
 * names, as people count.
 */
#include "draw/layout.h"

#include <stdlib.h>
#include <string.h>
#include <weft/diag.h>

#define WIDE 1400.   /* a picture is about so wide, or as wide as */
#define NARROWEST 4. /* so much for each switch of a row */
#define LABELS 104.  /* room for the names of levels, on the left */
#define BETWEEN 10.  /* pods */
#define FOOT 46.     /* hosts and names below the leaves */
#define HEAD 38.
#define NAME 30. /* of a pod, above its upper level */

/* A switch and what decides where in its row it stands. */
struct place {
	const char *name;
	uint32_t sw, level, group;
};

struct tree {
	struct weft__layout *l;
	struct place *place; /* [n] sorted */
	uint32_t n;
	uint32_t ngroups; /* of this part, numbered from 0 */
	uint32_t first;	  /* the number of the first in the whole fabric */
	unsigned nlevels;
	uint32_t *count;   /* [ngroups][nlevels] switches */
	double *x, *w;	   /* [ngroups] */
	double slot, step; /* for a switch; between levels */
	double width;	   /* of all pods */
};

static int by_place(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;
	int order;

	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	order = strverscmp(a->name, b->name);
	return order ? order : (a->sw > b->sw) - (a->sw < b->sw);
}

static bool is_top(const struct tree *t, uint32_t s)
{
	return t->l->shape->group[s] == WEFT_NONE && t->ngroups > 1;
}

/*
 * Gives each set of switches above the pods that have neighbours below in
 * common the number of its lowest; scratch[nsw] has that of the lower ones.
 */
static void find_planes(struct tree *t, uint32_t *scratch)
{
	const struct weft_fabric *f = t->l->f;
	bool changed = true;

	for (uint32_t i = 0; i < t->n; i++)
		scratch[t->place[i].sw] = t->place[i].sw;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < t->n; i++) {
			uint32_t s = t->place[i].sw;

			for (uint32_t e = f->adj_first[s];
			     is_top(t, s) && e < f->adj_first[s + 1]; e++) {
				uint32_t to = f->peer[f->adj[e]];
				uint32_t low = scratch[s] < scratch[to] ?
						       scratch[s] :
						       scratch[to];

				changed |= scratch[s] != scratch[to];
				scratch[s] = scratch[to] = low;
			}
		}
	}
	for (uint32_t i = 0; i < t->n; i++)
		if (is_top(t, t->place[i].sw))
			t->place[i].group = scratch[t->place[i].sw];
}

static void number_places(struct tree *t, const struct weft__region *r)
{
	const struct weft_shape *shape = t->l->shape;
	uint32_t first = WEFT_NONE;

	for (uint32_t i = 0; i < r->n; i++)
		if (shape->group[r->sw[i]] < first)
			first = shape->group[r->sw[i]];
	t->n = r->n;
	t->first = first;
	t->ngroups = shape->part[r->part].ngroups;
	t->ngroups = t->ngroups ? t->ngroups : 1;
	t->nlevels = shape->part[r->part].nlevels;
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t s = r->sw[i], group = shape->group[s];

		t->place[i] = (struct place){
			.name = t->l->f->sw[s].name,
			.sw = s,
			.level = shape->level[s] < t->nlevels ?
					 shape->level[s] :
					 t->nlevels - 1,
			.group = group == WEFT_NONE ? 0 : group - first,
		};
	}
}

/* How much room each pod needs, and each switch gets. */
static void measure_pods(struct tree *t)
{
	double sum = 0, x = 0, free = WIDE - LABELS;
	uint32_t top = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct place *p = &t->place[i];

		if (is_top(t, p->sw))
			top++;
		else
			t->count[p->group * t->nlevels + p->level]++;
	}
	for (uint32_t g = 0; g < t->ngroups; g++) {
		for (unsigned k = 0; k < t->nlevels; k++)
			if (t->count[g * t->nlevels + k] > t->w[g])
				t->w[g] = t->count[g * t->nlevels + k];
		sum += t->w[g];
	}
	free -= (t->ngroups - 1) * BETWEEN;
	t->slot = free / (sum > top ? sum : top);
	t->slot = t->slot > WEFT__DRAW_SLOT ? WEFT__DRAW_SLOT :
		  t->slot < NARROWEST	    ? NARROWEST :
					      t->slot;
	for (uint32_t g = 0; g < t->ngroups; g++) {
		t->w[g] *= t->slot;
		t->x[g] = x;
		x += t->w[g] + BETWEEN;
	}
	t->width = x - BETWEEN > top * t->slot ? x - BETWEEN : top * t->slot;
	t->step = t->width * .13 < 120 ? 120 : t->width * .13;
}

/* Whether a place and that before it are of different planes. */
static bool is_apart(const struct tree *t, uint32_t i)
{
	return t->place[i].group != t->place[i - 1].group;
}

/* Places a row of switches, place[from] to place[to - 1], in the middle of a
 * span, with gaps between planes where these are few. */
static void place_row(struct tree *t, uint32_t from, uint32_t to, double x,
		      double w)
{
	struct weft__spot size = weft__layout_size(t->slot);
	uint32_t n = to - from, planes = 0, cluster = t->place[from].sw;
	double each, gap = 0;

	for (uint32_t i = from + 1; i < to; i++)
		planes += is_apart(t, i);
	if (planes && 2 * planes < n)
		gap = .15 * w / planes < t->slot ? .15 * w / planes : t->slot;
	each = (w - planes * gap) / n;
	each = each > 1.5 * t->slot ? 1.5 * t->slot : each;
	x += (w - each * n - gap * planes) / 2;
	for (uint32_t i = from; i < to; i++) {
		const struct place *p = &t->place[i];

		if (i > from && is_apart(t, i)) {
			cluster = p->sw;
			x += gap;
		}
		size.x = LABELS + x + each * (i - from + .5);
		size.y = HEAD + t->step * (t->nlevels - 1 - p->level);
		t->l->spot[p->sw] = size;
		t->l->cluster[p->sw] = cluster;
	}
}

static void place_rows(struct tree *t)
{
	for (uint32_t i = 0, end; i < t->n; i = end) {
		const struct place *p = &t->place[i];
		bool top = is_top(t, p->sw);

		for (end = i; end < t->n && t->place[end].level == p->level &&
			      is_top(t, t->place[end].sw) == top &&
			      (top || t->place[end].group == p->group);)
			end++;
		if (top)
			place_row(t, i, end, 0, t->width);
		else
			place_row(t, i, end, t->x[p->group], t->w[p->group]);
	}
}

/* --- words ---------------------------------------------------------------- */

static bool name_levels(struct tree *t, const struct weft_shape_part *part)
{
	for (unsigned k = 0; k < t->nlevels; k++) {
		double y = HEAD + t->step * (t->nlevels - 1 - k);

		for (unsigned line = 0; line < 2; line++) {
			struct weft__words *w = weft__layout_words(t->l);

			if (!w)
				return false;
			w->x = 0;
			w->y = y + (line ? 12 : -2);
			w->anchor = 's';
			if (line)
				snprintf(w->text, sizeof(w->text), "%s",
					 WEFT_COUNT(part->level[k].switches,
						    "switch"));
			else
				snprintf(w->text, sizeof(w->text), "level %u",
					 k + 1);
		}
	}
	return true;
}

/* A frame around each pod, with how many hosts are in it. */
static bool frame_pods(struct tree *t)
{
	for (uint32_t g = 0; g < t->ngroups && t->ngroups > 1; g++) {
		struct weft__frame *frame = weft__layout_frame(t->l);
		uint32_t hosts = 0;
		unsigned levels = 0;

		if (!frame)
			return false;
		for (uint32_t i = 0; i < t->n; i++) {
			const struct place *p = &t->place[i];

			if (is_top(t, p->sw) || p->group != g)
				continue;
			hosts += t->l->hosts[p->sw];
			levels = p->level > levels ? p->level : levels;
		}
		frame->x = LABELS + t->x[g] - BETWEEN / 2 + 1;
		frame->w = t->w[g] + BETWEEN - 2;
		frame->y = HEAD + t->step * (t->nlevels - 1 - levels) - NAME;
		frame->h = t->step * levels + NAME + FOOT + 4;
		snprintf(frame->name, sizeof(frame->name), "%s",
			 t->l->group_name[t->first + g]);
		snprintf(frame->text, sizeof(frame->text), "%s",
			 WEFT_COUNT(hosts, frame->w < 56 ? NULL : "host"));
	}
	return true;
}

bool weft__layout_tree(struct weft__layout *l, struct weft__region *r)
{
	struct tree t = { .l = l };
	uint32_t *scratch = calloc(l->f->nsw + (size_t)1, sizeof(*scratch));
	size_t groups = l->shape->part[r->part].ngroups + (size_t)1;
	bool ok;

	t.place = calloc(r->n, sizeof(*t.place));
	t.count = calloc(groups * WEFT_SHAPE_LEVELS, sizeof(*t.count));
	t.x = calloc(groups, sizeof(*t.x));
	t.w = calloc(groups, sizeof(*t.w));
	ok = scratch && t.place && t.count && t.x && t.w;
	if (ok) {
		number_places(&t, r);
		find_planes(&t, scratch);
		qsort(t.place, t.n, sizeof(*t.place), by_place);
		measure_pods(&t);
		place_rows(&t);
		l->bend[r->part] = t.step * .2;
		r->w = LABELS + t.width;
		r->h = HEAD + t.step * (t.nlevels - 1) + FOOT + 10;
		ok = name_levels(&t, &l->shape->part[r->part]) &&
		     frame_pods(&t);
	}
	free(scratch);
	free(t.place);
	free(t.count);
	free(t.x);
	free(t.w);
	return ok;
}
