// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft subnets: subnets that routers join, judged as one. */
#include "tools/subnets/subnets.h"

#include "tools/common/engines.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARES "0,20,40,60,80,100"

struct own {
	const char *routers, *isp;
	int64_t method, hash, lanes, hop_limit;
	bool symmetric, weigh;
};

static struct tool_subnets_how how_of(const struct own *own)
{
	return (struct tool_subnets_how){
		.routers = own->routers,
		.map = {
			.method = (enum weft_router_map_method)own->method,
			.hash = (enum weft_router_map_hash)own->hash,
			.symmetric = own->symmetric,
			.lanes = own->lanes,
		},
		.hop_limit = own->hop_limit,
		.weigh = own->weigh,
	};
}

enum verb { CHECK, ANALYZE, TRACE, ROUTE, REPORT };

/* In the order of enum verb. */
static const char *const verbs[] = { "check", "analyze", "trace",
				     "route", "report", NULL };

/* Takes the verb, and for trace the two ends, off what is no option. */
static int take_verb(struct tool *t, const char **end)
{
	struct tool_list *rest = &t->args.rest;
	int verb = 0;

	while (rest->n && verbs[verb] && strcmp(rest->item[0], verbs[verb]))
		verb++;
	if (!rest->n || !verbs[verb]) {
		const char *near =
			rest->n ? weft_diag_suggest(rest->item[0], verbs) :
				  NULL;

		if (near)
			tool_usage(t, "no verb '%s'; did you mean '%s'?",
				   rest->item[0], near);
		else
			tool_usage(t, "check, analyze, trace, route or report what?");
		return -1;
	}
	memmove(rest->item, rest->item + 1, --rest->n * sizeof(*rest->item));
	if (verb == TRACE && rest->n >= 2) {
		end[0] = rest->item[rest->n - 2];
		end[1] = rest->item[rest->n - 1];
		rest->n -= 2;
	} else if (verb == TRACE) {
		tool_usage(t, "trace from where to where? give two hosts behind the inputs");
		return -1;
	}
	return verb;
}

/* Does what a verb that prints says. */
static enum tool_status tell(struct tool *t, struct tool_subnets *x,
			     enum verb verb, const char *const end[2])
{
	const struct own *own = t->own;
	FILE *out = tool_output_open(t, t->args.output);

	if (!out)
		return TOOL_FAILED;
	if (verb == CHECK)
		return tool_subnets_check(t, x, out);
	if (verb == ANALYZE)
		return tool_subnets_analyze(t, x, own->isp ? own->isp : SHARES,
					    out);
	if (verb == REPORT)
		return tool_subnets_page(t, x, out);
	return tool_subnets_trace(t, x, end[0], end[1], out);
}

static enum tool_status subnets_run(struct tool *t)
{
	const struct own *own = t->own;
	const struct tool_subnets_how how = how_of(own);
	struct tool_subnets x = { .input = NULL };
	enum tool_status status = TOOL_FAILED;
	const char *end[2] = { NULL, NULL };
	int verb = take_verb(t, end);

	if (verb < 0 || !tool_cases_inputs(t))
		return TOOL_FAILED;
	if ((t->args.json || t->args.csv) && (verb == ROUTE || verb == REPORT))
		return tool_usage(t, "%s writes no JSON or CSV: check and analyze have the figures",
				  verbs[verb]);
	x.needs_tables = verb == ROUTE;
	if (tool_subnets_open(t, &how, &x)) {
		tool_phase(t, "%s", verbs[verb]);
		status = verb == ROUTE ?
				 tool_subnets_route(t, &x) :
				 tell(t, &x, (enum verb)verb, end);
	}
	tool_subnets_close(&x);
	return status;
}

static const struct tool_option subnets_options[] = {
	TOOL_OPT(TOOL_LIST, input, "input", 'i', "INPUT",
		 "a subnet: a file, a dump directory or a description; one for each subnet"),
	TOOL_OPT_NAME_MAP,
	TOOL_OWN(TOOL_TEXT, struct own, routers, "routers", 0, "PREFIX",
		 "cut one fabric into subnets: switches whose names begin like that become routers"),
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT(TOOL_NUMBER, lmc, "lmc", 0, "N", "give every endport 2^N LIDs",
		 .preset = -1, .max = 7),
	TOOL_OWN(TOOL_CHOICE, struct own, method, "map", 0, "METHOD",
		 "which router port a source takes: static (by prefix, as OpenSM), crc32, issr, isfr (default), weave (the best one without credit loops), or as the files "
		 TOOL_ROUTER_MAP " of the inputs say",
		 .choices = "static|crc32|issr|isfr|weave|files", .preset = 3),
	TOOL_OWN(TOOL_CHOICE, struct own, hash, "hash", 0, "HASH",
		 "how a router chooses among ports: sum (as the paper has it, default) or mix",
		 .choices = "sum|mix"),
	TOOL_OWN(TOOL_NUMBER, struct own, lanes, "lanes", 0, "N",
		 "weave: data lanes that each subnet has", .preset = 8,
		 .min = 1, .max = WEFT_MAX_LANES),
	TOOL_OPT(TOOL_LIST, without, "without", 0, "ROUTER",
		 "as if this router, by its name, had failed: the next ports of the mapping are taken; may be repeated"),
	TOOL_OWN(TOOL_NUMBER, struct own, hop_limit, "hop-limit", 0, "N",
		 "routers that a packet may pass", .preset = WEFT_HOP_LIMIT,
		 .min = 1, .max = WEFT_HOP_LIMIT),
	TOOL_OWN(TOOL_FLAG, struct own, weigh, "weigh", 0, NULL,
		 "route the subnets with router ports that weigh as much as the hosts behind them"),
	TOOL_OWN(TOOL_FLAG, struct own, symmetric, "symmetric", 0, NULL,
		 "answers go back by the router port that their request came from: static and crc32 only"),
	TOOL_OWN(TOOL_TEXT, struct own, isp, "isp", 0, "PERCENT,...",
		 "analyze: shares of pairs that leave their subnet, per cent, such as 0,50,100 (default "
		 SHARES ")"),
	TOOL_OPT(TOOL_LIST, pattern, "pattern", 'p', "PATTERN",
		 "analyze: a pattern of weft analyze --list, instead of random bisections; may be repeated"),
	TOOL_OPT(TOOL_NUMBER, count, "patterns", 'n', "N",
		 "analyze: random bisections for each share, and at most as many rounds of a pattern",
		 .preset = 100,
		 .min = 1, .max = 1000000),
	TOOL_OPT_SEED,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT(TOOL_TEXT, output, "output", 'o', "PATH",
		 "write the report to a file; route: what each subnet needs, into directories in this one"),
	TOOL_OPT_FORCE,
	TOOL_OPT_LAST
};

const struct tool_command tool_command_subnets = {
	.name = "subnets",
	.summary = "judge subnets that routers join, as one",
	.usage = "check|analyze|trace|route|report [OPTION]... INPUT...",
	.about =
		"Joins subnets by the routers that their files have in common and follows packets from subnet to subnet: "
		"check proves that everybody reaches everybody and that no credit loop runs across routers, analyze tells the bandwidth within and across subnets, trace shows a way, route writes what each subnet's manager needs, report a page of HTML.",
	.options = subnets_options,
	.basic = "input routers engine option lmc map lanes without pattern patterns seed json csv output force",
	.own_size = sizeof(struct own),
	.run = subnets_run,
};
