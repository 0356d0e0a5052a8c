// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Subnets from the inputs of a command, their tables and a mapping. */
#include "tools/subnets/subnets.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
			      "--routers=%s: no switch has a name that begins like that",
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
static bool read_maps(struct tool *t, const struct tool_subnets_how *how,
		      struct tool_subnets *x)
{
	char path[PATH_MAX];

	if (!x->ini.n)
		return tool_usage(t,
				  "-m files is for subnets in directories") ==
		       TOOL_FINE;
	if (weft_router_map_empty(x->s, how->map.hash, &x->map, &t->diag))
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

/* Joins what the inputs are; x->input is set. */
static bool join(struct tool *t, const struct tool_subnets_how *how,
		 struct tool_subnets *x)
{
	bool one = t->args.input.n == 1;

	if (how->routers && !one)
		return tool_usage(t, "--routers cuts one fabric, not %u",
				  t->args.input.n) == TOOL_FINE;
	if (how->routers)
		return cut_input(t, how->routers, &x->s);
	if (one && weft_subnets_is_spec(x->input))
		return !weft_subnets_gen(x->input, &x->s, &t->diag);
	return list_inputs(t, x) && join_inputs(t, &x->ini, &x->s);
}

bool tool_subnets_open(struct tool *t, const struct tool_subnets_how *how,
		       struct tool_subnets *x)
{
	bool ok;

	if (t->args.engine.n > 1)
		return tool_usage(t, "one engine routes all subnets, not %u",
				  t->args.engine.n) == TOOL_FINE;
	x->input = t->args.input.item[0];
	x->engine = t->args.engine.n ? t->args.engine.item[0] : NULL;
	ok = join(t, how, x);
	if (ok)
		x->s->hop_limit = how->hop_limit;
	if (ok)
		weft_subnets_check_tables(x->s, &t->diag);
	ok = ok && tool_subnets_map(t, x, &how->map, how->weigh) &&
	     (how->map.method != WEFT_ROUTER_MAP_FILE ||
	      read_maps(t, how, x)) &&
	     tool_subnets_without(t, x, &t->args.without);
	if (ok && x->map.unfit)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "isfr does not fit %s of a subnet and a host elsewhere: these are as by issr, the first one %s",
			      WEFT_COUNT(x->map.unfit, "pair"), x->map.reason);
	return ok;
}

void tool_subnets_close(struct tool_subnets *x)
{
	weft_router_map_free(&x->map);
	if (x->s)
		weft_whole_free(x->s, &x->whole);
	weft_subnets_free(x->s);
	weft_subnets_ini_free(&x->ini);
}
