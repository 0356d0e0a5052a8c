// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft subnets: subnets that routers join, judged as one. */
#include "subnets.h"

#include "engines.h"

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

/* Name of a subnet that is a file: without its folder and extension. */
static char *name_of(const char *input)
{
	const char *slash = strrchr(input, '/');
	char *name = strdup(slash && slash[1] ? slash + 1 : input);
	char *dot = name ? strrchr(name, '.') : NULL;

	if (dot && dot != name && !weft_gen_is_spec(input))
		*dot = '\0';
	return name;
}

/* Reads the tables of a subnet that are not where its fabric is. */
static bool read_tables(struct tool *t, const char *path,
			struct weft_fabric *fabric, struct weft_subnet *out)
{
	struct weft_fabric *told = NULL;

	out->fabric = fabric;
	if (weft_io_read_lmc(path, fabric, &told, &t->diag))
		return false;
	if (told) {
		weft_fabric_free(fabric);
		out->fabric = told;
	}
	return !weft_io_read_tables(path, out->fabric, &out->routes, NULL,
				    &t->diag);
}

/* Returns the prefix of a subnet: what the INI file says, or what ibdiagnet
 * saw, unless that is the one that all subnets have at first. */
static uint64_t prefix_of(struct tool *t, const struct weft_subnet_input *from,
			  const struct weft_fabric *f)
{
	bool seen = f->prefix && f->prefix >> 54 != 0x3fa;

	if (from->prefix && seen && from->prefix != f->prefix)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "%s: ports have the prefix 0x%016" PRIx64
			      ", not 0x%016" PRIx64,
			      from->fabric, f->prefix, from->prefix);
	return from->prefix ? from->prefix : seen ? f->prefix : 0;
}

/* Reads one subnet, with its tables unless engines make them. */
static bool read_subnet(struct tool *t, const struct weft_subnet_input *from,
			struct weft_subnet *out)
{
	const char *input = from->fabric;
	const char *tables = t->args.engine.n ? NULL : from->tables;
	struct weft_fabric *assigned = NULL;
	struct weft_input in;
	bool ok;

	tool_phase(t, "reading %s", input);
	if (!tool_input_open(t, input, t->args.engine.n || tables, &in))
		return false;
	out->name = from->name ? strdup(from->name) : name_of(input);
	out->prefix = prefix_of(t, from, in.fabric);
	ok = out->name || tool_no_memory(t);
	if (ok && tables) {
		ok = read_tables(t, tables, in.fabric, out);
		in.fabric = NULL;
		weft_input_close(&in);
		return ok;
	}
	ok = ok && tool_assign_lids(t, input, in.fabric, &assigned);
	if (ok && assigned) {
		out->fabric = assigned;
	} else if (ok) {
		out->fabric = in.fabric;
		in.fabric = NULL;
		if (!t->args.engine.n && in.sources.ntables) {
			out->routes = in.routes;
			in.routes = (struct weft_routes){ .lid_offset = NULL };
		}
	}
	weft_input_close(&in);
	return ok;
}

/* Each input is a subnet; out->s keeps them in their order. */
static bool join_inputs(struct tool *t, const struct weft_subnets_ini *ini,
			struct weft_subnets **out)
{
	uint32_t n = ini->n;
	struct weft_subnet *subnet = calloc(n + 1ull, sizeof(*subnet));

	if (!subnet)
		return tool_no_memory(t);
	for (uint32_t i = 0; i < n; i++)
		if (!read_subnet(t, &ini->subnet[i], &subnet[i])) {
			weft_subnet_list_free(subnet, n);
			return false;
		}
	return !weft_subnets_join_ini(subnet, n, ini, out, &t->diag);
}

/* The inputs of the command line, or those that an INI file names. */
static bool list_inputs(struct tool *t, struct tool_subnets *x)
{
	const struct tool_list *list = &t->args.input;
	const char *dot = strrchr(list->item[0], '.');

	if (list->n == 1 && dot && !strcmp(dot, ".ini"))
		return !weft_subnets_ini_read(list->item[0], &x->ini, &t->diag);
	x->ini.subnet = calloc(list->n, sizeof(*x->ini.subnet));
	if (!x->ini.subnet)
		return tool_no_memory(t);
	for (x->ini.n = 0; x->ini.n < list->n; x->ini.n++) {
		x->ini.subnet[x->ini.n].fabric = strdup(list->item[x->ini.n]);
		if (!x->ini.subnet[x->ini.n].fabric)
			return tool_no_memory(t);
	}
	return true;
}

/* The one input is cut at the switches whose names begin like that. */
static bool cut_input(struct tool *t, const char *prefix,
		      struct weft_subnets **out)
{
	struct weft_input in;
	uint32_t found = 0;
	bool *is_router, ok;

