/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The figures that check and analyze report of one case, and their JSON.  The
 * names of the JSON keys are a promise: see weft-analyze(1).
 */
#ifndef WEFT_TOOLS_COMMON_FIGURES_H
#define WEFT_TOOLS_COMMON_FIGURES_H

#include "tools/common/record.h"
#include "tools/common/tool.h"

/* The grades of tables, and what they are graded by; see verdict.h. */
struct tool_verdict {
	const char *safe;	/* a colour, NULL: not graded */
	const char *good;	/* the same */
	bool fine_with_switches;
	double worth, best;	/* of these tables, of those they are measured
				 * by; < 0: not known */
	const char *by;		/* what these are called */
	double share;		/* of the best of them, or of_bound */
	double of_bound;	/* what uniform traffic gets of what any tables
				 * allow; NAN: not known */
	bool by_bound;		/* there is nothing else to go by */
	bool improves;		/* others are worth more than these */
};

struct tool_figures {
	char *input;
	char *label;		/* engine or tables */
	bool is_engine;		/* label is an engine */
	char *refused;		/* why the engine did: no figures; or NULL */
	char *read;		/* names of files in its directory, or "" */
	json_t *sources;	/* the same */
	double seconds;		/* that the engine took */
	uint32_t hosts, switches, links;	/* hosts: their ports */
	uint32_t nodes;		/* that have these ports */
	uint64_t fewer_nodes;	/* the same where there are fewer, else 0 */
	uint64_t routers;	/* nodes behind which nothing is looked at */
	unsigned lanes;
	bool one_way;		/* SLs of a pair's two directions may differ */
	struct weft_proof proof;
	double avg_hops;	/* of the pairs reached */
	uint64_t *load;		/* [proof.load_channels], ascending */
	bool has_ebb;
	struct weft_ebb ebb;
	struct tool_verdict verdict;
};

/* What is known of any fabric, what a proof fills in, and what samples and
 * grades do. */
extern const struct tool_field tool_figures_fabric[], tool_figures_proved[],
	tool_figures_sampled[], tool_figures_graded[];
/* Any of these by its key, NULL for none. */
const struct tool_field *tool_figures_field(const char *key);

/*
 * Proves what spec asks for; with patterns > 0 also samples bisections.  False
 * after an error message; else to be freed.
 */
bool tool_figures_make(struct tool *t, const struct tool_case *c,
		       const struct weft_proof_spec *spec, uint64_t patterns,
		       struct tool_figures *out);
void tool_figures_free(struct tool_figures *figures);

/* What is known of the fabric alone. */
void tool_figures_of_fabric(struct tool_figures *f,
			    const struct weft_fabric *fabric, bool all_hosts);
/* An object with the figures that tables have, and with those of a case. */
json_t *tool_figures_object(const struct tool_figures *f);
json_t *tool_figures_json(const struct tool_figures *f);
/* All figures as a row of comma-separated values, under their keys in JSON,
 * those of bisections if asked for; grades come last, by themselves.  The line
 * is left open. */
void tool_figures_csv_header(bool bisections, FILE *out);
void tool_figures_csv(const struct tool_figures *f, bool bisections, FILE *out);

#endif
