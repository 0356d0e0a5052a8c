/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Nodes with several ports: routes to these that have no switch in common. */
#ifndef WEFT_ENGINES_FATTREE_HOMES_H
#define WEFT_ENGINES_FATTREE_HOMES_H

#include "engines/fattree/chain.h"

/* True if a machine has several endports. */
bool weft__homes_any(const struct weft_fabric *fabric);

/* Whether the options say how ports of one machine are to be routed. */
bool weft__homes_asked(const struct weft_options *options);

/* Separates routes to the ports of one machine that meet in a switch, whoever
 * chose them, and counts the machines where some still do in run->weak.  Returns
 * 0; -ENOTSUP: that takes too much work; or -ENOMEM with an error. */
int weft__homes_separate(struct weft__fattree_run *run);

/*
 * Routes all endports by the rule: the first ports of all nodes (those that
 * option active lists come before the others of their node, then by number),
 * then the second ones, and so on, each around the switches on routes to the
 * earlier ports of its node; or, with order=node, all ports of a node in a row
 * by the counters alone.  Counts the nodes that may depend on one switch in
 * run->weak.  Returns 0, or -EINVAL (active) or -ENOMEM with an error.
 * O(switches) more for each endport than weft__chains_endports().
 */
int weft__homes_run(struct weft__fattree_run *run,
		    struct weft__chain_rule rule);

#define WEFT__HOMES_OPTIONS \
	{ .name = "active", .type = WEFT_OPT_LIST, .choices = "PORT", \
	  .help = "ports that are routed first on their nodes, by GUID or as " \
		  "NODE=PORT, separated by blanks or '+', or a file that " \
		  "lists them; default: the lowest port" }, \
	{ .name = "standby", .type = WEFT_OPT_BOOL, .preset = "no", \
	  .help = "only first or active ports are in use" }, \
	{ .name = "order", .type = WEFT_OPT_ENUM, .preset = "port", \
	  .choices = "port|node", \
	  .help = "the first ports of all nodes, then the second ones; or " \
		  "all ports of a node, then the next" }

#endif
