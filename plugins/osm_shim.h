/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Between OpenSM and the engines.  This is the only header that includes
 * OpenSM's, and osm_config.h comes first: the layout of OpenSM's structures
 * depends on it.
 *
 * OpenSM calls an engine twice in a sweep, under its exclusive subnet lock:
 *
 *   build_lid_matrices      snapshot (osm_snapshot.c): subnet -> fabric
 *                           route: the tables that stand, mended
 *                           (osm_standing.h), those that the switches hold
 *                           (osm_adopt.h), or the engine, a pure function
 *                           verify (osm_verify.c): everything reachable, no
 *                           loop, no credit loop; with one: lanes
 *                           (osm_layers.h)
 *                           commit of the hop counts (osm_commit.c), where
 *                           somebody wants them
 *   ucast_build_fwd_tables  commit of the forwarding tables; a line about
 *                           the sweep (osm_sweeps.h)
 *
 * and, between sweeps as well, once for each multicast LID
 *
 *   mcast_build_stree       the spanning tree (osm_multicast.c)
 *
 * Nothing of OpenSM's is written before the verdict of verify.  Network byte
 * order ends at the snapshot and begins again nowhere: hops and tables are
 * indexed by LIDs in host order in OpenSM, too.
 */
#ifndef WEFT_PLUGINS_OSM_SHIM_H
#define WEFT_PLUGINS_OSM_SHIM_H

#include <opensm/osm_config.h>

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include <opensm/osm_event_plugin.h>
#include <opensm/osm_log.h>
#include <opensm/osm_mcast_tbl.h>
#include <opensm/osm_mcm_port.h>
#include <opensm/osm_multicast.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_switch.h>
#include <opensm/osm_version.h>

#include "standing/rest.h"

#include <weft/diag.h>
#include <weft/engine.h>
#include <weft/kinds.h>
#include <weft/machines.h>

/*
 * Diagnostics go to OpenSM's log, each line with the engine's name.
 * Errors are numbered 57xx; no module of OpenSM uses that range.
 */
enum weft__code {
	WEFT__ERR_OPTIONS = 0x5701,	/* weft.conf */
	WEFT__ERR_SNAPSHOT = 0x5702,	/* the subnet does not make a fabric */
	WEFT__ERR_ENGINE = 0x5703,	/* the engine refuses the fabric */
	WEFT__ERR_REACH = 0x5704,	/* tables that do not reach everyone */
	WEFT__ERR_CYCLE = 0x5705,	/* tables with a credit loop */
	WEFT__ERR_LANES = 0x5706,	/* tables that need virtual lanes */
	WEFT__ERR_COMMIT = 0x5707,	/* tables that OpenSM cannot take */
	WEFT__ERR_MULTICAST = 0x5708,	/* members that cannot be reached */
	WEFT__ERR_SUBNETS = 0x5709,	/* weft-routers.map */
};

/* What was said in a sweep. */
struct weft__heard {
	enum weft__code code;	/* of the first error */
	char error[600];	/* its text, "" = there was none */
	unsigned warnings;
};

/* What was said in the last sweep and in this one: nobody needs to hear it in
 * every sweep.  Zeroed = nothing. */
#define WEFT__ONCE 64
struct weft__once {
	unsigned nbefore, nnow;
	uint64_t before[WEFT__ONCE], now[WEFT__ONCE];
};

struct weft__log {
	osm_log_t *log;
	const char *engine;
	enum weft__code code;	/* number of the errors that come now */
	struct weft__heard *heard;	/* or NULL */
	struct weft__once *once;	/* or NULL: all is said */
	const atomic_bool *quit;	/* or NULL; true: nothing is, as OpenSM's
					 * log may be gone */
};

/* Begins a sweep: what this one repeats of the one before is not said. */
void weft__once_begin(struct weft__once *once);

/* weft_diag.emit; context is a struct weft__log. */
void weft__log_emit(void *context, const struct weft_message *message);
/* Has diag speak to OpenSM's log, by log, in the name of an engine. */
void weft__log_open(struct weft__log *log, struct weft_diag *diag,
		    osm_log_t *osm_log, const char *engine);

