// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Objectives, that is what tables shall be good at; see weft-formats(5).  One
 * pattern a line:
 *
 *	# what runs here
 *	3 basket		weight, then a pattern or the name of a part
 *	1 stencil
 *	0.5 shift:distance=1
 *
 * or a file of pairs of ranks or a matrix, as patterns are read from.
 */
#include "core/options.h"
#include "core/siphash.h"
#include "io/lists/hosts.h"
#include "io/lists/objective_read.h"
#include "io/notice.h"
#include "io/lists/pair_list.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_PATTERN 512

/* Context of messages from functions that know no file. */
struct place {
	struct weft_diag *diag;
	const char *file;
	unsigned long line;
	const char *before;	/* a text in front of them, NULL = none */
};

static void say_there(void *context, const struct weft_message *m)
{
	const struct place *p = context;

	weft_diag_at(p->diag, m->severity, p->file, p->line, "%s%s",
		     p->before ? p->before : "", m->text);
}

/* WEIGHT PATTERN, of which pattern[] has room for MAX_PATTERN bytes. */
static bool split(struct weft__line *line, double *weight, char *pattern)
{
	if (!weft__skip_real(line, weight))
		return false;
	weft__skip_blanks(line);
	weft__trim(line, line->p);
	if (weft__at_end(line) || line->end - line->p >= MAX_PATTERN)
		return false;
	for (const char *p = line->p; p < line->end; p++)
		if (!isgraph((unsigned char)*p))
			return false;
	snprintf(pattern, MAX_PATTERN, "%.*s", (int)(line->end - line->p),
		 line->p);
	return true;
}

static int read_line(const struct weft__source *source, struct weft__line *line,
		     struct weft_objective *o, struct weft_diag *diag)
{
	struct place place = { diag, source->name, line->number, NULL };
	struct weft_diag there = { .emit = say_there, .context = &place };
	struct weft__line start = *line;
	char pattern[MAX_PATTERN];
	double weight;

	if (!split(line, &weight, pattern))
		return weft__refuse_line(source, &start,
					 "not 'WEIGHT PATTERN', as 2 shift",
					 diag);
	return weft_objective_add(o, pattern, weight, &there);
}

static int read_lines(const struct weft__source *source,
		      struct weft_objective *o, struct weft_diag *diag)
{
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__next_line(&lines, &line, '#', &err))
		err = read_line(source, &line, o, diag);
	return err;
}

/* Whether a line, the first one, has a word, behind a number or not, that does
 * not begin pairs of ranks. */
static bool has_pattern(struct weft__line line)
{
	double weight;

	if (weft__skip_real(&line, &weight))
		weft__skip_blanks(&line);
	else if (weft__skip_text(&line, "ranks") ||
		 weft__skip_text(&line, "round"))
		return !weft__at_end(&line) && !weft__is_blank(*line.p);
	return !weft__at_end(&line) && isalpha((unsigned char)*line.p);
}

int weft__read_objective(const struct weft__source *source,
			 struct weft_objective *out, struct weft_diag *diag)
{
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft_objective o = { .nparts = 0, .pairs_weight = 1 };
	struct weft__line line;
	int err = 0;

	if (!weft__next_line(&lines, &line, '#', &err))
		return err ? err : weft_fail_at(diag, EINVAL, source->name, 0,
				    "nothing in it; a line has a weight and a pattern");
	err = has_pattern(line) ? read_lines(source, &o, diag) :
				  weft__read_pattern(source, &o.pairs, diag);
	if (err)
		weft_objective_free(&o);
	else
		*out = o;
	return err;
}

static int read_file(const char *path, weft__opener *open,
		     struct weft_objective *out, struct weft_diag *diag)
{
	struct weft__source source;
	int err = open(path, &source, diag);

	if (err)
		return err;
	err = weft__read_objective(&source, out, diag);
	weft__source_close(&source);
	return err;
}

static int read_text(const char *text, weft__opener *open,
		     struct weft_objective *out, struct weft_diag *diag)
{
	char before[MAX_PATTERN];
	struct place place = { .diag = diag, .before = before };
	struct weft_diag there = { .emit = say_there, .context = &place };

	if (!weft_objective_parse(text, out, NULL))
		return 0;
	if (weft__names_file(text))
		return read_file(text, open, out, diag);
	snprintf(before, sizeof(before), "no file '%.64s', and ", text);
	return weft_objective_parse(text, out, &there);
}

int weft_io_read_objective(const char *text, struct weft_objective *out,
			   struct weft_diag *diag)
{
	return read_text(text, weft__source_open, out, diag);
}

static void release(void *objective)
{
	weft_objective_free(objective);
	free(objective);
}

static uint64_t fold(uint64_t digest, const void *data, size_t size)
{
	const uint64_t key[2] = { digest, size };

	return weft__siphash(key, data, size);
}

static uint64_t digest_of(const struct weft_objective *x)
{
	const struct weft_pair_list *pairs = &x->pairs;
	uint64_t n = pairs->nrounds ? pairs->first[pairs->nrounds] : 0;
	uint64_t digest = fold(x->redundancy, &x->pairs_weight,
			       sizeof(x->pairs_weight));

	for (unsigned i = 0; i < x->nparts; i++) {
		const struct weft_objective_part *part = &x->part[i];

		digest = fold(digest, part->pattern, strlen(part->pattern));
		digest = fold(digest, &part->weight, sizeof(part->weight));
	}
	if (!n)
		return digest;
	digest = fold(digest, pairs->first,
		      (pairs->nrounds + 1ull) * sizeof(*pairs->first));
	return fold(digest, pairs->pair, n * sizeof(*pairs->pair));
}

static int read_one(struct weft_options *o, const struct weft_option *row,
		    weft__opener *open, struct weft_diag *diag)
{
	const char *text = weft_options_text(o, row->name);
	struct weft_objective *objective;
	int err;

	if (row->type == WEFT_OPT_JOBS && text)
		return weft__jobs_file(o, row->name, open, diag);
	if (row->type != WEFT_OPT_OBJECTIVE || !text ||
	    weft_objective_is_usual(text))
		return 0;
	objective = calloc(1, sizeof(*objective));
	if (!objective)
		return weft_no_memory(diag);
	err = read_text(text, open, objective, diag);
	if (err) {
		free(objective);
		return err;
	}
	if (weft__options_keep(o, row->name, objective, release,
			       digest_of(objective)))
		return weft_no_memory(diag);
	return 0;
}

int weft__objective_files(struct weft_options *o, weft__opener *open,
			  struct weft_diag *diag)
{
	const struct weft_option *row = weft_options_table(o);
	int first = 0;

	for (; row->type != WEFT_OPT_END; row++) {
		int err = read_one(o, row, open, diag);

		if (err)
			weft__options_unset(o, row->name);
		first = first ? first : err;
	}
	return first;
}

int weft_io_read_objectives(struct weft_options *o, struct weft_diag *diag)
{
	return weft__objective_files(o, weft__source_open, diag);
}
