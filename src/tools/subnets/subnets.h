/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft subnets: a fabric of subnets, as its verbs see it. */
#ifndef WEFT_TOOLS_SUBNETS_SUBNETS_H
#define WEFT_TOOLS_SUBNETS_SUBNETS_H

#include "tools/common/tool.h"

#include "report/cuts.h"
#include "tools/common/record.h"

struct tool_subnets {
	bool needs_tables;  /* a subnet without is an error */
	const char *input;  /* for people: the inputs in one text */
	const char *engine; /* that routed the subnets, NULL: their own
			     * tables */
	struct weft_subnets_ini ini; /* where they come from; none with routers
				      * cut out, or made up */
	struct weft_subnets *s;
	struct weft_whole whole;
	struct weft_router_map map;
};

/* How the inputs are joined. */
struct tool_subnets_how {
	const char *routers; /* names of switches that become routers begin
			      * like that; NULL: each input is a subnet */
	struct weft_router_map_spec map;
	unsigned hop_limit;
	bool weigh; /* router ports as what is behind them */
};

/* Reads the inputs, routes them and makes the mapping.  x is zeroed, and to be
 * closed also after an error message, then false. */
bool tool_subnets_open(struct tool *t, const struct tool_subnets_how *how,
		       struct tool_subnets *x);
void tool_subnets_close(struct tool_subnets *x);

#define TOOL_ROUTER_MAP "weft-routers.map"
#define TOOL_ROUTER_DUMP "weft-router.dump"

/* Routes the subnets of x->s and makes whole and, unless that is by files, the
 * mapping.  weighs: routes them again by the mapping, and makes it anew.  False
 * after an error message. */
bool tool_subnets_map(struct tool *t, struct tool_subnets *x,
		      const struct weft_router_map_spec *spec, bool weighs);

/* Takes the routers of --without out of the mapping.  False after an error
 * message. */
bool tool_subnets_without(struct tool *t, struct tool_subnets *x,
			  const struct tool_list *names);

/* What is lost when something fails. */
struct tool_subnets_faults {
	struct weft__cuts cuts;	       /* of the whole, cables and all */
	struct weft_router_loss *loss; /* [nrouters] */
	uint32_t worst;		       /* router that takes most away */
	uint32_t critical;	       /* routers that take pairs away */
};

/* False after an error message. */
bool tool_subnets_faults(struct tool *t, const struct tool_subnets *x,
			 struct tool_subnets_faults *out);
void tool_subnets_faults_free(struct tool_subnets_faults *faults);
void tool_subnets_faults_print(const struct tool_subnets *x,
			       const struct tool_subnets_faults *faults,
			       FILE *out);
json_t *tool_subnets_faults_json(const struct tool_subnets *x,
				 const struct tool_subnets_faults *faults);

/* Writes into the directory of -o. */
enum tool_status tool_subnets_route(struct tool *t,
				    const struct tool_subnets *x);
/*
 * Routes the whole as one subnet with the same engine, to compare with.  Where
 * that cannot be, *routed is false.  False after an error message.
 */
bool tool_subnets_one(struct tool *t, const struct tool_subnets *x,
		      struct weft_one *one, bool *routed);
/* Returns "name (gid)" of a host, in buf. */
const char *tool_subnets_host(const struct weft_subnets *s, uint32_t host,
			      char *buf, size_t size);
/* A line of comma-separated values that begins with the inputs; header: that
 * of the keys before it.  record NULL: nothing but that. */
void tool_subnets_line(const struct tool_field *table,
		       const struct tool_subnets *x, const void *record,
		       bool header, FILE *out);
/* Prints what the subnets are. */
void tool_subnets_head(const struct tool_subnets *x, FILE *out);
/* The verbs; each reports to out, or as JSON. */
enum tool_status tool_subnets_check(struct tool *t,
				    const struct tool_subnets *x, FILE *out);
/* shares: those of --isp. */
enum tool_status tool_subnets_analyze(struct tool *t, struct tool_subnets *x,
				      const char *shares, FILE *out);
/* A page of HTML. */
enum tool_status tool_subnets_page(struct tool *t, struct tool_subnets *x,
				   FILE *out);
enum tool_status tool_subnets_trace(struct tool *t,
				    const struct tool_subnets *x,
				    const char *source, const char *dest,
				    FILE *out);

#endif
