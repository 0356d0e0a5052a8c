// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes rows of forwarding tables by destination host; see paths.h. */
#include "worth/model/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* values of depth[] that are no number of hops to the destination */
#define UNKNOWN	 UINT32_MAX
#define DEAD	 (UINT32_MAX - 1)	/* the route does not arrive */
#define VISITING (UINT32_MAX - 2)	/* on the current walk */

/* Scratch memory of one thread. */
struct scratch {
	uint8_t *columns;	/* [64][nsw] */
	uint32_t *depth;	/* [nsw + 1] the last one is always DEAD */
	uint32_t *stack;	/* [nsw] */
	uint64_t whole;		/* rows in which all routes arrive */
};

static void scratch_free(struct scratch *s)
{
	free(s->columns);
	free(s->depth);
	free(s->stack);
}

/* Returns false without memory.  Must be freed in any case. */
static bool scratch_init(struct scratch *s, size_t nsw)
{
	s->whole = 0;
	s->columns = malloc(WEFT_LFT_BLOCK * nsw + 1);
	s->depth = malloc((nsw + 1) * sizeof(*s->depth));
	s->stack = malloc((nsw + 1) * sizeof(*s->stack));
	return s->columns && s->depth && s->stack;
}

/* Rows are read in no order: with pages of 4 KiB nearly every read would also
 * miss the translation buffer. */
static void *alloc_rows(size_t size)
{
	size_t align = size < 2 * HUGE_PAGE ? WEFT_LFT_BLOCK : HUGE_PAGE;
	void *p;

	size = (size / align + 1) * align;
	p = aligned_alloc(align, size);
#ifdef MADV_HUGEPAGE
	if (p && align == HUGE_PAGE)
		madvise(p, size, MADV_HUGEPAGE);
#endif
	return p;
}

/* Returns the switch after sw on the route of a row, or nsw if there is
 * none. */
static uint32_t next_switch(const struct weft_fabric *f, const uint8_t *row,
			    uint32_t sw)
{
	uint8_t port = row[sw];
	uint32_t peer;

	if (!port || port > f->sw[sw].nports)
		return f->nsw;
	peer = f->peer[weft_channel(f, sw, port)];
	return weft_is_switch(peer) ? peer : f->nsw;
}

/* Finds depth[sw].  Each switch of a walk is visited once per row. */
static uint32_t find_depth(const struct weft_fabric *f, const uint8_t *row,
			   uint32_t sw, struct scratch *s)
{
	uint32_t n = 0, d;

	while (s->depth[sw] == UNKNOWN) {
		s->depth[sw] = VISITING;
		s->stack[n++] = sw;
		sw = next_switch(f, row, sw);
	}
	d = s->depth[sw] == VISITING ? DEAD : s->depth[sw];
	while (n)
		s->depth[s->stack[--n]] = d == DEAD ? DEAD : ++d;
	return d;
}

/* Walks the routes of all switches with endports to endport e, and marks those
 * that fail.  Returns the length of the longest other one. */
static uint32_t check_row(const struct weft_fabric *f, uint8_t *row,
			  const struct weft_endport *e, struct scratch *s)
{
	uint32_t longest = 0;
	bool whole = true;

	memset(s->depth, 0xff, f->nsw * sizeof(*s->depth));
	s->depth[f->nsw] = DEAD;
	s->depth[e->sw] = row[e->sw] == e->sw_port ? 0 : DEAD;
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		uint32_t d;

		if (f->sw_ep_first[sw] == f->sw_ep_first[sw + 1])
			continue;
		d = find_depth(f, row, sw, s);
		if (d == DEAD) {
			row[sw] = WEFT_NO_PORT;
			whole = false;
		} else if (d > longest) {
			longest = d;
		}
	}
	s->whole += whole;
	return longest;
}

/* Makes the row of one LID from its column of the table. */
static void fill_row(struct weft__paths *p, uint32_t host, unsigned offset,
		     const uint8_t *column, struct scratch *s)
{
	uint8_t *row = p->port +
		(((size_t)host << p->bits) + offset) * p->fabric->nsw;
	uint32_t longest;

	memcpy(row, column, p->fabric->nsw);
	longest = check_row(p->fabric, row,
			    &p->fabric->ep[p->endport[host]], s);
	if (longest > p->max_hops)
		p->max_hops = longest;
}

