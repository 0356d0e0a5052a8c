// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Patterns from files: pairs of ranks in rounds, or a communication matrix; see
 * weft-formats(5).
 */
#include "io/lists/pair_list.h"
#include "io/notice.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>
#include <stdlib.h>

/* "ranks N" or "round", or no pair at least. */
static bool is_word(struct weft__line *line, const char *word)
{
	struct weft__line rest = *line;

	if (!weft__skip_text(&rest, word) ||
	    !(weft__at_end(&rest) || *rest.p == ' ' || *rest.p == '\t'))
		return false;
	weft__skip_blanks(&rest);
	*line = rest;
	return true;
}

static int read_ranks(struct weft__pairs_reader *r, struct weft__line *line)
{
	if (r->nranks || r->list.nrounds)
		return weft__pairs_fail(r, line->number,
				       "'ranks' comes first, and once");
	if (!weft__skip_decimal(line, &r->nranks))
		return weft__refuse_line(r->source, line,
					 "no number of ranks", r->diag);
	if (!r->nranks || r->nranks > WEFT_MAX_RANKS)
		return weft__pairs_fail(r, line->number,
				       "%u ranks; there are 1 to %u",
				       r->nranks, WEFT_MAX_RANKS);
	return 0;
}

/* FROM TO [SIZE] */
static int read_pair(struct weft__pairs_reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	struct weft_pair pair;
	double size = 1;
	bool ok = weft__skip_decimal(line, &pair.from);

	weft__skip_blanks(line);
	ok = ok && weft__skip_decimal(line, &pair.to);
	weft__skip_blanks(line);
	if (ok && !weft__at_end(line))
		ok = weft__skip_real(line, &size);
	weft__skip_blanks(line);
	if (!ok || !weft__at_end(line))
		return weft__refuse_line(r->source, &start,
					 "not 'FROM TO [SIZE]'", r->diag);
	return weft__pairs_add(r, pair, size, start.number);
}

static int read_pairs(struct weft__pairs_reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__next_line(&lines, &line, '#', &err)) {
		bool ranks = is_word(&line, "ranks");

		if (ranks) {
			err = read_ranks(r, &line);
		} else if (!is_word(&line, "round")) {
			err = read_pair(r, &line);
			continue;
		} else {
			err = weft__pairs_round(r);
		}
		weft__skip_blanks(&line);
		if (!err && !weft__at_end(&line))
			err = weft__refuse_line(r->source, &line,
						"what is this?", r->diag);
	}
	return err;
}

struct place {
	struct weft_pair pair;
	uint64_t at;
};

static int by_pair(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->pair.from != y->pair.from)
		return x->pair.from < y->pair.from ? -1 : 1;
	if (x->pair.to != y->pair.to)
		return x->pair.to < y->pair.to ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static bool same_pair(struct weft_pair a, struct weft_pair b)
{
	return a.from == b.from && a.to == b.to;
}

/* A pair twice in one round is one message that was listed twice. */
static int check_round(struct weft__pairs_reader *r, uint64_t first,
		       uint64_t end, struct place *place)
{
	uint64_t n = end - first;

	for (uint64_t i = 0; i < n; i++)
		place[i] = (struct place){ r->list.pair[first + i],
					   first + i };
	qsort(place, n, sizeof(*place), by_pair);
	for (uint64_t i = 1; i < n; i++)
		if (same_pair(place[i].pair, place[i - 1].pair))
			return weft__pairs_fail(
				r, r->line[place[i].at],
				"rank %u sends to rank %u twice in one round; first in line %lu",
				place[i].pair.from, place[i].pair.to,
				r->line[place[i - 1].at]);
	return 0;
}

static int check_twice(struct weft__pairs_reader *r)
{
	const uint64_t *first = r->list.first;
	struct place *place = malloc((r->npairs + 1) * sizeof(*place));
	int err = place ? 0 : weft__pairs_no_memory(r);

	for (uint32_t i = 0; i < r->list.nrounds && !err; i++)
		err = check_round(r, first[i], first[i + 1], place);
	free(place);
	return err;
}

static int finish(struct weft__pairs_reader *r)
{
	if (!r->npairs)
		return weft__pairs_fail(r, 0, "no pair of ranks in it");
	if (!r->sizes) {
		free(r->list.size);
		r->list.size = NULL;
	}
	r->list.nranks = r->nranks ? r->nranks : r->largest + 1;
	return check_twice(r);
}

static int read_any(struct weft__pairs_reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = 0;

	if (!weft__next_line(&lines, &line, '#', &err))
		return err;
	if (weft__skip_text(&line, "%%MatrixMarket"))
		return weft__read_matrix_market(r);
	if (weft__find_char(&line, ',') || weft__find_char(&line, ';'))
		return weft__read_matrix_csv(r);
	return read_pairs(r);
}

int weft__read_pattern(const struct weft__source *source,
		       struct weft_pair_list *out, struct weft_diag *diag)
{
	struct weft__pairs_reader r = { .source = source, .diag = diag };
	int err = read_any(&r);

	if (!err)
		err = finish(&r);
	free(r.line);
	if (err)
		weft_pair_list_free(&r.list);
	else
		*out = r.list;
	return err;
}

int weft_io_read_pattern(const char *path, struct weft_pair_list *out,
			 struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	err = weft__read_pattern(&source, out, diag);
	weft__source_close(&source);
	return err;
}
