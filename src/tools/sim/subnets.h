/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Subnets that weft sim simulates as one network. */
#ifndef WEFT_TOOLS_SIM_SUBNETS_H
#define WEFT_TOOLS_SIM_SUBNETS_H

#include "tools/subnets/subnets.h"

struct tool_sim_join {
	struct tool_subnets x;
	struct weft_subnets_net net;
	struct tool_case c; /* of these */
};

/* Whether the inputs are subnets of one fabric: by --routers, --subnets, or
 * what they are. */
bool tool_sim_joins(const struct tool *t, const char *routers, bool told);
/* Joins them; out is to stay where it is, and to be left also after an error
 * message, then false. */
bool tool_sim_join(struct tool *t, const struct tool_subnets_how *how,
		   struct tool_sim_join *out);
void tool_sim_leave(struct tool_sim_join *join);

void tool_sim_join_print(const struct tool_sim_join *join,
			 const struct weft_sim *r, FILE *out);
json_t *tool_sim_join_json(const struct tool_sim_join *join,
			   const struct weft_sim_spec *spec,
			   const struct weft_sim *r);

#endif
