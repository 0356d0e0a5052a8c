// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Jobs and conditions as they are read become a schedule, in which each job has
 * its conditions in a row; what waits in a circle is found and told.
 */
#include "io/replay/build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CIRCLE_SHOWN 6 /* jobs of a circle that the error lists */

void weft_replay_free(struct weft_replay *replay)
{
	weft_sim_schedule_free(&replay->schedule);
	free(replay->line);
	free(replay->name);
	free(replay->names);
	*replay = (struct weft_replay){ 0 };
}

int weft__build_no_memory(const struct weft__build *b)
{
	return weft_fail_at(b->diag, ENOMEM, b->source->name, 0,
			    "out of memory");
}

int weft__build_made(const struct weft__build *b, int err)
{
	return err == -ENOMEM ? weft__build_no_memory(b) : err;
}

int weft__build_add(struct weft__build *b, const struct weft__entry *entry)
{
	int err = weft__build_grow(b, &b->entry, &b->room, b->n + 1);

	if (!err && b->n >= UINT32_MAX / 2 - 1)
		err = weft__build_fail(b, entry->line,
				       "more than %u messages and pauses",
				       UINT32_MAX / 2 - 1);
	if (!err)
		b->entry[b->n++] = *entry;
	return err;
}

int weft__build_wait(struct weft__build *b, uint32_t job, uint32_t condition)
{
	int err = weft__build_grow(b, &b->edge, &b->edge_room, b->nedges + 1);

	if (!err)
		b->edge[b->nedges++] = (struct weft__edge){ job, condition };
	return err;
}

int weft__build_rank(const struct weft__build *b, uint64_t rank,
		     unsigned long line)
{
	if (rank < b->nranks)
		return 0;
	return weft__build_fail(b, line,
				"rank %" PRIu64
				", but there are places for %u: ranks are 0 to %u",
				rank, b->nranks, b->nranks - 1);
}

/* --- names ---------------------------------------------------------------- */

