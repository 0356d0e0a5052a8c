/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rails: adapter i of every machine hangs on a leaf of rail i.  Who is cabled
 * elsewhere, where it should be, and which machines lack an adapter.
 *
 * The rail of a leaf is that of more than half of the adapters on it.  Machines
 * that stand together have their adapters on the same leaves: that is how the
 * leaf on which an adapter belongs is found.  Machines whose names begin alike,
 * up to the first digit, and that are of one kind, are expected to have the
 * same adapters: those that more than half of them have.  Those with the most
 * adapters of one kind are looked at, and these adapters; others may hang on
 * leaves of any rail.
 */
#ifndef WEFT_RAILS_H
#define WEFT_RAILS_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

enum weft_rail_finding_kind {
	WEFT_RAIL_OTHER,	/* an adapter on a leaf of another rail */
	WEFT_RAIL_UNIT,		/* on its rail, but on another leaf than the
				 * machines beside it */
	WEFT_RAIL_MISSING,	/* none is cabled where a machine should have
				 * one */
	WEFT_RAIL_MIXED,	/* a leaf on which no rail has more than half */
	WEFT_RAIL_KINDS
};

struct weft_rail_finding {
	enum weft_rail_finding_kind kind;
	uint32_t machine;	/* WEFT_NONE: it is about a leaf */
	uint32_t endport;	/* WEFT_NONE: it is missing, or about a leaf */
	uint32_t sw;		/* where the endport is, or the leaf */
	uint8_t rail;		/* that the adapter is of */
	uint8_t of_leaf;	/* the rail of the leaf; WEFT_NO_RAIL */
	uint32_t belongs;	/* the leaf for it, WEFT_NONE: not known */
	uint32_t swap;		/* the endport that has its place and belongs
				 * where it is, WEFT_NONE */
};

#define WEFT_NO_RAIL 255	/* of switches: hosts of several, or none */

struct weft_rails {
	uint32_t nrails;	/* 0: no machines with several adapters */
	uint32_t machines;	/* that are expected to have several */
	uint32_t adapters;	/* theirs */
	uint32_t right;		/* of these, on their rail */
	uint8_t *of_switch;	/* [nsw] WEFT_NO_RAIL: it is no leaf of one */
	struct weft_rail_finding *finding;	/* [n] by kind, then machine */
	uint32_t n;
	uint32_t count[WEFT_RAIL_KINDS];
};

/* 0; -ENOMEM.  *out is to be freed in both cases.  O(endports x (log endports +
 * adapters of a machine)). */
int weft_rails_find(const struct weft_fabric *fabric, struct weft_rails *out);
void weft_rails_free(struct weft_rails *rails);	/* zeroed is fine */

/* "rail", "unit", "missing", "mixed". */
const char *weft_rail_finding_name(enum weft_rail_finding_kind kind);

/* The name of a machine: the first word of its first node's. */
const char *weft_machine_name(const struct weft_fabric *fabric,
			      uint32_t machine, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
