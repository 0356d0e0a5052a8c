// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The grammar of GOAL.  Statements end with their line, as LogGOPSim has it, or
 * with a semicolon; labels are known in their rank, from its beginning on.
 */
#include "io/replay/goal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((uint64_t)1 << 40)
#define MOST_NS 100000000000000ull   /* 28 hours */
#define HUGE_NUMBER (UINT64_MAX / 2) /* any that is too large */

enum token { END, NEWLINE, WORD, NUMBER, SIGN };

/* What is looked at, and what it was. */
struct scan {
	struct weft__goal *g;
	const char *next, *end;
	unsigned long line;
	enum token token;
	struct weft__word word; /* its text */
	uint64_t number;	/* HUGE_NUMBER at most */
	unsigned long token_line;
};

/* One dependency by labels. */
struct wish {
	struct weft__word op, on;
	unsigned long line;
	bool start;
};

/* Labels and wishes of a rank. */
struct block {
	uint32_t rank;
	uint64_t first; /* of its operations */
	struct wish *wish;
	uint64_t nwishes;
	size_t room;
};

/* --- tokens --------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Steps over blanks and comments; false where a comment does not end. */
static bool skip_space(struct scan *s)
{
	while (s->next < s->end) {
		const char *p = s->next, *stop = s->end;
		bool more = p + 1 < s->end;

		if (*p == ' ' || *p == '\t' || *p == '\r') {
			s->next++;
		} else if (more && p[0] == '/' && p[1] == '/') {
			stop = memchr(p, '\n', s->end - p);
			s->next = stop ? stop : s->end;
		} else if (more && p[0] == '/' && p[1] == '*') {
			stop = memmem(p + 2, s->end - p - 2, "*/", 2);
			if (!stop)
				return false;
			for (; p < stop; p++)
				s->line += *p == '\n';
			s->next = stop + 2;
		} else {
			break;
		}
	}
	return true;
}

static void read_number(struct scan *s)
{
	s->token = NUMBER;
	for (s->number = 0; s->next < s->end && weft__is_digit(*s->next);
	     s->next++)
		s->number = s->number > UINT64_MAX / 20 ?
				    HUGE_NUMBER :
				    s->number * 10 + (uint64_t)(*s->next - '0');
}

/* Reads the next token.  0 or -EINVAL, said. */
static int advance(struct scan *s)
{
	bool fine = skip_space(s);
	const char *begin = s->next;

	s->token_line = s->line;
	if (!fine)
		return weft__build_fail(s->g->b, s->line,
					"a comment that does not end");
	if (s->next == s->end) {
		s->token = END;
	} else if (*begin == '\n' || *begin == ';') {
		s->token = NEWLINE;
		s->line += *s->next++ == '\n';
	} else if (weft__is_digit(*begin)) {
		read_number(s);
	} else if (is_letter(*begin)) {
		s->token = WORD;
		while (s->next < s->end &&
		       (is_letter(*s->next) || weft__is_digit(*s->next)))
			s->next++;
	} else {
		s->token = SIGN;
		s->next++;
	}
	s->word = (struct weft__word){ begin, s->next - begin };
	return 0;
}

static bool is(const struct scan *s, const char *text)
{
	return s->word.n == strlen(text) &&
	       !memcmp(s->word.p, text, s->word.n) && s->token != NEWLINE;
}

/* -EINVAL after the error that something else should be here. */
static int refuse(const struct scan *s, const char *expected)
{
	char excerpt[WEFT__EXCERPT_SIZE];
	struct weft__line word = { .p = s->word.p,
				   .end = s->word.p + s->word.n };

	if (s->token == END || s->token == NEWLINE)
		return weft__build_fail(s->g->b, s->token_line,
					"expected %s, found the end of the %s",
					expected,
					s->token == END	  ? "file" :
					*s->word.p == ';' ? "statement" :
							    "line");
	return weft__build_fail(s->g->b, s->token_line,
				"expected %s, found '%s'", expected,
				weft__excerpt(&word, excerpt));
}

/* Steps over a word or sign that must be here. */
static int skip(struct scan *s, const char *text)
{
	char expected[32];

	if (is(s, text))
		return advance(s);
	snprintf(expected, sizeof(expected), "'%s'", text);
	return refuse(s, expected);
}

