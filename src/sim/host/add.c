// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Schedules side by side; see weft/sim.h. */
#include "core/grow.h"

#include <weft/sim.h>

#include <errno.h>

int weft_sim_schedule_add(struct weft_sim_schedule *to,
			  const struct weft_sim_schedule *more, uint32_t first)
{
	uint64_t n = (uint64_t)to->n + more->n;
	uint64_t edges = to->first ? to->first[to->n] : 0;
	size_t jobs = to->n, firsts = to->first ? to->n + 1 : 0, room = edges;

	if (n >= UINT32_MAX / 2 || weft__grow(&to->first, &firsts, n + 1))
		return -ENOMEM;
	to->first[to->n] = edges;
	if (weft__grow(&to->job, &jobs, n + 1) ||
	    weft__grow(&to->after, &room, edges + more->first[more->n] + 1))
		return -ENOMEM;
	for (uint32_t i = 0; i < more->n; i++) {
		struct weft_sim_job *job = &to->job[to->n + i];

		*job = more->job[i];
		job->from += first;
		job->to += first;
		to->first[to->n + i + 1] = edges + more->first[i + 1];
	}
	for (uint64_t k = 0; k < more->first[more->n]; k++)
		to->after[edges + k] = more->after[k] + 2 * to->n;
	to->n = n;
	return 0;
}
