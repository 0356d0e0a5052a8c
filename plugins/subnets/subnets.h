/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The plugin weft-subnets: paths to other subnets, by weft-routers.map.
 *
 *   subnets.c         the plugin: events, and whose queries are answered
 *   subnets_map.c     the mapping in force: read, replaced, looked up
 *   subnets_answer.c  the path record of a pair
 *
 * OpenSM's SA knows one router port for each prefix.  The plugin takes the
 * place of OpenSM's handler of PathRecord queries, answers those for GIDs that
 * the mapping names, and hands on all others unchanged.  Handlers run in
 * several threads; they take OpenSM's shared lock, then the mapping's, in this
 * order.
 */
#ifndef WEFT_PLUGINS_SUBNETS_H
#define WEFT_PLUGINS_SUBNETS_H

#include "plugins/osm_shim.h"

#include "io/tables/router_goals.h"

/* What the mapping says of a router port, and what became of it. */
struct weft__gate {
	uint64_t guid;
	uint32_t first_of;	/* GIDs and prefixes that have it first */
	bool up;		/* when it was last looked at */
};

/* What is wrong with the file; an empty text = nothing. */
struct weft__trouble {
	unsigned long line;
	char text[200];
};

struct weft__subnets_plugin {
	osm_opensm_t *osm;
	char *path;		/* of the mapping */
	pthread_rwlock_t lock;	/* of all below */
	struct weft__goals goals;
	struct weft__gate *gate; /* [ngates] by GUID; each once */
	size_t ngates;
	struct weft__trouble trouble; /* that was told last */
};

/* Log of the plugin: struct weft_diag for it, into *log and *diag. */
void weft__subnets_log(struct weft__subnets_plugin *p, struct weft__log *log,
		       struct weft_diag *diag);

/*
 * Reads the mapping again and puts it in force, if it is another one; one with
 * an error, or none, leaves that in force which is.  Says so once.
 */
void weft__subnets_reread(struct weft__subnets_plugin *p);
/* Looks which router ports of the mapping are there, and tells about changes.
 * OpenSM's lock is held. */
void weft__subnets_look(struct weft__subnets_plugin *p);

#define WEFT__GATEWAYS 16

/* What the mapping says of a GID. */
struct weft__gateway {
	osm_port_t *port[WEFT__GATEWAYS]; /* to be tried in this order */
	unsigned n;
	bool level;		/* an SL is told */
	uint8_t sl;
};

/* Finds the router ports for a GID that are there, the first few.  OpenSM's
 * lock is held.  O(log GIDs + ports named). */
struct weft__gateway weft__subnets_find(struct weft__subnets_plugin *p,
					const ib_gid_t *gid);

/* Answers a PathRecord query for a GID by the first router port that there is a
 * path to.  OpenSM's lock is held, and released.  False: not answered, the lock
 * is still held. */
bool weft__subnets_answer(struct weft__subnets_plugin *p, osm_madw_t *madw,
			  const struct weft__gateway *gateway);

#endif
