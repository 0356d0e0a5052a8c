// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options of the section [weft] of weft.conf. */
#include "osm_options.h"

const struct weft_option weft__conf_common[] = {
	{ .name = "deadlock", .type = WEFT_OPT_ENUM, .preset = "layers",
	  .choices = "layers|keep|ignore|refuse",
	  .help = "what to do about tables with a credit loop" },
	{ .name = "multicast", .type = WEFT_OPT_ENUM, .preset = "weft",
	  .choices = "weft|opensm",
	  .help = "who builds the trees of multicast groups" },
	{ .name = "qos_levels", .type = WEFT_OPT_INT, .preset = "1",
	  .min = 1, .max = 8,
	  .help = "levels of QoS that share the lanes" },
	{ .name = "rebalance", .type = WEFT_OPT_STRING, .preset = "",
	  .help = "any word: when it changes, tables that stand are routed anew" },
	{ .name = "router_weights", .type = WEFT_OPT_ENUM, .preset = "no",
	  .choices = "no|yes",
	  .help = "whether router ports weigh as much as what is behind" },
	{ .name = "sl_dump", .type = WEFT_OPT_ENUM, .preset = "weft",
	  .choices = "weft|psl|none",
	  .help = "how service levels are dumped after a sweep" },
	{ .name = "standing", .type = WEFT_OPT_ENUM, .preset = "yes",
	  .choices = "yes|no",
	  .help = "whether entries that still work stay as they are" },
	{ .name = "sweeps_keep", .type = WEFT_OPT_INT, .preset = "4",
	  .min = 0, .max = 99,
	  .help = "older files of weft-sweeps.jsonl to keep" },
	{ .name = "sweeps_size", .type = WEFT_OPT_INT, .preset = "1024",
	  .min = 0, .max = 1048576,
	  .help = "KiB of weft-sweeps.jsonl at most; 0: no such file" },
	{ .type = WEFT_OPT_END },
};
