/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft export: fabrics as other programs read them. */
#ifndef WEFT_TOOLS_EXPORT_EXPORT_H
#define WEFT_TOOLS_EXPORT_EXPORT_H

#include "tools/common/tool.h"

/* --- slurm.c -------------------------------------------------------------- */

/* A switch of Slurm's tree: one that has nodes, or switches that are joined up
 * to a level of the tree, a group, a part of the fabric. */
struct tool_slurm_switch {
	char *name;
	uint32_t parent;	/* WEFT_NONE: it is a root */
	char *nodes;		/* folded, NULL = has none itself */
	uint32_t nnodes;
};

struct tool_slurm {
	uint32_t n;
	struct tool_slurm_switch *sw;	/* children first */
	char **other;		/* [nothers] what there is of ports elsewhere */
	uint32_t nothers;
};

/* Makes the tree of hosts with ports of that kind, NULL: any, at the switches
 * of the first of these; false after an error message. */
bool tool_slurm_make(struct tool *t, const struct weft_fabric *f,
		     const char *kind, struct tool_slurm *out);
void tool_slurm_free(struct tool_slurm *s);

/* --- slurm_others.c ------------------------------------------------------- */

/* A port on another switch than the one that its host is put at. */
struct tool_slurm_port {
	const char *at, *host;
	char *label;		/* " mlx5_1", " port 2", malloc()ed */
};

/* Makes s->other of them, and sorts them; false without memory. */
bool tool_slurm_others(struct tool_slurm *s, struct tool_slurm_port *port,
		       uint32_t n);
void tool_slurm_put_others(const struct tool_slurm *s, FILE *out);

/* --- slurm_write.c -------------------------------------------------------- */

/* Names in Slurm's form, "host-[0000-0003],login"; malloc()ed, NULL without
 * memory. */
char *tool_slurm_fold(const char *const *name, uint32_t n);
bool tool_slurm_tree(const struct tool_slurm *s, FILE *out);
/* Blocks are the switches with nodes; size 0: what most of them have. */
bool tool_slurm_block(struct tool *t, const struct tool_slurm *s,
		      uint32_t size, FILE *out);
bool tool_slurm_yaml(struct tool *t, const struct tool_slurm *s, uint32_t size,
		     FILE *out);

/* --- omnetpp.c ------------------------------------------------------------ */

/* Writes NAME.ned, NAME.fdbs and NAME.fdbs.ini into a directory. */
bool tool_export_omnetpp(struct tool *t, const struct tool_case *c,
			 const char *directory, const char *name);

/* --- simgrid.c ------------------------------------------------------------ */

bool tool_export_simgrid(struct tool *t, const struct tool_case *c, FILE *out);

/* --- simulators.c, htsim.c ------------------------------------------------ */

/* False after an error message. */
bool tool_export_ns3(struct tool *t, const struct weft_fabric *f, FILE *out);
bool tool_export_sst(struct tool *t, const struct weft_fabric *f, FILE *out);
bool tool_export_htsim(struct tool *t, const struct weft_fabric *f, FILE *out);

/* --- graph.c -------------------------------------------------------------- */

void tool_export_graphml(const struct weft_fabric *f, FILE *out);
void tool_export_cables(const struct weft_fabric *f, FILE *out);
void tool_export_nodes(const struct weft_fabric *f, FILE *out);

#endif
