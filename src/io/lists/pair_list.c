// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See pair_list.h. */
#include "io/lists/pair_list.h"

#include "core/grow.h"

#include <weft/diag.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int weft__pairs_no_memory(const struct weft__pairs_reader *r)
{
	return weft_fail_at(r->diag, ENOMEM, r->source->name, 0,
			    "out of memory");
}

int weft__pairs_round(struct weft__pairs_reader *r)
{
	struct weft_pair_list *l = &r->list;

	if (weft__grow(&l->first, &r->rounds_room, l->nrounds + 2ull))
		return weft__pairs_no_memory(r);
	l->first[l->nrounds++] = r->npairs;
	l->first[l->nrounds] = r->npairs;
	return 0;
}

static int make_room(struct weft__pairs_reader *r)
{
	struct weft_pair_list *l = &r->list;
	size_t room = weft__roomier(r->room, r->npairs + 1);

	if (room == r->room)
		return 0;
	if (weft__resize(&l->pair, room) || weft__resize(&l->size, room) ||
	    weft__resize(&r->line, room))
		return weft__pairs_no_memory(r);
	r->room = room;
	return 0;
}

static int check_rank(const struct weft__pairs_reader *r, uint32_t rank,
		      unsigned long line)
{
	if (r->nranks && rank >= r->nranks)
		return weft__pairs_fail(r, line,
				       "rank %u, but ranks are 0 to %u", rank,
				       r->nranks - 1);
	if (rank >= WEFT_MAX_RANKS)
		return weft__pairs_fail(r, line,
				       "rank %u; patterns have %u ranks at most",
				       rank, WEFT_MAX_RANKS);
	return 0;
}

int weft__pairs_add(struct weft__pairs_reader *r, struct weft_pair pair,
		   double size, unsigned long line)
{
	int err = check_rank(r, pair.from, line);

	if (!err)
		err = check_rank(r, pair.to, line);
	if (!err && pair.from == pair.to)
		err = weft__pairs_fail(r, line, "rank %u sends to itself",
				      pair.from);
	if (!err && !(size > 0 && isfinite(size)))
		err = weft__pairs_fail(r, line,
				      "size %g: a message is larger than 0",
				      size);
	if (!err && !r->list.nrounds)
		err = weft__pairs_round(r);
	if (!err)
		err = make_room(r);
	if (err)
		return err;
	r->sizes |= size != 1;
	r->largest = pair.from > r->largest ? pair.from : r->largest;
	r->largest = pair.to > r->largest ? pair.to : r->largest;
	r->list.pair[r->npairs] = pair;
	r->list.size[r->npairs] = size;
	r->line[r->npairs] = line;
	r->list.first[r->list.nrounds] = ++r->npairs;
	return 0;
}

int weft__pairs_element(struct weft__pairs_reader *r, struct weft_pair pair,
		       double size, unsigned long line)
{
	if (size < 0 || !isfinite(size))
		return weft__pairs_fail(r, line,
				       "%g from rank %u to rank %u: not an amount",
				       size, pair.from, pair.to);
	return size == 0 || pair.from == pair.to ? 0 :
		weft__pairs_add(r, pair, size, line);
}

bool weft__next_line(struct weft__lines *lines, struct weft__line *line,
		     char mark, int *err)
{
	while (weft__lines_next(lines, line, err)) {
		weft__skip_blanks(line);
		if (!weft__at_end(line) && *line->p != mark)
			return true;
	}
	return false;
}
