// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads weft-routers.map; see router_goals.h. */
#include "io/tables/router_goals.h"

#include "core/find_key.h"
#include "core/grow.h"
#include "io/source.h"

#include <weft/diag.h>
#include <weft/gid.h>
#include <weft/layers.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct weft__goals g;
	size_t room, port_room, level_room;
	const char *path;
	struct weft_diag *diag;
};

static int wrong(const struct reader *r, unsigned long line, const char *what,
		 const char *word, size_t length)
{
	weft_diag_at(r->diag, WEFT_ERROR, r->path, line, "'%.*s' is %s",
		     (int)(length < 60 ? length : 60), word, what);
	return -EINVAL;
}

static int no_memory(const struct reader *r)
{
	return weft_no_memory(r->diag);
}

/* Reads a word that says what a line is about: "*", a prefix or a GID. */
static int read_goal(const struct reader *r, const char *word, size_t length,
		     struct weft__goal *e)
{
	char text[64];
	char *slash;

	if (length == 1 && *word == '*') {
		e->scope = WEFT__EVERYBODY;
		return 0;
	}
	snprintf(text, sizeof(text), "%.*s",
		 (int)(length < sizeof(text) ? length : sizeof(text) - 1),
		 word);
	slash = strchr(text, '/');
	if (slash && strcmp(slash, "/64"))
		return wrong(r, e->line, "no prefix: these end in /64", word,
			     length);
	e->scope = slash ? WEFT__PREFIX : WEFT__HOST;
	if (slash)
		*slash = '\0';
	if (length >= sizeof(text) ||
	    weft_gid_parse(text, &e->prefix, &e->guid))
		return wrong(r, e->line,
			     "neither a GID, a prefix with /64, nor *", word,
			     length);
	if (slash)
		e->guid = 0;
	return 0;
}

/* Reads the router ports of a line. */
static int read_ports(struct reader *r, struct weft__line *line,
		      struct weft__goal *e)
{
	const char *word;
	size_t length;

	e->first = r->g.nports;
	while ((length = weft__skip_word(line, &word)) && *word != '#') {
		struct weft__line one = { .p = word, .end = word + length };
		uint64_t guid;

		if (!weft__skip_0x(&one, &guid) || one.p != one.end)
			return wrong(r, e->line,
				     "no GUID: these are 0x and up to 16 hexadecimal digits",
				     word, length);
		if (weft__grow(&r->g.port, &r->port_room, r->g.nports + 1ull))
			return no_memory(r);
		r->g.port[r->g.nports++] = guid;
		e->n++;
	}
	if (e->n)
		return 0;
	weft_diag_at(r->diag, WEFT_ERROR, r->path, e->line,
		     "no router port: give the GUID of one");
	return -EINVAL;
}

/* Reads a number below a limit, the next word of a line. */
static int read_number(const struct reader *r, struct weft__line *line,
		       unsigned limit, uint8_t *out)
{
	const char *word;
	size_t length = weft__skip_word(line, &word);
	struct weft__line text = { .p = word, .end = word + length };
	uint64_t n;

	if (!weft__skip_uint(&text, limit - 1, &n) || !weft__at_end(&text))
		return wrong(r, line->number,
			     "no level or SL: these are 0 to 15",
			     word, length);
	*out = n;
	return 0;
}

/* Reads what follows the word "level". */
static int read_level(struct reader *r, struct weft__line *line)
{
	struct weft__goal about = { .line = line->number };
	struct weft__goal_level e = { .line = line->number };
	const char *word;
	size_t length = weft__skip_word(line, &word);
	int err = read_goal(r, word, length, &about);

	if (!err && about.scope != WEFT__PREFIX)
		err = wrong(r, e.line, "no prefix: these end in /64", word,
			    length);
	e.prefix = about.prefix;
	if (!err)
		err = read_number(r, line, WEFT_NSL, &e.level);
	if (err)
		return err;
	length = weft__skip_word(line, &word);
	if (length != 2 || strncmp(word, "sl", 2)) {
		weft_diag_at(r->diag, WEFT_ERROR, r->path, e.line,
			     "\"sl\" and a number belong behind the level");
		return -EINVAL;
	}
	err = read_number(r, line, WEFT_NSL, &e.sl);
	if (!err && weft__grow(&r->g.level, &r->level_room, r->g.nlevels + 1))
		err = no_memory(r);
	if (!err)
		r->g.level[r->g.nlevels++] = e;
	return err;
}

