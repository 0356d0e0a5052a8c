// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writing weft-sl.dump: the SL of every source towards every LID, run-length
 * coded.
 *
 * A source's row holds its SL towards each LID that somebody owns, ascending;
 * runs go over LIDs that nobody owns.  Sources with equal rows share one.
 * Rows are made when they are needed and never all held at once.
 */
#include <weft/io.h>

#include "io/tables/mark.h"
#include "io/tables/sl_dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct row_key {
	uint64_t hash;
	uint32_t row;
};

struct writer {
	FILE *out;
	const struct weft_fabric *f;
	const struct weft_layers *layers;

	uint32_t nowned;	/* LIDs that have an owner */
	uint32_t *owned;	/* [nowned] ascending */
	uint32_t *dest_switch;	/* [nowned] switch each is, or hangs on */

	/* Row r is of switch r (one SL for each pair of switches), or of
	 * endport r and, if r = nep, of all switches. */
	uint32_t nrows;
	uint8_t *row, *other;	/* [nowned] */
	uint32_t *leader;	/* [nrows] first row that is equal to r */
	uint32_t *first, *last;	/* [nrows] sources of a leader's rows ... */
	uint32_t *next;		/* [nsw + nep] ... chained, ascending */
};

static void fill_row(const struct writer *w, uint32_t r, uint8_t *row)
{
	const struct weft_layers *l = w->layers;

	if (l->form == WEFT_SL_DESTINATION) {
		for (uint32_t i = 0; i < w->nowned; i++)
			row[i] = l->table[w->owned[i]];
	} else if (l->form == WEFT_SL_SWITCH_PAIR) {
		const uint8_t *table = l->table + (size_t)r * l->nsw;

		for (uint32_t i = 0; i < w->nowned; i++)
			row[i] = table[w->dest_switch[i]];
	} else if (r < w->f->nep) {
		const uint8_t *table = l->table +
			(size_t)r * (l->max_lid + 1);

		for (uint32_t i = 0; i < w->nowned; i++)
			row[i] = table[w->owned[i]];
	} else {
		memset(row, l->sl, w->nowned);
	}
}

