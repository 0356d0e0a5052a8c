/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Patterns for analyze: what was asked for, what it gave, how it is shown.
 */
#ifndef WEFT_TOOLS_ANALYZE_PATTERNS_H
#define WEFT_TOOLS_ANALYZE_PATTERNS_H

#include "tools/common/record.h"
#include "tools/common/tool.h"

/* A pattern to run, of which the command line may name several. */
struct tool_request {
	const char *label;	/* description or file */
	bool is_file;
	bool natural;		/* hosts by name unless told otherwise */
	double precision;
	enum weft_measure precise;
};

/* A part of an application: a share of its time and a pattern. */
struct tool_part {
	double share;		/* 0..1 */
	unsigned request;	/* of its pattern; or else */
	double bandwidth;	/* this, if >= 0 */
};

#define TOOL_MAX_PARTS 16
struct tool_application {
	char *text;		/* name, NUL, patterns' descriptions */
	unsigned n;
	struct tool_part part[TOOL_MAX_PARTS];
};

/* All that is to be done with each case. */
struct tool_requests {
	struct tool_request *request;
	unsigned n;
	struct tool_application *application;
	unsigned napplications;
};

/* A link among the hottest. */
struct tool_hot {
	char *from, *to;	/* names of its ends */
	char *text;		/* both, with ports */
	uint64_t from_guid, to_guid;
	unsigned port;		/* output port at from; 0 = a host's */
	unsigned to_port;
	double streams;		/* mean of a round */
	double peak;
};

/* The result of one request on one case. */
struct tool_pattern {
	const struct tool_request *request;
	const char *order;	/* of ranks on hosts */
	const char *lids;	/* rule of --lids */
	struct weft_model model;
	struct tool_hot *hot;
	unsigned nhot;
};

struct tool_patterns {
	char *input, *label;
	char *refused;		/* why the engine did: no patterns; or NULL */
	bool is_engine;
	uint32_t hosts, switches, links;
	struct tool_pattern *pattern;	/* [n] of the requests */
	unsigned n;
	double *time, *error;		/* [napplications] and the half width
					 * of the 99 % interval, at most */
};

/* Reads the command line.  False after an error message. */
bool tool_requests_make(struct tool *t, struct tool_requests *out);
void tool_requests_free(struct tool_requests *r);
/* Adds a request unless there is the same already; its number.  There is room
 * for what the command line asks for. */
unsigned tool_requests_add(struct tool_requests *r,
			   const struct tool_request *request);

/* --application "NAME; SHARE=PATTERN; ...".  False after an error message. */
bool tool_application_parse(struct tool *t, const char *text,
			    struct tool_requests *r);

/* Runs all requests on a case.  False after an error message. */
bool tool_patterns_run(struct tool *t, const struct tool_case *c,
		       const struct tool_requests *r,
		       struct tool_patterns *out);
void tool_patterns_free(struct tool_patterns *p);

/* All patterns there are, and their options. */
extern const char tool_basket_summary[];
void tool_patterns_list(FILE *out);
void tool_patterns_list_json(FILE *out);

/* The figures of a struct tool_pattern. */
extern const struct tool_field tool_pattern_figures[];

void tool_patterns_report(const struct tool_patterns *p, unsigned n,
			  const struct tool_requests *r, FILE *out);
json_t *tool_patterns_json(const struct tool_patterns *p,
			   const struct tool_requests *r);
void tool_patterns_csv(const struct tool_patterns *p, unsigned n, FILE *out);
/* --histogram and --links.  False after an error message. */
bool tool_patterns_histogram(struct tool *t, const struct tool_patterns *p,
			     unsigned n);
bool tool_links_begin(struct tool *t, FILE **out);
void tool_links_add(FILE *out, const struct tool_case *c,
		    const struct tool_pattern *p);

#endif
