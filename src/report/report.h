/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The report: one page about a fabric and its tables, for people who are no
 * experts in routing.  What it tells is collected first (collect.c and what
 * that calls) and then written, section by section (write.c).
 */
#ifndef WEFT_REPORT_REPORT_H
#define WEFT_REPORT_REPORT_H

#include <weft/compare.h>
#include <weft/counters.h>
#include <weft/model.h>
#include <weft/multicast.h>
#include <weft/proof.h>
#include <weft/redundancy.h>
#include <weft/shape.h>
#include <weft/worth.h>

#include "report/cuts.h"
#include "report/hottest.h"
#include "report/lanes.h"

struct weft__since;

/* How things are called; the program says, as in all that it prints. */
struct weft__report_names {
	const char *(*vertex)(const struct weft_fabric *f, uint32_t vertex,
			      char *buf, size_t size);
	const char *(*channel)(const struct weft_fabric *f, uint32_t channel,
			       char *buf, size_t size);
};

struct weft__report_spec {
	const char *input;  /* as given */
	const char *engine; /* that made the routes, or NULL */
	const char *read;   /* files they were read from, or "" */
	bool invented;	    /* the input holds no tables, so that engine
			     * was taken */
	char *const *multicast;	/* [nmulticast] files of multicast tables */
	uint32_t nmulticast;
	const struct weft_fabric *fabric;
	const struct weft_routes *routes;
	const struct weft_objective *objective;	/* NULL: the basket hpc */
	const char *objective_name;
	bool all_hosts;	     /* aggregation nodes and routers are hosts */
	uint64_t bisections; /* random ones */
	uint32_t seed;
	unsigned threads;
	unsigned most; /* rows of a list */
	struct weft__report_names names;
	/* Told what is being done; may not be NULL. */
	void (*phase)(void *context, const char *what);
	void *context;
};

struct weft__report {
	const struct weft__report_spec *spec;
	struct weft_diag *diag;
	uint32_t hosts;
	struct weft_shape shape;
	struct weft_proof proof;
	bool fine_with_switches; /* the verdict with what switches send
				  * and receive, too; only if fine */
	bool has_traffic;	 /* two hosts or more; else nothing of these */
	struct weft_ebb ebb;
	struct weft_basket *basket;
	struct weft_worth worth;
	struct weft_saturation saturation;
	double uniform_bound;	/* of saturation.even; NAN: not known */
	struct weft__hottest hottest;
	struct weft__lane_use lanes;
	struct weft_redundancy redundancy;
	struct weft_lid_redundancy lids;
	struct weft__cuts cuts;
	struct weft_multicast_verdict multicast; /* no groups: none are known */
	struct weft_counters counters;	/* none read, where nobody did */
	/* What changed since another capture, and its name; the caller's.
	 * NULL: nothing is compared. */
	const struct weft__since *since;
	const char *since_name;
	/* Of engines, ranked, and what is advised: the caller's; NULL, NULL:
	 * there is none. */
	const struct weft_comparison *comparison;
	const struct weft_advice *advice;
};

/*
 * Collects what there is to tell.  The spec must outlive the report.  0, or
 * -errno after an error; *out is set on success only and is to be freed.
 */
int weft__report_collect(const struct weft__report_spec *spec,
			 struct weft__report *out, struct weft_diag *diag);
void weft__report_free(struct weft__report *r);

#endif
