/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a pair of hosts gets while others share the busiest cable of its way:
 * latency against their number, bandwidth against size, and LogGP of both.
 */
#ifndef WEFT_TOOLS_SIM_SWEEP_H
#define WEFT_TOOLS_SIM_SWEEP_H

#include "tools/sim/options.h"

/* Messages of one size while that many streams share the cable. */
struct tool_sim_point {
	uint32_t streams;
	uint64_t bytes;
	uint32_t n; /* that were delivered */
	double us, least, most;
	double gbps;	 /* payload over the mean time */
	double fit, off; /* us by the fit; (us - fit) / us */
};

/* LogGP of that many streams: a message of s bytes takes L + (s - 1) G. */
struct tool_sim_logp {
	uint32_t streams;
	const struct tool_sim_point *small, *large;
	double share; /* of the bandwidth of the first row, times its streams */
	double L, G;  /* us; ns of a byte */
	double rms, worst; /* of the points' off */
	bool known;
};

struct tool_sim_sweep {
	uint32_t channel; /* that they share */
	uint32_t from, to; /* endports of the pair that is looked at */
	uint32_t most;	   /* streams that can share it */
	uint32_t nlevels, nsizes;
	struct tool_sim_point *point; /* [nlevels * nsizes] by level */
	struct tool_sim_logp *fit;    /* [nlevels] */
	double o, g; /* us of a message; NAN: not known */
	/* L is base + slope * (streams - 1) us, but for the worst share of L;
	 * known with three levels. */
	double base, slope, off;
	bool line;
};

/* Fits what was measured; mtu: bytes of a packet. */
void tool_sim_sweep_fit(struct tool_sim_sweep *sweep, uint32_t mtu);

void tool_sim_sweep_csv_header(const struct tool_sim_own *own, FILE *out);
/* Reports it, as text, CSV or JSON. */
void tool_sim_sweep_report(const struct tool_sim_plan *p,
			   const struct tool_case *c,
			   const struct tool_sim_sweep *sweep);

/* Whether the options go with --sweep; NULL, or what is wrong. */
const char *tool_sim_sweep_disagree(const struct tool *t);
/* Runs it on a case; false after an error message. */
bool tool_sim_sweep(struct tool_sim_plan *p, const struct tool_case *c);

#endif
