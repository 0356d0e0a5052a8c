/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fabric at two moments: what its cables carry, which errors grew, and what
 * became another.
 */
#ifndef WEFT_REPORT_SINCE_H
#define WEFT_REPORT_SINCE_H

#include <weft/against.h>
#include <weft/counters.h>
#include <weft/diff.h>

struct weft__moment {
	const struct weft_fabric *fabric;
	const struct weft_routes *routes;	/* NULL: no tables */
	const struct weft_counters *counters;	/* zeroed: none */
	double time;				/* in seconds; 0: not known */
};

/* What a channel carries. */
struct weft__busy {
	uint32_t channel;
	double gbit;	/* per second */
	double share;	/* of what its cable carries */
	double waits;	/* ticks per second, NAN: not known */
};

/* An error that was counted. */
struct weft__worse {
	uint32_t channel;	/* that the port sends on */
	enum weft_counter counter;
	uint64_t growth, value;
};

struct weft__since {
	double seconds;	/* that growth is over; 0: not known */
	struct weft__busy *busy;	/* [nbusy], busiest first */
	struct weft__worse *worse;	/* [nworse], most first */
	struct weft__worse *totals;	/* [ntotals], of all that were ever
					 * counted, most first by value */
	uint32_t nbusy, nworse, ntotals;
	bool compared;		/* with a moment before: */
	struct weft_against cables;
	bool has_tables;	/* of both */
	uint64_t entries;	/* that are others now */
	uint32_t switches;	/* that have these */
};

/*
 * Compares now with what was before; NULL: counters grew between the two
 * readings that now has.  Channels are those of now.  0 or -errno; *out is set
 * on success only and is to be freed.  O(channels log channels), and what
 * weft_diff_run() takes.
 */
int weft__since_find(const struct weft__moment *before,
		     const struct weft__moment *now, struct weft__since *out,
		     struct weft_diag *diag);
void weft__since_free(struct weft__since *since); /* zeroed is fine */

/* When counters were read, or the topology, in seconds since 1970; 0: not a
 * capture. */
double weft__moment_time(const char *directory);

#endif