static int skip_number(struct scan *s, const char *what, uint64_t most,
		       uint64_t *value)
{
	if (s->token != NUMBER)
		return refuse(s, what);
	if (s->number > most)
		return weft__build_fail(s->g->b, s->token_line,
					"%.*s is too much: expected %s, up to %" PRIu64,
					(int)(s->word.n < 40 ? s->word.n : 40),
					s->word.p, what, most);
	*value = s->number;
	return advance(s);
}

/* --- statements ----------------------------------------------------------- */

/* [tag N] [cpu N] [nic N]; which processor and adapter has no meaning here. */
static int read_places(struct scan *s, struct weft__op *op)
{
	static const char *const words[] = { "tag", "cpu", "nic" };
	uint64_t value;
	int err = 0;

	for (unsigned i = op->type == WEFT__CALC; i < 3 && !err; i++) {
		if (!is(s, words[i]))
			continue;
		err = advance(s);
		if (!err && is(s, "-"))
			return weft__build_fail(
				s->g->b, s->token_line,
				"any tag (-1): which message that is, only a run could tell; give the tag of one");
		if (!err)
			err = skip_number(s, "a number", UINT32_MAX - 1,
					  &value);
		if (!err && !i)
			op->tag = value;
	}
	return err;
}

/* A rank, one of the file and of the fabric. */
static int read_rank(struct scan *s, uint32_t *rank)
{
	unsigned long line = s->token_line;
	uint64_t value = 0;
	int err;

	if (is(s, "-"))
		return weft__build_fail(s->g->b, line,
					"any rank (-1): which message that is, only a run could tell; give the rank that sends it");
	err = skip_number(s, "a rank", UINT32_MAX - 1, &value);
	if (!err && value >= s->g->nblocks)
		err = weft__build_fail(s->g->b, line,
				       "rank %" PRIu64
				       ", but num_ranks says %" PRIu64 ": ranks are 0 to %" PRIu64,
				       value, s->g->nblocks, s->g->nblocks - 1);
	*rank = value;
	return err;
}

static int read_operation(struct scan *s, struct weft__op *op)
{
	bool send = is(s, "send"), recv = is(s, "recv");
	int err;

	if (!send && !recv && !is(s, "calc"))
		return refuse(s, "send, recv or calc");
	op->type = send ? WEFT__SEND : recv ? WEFT__RECV : WEFT__CALC;
	err = advance(s);
	if (!err && !send && !recv) {
		err = skip_number(s, "nanoseconds", MOST_NS, &op->size);
		return err ? err : read_places(s, op);
	}
	if (!err)
		err = skip_number(s, "bytes", MOST_BYTES, &op->size);
	if (!err)
		err = skip(s, "b");
	if (!err)
		err = skip(s, send ? "to" : "from");
	if (!err)
		err = read_rank(s, &op->peer);
	return err ? err : read_places(s, op);
}

static int add_operation(struct weft__goal *g, const struct weft__op *op)
{
	int err = weft__build_grow(g->b, &g->op, &g->op_room, g->nops + 1);

	if (!err && g->nops >= UINT32_MAX / 4)
		err = weft__build_fail(g->b, op->line,
				       "more than %u operations",
				       UINT32_MAX / 4);
	if (!err)
		g->op[g->nops++] = *op;
	return err;
}

/* LABEL requires LABEL, LABEL irequires LABEL: label is read already. */
static int read_requirement(struct scan *s, struct block *block,
			    struct weft__word label)
{
	struct wish wish = { .op = label,
			     .line = s->token_line,
			     .start = is(s, "irequires") };
	int err = advance(s);

	if (err)
		return err;
	if (s->token != WORD)
		return refuse(s, "a label");
	wish.on = s->word;
	err = weft__build_grow(s->g->b, &block->wish, &block->room,
			       block->nwishes + 1);
	if (!err)
		block->wish[block->nwishes++] = wish;
	return err ? err : advance(s);
}

static int read_statement(struct scan *s, struct block *block)
{
	struct weft__op op = { .rank = block->rank,
			       .line = s->token_line,
			       .gate = WEFT_NONE };
	int err;

	if (s->token == WORD && !is(s, "send") && !is(s, "recv") &&
	    !is(s, "calc")) {
		op.name = s->word;
		err = advance(s);
		if (err)
			return err;
		if (is(s, "requires") || is(s, "irequires"))
			return read_requirement(s, block, op.name);
		if (!is(s, ":"))
			return refuse(s, "':', requires or irequires");
		err = advance(s);
		if (err)
			return err;
	}
	err = read_operation(s, &op);
	return err ? err : add_operation(s->g, &op);
}

/* --- ranks ---------------------------------------------------------------- */

