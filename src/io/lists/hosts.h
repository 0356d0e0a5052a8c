/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of hosts, of their groups, and of jobs, in texts that are in memory. */
#ifndef WEFT_IO_LISTS_HOSTS_H
#define WEFT_IO_LISTS_HOSTS_H

#include "core/fabric/host_index.h"
#include "io/source.h"

#include <weft/fabric.h>

struct weft_diag;

/* weft_io_read_hosts() of a text that is in memory. */
int weft__read_hosts(const struct weft__source *source,
		     const struct weft_fabric *fabric, uint32_t **endport,
		     uint32_t *n, struct weft_diag *diag);

/* Hosts of what is left of a line: Slurm's list, each with all its adapters, as
 * often as they are in it. */
int weft__read_host_list(const struct weft__source *source,
			 const struct weft_fabric *fabric,
			 const struct weft__host_index *index,
			 const struct weft__line *line, uint32_t **endport,
			 uint32_t *n, struct weft_diag *diag);

/* weft_io_read_groups() of a text that is in memory. */
struct weft_host_groups;
int weft__read_groups(const struct weft__source *source,
		      const struct weft_fabric *fabric,
		      struct weft_host_groups *out, struct weft_diag *diag);

/* weft_io_read_measured() of a text that is in memory. */
struct weft_measured;
int weft__read_measured(const struct weft__source *source,
			const struct weft_fabric *fabric,
			struct weft_measured *out, struct weft_diag *diag);

/* weft_io_read_jobs() of a text that is in memory. */
struct weft_job_list;
int weft__read_jobs(const struct weft__source *source,
		    struct weft_job_list *out, struct weft_diag *diag);

/* Reads what an option of the type WEFT_OPT_JOBS says, or the file that it
 * names, opened like that, and keeps the jobs with the option.  Returns 0 or -errno after an
 * error. */
struct weft_options;
int weft__jobs_file(struct weft_options *options, const char *name,
		    weft__opener *open, struct weft_diag *diag);

#endif
