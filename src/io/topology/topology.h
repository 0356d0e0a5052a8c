/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The common half of the topology readers.
 *
 * A reader adds nodes, and for every port that the text says is cabled a claim:
 * "port p of this node is cabled to port q of the node with that GUID".  Both
 * come in any order.  weft__topology_finish() then joins the claims to cables
 * and reports what does not fit:
 *
 *   both ends say the same         a cable
 *   only one end says so           a cable, with a warning
 *   an adapter without section     made from what the other end says, warning
 *   a switch without section       error: nobody knows its number of ports
 *   the ends disagree              error
 *   no switch at all               error
 *   two nodes with one GUID        error
 *
 * Defects of one sort give one message: where the first is, and how many.
 * Nothing depends on the order of the text but which one is the first.
 */
#ifndef WEFT_IO_TOPOLOGY_TOPOLOGY_H
#define WEFT_IO_TOPOLOGY_TOPOLOGY_H

#include <weft/diag.h>
#include <weft/fabric.h>

#include "io/notice.h"
#include "io/source.h"

#define WEFT__UNSAID UINT32_MAX		/* a LID that the text does not tell */

struct weft__claim {
	uint64_t peer_guid;		/* node GUID */
	uint64_t peer_port_guid;	/* 0 = not told */
	const char *peer_name;		/* in the text; NULL = not told */
	uint32_t peer_name_length;
	uint32_t node;			/* handle of the node that says this */
	uint32_t line;
	uint32_t peer_lid;		/* or WEFT__UNSAID */
	uint32_t peer;			/* handle, found by finish() */
	uint8_t port, peer_port;
	uint8_t peer_type;		/* enum weft_node_type */
	uint8_t width, speed;		/* 0 = not told */
	bool adopted;			/* by finish(): it made the far end */
};

enum weft__defect {
	WEFT__FOREIGN,		/* lines that are not of the format */
	WEFT__REPEATED,		/* nodes described twice, the same each time */
	WEFT__ID_MISMATCH,	/* caguid= and the name in the node's line */
	WEFT__ODD_RATE,		/* a speed that nobody knows */
	WEFT__COMMAND,		/* commands of a simulator */
	WEFT__LINK_DOWN,	/* cables whose ports are down */
	WEFT__CALLED_CA,	/* switches that are called adapters */
	WEFT__NO_ROWS,		/* switches that have no rows of their own */
	WEFT__TWO_PLACES,	/* an adapter's port that is cabled twice */
	WEFT__TO_ITSELF,	/* ports cabled to themselves */
	WEFT__ONE_SIDED,
	WEFT__ADOPTED,		/* adapters known from the other end only */
	WEFT__UNCABLED,		/* nodes without any cable */
	WEFT__LID_MISMATCH,	/* the ends disagree about a LID */
	WEFT__GUID_MISMATCH,	/* ... about a port's GUID */
	WEFT__RATE_MISMATCH,	/* ... about width or speed */
	WEFT__NO_LID,
	WEFT__BAD_LID,
	WEFT__SAME_LID,
	WEFT__PLANE_LID,	/* planes of an adapter share their LID */
	WEFT__DEFECTS
};

struct weft__topology {
	struct weft_builder *builder;
	struct weft_diag *diag;
	const char *file;
	struct weft__claim *claim;
	uint32_t nclaims;
	size_t capacity;
	/* Let the later of two cables to one adapter's port be left out with a
	 * warning instead of an error: for rows, which tell adapters apart by
	 * port GUID alone. */
	bool drop_second_cable;
	/* A port without LID is none that lacks it: texts written by hand. */
	bool no_lids;
	void *reader;	/* a reader's own */
	struct weft__notice notice[WEFT__DEFECTS];
};

/* 0 or -ENOMEM (said). */
int weft__topology_init(struct weft__topology *t, const char *file,
			struct weft_diag *diag);
void weft__topology_free(struct weft__topology *t);

/* Says an error at that line and returns -EINVAL. */
#define weft__topology_bad(t, number, ...) \
	weft_fail_at((t)->diag, EINVAL, (t)->file, number, __VA_ARGS__)

/* The same of what cannot be read there, with the place in the line: what is
 * "a cable's line that cannot be read", say. */
int weft__topology_misread(struct weft__topology *t, unsigned long number,
			   const struct weft__line *line, const char *what);

/* Notes a defect; finish() reports it. */
void weft__topology_note(struct weft__topology *t, enum weft__defect which,
			 unsigned long line);
/* Notes a line that is not of the format. */
void weft__topology_foreign(struct weft__topology *t,
			    const struct weft__line *line);

/* -EINVAL (said) where no node has that many ports. */
int weft__topology_check_ports(struct weft__topology *t, unsigned long line,
			       uint64_t nports);
/*
 * The node of that GUID: added, or, *again set, known already with the same
 * type and number of ports.  -EINVAL (said) where these differ, -ENOMEM.
 */
int weft__topology_node(struct weft__topology *t,
			const struct weft_node_spec *spec, uint32_t *handle,
			bool *again);
/* Name of a node, unless it has one. */
void weft__topology_name(struct weft__topology *t, uint32_t node,
			 const char *name, size_t length);

/*
 * Adds what the text tells of one port of a node (0: of a switch as a whole).
 * guid 0 and lid WEFT__UNSAID = not told.  -EINVAL (said) when the node has no
 * such port, the LMC is above 7, or an earlier line told otherwise.
 */
struct weft__port_facts {
	uint64_t guid;
	uint32_t lid;
	uint32_t lmc;
	uint32_t line;
};
int weft__topology_port(struct weft__topology *t, uint32_t node, uint32_t port,
			const struct weft__port_facts *facts);

/* Adds a claim (copied).  Its own port must exist.  0, -EINVAL, -ENOMEM. */
int weft__topology_claim(struct weft__topology *t,
			 const struct weft__claim *claim);

/* Joins, checks, builds.  *out on success only.  O(n log n). */
int weft__topology_finish(struct weft__topology *t, struct weft_fabric **out);

/* Joins the claims to cables, for finish(). */
int weft__topology_join(struct weft__topology *t);
/* Checks the LIDs, for finish(). */
int weft__topology_check_lids(struct weft__topology *t);

/* A node for messages: S-0008f10500200b50 "name".  Returns buffer. */
#define WEFT__LABEL_SIZE 96
const char *weft__topology_label(struct weft__topology *t, uint32_t node,
				 char buffer[WEFT__LABEL_SIZE]);

#endif
