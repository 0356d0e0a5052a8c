/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Service levels and virtual lanes in OpenSM.
 *
 *   osm_lanes.c    how many lanes there are, how many of them a QoS level gets
 *   osm_layers.c   deadlock=layers: lanes for tables that have a credit loop
 *   osm_qos.c      what the administrator set up, and whether it can stay
 *   osm_levels.c   which lane a layer of a level has
 *   osm_causes.c   what has taken lanes, in the log
 *   osm_paths.c    what is in force: read by the SA while sweeps replace it
 *   osm_sl2vl.c    SL2VL and VL arbitration tables
 *   osm_dumps.c    weft-sl.dump, and which LID to send to
 *
 * One lane means hands off: where no credit loop has to be avoided, service
 * levels and SL2VL tables remain OpenSM's business, as without the plugin.
 *
 * With several lanes a service level is, where the administrator's SLs allow
 * it,
 *
 *	SL = level * stride + layer		stride = 16 / levels
 *	VL = level * lanes of a level + layer
 *
 * so that the SLs an administrator writes, the multiples of the stride, do not
 * depend on how many lanes there are, and the level of every SL is SL / stride.
 * Elsewhere all SLs that are in use keep the lanes they have, and are the first
 * of a level each; layers get SLs and lanes that are left (osm_qos.c).
 */
#ifndef WEFT_PLUGINS_OSM_LAYERS_H
#define WEFT_PLUGINS_OSM_LAYERS_H

#include "plugins/osm_shim.h"
#include "plugins/files/osm_writing.h"

#include <weft/layering.h>

/* Service levels and lanes of the administrator, and what they leave. */
struct weft__own_sls {
	uint8_t level[WEFT_NSL];	/* of a path that OpenSM would give
					 * that SL */
	uint8_t layer[WEFT_NSL];	/* 0: the administrator's own SL */
	uint8_t sl[WEFT_NSL][WEFT_NSL];	/* [level][layer] */
	uint8_t vl[WEFT_NSL];		/* [level] lane of the first layer */
	uint16_t taken;			/* lanes that the administrator uses */
	uint8_t given;			/* SL2VL tables that options change, a
					 * bit for each kind of port */
};
#define WEFT__NO_LAYER 255	/* no path has that SL */

struct weft__lanes {
	unsigned lanes;		/* data lanes that routes may go by, 1 .. 15 */
	unsigned levels;	/* of QoS, 1 or more; 0: not known yet */
	unsigned each;		/* lanes that a level may use */
	bool own;		/* levels are those of own_sls */
	struct weft__own_sls own_sls;
	/* What took lanes away, and how to get them back; "": nothing did. */
	char why[256], remedy[256];
	/* The port of the cable with the fewest lanes, if some have fewer than
	 * lanes; nfewer: such cables.  0: none. */
	uint32_t narrow_sw, nfewer;
	unsigned narrow_port, narrow_lanes;
};

/* SLs from one level to the next. */
static inline unsigned weft__stride(const struct weft__lanes *l)
{
	return WEFT_NSL / l->levels;
}

/*
 * Data lanes of the link at a port: what both ends are capable of, and no more
 * than max_op_vls.  1, 2, 4, 8 or 15.
 */
unsigned weft__port_lanes(const osm_subn_t *subnet, const osm_physp_t *port);

/*
 * Finds the lanes that there are for layers; one where qos is FALSE.  Tells the
 * fabric which cables have fewer.  Reads the QoS policy file if OpenSM has not
 * yet. -ENOMEM.  O(cables).
 */
int weft__lanes_find(osm_subn_t *subnet, const struct weft__snapshot *snapshot,
		     const struct weft__conf *conf, struct weft__lanes *out,
		     struct weft_diag *diag);

/* The lane that OpenSM makes of one in a table, on a cable with that many. */
static inline unsigned weft__lane_cut(unsigned vl, unsigned there)
{
	return vl == WEFT_VL_DROP || there >= WEFT_MAX_LANES ? vl :
							       vl & (there - 1);
}

