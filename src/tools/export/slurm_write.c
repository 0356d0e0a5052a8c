// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Slurm's trees and blocks as text: topology.conf and topology.yaml. */
#include "tools/common/fold.h"
#include "tools/export/export.h"

#include <inttypes.h>
#include <stdlib.h>

char *tool_slurm_fold(const char *const *name, uint32_t n)
{
	char *text = tool_fold_names(name, n), *to = text;

	for (const char *from = text; from && *from; from++)
		if (*from != ' ')
			*to++ = *from;
	if (to)
		*to = '\0';
	return text;
}

/* The children of a switch, folded. */
static char *children_of(const struct tool_slurm *s, uint32_t parent)
{
	const char **name = malloc((s->n + 1ull) * sizeof(*name));
	uint32_t n = 0;
	char *text;

	for (uint32_t i = 0; name && i < s->n; i++)
		if (s->sw[i].parent == parent)
			name[n++] = s->sw[i].name;
	text = name ? tool_slurm_fold(name, n) : NULL;
	free(name);
	return text;
}

bool tool_slurm_tree(const struct tool_slurm *s, FILE *out)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct tool_slurm_switch *sw = &s->sw[i];
		char *children = sw->nodes ? NULL : children_of(s, i);

		if (!sw->nodes && !children)
			return false;
		fprintf(out, "SwitchName=%s %s=%s\n", sw->name,
			sw->nodes ? "Nodes" : "Switches",
			sw->nodes ? sw->nodes : children);
		free(children);
	}
	tool_slurm_put_others(s, out);
	return true;
}

/* The number of nodes that most blocks have, the higher one of two. */
static uint32_t usual_size(const struct tool_slurm *s)
{
	uint32_t best = 0, most = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t n = 0;

		for (uint32_t k = 0; s->sw[i].nodes && k < s->n; k++)
			n += s->sw[k].nodes &&
				s->sw[k].nnodes == s->sw[i].nnodes;
		if (n > most || (n == most && n && s->sw[i].nnodes > best)) {
			most = n;
			best = s->sw[i].nnodes;
		}
	}
	return best;
}

/* The size of blocks; warns of those that have less. */
static uint32_t block_size(struct tool *t, const struct tool_slurm *s,
			   uint32_t size)
{
	uint32_t small = 0;

	if (!size)
		size = usual_size(s);
	for (uint32_t i = 0; i < s->n; i++)
		small += s->sw[i].nodes && s->sw[i].nnodes < size;
	if (small)
		weft_diag_say(&t->diag, WEFT_WARNING, "of less than %" PRIu32
			      " nodes, the size of blocks, there are %s: see --block-size",
			      size, WEFT_COUNT(small, "block"));
	return size;
}

bool tool_slurm_block(struct tool *t, const struct tool_slurm *s,
		      uint32_t size, FILE *out)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->sw[i].nodes)
			fprintf(out, "BlockName=%s Nodes=%s\n", s->sw[i].name,
				s->sw[i].nodes);
	fprintf(out, "BlockSizes=%" PRIu32 "\n", block_size(t, s, size));
	tool_slurm_put_others(s, out);
	return true;
}

bool tool_slurm_yaml(struct tool *t, const struct tool_slurm *s, uint32_t size,
		     FILE *out)
{
	fputs("---\n- topology: tree\n  cluster_default: true\n  tree:\n"
	      "    switches:\n", out);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct tool_slurm_switch *sw = &s->sw[i];
		char *children = sw->nodes ? NULL : children_of(s, i);

		if (!sw->nodes && !children)
			return false;
		fprintf(out, "      - switch: %s\n        %s: \"%s\"\n",
			sw->name, sw->nodes ? "nodes" : "children",
			sw->nodes ? sw->nodes : children);
		free(children);
	}
	fprintf(out, "- topology: block\n  cluster_default: false\n  block:\n"
		"    block_sizes:\n      - %" PRIu32 "\n    blocks:\n",
		block_size(t, s, size));
	for (uint32_t i = 0; i < s->n; i++)
		if (s->sw[i].nodes)
			fprintf(out,
				"      - block: %s\n        nodes: \"%s\"\n",
				s->sw[i].name, s->sw[i].nodes);
	tool_slurm_put_others(s, out);
	return true;
}