/* Multiplicative, eight SLs at a time; equal hashes are compared anyway. */
static uint64_t hash_row(const uint8_t *row, uint32_t n)
{
	uint64_t hash = n, word;
	uint32_t i = 0;

	for (; i + 8 <= n; i += 8) {
		memcpy(&word, row + i, 8);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	for (; i < n; i++)
		hash = (hash ^ row[i]) * 0x9e3779b97f4a7c15u;
	return hash;
}

static int compare_keys(const void *va, const void *vb)
{
	const struct row_key *a = va, *b = vb;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* The leader of key[at]: among the keys of the same hash before it, the first
 * leader with an equal row; else itself. */
static uint32_t find_leader(struct writer *w, const struct row_key *key,
			    uint32_t at)
{
	uint32_t begin = at;

	while (begin > 0 && key[begin - 1].hash == key[at].hash)
		begin--;
	if (begin == at)
		return key[at].row;
	fill_row(w, key[at].row, w->row);
	for (uint32_t i = begin; i < at; i++) {
		if (w->leader[key[i].row] != key[i].row)
			continue;
		fill_row(w, key[i].row, w->other);
		if (!memcmp(w->row, w->other, w->nowned))
			return key[i].row;
	}
	return key[at].row;
}

static int find_leaders(struct writer *w)
{
	struct row_key *key = malloc(((size_t)w->nrows + 1) * sizeof(*key));

	if (!key)
		return -ENOMEM;
	for (uint32_t r = 0; r < w->nrows; r++) {
		fill_row(w, r, w->row);
		key[r] = (struct row_key){ hash_row(w->row, w->nowned), r };
	}
	qsort(key, w->nrows, sizeof(*key), compare_keys);
	for (uint32_t i = 0; i < w->nrows; i++)
		w->leader[key[i].row] = find_leader(w, key, i);
	free(key);
	return 0;
}

/* Sources are numbered: switches first, then endports. */
static uint32_t row_of_source(const struct writer *w, uint32_t source)
{
	const struct weft_fabric *f = w->f;

	if (w->layers->form == WEFT_SL_SWITCH_PAIR)
		return source < f->nsw ? source : f->ep[source - f->nsw].sw;
	return source < f->nsw ? f->nep : source - f->nsw;
}

static void chain_sources(struct writer *w)
{
	for (uint32_t r = 0; r < w->nrows; r++)
		w->first[r] = w->last[r] = WEFT_NONE;
	for (uint32_t s = 0; s < w->f->nsw + w->f->nep; s++) {
		uint32_t leader = w->leader[row_of_source(w, s)];

		w->next[s] = WEFT_NONE;
		if (w->first[leader] == WEFT_NONE)
			w->first[leader] = s;
		else
			w->next[w->last[leader]] = s;
		w->last[leader] = s;
	}
}

static void write_runs(const struct writer *w, const uint8_t *row)
{
	uint32_t i = 0;

	while (i < w->nowned) {
		uint32_t begin = i;

		while (i < w->nowned && row[i] == row[begin])
			i++;
		if (i - begin == 1)
			fprintf(w->out, "0x%04" PRIx32 " %u\n",
				w->owned[begin], (unsigned)row[begin]);
		else
			fprintf(w->out, "0x%04" PRIx32 "-0x%04" PRIx32 " %u\n",
				w->owned[begin], w->owned[i - 1],
				(unsigned)row[begin]);
	}
}

static void write_source(const struct writer *w, uint32_t source)
{
	const struct weft_fabric *f = w->f;
	uint64_t guid;
	unsigned lid;

	if (source < f->nsw) {
		guid = f->sw[source].port_guid;
		lid = f->sw[source].lid;
	} else {
		guid = f->ep[source - f->nsw].guid;
		lid = f->ep[source - f->nsw].lid;
	}
	fprintf(w->out, "from 0x%016" PRIx64 " 0x%04x\n", guid, lid);
}

/* Groups of sources, in the order of their first ones. */
static int write_groups(struct writer *w)
{
	int err = find_leaders(w);

	if (err)
		return err;
	chain_sources(w);
	for (uint32_t s = 0; s < w->f->nsw + w->f->nep; s++) {
		uint32_t leader = w->leader[row_of_source(w, s)];

		if (w->first[leader] != s)
			continue;
		for (uint32_t i = s; i != WEFT_NONE; i = w->next[i])
			write_source(w, i);
		fill_row(w, leader, w->row);
		write_runs(w, w->row);
	}
	return 0;
}

static int allocate(struct writer *w)
{
	const struct weft_fabric *f = w->f;
	size_t lids = (size_t)f->max_lid + 1;
	size_t rows = (size_t)w->nrows + 1;

	w->owned = malloc(lids * sizeof(*w->owned));
	w->dest_switch = malloc(lids * sizeof(*w->dest_switch));
	w->row = malloc(lids);
	w->other = malloc(lids);
	w->leader = malloc(rows * sizeof(*w->leader));
	w->first = malloc(rows * sizeof(*w->first));
	w->last = malloc(rows * sizeof(*w->last));
	w->next = malloc(((size_t)f->nsw + f->nep + 1) * sizeof(*w->next));
	if (!w->owned || !w->dest_switch || !w->row || !w->other ||
	    !w->leader || !w->first || !w->last || !w->next)
		return -ENOMEM;
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = f->lid_owner[lid];

		if (owner == WEFT_NONE)
			continue;
		w->owned[w->nowned] = lid;
		w->dest_switch[w->nowned++] = weft_vertex_switch(f, owner);
	}
	return 0;
}

static void release(struct writer *w)
{
	free(w->owned);
	free(w->dest_switch);
	free(w->row);
	free(w->other);
	free(w->leader);
	free(w->first);
	free(w->last);
	free(w->next);
}

int weft_io_write_sl(FILE *out, const struct weft_fabric *fabric,
		     const struct weft_routes *routes, struct weft_diag *diag)
{
	const struct weft_layers *layers = &routes->layers;
	struct writer w = {
		.out = out, .f = fabric, .layers = layers,
		.nrows = layers->form == WEFT_SL_SWITCH_PAIR ? fabric->nsw :
			fabric->nep + 1,
	};
	int err = allocate(&w);

	errno = 0;
	fprintf(out, WEFT__SL_DUMP_MAGIC "%d\nform %s\ndefault %u\nlanes %u\n",
		WEFT__SL_DUMP_VERSION, weft__sl_form_name[layers->form],
		(unsigned)layers->sl, (unsigned)layers->nvl);
	if (layers->one_way)
		fputs(WEFT__SL_DUMP_ONE_WAY "\n", out);
	if (!err)
		err = weft__mark_write(out, fabric, &routes->lft);
	if (!err && layers->form == WEFT_SL_DESTINATION) {
		fprintf(out, "from all\n");
		fill_row(&w, 0, w.row);
		write_runs(&w, w.row);
	} else if (!err && layers->form != WEFT_SL_ONE) {
		err = write_groups(&w);
	}
	release(&w);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	fprintf(out, "end\n");
	if (fflush(out) || ferror(out)) {
		err = errno ? errno : EIO;
		return weft_fail(diag, err, "cannot write service levels: %s",
				 strerror(err));
	}
	return 0;
}
