/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A stand-in for OpenSM: the symbols of the opensm executable that a plugin
 * uses, and subnets made from fabrics, as discovery would leave them.
 */
#ifndef WEFT_TESTS_SHIM_UTIL_H
#define WEFT_TESTS_SHIM_UTIL_H

#include "plugins/osm_shim.h"

#include "../suite.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <opensm/osm_qos_policy.h>
#pragma GCC diagnostic pop

/* An osm_opensm_t with a subnet in it; everything else is zero. */
struct shim_subnet {
	osm_opensm_t *osm;
	uint32_t nsw, nnodes;
	osm_switch_t *sw;	/* [nsw] by descending GUID: not as ids are */
	osm_node_t **node;	/* [nnodes] switches first, then adapters */
};

/* The subnet of a fabric whose LIDs are assigned.  Aborts without memory. */
struct shim_subnet *shim_subnet_new(const struct weft_fabric *fabric);
void shim_subnet_free(struct shim_subnet *s);

/* What OpenSM does to all switches before it calls an engine. */
void shim_subnet_prepare(struct shim_subnet *s);

/* Has switches take what a sweep has for them.  Returns how many blocks that
 * changes. */
unsigned long shim_send(struct shim_subnet *s);

/* Takes the cable of a channel of a fabric, between switches, out of its
 * subnet, or puts it back. */
void shim_set_cable(struct shim_subnet *s, const struct weft_fabric *f,
		    uint32_t channel, bool there);

/* Whether a switch sends a multicast LID by a port; multicast tables of all
 * switches emptied. */
bool shim_sends(const osm_switch_t *sw, uint16_t mlid, unsigned port);
void shim_clear_multicast(struct shim_subnet *s);

osm_switch_t *shim_switch(const struct shim_subnet *s, uint64_t guid);
osm_node_t *shim_node(const struct shim_subnet *s, uint64_t guid);

/* A connected fabric of nsw switches in a ring with a few chords and parallel
 * cables, up to hosts adapters on each, some of them with two ports; LIDs are
 * assigned.  seed decides.  Aborts without memory. */
struct weft_fabric *shim_random_fabric(uint32_t seed, unsigned nsw,
				       unsigned hosts, int lmc);

/* What OpenSM does in a sweep: prepares the switches, calls the two callbacks.
 * Clears the log. */
int shim_sweep(struct shim_subnet *s, struct osm_routing_engine *re);

/* Sweeps that somebody asked for. */
extern atomic_uint shim_asked;

/* What osm_log() was given since shim_log_clear(), cut to 16 KiB. */
extern char shim_log[];
void shim_log_clear(void);
void shim_expect_log(const char *words);

/* The modules that were registered since the last shim_modules_clear(). */
#define SHIM_MODULES 32
struct shim_module {
	char name[32];
	int (*setup)(struct osm_routing_engine *re, osm_opensm_t *osm);
	void *context;
};
extern struct shim_module shim_modules[SHIM_MODULES];
extern unsigned shim_nmodules;
/* What registering returns; after it, CL_SUCCESS again. */
extern cl_status_t shim_register_status;
void shim_modules_clear(void);

/* Calls of osm_purge_mtree(). */
extern unsigned shim_purged;

/* The level, and its SL, in the policy that osm_qos_parse_policy_file() finds;
 * NULL = there is no file. */
extern const char *shim_policy_level;
extern uint8_t shim_policy_sl;

/* What a switch answers when it is asked for a block of its table: true with
 * the entries, or silence; at once.  NULL: all are silent. */
extern bool (*shim_answer)(const osm_switch_t *sw, unsigned block,
			   uint8_t entry[64]);
extern unsigned shim_questions;	/* that were asked */

/* A port that osm_link_is_throttled() says yes to, as it does to links that are
 * not as wide as LinkWidthEnabled at both ends. */
extern const osm_physp_t *shim_throttled_port;

#endif
