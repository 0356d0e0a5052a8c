// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Jobs side by side, and what they lose by that: each goes through its pattern
 * alone, and with all others, the pairs of --flows and port 0 of switches.
 * A pattern of all ranks beside these is one job.
 */
#include "tools/sim/jobs.h"

#include "tools/common/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PASSES 1000000

void tool_sim_jobs_free(struct tool_sim_jobs *jobs)
{
	for (uint32_t i = 0; i < jobs->n; i++)
		weft_traffic_free(jobs->job[i].traffic);
	weft_traffic_free(jobs->beside);
	weft_replay_free(&jobs->replay);
	free(jobs->flow_sl);
	free(jobs->job);
	*jobs = (struct tool_sim_jobs){ 0 };
}

bool tool_sim_side_by_side(const struct tool *t)
{
	const struct tool_sim_own *own = t->own;

	return t->args.jobs || ((tool_sim_to_end(t) || own->replay) &&
				(own->flows || tool_args_given(t, "switches")));
}

/* --- places --------------------------------------------------------------- */

/* Says whose adapter is another one's, too. */
static bool refuse_twice(struct tool *t, const struct weft_jobs *jobs,
			 uint32_t endport)
{
	const struct weft_job *found[2] = { NULL, NULL };

	for (uint32_t j = 0; j < jobs->n; j++)
		for (uint32_t i = 0; i < jobs->job[j].nranks; i++)
			if (jobs->job[j].endport[i] == endport && !found[1])
				found[!!found[0]] = &jobs->job[j];
	weft_diag_at(
		&t->diag, WEFT_ERROR, t->args.jobs, found[1]->line,
		"job %s has a host of job %s: packets are simulated for one of them, leave the other one out",
		found[1]->name, found[0]->name);
	return false;
}

static bool place(struct tool *t, const struct weft_fabric *f,
		  const struct weft_jobs *jobs, struct weft_mapping *out)
{
	struct weft_mapping_spec spec = { .order = WEFT_ORDER_GIVEN };
	uint32_t *given = calloc(f->nep + 1ull, sizeof(*given));
	uint8_t *seen = calloc(f->nep + 1ull, 1);
	bool ok = given && seen ? true : tool_no_memory(t);

	for (uint32_t j = 0; j < jobs->n && ok; j++)
		for (uint32_t i = 0; i < jobs->job[j].nranks && ok; i++) {
			uint32_t ep = jobs->job[j].endport[i];

			ok = !seen[ep]++ || refuse_twice(t, jobs, ep);
			if (ok)
				given[spec.ngiven++] = ep;
		}
	spec.given = given;
	ok = ok && !weft_mapping_init(out, f, &spec, &t->diag);
	free(given);
	free(seen);
	return ok;
}

bool tool_sim_jobs_place(struct tool *t, const struct weft_fabric *f,
			 struct weft_jobs *jobs, struct weft_mapping *out)
{
	struct weft_job_list list;
	int err = weft_io_read_jobs(t->args.jobs, &list, &t->diag);

	if (err)
		return false;
	err = weft_jobs_find(&list, f, jobs, &t->diag);
	weft_job_list_free(&list);
	if (err)
		return false;
	if (place(t, f, jobs, out))
		return true;
	weft_jobs_free(jobs);
	return false;
}

/* --- jobs ----------------------------------------------------------------- */

/* Reads how often jobs go through their patterns: a number for all, or one for
 * each. */
static bool read_passes(struct tool *t, struct tool_sim_jobs *jobs)
{
	const char *text = ((const struct tool_sim_own *)t->own)->passes;
	const char *at = text;
	uint64_t value = 1;
	uint32_t n = 0;
	bool ok = true;

	while (at && *at && n < jobs->n && ok) {
		at += n && *at == ',';
		ok = weft_number_uint_at(&at, ",", MAX_PASSES, &value) && value;
		jobs->job[n++].passes = value;
	}
	if (at && (!ok || *at || (n > 1 && n < jobs->n)))
		return tool_usage(t, "--passes takes a number of passes, 1 to %d, for all jobs, or one for each of them (%u) with commas between, not '%s'",
				  MAX_PASSES, jobs->n, text) == TOOL_FINE;
	for (; n < jobs->n; n++)
		jobs->job[n].passes = value;
	return true;
}

/* Lists the jobs, whose patterns are given one for each, or one for all; or
 * else the patterns. */
