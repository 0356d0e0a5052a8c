// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Jobs and their hosts; see weft-formats(5).  What "scontrol show job" prints,
 *
 *	JobId=106 JobName=train
 *	   JobState=RUNNING Reason=None
 *	   NodeList=node[001-016,020]
 *
 * what squeue prints, if its header has NODELIST,
 *
 *	JOBID     NAME ST NODELIST(REASON)
 *	  106    train  R node[001-016,020]
 *	  107     wait PD (Resources)
 *
 * or a line for each job:
 *
 *	train: node[001-016,020]
 *	gpu[1-2]x[3-4],login1
 */
#include "core/options.h"
#include "core/text/hostlist.h"
#include "io/lists/hosts.h"
#include "io/notice.h"

#include <weft/diag.h>
#include <weft/io.h>
#include <weft/jobs.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_NAME 256
#define MAX_COLUMNS 64

enum column { NODES, ID, NAME, STATE, COLUMNS };

struct reader {
	const struct weft__source *source;
	struct weft_diag *diag;
	struct weft_job_list list;
	/* of the present job of scontrol */
	struct weft__line id, name, state, hosts;
	unsigned long line;
	bool any;		/* there is one */
	/* of squeue */
	unsigned ncolumns;
	unsigned at[COLUMNS];	/* ncolumns = it has none */
	char separator;		/* '\0' = blanks */
};

static int no_memory(const struct reader *r)
{
	return weft_fail_at(r->diag, ENOMEM, r->source->name, 0,
			    "out of memory");
}

static size_t length(const struct weft__line *text)
{
	return text->end - text->p;
}

static bool is(const struct weft__line *text, const char *word)
{
	return length(text) == strlen(word) &&
	       !memcmp(text->p, word, length(text));
}

static int any_name(void *context, const char *name, size_t n)
{
	(void)name;
	(void)n;
	return ++*(uint32_t *)context > WEFT_MAX_RANKS ? -E2BIG : 0;
}

/* Adds a job of that name, after a look at the brackets of its list. */
static int add(struct reader *r, const char *name,
	       const struct weft__line *hosts, unsigned long line)
{
	const char *why = NULL;
	uint32_t n = 0;
	char *text;
	int err = weft__hostlist_each(hosts->p, hosts->end, any_name, &n,
				      &why);

	if (err)
		return weft_fail_at(r->diag, EINVAL, r->source->name, line,
				    "hosts of job '%s': %s", name,
				    why ? why : "too many");
	text = strndup(hosts->p, length(hosts));
	err = text ? weft_job_list_add(&r->list, name, text, line) : -ENOMEM;
	free(text);
	return err ? no_memory(r) : 0;
}

/* Adds a job that goes by its number, its name, or both. */
static int add_called(struct reader *r, const struct weft__line *id,
		      const struct weft__line *called,
		      const struct weft__line *hosts, unsigned long line)
{
	bool both = length(id) && length(called);
	char name[MAX_NAME];

	if (!length(id) && !length(called))
		snprintf(name, sizeof(name), "line %lu", line);
	else
		snprintf(name, sizeof(name), "%.*s%s%.*s", (int)length(id),
			 id->p ? id->p : "", both ? " " : "",
			 (int)length(called), called->p ? called->p : "");
	return add(r, name, hosts, line);
}

/* Whether a job in that state has its hosts, and sends. */
static bool runs(const struct weft__line *state)
{
	static const char *const words[] = {
		"R", "RUNNING", "CG", "COMPLETING", "CF", "CONFIGURING",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is(state, words[i]))
			return true;
	return !length(state);
}

static bool no_hosts(const struct weft__line *hosts)
{
	return !length(hosts) || *hosts->p == '(' || is(hosts, "n/a") ||
	       is(hosts, "N/A");
}

/* --- scontrol ------------------------------------------------------------- */

