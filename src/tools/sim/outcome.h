/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What came of a run, as reports in words and for programs both tell it. */
#ifndef WEFT_TOOLS_SIM_OUTCOME_H
#define WEFT_TOOLS_SIM_OUTCOME_H

#include "tools/sim/sim.h"

uint64_t tool_sim_dropped(const struct weft_sim *r); /* packets */
/* Whether packets were lost or got stuck, or the run was cut short. */
bool tool_sim_went_wrong(const struct weft_sim *r);
/* "done", "deadlock", "interrupted" or "timeout". */
const char *tool_sim_state(const struct weft_sim *r);
/* Returns the share of full bandwidth that the rounds of a pattern had, 0 if
 * they did not end. */
double tool_sim_round_share(const struct weft_sim *r);
/* Fills in the payload that each rank sent, in Gbit/s from the beginning until
 * the last of its messages, sent or received, was delivered: [hosts]. */
void tool_sim_rank_gbps(const struct tool_sim *s, double *gbps);
/* The circle of a deadlock as of credit loops; by[] is for d->n flows. */
struct weft_cycle tool_sim_cycle(const struct weft_sim_deadlock *d,
				 struct weft_flow *by);
/* Returns the us, in whole intervals, that the throughput was at or below a
 * share of what it was before the first change; -1: that is not known. */
double tool_sim_downtime(const struct tool_sim *s, double share);
/* "host-0001 -> host-0005" of ranks, in buf. */
const char *tool_sim_flow_text(const struct tool_sim *s,
			       const struct weft_sim_flow *flow, char *buf,
			       size_t size);
json_t *tool_sim_latency_json(const struct weft_sim_latency *l);

#endif
