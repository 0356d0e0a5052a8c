/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Jobs that weft sim runs side by side, and the same alone. */
#ifndef WEFT_TOOLS_SIM_JOBS_H
#define WEFT_TOOLS_SIM_JOBS_H

#include "tools/sim/options.h"

void tool_sim_jobs_free(struct tool_sim_jobs *jobs);

/* Whether something runs beside patterns or the messages of a file. */
bool tool_sim_side_by_side(const struct tool *t);

/* Places the ranks of --jobs, one job after the other, which *jobs has; false
 * after an error message. */
bool tool_sim_jobs_place(struct tool *t, const struct weft_fabric *f,
			 struct weft_jobs *jobs, struct weft_mapping *out);

/* Lists the runs: each job alone, and then all of them and what is beside
 * them; of several patterns one after the other. */
bool tool_sim_list_jobs(const struct tool_sim_plan *p,
			const struct tool_case *c, struct tool_sim_runs *out);
/* Makes the schedule of a run.  0 or -ENOMEM. */
int tool_sim_jobs_schedule(struct tool_sim_run *run);
/* Notes what jobs took in a run that has ended. */
void tool_sim_jobs_note(struct tool_sim_run *run);

void tool_sim_jobs_print(const struct tool_sim *s, FILE *out);
json_t *tool_sim_jobs_json(const struct tool_sim *s);
/* The columns of CSV that are about a job, NULL: empty ones. */
void tool_sim_jobs_keys(FILE *out);
void tool_sim_jobs_csv(const struct tool_sim_job *job, FILE *out);

#endif
