// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The jobs that run now: their hosts are taken, and their traffic is beside
 * that of the job to be placed. */
#include "tools/place/place.h"

#include <weft/rails.h>

#include <stdlib.h>
#include <string.h>

void tool_others_free(struct tool_others *o)
{
	weft_jobs_free(&o->jobs);
	weft_beside_free(&o->beside);
	*o = (struct tool_others){ .running = false };
}

bool tool_others_read(struct tool *t, const struct weft_fabric *f,
		      struct tool_others *out)
{
	struct weft_job_list list;
	int err;

	*out = (struct tool_others){ .file = t->args.jobs };
	if (!out->file)
		return true;
	if (weft_io_read_jobs(out->file, &list, &t->diag))
		return false;
	err = weft_jobs_find(&list, f, &out->jobs, &t->diag);
	weft_job_list_free(&list);
	return !err;
}

/* Notes for each machine which job has it, 1 + its number; 0: none. */
static uint32_t *list_users(const struct weft_fabric *f,
			    const struct weft_jobs *jobs)
{
	uint32_t *user = calloc(f->nmachines + 1ull, sizeof(*user));

	for (uint32_t j = 0; user && j < jobs->n; j++)
		for (uint32_t i = 0; i < jobs->job[j].n; i++)
			if (!user[jobs->job[j].machine[i]])
				user[jobs->job[j].machine[i]] = j + 1;
	return user;
}

uint32_t *tool_others_idle(const struct weft_fabric *f,
			   const struct tool_others *o, uint32_t *n)
{
	uint32_t *user = list_users(f, &o->jobs);
	uint32_t *idle = malloc((f->nmachines + 1ull) * sizeof(*idle));

	*n = 0;
	for (uint32_t m = 0; user && idle && m < f->nmachines; m++) {
		const struct weft_endport *ep =
			&f->ep[f->machine_endport[f->machine_first[m]]];

		if (ep->kind == WEFT_HOST && !user[m] &&
		    !weft_kind_stores(f->use_name[ep->use]))
			idle[(*n)++] = m;
	}
	free(user);
	return idle;
}

/* A job that has these hosts and no other ones is the one that is placed. */
static bool is_same(const struct weft_job *job, const struct tool_places *p,
		    const uint8_t *asked)
{
	uint32_t there = 0;

	for (uint32_t i = 0; i < job->n; i++)
		there += asked[job->machine[i]];
	return there == job->n && there == p->n;
}

static bool drop_itself(struct tool *t, const struct weft_fabric *f,
			struct tool_others *o, const struct tool_places *p)
{
	uint8_t *asked = calloc(f->nmachines + 1ull, 1);

	if (!asked)
		return tool_no_memory(t);
	for (uint32_t i = 0; i < p->n; i++)
		asked[p->machine[i]] = 1;
	for (uint32_t j = 0; j < o->jobs.n; j++)
		if (is_same(&o->jobs.job[j], p, asked)) {
			weft_diag_at(&t->diag, WEFT_NOTE, o->file,
				     o->jobs.job[j].line,
				     "job '%s' is the one to be placed: left aside",
				     o->jobs.job[j].name);
			weft_jobs_drop(&o->jobs, j--);
		}
	free(asked);
	return true;
}

static bool refuse_taken(struct tool *t, const struct weft_fabric *f,
			 const struct tool_others *o,
			 const struct tool_places *p, const char *option)
{
	uint32_t *user = list_users(f, &o->jobs), taken = 0, first = 0;
	const struct weft_job *job;
	char name[256];

	if (!user)
		return tool_no_memory(t);
	for (uint32_t i = p->n; i-- > 0;)
		if (user[p->machine[i]]) {
			taken++;
			first = i;
		}
	if (taken) {
		job = &o->jobs.job[user[p->machine[first]] - 1];
		weft_machine_name(f, p->machine[first], name, sizeof(name));
		weft_diag_at(&t->diag, WEFT_ERROR, o->file, job->line,
			     "of the %s of --%s %u %s taken, first of them '%s' by job '%s': leave %s out, or that job",
			     WEFT_COUNT(p->n, "host"), option, taken,
			     taken > 1 ? "are" : "is", name, job->name,
			     taken > 1 ? "them" : "it");
	}
	free(user);
	return !taken;
}

bool tool_others_check(struct tool *t, const struct weft_fabric *f,
		       struct tool_others *o, const struct tool_places *p,
		       const char *option)
{
	return (!strcmp(option, "free") || drop_itself(t, f, o, p)) &&
	       refuse_taken(t, f, o, p, option);
}

bool tool_others_send(struct tool *t, const struct weft_fabric *f,
		      struct tool_others *o, const char *pattern)
{
	bool talk = false;

	o->pattern = pattern;
	for (uint32_t j = 0; j < o->jobs.n; j++)
		talk |= o->jobs.job[j].nranks > 1;
	if (!talk)
		return true;
	o->running = !weft_jobs_beside(f, &o->jobs, pattern, 0, t->args.seed,
				       &o->beside, &t->diag);
	return o->running || tool_hint(t);
}
