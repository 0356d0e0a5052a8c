/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables that stand, in a file: what a subnet manager needs to go on, after a
 * restart, with the tables that the switches have (weft/standing.h).
 *
 * The file is one piece of bytes with a version, its size and a checksum; one
 * that is cut off, damaged, of another version or no such file is an error that
 * says so.  The debt and what is owed are written into it later, with a checksum
 * of their own: without it they are not known.  weft-formats(5) tells the
 * layout.
 */
#ifndef WEFT_STORED_H
#define WEFT_STORED_H

#include <weft/diag.h>
#include <weft/routes.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tables, and the fabric that they were made for. */
struct weft_stored_tables {
	struct weft_fabric *fabric;
	struct weft_routes routes;	/* without SL2VL tables, which are made
					 * anew for the cables that there are */
	int64_t since;			/* seconds since 1970 */
};

/* What tables routed anew would gain over those in force. */
struct weft_stored_debt {
	int64_t since;		/* it is known, seconds since 1970; 0: it is
				 * not */
	double worth, anew;	/* of those in force, of new ones: the mean of
				 * the basket (weft/worth.h), in millionths */
	uint64_t entries, blocks;	/* that differ between them */
};

/* A cable between switches that came and went of late. */
struct weft_stored_flap {
	uint64_t guid[2];	/* of its switches, the lower one first */
	uint8_t port[2];
	uint32_t times;		/* it went of late */
	bool there;
	bool out;		/* of use */
	int64_t since;		/* it is there, or is not; since 1970 */
};

struct weft_stored {
	char *engine;		/* its name */
	char *options;		/* of it, for people */
	uint64_t told;		/* a hash of all that it was told */
	struct weft_stored_debt debt;
	uint64_t owed;		/* entries that may yet change for balance, as
				 * the last sweep left it for another one */
	struct weft_stored_flap *flap;	/* nflaps of them */
	uint32_t nflaps;
	struct weft_stored_tables now;	/* in force */
	/* Last routed from scratch; fabric NULL: those in force are. */
	struct weft_stored_tables home;
	struct weft_fabric *were;	/* that tables were for when entries
					 * began to wait for others, which some
					 * still do; NULL: none does */
};

/*
 * Writes what stands; engine and options may be NULL.  0; -EINVAL after an
 * error: tables do not fit their fabric.  Errors of writing are the stream's.
 * O(switches x LIDs).
 */
int weft_stored_write(FILE *out, const struct weft_stored *stored,
		      struct weft_diag *diag);

/*
 * Reads a file, of this version or the one before, which has to be a plain one,
 * or a link to one.  0, or -errno after an error with the file.  *out is set on
 * success only. O(switches x LIDs).
 */
int weft_stored_read(const char *path, struct weft_stored *out,
		     struct weft_diag *diag);
void weft_stored_free(struct weft_stored *stored);	/* zeroed is fine */

#ifdef __cplusplus
}
#endif
#endif
