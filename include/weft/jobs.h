/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Jobs: which hosts work together, as a resource manager tells.
 *
 * A list of jobs names hosts and knows no fabric; weft_io_read_jobs() reads
 * one.  weft_jobs_find() finds the hosts in a fabric.
 */
#ifndef WEFT_JOBS_H
#define WEFT_JOBS_H

#include <weft/fabric.h>
#include <weft/model.h>
#include <weft/options.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

struct weft_job_entry {
	char *name;
	char *hosts;		/* as Slurm writes lists, "n[001-016,020]" */
	unsigned long line;	/* of the file, 0 = none */
};

struct weft_job_list {
	char *file;		/* NULL = none */
	uint32_t n;
	struct weft_job_entry *job;	/* [n] */
};
void weft_job_list_free(struct weft_job_list *list);	/* zeroed is fine */

/* Adds a job; name and hosts are copied.  -ENOMEM: nothing is added. */
int weft_job_list_add(struct weft_job_list *list, const char *name,
		      const char *hosts, unsigned long line);

/*
 * The jobs of an option of the type WEFT_OPT_JOBS; NULL in *list when unset.
 * The options own it.  -EINVAL after an error: weft_io_read_objectives() has
 * not read it.
 */
int weft_options_jobs(const struct weft_options *options, const char *name,
		      const struct weft_job_list **list,
		      struct weft_diag *diag);

/*
 * A job in a fabric: its hosts, which are machines, in the order of the list,
 * each once; and its ranks, one on each of their adapters, host by host.
 */
struct weft_job {
	char *name;
	unsigned long line;
	uint32_t named;		/* hosts, those that were left aside, too */
	uint32_t n;		/* hosts, >= 1 */
	uint32_t *machine;	/* [n] */
	uint32_t nranks;
	uint32_t *endport;	/* [nranks] */
};

struct weft_jobs {
	uint32_t n;
	struct weft_job *job;	/* [n] in the order of the list */
};
void weft_jobs_free(struct weft_jobs *jobs);	/* zeroed is fine */
/* Takes job number job out; those behind it move up. */
void weft_jobs_drop(struct weft_jobs *jobs, uint32_t job);

/*
 * Finds the hosts of jobs.  Warned about, with file and line: hosts that the
 * fabric does not have, and jobs that have no others, which are left aside; a
 * host that is in a job twice, and counts once; one that is in two jobs, and
 * counts in both.  -EINVAL after an error: no job is left, or what stands for
 * the hosts is no list; -ENOMEM.  *out is set on success only.
 * O(hosts of jobs x log endports).
 */
int weft_jobs_find(const struct weft_job_list *list,
		   const struct weft_fabric *fabric, struct weft_jobs *out,
		   struct weft_diag *diag);

/* --- jobs side by side ---------------------------------------------------- */

struct weft_jobs_spec {
	const struct weft_jobs *jobs;
	/* Of the ranks of every job, or one for each of them; as of
	 * weft_traffic_seated(). */
	const char *const *pattern;	/* [npatterns] */
	uint32_t npatterns;	/* 1, or as many as jobs */
	uint32_t rounds;	/* that are judged, 0 = 64: in each, every job
				 * has one of its own, in an order that is drawn
				 * for each job */
	uint32_t seed;
	bool spread;		/* a stream uses all LIDs of its destination at
				 * once, as by WEFT_LID_ALL */
	unsigned threads;	/* 0 = OpenMP's choice; no influence on the
				 * result */
	/* Called now and then; may be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
};

/* What a job gets: the mean share of its full bandwidth that a rank has for all
 * its streams together, 0..1. */
struct weft_job_share {
	uint32_t leaves;	/* switches that its hosts are on */
	double alone;		/* 1 with one rank: it sends nothing */
	double together;	/* with all other jobs */
	double alone_lower;	/* the same if its ranks wait for its slowest
				 * stream of each round: WEFT_LOWER */
	double together_lower;
	uint32_t neighbour;	/* the job without which it would have most;
				 * WEFT_NONE: none costs it anything */
	double without;		/* together but for that job */
	uint32_t channel;	/* between switches, where most of their streams
				 * meet; WEFT_NONE: none */
	double streams;		/* of this job on it, mean of the rounds */
	double other_streams;	/* of the neighbour */
};

struct weft_jobs_shares {
	uint32_t n;		/* jobs */
	struct weft_job_share *job;	/* [n] */
	uint32_t rounds;
	uint64_t lost;		/* streams of all rounds without a route */
	double alone, together;	/* mean of the ranks of all jobs with two or
				 * more */
};

/*
 * Runs the rounds of all jobs at once, of each alone, and of all but one.
 * Streams share channels as in weft/model.h, those at hosts, too.  -EINVAL: the
 * pattern cannot be made for a job, patterns are neither one nor as many as jobs,
 * or no job has two ranks; -ENOMEM.  *out is set on success only, and to be
 * freed.
 * Time O(jobs x rounds x streams x hops).
 */
int weft_jobs_run(const struct weft_fabric *fabric,
		  const struct weft_routes *routes,
		  const struct weft_jobs_spec *spec,
		  struct weft_jobs_shares *out, struct weft_diag *diag);
void weft_jobs_shares_free(struct weft_jobs_shares *shares);

/*
 * The traffic of jobs as what runs beside another one, each job by the pattern;
 * rounds as above, one if all are alike.  -EINVAL as above; -ENOMEM.  *out is
 * set on success only, and to be freed.
 */
int weft_jobs_beside(const struct weft_fabric *fabric,
		     const struct weft_jobs *jobs, const char *pattern,
		     uint32_t rounds, uint32_t seed, struct weft_beside *out,
		     struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
