// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Patterns side by side, each on a share of the ranks; see weft/pattern.h.
 *
 * Shares are of the ranks that compute: where the ranks are known to be storage
 * hosts they belong to no part, and all of them to each part that stores.
 */
#include "worth/model/pattern.h"

#include <weft/number.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PARTS 64
#define NEAR_ONE 1e-9

/* One part as described. */
struct asked {
	char *text;
	double share;		/* 0: an equal part of what is left */
};

static uint64_t mix_round(const struct weft_traffic *t, uint64_t round,
			  struct weft_draw *draw, struct weft_pair *pair)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < t->nparts; i++) {
		const struct weft_traffic *part = t->part[i].traffic;
		const uint32_t *rank = t->part[i].rank;
		struct weft_draw mine = *draw;
		uint64_t end;

		mine.size = draw->size ? draw->size + n : NULL;
		end = n + part->pattern->round(part, round % part->nrounds,
					       &mine, pair + n);
		for (; n < end; n++) {
			if (draw->size && !part->sized)
				draw->size[n] = 1;
			pair[n].from = rank[pair[n].from];
			pair[n].to = rank[pair[n].to];
		}
	}
	return n;
}

static const struct weft__pattern mix = {
	.row = { .name = "side by side" },
	.round = mix_round,
};

/* --- shares --------------------------------------------------------------- */

/* Cuts "A@SHARE" in two. */
static int read_part(char *text, struct asked *out, struct weft_diag *diag)
{
	char *at = strchr(text, '@');

	*out = (struct asked){ .text = text };
	if (!at)
		return 0;
	if (!weft_number_real(at + 1, &out->share) ||
	    !(out->share > 0 && out->share < 1))
		return weft_fail(diag, EINVAL,
				 "'%s' is no share between 0 and 1", at + 1);
	*at = '\0';
	return 0;
}

/* Gives what is left to the parts without a share. */
static int share_rest(struct asked *asked, unsigned n, struct weft_diag *diag)
{
	const char *open = NULL;
	unsigned nopen = 0;
	double sum = 0;

	for (unsigned i = 0; i < n; i++) {
		sum += asked[i].share;
		nopen += !asked[i].share;
		if (!asked[i].share)
			open = asked[i].text;
	}
	if (!nopen && fabs(sum - 1) > NEAR_ONE)
		return weft_fail(diag, EINVAL,
				 "the shares of the patterns add up to %g, not to 1; without its share the last one has the rest",
				 sum);
	if (nopen && sum > 1 - NEAR_ONE)
		return weft_fail(diag, EINVAL,
				 "the shares of the patterns add up to %g, which leaves nothing for '%s'",
				 sum, open);
	for (unsigned i = 0; i < n; i++)
		if (!asked[i].share)
			asked[i].share = (1 - sum) / nopen;
	return 0;
}

static int read_parts(char *text, struct asked *asked, unsigned *n,
		      struct weft_diag *diag)
{
	char *part;
	int err = 0;

	for (*n = 0; !err && (part = strsep(&text, "+")); ++*n) {
		if (*n == MAX_PARTS)
			return weft_fail(diag, EINVAL,
					 "more than %d patterns side by side",
					 MAX_PARTS);
		err = read_part(part, &asked[*n], diag);
	}
	return err ? err : share_rest(asked, *n, diag);
}

/* --- parts ---------------------------------------------------------------- */

/* All ranks, those of storage hosts behind the others. */
struct ranks {
	uint32_t *rank;		/* [n + nstorage] */
	struct weft_seat *seat;	/* [nranks] of a part; NULL = not known */
	uint32_t n, nstorage;
};

static bool sort_ranks(const struct weft_seat *seat, uint32_t nranks,
		       struct ranks *r)
{
	r->rank = malloc((nranks + 1ull) * sizeof(*r->rank));
	r->seat = seat ? malloc((nranks + 1ull) * sizeof(*r->seat)) : NULL;
	if (!r->rank || (seat && !r->seat))
		return false;
	for (unsigned storage = 0; storage < 2; storage++)
		for (uint32_t i = 0; i < nranks; i++)
			if ((seat && seat[i].storage) == storage)
				r->rank[r->n++] = i;
	for (uint32_t i = 0; seat && i < nranks; i++)
		r->nstorage += seat[i].storage;
	if (r->nstorage == nranks)
		r->nstorage = 0;
	r->n -= r->nstorage;
	return true;
}

static bool stores(const char *text)
{
	char name[64];
	const struct weft_pattern *row;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ":"), text);
	row = weft_pattern_find(name);
	return row && ((const struct weft__pattern *)row)->stores;
}

/* Makes a part of the n ranks from first on. */
static int make_part(struct weft__part *part, char *text, struct ranks *r,
		     uint32_t first, uint32_t n, const struct weft_seat *seat,
		     struct weft_diag *diag)
{
	uint32_t more = n && stores(text) ? r->nstorage : 0;

	part->rank = malloc((n + more + 1ull) * sizeof(*part->rank));
	if (!part->rank)
		return weft_no_memory(diag);
	memcpy(part->rank, r->rank + first, n * sizeof(*part->rank));
	memcpy(part->rank + n, r->rank + r->n, more * sizeof(*part->rank));
	n += more;
	for (uint32_t i = 0; seat && i < n; i++)
		r->seat[i] = seat[part->rank[i]];
	return weft__traffic_simple(text, n, r->seat, &part->traffic, diag);
}

static int make_parts(struct weft_traffic *t, const struct asked *asked,
		      unsigned n, struct ranks *r, const struct weft_seat *seat,
		      struct weft_diag *diag)
{
	double sum = 0;
	uint32_t first = 0;
	int err = 0;

	for (; !err && t->nparts < n; t->nparts++) {
		const struct asked *a = &asked[t->nparts];
		uint32_t end;

		sum += a->share;
		end = t->nparts == n - 1 ? r->n : lround(sum * r->n);
		err = make_part(&t->part[t->nparts], a->text, r, first,
				end - first, seat, diag);
		first = end;
	}
	return err;
}

static void sum_up(struct weft_traffic *t)
{
	t->max_pairs = 0;
	for (unsigned i = 0; i < t->nparts; i++) {
		const struct weft_traffic *part = t->part[i].traffic;

		if (part->nrounds > t->nrounds)
			t->nrounds = part->nrounds;
		if (part->nscratch > t->nscratch)
			t->nscratch = part->nscratch;
		t->max_pairs += part->max_pairs;
		t->random |= part->random;
		t->sized |= part->sized;
		t->seated |= part->seated;
	}
}

int weft__traffic_mix(char *text, uint32_t nranks, const struct weft_seat *seat,
		      struct weft_traffic **out, struct weft_diag *diag)
{
	struct asked asked[MAX_PARTS];
	struct ranks r = { .n = 0 };
	struct weft_traffic *t;
	unsigned n;
	int err = read_parts(text, asked, &n, diag);

	if (err)
		return err;
	t = weft__traffic_alloc(&mix, nranks);
	if (t)
		t->part = calloc(n, sizeof(*t->part));
	if (!t || !t->part || !sort_ranks(seat, nranks, &r))
		err = weft_no_memory(diag);
	if (!err)
		err = make_parts(t, asked, n, &r, seat, diag);
	free(r.rank);
	free(r.seat);
	if (err) {
		weft_traffic_free(t);
		return err;
	}
	sum_up(t);
	*out = t;
	return 0;
}
