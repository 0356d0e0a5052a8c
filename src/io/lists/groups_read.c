// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Groups of hosts; see weft-formats(5):
 *
 *	job17 node[001-016,020]		a name and Slurm's list of its hosts
 *	job18: node[017-019],gpu1	the same
 *	rack3 = node[21-40]
 *	PartitionName=debug Default=YES Nodes=node[1-4] State=UP
 */
#include "core/grow.h"
#include "io/compressed.h"
#include "io/lists/hosts.h"
#include "io/notice.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>
#include <stdlib.h>

struct reader {
	const struct weft__source *source;
	const struct weft_fabric *f;
	struct weft_diag *diag;
	struct weft__host_index index;
	struct weft_host_groups groups;
};

static int no_memory(const struct reader *r)
{
	return weft_fail_at(r->diag, ENOMEM, r->source->name, 0,
			    "out of memory");
}

void weft_host_groups_free(struct weft_host_groups *g)
{
	for (uint32_t i = 0; i < g->n; i++) {
		free(g->group[i].name);
		free(g->group[i].endport);
	}
	free(g->group);
	*g = (struct weft_host_groups){ .n = 0 };
}

/* The group of that name, a new one if need be; NULL without memory. */
static struct weft_host_group *find_group(struct reader *r, const char *name,
					  size_t length)
{
	struct weft_host_groups *g = &r->groups;
	struct weft_host_group *one;

	for (uint32_t i = 0; i < g->n; i++)
		if (strlen(g->group[i].name) == length &&
		    !memcmp(g->group[i].name, name, length))
			return &g->group[i];
	if (weft__grow_one(&g->group, g->n))
		return NULL;
	one = &g->group[g->n];
	*one = (struct weft_host_group){ .name = strndup(name, length) };
	if (!one->name)
		return NULL;
	g->n++;
	return one;
}

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int add_hosts(struct reader *r, struct weft_host_group *g,
		     const struct weft__line *list)
{
	uint32_t *endport, n, *more, kept = 0;
	int err = weft__read_host_list(r->source, r->f, &r->index, list,
				       &endport, &n, r->diag);

	if (err)
		return err;
	if (!n) {
		free(endport);
		return weft__refuse_line(r->source, list,
					 "a group without hosts", r->diag);
	}
	if (weft__resize(&g->endport, (uint64_t)g->n + n)) {
		free(endport);
		return no_memory(r);
	}
	more = g->endport;
	memcpy(more + g->n, endport, n * sizeof(*more));
	free(endport);
	qsort(more, g->n + n, sizeof(*more), by_id);
	for (uint32_t i = 0; i < g->n + n; i++)
		if (!kept || more[kept - 1] != more[i])
			more[kept++] = more[i];
	g->n = kept;
	return 0;
}

/* "PartitionName=NAME ... Nodes=LIST ..."; one without nodes, or of all, is
 * none. */
static int read_partition(struct reader *r, struct weft__line line)
{
	struct weft__line start = line, name = weft__next_word(&line);
	struct weft_host_group *g;

	weft__skip_text(&name, "PartitionName=");
	if (name.p == name.end)
		return weft__refuse_line(r->source, &start,
					 "a partition without a name", r->diag);
	while (!weft__at_end(&line)) {
		struct weft__line word = weft__next_word(&line);

		if (!weft__skip_text(&word, "Nodes="))
			continue;
		/* these are no groups */
		if (word.p == word.end ||
		    (word.end - word.p == 3 && !memcmp(word.p, "ALL", 3)))
			return 0;
		g = find_group(r, name.p, name.end - name.p);
		return g ? add_hosts(r, g, &word) : no_memory(r);
	}
	return 0;
}

/* "NAME LIST", "NAME: LIST" or "NAME = LIST". */
static int read_group(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line, list;
	struct weft_host_group *g;
	const char *name = line->p;
	size_t length;

	while (line->p < line->end && !weft__is_blank(*line->p) && *line->p != '=' &&
	       *line->p != ':')
		line->p++;
	length = line->p - name;
	weft__skip_blanks(line);
	if (!weft__skip_char(line, '='))
		weft__skip_char(line, ':');
	weft__skip_blanks(line);
	list = weft__next_word(line);
	if (!length || list.p == list.end ||
	    (!weft__at_end(line) && *line->p != '#'))
		return weft__refuse_line(r->source, &start,
					 "not a group and its hosts, as 'job17 node[001-016]'",
					 r->diag);
	g = find_group(r, name, length);
	return g ? add_hosts(r, g, &list) : no_memory(r);
}

static int read_lines(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		struct weft__line copy;

		weft__skip_blanks(&line);
		copy = line;
		if (weft__at_end(&line) || *line.p == '#')
			continue;
		err = weft__skip_text(&copy, "PartitionName=") ?
			      read_partition(r, line) :
			      read_group(r, &line);
	}
	if (!err && !r->groups.n)
		err = weft_fail_at(r->diag, EINVAL, r->source->name, 0,
				   "no group in it");
	return err;
}

int weft__read_groups(const struct weft__source *source,
		      const struct weft_fabric *fabric,
		      struct weft_host_groups *out, struct weft_diag *diag)
{
	struct reader r = { .source = source, .f = fabric, .diag = diag };
	int err = weft__host_index_init(&r.index, fabric);

	if (err)
		return no_memory(&r);
	err = read_lines(&r);
	weft__host_index_free(&r.index);
	if (err)
		weft_host_groups_free(&r.groups);
	else
		*out = r.groups;
	return err;
}

int weft_io_read_groups(const char *path, const struct weft_fabric *fabric,
			struct weft_host_groups *out, struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, diag);

	if (err)
		return err;
	err = weft__read_groups(&source, fabric, out, diag);
	weft__source_close(&source);
	return err;
}
