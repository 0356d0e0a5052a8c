// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze --jobs: what each job gets, alone and beside the others. */
#include "tools/analyze/jobs.h"

#include "tools/common/parts.h"
#include "tools/common/record.h"

#include <math.h>
#include <stdlib.h>

#define PATTERN "shift"

/* The jobs of one case. */
struct shares {
	const struct weft_fabric *f;
	const char *const *pattern;	/* [npatterns] for all, or each's */
	uint32_t npatterns;
	const char *patterns;	/* all of them */
	struct weft_jobs jobs;
	struct weft_jobs_shares all;
};

/* A job on paper. */
struct job {
	const struct shares *of;
	const char *name, *pattern, *neighbour;
	unsigned long line;
	uint32_t hosts, ranks;
	struct weft_job_share s;
	double kept;		/* together / alone */
};

static struct job job_of(const struct shares *s, uint32_t j)
{
	const struct weft_job *job = &s->jobs.job[j];
	struct job out = {
		.of = s, .name = job->name, .line = job->line, .hosts = job->n,
		.ranks = job->nranks,
		.pattern = s->pattern[s->npatterns > 1 ? j : 0],
		.s = s->all.job[j],
	};

	out.kept = out.s.together / out.s.alone;
	if (out.s.neighbour != WEFT_NONE)
		out.neighbour = s->jobs.job[out.s.neighbour].name;
	return out;
}

static bool has_neighbour(const void *record)
{
	return ((const struct job *)record)->neighbour;
}

static bool has_channel(const void *record)
{
	return ((const struct job *)record)->s.channel != WEFT_NONE;
}

static const char *channel_text(const struct job *job, char *buf, size_t size)
{
	return tool_text_channel(job->of->f, job->s.channel, buf, size);
}

static json_t *channel_json(const void *record)
{
	const struct job *job = record;

	return has_channel(job) ? tool_part_json(job->of->f, job->s.channel) :
				  json_null();
}

static const struct tool_field job_fields[] = {
#define FIELD(...) TOOL_FIELD(struct job, __VA_ARGS__)
	FIELD(name, NAME, "job"),
	FIELD(line, COUNT, "line"),
	FIELD(pattern, NAME, "pattern"),
	FIELD(hosts, COUNT, "hosts", .words = "hosts", .width = 6),
	FIELD(ranks, COUNT, "ranks"),
	FIELD(s.leaves, COUNT, "leaves", .words = "leaves", .width = 7),
	FIELD(s.alone, REAL, "alone", .words = "alone", .width = 7,
	      .digits = 4),
	FIELD(s.together, REAL, "together", .words = "together", .width = 9,
	      .digits = 4),
	FIELD(kept, REAL, "kept", .words = "kept", .width = 7, .digits = 4),
	FIELD(s.alone_lower, REAL, "alone_lower", .words = "slowest",
	      .width = 8, .digits = 4),
	FIELD(s.together_lower, REAL, "together_lower", .words = "together",
	      .width = 9, .digits = 4),
	FIELD(neighbour, NAME, "neighbour"),
	FIELD(s.without, REAL, "without", .when = has_neighbour),
	TOOL_TREE_OF("meet_at", channel_json),
	FIELD(s.streams, REAL, "streams", .when = has_channel),
	FIELD(s.other_streams, REAL, "neighbour_streams", .when = has_channel),
	TOOL_FIELDS_END
#undef FIELD
};

/* --- text ----------------------------------------------------------------- */

static void print_job(const struct job *job, FILE *out)
{
	char name[160], other[160], channel[400], text[900];
	int used = 53, n;

	tool_record_row(job_fields, job, out);
	fputs("  ", out);
	used += 2;
	n = snprintf(text, sizeof(text), "%s",
		     weft_diag_printable(name, sizeof(name), job->name));
	if (job->neighbour)
		n += snprintf(text + n, sizeof(text) - n,
			      ": %.4f without job %s", job->s.without,
			      weft_diag_printable(other, sizeof(other),
						  job->neighbour));
	if (has_channel(job))
		snprintf(text + n, sizeof(text) - n,
			 "; they meet at %s, %.2f and %.2f streams",
			 channel_text(job, channel, sizeof(channel)),
			 job->s.streams, job->s.other_streams);
	tool_text_wrap(out, used, 10, text);
}

