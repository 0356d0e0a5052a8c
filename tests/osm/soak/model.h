/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The fabric in the simulator as it should be, and the lines of ibsim's console
 * that make it so. */
#ifndef WEFT_TESTS_SOAK_MODEL_H
#define WEFT_TESTS_SOAK_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct node {
	char id[40];
	bool sw;
	unsigned nports;
};

struct cable {			/* between switches */
	uint32_t node[2];
	unsigned port[2];
	bool up;
};

struct plug {			/* port of a host */
	uint32_t node, sw;
	unsigned port, sw_port;
	bool up;
};

struct model {
	struct node *node;
	uint32_t nnodes;
	struct cable *cable;
	uint32_t ncables;
	struct plug *plug;
	uint32_t nplugs;
	uint32_t *sw;		/* switches: nodes, in the file's order */
	uint32_t nsw;
	uint64_t state;		/* of the generator of random numbers */
	unsigned guids;		/* that were given out */
};

/* Reads an ibnetdiscover file; exits where it cannot. */
void model_read(struct model *m, const char *path);

uint32_t model_below(struct model *m, uint32_t n);	/* 0 .. n - 1 */

/* Finds what the switch of a host is joined with: hosts' ports and switches. */
void model_count(const struct model *m, uint32_t sm, uint32_t *hosts,
		 uint32_t *switches);

/* Whether there is a way between two hosts. */
bool model_joined(const struct model *m, uint32_t a, uint32_t b);

/* These print lines; what is as it shall be already has none.  Begin with
 * "sim", end the line yourself. */
void model_set(struct model *m, uint32_t cable, bool up);
void model_set_host(struct model *m, uint32_t plug, bool up);
void model_swap(struct model *m, uint32_t a, uint32_t b);
bool model_move(struct model *m, uint32_t plug, uint32_t sw);
void model_guid(struct model *m, uint32_t plug);

#endif