static bool list_jobs(const struct tool_sim_plan *p, struct tool_sim_jobs *out)
{
	const struct tool_sim_own *own = p->t->own;
	unsigned patterns = tool_sim_patterns(p->t);
	uint32_t first = 0, n = p->jobs ? p->jobs->n : patterns;

	if (p->jobs && patterns > 1 && patterns != n)
		return tool_usage(
			       p->t,
			       "--jobs has %s, but there are %u patterns: give one for all, or one for each with -p",
			       WEFT_COUNT(n, "job"), patterns) == TOOL_FINE;
	n = own->replay ? 1 : n;
	out->job = calloc(n + 1ull, sizeof(*out->job));
	if (!out->job)
		return tool_no_memory(p->t);
	out->n = n;
	for (uint32_t i = 0; i < n; i++) {
		struct tool_sim_job *job = &out->job[i];

		job->pattern = own->replay ?
				       own->replay :
				       tool_sim_pattern(p->t, i % patterns);
		job->ranks = p->spec.mapping->nranks;
		if (!p->jobs)
			continue;
		job->name = p->jobs->job[i].name;
		job->first = first;
		job->ranks = p->jobs->job[i].nranks;
		first += job->ranks;
	}
	return read_passes(p->t, out);
}

static bool make_patterns(const struct tool_sim_plan *p,
			  const struct tool_case *c, struct tool_sim_jobs *jobs)
{
	const struct tool_sim_own *own = p->t->own;

	if (own->replay)
		return !weft_replay_read(own->replay, p->spec.mapping->nranks,
					 &jobs->replay, &p->t->diag);
	for (uint32_t i = 0; i < jobs->n; i++) {
		struct tool_sim_job *job = &jobs->job[i];

		if (!tool_sim_list_pattern(
			    p, i % tool_sim_patterns(p->t), c->fabric,
			    p->spec.mapping->endport + job->first, job->ranks,
			    &job->traffic))
			return false;
	}
	return true;
}

/* Sets a run of n jobs, from first on. */
static void set_run(struct tool_sim_run *run, struct tool_sim_jobs *jobs,
		    uint32_t first, uint32_t n, bool together)
{
	const struct tool_sim_own *own = run->own;

	run->jobs = jobs;
	run->first_job = first;
	run->njobs = n;
	run->sync = jobs->sync;
	run->back = own->back;
	run->together = together;
	run->s.pattern = n > 1 ? "jobs" : jobs->job[first].pattern;
	run->s.sync = tool_sim_sync_names[run->sync];
	if (own->replay) {
		run->s.sync = NULL;
		run->s.replay = &jobs->replay;
		run->spec.schedule = &jobs->replay.schedule;
		run->spec.in_order =
			!own->flows && tool_sim_in_order(own, &jobs->replay);
	}
	if (!together) {
		run->spec.switch_load = 0;
		return;
	}
	run->spec.beside = jobs->beside;
	run->spec.flow_sl = jobs->flow_sl;
	run->s.jobs = &jobs->job[first];
	run->s.njobs = n;
}

static bool list_runs(const struct tool_sim_plan *p, struct tool_sim_runs *out)
{
	struct tool_sim_jobs *jobs = &out->jobs;
	bool apart = !p->jobs;
	uint32_t at = 0;

	for (uint32_t i = 0; i < jobs->n; i++) {
		set_run(&out->run[at++], jobs, i, 1, false);
		if (apart)
			set_run(&out->run[at++], jobs, i, 1, true);
	}
	if (!apart)
		set_run(&out->run[at++], jobs, 0, jobs->n, true);
	return true;
}

bool tool_sim_list_jobs(const struct tool_sim_plan *p,
			const struct tool_case *c, struct tool_sim_runs *out)
{
	const struct tool_sim_own *own = p->t->own;
	struct tool_sim_jobs *jobs = &out->jobs;

	/* beside other traffic ranks go on by themselves unless told otherwise */
	jobs->sync = tool_args_given(p->t, "sync") ? own->sync :
						     WEFT_SIM_SYNC_RANK;
	return list_jobs(p, jobs) && make_patterns(p, c, jobs) &&
	       tool_sim_list_flows(p, &jobs->beside, &jobs->flow_sl) &&
	       tool_sim_list_begin(p, c, out,
				   p->jobs ? jobs->n + 1 : 2 * jobs->n) &&
	       list_runs(p, out);
}

