// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hosts of ranks: what resource managers and MPI libraries write down; see
 * weft-formats(5).
 *
 *	node17			a host
 *	node18 slots=2		two ranks (Open MPI), the rest of the line is
 *	node18:2		left aside; the same (MPICH)
 *	node[19-21,30],login1	Slurm's way to write lists: core/text/hostlist.h
 *	rank 4=node22 slot=0	the host of that rank (rankfile)
 *	"node 1 HCA-2"		a name with blanks
 */
#include "core/grow.h"
#include "core/text/hostlist.h"
#include "io/compressed.h"
#include "io/lists/hosts.h"
#include "io/notice.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>
#include <stdlib.h>

struct reader {
	const struct weft__source *source;
	const struct weft_fabric *f;
	struct weft_diag *diag;
	struct weft__host_index index;
	uint32_t *endport;	/* [room], n in use */
	uint32_t n;
	size_t room;
	bool by_rank;		/* it is a rankfile */
	uint32_t *taken;	/* [nmachines] ranks so far; NULL: hosts are
				 * listed, not ranks */
};

/* -EINVAL after an error at that line. */
#define fail(r, number, ...) \
	weft_fail_at((r)->diag, EINVAL, (r)->source->name, number, __VA_ARGS__)

static int no_memory(const struct reader *r)
{
	return weft_fail_at(r->diag, ENOMEM, r->source->name, 0,
			    "out of memory");
}

/* Puts a host at a place; those before it that are not known yet are holes. */
static int put(struct reader *r, uint32_t at, uint32_t endport)
{
	if (weft__grow(&r->endport, &r->room, at + 1ull))
		return no_memory(r);
	while (r->n <= at)
		r->endport[r->n++] = WEFT_NONE;
	r->endport[at] = endport;
	return 0;
}

/* The next adapter of a machine: its ranks stand on them in turn. */
static uint32_t next_adapter(const struct reader *r, uint32_t machine)
{
	const uint32_t *first = &r->f->machine_first[machine];
	uint32_t turn = r->taken[machine]++ % (first[1] - first[0]);

	return r->f->machine_endport[first[0] + turn];
}

/* Whether a name is that of an adapter, or its GUID. */
static bool names_adapter(const char *name, size_t length)
{
	return memchr(name, ' ', length) ||
	       (length > 2 && !memcmp(name, "0x", 2));
}

static int find(const struct reader *r, const char *name, size_t length,
		unsigned long line, uint32_t *endport)
{
	int shown = length < WEFT__HOST_NAME ? length : WEFT__HOST_NAME;

	*endport = weft__host_index_find(&r->index, r->f, name, length);
	if (*endport != WEFT_NONE)
		return 0;
	return fail(r, line, "the fabric has no host '%.*s'", shown, name);
}

/* Adds all adapters of a machine. */
static int add_machine(struct reader *r, uint32_t machine)
{
	const uint32_t *first = &r->f->machine_first[machine];
	int err = 0;

	for (uint32_t i = first[0]; i < first[1] && !err; i++)
		err = put(r, r->n, r->f->machine_endport[i]);
	return err;
}

static int add(struct reader *r, const char *name, size_t length,
	       uint32_t slots, unsigned long line)
{
	uint32_t endport;
	int err = find(r, name, length, line, &endport);
	bool turns = !names_adapter(name, length);

	if (!err && turns && !r->taken)
		return add_machine(r, r->f->ep[endport].machine);
	if (!err && slots > WEFT_MAX_RANKS - r->n)
		err = fail(r, line, "too many ranks");
	for (uint32_t i = 0; i < slots && !err; i++)
		err = put(r, r->n, turns ? next_adapter(r,
				r->f->ep[endport].machine) : endport);
	return err;
}

/* Where a list is read from. */
struct place {
	struct reader *r;
	unsigned long line;
};

static int add_name(void *context, const char *name, size_t length)
{
	const struct place *place = context;

	return add(place->r, name, length, 1, place->line);
}

static int add_list(struct reader *r, const char *p, const char *end,
		    unsigned long number)
{
	struct place place = { r, number };
	const char *why = NULL;
	int err = weft__hostlist_each(p, end, add_name, &place, &why);

	return why ? fail(r, number, "%s", why) : err;
}

/* A word, or what is in quotes. */
static bool next_name(struct weft__line *line, const char **name,
		      size_t *length)
{
	const char *end;

	if (weft__skip_char(line, '"')) {
		end = weft__find_char(line, '"');
		if (!end)
			return false;
		*name = line->p;
		*length = end - line->p;
		line->p = end + 1;
		return *length;
	}
	*name = line->p;
	while (line->p < line->end && *line->p != ' ' && *line->p != '\t')
		line->p++;
	*length = line->p - *name;
	return *length;
}

