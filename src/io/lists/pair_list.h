/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A list of pairs under construction, from whichever format. */
#ifndef WEFT_IO_LISTS_PAIR_LIST_H
#define WEFT_IO_LISTS_PAIR_LIST_H

#include "io/source.h"

#include <weft/diag.h>
#include <weft/pattern.h>

struct weft__pairs_reader {
	const struct weft__source *source;
	struct weft_diag *diag;
	uint32_t nranks;	/* as declared; 0 = largest rank + 1 */
	uint32_t largest;	/* rank so far */
	struct weft_pair_list list;
	unsigned long *line;	/* of each pair */
	uint64_t npairs;
	size_t room, rounds_room;
	bool sizes;		/* not all of them 1 */
};

/* -EINVAL after an error at that line. */
#define weft__pairs_fail(r, number, ...) \
	weft_fail_at((r)->diag, EINVAL, (r)->source->name, number, __VA_ARGS__)
int weft__pairs_no_memory(const struct weft__pairs_reader *r);

/* Pairs added from now on are of another round.  0 or -ENOMEM (said). */
int weft__pairs_round(struct weft__pairs_reader *r);
/* Checks ranks and size (> 0), and adds.  0 or -errno, said why. */
int weft__pairs_add(struct weft__pairs_reader *r, struct weft_pair pair,
		   double size, unsigned long line);
/* weft__pairs_add() of an element of a matrix: zeros and the diagonal are left
 * out, negative ones refused. */
int weft__pairs_element(struct weft__pairs_reader *r, struct weft_pair pair,
		       double size, unsigned long line);

/* weft__lines_next() of a line with something on it that does not begin with
 * mark; its place is after blanks. */
bool weft__next_line(struct weft__lines *lines, struct weft__line *line,
		     char mark, int *err);

/* Formats, of which the first line says which it is. */
int weft__read_matrix_market(struct weft__pairs_reader *r);
int weft__read_matrix_csv(struct weft__pairs_reader *r);

/* weft_io_read_pattern() of a text that is in memory. */
int weft__read_pattern(const struct weft__source *source,
		       struct weft_pair_list *out, struct weft_diag *diag);

#endif
