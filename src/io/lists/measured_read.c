// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What pairs of hosts had on a machine; see weft-formats(5):
 *
 *	bytes 1048576
 *	round
 *	node001 node017 5912.3
 */
#include "core/grow.h"
#include "io/compressed.h"
#include "io/lists/hosts.h"
#include "io/lists/pair_list.h"
#include "io/notice.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const struct weft__source *source;
	const struct weft_fabric *f;
	struct weft_diag *diag;
	struct weft__host_index index;
	struct weft_measured m;
	uint64_t n;
};

static int no_memory(const struct reader *r)
{
	return weft_fail_at(r->diag, ENOMEM, r->source->name, 0,
			    "out of memory");
}

static bool is_word(const struct weft__line *word, const char *text)
{
	return (size_t)(word->end - word->p) == strlen(text) &&
	       !memcmp(word->p, text, strlen(text));
}

/* Begins a round, unless the last one has no pair yet. */
static int begin_round(struct reader *r)
{
	struct weft_measured *m = &r->m;

	if (m->nrounds && m->first[m->nrounds - 1] == r->n)
		return 0;
	if (weft__resize(&m->first, m->nrounds + 2ull))
		return no_memory(r);
	m->first[m->nrounds++] = r->n;
	return 0;
}

/* The first adapter of a host. */
static int find_host(const struct reader *r, const struct weft__line *word,
		     uint32_t *endport)
{
	const struct weft_fabric *f = r->f;
	uint32_t e = weft__host_index_find(&r->index, f, word->p,
					   word->end - word->p);

	if (e == WEFT_NONE)
		return weft_fail_at(
			r->diag, EINVAL, r->source->name, word->number,
			"no host '%.*s' in the fabric; names are those of 'weft measure' on it, with the same --node-name-map",
			(int)(word->end - word->p), word->p);
	*endport = f->machine_endport[f->machine_first[f->ep[e].machine]];
	return 0;
}

static int read_pair(struct reader *r, struct weft__line *line,
		     const struct weft__line *from)
{
	struct weft__line to = weft__next_word(line);
	struct weft_measured_pair pair;
	int err;

	if (to.p == to.end)
		return weft_fail_at(r->diag, EINVAL, r->source->name,
				    from->number,
				    "not 'FROM TO RATE', 'round', 'bytes N' or 'host NAME'");
	if (weft__at_end(line))
		return weft_fail_at(
			r->diag, EINVAL, r->source->name, from->number,
			"a pair without a rate: this is what 'weft measure' wrote, and examples/measure.c makes of it what was measured");
	if (!weft__skip_real(line, &pair.rate) || !(pair.rate > 0))
		return weft_fail_at(r->diag, EINVAL, r->source->name,
				    from->number,
				    "the rate of a pair is a number above 0");
	err = find_host(r, from, &pair.from);
	err = err ? err : find_host(r, &to, &pair.to);
	if (err)
		return err;
	if (pair.from == pair.to)
		return weft_fail_at(r->diag, EINVAL, r->source->name,
				    from->number, "a host sends to itself");
	err = r->m.nrounds ? 0 : begin_round(r);
	if (!err && weft__grow_one(&r->m.pair, r->n))
		err = no_memory(r);
	if (err)
		return err;
	r->m.pair[r->n++] = pair;
	r->m.best = pair.rate > r->m.best ? pair.rate : r->m.best;
	return 0;
}

static int read_line(struct reader *r, struct weft__line *line)
{
	struct weft__line word = weft__next_word(line);
	int err;

	if (is_word(&word, "host") || is_word(&word, "bytes"))
		return 0;
	err = is_word(&word, "round") ? begin_round(r) :
					read_pair(r, line, &word);
	weft__skip_blanks(line);
	if (!err && !weft__at_end(line))
		err = weft__refuse_line(r->source, line, "more than a pair",
					r->diag);
	return err;
}

static int read_all(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__next_line(&lines, &line, '#', &err))
		err = read_line(r, &line);
	if (!err && !r->n)
		return weft_fail_at(r->diag, EINVAL, r->source->name, 0,
				    "no pair was measured");
	if (err)
		return err;
	r->m.nrounds -= r->m.first[r->m.nrounds - 1] == r->n;
	r->m.first[r->m.nrounds] = r->n;
	return 0;
}

int weft__read_measured(const struct weft__source *source,
			const struct weft_fabric *fabric,
			struct weft_measured *out, struct weft_diag *diag)
{
	struct reader r = { .source = source, .f = fabric, .diag = diag };
	int err = weft__host_index_init(&r.index, fabric) ? no_memory(&r) :
							    read_all(&r);

	weft__host_index_free(&r.index);
	if (err)
		weft_measured_free(&r.m);
	else
		*out = r.m;
	return err;
}

int weft_io_read_measured(const char *path, const struct weft_fabric *fabric,
			  struct weft_measured *out, struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, diag);

	if (err)
		return err;
	err = weft__read_measured(&source, fabric, out, diag);
	weft__source_close(&source);
	return err;
}
