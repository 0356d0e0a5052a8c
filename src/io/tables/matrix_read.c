// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Communication matrices: element (i, j) is what rank i sends to rank j.  All
 * of it is one round.
 */
#include "io/lists/pair_list.h"
#include "io/notice.h"

#include <weft/diag.h>

#include <errno.h>

/* The first line of a Matrix Market file, as far as it matters. */
struct market {
	bool dense;		/* "array": column by column */
	bool pattern;		/* entries have no value */
	bool symmetric;		/* the upper triangle is left out */
};

static int read_banner(struct weft__pairs_reader *r, struct weft__line *line,
		       struct market *m)
{
	static const char *const values[] = { "real", "integer", "pattern" };
	bool known = false;

	weft__skip_text(line, "%%MatrixMarket");
	weft__skip_blanks(line);
	weft__skip_text(line, "matrix");
	weft__skip_blanks(line);
	m->dense = weft__skip_text(line, "array");
	if (!m->dense && !weft__skip_text(line, "coordinate"))
		return weft__refuse_line(r->source, line,
					 "neither 'coordinate' nor 'array'",
					 r->diag);
	weft__skip_blanks(line);
	for (unsigned i = 0; i < 3 && !known; i++) {
		known = weft__skip_text(line, values[i]);
		m->pattern = known && i == 2;
	}
	if (!known || (m->pattern && m->dense))
		return weft__refuse_line(r->source, line,
					 "not 'real', 'integer' or (coordinate) 'pattern'",
					 r->diag);
	weft__skip_blanks(line);
	m->symmetric = weft__skip_text(line, "symmetric");
	if (!m->symmetric && !weft__skip_text(line, "general"))
		return weft__refuse_line(r->source, line,
					 "neither 'general' nor 'symmetric'",
					 r->diag);
	return 0;
}

/* ROWS COLUMNS [ENTRIES] */
static int read_size(struct weft__pairs_reader *r, struct weft__line *line,
		     const struct market *m, uint32_t *entries)
{
	uint32_t rows = 0, columns = 0;
	bool ok = weft__skip_decimal(line, &rows);

	weft__skip_blanks(line);
	ok = ok && weft__skip_decimal(line, &columns);
	weft__skip_blanks(line);
	if (ok && !m->dense)
		ok = weft__skip_decimal(line, entries);
	weft__skip_blanks(line);
	if (!ok || !weft__at_end(line))
		return weft__refuse_line(r->source, line,
					 "no size of the matrix", r->diag);
	if (rows != columns || !rows || rows > WEFT_MAX_RANKS)
		return weft__pairs_fail(r, line->number,
				       "%u rows, %u columns: not a matrix of 1 to %u ranks",
				       rows, columns, WEFT_MAX_RANKS);
	r->nranks = rows;
	return 0;
}

/* An element, and the one it stands for in a symmetric matrix. */
static int add_element(struct weft__pairs_reader *r, const struct market *m,
		       struct weft_pair pair, double value,
		       unsigned long line)
{
	int err = weft__pairs_element(r, pair, value, line);

	if (!err && m->symmetric)
		err = weft__pairs_element(
			r, (struct weft_pair){ pair.to, pair.from }, value,
			line);
	return err;
}

/* ROW COLUMN [VALUE], counted from 1 */
static int read_entry(struct weft__pairs_reader *r, struct weft__line *line,
		      const struct market *m)
{
	struct weft__line start = *line;
	struct weft_pair pair;
	double value = 1;
	bool ok = weft__skip_decimal(line, &pair.from);

	weft__skip_blanks(line);
	ok = ok && weft__skip_decimal(line, &pair.to);
	weft__skip_blanks(line);
	if (ok && !m->pattern)
		ok = weft__skip_real(line, &value);
	weft__skip_blanks(line);
	if (!ok || !weft__at_end(line))
		return weft__refuse_line(r->source, &start,
					 "no entry of the matrix", r->diag);
	if (!pair.from || !pair.to || pair.from > r->nranks ||
	    pair.to > r->nranks)
		return weft__pairs_fail(r, line->number,
				       "row %u, column %u: they are 1 to %u",
				       pair.from, pair.to, r->nranks);
	pair.from--;
	pair.to--;
	return add_element(r, m, pair, value, line->number);
}

