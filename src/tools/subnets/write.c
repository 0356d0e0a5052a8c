// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft subnets route: what the manager of each subnet needs, and the tables of
 * routers. */
#include "tools/subnets/subnets.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#define INI "subnets.ini"

/* Writes the directory of one subnet. */
static bool write_subnet(struct tool *t, const struct tool_subnets *x,
			 uint32_t i, const char *directory)
{
	const struct weft_subnet *n = &x->s->subnet[i];
	uint32_t lost = 0;
	FILE *out;

	tool_phase(t, "writing %s", directory);
	if (!tool_dump_write(t, directory, n->fabric, &n->routes))
		return false;
	if (x->map.via) {
		out = tool_output_open_in(t, directory, TOOL_ROUTER_MAP);
		if (!out ||
		    weft_router_map_write(out, x->s, &x->map, i, &t->diag))
			return false;
	}
	out = tool_output_open_in(t, directory, "prefix-routes.conf");
	if (!out || weft_subnets_prefix_routes_write(out, x->s, &x->map, i,
						     &lost, &t->diag))
		return false;
	if (lost)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "subnet %s: prefix-routes.conf sends %s in other subnets to another router port than the mapping does: OpenSM has one port for each prefix",
			      n->name, WEFT_COUNT(lost, "host"));
	return tool_output_seal(t);
}

/* A name of a subnet as one of a folder. */
static void clean(char *name)
{
	for (; *name; name++)
		if (*name == '/' || (unsigned char)*name < ' ')
			*name = '_';
}

/* Writes which directory is which subnet: the key to all of them, so that it is
 * opened last. */
static bool write_ini(struct tool *t, const struct tool_subnets *x,
		      const char *directory)
{
	FILE *out = tool_output_open_in(t, directory, INI);

	if (!out)
		return false;
	tool_output_key(out);
	for (uint32_t i = 0; i < x->s->n; i++) {
		char name[128];

		snprintf(name, sizeof(name), "%s", x->s->subnet[i].name);
		clean(name);
		fprintf(out, "[%s]\nfabric = %s\nprefix = 0x%016" PRIx64 "\n",
			name, name, x->s->subnet[i].prefix);
	}
	return true;
}

/* Calls visit() with the directory of each subnet below another one. */
static bool each_subnet(struct tool *t, const struct tool_subnets *x,
			bool (*visit)(struct tool *t,
				      const struct tool_subnets *x, uint32_t i,
				      const char *directory))
{
	const char *directory = t->args.output;
	char path[PATH_MAX], name[128];
	bool ok = true;

	for (uint32_t i = 0; i < x->s->n && ok; i++) {
		snprintf(name, sizeof(name), "%s", x->s->subnet[i].name);
		clean(name);
		snprintf(path, sizeof(path), "%s/%s", directory, name);
		ok = visit(t, x, i, path);
	}
	return ok;
}

static bool may_write(struct tool *t, const struct tool_subnets *x, uint32_t i,
		      const char *directory)
{
	const char *output = t->args.output;
	bool ok;

	(void)x;
	(void)i;
	t->args.output = directory;
	ok = tool_dump_may_write(t);
	t->args.output = output;
	return ok;
}

enum tool_status tool_subnets_route(struct tool *t,
				    const struct tool_subnets *x)
{
	const char *directory = t->args.output;
	FILE *out;
	bool ok;

	if (!directory)
		return tool_usage(t, "route writes into a directory: give one with -o");
	ok = each_subnet(t, x, may_write) &&
	     tool_output_directory(t, directory) &&
	     each_subnet(t, x, write_subnet);
	out = ok ? tool_output_open_in(t, directory, TOOL_ROUTER_DUMP) : NULL;
	ok = out && !weft_router_dump_write(out, x->s, &x->map, &t->diag) &&
	     write_ini(t, x, directory);
	tool_phase_end(t);
	if (ok)
		printf("%s: %s, %s, routers by %s\n", directory,
		       WEFT_COUNT(x->s->n, "subnet"),
		       WEFT_COUNT(x->s->nrouters, "router"),
		       weft_router_map_name(x->map.method));
	return ok ? TOOL_FINE : TOOL_FAILED;
}
