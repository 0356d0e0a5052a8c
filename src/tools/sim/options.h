/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What weft sim is asked to do. */
#ifndef WEFT_TOOLS_SIM_OPTIONS_H
#define WEFT_TOOLS_SIM_OPTIONS_H

#include "tools/sim/sim.h"

#define TOOL_SIM_LOADS 64

/* The values of its own options. */
struct tool_sim_own {
	const char *load, *flows, *flow_sls, *events, *trace, *details, *replay,
		*loggops, *cables, *streams, *passes;
	int64_t order, seeds, sends, sweep, sync;
	bool back, latencies, shuffle;
	/* of subnets */
	const char *routers;
	int64_t router_map, router_hash, hop_limit;
	bool subnets;
};

#define TOOL_SIM_SENDS_SHARED 1 /* --sends; 0: in order, -1: not said */

enum { TOOL_SIM_SWEEP_STREAMS, TOOL_SIM_SWEEP_SIZES }; /* --sweep, or -1 */

/* Patterns by name, and from files. */
static inline unsigned tool_sim_patterns(const struct tool *t)
{
	return t->args.pattern.n + t->args.traffic.n;
}
/* That of a number. */
static inline const char *tool_sim_pattern(const struct tool *t, unsigned i)
{
	const struct tool_list *named = &t->args.pattern;

	return i < named->n ? named->item[i] :
			      t->args.traffic.item[i - named->n];
}

/* Whether there are patterns, which run to their end. */
static inline bool tool_sim_to_end(const struct tool *t)
{
	const struct tool_sim_own *own = t->own;

	return tool_sim_patterns(t) && !own->load;
}

/* What all runs have in common. */
struct tool_sim_plan {
	struct tool *t;
	struct tool_report *report;
	FILE *details;			  /* or NULL */
	const struct tool_sim_join *join; /* NULL: one subnet */
	struct weft_sim_spec spec;
	double load[TOOL_SIM_LOADS];
	unsigned nloads;
	const struct weft_host_groups *groups; /* or NULL */
	const struct weft_jobs *jobs; /* whose ranks have places, or NULL */
	bool found; /* a deadlock, lost packets, an early end */
	bool cut;   /* interrupted, in whichever process */
};

extern const struct tool_option tool_sim_options[];
/* Sets p->spec and the loads from the options; false after an error message. */
bool tool_sim_options_read(struct tool_sim_plan *p);

/* Sets what messages of a file cost hosts; false after an error message. */
bool tool_sim_logp_read(struct tool_sim_plan *p);
/* Whether messages of a file leave in order. */
bool tool_sim_in_order(const struct tool_sim_own *own,
		       const struct weft_replay *replay);

/* Sets the delay of each channel in ps, *out, that --cables asks for, of others
 * the preset; stays NULL without that.  To be freed also after an error
 * message, then false. */
bool tool_sim_cables_read(struct tool *t, const struct weft_fabric *f,
			  uint64_t preset, uint64_t **out);

/* Lists the runs of a case, to be freed also after an error message, then
 * false. */
bool tool_sim_list(const struct tool_sim_plan *p, const struct tool_case *c,
		   struct tool_sim_runs *out);

/* The same in parts: makes n runs with the spec of the plan; reads the pairs of
 * --flows with their service levels, if there are any. */
bool tool_sim_list_begin(const struct tool_sim_plan *p,
			 const struct tool_case *c, struct tool_sim_runs *out,
			 unsigned n);
/* Makes pattern i of that many ranks on these endports. */
bool tool_sim_list_pattern(const struct tool_sim_plan *p, unsigned i,
			   const struct weft_fabric *f, const uint32_t *endport,
			   uint32_t ranks, struct weft_traffic **out);
bool tool_sim_list_flows(const struct tool_sim_plan *p,
			 struct weft_traffic **flows, uint8_t **sl);

#endif
