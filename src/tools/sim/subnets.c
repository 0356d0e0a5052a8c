// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft sim: subnets that routers join, as one network. */
#include "tools/sim/subnets.h"

#include <string.h>

bool tool_sim_joins(const struct tool *t, const char *routers, bool told)
{
	const char *first = t->args.input.item[0], *dot = strrchr(first, '.');

	return told || routers || weft_subnets_is_spec(first) ||
	       (dot && !strcmp(dot, ".ini"));
}

bool tool_sim_join(struct tool *t, const struct tool_subnets_how *how,
		   struct tool_sim_join *out)
{
	*out = (struct tool_sim_join){ .x = { .input = NULL } };
	if (t->args.table.n)
		return tool_usage(t, "-t has tables of one subnet: for several they are in the inputs, or by an INI file") == TOOL_FINE;
	if (!tool_subnets_open(t, how, &out->x) ||
	    weft_subnets_net_make(out->x.s, &out->x.map, &out->net, &t->diag))
		return false;
	out->c = (struct tool_case){
		.input = out->x.input,
		.topology = out->x.input,
		.label = out->x.engine ? out->x.engine : "own tables",
		.engine = out->x.engine,
		.fabric = &out->net.fabric,
		.routes = &out->net.routes,
	};
	return true;
}

void tool_sim_leave(struct tool_sim_join *join)
{
	weft_subnets_net_free(&join->net);
	tool_subnets_close(&join->x);
}

void tool_sim_join_print(const struct tool_sim_join *join,
			 const struct weft_sim *r, FILE *out)
{
	const struct weft_subnets *s = join->x.s;

	fprintf(out, "  subnets               %u, %s, %s\n", s->n,
		WEFT_COUNT(s->nrouters, "router"),
		weft_router_map_name(join->x.map.method));
	fprintf(out, "    left their subnet   %s packets, %.1f %%\n",
		WEFT_COUNT(r->crossing, NULL),
		r->injected ? 100. * r->crossing / r->injected : 0);
}

json_t *tool_sim_join_json(const struct tool_sim_join *join,
			   const struct weft_sim_spec *spec,
			   const struct weft_sim *r)
{
	const struct weft_subnets *s = join->x.s;
	json_t *o = json_pack("{s:i, s:i, s:s, s:I}", "n", (int)s->n, "routers",
			      (int)s->nrouters, "map",
			      weft_router_map_name(join->x.map.method),
			      "crossing", (json_int_t)r->crossing);

	json_object_set_new(o, "isp",
			    spec->leave < 0 ? json_null() :
					      json_real(100 * spec->leave));
	return o;
}
