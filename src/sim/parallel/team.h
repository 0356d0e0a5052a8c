/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of a simulation on several threads; see team.c. */
#ifndef WEFT_SIM_TEAM_H
#define WEFT_SIM_TEAM_H

#include "sim/sim.h"

#include <pthread.h>
#include <stdatomic.h>

/* What a part tells the others after a window. */
struct word {
	_Alignas(64) uint64_t next;  /* when its next event is, or one of others
				      * by it; not later */
	uint64_t handled, delivered; /* events, packets, until now */
	bool stop; /* all are to do so: the user wants that, or
		    * something was lost */
};

struct member {
	struct weft__sim sim;
	struct weft_sim result;
	struct weft__border border;
	struct weft__post *box[2]; /* [parts] by window */
	struct word word[2];
	struct weft__team *team;
};

struct weft__team {
	struct weft__sim *s;
	uint32_t n;
	uint32_t *part; /* [nsw] */
	struct member *member;
	uint64_t window; /* ticks */
	uint64_t packets;
	pthread_t *thread;
	uint32_t threads;
	atomic_uint ready, arrived, passed; /* passed: barriers */
	pthread_mutex_t lock;
	pthread_cond_t wake; /* a barrier is passed, or all are ready */
};

/* The part that a slot's events are of. */
uint32_t weft__team_part(const struct weft__team *team, uint32_t slot);

#endif
