/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Cables between switches that come and go.
 *
 * Each time one goes its routes move, and each time it comes back they return:
 * blocks to send and packets out of order, for a cable that will not last.  One
 * that went flaps= times within flap_window= seconds is out of use, as a
 * degraded one is (osm_cables.c), until it was there for a whole window.
 *
 * What a heavy sweep finds is all that is known: a cable that is not there any
 * more, or one with a port that is to be initialised again although the last
 * sweep left it active: that one has gone and come back.  It is the same cable
 * while it joins the same two ports, by GUID and number.
 */
#ifndef WEFT_PLUGINS_OSM_FLAPS_H
#define WEFT_PLUGINS_OSM_FLAPS_H

#include <weft/diag.h>
#include <weft/fabric.h>

#define WEFT__FLAPS_MOST 16	/* that flaps= may ask for */
#define WEFT__FLAPS_WINDOW 86400	/* seconds, at most */

/* A cable by its two ends, the one with the lower GUID first. */
struct weft__cable {
	uint64_t guid[2];
	uint8_t port[2];
};

/* One that went of late. */
struct weft__flap {
	struct weft__cable cable;
	int64_t went[WEFT__FLAPS_MOST];	/* when, oldest first */
	unsigned times;			/* of these, within the window */
	int64_t since;			/* it came, if it is there */
	bool there;			/* in the last sweep */
	bool out;			/* of use */
	bool over;	/* it was out of use until the last sweep */
};

/* What is remembered.  Zeroed: nothing, and nobody counts. */
struct weft__flaps {
	unsigned times;			/* flaps=; 0 = nobody counts */
	unsigned window;		/* flap_window=, seconds */
	int64_t now;			/* seconds of a clock that only goes on;
					 * set before each sweep */
	bool came_up;			/* the last sweep left all ports active;
					 * set by whoever knows */

	struct weft__cable *there;	/* in the last sweep, ascending */
	size_t nthere;
	bool seen;			/* there was one */
	struct weft__flap *flap;	/* by cable, the first sorted ones */
	size_t n, sorted, room;
};

/*
 * Counts what has gone since the last sweep.  fabric has all cables that are
 * there, down[nch] those of its channels whose port is to be initialised.
 * Warns of each cable that is out of use from now on.  Without memory (-ENOMEM)
 * nothing is remembered.  O(channels + flaps log flaps).
 */
int weft__flaps_see(struct weft__flaps *flaps, const struct weft_fabric *fabric,
		    const bool *down, struct weft_diag *diag);

/* Whether the cable of a channel between switches is out of use.
 * O(log flaps). */
bool weft__flaps_out(const struct weft__flaps *flaps,
		     const struct weft_fabric *fabric, uint32_t channel);
/* How many cables are. */
uint32_t weft__flaps_count(const struct weft__flaps *flaps);
void weft__flaps_forget(struct weft__flaps *flaps);

/* A cable in words, malloc()ed; NULL without memory. */
char *weft__cable_text(const struct weft__cable *cable,
		       const struct weft_fabric *fabric);

#endif
