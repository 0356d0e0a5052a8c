// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Weights of router ports, by the mapping that weft-subnets answers from. */
#include "plugins/osm_shim.h"

#include "plugins/files/osm_files.h"

#include "io/tables/router_goals.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_PATH WEFT_SYSCONFDIR "/opensm/weft-routers.map"

char *weft__routers_path(const char *plugin_options)
{
	char *path = weft__conf_word(plugin_options, "routers.map=");

	return path ? path : strdup(DEFAULT_PATH);
}

/* Returns how many GIDs have a router port first. */
static uint32_t count_behind(const struct weft__goals *g, uint64_t guid)
{
	uint32_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += g->goal[i].scope == WEFT__HOST &&
		     g->port[g->goal[i].first] == guid;
	return n;
}

void weft__weigh_routers(const char *plugin_options,
			 struct weft_fabric *fabric, struct weft_diag *diag)
{
	char *path = weft__routers_path(plugin_options);
	struct weft__goals goals;

	if (!path ||
	    weft__goals_read(path, weft__file_open_list, &goals, diag)) {
		weft_diag_say(diag, WEFT_WARNING,
			      "router ports weigh as much as hosts do");
		free(path);
		return;
	}
	for (uint32_t e = 0; e < fabric->nep; e++)
		if (fabric->ep[e].kind == WEFT_ROUTER)
			weft_fabric_weigh(fabric, e,
					  count_behind(&goals,
						       fabric->ep[e].guid));
	weft__goals_free(&goals);
	free(path);
}