static int compare_words(struct weft__word a, struct weft__word b)
{
	int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

static int by_name(const void *a, const void *b)
{
	const struct weft__called *x = a, *y = b;
	int order = compare_words(x->name, y->name);

	return order ? order : (x->value > y->value) - (x->value < y->value);
}

void weft__names_sort(struct weft__called *list, uint64_t n)
{
	if (n)
		qsort(list, n, sizeof(*list), by_name);
}

const struct weft__called *weft__names_find(const struct weft__called *list,
					    uint64_t n, struct weft__word name)
{
	uint64_t low = 0, high = n;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (compare_words(list[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && !compare_words(list[low].name, name) ? &list[low] :
								 NULL;
}

const struct weft__called *weft__names_twice(const struct weft__called *list,
					     uint64_t n)
{
	for (uint64_t i = 1; i < n; i++)
		if (!compare_words(list[i - 1].name, list[i].name))
			return &list[i];
	return NULL;
}

/* --- circles -------------------------------------------------------------- */

/* A walk along conditions: jobs on the way, and what is next of each. */
struct walk {
	uint32_t *way;	/* [n] */
	uint64_t *next; /* [n] by job, into after[] */
	uint8_t *state; /* [n] NEW, OPEN, CLOSED */
	uint32_t depth;
};
enum { NEW, OPEN, CLOSED };

/* Finds a job that is met again on the way to what from waits for; the way is
 * the circle from where it stands there. */
static uint32_t find_circle(const struct weft_sim_schedule *g, uint32_t from,
			    struct walk *w)
{
	w->way[w->depth++] = from;
	w->state[from] = OPEN;
	while (w->depth) {
		uint32_t at = w->way[w->depth - 1], to;

		if (g->first[at] + w->next[at] == g->first[at + 1]) {
			w->state[at] = CLOSED;
			w->depth--;
			continue;
		}
		to = g->after[g->first[at] + w->next[at]++] / 2;
		if (w->state[to] == OPEN)
			return to;
		if (w->state[to] == NEW) {
			w->way[w->depth++] = to;
			w->state[to] = OPEN;
		}
	}
	return WEFT_NONE;
}

/* Says which lines wait for each other. */
static int say_circle(const struct weft__build *b, const struct walk *w,
		      uint32_t first)
{
	char text[64 * CIRCLE_SHOWN] = "";
	uint32_t n = 0, begin = w->depth;
	size_t used = 0;

	while (w->way[--begin] != first)
		;
	for (uint32_t i = begin + 1; i < w->depth && n < CIRCLE_SHOWN; i++, n++)
		used += snprintf(text + used, sizeof(text) - used,
				 "line %lu, which waits for ",
				 b->entry[w->way[i]].line);
	if (w->depth - begin - 1 > n)
		snprintf(text + used, sizeof(text) - used,
			 "%u others, and these for ", w->depth - begin - 1 - n);
	return weft_fail_at(b->diag, ELOOP, b->source->name,
			    b->entry[first].line,
			    "messages wait for each other in a circle: this one waits for %s%s",
			    text, w->depth - begin > 1 ? "it" : "itself");
}

static int refuse_circle(const struct weft__build *b,
			 const struct weft_sim_schedule *g, uint32_t stuck)
{
	struct walk w = {
		.way = malloc(g->n * sizeof(*w.way)),
		.next = calloc(g->n, sizeof(*w.next)),
		.state = calloc(g->n, 1),
	};
	int err = w.way && w.next && w.state ? 0 : weft__build_no_memory(b);

	/* What is stuck waits for a circle, at the end of some way. */
	if (!err)
		err = say_circle(b, &w, find_circle(g, stuck, &w));
	free(w.way);
	free(w.next);
	free(w.state);
	return err;
}

/* --- the end -------------------------------------------------------------- */

/* Sorts conditions by the jobs that have them, each of them once. */
static void sort_edges(const struct weft__build *b, struct weft_sim_schedule *g)
{
	for (uint64_t i = 0; i < b->nedges; i++)
		g->first[b->edge[i].job + 1]++;
	for (uint32_t i = 0; i < g->n; i++)
		g->first[i + 1] += g->first[i];
	for (uint64_t i = b->nedges; i-- > 0;)
		g->after[--g->first[b->edge[i].job + 1]] = b->edge[i].condition;
	/* Each first[i + 1] is where the conditions of i begin now. */
	memmove(g->first, g->first + 1, g->n * sizeof(*g->first));
	g->first[g->n] = b->nedges;
}

static bool allocate(const struct weft__build *b, uint64_t text,
		     struct weft_replay *out)
{
	struct weft_sim_schedule *g = &out->schedule;

	g->job = malloc((b->n + 1) * sizeof(*g->job));
	g->first = calloc(b->n + 2, sizeof(*g->first));
	g->after = malloc((b->nedges + 1) * sizeof(*g->after));
	out->line = malloc((b->n + 1) * sizeof(*out->line));
	out->name = malloc((b->n + 1) * sizeof(*out->name));
	out->names = malloc(text + 1);
	return g->job && g->first && g->after && out->line && out->name &&
	       out->names;
}

/* Copies jobs, lines and names. */
static void copy_entries(const struct weft__build *b, struct weft_replay *out)
{
	uint64_t used = 1;

	out->names[0] = '\0';
	for (uint64_t i = 0; i < b->n; i++) {
		const struct weft__entry *e = &b->entry[i];

		out->schedule.job[i] = e->job;
		out->messages += e->job.from != e->job.to;
		out->line[i] = e->line < UINT32_MAX ? e->line : UINT32_MAX;
		out->name[i] = e->name.n ? used : 0;
		if (!e->name.n)
			continue;
		memcpy(out->names + used, e->name.p, e->name.n);
		used += e->name.n;
		out->names[used++] = '\0';
	}
}

static int make_replay(const struct weft__build *b, struct weft_replay *out)
{
	struct weft_sim_schedule *g = &out->schedule;
	uint32_t stuck;
	uint64_t text = 1;
	int err;

	for (uint64_t i = 0; i < b->n; i++)
		text += b->entry[i].name.n + 1;
	*g = (struct weft_sim_schedule){ .nranks = b->nranks, .n = b->n };
	if (!allocate(b, text, out))
		return weft__build_no_memory(b);
	copy_entries(b, out);
	sort_edges(b, g);
	err = weft_sim_schedule_check(g, &stuck, b->diag);
	return err == -ELOOP  ? refuse_circle(b, g, stuck) :
	       err == -ENOMEM ? weft__build_no_memory(b) :
				err;
}

int weft__build_end(struct weft__build *b, int err, struct weft_replay *out)
{
	struct weft_replay made = { 0 };

	/* Calculations alone are a schedule, too. */
	if (!err && !b->n)
		err = weft__build_fail(b, 0, "no message in it");
	if (!err)
		err = make_replay(b, &made);
	free(b->entry);
	free(b->edge);
	if (err)
		weft_replay_free(&made);
	else
		*out = made;
	return err;
}
