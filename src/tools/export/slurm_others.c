// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ports of hosts that Slurm's tree has no place for, as comments: a line for
 * those of one name on one switch, "gpu[001-032] mlx5_1: su01-rail1".
 */
#include "tools/export/export.h"

#include "core/grow.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *va, const void *vb)
{
	const struct tool_slurm_port *a = va, *b = vb;
	int order = strcmp(a->at, b->at);

	if (!order)
		order = strcmp(a->label, b->label);
	return order ? order : strcmp(a->host, b->host);
}

static bool alike(const struct tool_slurm_port *a,
		  const struct tool_slurm_port *b)
{
	return !strcmp(a->at, b->at) && !strcmp(a->label, b->label);
}

/* Adds the line of n ports that are alike. */
static bool add_line(struct tool_slurm *s, const struct tool_slurm_port *port,
		     uint32_t n)
{
	const char **host = malloc(n * sizeof(*host));
	char *nodes, *line = NULL;
	size_t size;

	for (uint32_t i = 0; host && i < n; i++)
		host[i] = port[i].host;
	nodes = host ? tool_slurm_fold(host, n) : NULL;
	free(host);
	if (!nodes)
		return false;
	size = strlen(nodes) + strlen(port->label) + strlen(port->at) + 4;
	if (!weft__grow_one(&s->other, s->nothers))
		line = malloc(size);
	if (line) {
		snprintf(line, size, "%s%s: %s", nodes, port->label, port->at);
		s->other[s->nothers++] = line;
	}
	free(nodes);
	return line;
}

bool tool_slurm_others(struct tool_slurm *s, struct tool_slurm_port *port,
		       uint32_t n)
{
	bool ok = true;

	if (n)
		qsort(port, n, sizeof(*port), compare);
	for (uint32_t i = 0, end; i < n && ok; i = end) {
		for (end = i + 1; end < n && alike(&port[i], &port[end]);)
			end++;
		ok = add_line(s, port + i, end - i);
	}
	return ok;
}

void tool_slurm_put_others(const struct tool_slurm *s, FILE *out)
{
	if (s->nothers)
		fputs("# Other ports of these hosts:\n", out);
	for (uint32_t i = 0; i < s->nothers; i++)
		fprintf(out, "# %s\n", s->other[i]);
}