enum weft__deadlock { WEFT__LAYERS, WEFT__IGNORE, WEFT__REFUSE };
enum weft__sl_dump { WEFT__SL_WEFT, WEFT__SL_PSL, WEFT__SL_NONE };

/* [weft] rebalance=: when tables that stand are routed anew. */
struct weft__rebalance {
	enum weft__when {
		WEFT__AUTO,	/* where it gains enough, in quiet */
		WEFT__NEVER,
		WEFT__AT,	/* at an hour, */
		WEFT__NOW,	/* when the line changes, in steps, */
		WEFT__JUMP,	/* or all at once */
	} when;
	int minute;		/* WEFT__AT: of the day */
	uint64_t word;		/* a hash of the line */
	unsigned after;		/* rebalance_after=, seconds of quiet */
	unsigned pause;		/* rebalance_pause=, seconds between steps */
	uint64_t blocks;	/* changes=, of a step; 0: as suits the fabric */
};

/* Reads rebalance= into *out.  Returns false where it cannot be that. */
bool weft__rebalance_read(const char *text, struct weft__rebalance *out);

/* The settings in weft.conf. */
struct weft__conf {
	enum weft__deadlock deadlock;	/* [weft] deadlock= */
	bool keep_routes;		/* deadlock=keep: WEFT__LAYERS, but
					 * routes stay while lanes suffice */
	unsigned qos_levels;		/* [weft] qos_levels=, 1 .. 8 */
	enum weft__sl_dump sl_dump;	/* [weft] sl_dump= */
	bool opensm_multicast;		/* [weft] multicast=opensm */
	bool router_weights;		/* [weft] router_weights=yes */
	bool standing;			/* [weft] standing=yes */
	enum weft_standing_order order;	/* [weft] safe_order= */
	bool adopt;			/* [weft] adopt=yes */
	unsigned adopt_timeout;		/* [weft] adopt_timeout=, seconds */
	unsigned flaps;			/* [weft] flaps=, 0 = off */
	unsigned flap_window;		/* [weft] flap_window=, seconds */
	enum weft__balance_when balance;	/* [weft] balance= */
	struct weft__rebalance rebalance;
	unsigned first_budget;		/* [weft] first_budget=, seconds */
	unsigned sweeps_size;		/* [weft] sweeps_size=, KiB, 0 = none */
	unsigned sweeps_keep;		/* [weft] sweeps_keep= */
	enum weft_machines_by machines_by;	/* [weft] hosts_by= */
	char *machines_path;		/* or its file, NULL = none; owned */
	struct weft_adapters machines;	/* that the file tells; n = 0: none */
	char *kinds_path;		/* [weft] kinds=, NULL = none; owned */
	struct weft_kinds *kinds;	/* of hosts, NULL = all alike; owned */
	struct weft_options *options;	/* of the engine; owned */
	bool by_lmc;			/* the engine may choose LIDs */
	unsigned lanes;			/* at most, for an engine that assigns
					 * service levels itself; else 0 */
};

/*
 * Reads the options of one engine: the file that event_plugin_options names,
 * or WEFT_SYSCONFDIR/opensm/weft.conf if that exists, or else the defaults.
 * plugin_options is OpenSM's, NULL if unset.  *out is set on success only;
 * -errno after an error with file and line.
 */
int weft__conf_read(const char *plugin_options,
		    const struct weft_engine *engine, struct weft__conf *out,
		    struct weft_diag *diag);
void weft__conf_free(struct weft__conf *conf);

/*
 * Reads the files of lists and of objectives that options name; option roots
 * gets OpenSM's root_guid_file (NULL: there is none), where the engine has that
 * option and it was not given.  0, or -errno after errors with file and line:
 * what cannot be read is unset then, all else is as it should be.
 */
int weft__conf_lists(struct weft_options *options, const char *root_guid_file,
		     struct weft_diag *diag);