/* Values of a dense matrix, one in a line, column by column. */
static int read_dense(struct weft__pairs_reader *r, struct weft__lines *lines,
		      const struct market *m, uint64_t *n)
{
	struct weft__line line;
	int err = 0;

	for (uint32_t column = 0; column < r->nranks && !err; column++)
		for (uint32_t row = m->symmetric ? column : 0;
		     row < r->nranks && !err; row++) {
			double value;

			if (!weft__next_line(lines, &line, '%', &err))
				return err;
			if (!weft__skip_real(&line, &value))
				return weft__refuse_line(r->source, &line,
							 "not a number",
							 r->diag);
			err = add_element(r, m,
					  (struct weft_pair){ row, column },
					  value, line.number);
			++*n;
		}
	return err;
}

int weft__read_matrix_market(struct weft__pairs_reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	struct market m = { 0 };
	uint64_t n = 0, all;
	uint32_t entries = 0;
	int err = 0;

	/* It has a first line, by which it was told apart. */
	weft__next_line(&lines, &line, '#', &err);
	err = read_banner(r, &line, &m);
	if (!err && !weft__next_line(&lines, &line, '%', &err) && !err)
		err = weft__pairs_fail(r, 0, "no size of the matrix");
	if (!err)
		err = read_size(r, &line, &m, &entries);
	if (err)
		return err;
	all = entries;
	if (m.dense) {
		all = (uint64_t)r->nranks * r->nranks;
		if (m.symmetric)
			all = (all + r->nranks) / 2;
		err = read_dense(r, &lines, &m, &n);
	}
	while (!err && weft__next_line(&lines, &line, '%', &err)) {
		n++;
		if (!m.dense)
			err = read_entry(r, &line, &m);
	}
	if (!err && n != all)
		err = weft__pairs_fail(r, 0, "%llu entries, but %llu announced",
				      (unsigned long long)n,
				      (unsigned long long)all);
	return err;
}

/* One row of values between commas (or semicolons); an empty one is 0. */
static int read_row(struct weft__pairs_reader *r, struct weft__line *line,
		    uint32_t row, uint32_t *columns)
{
	uint32_t column = 0;
	int err = 0;

	for (;; column++) {
		double value = 0;

		weft__skip_blanks(line);
		if (!weft__at_end(line) && *line->p != ',' && *line->p != ';' &&
		    !weft__skip_real(line, &value))
			return weft__refuse_line(r->source, line,
						 "not a number", r->diag);
		err = weft__pairs_element(r, (struct weft_pair){ row, column },
					 value, line->number);
		weft__skip_blanks(line);
		if (err || weft__at_end(line))
			break;
		if (!weft__skip_char(line, ',') && !weft__skip_char(line, ';'))
			return weft__refuse_line(r->source, line,
						 "no comma", r->diag);
	}
	*columns = column + 1;
	return err;
}

int weft__read_matrix_csv(struct weft__pairs_reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	uint32_t rows = 0, columns = 0;
	int err = 0;

	while (!err && weft__next_line(&lines, &line, '#', &err)) {
		unsigned long number = line.number;

		err = read_row(r, &line, rows, &columns);
		if (!err && r->nranks && columns != r->nranks)
			err = weft__pairs_fail(r, number,
					      "%u values, but %u in the first row",
					      columns, r->nranks);
		if (!err && !r->nranks)
			r->nranks = columns;
		if (!err && rows == r->nranks)
			err = weft__pairs_fail(r, number,
					      "more rows than the %u columns",
					      r->nranks);
		rows++;
	}
	if (!err && rows != r->nranks)
		err = weft__pairs_fail(r, 0, "%u rows, but %u columns", rows,
				      r->nranks);
	return err;
}
