/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft place: orders of ranks on hosts. */
#ifndef WEFT_TOOLS_PLACE_PLACE_H
#define WEFT_TOOLS_PLACE_PLACE_H

#include "tools/common/record.h"
#include "tools/common/tool.h"

enum tool_place_format { TOOL_PLACE_RANKFILE, TOOL_PLACE_HOSTFILE,
			 TOOL_PLACE_LIST };

/* Hosts of a job, or those that are free. */
struct tool_places {
	uint32_t n;
	uint32_t *machine;	/* [n] in the order given */
	uint32_t width;		/* adapters that all of them have */
	uint32_t *endport;	/* [n x width] */
};

/* Jobs that run now. */
struct tool_others {
	const char *file;	/* NULL: not told */
	const char *pattern;	/* of each */
	struct weft_jobs jobs;
	bool running;		/* one at least sends */
	struct weft_beside beside;
};

/* An order that was found. */
struct tool_placed {
	const struct weft_fabric *f;
	const char *pattern;
	const struct tool_places *places;
	const struct tool_others *others;
	struct weft_placement found;
	uint32_t candidates, hosts, ranks;
	uint32_t jobs, jobs_hosts;	/* of others */
	uint32_t seed;
	double gain;		/* found.lower / given.lower */
};

/* Reads --job, --host-file or --free.  False after an error message. */
bool tool_places_read(struct tool *t, const struct weft_fabric *f,
		      const char *list, const char *option,
		      struct tool_places *out);
bool tool_places_read_file(struct tool *t, const struct weft_fabric *f,
			   const char *file, struct tool_places *out);
/* All hosts that no job has, but for storage. */
bool tool_places_idle(struct tool *t, const struct weft_fabric *f,
		      const struct tool_others *others,
		      struct tool_places *out);
void tool_places_free(struct tool_places *places);

/* Reads --jobs, if it is given.  False after an error message. */
bool tool_others_read(struct tool *t, const struct weft_fabric *f,
		      struct tool_others *out);
/* Lists the hosts that no job has, but for storage; NULL without memory. */
uint32_t *tool_others_idle(const struct weft_fabric *f,
			   const struct tool_others *others, uint32_t *n);
/* Leaves the job aside that is placed itself, and refuses places of hosts that
 * others have. */
bool tool_others_check(struct tool *t, const struct weft_fabric *f,
		       struct tool_others *others,
		       const struct tool_places *places, const char *option);
/* Makes the traffic of all jobs. */
bool tool_others_send(struct tool *t, const struct weft_fabric *f,
		      struct tool_others *others, const char *pattern);
void tool_others_free(struct tool_others *others);

/* Writes the order for a program. */
void tool_place_write(const struct tool_placed *p,
		      enum tool_place_format format, FILE *out);
/* Reports the order and what it gains. */
void tool_place_report(struct tool *t, struct tool_report *r,
		       const struct tool_case *c, const struct tool_placed *p);

#endif