	if (!tool_input_open(t, t->args.input.item[0], true, &in))
		return false;
	is_router = calloc(in.fabric->nsw + 1ull, sizeof(*is_router));
	for (uint32_t s = 0; is_router && s < in.fabric->nsw; s++) {
		is_router[s] =
			!strncmp(in.fabric->sw[s].name, prefix, strlen(prefix));
		found += is_router[s];
	}
	if (is_router && !found)
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "--routers=%s: no switch has a name that begins "
			      "like that",
			      prefix);
	ok = is_router ? found && !weft_subnets_cut(in.fabric, is_router, out,
						    &t->diag) :
			 tool_no_memory(t);
	free(is_router);
	weft_input_close(&in);
	return ok;
}

/* Reads the tables of routers, which are where the INI file is, or in the
 * folder that the first subnet's directory is in.  Without them routers draw.
 */
static bool read_routers(struct tool *t, struct tool_subnets *x)
{
	const char *beside =
		strrchr(x->input, '.') &&
				!strcmp(strrchr(x->input, '.'), ".ini") ?
			x->input :
			x->ini.subnet[0].fabric;
	size_t length = strlen(beside);
	char path[PATH_MAX];

	while (length && beside[length - 1] == '/')
		length--;
	while (length && beside[length - 1] != '/')
		length--;
	snprintf(path, sizeof(path), "%.*s" TOOL_ROUTER_DUMP, (int)length,
		 beside);
	return access(path, F_OK) ||
	       !weft_router_dump_read(path, x->s, &x->map, &t->diag);
}

/* Each subnet's directory has a mapping. */
static bool read_maps(struct tool *t, struct tool_subnets *x)
{
	const struct own *own = t->own;
	char path[PATH_MAX];

	if (!x->ini.n)
		return tool_usage(t,
				  "-m files is for subnets in directories") ==
		       TOOL_FINE;
	if (weft_router_map_empty(x->s, (enum weft_router_map_hash)own->hash,
				  &x->map, &t->diag))
		return false;
	for (uint32_t i = 0; i < x->s->n; i++) {
		const struct weft_subnet_input *in =
			&x->ini.subnet[x->s->subnet[i].given];

		snprintf(path, sizeof(path), "%s/" TOOL_ROUTER_MAP, in->fabric);
		if (weft_router_map_read(in->map ? in->map : path, x->s, i,
					 &x->map, &t->diag))
			return false;
	}
	return read_routers(t, x);
}

static bool open_all(struct tool *t, struct tool_subnets *x)
{
	const struct own *own = t->own;
	const struct weft_router_map_spec spec = {
		.method = (enum weft_router_map_method)own->method,
		.hash = (enum weft_router_map_hash)own->hash,
		.symmetric = own->symmetric,
		.lanes = own->lanes,
	};
	bool ok;

	x->input = t->args.input.item[0];
	x->engine = t->args.engine.n ? t->args.engine.item[0] : NULL;
	if (own->routers)
		ok = cut_input(t, own->routers, &x->s);
	else if (t->args.input.n == 1 && weft_subnets_is_spec(x->input))
		ok = !weft_subnets_gen(x->input, &x->s, &t->diag);
	else
		ok = list_inputs(t, x) && join_inputs(t, &x->ini, &x->s);
	if (ok)
		x->s->hop_limit = own->hop_limit;
	if (ok)
		weft_subnets_check_tables(x->s, &t->diag);
	ok = ok && tool_subnets_map(t, x, &spec, own->weigh) &&
	     (own->method != WEFT_ROUTER_MAP_FILE || read_maps(t, x)) &&
	     tool_subnets_without(t, x, &t->args.without);
	if (ok && x->map.unfit)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "isfr does not fit %s of a subnet and a host "
			      "elsewhere: these are as by issr, the first one "
			      "%s",
			      WEFT_COUNT(x->map.unfit, "pair"), x->map.reason);
	return ok;
}

static void close_all(struct tool_subnets *x)
{
	weft_router_map_free(&x->map);
	if (x->s)
		weft_whole_free(x->s, &x->whole);
	weft_subnets_free(x->s);
	weft_subnets_ini_free(&x->ini);
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
			rest->n ? weft_suggest(rest->item[0], verbs) : NULL;

		if (near)
			tool_usage(t, "no verb '%s'; did you mean '%s'?",
				   rest->item[0], near);
		else
			tool_usage(t, "check, analyze, trace, route or report "
				      "what?");
		return -1;
	}
	memmove(rest->item, rest->item + 1, --rest->n * sizeof(*rest->item));
	if (verb == TRACE && rest->n >= 2) {
		end[0] = rest->item[rest->n - 2];
		end[1] = rest->item[rest->n - 1];
		rest->n -= 2;
	} else if (verb == TRACE) {
		tool_usage(t, "trace from where to where? give two hosts "
			      "behind the inputs");
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
	struct tool_subnets x = { .input = NULL };
	enum tool_status status = TOOL_FAILED;
	const char *end[2] = { NULL, NULL };
	int verb = take_verb(t, end);

	if (verb < 0 || !tool_cases_inputs(t))
		return TOOL_FAILED;
	if (t->args.engine.n > 1)
		return tool_usage(t, "one engine routes all subnets, not %u",
				  t->args.engine.n);
	if (own->routers && t->args.input.n != 1)
		return tool_usage(t, "--routers cuts one fabric, not %u",
				  t->args.input.n);
	if (open_all(t, &x)) {
		tool_phase(t, "%s", verbs[verb]);
		status = verb == ROUTE ?
				 tool_subnets_route(t, &x) :
				 tell(t, &x, (enum verb)verb, end);
	}
	close_all(&x);
	return status;
}