/* "HOST:N" without its ":N"; GUIDs and names may hold a colon, too. */
static void take_count(const struct reader *r, const char *name,
		       size_t *length, uint32_t *slots)
{
	const char *colon = memrchr(name, ':', *length);
	struct weft__line rest = { .end = name + *length };
	uint32_t n;

	if (!colon || weft__host_index_find(&r->index, r->f, name, *length) !=
		      WEFT_NONE)
		return;
	rest.p = colon + 1;
	if (!weft__skip_decimal(&rest, &n) || !weft__at_end(&rest))
		return;
	*slots = n;
	*length = colon - name;
}

static int read_host(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	const char *name;
	size_t length;
	uint32_t slots = 1;
	bool quoted = *line->p == '"';

	if (!next_name(line, &name, &length))
		return weft__refuse_line(r->source, &start, "no name",
					 r->diag);
	weft__skip_blanks(line);
	if (!quoted && (memchr(name, '[', length) || memchr(name, ',', length)))
		return add_list(r, name, name + length, start.number);
	if (weft__skip_text(line, "slots=")) {
		if (!weft__skip_decimal(line, &slots))
			return weft__refuse_line(r->source, &start,
						 "no number of slots",
						 r->diag);
	} else if (!quoted) {
		take_count(r, name, &length, &slots);
	}
	return add(r, name, length, slots, start.number);
}

/* "rank N=HOST ..." */
static int read_rank(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	const char *name;
	size_t length;
	uint32_t rank, endport;
	int err;

	weft__skip_text(line, "rank");
	weft__skip_blanks(line);
	if (!weft__skip_decimal(line, &rank) || rank >= WEFT_MAX_RANKS ||
	    !weft__skip_char(line, '=') || !next_name(line, &name, &length))
		return weft__refuse_line(r->source, &start,
					 "not 'rank N=HOST'", r->diag);
	if (rank < r->n && r->endport[rank] != WEFT_NONE)
		return weft__refuse_line(r->source, &start,
					 "this rank has a host already",
					 r->diag);
	err = find(r, name, length, start.number, &endport);
	if (!err && !names_adapter(name, length))
		endport = next_adapter(r, r->f->ep[endport].machine);
	return err ? err : put(r, rank, endport);
}

static bool is_rank(const struct weft__line *line)
{
	struct weft__line copy = *line;

	return weft__skip_text(&copy, "rank ");
}

static int read_lines(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	bool any = false;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		weft__skip_blanks(&line);
		if (weft__at_end(&line) || *line.p == '#')
			continue;
		if (any && is_rank(&line) != r->by_rank)
			return weft__refuse_line(r->source, &line,
						 "ranks with and without number",
						 r->diag);
		any = true;
		r->by_rank = is_rank(&line);
		err = r->by_rank ? read_rank(r, &line) : read_host(r, &line);
	}
	return err;
}

static int check(const struct reader *r)
{
	if (!r->n)
		return fail(r, 0, "no host in it");
	for (uint32_t i = 0; i < r->n; i++)
		if (r->endport[i] == WEFT_NONE)
			return fail(r, 0, "rank %u has no host", i);
	return 0;
}

int weft__read_hosts(const struct weft__source *source,
		     const struct weft_fabric *fabric, uint32_t **endport,
		     uint32_t *n, struct weft_diag *diag)
{
	struct reader r = { .source = source, .f = fabric, .diag = diag };
	int err = weft__host_index_init(&r.index, fabric);

	if (err)
		return no_memory(&r);
	r.taken = calloc(fabric->nmachines + 1ull, sizeof(*r.taken));
	err = r.taken ? read_lines(&r) : no_memory(&r);
	if (!err)
		err = check(&r);
	weft__host_index_free(&r.index);
	free(r.taken);
	if (err) {
		free(r.endport);
		return err;
	}
	*endport = r.endport;
	*n = r.n;
	return 0;
}

int weft__read_host_list(const struct weft__source *source,
			 const struct weft_fabric *fabric,
			 const struct weft__host_index *index,
			 const struct weft__line *line, uint32_t **endport,
			 uint32_t *n, struct weft_diag *diag)
{
	struct reader r = {
		.source = source,
		.f = fabric,
		.diag = diag,
		.index = *index,
	};
	int err = add_list(&r, line->p, line->end, line->number);

	if (err) {
		free(r.endport);
		return err;
	}
	*endport = r.endport;
	*n = r.n;
	return 0;
}

int weft_io_read_hosts(const char *path, const struct weft_fabric *fabric,
		       uint32_t **endport, uint32_t *n,
		       struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, diag);

	if (err)
		return err;
	err = weft__read_hosts(&source, fabric, endport, n, diag);
	weft__source_close(&source);
	return err;
}
