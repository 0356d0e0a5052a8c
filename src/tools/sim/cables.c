// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cables of several lengths: --cables, by what they join or from a file. */
#include "tools/common/parts.h"
#include "tools/sim/cables_plan.h"
#include "tools/sim/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define METRE 5000   /* ps that light takes in a fibre */
#define MOST 100000. /* ns */

struct reader {
	struct tool *t;
	const struct weft_fabric *f;
	uint64_t *cable; /* [nch] ps */
	const char *file;
	unsigned long line;
	struct tool_plan plan; /* of columns, where the file is one */
	bool is_plan;
	uint32_t told, elsewhere; /* rows of a plan: with a length, and of
				   * these, not in the fabric */
};

/* Reads "20", "20ns" or "4m"; ends: what may be behind it. */
static bool read_delay(const char *text, size_t n, uint64_t *ps)
{
	char buf[64];
	const char *at = buf;
	double value;

	if (n >= sizeof(buf))
		return false;
	memcpy(buf, text, n);
	buf[n] = '\0';
	if (!weft_number_real_at(&at, NULL, &value) || !(value >= 0))
		return false;
	if (!strcmp(at, "m"))
		value *= METRE / 1e3;
	else if (*at && strcmp(at, "ns"))
		return false;
	*ps = value * 1000;
	return value <= MOST;
}

static void set_cable(const struct reader *r, uint32_t ch, uint64_t ps)
{
	if (r->f->peer[ch] == WEFT_NONE)
		return;
	r->cable[ch] = ps;
	r->cable[r->f->reverse[ch]] = ps;
}

/* --- by what they join ---------------------------------------------------- */

/* Whether a cable is one of a word: hosts, switches, levelN or groups. */
static bool is_of(const struct weft_fabric *f, const struct weft_shape *shape,
		  uint32_t sw, uint32_t ch, const char *word, unsigned level)
{
	uint32_t to = f->peer[ch];
	unsigned a, b;

	if (!weft_is_switch(to))
		return !strcmp(word, "hosts");
	if (!strcmp(word, "groups"))
		return shape->group[sw] != shape->group[to] &&
		       shape->group[sw] != WEFT_NONE &&
		       shape->group[to] != WEFT_NONE;
	a = shape->level[sw];
	b = shape->level[to];
	return !strcmp(word, "switches") ||
	       (level && a != b && (a > b ? a : b) == level);
}

/* Sets the cables of a word; how many there are. */
static uint32_t set_word(const struct reader *r, const struct weft_shape *shape,
			 const char *word, unsigned level, uint64_t ps)
{
	uint32_t n = 0;

	for (uint32_t sw = 0; sw < r->f->nsw; sw++)
		for (uint32_t ch = r->f->first_channel[sw];
		     ch < r->f->first_channel[sw + 1]; ch++)
			if (r->f->peer[ch] != WEFT_NONE &&
			    is_of(r->f, shape, sw, ch, word, level)) {
				set_cable(r, ch, ps);
				n++;
			}
	return n;
}

/* Reads a word and finds its level, 0 if it has none. */
static bool read_word(const char *text, size_t n, char word[16],
		      unsigned *level)
{
	uint64_t number = 0;

	if (n >= 16)
		return false;
	memcpy(word, text, n);
	word[n] = '\0';
	*level = 0;
	if (!strncmp(word, "level", 5)) {
		if (!weft_number_uint(word + 5, WEFT_SHAPE_LEVELS, &number))
			return false;
		*level = number;
		return number;
	}
	return !strcmp(word, "hosts") || !strcmp(word, "switches") ||
	       !strcmp(word, "groups");
}

static bool read_words(const struct reader *r, const struct weft_shape *shape,
		       const char *text)
{
	char word[16];
	unsigned level;
	uint64_t ps;

	for (const char *at = text; *at; at += *at == ',') {
		size_t n = strcspn(at, "=,"), m;

		if (at[n] != '=' || !read_word(at, n, word, &level) ||
		    (m = strcspn(at + n + 1, ","),
		     !read_delay(at + n + 1, m, &ps)))
			return tool_usage(
				       r->t,
				       "--cables takes a file, or hosts, switches, groups and level1, level2 and so on, each with =NS or =METRESm up to %g ns, and commas between them, not '%s'",
				       MOST, text) == TOOL_FINE;
		if (!set_word(r, shape, word, level, ps))
			weft_diag_say(
				&r->t->diag, WEFT_WARNING,
				"--cables: no cable is one of '%s' in this fabric, which is %s",
				word, shape->what);
		at += n + 1 + m;
	}
	return true;
}

/* --- from a file ---------------------------------------------------------- */