static void print_text(const void *record, FILE *out)
{
	const struct shares *s = record;

	fprintf(out,
		"jobs                           %s\n"
		"pattern within each            %s, %s\n"
		"each alone, mean of the ranks  %.4f of full bandwidth\n"
		"all jobs together              %.4f of full bandwidth\n"
		"streams without a route        %s\n",
		WEFT_COUNT(s->all.n, NULL), s->patterns,
		WEFT_COUNT(s->all.rounds, "round"), s->all.alone,
		s->all.together, WEFT_COUNT(s->all.lost, NULL));
	tool_record_heads(job_fields, out);
	fputs("  job, worst neighbour\n", out);
	for (uint32_t j = 0; j < s->all.n; j++) {
		const struct job job = job_of(s, j);

		print_job(&job, out);
	}
}

/* --- JSON and CSV --------------------------------------------------------- */

static json_t *jobs_json(const void *record)
{
	const struct shares *s = record;
	json_t *jobs = json_array();

	for (uint32_t j = 0; j < s->all.n; j++) {
		const struct job job = job_of(s, j);

		json_array_append_new(jobs,
				      tool_record_object(job_fields, &job));
	}
	return jobs;
}

static const struct tool_field figures[] = {
#define FIELD(...) TOOL_FIELD(struct shares, __VA_ARGS__)
	FIELD(patterns, NAME, "pattern"),
	FIELD(all.rounds, COUNT, "rounds"),
	FIELD(all.alone, REAL, "alone"),
	FIELD(all.together, REAL, "together"),
	FIELD(all.lost, COUNT, "lost"),
	TOOL_TREE_OF("jobs", jobs_json),
	TOOL_FIELDS_END
#undef FIELD
};

/* A row for each job. */
static void print_csv(const struct shares *s, const struct tool_case *c,
		      struct tool_report *r)
{
	tool_record_line(job_fields, c, NULL, !r->n++, r->out);
	for (uint32_t j = 0; j < s->all.n; j++) {
		const struct job job = job_of(s, j);

		tool_record_line(job_fields, c, &job, false, r->out);
	}
}

/* --- cases ---------------------------------------------------------------- */

static bool find_shares(struct tool *t, const struct tool_case *c,
			struct shares *s)
{
	const struct tool_args *a = &t->args;
	const struct weft_jobs_spec spec = {
		.jobs = &s->jobs, .pattern = s->pattern,
		.npatterns = s->npatterns,
		.rounds = tool_args_given(t, "patterns") ? a->count : 0,
		.seed = a->seed, .spread = a->lids == WEFT_LID_ALL,
		.threads = a->threads, .progress = tool_progress,
		.progress_context = t,
	};
	struct weft_job_list list;
	int err;

	if (weft_io_read_jobs(a->jobs, &list, &t->diag))
		return false;
	err = weft_jobs_find(&list, c->fabric, &s->jobs, &t->diag);
	weft_job_list_free(&list);
	if (err)
		return false;
	if (c->refused)
		return true;
	tool_phase(t, "jobs on %s", c->label);
	err = weft_jobs_run(c->fabric, c->routes, &spec, &s->all, &t->diag);
	tool_phase_end(t);
	return !err;
}

/* All patterns in a line, malloc()ed. */
static char *join(const struct shares *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (uint32_t i = 0; out && i < s->npatterns; i++)
		fprintf(out, "%s%s", i ? ", " : "", s->pattern[i]);
	if (!out || fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static bool jobs_case(struct tool *t, const struct tool_case *c, void *context)
{
	static const char *const usual = PATTERN;
	const struct tool_list *patterns = &t->args.pattern;
	struct tool_report *r = context;
	struct shares s = {
		.f = c->fabric,
		.pattern = patterns->n ? patterns->item : &usual,
		.npatterns = patterns->n ? patterns->n : 1,
	};
	char *text = join(&s);
	bool ok;

	s.patterns = text;
	ok = text ? find_shares(t, c, &s) : tool_no_memory(t);

	if (ok && t->args.csv)
		print_csv(&s, c, r);
	else if (ok)
		tool_report_case(t, r, c, figures, &s, print_text);
	free(text);
	weft_jobs_free(&s.jobs);
	weft_jobs_shares_free(&s.all);
	return ok;
}

enum tool_status tool_jobs_run(struct tool *t)
{
	const struct tool_args *a = &t->args;

	if (a->traffic.n || a->application.n)
		return tool_usage(t,
				  "--jobs takes patterns of -p, one for all jobs or one for each");
	if (a->lids != WEFT_LID_ROUTES && a->lids != WEFT_LID_ALL)
		return tool_usage(t,
				  "--jobs takes the LIDs that the routes say, or --lids=all");
	if (tool_args_given(t, "patterns") && a->count > 1000000)
		return tool_usage(t, "--jobs: a million rounds are enough");
	return tool_report_cases(t, jobs_case);
}