/*
 * Shares out l->lanes among the levels that the administrator's SLs make: sets
 * all of *l but the narrow cables.  levels: those that weft.conf asks for.
 */
void weft__qos_plan(osm_subn_t *subnet, unsigned levels,
		    struct weft__lanes *l);
/* What OpenSM writes into SL2VL tables of ports between switches, by its
 * options. */
void weft__qos_table(const osm_subn_opt_t *opt, uint8_t vl[WEFT_NSL]);
/* Whether layers share the lanes that an option gives to SLs at a port: one
 * that leads to no other switch. */
bool weft__qos_keeps(const struct weft__own_sls *own, const osm_physp_t *port);
/* Whether an option gives lanes to SLs between switches. */
bool weft__qos_given(const struct weft__own_sls *own);

/* Lanes that a level can have on a cable with that many, 1 .. l->each. */
unsigned weft__lanes_room(const struct weft__lanes *l, unsigned there);
/* The lane of a layer of a level, on a cable with that many. */
unsigned weft__lane_of(const struct weft__lanes *l, unsigned level,
		       unsigned layer, unsigned there);

/*
 * Tells an engine that assigns service levels itself how many lanes there are
 * for it: no more than weft.conf says; one where qos is FALSE.  *out is what
 * there is, where the engine was told of it.
 */
int weft__lanes_grant(osm_subn_t *subnet,
		      const struct weft__snapshot *snapshot,
		      const struct weft__conf *conf, struct weft__lanes *out,
		      struct weft_diag *diag);

/* The decision about lanes in one sweep. */
struct weft__layered {
	struct weft__lanes lanes;	/* levels = 0: nobody asked */
	unsigned stand;			/* lanes of tables that stand; 0: they
					 * are new */
	bool ran;			/* layering is of this sweep */
	struct weft_layering layering;
};

/* Inputs of weft__settle(): the sweep, its routes, and whom to tell. */
struct weft__settling {
	osm_subn_t *subnet;
	const struct weft__snapshot *snapshot;
	const struct weft__conf *conf;
	struct weft_routes *routes;
	struct weft__log *log;
	struct weft_diag *diag;
	/* Of tables that stood, from which these came; or NULL. */
	const struct weft__proven *proven;
};

/*
 * Proves tables, and gives them service levels if they need them, or does with
 * them what [weft] deadlock= says.  Replaces s->routes->layers, and tables of
 * some LIDs if the lanes run out.  out->lanes is what weft__lanes_grant() left
 * there, the rest zeroed.  -errno after an error.
 */
int weft__settle(const struct weft__settling *s, struct weft__verdict *verdict,
		 struct weft__layered *out);

/*
 * Proves tables as they are, with their service levels; out->lanes are known.
 * -EDEADLK: they need more lanes than there are, or have a credit loop, which
 * nobody asked to be ignored.  One that only the traffic of switches themselves
 * takes part in is a warning, unless [weft] deadlock=refuse.  -errno after an
 * error.
 */
int weft__settle_as_they_are(const struct weft__settling *s,
			     struct weft__verdict *verdict,
			     struct weft__layered *out);

/*
 * Gives lanes to tables that need some and have none, and proves the outcome;
 * out->lanes are known.  Entries stay where lanes suffice, those for hosts in
 * any case; -EDEADLK: there are not enough lanes for that, or nobody asked for
 * any.
 */
int weft__settle_keeping(const struct weft__settling *s,
			 struct weft__verdict *verdict,
			 struct weft__layered *out);

/*
 * Warns about what has taken lanes from routes that have use for them.  Tables
 * have to reach everybody, and have been proven.  longer: the share of routes
 * that are longer than they had to be; it is found if there is a cause, O(LIDs x
 * switches), but for tables that stand, for which it is what it was.
 */
void weft__causes_tell(const struct weft__layered *layered,
		       const struct weft_fabric *fabric,
		       const struct weft_routes *routes, bool stand,
		       double *longer, struct weft_diag *diag);