static int read_line(struct reader *r, struct weft__line *line)
{
	struct weft__goal e = { .line = line->number };
	const char *word;
	size_t length = weft__skip_word(line, &word);
	int err;

	if (!length || *word == '#')
		return 0;
	if (length == 5 && !strncmp(word, "level", 5))
		return read_level(r, line);
	err = read_goal(r, word, length, &e);
	if (!err)
		err = read_ports(r, line, &e);
	if (!err && weft__grow(&r->g.goal, &r->room, r->g.n + 1))
		err = no_memory(r);
	if (!err)
		r->g.goal[r->g.n++] = e;
	return err;
}

/* Compares what two lines are about. */
static int compare(const struct weft__goal *a, const struct weft__goal *b)
{
	if (a->scope != b->scope)
		return (int)a->scope - (int)b->scope;
	if (a->prefix != b->prefix)
		return a->prefix < b->prefix ? -1 : 1;
	return a->guid < b->guid ? -1 : a->guid > b->guid;
}

static int by_goal(const void *x, const void *y)
{
	const struct weft__goal *a = x, *b = y;
	int order = compare(a, b);

	return order ? order : a->line < b->line ? -1 : a->line > b->line;
}

static int by_prefix(const void *x, const void *y)
{
	const struct weft__goal_level *a = x, *b = y;

	if (a->prefix != b->prefix)
		return a->prefix < b->prefix ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int twice(const struct reader *r, unsigned long line,
		 unsigned long before)
{
	weft_diag_at(r->diag, WEFT_ERROR, r->path, line,
		     "line %lu is about the same", before);
	return -EINVAL;
}

/* Sorts all that was read, and looks for what two lines are about. */
static int sort(struct reader *r)
{
	struct weft__goals *g = &r->g;

	if (g->n)
		qsort(g->goal, g->n, sizeof(*g->goal), by_goal);
	if (g->nlevels)
		qsort(g->level, g->nlevels, sizeof(*g->level), by_prefix);
	for (size_t i = 1; i < g->n; i++)
		if (!compare(&g->goal[i - 1], &g->goal[i]))
			return twice(r, g->goal[i].line, g->goal[i - 1].line);
	for (size_t i = 1; i < g->nlevels; i++)
		if (g->level[i - 1].prefix == g->level[i].prefix)
			return twice(r, g->level[i].line, g->level[i - 1].line);
	return 0;
}

int weft__goals_parse(const struct weft__source *source,
		      struct weft__goals *out, struct weft_diag *diag)
{
	struct reader r = { .path = source->name, .diag = diag };
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(&r, &line);
	if (!err)
		err = sort(&r);
	if (err)
		weft__goals_free(&r.g);
	else
		*out = r.g;
	return err;
}

int weft__goals_read(const char *path, weft__opener *open,
		     struct weft__goals *out, struct weft_diag *diag)
{
	struct weft__source source;
	int err = open(path, &source, diag);

	if (err)
		return err;
	err = weft__goals_parse(&source, out, diag);
	weft__source_close(&source);
	return err;
}

void weft__goals_free(struct weft__goals *g)
{
	free(g->goal);
	free(g->port);
	free(g->level);
	*g = (struct weft__goals){ .n = 0 };
}

const struct weft__goal *weft__goals_find(const struct weft__goals *g,
					  enum weft__scope scope,
					  uint64_t prefix, uint64_t guid)
{
	const struct weft__goal key = {
		.scope = scope,
		.prefix = scope == WEFT__EVERYBODY ? 0 : prefix,
		.guid = scope == WEFT__HOST ? guid : 0,
	};
	size_t low = 0, high = g->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare(&g->goal[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < g->n && !compare(&g->goal[low], &key) ? &g->goal[low] :
							     NULL;
}

const struct weft__goal_level *weft__goals_level(const struct weft__goals *g,
						 uint64_t prefix)
{
	size_t at = weft__find_key(g->level, g->nlevels, sizeof(*g->level),
				   offsetof(struct weft__goal_level, prefix),
				   prefix);

	return at < g->nlevels ? &g->level[at] : NULL;
}
