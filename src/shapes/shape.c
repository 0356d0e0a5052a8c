// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: what a fabric is
 *
 * Each part that cables join is looked at by itself.  Where some switches have
 * no hosts, groups that are joined each to each and a tree are looked for
 * first; where all have (or none has), a product of rings, and one of full
 * meshes.
 */
#include <weft/shape.h>

#include "core/arena.h"
#include "core/fabric/split.h"
#include "core/grow.h"
#include "core/text/words.h"
#include "shapes/shape.h"

#include <weft/diag.h>
#include <weft/planes.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void weft_shape_free(struct weft_shape *s)
{
	for (uint32_t i = 0; i < s->nnotes; i++)
		free(s->note[i].text);
	free(s->note);
	free(s->gap);
	free(s->part);
	free(s->speed);
	free(s->part_of);
	free(s->level);
	free(s->group);
	free(s->at);
	*s = (struct weft_shape){ .nparts = 0 };
}

const char *weft_shape_name(enum weft_shape_kind kind)
{
	static const char *const name[] = {
		[WEFT_SHAPE_SINGLE] = "switch",
		[WEFT_SHAPE_TREE] = "tree",
		[WEFT_SHAPE_GRID] = "grid",
		[WEFT_SHAPE_HYPERX] = "hyperx",
		[WEFT_SHAPE_GROUPS] = "groups",
		[WEFT_SHAPE_IRREGULAR] = "irregular",
	};

	return name[kind];
}

/* Whether each switch has a host, or none has. */
static bool are_alike(const struct weft_fabric *f)
{
	uint32_t with = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		with += f->sw_ep_first[s] != f->sw_ep_first[s + 1];
	return !with || with == f->nsw;
}

/* Asks for one kind after the other. */
static int find_kind(struct weft__shape_job *j)
{
	typedef int ask(struct weft__shape_job * j, bool *found);
	static ask *const indirect[] = { weft__shape_groups, weft__shape_tree,
					 weft__shape_grid, weft__shape_hyperx,
					 weft__shape_levels };
	static ask *const direct[] = { weft__shape_grid, weft__shape_hyperx,
				       weft__shape_tree, weft__shape_groups,
				       weft__shape_levels };
	ask *const *order = are_alike(j->f) ? direct : indirect;
	bool found = false;

	for (unsigned i = 0; i < 5; i++) {
		int err = order[i](j, &found);

		if (err || found)
			return err;
	}
	return weft__shape_irregular(j);
}

static int look_at(struct weft__shape_job *j)
{
	struct weft_shape_part *p = j->part;
	int err;

	p->switches = j->f->nsw;
	p->hosts = j->f->nhosts;
	memset(j->group, 0xff, j->f->nsw * sizeof(*j->group));
	if (j->f->nsw == 1) {
		p->kind = WEFT_SHAPE_SINGLE;
		weft__shape_say(p, "one switch");
	} else {
		err = find_kind(j);
		if (err)
			return err;
	}
	if (p->kind != WEFT_SHAPE_TREE)
		weft__shape_say(p, ", %s",
				p->hosts ? WEFT_COUNT(p->hosts, "host") :
					   "no hosts");
	return weft__shape_note_all(j);
}

/* Copies what was found about a part to where its switches are. */
static void merge(struct weft_shape *s, const struct weft__shape_job *j,
		  uint32_t part, uint32_t *groups)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < j->f->nsw; i++) {
		uint32_t sw = j->sw[i], group = j->group[i];

		s->part_of[sw] = part;
		s->level[sw] = j->level[i];
		s->group[sw] = group == WEFT_NONE ? group : group + *groups;
		if (group != WEFT_NONE && group >= most)
			most = group + 1;
		memcpy(s->at + (size_t)sw * WEFT_SHAPE_DIMENSIONS,
		       j->at + (size_t)i * WEFT_SHAPE_DIMENSIONS,
		       WEFT_SHAPE_DIMENSIONS * sizeof(*j->at));
	}
	*groups += most;
}

static int find_part(struct weft_shape *s, const struct weft__part *part,
		     uint32_t i, struct weft__notes *notes, uint32_t *groups)
{
	uint32_t n = part->fabric->nsw;
	struct weft__shape_job j = {
		.f = part->fabric,
		.arena = weft__arena_new(),
		.part = &s->part[i],
		.notes = notes,
		.sw = part->sw,
	};
	int err = -ENOMEM;

	memset(notes->of_kind, 0, sizeof(notes->of_kind));
	if (j.arena) {
		j.level = weft__arena_zalloc(j.arena, n, sizeof(*j.level));
		j.group = weft__arena_alloc(j.arena, n, sizeof(*j.group));
		j.at = weft__arena_zalloc(j.arena,
					  (size_t)n * WEFT_SHAPE_DIMENSIONS,
					  sizeof(*j.at));
		if (j.level && j.group && j.at && weft__shape_find_repeats(&j))
			err = look_at(&j);
	}
	if (!err)
		merge(s, &j, i, groups);
	weft__arena_free(j.arena);
	return notes->failed ? -ENOMEM : err;
}