/* One INFO line for layers, one more where LIDs were rerouted. */
void weft__layers_report(const struct weft__layered *layered,
			 const struct weft_fabric *fabric, osm_log_t *log,
			 const char *engine);

/* Tables in force, and their fabric, that several threads read; the last one to
 * let go frees them. */
struct weft__held {
	struct weft_fabric *fabric;
	struct weft_routes routes;
	atomic_uint users;
};

/* Makes room, for one user; NULL without memory. */
struct weft__held *weft__held_new(void);
/* Takes a fabric and its routes over. */
void weft__held_fill(struct weft__held *held, struct weft_fabric **fabric,
		     struct weft_routes *routes);
struct weft__held *weft__hold(struct weft__held *held);	/* for one more */
void weft__let_go(struct weft__held *held);		/* NULL is fine */

/* The routing in force.  Never changes once it is published. */
struct weft__sm_paths {
	struct weft__held *held;	/* owned, as is layers */
	const struct weft_fabric *fabric;	/* held's */
	struct weft_layers layers;	/* SLs of the first level */
	struct weft__lanes lanes;
	unsigned used;		/* layers in use; 1 = none */
};

/*
 * Shares what is held; paths->layers are a copy of its layers.  With levels of
 * the administrator's own, their table is filled with SLs in the place of
 * layers.
 */
void weft__sm_paths_fill(struct weft__sm_paths *paths,
			 const struct weft__lanes *lanes,
			 struct weft__held *held);

void weft__sm_paths_free(struct weft__sm_paths *paths);	/* NULL is fine */

/* Place where the routing in force is published; all zero = nothing yet.  See
 * osm_paths.c. */
struct weft__current {
	_Atomic(struct weft__sm_paths *) paths;
	atomic_uint epoch;
	atomic_uint readers[2];
};

/*
 * Makes paths (NULL: nothing) the ones in force and frees those that were, once
 * the last reader has let go of them.  Only one thread at a time may call it.
 */
void weft__publish(struct weft__current *current, struct weft__sm_paths *paths);

/*
 * The SL of a path; LIDs in network order.  hint, whose level is kept, is the
 * answer where no layers are in use, or if one of the LIDs is unknown.
 * O(1), from any number of threads at any time.
 */
uint8_t weft__path_sl(struct weft__current *current, uint8_t hint,
		      ib_net16_t slid, ib_net16_t dlid);

/*
 * Gives layers, which are in use by levels of *lanes, the SL2VL tables of ports
 * between switches as they will be for the first level, layers in the place of
 * SLs; none where all cables are alike. -ENOMEM.
 */
int weft__lanes_real(const struct weft__lanes *lanes, osm_subn_t *subnet,
		     const struct weft__snapshot *snapshot,
		     struct weft_layers *layers);

/* Fills in the SL2VL table of packets that leave through port. */
void weft__sl2vl(const struct weft__sm_paths *paths, const osm_subn_t *subnet,
		 const osm_physp_t *port, ib_slvl_table_t *table);

/*
 * Rewrites a block of length entries of a VL arbitration table: a weight that
 * the administrator gave to VL l is one for each lane of level l.
 */
void weft__vlarb(const struct weft__sm_paths *paths, const osm_subn_t *subnet,
		 const osm_physp_t *port, ib_vl_arb_table_t *block,
		 unsigned length);

/*
 * Has the SLs of paths written into a file in directory (NULL: nowhere), in the
 * form asked for, and the LIDs to send to if the routes tell those; what says
 * the same already is left alone, and dumps that are not written go.
 */
void weft__dumps_write(struct weft__writing *writing, const char *directory,
		       enum weft__sl_dump form,
		       const struct weft__sm_paths *paths,
		       struct weft__held *held, const struct weft__log *log);
/* Has the files removed, which are no longer true. */
void weft__dumps_remove(struct weft__writing *writing, const char *directory);

#endif
