/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages from files, for the simulator to replay: message traces, and
 * schedules in which sends, receives and calculations of ranks wait for each
 * other; see weft-formats(5), TRACES AND SCHEDULES.
 */
#ifndef WEFT_REPLAY_H
#define WEFT_REPLAY_H

#include <weft/diag.h>
#include <weft/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a file has, in its order.  Jobs from a rank to itself are no messages:
 * pauses, calculations and receives, and messages of ranks to themselves.
 */
struct weft_replay {
	struct weft_sim_schedule schedule;
	bool goal;	   /* a schedule in that format, no trace */
	uint64_t messages; /* jobs that are messages */
	uint32_t *line;	   /* [jobs] 1-based line of the file */
	uint64_t *name;	   /* [jobs] where in names its name begins */
	char *names;	   /* NUL-terminated ones; "" = it has none */
};
void weft_replay_free(struct weft_replay *replay); /* zeroed is fine */

/*
 * Reads a trace, or a schedule in the text format GOAL of LogGOPSim (Hoefler,
 * Schneider, Lumsdaine, HPDC 2010), told apart by their first line; either may
 * be compressed, "-" is the standard input.  nranks: ranks are below it.
 * 0, or -errno after an error with file and line: -EINVAL for what cannot be
 * read, ranks that do not exist, times that fall, names of nobody, receives
 * without a send; -ELOOP where messages wait for each other in a circle, which
 * the error lists; -ENOMEM.  *out is set on success only, to be freed, and is
 * possible as of weft_sim_schedule_check().  O(n log n) of jobs and conditions.
 */
int weft_replay_read(const char *path, uint32_t nranks, struct weft_replay *out,
		     struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