static int end_record(struct reader *r)
{
	const struct weft__line nothing = { .p = NULL };
	int err = 0;

	if (r->any && runs(&r->state) && !no_hosts(&r->hosts))
		err = add_called(r, &r->id, &r->name, &r->hosts, r->line);
	r->any = false;
	r->id = r->name = r->state = r->hosts = nothing;
	return err;
}

/* Words of a record, KEY=VALUE; others belong to names with blanks. */
static int read_record(struct reader *r, struct weft__line line)
{
	struct weft__line word = line;
	int err = 0;

	while (!err && (word = line, weft__skip_word(&line, &word.p))) {
		word.end = line.p;
		if (weft__skip_text(&word, "JobId=")) {
			err = end_record(r);
			r->any = true;
			r->id = word;
			r->line = line.number;
		} else if (weft__skip_text(&word, "JobName=")) {
			r->name = word;
		} else if (weft__skip_text(&word, "JobState=")) {
			r->state = word;
		} else if (weft__skip_text(&word, "NodeList=")) {
			r->hosts = word;
			r->line = line.number;
		}
	}
	return err;
}

/* --- squeue --------------------------------------------------------------- */

/* The next column of a row. */
static struct weft__line next_column(const struct reader *r,
				     struct weft__line *line)
{
	struct weft__line column = *line;

	if (!r->separator) {
		weft__skip_word(line, &column.p);
		column.end = line->p;
		weft__skip_blanks(line);
		return column;
	}
	while (line->p < line->end && *line->p != r->separator)
		line->p++;
	column.end = line->p;
	line->p += line->p < line->end;
	weft__skip_blanks(&column);
	while (column.end > column.p && column.end[-1] == ' ')
		column.end--;
	return column;
}

static enum column column_of(const struct weft__line *head)
{
	static const struct {
		const char *head;
		enum column column;
	} known[] = {
		{ "NODELIST", NODES }, { "NODELIST(REASON)", NODES },
		{ "JOBID", ID }, { "NAME", NAME }, { "ST", STATE },
		{ "STATE", STATE },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (is(head, known[i].head))
			return known[i].column;
	return COLUMNS;
}

/* Whether a line is a header of squeue; then what its columns are. */
static bool read_header(struct reader *r, struct weft__line line)
{
	static const char separators[] = "|;";
	unsigned at[COLUMNS];

	r->separator = '\0';
	for (const char *c = separators; *c; c++)
		if (weft__find_char(&line, *c))
			r->separator = *c;
	for (int i = 0; i < COLUMNS; i++)
		at[i] = MAX_COLUMNS;
	for (r->ncolumns = 0; !weft__at_end(&line); r->ncolumns++) {
		struct weft__line head = next_column(r, &line);
		enum column column = column_of(&head);

		if (r->ncolumns == MAX_COLUMNS)
			break;
		if (column < COLUMNS)
			at[column] = r->ncolumns;
	}
	memcpy(r->at, at, sizeof(at));
	if (at[NODES] == MAX_COLUMNS)
		r->ncolumns = 0;
	return r->ncolumns;
}

/* A row.  Names may have blanks, and a reason stands for hosts that a job does
 * not have yet: what is in the last column may be more than one word, or
 * none. */
static int read_row(struct reader *r, struct weft__line line)
{
	struct weft__line start = line, column[MAX_COLUMNS] = { 0 };
	struct weft__line got[COLUMNS] = { 0 };
	unsigned n = 0;

	for (; !weft__at_end(&line) && n < r->ncolumns; n++)
		column[n] = next_column(r, &line);
	for (int i = 0; i < COLUMNS; i++)
		if (r->at[i] < n)
			got[i] = column[r->at[i]];
	if (!runs(&got[STATE]) || no_hosts(&got[NODES]))
		return 0;
	if (!weft__at_end(&line))
		return weft__refuse_line(r->source, &start,
					 "more columns than the header has; names with blanks need a separator, as squeue -o '%i|%j|%t|%N'",
					 r->diag);
	return add_called(r, &got[ID], &got[NAME], &got[NODES], start.number);
}

/* --- a line for each job -------------------------------------------------- */

/* "NAME: LIST", "NAME = LIST", "NAME LIST" or "LIST". */
static int read_job(struct reader *r, struct weft__line line)
{
	struct weft__line start = line, name = line, hosts = line;
	const struct weft__line none = { .p = NULL };
	bool mark;

	while (line.p < line.end && !memchr(" \t=:", *line.p, 4))
		line.p++;
	name.end = line.p;
	weft__skip_blanks(&line);
	mark = weft__skip_char(&line, '=') || weft__skip_char(&line, ':');
	weft__skip_blanks(&line);
	if (!mark && (weft__at_end(&line) || *line.p == '#')) {
		hosts = name;
		name = none;
	} else {
		weft__skip_word(&line, &hosts.p);
		hosts.end = line.p;
		weft__skip_blanks(&line);
	}
	if (hosts.p == hosts.end || *hosts.p == '#' ||
	    (mark && name.p == name.end) ||
	    (!weft__at_end(&line) && *line.p != '#'))
		return weft__refuse_line(r->source, &start,
					 "not a job and its hosts, as 'train: node[001-016]'",
					 r->diag);
	return add_called(r, &none, &name, &hosts, start.number);
}

static bool begins_record(const struct weft__line *line)
{
	struct weft__line copy = *line;

	return weft__skip_text(&copy, "JobId=");
}

static int read_lines(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	bool first = true, records = false;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		weft__skip_blanks(&line);
		if (weft__at_end(&line) || *line.p == '#')
			continue;
		if (first)
			records = begins_record(&line);
		if (first && !records && read_header(r, line)) {
			first = false;
			continue;
		}
		first = false;
		err = records ? read_record(r, line) :
		      r->ncolumns ? read_row(r, line) : read_job(r, line);
	}
	return err ? err : end_record(r);
}

