// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft subnets: the tables of all subnets, and a mapping for them. */
#include "tools/subnets/subnets.h"

#include "tools/common/engines.h"

#include <errno.h>

/* Routes each subnet with an engine, if one was given. */
static bool route_all(struct tool *t, struct tool_subnets *x,
		      const struct tool_engine *e)
{
	bool ok = true;
	double seconds;

	for (uint32_t i = 0; ok && i < x->s->n; i++) {
		struct weft_subnet *n = &x->s->subnet[i];

		tool_phase(t, "routing subnet %s", n->name);
		if (e->engine) {
			weft_routes_free(&n->routes);
			n->routes = (struct weft_routes){ 0 };
			ok = tool_route(t, e, n->fabric, &n->routes, &seconds);
		}
		if (!ok || n->routes.lft.port)
			continue;
		ok = !x->needs_tables;
		weft_diag_say(&t->diag, ok ? WEFT_WARNING : WEFT_ERROR,
			      "subnet %s has no tables: %s-e ENGINE routes it",
			      n->name, ok ? "nothing there is reached; " : "");
	}
	return ok;
}

/* Whether the engine takes as many lanes as it may, and nobody said how many
 * these are. */
static bool has_lanes_to_spare(const struct tool_engine *e)
{
	return e->engine && (e->engine->needs & WEFT_NEEDS_VLS) &&
	       !weft_options_given(e->options, "lanes");
}

/* Routes all subnets anew for fewer lanes. */
static bool route_narrower(struct tool *t, struct tool_subnets *x,
			   const struct tool_engine *e, unsigned lanes)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", lanes);
	weft_diag_say(&t->diag, WEFT_NOTE,
		      "subnets are routed for %s: a packet keeps its service level from subnet to subnet, and those that cross need lanes of their own",
		      WEFT_COUNT(lanes, "lane"));
	return !weft_options_set(e->options, "lanes", text, NULL, 0,
				 &t->diag) &&
	       route_all(t, x, e);
}

/* Makes the mapping.  Where weave finds none and the engine may do with fewer
 * lanes, it is given half of them, and so on. */
static bool make_map(struct tool *t, struct tool_subnets *x,
		     const struct tool_engine *e,
		     const struct weft_router_map_spec *spec)
{
	unsigned lanes =
		spec->method == WEFT_ROUTER_MAP_WEAVE && has_lanes_to_spare(e) ?
			spec->lanes :
			1;

	tool_phase(t, "choosing routers");
	for (; lanes > 1; lanes /= 2) {
		int err = weft_router_map_make(x->s, spec, &x->map, NULL);

		if (!err)
			return true;
		if (err != -ENOTSUP)
			break;
		if (!route_narrower(t, x, e, lanes / 2))
			return false;
	}
	return !weft_router_map_make(x->s, spec, &x->map, &t->diag);
}

/* Routes all subnets once more, by what is behind router ports now. */
static bool weigh(struct tool *t, struct tool_subnets *x,
		  const struct tool_engine *e,
		  const struct weft_router_map_spec *spec)
{
	weft_subnets_weigh(x->s, &x->map);
	weft_router_map_free(&x->map);
	return route_all(t, x, e) && make_map(t, x, e, spec);
}

bool tool_subnets_map(struct tool *t, struct tool_subnets *x,
		      const struct weft_router_map_spec *spec, bool weighs)
{
	struct tool_engine *e = tool_engines_parse(t);
	bool ok = e && route_all(t, x, e) &&
		  !weft_subnets_whole(x->s, &x->whole, &t->diag);

	if (ok && spec->method != WEFT_ROUTER_MAP_FILE)
		ok = make_map(t, x, e, spec) &&
		     (!weighs || weigh(t, x, e, spec));

	tool_engines_free(e);
	return ok;
}
