// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Message traces: a line for each message, with the time at which it is sent
 * and what it waits for; see weft-formats(5).
 *
 * Messages are known by name or by number, before they are read, too, so what
 * each waits for is looked up at the end.
 */
#include "io/notice.h"
#include "io/replay/build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define MOST_BYTES ((uint64_t)1 << 40)
#define MOST_PS 100000000000000000ull /* 28 hours */

/* A message waits for another one: until it is sent, or delivered. */
struct wish {
	struct weft__word name;
	uint32_t job;
	bool sent;
};

struct reader {
	struct weft__build *b;
	struct wish *wish;
	uint64_t nwishes;
	size_t room;
	uint64_t last;		 /* ps of the latest message so far */
	unsigned long last_line; /* in which it stands; 0 = none has a time */
};

/* --- fields --------------------------------------------------------------- */

static bool at_blank(const struct weft__line *line)
{
	return weft__at_end(line) || *line->p == ' ' || *line->p == '\t';
}

/* Digits, up to most; false if there are none or they are more.  A unit may
 * follow. */
static bool skip_whole(struct weft__line *line, uint64_t most, uint64_t *value)
{
	return weft__skip_digits(line, value) && *value <= most;
}

/* The unit of a time in ps; microseconds without one. */
static uint64_t skip_unit(struct weft__line *line)
{
	static const struct {
		const char *name;
		uint64_t ps;
	} units[] = { { "ps", 1 },
		      { "ns", 1000 },
		      { "us", 1000000 },
		      { "ms", 1000000000 },
		      { "s", 1000000000000 } };

	for (unsigned i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (weft__skip_text(line, units[i].name))
			return units[i].ps;
	return 1000000;
}

/* "12", "12.5", "3ns": digits, a fraction, a unit.  What is less than a
 * picosecond is cut. */
static bool skip_time(struct weft__line *line, uint64_t *ps)
{
	uint64_t whole, unit, place;
	const char *fraction, *end;

	if (!skip_whole(line, MOST_PS, &whole))
		return false;
	fraction = line->p;
	if (weft__skip_char(line, '.'))
		while (!weft__at_end(line) && weft__is_digit(*line->p))
			line->p++;
	end = line->p;
	place = unit = skip_unit(line);
	if (whole > MOST_PS / unit || !at_blank(line))
		return false;
	*ps = whole * unit;
	while (++fraction < end && (place /= 10))
		*ps += (uint64_t)(*fraction - '0') * place;
	return true;
}

/* A rank that exists, behind blanks.  0 or -EINVAL, said. */
static int read_rank(struct reader *r, struct weft__line *line,
		     const struct weft__line *start, const char *what,
		     uint32_t *rank)
{
	const struct weft__build *b = r->b;

	weft__skip_blanks(line);
	weft__expect(line, what);
	if (!weft__skip_decimal(line, rank) || !at_blank(line))
		return weft__refuse_field(b->source, start, line,
					  "not a message", b->diag);
	return weft__build_rank(b, *rank, line->number);
}

/* --- lines ---------------------------------------------------------------- */

/* "NAME:" in front, or nothing. */
static int read_name(struct reader *r, struct weft__line *line,
		     struct weft__entry *entry)
{
	struct weft__line rest = *line;
	const char *begin;
	size_t n = weft__skip_word(&rest, &begin);

	if (!n || begin[n - 1] != ':')
		return 0;
	if (n == 1 || n > UINT16_MAX || weft__is_digit(*begin))
		return weft__build_fail(r->b, line->number,
					"a name of a message does not begin with a digit and is not empty: those without a name have numbers");
	entry->name = (struct weft__word){ begin, n - 1 };
	*line = rest;
	weft__skip_blanks(line);
	return 0;
}

/* "-", or a time that is not before those above. */
static int read_time(struct reader *r, struct weft__line *line,
		     const struct weft__line *start, uint64_t *at)
{
	struct weft__build *b = r->b;

	weft__expect(line, "its time (as 12.5, microseconds, or 300ns) or -");
	if (weft__skip_char(line, '-') && at_blank(line))
		return 0;
	if (!skip_time(line, at))
		return weft__refuse_field(b->source, start, line,
					  "not a message", b->diag);
	if (r->last_line && *at < r->last)
		return weft__build_fail(
			b, line->number,
			"out of order: sent at %.6f us, before the message in line %lu, which is sent at %.6f us; sort the messages by time",
			*at / 1e6, r->last_line, r->last / 1e6);
	r->last = *at;
	r->last_line = line->number;
	return 0;
}

static int read_bytes(struct reader *r, struct weft__line *line,
		      const struct weft__line *start, uint64_t *bytes)
{
	weft__skip_blanks(line);
	weft__expect(line, "its bytes, up to 2^40");
	if (!skip_whole(line, MOST_BYTES, bytes) || !at_blank(line))
		return weft__refuse_field(r->b->source, start, line,
					  "not a message", r->b->diag);
	/* A message without payload takes a packet, too. */
	*bytes += !*bytes;
	return 0;
}

/* "after ID", "sent ID" or "wait TIME". */
static int read_condition(struct reader *r, struct weft__line *line,
			  const struct weft__line *start, uint64_t *wait)
{
	struct weft__build *b = r->b;
	struct wish wish = { .job = b->n };
	bool after, sent, ok;
	int err;

	weft__expect(line, "after NAME, sent NAME or wait TIME");
	after = weft__skip_text(line, "after");
	sent = !after && weft__skip_text(line, "sent");
	ok = (after || sent || weft__skip_text(line, "wait")) &&
	     !weft__at_end(line) && at_blank(line);
	weft__skip_blanks(line);
	if (ok && (after || sent)) {
		size_t n = weft__skip_word(line, &wish.name.p);

		ok = n && n <= UINT16_MAX;
		wish.name.n = n;
		wish.sent = sent;
	} else if (ok) {
		ok = skip_time(line, wait);
	}
	if (!ok)
		return weft__refuse_field(b->source, start, line,
					  "not what a message waits for",
					  b->diag);
	if (!wish.name.n)
		return 0;
	err = weft__build_grow(b, &r->wish, &r->room, r->nwishes + 1);
	if (!err)
		r->wish[r->nwishes++] = wish;
	return err;
}

/* [NAME:] TIME|- FROM TO BYTES [after NAME] [sent NAME] [wait TIME] ... */
static int read_message(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	struct weft__entry entry = { .line = line->number };
	struct weft_sim_job *job = &entry.job;
	int err = read_name(r, line, &entry);

	if (!err)
		err = read_time(r, line, &start, &job->at);
	if (!err)
		err = read_rank(r, line, &start, "the rank that sends it",
				&job->from);
	if (!err)
		err = read_rank(r, line, &start, "the rank that it is sent to",
				&job->to);
	if (!err && job->from == job->to)
		err = weft__build_fail(r->b, line->number,
				       "rank %u sends to itself, which no network sees",
				       job->from);
	if (!err)
		err = read_bytes(r, line, &start, &job->bytes);
	while (!err) {
		weft__skip_blanks(line);
		if (weft__at_end(line))
			break;
		err = read_condition(r, line, &start, &job->wait);
	}
	return err ? err : weft__build_add(r->b, &entry);
}

/* --- names ---------------------------------------------------------------- */

/* Finds message number 1, 2 ... of the file. */
static int find_number(const struct reader *r, const struct wish *wish,
		       uint32_t *job)
{
	const struct weft__build *b = r->b;
	struct weft__line text = { .p = wish->name.p,
				   .end = wish->name.p + wish->name.n };
	uint64_t number;

	if (!skip_whole(&text, UINT32_MAX, &number) || !weft__at_end(&text) ||
	    !number || number > b->n)
		return weft__build_fail(
			b, b->entry[wish->job].line,
			"it waits for message number %.*s; this file has 1 to %" PRIu64,
			(int)wish->name.n, wish->name.p, b->n);
	*job = number - 1;
	return 0;
}

static int find_name(const struct reader *r, const struct weft__called *list,
		     uint64_t n, const struct wish *wish, uint32_t *job)
{
	const struct weft__build *b = r->b;
	const struct weft__called *found;
	char excerpt[WEFT__EXCERPT_SIZE];
	struct weft__line text = { .p = wish->name.p,
				   .end = wish->name.p + wish->name.n };

	if (weft__is_digit(*wish->name.p))
		return find_number(r, wish, job);
	found = weft__names_find(list, n, wish->name);
	if (!found)
		return weft__build_fail(b, b->entry[wish->job].line,
					"it waits for '%s', but no message has this name",
					weft__excerpt(&text, excerpt));
	*job = found->value;
	return 0;
}

static int resolve(struct reader *r, struct weft__called *list)
{
	struct weft__build *b = r->b;
	const struct weft__called *twice;
	uint64_t n = 0;
	int err = 0;

	for (uint64_t i = 0; i < b->n; i++)
		if (b->entry[i].name.n)
			list[n++] =
				(struct weft__called){ b->entry[i].name, i };
	weft__names_sort(list, n);
	twice = weft__names_twice(list, n);
	if (twice)
		return weft__build_fail(b, b->entry[twice->value].line,
					"the message in line %lu has the same name",
					b->entry[twice[-1].value].line);
	for (uint64_t i = 0; i < r->nwishes && !err; i++) {
		const struct wish *wish = &r->wish[i];
		uint32_t job = 0;

		err = find_name(r, list, n, wish, &job);
		if (!err)
			err = weft__build_wait(b, wish->job,
					       wish->sent ?
						       WEFT_SIM_SENT_OUT(job) :
						       WEFT_SIM_DELIVERED(job));
	}
	return err;
}

static void cut_comment(struct weft__line *line)
{
	const char *p = line->p;

	while (p < line->end && *p != '#')
		p++;
	line->end = p;
}

int weft__read_trace(struct weft__build *b)
{
	struct weft__lines lines = weft__lines_begin(b->source, b->diag);
	struct reader r = { .b = b };
	struct weft__called *list;
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		cut_comment(&line);
		weft__skip_blanks(&line);
		if (!weft__at_end(&line))
			err = read_message(&r, &line);
	}
	list = malloc((b->n + 1) * sizeof(*list));
	if (!err)
		err = list ? resolve(&r, list) : weft__build_no_memory(b);
	free(list);
	free(r.wish);
	return err;
}