/*
 * Reads the kinds of hosts into conf->kinds: the file of [weft] kinds=, then
 * OpenSM's lists of compute and of I/O nodes (NULL: there is none).  Hosts that
 * no list of compute nodes has are "other".  0, or -errno after errors with file
 * and line: all hosts are alike then.
 */
int weft__conf_kinds(struct weft__conf *conf, const char *cn_guid_file,
		     const char *io_guid_file, struct weft_diag *diag);

/* Reads the file of [weft] hosts_by= into conf->machines.  0, or -errno after an
 * error with file and line. */
int weft__conf_machines(struct weft__conf *conf, struct weft_diag *diag);

/*
 * Returns the path that event_plugin_options gives to us, malloc()ed, or NULL:
 * the value of weft.conf= or engine.conf=, or a lone absolute path.  Words of
 * other plugins are left alone.
 */
char *weft__conf_path(const char *plugin_options);
/* Returns the path of the mapping to routers, which event_plugin_options may
 * name as routers.map=, malloc()ed; NULL without memory. */
char *weft__routers_path(const char *plugin_options);
/*
 * Has each router port of a fabric weigh as many hosts as the mapping has GIDs
 * that name it first.  Without a mapping that can be read, after an error,
 * weights stay.  O(router ports x GIDs).
 */
void weft__weigh_routers(const char *plugin_options,
			 struct weft_fabric *fabric, struct weft_diag *diag);
/* Returns the rest of the word of event_plugin_options that begins with key,
 * malloc()ed, or NULL. */
char *weft__conf_word(const char *plugin_options, const char *key);

/* The fabric as OpenSM knows it, and the way back. */
struct weft__snapshot {
	struct weft_fabric *fabric;
	osm_switch_t **sw;	/* [nsw]; good until the lock is released */
};

struct weft__flaps;

/*
 * Takes a snapshot of the subnet.  Left out: switches that never answered,
 * links that are down, and degraded cables between switches that others can do
 * without.  flaps (or NULL: nobody counts) gets to know which come and go.
 * O(ports log nodes).  -errno after an error.
 */
int weft__snapshot_take(osm_subn_t *subnet, struct weft__flaps *flaps,
			struct weft__snapshot *out, struct weft_diag *diag);
void weft__snapshot_free(struct weft__snapshot *snapshot);

/* The port that a channel from a switch leaves by.  O(log switches). */
static inline osm_physp_t *
weft__channel_port(const struct weft__snapshot *snapshot, uint32_t channel)
{
	const struct weft_fabric *f = snapshot->fabric;
	uint32_t s = weft_channel_switch(f, channel);

	return osm_node_get_physp_ptr(snapshot->sw[s]->p_node,
				      channel - f->first_channel[s]);
}

/* Returns what a link runs at, as a port tells; 0 for what nobody knows. */
struct weft_rate weft__rate_of(const osm_physp_t *port);
/* Returns the best that both ends of a link may run at. */
struct weft_rate weft__rate_enabled(const osm_physp_t *port);
/*
 * Warns about cables between switches that run at less than both ends may,
 * whose rate nobody knows, or that are slower than nearly all others between
 * the same levels.  O(ports).
 */
void weft__tell_slow(const osm_subn_t *subnet,
		     const struct weft__snapshot *snapshot,
		     struct weft_diag *diag);

/*
 * Takes cables between switches out of a snapshot that are not trained, that
 * OpenSM calls unhealthy or, with avoid_throttled_links, throttled, or that
 * come and go (osm_flaps.h, or NULL), as far as better ones lead to the same
 * places: no switch is cut off.  Warns about those that stay, and about those that go.
 * 0 or -ENOMEM.  O(ports log nodes).
 */
int weft__leave_out_cables(const osm_subn_t *subnet, struct weft__flaps *flaps,
			   struct weft__snapshot *snapshot,
			   struct weft_diag *diag);

/* Returns the seconds since *since, which becomes now. */
static inline double weft__lap(struct timespec *since)
{
	struct timespec now;
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = now.tv_sec - since->tv_sec +
		  (now.tv_nsec - since->tv_nsec) * 1e-9;
	*since = now;
	return seconds;
}

