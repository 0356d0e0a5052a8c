/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A schedule in the format GOAL, as its text has it. */
#ifndef WEFT_REPLAY_GOAL_H
#define WEFT_REPLAY_GOAL_H

#include "io/replay/build.h"

enum weft__op_type { WEFT__SEND, WEFT__RECV, WEFT__CALC };

struct weft__op {
	enum weft__op_type type;
	uint32_t rank, peer, tag;
	uint64_t size; /* bytes, or ns of a calculation */
	struct weft__word name;
	unsigned long line;
	uint32_t job;  /* that it becomes */
	uint32_t gate; /* pause in front of it, or WEFT_NONE */
};

/* One operation begins when another one is done, or, start, has begun. */
struct weft__dep {
	uint32_t op, on; /* places in op[] */
	bool start;
};

struct weft__goal {
	struct weft__build *b;
	struct weft__op *op;
	uint64_t nops;
	size_t op_room;
	struct weft__dep *dep;
	uint64_t ndeps;
	size_t dep_room;
	struct weft__called *label; /* of the rank that is being read */
	size_t label_room;
	unsigned long *block; /* [ranks] line where that of a rank begins */
	uint64_t nblocks;     /* ranks that the file says there are; 0 = not
			       * yet */
};

/* Fills in op[] and dep[].  0 or -errno, said. */
int weft__parse_goal(struct weft__goal *g);

#endif