/* Fills in the rows of the LIDs of hosts in that block of LIDs. */
static void fill_block(struct weft__paths *p, const struct weft_lft *lft,
		       uint32_t block, struct scratch *s)
{
	const struct weft_fabric *f = p->fabric;
	uint32_t first = block * WEFT_LFT_BLOCK;
	bool have_columns = false;

	for (uint32_t lid = first; lid < first + WEFT_LFT_BLOCK; lid++) {
		uint32_t owner = weft_lid_owner(f, lid), host, ep;

		if (lid > lft->max_lid || !weft_is_endport(owner))
			continue;
		ep = owner & ~WEFT_ENDPORT;
		host = weft__paths_host(p, ep);
		if (host == WEFT_NONE ||
		    lid - f->ep[ep].lid > p->mask[host])
			continue;
		if (!have_columns)
			weft_lft_columns(lft, block, s->columns);
		have_columns = true;
		fill_row(p, host, lid - f->ep[ep].lid,
			 s->columns + (size_t)(lid - first) * f->nsw, s);
	}
}

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Lists each endport once, ascending, with its switch and LIDs. */
static void number_hosts(struct weft__paths *p, const uint32_t *endport,
			 uint32_t n, bool all_lids)
{
	const struct weft_fabric *f = p->fabric;

	memcpy(p->endport, endport, n * sizeof(*endport));
	qsort(p->endport, n, sizeof(*endport), by_id);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t ep = p->endport[i], h = p->nhosts;
		unsigned lmc = all_lids ? f->ep[ep].lmc : 0;

		if (h && p->endport[h - 1] == ep)
			continue;
		p->endport[h] = ep;
		p->sw[h] = f->ep[ep].sw;
		p->mask[h] = (1u << lmc) - 1;
		if (lmc > p->bits)
			p->bits = lmc;
		p->nhosts++;
	}
}

/* Returns how many rows there are to be. */
static uint64_t count_rows(const struct weft__paths *p)
{
	uint64_t n = 0;

	for (uint32_t h = 0; h < p->nhosts; h++)
		n += p->mask[h] + 1u;
	return n;
}

/* Counts in p->cut how many hosts cannot reach each host, if any. with[]: hosts on
 * each switch. */
static void count_cut(struct weft__paths *p, uint64_t whole, uint32_t *with)
{
	uint32_t nsw = p->fabric->nsw;

	if (whole == count_rows(p))
		return;
	memset(with, 0, nsw * sizeof(*with));
	for (uint32_t h = 0; h < p->nhosts; h++)
		with[p->sw[h]]++;
	for (uint32_t h = 0; h < p->nhosts; h++) {
		for (uint32_t sw = 0; sw < nsw; sw++) {
			bool cut = false;

			for (unsigned o = 0; with[sw] && o <= p->mask[h]; o++)
				cut |= !weft__paths_reach(
					weft__paths_row(p, h, o), sw);
			if (cut)
				p->cut[h] += with[sw] - (sw == p->sw[h]);
		}
	}
}

/* Fills in all rows.  Returns false without memory. */
static bool fill_rows(struct weft__paths *p, const struct weft_lft *lft)
{
	const struct weft_fabric *f = p->fabric;
	size_t size = ((size_t)p->nhosts << p->bits) * f->nsw;
	struct scratch s;
	bool ok = scratch_init(&s, f->nsw);

	p->port = alloc_rows(size);
	if (ok && p->port) {
		memset(p->port, WEFT_NO_PORT, size);
		for (uint32_t b = 0; b <= f->max_lid / WEFT_LFT_BLOCK; b++)
			fill_block(p, lft, b, &s);
		count_cut(p, s.whole, s.depth);
	}
	scratch_free(&s);
	return ok && p->port;
}

int weft__paths_init(struct weft__paths *paths,
		     const struct weft_fabric *fabric,
		     const struct weft_lft *lft, enum weft__rows rows,
		     const uint32_t *endport, uint32_t n)
{
	struct weft__paths p = {
		.fabric = fabric, .spread = rows == WEFT__ROWS_SPREAD,
	};
	size_t size = (size_t)n + 1;
	bool ok;

	p.endport = malloc(size * sizeof(*p.endport));
	p.sw = malloc(size * sizeof(*p.sw));
	p.mask = malloc(size);
	p.cut = calloc(size, sizeof(*p.cut));
	ok = p.endport && p.sw && p.mask && p.cut;
	if (ok) {
		number_hosts(&p, endport, n, rows != WEFT__ROWS_BASE);
		ok = fill_rows(&p, lft);
	}
	if (!ok) {
		weft__paths_free(&p);
		return -ENOMEM;
	}
	*paths = p;
	return 0;
}

void weft__paths_free(struct weft__paths *paths)
{
	free(paths->endport);
	free(paths->sw);
	free(paths->mask);
	free(paths->cut);
	free(paths->port);
}

uint32_t weft__paths_host(const struct weft__paths *paths, uint32_t endport)
{
	uint32_t low = 0, high = paths->nhosts;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (paths->endport[middle] < endport)
			low = middle + 1;
		else
			high = middle;
	}
	return low < paths->nhosts && paths->endport[low] == endport ?
		low : WEFT_NONE;
}
