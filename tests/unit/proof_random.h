/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Random small fabrics, tables and service levels for the tests of proofs. */
#ifndef WEFT_TESTS_PROOF_RANDOM_H
#define WEFT_TESTS_PROOF_RANDOM_H

#include "suite.h"

#include <weft/weft.h>

enum random_shape {
	SHAPE_LINE, SHAPE_RING, SHAPE_TORUS, SHAPE_TREE, SHAPE_GRAPH,
	SHAPE_PARTS,		/* two lines that do not touch */
	SHAPES,
};

enum random_tables {
	TABLES_MINIMAL,		/* any of the shortest ways */
	TABLES_SPANNING,	/* along one spanning tree: no credit loop */
	TABLES_HOLED,		/* minimal, with some entries spoilt */
	TABLES_GARBAGE,		/* every entry anything */
	TABLES_SHORT,		/* minimal, but ends before the last LIDs */
	TABLES,
};

enum random_sl2vl {
	SL2VL_NONE, SL2VL_UNIFORM, SL2VL_OUTPUT, SL2VL_INPUT,
	SL2VL_OUTPUT_DROPS, SL2VL_INPUT_DROPS,
	SL2VL_INPUT_ALIKE,	/* odd input ports alike, even ones, too */
	SL2VLS,
};

/*
 * About nsw switches of that shape, cabled by random ports (switches of 12 or
 * 70), now and then by two cables or to themselves; 0 to 3 endports on each
 * switch, some of them aggregation nodes or routers, some without LID, LMC 0 to
 * 2.  Owned by the caller.  Aborts without memory, as all of these do.
 */
struct weft_fabric *random_fabric(struct weft_rng *rng,
				  enum random_shape shape, uint32_t nsw);

/*
 * The same with no cables beyond those given (pairs of switches), one endport
 * with LMC 0 and a LID on each of the first nhosts switches, everything in
 * ascending order.
 */
struct weft_fabric *plain_fabric(uint32_t nsw, uint32_t nhosts,
				 const unsigned (*cable)[2], unsigned n);

void random_routes(struct weft_rng *rng, const struct weft_fabric *f,
		   enum random_tables tables, struct weft_routes *routes);

void random_layers(struct weft_rng *rng, const struct weft_fabric *f,
		   enum weft_sl_form form, enum random_sl2vl sl2vl,
		   struct weft_layers *layers);

/* Any form of them, and of the first that many kinds of SL2VL tables. */
void random_any_layers(struct weft_rng *rng, const struct weft_fabric *f,
		       enum random_sl2vl kinds, struct weft_layers *layers);

#endif
