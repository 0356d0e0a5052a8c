/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * weft-sweeps.jsonl in OpenSM's dump directory: what became of each sweep, a
 * line of JSON each; the keys are those of weft-plugin(7).
 */
#ifndef WEFT_PLUGINS_OSM_SWEEPS_H
#define WEFT_PLUGINS_OSM_SWEEPS_H

#include "plugins/standing/osm_flaps.h"
#include "plugins/standing/osm_anew.h"
#include "plugins/files/osm_writing.h"

#include <stdatomic.h>
#include <time.h>

/* Seconds of each phase. */
struct weft__times {
	double snapshot, route, verify, commit;
};

/* What a sweep has still to send, as far as OpenSM knows the switches. */
struct weft__changes {
	uint64_t entries;	/* of forwarding tables */
	uint64_t blocks;	/* of 64 entries */
	uint32_t switches;
};

/* A line.  Zeroed, it is one of a sweep that went wrong before anything was
 * known. */
struct weft__sweep {
	struct timespec begun;		/* CLOCK_REALTIME */
	unsigned long number;		/* since set-up, from 1 */
	struct weft__times times;
	uint32_t hosts, switches, cables;	/* 0 = not known */
	struct weft__changes changes;
	struct weft__verdict verdict;
	unsigned lanes, levels;		/* in use, and of QoS */
	uint32_t rerouted;		/* LIDs, for the sake of lanes */
	char how[80];			/* struct weft_routes */
	struct weft__stay stay;
	struct weft__debt debt;		/* of the tables before */
	const struct weft__flaps *flaps;	/* until the next sweep */
	struct weft__heard heard, heard_of_conf;
	bool refused;
};

/* The file, and the thread that finds out what takes time. */
struct weft__sweeps {
	struct weft__writing *writing;	/* writes the lines */
	struct weft__sweep sweep;	/* the one under way */
	struct weft__held *held;	/* whose bandwidth is to be found */
	struct weft__known *known;	/* to be found, too; or NULL */
	struct weft__later *later;	/* to be done after that */
	const struct weft_fabric *fabric;
	struct weft__log log;
	char *path;			/* owned; NULL: no file */
	uint64_t size;			/* bytes, at most */
	unsigned keep;			/* older files */
	pthread_t thread;
	bool running;
	atomic_bool failing;	/* the last line was not written */
};

/* Begins the line of a sweep; waits until that of the one before is made. */
void weft__sweeps_begin(struct weft__sweeps *s);

/*
 * Counts what new_lft of the switches changes in what they have.
 * O(switches x LIDs).
 */
void weft__count_changes(const struct weft__snapshot *snapshot,
			 unsigned max_lid, struct weft__changes *out);

/*
 * Ends the line and has it written, after the thread has found what is known of
 * the tables (NULL: nobody asks), which stays the caller's until
 * weft__sweeps_wait(), and before it does what is left to do later.  held (NULL:
 * the sweep was refused, or there was no memory) are the routes of fabric, which
 * stays the caller's and has to stay until weft__sweeps_wait().  A file that
 * cannot be written is a warning, once until it can be again.
 */
void weft__sweeps_end(struct weft__sweeps *s, const char *directory,
		      const struct weft__conf *conf,
		      const struct weft_fabric *fabric,
		      struct weft__held *held, struct weft__known *known,
		      struct weft__later *later,
		      const struct weft__log *log);

/* Waits until the last line is handed over. */
void weft__sweeps_wait(struct weft__sweeps *s);
void weft__sweeps_free(struct weft__sweeps *s);

#endif