/* --- the whole ------------------------------------------------------------ */

static int by_cables(const void *va, const void *vb)
{
	const struct weft_shape_speed *a = va, *b = vb;
	uint32_t na = a->switches + a->hosts, nb = b->switches + b->hosts;

	if (na != nb)
		return na > nb ? -1 : 1;
	if (a->speed != b->speed)
		return a->speed > b->speed ? -1 : 1;
	return (a->width < b->width) - (a->width > b->width);
}

static bool count_speed(struct weft_shape *s, const struct weft_fabric *f,
			uint32_t ch)
{
	struct weft_shape_speed *at = s->speed;
	uint32_t i = 0;

	while (i < s->nspeeds &&
	       (at[i].width != f->width[ch] || at[i].speed != f->speed[ch]))
		i++;
	if (i == s->nspeeds) {
		if (weft__grow_one(&s->speed, i))
			return false;
		at = s->speed;
		at[i] = (struct weft_shape_speed){ .width = f->width[ch],
						   .speed = f->speed[ch] };
		s->nspeeds++;
	}
	if (weft_is_switch(f->peer[ch]))
		at[i].switches++;
	else
		at[i].hosts++;
	return true;
}

/* Counts each cable once. */
static bool count_speeds(struct weft_shape *s, const struct weft_fabric *f)
{
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		for (unsigned p = 1; p <= f->sw[sw].nports; p++) {
			uint32_t ch = weft_channel(f, sw, p);

			if (f->peer[ch] != WEFT_NONE && f->reverse[ch] > ch &&
			    !count_speed(s, f, ch))
				return false;
		}
	if (s->nspeeds)
		qsort(s->speed, s->nspeeds, sizeof(*s->speed), by_cables);
	return true;
}

/* A fabric in parts is told by the largest ones. */
static void say_whole(struct weft_shape *s)
{
	size_t n;

	if (!s->nparts) {
		snprintf(s->what, sizeof(s->what), "no switch");
		return;
	}
	if (s->nparts == 1) {
		snprintf(s->what, sizeof(s->what), "%s", s->part[0].what);
		return;
	}
	n = snprintf(s->what, sizeof(s->what), s->nplanes == s->nparts ?
		     "%u planes" : "%u parts that no cable joins", s->nparts);
	for (uint32_t i = 0; i < s->nparts && i < 2 && n < sizeof(s->what); i++)
		n += snprintf(s->what + n, sizeof(s->what) - n, "%s %.200s",
			      i ? ";" : ":", s->part[i].what);
	if (s->nparts > 2 && n < sizeof(s->what))
		snprintf(s->what + n, sizeof(s->what) - n, "; and %s more",
			 WEFT_COUNT(s->nparts - 2, NULL));
}

static bool alloc(struct weft_shape *s, uint32_t nsw, uint32_t nparts)
{
	s->part = calloc(nparts + (size_t)1, sizeof(*s->part));
	s->part_of = calloc(nsw + (size_t)1, sizeof(*s->part_of));
	s->level = calloc(nsw + (size_t)1, sizeof(*s->level));
	s->group = calloc(nsw + (size_t)1, sizeof(*s->group));
	s->at = calloc((nsw + (size_t)1) * WEFT_SHAPE_DIMENSIONS,
		       sizeof(*s->at));
	return s->part && s->part_of && s->level && s->group && s->at;
}

int weft_shape_find(const struct weft_fabric *f, struct weft_shape *out,
		    struct weft_diag *diag)
{
	struct weft_shape s = { .nparts = 0 };
	struct weft__notes notes = { .n = 0 };
	struct weft__split split;
	struct weft_planes planes = { 0 };
	uint32_t groups = 0;
	int err = weft__split_init(&split, f);

	if (!err)
		err = weft_planes_find(f, NULL, &planes);
	s.nplanes = planes.n;
	weft_planes_free(&planes);
	if (!err && (!alloc(&s, f->nsw, split.n) || !count_speeds(&s, f) ||
		     !weft__split_make(&split)))
		err = -ENOMEM;
	s.nparts = split.n;
	for (uint32_t i = 0; i < split.n && !err; i++)
		err = find_part(&s, &split.part[i], i, &notes, &groups);
	weft__split_free(&split);
	s.note = notes.note;
	s.nnotes = notes.n;
	s.irregular = notes.all;
	s.gap = notes.gap;
	s.ngaps = notes.ngaps;
	if (err) {
		weft_shape_free(&s);
		return weft_no_memory(diag);
	}
	say_whole(&s);
	*out = s;
	return 0;
}

const char *weft_shape_speed_text(const struct weft_shape_speed *speed,
				  char buf[WEFT_SHAPE_SPEED_SIZE])
{
	_Static_assert(WEFT_SHAPE_SPEED_SIZE >= WEFT__RATE_SIZE, "no room");
	return weft__rate_text(buf, speed->width, speed->speed);
}