int tool_sim_jobs_schedule(struct tool_sim_run *run)
{
	run->schedule.nranks = run->spec.mapping->nranks;
	for (uint32_t i = 0; i < run->njobs; i++) {
		const struct tool_sim_job *job =
			&run->jobs->job[run->first_job + i];
		struct weft_sim_schedule one;
		int err = weft_sim_schedule_rounds(
			job->traffic, run->spec.bytes, run->sync, run->back,
			job->passes, run->spec.seed, &one);

		if (err)
			return err;
		err = weft_sim_schedule_add(&run->schedule, &one, job->first);
		weft_sim_schedule_free(&one);
		if (err)
			return err;
	}
	return 0;
}

/* --- what came of them ---------------------------------------------------- */

/* Returns when the last message of a job's ranks was delivered, in us for each
 * pass; 0: not all were. */
static double end_of(const struct tool_sim_run *run,
		     const struct tool_sim_job *job)
{
	const struct weft_sim_schedule *g = run->spec.schedule;
	const struct weft_sim *r = &run->s.result;
	uint64_t last = 0;

	for (uint32_t i = 0; i < r->jobs; i++) {
		if (g->job[i].from - job->first >= job->ranks)
			continue;
		if (r->job_done[i] == UINT64_MAX)
			return 0;
		if (r->job_done[i] > last)
			last = r->job_done[i];
	}
	return last / 1e6 / job->passes;
}

void tool_sim_jobs_note(struct tool_sim_run *run)
{
	for (uint32_t i = 0; i < run->njobs; i++) {
		struct tool_sim_job *job = &run->jobs->job[run->first_job + i];
		double end = end_of(run, job);

		if (run->together)
			job->together = end;
		else
			job->alone = end;
	}
}

/* A job on paper. */
struct row {
	const char *name, *pattern;
	uint32_t ranks;
	double alone, together, longer;
};

static bool is_alone(const void *record)
{
	return ((const struct row *)record)->alone > 0;
}

static bool is_together(const void *record)
{
	return ((const struct row *)record)->together > 0;
}

static bool is_both(const void *record)
{
	return is_alone(record) && is_together(record);
}

static const struct tool_field job_fields[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
	FIELD(ranks, COUNT, "ranks", .words = "ranks", .width = 9),
	FIELD(alone, REAL, "alone_us", .words = "alone, us", .width = 13,
	      .digits = 3, .exact = true, .when = is_alone),
	FIELD(together, REAL, "together_us", .words = "together, us",
	      .width = 13, .digits = 3, .exact = true, .when = is_together),
	FIELD(longer, REAL, "times", .words = "times", .width = 9, .digits = 4,
	      .when = is_both),
	FIELD(name, NAME, "job"),
	TOOL_FIELDS_END
};

/* Which the line of a run has, too. */
static const struct tool_field pattern_field[] = {
	FIELD(pattern, NAME, "pattern"),
	TOOL_FIELDS_END
#undef FIELD
};

static struct row row_of(const struct tool_sim_job *job)
{
	return (struct row){ job->name,	    job->pattern,
			     job->ranks,    job->alone,
			     job->together, job->together / job->alone };
}

void tool_sim_jobs_print(const struct tool_sim *s, FILE *out)
{
	char text[160];

	tool_record_heads(job_fields, out);
	fputs("  job\n", out);
	for (uint32_t i = 0; i < s->njobs; i++) {
		const struct row row = row_of(&s->jobs[i]);

		tool_record_row(job_fields, &row, out);
		if (row.name)
			fprintf(out, "  %s,",
				weft_diag_printable(text, sizeof(text),
						    row.name));
		fprintf(out, " %s\n",
			weft_diag_printable(text, sizeof(text), row.pattern));
	}
}

json_t *tool_sim_jobs_json(const struct tool_sim *s)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < s->njobs; i++) {
		const struct row row = row_of(&s->jobs[i]);
		json_t *object = tool_record_object(job_fields, &row);

		tool_record_json(pattern_field, &row, object);
		json_array_append_new(array, object);
	}
	return array;
}

void tool_sim_jobs_keys(FILE *out)
{
	tool_record_keys(job_fields, out);
}

void tool_sim_jobs_csv(const struct tool_sim_job *job, FILE *out)
{
	struct row row;

	if (!job) {
		tool_record_csv(job_fields, NULL, out);
		return;
	}
	row = row_of(job);
	tool_record_csv(job_fields, &row, out);
}
