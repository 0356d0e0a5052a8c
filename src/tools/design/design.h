/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics that would serve that many hosts, and what they take. */
#ifndef WEFT_TOOLS_DESIGN_H
#define WEFT_TOOLS_DESIGN_H

#include "tools/common/tool.h"

#define TOOL_DESIGNS 32
#define TOOL_DESIGN_SPEC 96

/* What is asked for. */
struct tool_wanted {
	uint32_t hosts, radix;
	double taper;		/* hosts for each cable on, at most; 1 or more */
};

struct tool_design {
	const char *family;
	const char *spec;	/* text: as weft gen takes it */
	char text[TOOL_DESIGN_SPEC];
	uint32_t number;	/* in the table, from 1 on */
	double taper;
	/* what it takes: */
	uint32_t places;	/* for hosts */
	uint32_t switches, cables;	/* between switches */
	uint32_t ports;		/* of the fullest switch */
	uint32_t hops;		/* cables between the switches of two hosts, at
				 * most */
	double price;		/* NAN: not known */
	/* what it is worth, NAN: nobody asked, or no routes: */
	double worth, uniform, failed;
};

/*
 * Lists descriptions that serve the hosts with such switches, one for each
 * family and taper; number, what they take and are worth are left open.  Returns
 * how many, TOOL_DESIGNS at most.
 */
unsigned tool_design_propose(const struct tool_wanted *w,
			     struct tool_design *out);

/* Prints the table and what to take of it. */
void tool_design_print(const struct tool_design *d, unsigned n, bool priced,
		       FILE *out);
void tool_design_csv(const struct tool_design *d, unsigned n, FILE *out);
json_t *tool_design_json(const struct tool_design *d, unsigned n);

#endif