/* An INFO line for each cable that has come and gone and is in use again. */
void weft__flaps_report(const struct weft__flaps *flaps,
			const struct weft_fabric *fabric, osm_log_t *log,
			const char *engine);

/* Results of verify that are worth a line in the log. */
struct weft__verdict {
	bool partly;		/* only these LIDs, which changed, were proven */
	uint32_t lids;		/* LIDs; and the next two are not known yet */
	uint64_t forwarding_index;	/* routes over the busiest cable, one
					 * way, between all endports */
	unsigned max_hops;		/* switches on the longest route */
	char cycle[2000];	/* a credit loop in words, "" = there is none;
				 * OpenSM cuts lines at 4096 */
};

/*
 * Proves that every endport and every switch reaches every LID that cables lead
 * to, and looks for credit loops.  -errno after an error that names the pair
 * that fails; *out is set on success only.
 */
int weft__verify(const struct weft_fabric *fabric,
		 const struct weft_routes *routes, struct weft__log *log,
		 struct weft_diag *diag, struct weft__verdict *out);

/* Whether what endports send to each other has no credit loop; what switches
 * send or get themselves is left aside. */
bool weft__hosts_wait_in_order(const struct weft_fabric *fabric,
			       const struct weft_routes *routes);

/*
 * Checks that OpenSM's tables have room for all LIDs.  0, or -ERANGE after an
 * error that names the switch.
 */
int weft__commit_check(const struct weft__snapshot *snapshot,
		       const struct weft_lft *lft, struct weft_diag *diag);

/*
 * Returns the distances between all switches in cables, distance[a * nsw + b]:
 * OSM_NO_PATH where there is no way, 254 for all that are longer.  NULL: no
 * memory.  free() it.
 */
uint8_t *weft__distances_all(const struct weft_fabric *fabric);

/*
 * Fills in OpenSM's hop counts as its own engines do: for every switch, port
 * and switch LID the distance through that port, NO_PATH for ports that do not
 * lead to a switch.  -ENOMEM leaves them all empty.
 * O(switches^2 x ports) bytes written.
 */
int weft__commit_hops(const struct weft__snapshot *snapshot,
		      const uint8_t *distance, struct weft_diag *diag);

/* Copies the tables into each switch's new_lft, which OpenSM then sends. */
void weft__commit_tables(const struct weft__snapshot *snapshot,
			 const struct weft_lft *lft);

/* The last routing, as far as multicast trees need it. */
struct weft__multicast {
	const struct weft_fabric *fabric;
	uint8_t *distance;		/* weft__distances_all(), owned */
};

/*
 * Sets the ports of the spanning tree of a multicast LID in the multicast
 * tables, which OpenSM has cleared, of all switches.  Same tree as OpenSM's.
 * A group with less than two members has none.  Errors are those of members
 * that cannot be reached; all others are in the tree.
 * O(switches x switches with members).
 */
int weft__multicast_tree(const struct weft__multicast *multicast,
			 osm_subn_t *subnet, const osm_mgrp_box_t *box,
			 struct weft_diag *diag);
void weft__multicast_free(struct weft__multicast *multicast);

/*
 * Registers an engine by name, or all that are no offline references when
 * name is NULL.  The return value of osm_event_plugin.create: osm, or NULL when
 * nothing could be registered.
 */
void *weft__shim_create(osm_opensm_t *osm, const char *name);
void weft__shim_delete(void *plugin);
/* osm_event_plugin.report of engines: listens for the end of a discovery. */
void weft__shim_report(void *plugin, osm_epi_event_id_t event, void *data);

/* The setup() of all engines; re->context is the struct weft_engine. */
int weft__shim_setup(struct osm_routing_engine *re, osm_opensm_t *osm);

/* Waits until an engine's threads that write files, if any, are done; context is
 * that of its osm_routing_engine. */
void weft__shim_idle(void *context);

#endif