static int find_label(const struct weft__goal *g, uint64_t n,
		      struct weft__word name, unsigned long line, uint32_t *op)
{
	const struct weft__called *found = weft__names_find(g->label, n, name);

	if (!found)
		return weft__build_fail(g->b, line,
					"no operation of this rank has the label '%.*s'",
					(int)(name.n < 60 ? name.n : 60),
					name.p);
	*op = found->value;
	return 0;
}

/* Looks up the labels of a rank whose operations are all there. */
static int resolve(struct weft__goal *g, const struct block *block)
{
	const struct weft__called *twice;
	uint64_t n = 0;
	int err = weft__build_grow(g->b, &g->label, &g->label_room,
				   g->nops - block->first);

	if (err)
		return err;
	for (uint64_t i = block->first; i < g->nops; i++)
		if (g->op[i].name.n)
			g->label[n++] =
				(struct weft__called){ g->op[i].name, i };
	weft__names_sort(g->label, n);
	twice = weft__names_twice(g->label, n);
	if (twice)
		return weft__build_fail(g->b, g->op[twice->value].line,
					"the operation in line %lu has the same label",
					g->op[twice[-1].value].line);
	for (uint64_t i = 0; i < block->nwishes && !err; i++) {
		const struct wish *wish = &block->wish[i];
		struct weft__dep dep = { .start = wish->start };

		err = find_label(g, n, wish->op, wish->line, &dep.op);
		if (!err)
			err = find_label(g, n, wish->on, wish->line, &dep.on);
		if (!err)
			err = weft__build_grow(g->b, &g->dep, &g->dep_room,
					       g->ndeps + 1);
		if (!err)
			g->dep[g->ndeps++] = dep;
	}
	return err;
}

static int skip_newlines(struct scan *s)
{
	int err = 0;

	while (!err && s->token == NEWLINE)
		err = advance(s);
	return err;
}

/* Statements up to the brace that closes them. */
static int read_block(struct scan *s, struct block *block)
{
	int err = skip_newlines(s);

	while (!err && !is(s, "}")) {
		err = read_statement(s, block);
		if (!err && s->token != NEWLINE && !is(s, "}"))
			err = refuse(s, "the end of the line");
		if (!err)
			err = skip_newlines(s);
	}
	return err ? err : advance(s);
}

/* rank N { ... } */
static int read_rank_block(struct scan *s)
{
	struct weft__goal *g = s->g;
	struct block block = { .first = g->nops };
	unsigned long line = s->token_line;
	int err = skip(s, "rank");

	if (!err)
		err = read_rank(s, &block.rank);
	if (!err && g->block[block.rank])
		err = weft__build_fail(g->b, line,
				       "rank %u is in line %lu already",
				       block.rank, g->block[block.rank]);
	if (!err) {
		g->block[block.rank] = line;
		err = skip(s, "{");
	}
	if (!err)
		err = read_block(s, &block);
	if (!err)
		err = resolve(g, &block);
	free(block.wish);
	return err;
}

/* num_ranks N */
static int read_ranks(struct scan *s)
{
	struct weft__goal *g = s->g;
	unsigned long line;
	int err = skip_newlines(s);

	line = s->token_line;
	if (!err)
		err = skip(s, "num_ranks");
	if (!err)
		err = skip_number(s, "how many ranks there are", WEFT_MAX_RANKS,
				  &g->nblocks);
	if (!err && !g->nblocks)
		err = weft__build_fail(g->b, line, "no ranks");
	if (!err && g->nblocks > g->b->nranks)
		err = weft__build_fail(g->b, line,
				       "%" PRIu64 " ranks, but places for %u",
				       g->nblocks, g->b->nranks);
	if (!err) {
		g->block = calloc(g->nblocks + 1, sizeof(*g->block));
		err = g->block ? 0 : weft__build_no_memory(g->b);
	}
	return err;
}

int weft__parse_goal(struct weft__goal *g)
{
	const struct weft__source *source = g->b->source;
	struct weft__lines lines = weft__lines_begin(source, g->b->diag);
	struct scan s = {
		.g = g, .next = lines.next, .end = lines.end, .line = 1
	};
	int err = weft__source_check(source, g->b->diag);

	if (!err)
		err = advance(&s);
	if (!err)
		err = read_ranks(&s);
	while (!err) {
		err = skip_newlines(&s);
		if (err || s.token == END)
			break;
		err = read_rank_block(&s);
	}
	return err;
}