static const struct tool_option subnets_options[] = {
	TOOL_OPT(TOOL_LIST, input, "input", 'i', "INPUT",
		 "a subnet: a file, a dump directory or a description; one for "
		 "each subnet"),
	TOOL_OPT_NAME_MAP,
	TOOL_OWN(TOOL_TEXT, struct own, routers, "routers", 0, "PREFIX",
		 "cut one fabric into subnets: switches whose names begin like "
		 "that become routers"),
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT(TOOL_NUMBER, lmc, "lmc", 0, "N", "give every endport 2^N LIDs",
		 .preset = -1, .max = 7),
	TOOL_OWN(TOOL_CHOICE, struct own, method, "map", 'm', "METHOD",
		 "which router port a source takes: static (by prefix, as "
		 "OpenSM), crc32, issr, isfr (default), weave (the best "
		 "one without credit loops), or as the "
		 "files " TOOL_ROUTER_MAP " of the inputs say",
		 .choices = "static|crc32|issr|isfr|weave|files", .preset = 3),
	TOOL_OWN(TOOL_CHOICE, struct own, hash, "hash", 0, "HASH",
		 "how a router chooses among ports: sum (as the paper has it, "
		 "default) or mix",
		 .choices = "sum|mix"),
	TOOL_OWN(TOOL_NUMBER, struct own, lanes, "lanes", 0, "N",
		 "weave: data lanes that each subnet has", .preset = 8,
		 .min = 1, .max = WEFT_MAX_LANES),
	TOOL_OPT(TOOL_LIST, without, "without", 0, "ROUTER",
		 "as if this router, by its name, had failed: the next ports "
		 "of the mapping are taken; may be repeated"),
	TOOL_OWN(TOOL_NUMBER, struct own, hop_limit, "hop-limit", 0, "N",
		 "routers that a packet may pass", .preset = WEFT_HOP_LIMIT,
		 .min = 1, .max = WEFT_HOP_LIMIT),
	TOOL_OWN(TOOL_FLAG, struct own, weigh, "weigh", 0, NULL,
		 "route the subnets with router ports that weigh as much as "
		 "the hosts behind them"),
	TOOL_OWN(TOOL_FLAG, struct own, symmetric, "symmetric", 0, NULL,
		 "answers go back by the router port that their request came "
		 "from: static and crc32 only"),
	TOOL_OWN(TOOL_TEXT, struct own, isp, "isp", 0, "LIST",
		 "analyze: shares of pairs that leave their subnet, per cent, "
		 "such as 0,50,100 (default " SHARES ")"),
	TOOL_OPT(TOOL_LIST, pattern, "pattern", 'p', "PATTERN",
		 "analyze: a pattern of weft analyze --list, instead of random "
		 "bisections; may be repeated"),
	TOOL_OPT(TOOL_NUMBER, count, "patterns", 'n', "N",
		 "analyze: random bisections for each share, and rounds of a "
		 "pattern at most", .preset = 100,
		 .min = 1, .max = 1000000),
	TOOL_OPT_SEED,
	TOOL_OPT_JSON,
	TOOL_OPT(TOOL_TEXT, output, "output", 'o', "PATH",
		 "write the report to a file; route: what each subnet needs, "
		 "into directories in this one"),
	TOOL_OPT_FORCE,
	TOOL_OPT_LAST
};

const struct tool_command tool_command_subnets = {
	.name = "subnets",
	.summary = "judge subnets that routers join, as one",
	.usage = "check|analyze|trace|route|report [OPTION]... INPUT...",
	.about =
		"Joins subnets by the routers that their files have in "
		"common and follows packets from subnet to subnet: check "
		"proves that everybody reaches everybody and that no credit "
		"loop runs across routers, analyze tells the bandwidth within "
		"and across subnets, trace shows a way, route writes what each "
		"subnet's manager needs, report a page of HTML.",
	.options = subnets_options,
	.own_size = sizeof(struct own),
	.run = subnets_run,
};