static bool set_part(const struct reader *r, const char *text, uint64_t ps)
{
	struct tool_parts parts = { 0 };
	char why[256];
	uint32_t added;
	bool ok = tool_parts_find(r->f, text, &parts, &added, why);

	if (!ok)
		weft_diag_at(&r->t->diag, WEFT_ERROR, r->file, r->line, "%s",
			     why);
	for (uint32_t i = 0; i < parts.n; i++) {
		uint32_t sw = parts.part[i] & ~WEFT_PART_SWITCH;

		if (!(parts.part[i] & WEFT_PART_SWITCH)) {
			set_cable(r, parts.part[i], ps);
			continue;
		}
		for (uint32_t ch = r->f->first_channel[sw];
		     ch < r->f->first_channel[sw + 1]; ch++)
			set_cable(r, ch, ps);
	}
	tool_parts_free(&parts);
	return ok;
}

/* "3", "3m" or "3 m", in a column of metres. */
static bool read_length(const char *text, uint64_t *ps)
{
	size_t n = strlen(text);
	char metres[64];

	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	if (n && text[n - 1] == 'm')
		n--;
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	snprintf(metres, sizeof(metres), "%.*sm", (int)n, text);
	return n < sizeof(metres) - 1 && read_delay(metres, n + 1, ps);
}

/* A row of a plan; rows without a length are left aside, and cables that a
 * fabric does not have. */
static int take_row(struct reader *r, char *line)
{
	struct tool_parts parts = { 0 };
	const char *length;
	char end[256], why[256];
	uint32_t added;
	uint64_t ps;
	bool ok = tool_plan_row(&r->plan, line, end, sizeof(end), &length);

	if (!*length)
		return 0;
	if (!ok)
		return weft_fail_at(&r->t->diag, EINVAL, r->file, r->line,
				    "neither end has a number as its port");
	if (!read_length(length, &ps))
		return weft_fail_at(
			&r->t->diag, EINVAL, r->file, r->line,
			"the length '%s' is not a number of metres, as 3 or 3 m, up to %g ns of delay",
			length, MOST);
	r->told++;
	if (tool_parts_find(r->f, end, &parts, &added, why) && parts.n == 1 &&
	    !(parts.part[0] & WEFT_PART_SWITCH))
		set_cable(r, parts.part[0], ps);
	else
		r->elsewhere++;
	tool_parts_free(&parts);
	return 0;
}

/* What a plan lacks. */
static bool judge_plan(const struct reader *r)
{
	if (!r->is_plan)
		return true;
	if (!r->told || r->elsewhere == r->told)
		return weft_fail_at(
			&r->t->diag, EINVAL, r->file, 0, r->told ?
			"none of these cables is in the fabric: nodes are known by their names" :
			"no row of this plan has a length, in metres") == 0;
	if (r->elsewhere)
		weft_diag_at(&r->t->diag, WEFT_WARNING, r->file, 0,
			     "of %" PRIu32 " cables with a length %" PRIu32
			     " are not in the fabric", r->told, r->elsewhere);
	return true;
}

/* A line: a part, and behind it the delay. */
static int take_line(void *context, char *line, unsigned long number)
{
	struct reader *r = context;
	size_t n, at;
	uint64_t ps;

	r->line = number;
	if (number == 1 && tool_plan_begins(line, &r->plan)) {
		r->is_plan = true;
		return r->plan.lacks ? weft_fail_at(
			&r->t->diag, EINVAL, r->file, number,
			"a plan needs a column 'length' (in an NDT 'Cable Length') beside those of both ends' nodes and ports") : 0;
	}
	if (r->is_plan)
		return take_row(r, line);
	n = strcspn(line, "#");
	while (n && isspace((unsigned char)line[n - 1]))
		n--;
	line[n] = '\0';
	line += strspn(line, " \t");
	n = strlen(line);
	if (!n)
		return 0;
	for (at = n; at && !isspace((unsigned char)line[at - 1]); at--)
		;
	if (!at || !read_delay(line + at, n - at, &ps)) {
		weft_diag_at(
			&r->t->diag, WEFT_ERROR, r->file, number,
			"'%s' is not a cable or switch and a delay behind it, as 'sw-1:3 20ns' or 'sw-1:3 100m', up to %g ns",
			line, MOST);
		return -EINVAL;
	}
	while (at && isspace((unsigned char)line[at - 1]))
		at--;
	line[at] = '\0';
	return set_part(r, line, ps) ? 0 : -EINVAL;
}

bool tool_sim_cables_read(struct tool *t, const struct weft_fabric *f,
			  uint64_t preset, uint64_t **out)
{
	const struct tool_sim_own *own = t->own;
	struct weft_shape shape;
	struct reader r = { .t = t, .f = f, .file = own->cables };
	bool ok;

	if (!own->cables)
		return true;
	*out = r.cable = malloc((f->nch + 1ull) * sizeof(*r.cable));
	if (!r.cable)
		return tool_no_memory(t);
	for (uint32_t ch = 0; ch < f->nch; ch++)
		r.cable[ch] = preset;
	if (!strchr(own->cables, '='))
		return !weft_io_each_line(own->cables, take_line, &r,
					  &t->diag) && judge_plan(&r);
	if (weft_shape_find(f, &shape, &t->diag))
		return false;
	ok = read_words(&r, &shape, own->cables);
	weft_shape_free(&shape);
	return ok;
}
