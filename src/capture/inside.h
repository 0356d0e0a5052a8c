/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of a capture, for the files of this folder. */
#ifndef WEFT_CAPTURE_INSIDE_H
#define WEFT_CAPTURE_INSIDE_H

#include "capture/capture.h"
#include "capture/journal.h"

#include <infiniband/ibnetdisc.h>

/* A question to a node, and where its answer is. */
struct weft__item {
	uint32_t node; /* in weft__capture.node */
	uint32_t modifier;
	uint64_t at;  /* in weft__capture.store, if ANSWERED */
	uint8_t kind; /* enum weft__kind */
	uint8_t port;
	uint8_t reading; /* of counters, 1 or 2 */
	uint8_t answer;	 /* enum weft__answer, or UNASKED */
};
#define WEFT__UNASKED 255

struct weft__pair {
	uint32_t source; /* endport */
	uint16_t dlid;
	uint8_t sl, answer; /* enum weft__answer */
};

struct weft__capture {
	struct weft__capture_spec spec;
	struct weft__mads *mads;
	ibnd_fabric_t *seen;
	ibnd_node_t **node; /* [nnodes], by GUID */
	uint32_t nnodes;
	struct weft_fabric *fabric;
	struct weft_routes routes;
	bool has_sl2vl, has_sl;

	struct weft__item *item;
	size_t nitems, item_capacity;
	uint8_t *store; /* answers, at multiples of 8 */
	size_t used, capacity;
	uint8_t (*silent)[WEFT__KINDS]; /* [nnodes] questions without answer */
	uint64_t kept[WEFT__KINDS];	/* answers from the journal */
	double began;
	const char *phase;	/* what is being done, NULL = nothing yet */
	double phase_began;
	double (*second)[2]; /* [nnodes] when counters were read */
	struct weft__journal *journal;

	struct weft__pair *pair; /* of a sample */
	uint64_t npairs;
	uint64_t paths_asked, paths_silent;
	struct weft_diag *diag;
};

/* discover.c: nodes and the fabric. */
int weft__discover(struct weft__capture *c);
/* Node GUIDs and PortInfo. */
static inline bool weft__is_switch_node(const ibnd_node_t *n)
{
	return n->type == IB_NODE_SWITCH;
}
/* A port of a node, NULL if it was not seen; one with a link to another. */
ibnd_port_t *weft__port_of(const ibnd_node_t *n, unsigned port);
bool weft__is_cabled(const ibnd_node_t *n, unsigned port);
struct weft_rate weft__rate_of(const ibnd_port_t *port);
/* LID that questions about a node's port go to, 0 = it has none. */
unsigned weft__lid_of(const ibnd_node_t *n, unsigned port);

/* items.c: which questions there are; 0 or -ENOMEM. */
int weft__plan_tables(struct weft__capture *c);
int weft__plan_classes(struct weft__capture *c);
int weft__plan_counters(struct weft__capture *c, unsigned reading);
/* Bytes of the attribute that are kept. */
unsigned weft__kind_size(unsigned kind);

/* ask.c: asks items from first on. */
int weft__ask_items(struct weft__capture *c, size_t first);
int weft__ask_paths(struct weft__capture *c);
static inline const uint8_t *weft__answer_of(const struct weft__capture *c,
					     const struct weft__item *item)
{
	return item->answer == WEFT__ANSWERED ? c->store + item->at : NULL;
}

double weft__seconds_now(void); /* monotonic */

/* tables.c: routes from the answers. */
int weft__fill_routes(struct weft__capture *c);

#endif
