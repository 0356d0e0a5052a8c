/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What packets meet on their ways in a fabric of subnets; see spread.c. */
#ifndef WEFT_SUBNETS_SPREAD_H
#define WEFT_SUBNETS_SPREAD_H

#include <weft/subnets.h>

struct weft__spread {
	const struct weft_subnets *s;
	struct weft_router_map *m;
	const uint32_t *far; /* [n * n] routers between subnets */
	uint32_t **hosts;    /* [n][switches] hosts on each */
	float **load;	     /* [n][channels] shares of all hosts that send over
			      * a channel, summed up over the destinations */
	float *own;	     /* [most channels] share of the current host's own
			      * subnet that sends to it over each channel */
	float *sent;	  /* [nports] as load, of what a router sends by it */
	double *approach; /* [nports] what packets of the subnet's hosts to
			   * it meet; INFINITY: not all arrive */
	float *meet;	  /* [nports * nports] what one more host behind one
			   * port adds to approach[] of another one */
	double *cost;	  /* [nports] what a packet meets from there on to
			   * the current host */
	double *way;	  /* [n] what those of a subnet's hosts meet */
};

/* A walk through a subnet's tables: where it is, and the channel that it left
 * the last switch by. */
struct weft__step {
	uint32_t sw, hops, channel;
};

/* Takes the next step to an endport.  Returns 1, 0 once it is there, or -1
 * where the tables do not lead there. */
int weft__step(const struct weft_subnet *t, uint32_t ep, struct weft__step *at);

/* Finds approach[] and meet[] of the router ports of a subnet.  Returns false
 * without memory.  See approach.c. */
bool weft__approaches_find(struct weft__spread *x, uint32_t subnet);

#endif
