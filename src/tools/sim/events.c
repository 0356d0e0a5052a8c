// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files of what changes during a simulation. */
#include "core/grow.h"
#include "tools/common/parts.h"
#include "tools/sim/sim.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A file that is being read. */
struct reader {
	struct tool *t;
	const struct weft_fabric *f;
	const char *file;
	unsigned long line;
	struct tool_sim_events *out;
};

void tool_sim_events_free(struct tool_sim_events *e)
{
	for (uint32_t i = 0; i < e->nroutes; i++) {
		weft_routes_free(e->routes[i]);
		free(e->routes[i]);
	}
	free(e->routes);
	free(e->change);
	*e = (struct tool_sim_events){ 0 };
}

static bool complain(const struct reader *r, const char *what, const char *text)
{
	weft_diag_at(&r->t->diag, WEFT_ERROR, r->file, r->line, "%s: '%s'",
		     what, text);
	return false;
}

/* Takes the next word off a line; NULL: there is none. */
static char *take_word(char **line)
{
	char *at = *line + strspn(*line, " \t"), *end;

	if (!*at)
		return NULL;
	end = at + strcspn(at, " \t");
	*line = *end ? end + 1 : end;
	*end = '\0';
	return at;
}

/* Reads "500", "500us", "1.5ms": picoseconds. */
static bool read_time(const struct reader *r, const char *text, uint64_t *ps)
{
	static const struct {
		const char *name;
		double ps;
	} units[] = { { "", 1e6 },
		      { "ns", 1e3 },
		      { "us", 1e6 },
		      { "ms", 1e9 },
		      { "s", 1e12 } };
	const char *end = text;
	double value;

	if (!text || !weft_number_real_at(&end, NULL, &value) || value < 0 ||
	    value > 1e9)
		return complain(r, "not a time, as 500us or 1.5ms",
				text ? text : "");
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].name)) {
			*ps = value * units[i].ps;
			return true;
		}
	return complain(r, "not a unit of time (ns, us, ms, s)", end);
}

static bool add(const struct reader *r, struct weft_sim_change change)
{
	struct tool_sim_events *e = r->out;

	if (weft__grow_one(&e->change, e->n))
		return tool_no_memory(r->t);
	e->change[e->n++] = change;
	return true;
}

/* Adds all cables of a switch, or one cable. */
static bool add_part(const struct reader *r, uint64_t at,
		     enum weft_sim_change_kind kind, uint32_t part)
{
	struct weft_sim_change change = { at, kind, part, NULL };
	uint32_t sw = part & ~WEFT_PART_SWITCH;

	if (!(part & WEFT_PART_SWITCH))
		return add(r, change);
	for (uint32_t ch = r->f->first_channel[sw];
	     ch < r->f->first_channel[sw + 1]; ch++) {
		change.what = ch;
		if (r->f->peer[ch] != WEFT_NONE && !add(r, change))
			return false;
	}
	return true;
}

static bool read_parts(const struct reader *r, uint64_t at,
		       enum weft_sim_change_kind kind, const char *text)
{
	struct tool_parts parts = { 0 };
	char why[256];
	uint32_t added;
	bool ok = tool_parts_find(r->f, text, &parts, &added, why);

	if (!ok)
		weft_diag_at(&r->t->diag, WEFT_ERROR, r->file, r->line, "%s",
			     why);
	for (uint32_t i = 0; i < parts.n && ok; i++)
		ok = add_part(r, at, kind, parts.part[i]);
	tool_parts_free(&parts);
	return ok;
}

/* Has all switches get the tables of a file, one every that many ps. */
static bool read_tables(const struct reader *r, uint64_t at, char *file,
			uint64_t every)
{
	struct tool_sim_events *e = r->out;
	struct weft_routes *routes = calloc(1, sizeof(*routes));

	if (!routes || weft__grow_one(&e->routes, e->nroutes)) {
		free(routes);
		return tool_no_memory(r->t);
	}
	if (weft_io_read_tables(file, r->f, routes, NULL, &r->t->diag)) {
		free(routes);
		return complain(r, "no tables that can be written", file);
	}
	e->routes[e->nroutes++] = routes;
	for (uint32_t sw = 0; sw < r->f->nsw; sw++) {
		const struct weft_sim_change change = { at + sw * every,
							WEFT_SIM_TABLE, sw,
							&routes->lft };

		if (!add(r, change))
			return false;
	}
	return true;
}

static bool read_line(const struct reader *r, char *line)
{
	char *word = take_word(&line), *what = take_word(&line), *file;
	uint64_t at, every = 0;

	if (!word)
		return true;
	if (!read_time(r, word, &at))
		return false;
	if (!what)
		return complain(r, "a time, and nothing that happens then",
				word);
	line += strspn(line, " \t");
	if (!strcmp(what, "fail"))
		return read_parts(r, at, WEFT_SIM_FAIL, line);
	if (!strcmp(what, "repair"))
		return read_parts(r, at, WEFT_SIM_REPAIR, line);
	if (strcmp(what, "tables"))
		return complain(r, "not fail, repair or tables", what);
	file = take_word(&line);
	if (!file)
		return complain(r, "no file of tables", what);
	word = take_word(&line);
	if (word && strcmp(word, "every"))
		return complain(r, "not 'every', and a time behind it", word);
	if (word && !read_time(r, take_word(&line), &every))
		return false;
	return read_tables(r, at, file, every);
}

/* Sorts by time; what is on the same time stays in order. */
static void sort(struct weft_sim_change *change, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct weft_sim_change here = change[i];
		uint32_t k = i;

		for (; k && change[k - 1].at > here.at; k--)
			change[k] = change[k - 1];
		change[k] = here;
	}
}

static int take_line(void *context, char *line, unsigned long number)
{
	struct reader *r = context;
	size_t n = strcspn(line, "#");

	while (n && isspace((unsigned char)line[n - 1]))
		n--;
	line[n] = '\0';
	r->line = number;
	return read_line(r, line) ? 0 : -EINVAL;
}

bool tool_sim_events_read(struct tool *t, const char *file,
			  const struct weft_fabric *f,
			  struct tool_sim_events *out)
{
	struct reader r = { .t = t, .f = f, .file = file, .out = out };
	bool ok = !weft_io_each_line(file, take_line, &r, &t->diag);

	if (ok)
		sort(out->change, out->n);
	else
		tool_sim_events_free(out);
	return ok;
}
