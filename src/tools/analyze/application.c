// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --application: "NAME; SHARE=PATTERN; SHARE=PATTERN ...". */
#include "tools/analyze/patterns.h"

#include <stdlib.h>
#include <string.h>

static char *trim(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n && strchr(" \t", text[n - 1]))
		text[--n] = '\0';
	return text;
}

/* "27.4%" or "0.274", up to one of ends; false if it is none of 0..1. */
static bool read_share(const char **at, const char *ends, double *share)
{
	return tool_share_at(at, ends, share) && *share >= 0 && *share <= 1;
}

static bool parse_part(struct tool *t, char *text, struct tool_part *part,
		       struct tool_requests *r)
{
	struct tool_request request = { .precise = t->args.precise };
	const char *at = text;

	if (!read_share(&at, "=", &part->share) || *at != '=') {
		tool_usage(t,
			   "--application: '%s' is not SHARE=PATTERN or SHARE=BANDWIDTH",
			   text);
		return false;
	}
	text = trim(text + (at - text) + 1);
	at = text;
	if (read_share(&at, "", &part->bandwidth))
		return true;
	part->bandwidth = -1;
	request.label = text;
	part->request = tool_requests_add(r, &request);
	return true;
}

static bool parse_parts(struct tool *t, char *text,
			struct tool_application *a, struct tool_requests *r)
{
	double sum = 0;
	char *one;

	while ((one = strsep(&text, ";"))) {
		if (a->n == TOOL_MAX_PARTS) {
			tool_usage(t,
				   "--application: %s has more than %d parts",
				   a->text, TOOL_MAX_PARTS);
			return false;
		}
		if (!parse_part(t, trim(one), &a->part[a->n], r))
			return false;
		sum += a->part[a->n++].share;
	}
	if (!a->n) {
		tool_usage(t,
			   "--application: '%s' has no parts; give 'NAME; SHARE=PATTERN; ...'",
			   a->text);
		return false;
	}
	if (sum <= 1 + 1e-9)
		return true;
	tool_usage(t, "--application: the parts of %s are %.1f %% of its time",
		   a->text, 100 * sum);
	return false;
}

bool tool_application_parse(struct tool *t, const char *text,
			    struct tool_requests *r)
{
	struct tool_application *a = &r->application[r->napplications];
	char *parts;

	a->text = parts = strdup(text);
	if (!parts)
		return tool_no_memory(t);
	r->napplications++;
	strsep(&parts, ";");
	return parse_parts(t, parts, a, r);
}
