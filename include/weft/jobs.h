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

/* A job in a fabric: its hosts in the order of the list, each once. */
struct weft_job {
	char *name;
	unsigned long line;
	uint32_t n;		/* hosts, >= 1 */
	uint32_t *endport;	/* [n] */
};

struct weft_jobs {
	uint32_t n;
	struct weft_job *job;	/* [n] in the order of the list */
};
void weft_jobs_free(struct weft_jobs *jobs);	/* zeroed is fine */

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

#ifdef __cplusplus
}
#endif
#endif
