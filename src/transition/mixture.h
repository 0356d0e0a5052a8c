/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The old and the new entries for one LID, both at a time. */
#ifndef WEFT_TRANSITION_MIXTURE_H
#define WEFT_TRANSITION_MIXTURE_H

#include "transition/run.h"

enum {
	WEFT__MAY_END = 1,  /* at a switch that has no way to the owner */
	WEFT__MAY_LOOP = 2,
};

/* A switch and the ways on from there. */
struct weft__fork {
	uint32_t walk;	  /* LID that the rest is about, counted from 1 */
	uint32_t next[2]; /* [n] switches */
	uint8_t port[2];  /* [n] that lead there */
	uint8_t n;	  /* ways on; 0: packets end here */
	uint8_t done;	  /* ways that were followed */
	bool open;	  /* it is on the way that is being followed */
	uint8_t fate;	  /* what some mixture does with packets from here:
			   * WEFT__MAY_... */
	uint16_t classes; /* of traffic, a bit each */
};

struct weft__mixture {
	const struct weft_fabric *fabric;
	const uint8_t *entry[2]; /* [nsw] old, new */
	uint32_t owner;
	uint32_t walk;
	struct weft__fork *fork; /* [nsw] */
	uint32_t *path;		 /* [nsw] */
	uint32_t *order;	 /* [norder] switches, each behind the ones that
				  * follow it, but for circles */
	uint32_t norder;
	uint16_t *classes; /* [nsw] of the traffic from its endports */
	bool circle; /* there is one in the graph of all ways */
	uint8_t *end[2]; /* [nsw] how the routes of both sets end */
	/* [nsw * 2] for each way on, the lanes that each SL has there */
	uint16_t (*lanes)[WEFT_NSL];
};

/* Adds the dependencies of a mixture if lanes change on the way. */
void weft__mixture_lanes(struct weft__transit *t, struct weft__mixture *m,
			 unsigned lid);

#endif