int weft__read_jobs(const struct weft__source *source,
		    struct weft_job_list *out, struct weft_diag *diag)
{
	struct reader r = { .source = source, .diag = diag };
	int err = read_lines(&r);

	if (!err && !r.list.n)
		err = weft_fail_at(diag, EINVAL, source->name, 0,
				   "no running job in it; a line has a job and its hosts, as 'train: node[001-016]', or it is what 'scontrol show job' or squeue print");
	if (!err) {
		r.list.file = strdup(source->name);
		err = r.list.file ? 0 : no_memory(&r);
	}
	if (err)
		weft_job_list_free(&r.list);
	else
		*out = r.list;
	return err;
}

static int read_file(const char *path, weft__opener *open,
		     struct weft_job_list *out, struct weft_diag *diag)
{
	struct weft__source source;
	int err = open(path, &source, diag);

	if (err)
		return err;
	err = weft__read_jobs(&source, out, diag);
	weft__source_close(&source);
	return err;
}

static void release(void *jobs)
{
	weft_job_list_free(jobs);
	free(jobs);
}

int weft__jobs_file(struct weft_options *o, const char *name,
		    weft__opener *open, struct weft_diag *diag)
{
	const char *text = weft_options_text(o, name);
	const struct weft__source source =
		weft__source_text(name, text, strlen(text));
	struct weft_job_list *list = calloc(1, sizeof(*list));
	int err = !list ? weft_no_memory(diag) : weft__names_file(text) ?
		read_file(text, open, list, diag) :
		weft__read_jobs(&source, list, diag);

	if (err) {
		free(list);
		return err;
	}
	/* jobs come and go, and other ones are no other option: tables that
	 * stand are not routed anew for them */
	return weft__options_keep(o, name, list, release, 0) ?
		weft_no_memory(diag) : 0;
}

int weft_io_read_jobs(const char *path, struct weft_job_list *out,
		      struct weft_diag *diag)
{
	return read_file(path, weft__source_open, out, diag);
}
