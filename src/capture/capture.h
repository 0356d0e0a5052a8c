/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A live fabric, read by Get alone: what its nodes, tables and ports say.
 *
 * weft__capture_run() asks, weft__capture_write_...() put the answers into
 * files that every command reads; weft-formats(5) has these.
 */
#ifndef WEFT_CAPTURE_CAPTURE_H
#define WEFT_CAPTURE_CAPTURE_H

#include <stdio.h>

#include <weft/fabric.h>
#include <weft/routes.h>

#include "capture/mads.h"

struct weft__capture;

struct weft__capture_spec {
	struct weft__mads_spec mads;
	unsigned interval_ms; /* at least, between the readings of counters */
	bool paths;	      /* ask the SA for service levels, */
	uint64_t sample;      /* of that many pairs; 0 = all */
	uint64_t seed;	      /* that the pairs are drawn with */
	const char *journal;  /* file that keeps answers until all are there */
	bool fresh;	      /* what it has of an earlier run is not used */
	void (*phase)(void *context, const char *what);
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/* What is asked of nodes. */
enum weft__kind {
	WEFT__KIND_LFT,
	WEFT__KIND_SL2VL,
	WEFT__KIND_VLARB,
	WEFT__KIND_MULTICAST,
	WEFT__KIND_SM,
	WEFT__KIND_CLASS, /* which counters there are */
	WEFT__KIND_COUNTERS,
	WEFT__KIND_WIDE_COUNTERS,
	WEFT__KINDS
};
const char *weft__kind_name(enum weft__kind kind); /* "forwarding tables" */

/*
 * Discovers the fabric and asks its nodes.  What some of them do not answer is
 * no error: see weft__capture_missing().  0, or -errno after an error; *out is
 * set on success only.
 */
int weft__capture_run(const struct weft__capture_spec *spec,
		      struct weft__capture **out, struct weft_diag *diag);
void weft__capture_free(struct weft__capture *capture); /* NULL is fine */

const struct weft_fabric *weft__capture_fabric(const struct weft__capture *c);
/* Forwarding tables, SL2VL tables (a row that nobody told is of lane 255) and
 * service levels, as far as they were asked for; SLs are of all pairs or none.
 */
const struct weft_routes *weft__capture_routes(const struct weft__capture *c);
bool weft__capture_has_sl2vl(const struct weft__capture *c);
bool weft__capture_has_sl(const struct weft__capture *c);

/* How many questions of a kind there were, how many had no answer, and the
 * first node of these; a kind of WEFT__KINDS: paths. */
struct weft__missing {
	uint64_t asked, refused, silent, kept; /* kept: of an earlier run */
	uint32_t nodes;	  /* that some answer is missing of */
	const char *name; /* of the first */
	uint64_t guid;
};
struct weft__missing weft__capture_missing(const struct weft__capture *c,
					   unsigned kind);
/* Ports with a link to a node that did not answer at all; *text, of size bytes,
 * names the first. */
uint32_t weft__capture_hidden(const struct weft__capture *c, char *text,
			      size_t size);

/* Files of comma-separated values.  write() returns 0 or -ENOMEM; errors of the
 * stream are for who opened it. */
struct weft__capture_file {
	const char *name;
	int (*write)(const struct weft__capture *c, FILE *out);
	bool sample; /* there is one with a sample of paths only */
};
extern const struct weft__capture_file weft__capture_files[]; /* name NULL =
							       * the end */

#endif
