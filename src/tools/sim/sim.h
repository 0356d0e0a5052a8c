/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Simulations that weft sim ran, and their report.  The names of the JSON keys
 * are a promise: see weft-sim(1).
 */
#ifndef WEFT_TOOLS_SIM_SIM_H
#define WEFT_TOOLS_SIM_SIM_H

#include "tools/common/tool.h"

struct tool_sim_join;
struct tool_sim_own;

/* A job on its ranks, a pattern of all ranks, or messages of a file. */
struct tool_sim_job {
	const char *name; /* NULL: the pattern */
	const char *pattern;
	uint32_t first, ranks;
	uint32_t passes; /* how often it goes through the pattern */
	struct weft_traffic *traffic; /* NULL: of a file */
	double alone, together;	      /* us a pass; 0: not done */
};

/* Jobs side by side, with what is beside them. */
struct tool_sim_jobs {
	struct tool_sim_job *job; /* [n] */
	uint32_t n;
	enum weft_sim_sync sync;
	struct weft_replay replay;   /* of a file */
	struct weft_traffic *beside; /* the pairs of --flows, or NULL */
	uint8_t *flow_sl;
};

/* What runs with several seeds gave, over the runs; 0 where one measured
 * nothing. */
struct tool_sim_seeds {
	unsigned n;
	struct weft_sim_mean throughput, gbps, packet_ns;
};

/* One run on the tables of a case. */
struct tool_sim {
	const struct tool_case *c;
	const struct weft_sim_spec *spec;
	const char *pattern; /* also of a load; NULL: destinations are drawn */
	const char *sync;    /* of its rounds, or NULL */
	const struct weft_replay *replay; /* or NULL */
	const struct tool_sim_join *join; /* NULL: one subnet */
	const struct tool_sim_job *jobs; /* [njobs] side by side, or NULL */
	uint32_t njobs;
	const struct weft_host_groups *groups; /* that are told, or NULL */
	bool latencies;	     /* are to be told, not for details alone */
	double model;	     /* share of full bandwidth by the static model;
			      * with a pattern */
	struct weft_sim result;
	struct tool_sim_seeds seeds; /* n 0: not the last of several */
};

/* Whether a run is a load, not something that ends by itself. */
static inline bool tool_sim_is_load(const struct tool_sim *s)
{
	return !s->replay && !s->sync &&
	       (!s->spec->traffic || s->spec->endless);
}

/* A run that is to be made, with what it needs, which is its own. */
struct tool_sim_run {
	struct tool_sim s; /* its spec is this one */
	struct weft_sim_spec spec;
	struct weft_traffic *traffic; /* of a pattern or of flows, or NULL */
	uint8_t *flow_sl;
	struct weft_replay replay;
	/* Of a pattern's rounds; weft_sim_schedule_rounds() makes it when the
	 * run begins. */
	struct weft_sim_schedule schedule;
	enum weft_sim_sync sync;
	bool back;
	unsigned seeds; /* > 1: the last of that many that differ in theirs */
	/* Of jobs, of which that many from first_job on; alone they are no
	 * report of their own. */
	struct tool_sim_jobs *jobs;
	uint32_t first_job, njobs;
	bool together;
	const struct tool_sim_own *own;
};
/* Makes what takes long or much memory; any thread may.  0 or -ENOMEM. */
int tool_sim_prepare(struct tool_sim_run *run);

/* By enum weft_sim_sync. */
extern const char *const tool_sim_sync_names[];
/* Has the static model say what it thinks of a pattern; false after an error
 * message. */
bool tool_sim_ask_model(struct tool *t, struct tool_sim_run *run);
void tool_sim_run_free(struct tool_sim_run *run); /* again is fine */

/* All runs of a case. */
struct tool_sim_runs {
	struct tool_sim_run *run; /* [n] */
	unsigned n;
	struct tool_sim_jobs jobs;
	/* Is called with each run, in their order; false: no more. */
	bool (*report)(void *context, const struct tool_sim *s);
	void *context;
	bool cut; /* some were interrupted, or never began for that reason */
};
/* Runs them on --threads threads of each process of --mpi, of which the first
 * one reports; false after an error message, or where it was cut. */
bool tool_sim_runs(struct tool *t, struct tool_sim_runs *runs);
void tool_sim_runs_free(struct tool_sim_runs *runs);

/* What came of messages from a file. */
void tool_sim_replay_print(const struct tool_sim *s, FILE *out);
void tool_sim_replay_json(const struct tool_sim *s, json_t *root);

/* What changes, and the tables for it. */
struct tool_sim_events {
	struct weft_sim_change *change; /* [n] by time */
	uint32_t n;
	struct weft_routes **routes; /* [nroutes] */
	uint32_t nroutes;
};
void tool_sim_events_free(struct tool_sim_events *events);
/*
 * Reads a file of lines "TIME fail PART", "TIME repair PART" and "TIME tables
 * FILE [every TIME]"; '-' is standard input.  false after an error message.
 */
bool tool_sim_events_read(struct tool *t, const char *file,
			  const struct weft_fabric *f,
			  struct tool_sim_events *out);

/* Has nodes change places at random, with all of their ports; false without
 * memory. */
bool tool_sim_shuffle_nodes(const struct weft_fabric *f, uint32_t seed,
			    struct weft_mapping *mapping);

/* Reads "FROM,TO" or "FROM,TO,N", the packet to be followed; false after an
 * error message. */
bool tool_sim_trace_read(struct tool *t, const char *text,
			 const struct weft_fabric *f,
			 struct weft_sim_spec *spec);
/* Print what became of it. */
void tool_sim_trace_print(const struct tool_sim *s, FILE *out);
json_t *tool_sim_trace_json(const struct tool_sim *s);

/* Whether a part is one of a lane, or one itself. */
static inline bool tool_sim_part_has_lane(const struct weft_sim_part *p)
{
	return p->kind == WEFT_SIM_OF_LANE || p->kind == WEFT_SIM_OF_CHANNEL;
}
/* Returns the name of a part, without its lane, in buf. */
const char *tool_sim_part_name(const struct tool_sim *s,
			       const struct weft_sim_part *p, char *buf,
			       size_t size);
/* Print the parts: the worst of each kind; all of them. */
void tool_sim_parts_print(const struct tool_sim *s, FILE *out);
json_t *tool_sim_parts_json(const struct tool_sim *s);

/* Print what groups of hosts sent and received, if any are to be told. */
void tool_sim_groups_print(const struct tool_sim *s, FILE *out);
json_t *tool_sim_groups_json(const struct tool_sim *s);

/* CSV with a line for each figure of hosts, flows, channels and lanes,
 * latencies and intervals. */
void tool_sim_details_header(FILE *out);
void tool_sim_details(const struct tool_sim *s, FILE *out);

void tool_sim_print(const struct tool_sim *s, FILE *out);
json_t *tool_sim_json(const struct tool_sim *s);
/* jobs: with columns of jobs, each of which has a line below the run's. */
void tool_sim_csv_header(bool jobs, FILE *out);
void tool_sim_csv(const struct tool_sim *s, FILE *out);

#endif
