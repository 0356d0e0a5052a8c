// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists of jobs, and their hosts in a fabric; see weft/jobs.h. */
#include "core/fabric/host_index.h"
#include "core/grow.h"
#include "core/options.h"
#include "core/text/hostlist.h"

#include <weft/diag.h>
#include <weft/jobs.h>
#include <weft/pattern.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weft_job_list_free(struct weft_job_list *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		free(list->job[i].name);
		free(list->job[i].hosts);
	}
	free(list->job);
	free(list->file);
	*list = (struct weft_job_list){ .n = 0 };
}

int weft_job_list_add(struct weft_job_list *list, const char *name,
		      const char *hosts, unsigned long line)
{
	struct weft_job_entry job = { strdup(name), strdup(hosts), line };

	if (!job.name || !job.hosts || weft__grow_one(&list->job, list->n)) {
		free(job.name);
		free(job.hosts);
		return -ENOMEM;
	}
	list->job[list->n++] = job;
	return 0;
}

int weft_options_jobs(const struct weft_options *options, const char *name,
		      const struct weft_job_list **list,
		      struct weft_diag *diag)
{
	const char *text = weft_options_text(options, name);

	*list = weft__options_kept(options, name);
	if (*list || !text)
		return 0;
	return weft_fail(diag, EINVAL, "%s=%s has not been read", name, text);
}

void weft_jobs_drop(struct weft_jobs *jobs, uint32_t job)
{
	struct weft_job *j = &jobs->job[job];

	free(j->name);
	free(j->machine);
	free(j->endport);
	memmove(j, j + 1, (--jobs->n - job) * sizeof(*j));
}

void weft_jobs_free(struct weft_jobs *jobs)
{
	while (jobs->n)
		weft_jobs_drop(jobs, jobs->n - 1);
	free(jobs->job);
	*jobs = (struct weft_jobs){ .n = 0 };
}

/* Finding the hosts of one job after the other. */
struct search {
	const struct weft_fabric *f;
	const struct weft_job_list *list;
	struct weft__host_index index;
	struct weft_diag *diag;
	struct weft_jobs jobs;
	uint32_t *user;		/* [nmachines] 1 + the last job with that host,
				 * 0 = none so far */
	/* of the present job */
	const struct weft_job_entry *entry;
	struct weft_job job;
	size_t room, ranks_room;
	uint32_t named, unknown, twice;
	char first_unknown[WEFT__HOST_NAME];
	uint32_t shared, shares_with, first_shared;
};

/* Adds a host, and a rank on each of its adapters. */
static int add_machine(struct search *s, uint32_t m)
{
	const struct weft_fabric *f = s->f;
	struct weft_job *job = &s->job;
	uint32_t first = f->machine_first[m], n = f->machine_first[m + 1];

	n -= first;
	if (weft__grow(&job->machine, &s->room, job->n + 1ull) ||
	    weft__grow(&job->endport, &s->ranks_room,
		       (uint64_t)job->nranks + n))
		return -ENOMEM;
	job->machine[job->n++] = m;
	memcpy(job->endport + job->nranks, f->machine_endport + first,
	       n * sizeof(*job->endport));
	job->nranks += n;
	return 0;
}

static int add_host(void *context, const char *name, size_t length)
{
	struct search *s = context;
	uint32_t e = weft__host_index_find(&s->index, s->f, name, length);
	uint32_t here = s->jobs.n + 1, m;

	if (++s->named > WEFT_MAX_RANKS)
		return -E2BIG;
	if (e == WEFT_NONE) {
		if (!s->unknown++) {
			memcpy(s->first_unknown, name, length);
			s->first_unknown[length] = '\0';
		}
		return 0;
	}
	m = s->f->ep[e].machine;
	if (s->user[m] == here) {
		s->twice++;
		return 0;
	}
	if (s->user[m] && !s->shared++) {
		s->shares_with = s->user[m] - 1;
		s->first_shared = e;
	}
	s->user[m] = here;
	return add_machine(s, m);
}

#define warn(s, ...) \
	weft_diag_at((s)->diag, WEFT_WARNING, (s)->list->file, \
		     (s)->entry->line, __VA_ARGS__)

/* Says what is odd about the hosts of the present job. */
static void warn_job(struct search *s)
{
	const char *name = s->entry->name;

	if (s->unknown)
		warn(s, "job '%s': of %s the fabric lacks %u, first of them '%s': left aside",
		     name, WEFT_COUNT(s->named, "host"), s->unknown,
		     s->first_unknown);
	if (s->twice)
		warn(s, "job '%s': %s there twice: once is enough", name,
		     WEFT_COUNT(s->twice, "host"));
	if (s->shared)
		warn(s, "job '%s': %s in other jobs, too, first of them '%s' in job '%s'",
		     name, WEFT_COUNT(s->shared, "host"),
		     s->f->node[s->f->ep[s->first_shared].node].name,
		     s->jobs.job[s->shares_with].name);
	if (!s->job.n)
		warn(s, "job '%s' has no host: left aside", name);
}

static int no_list(struct search *s, int err, const char *why)
{
	if (err == -ENOMEM)
		return weft_no_memory(s->diag);
	return weft_fail_at(s->diag, EINVAL, s->list->file, s->entry->line,
			    "job '%s': %s", s->entry->name,
			    why ? why : "too many hosts");
}

static int find_job(struct search *s, const struct weft_job_entry *entry)
{
	const char *why = NULL, *hosts = entry->hosts;
	int err;

	s->entry = entry;
	s->job = (struct weft_job){ .line = entry->line };
	s->room = s->ranks_room = 0;
	s->named = s->unknown = s->twice = s->shared = 0;
	err = weft__hostlist_each(hosts, hosts + strlen(hosts), add_host, s,
				  &why);
	if (err)
		return no_list(s, err, why);
	warn_job(s);
	if (!s->job.n)
		return 0;
	s->job.named = s->named;
	s->job.name = strdup(entry->name);
	if (!s->job.name || weft__grow_one(&s->jobs.job, s->jobs.n))
		return weft_no_memory(s->diag);
	s->jobs.job[s->jobs.n++] = s->job;
	s->job = (struct weft_job){ .n = 0 };
	return 0;
}

int weft_jobs_find(const struct weft_job_list *list,
		   const struct weft_fabric *fabric, struct weft_jobs *out,
		   struct weft_diag *diag)
{
	struct search s = {
		.f = fabric, .list = list, .diag = diag,
		.user = calloc(fabric->nmachines + 1ull, sizeof(*s.user)),
	};
	int err = !s.user || weft__host_index_init(&s.index, fabric) ?
		weft_no_memory(diag) : 0;

	for (uint32_t i = 0; i < list->n && !err; i++) {
		err = find_job(&s, &list->job[i]);
		free(s.job.name);
		free(s.job.machine);
		free(s.job.endport);
	}
	if (!err && !s.jobs.n)
		err = weft_fail_at(diag, EINVAL, list->file, 0,
				   "no job has a host of the fabric: are these the jobs of another cluster?");
	weft__host_index_free(&s.index);
	free(s.user);
	if (err)
		weft_jobs_free(&s.jobs);
	else
		*out = s.jobs;
	return err;
}
