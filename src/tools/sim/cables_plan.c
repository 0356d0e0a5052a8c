// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rows of a plan, a list of cables as comma-separated values; see cables_plan.h. */
#include "tools/sim/cables_plan.h"

#include "tools/common/tool.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FIELDS 64

/* What columns may be called: by weft gen --cabling, and in an NDT. */
static const char *const names[TOOL_PLAN_COLUMNS][2] = {
	[TOOL_PLAN_NODE_A] = { "node_a", "Start Device" },
	[TOOL_PLAN_PORT_A] = { "port_a", "Start Port" },
	[TOOL_PLAN_NODE_B] = { "node_b", "End Device" },
	[TOOL_PLAN_PORT_B] = { "port_b", "End Port" },
	[TOOL_PLAN_LENGTH] = { "length", "Cable Length" },
};

/* Ends the field at the beginning of a text; quotes go.  Returns where the next
 * one begins, or NULL. */
static char *next_field(char *at, char **field)
{
	char *to = at;
	bool quoted = *at == '"';

	*field = at;
	at += quoted;
	while (*at && (quoted || *at != ',')) {
		if (quoted && *at == '"' && *++at != '"')
			quoted = false;
		else
			*to++ = *at++;
	}
	at = *at ? at + 1 : NULL;
	*to = '\0';
	return at;
}

static unsigned split(char *line, char *field[FIELDS])
{
	unsigned n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (line && n < FIELDS) {
		line = next_field(line, &field[n]);
		while (isspace((unsigned char)*field[n]))
			field[n]++;
		n++;
	}
	return n;
}

bool tool_plan_begins(char *line, struct tool_plan *plan)
{
	char *field[FIELDS];
	unsigned n;

	if (strncmp(line, "rack_a,", 7) && strncmp(line, "Start Device,", 13))
		return false;
	n = split(line, field);
	for (unsigned c = 0; c < TOOL_PLAN_COLUMNS; c++) {
		plan->at[c] = n;
		for (unsigned i = 0; i < n; i++)
			if (!strcasecmp(field[i], names[c][0]) ||
			    !strcasecmp(field[i], names[c][1]))
				plan->at[c] = i;
		plan->lacks |= plan->at[c] == n;
	}
	return true;
}

/* "21", or "Port 21" */
static bool is_port(const char *text, unsigned *port)
{
	uint64_t number;

	if (!strncmp(text, "Port ", 5))
		text += 5;
	if (!weft_number_uint(text, WEFT_MAX_PORTS, &number) || !number)
		return false;
	*port = number;
	return true;
}

bool tool_plan_row(const struct tool_plan *plan, char *line, char *end,
		   size_t size, const char **length)
{
	char *field[FIELDS];
	unsigned n = split(line, field), port;

	*length = "";
	for (unsigned c = 0; c < TOOL_PLAN_COLUMNS; c++)
		if (plan->at[c] >= n)
			return false;
	*length = field[plan->at[TOOL_PLAN_LENGTH]];
	for (unsigned side = 0; side < 2; side++) {
		const char *node = field[plan->at[side ? TOOL_PLAN_NODE_B :
							 TOOL_PLAN_NODE_A]];

		if (!is_port(field[plan->at[side ? TOOL_PLAN_PORT_B :
						   TOOL_PLAN_PORT_A]], &port))
			continue;
		return snprintf(end, size, "%s:%u", node, port) < (int)size;
	}
	return false;
}
