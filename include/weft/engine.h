/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The contract between an engine and everybody else.
 *
 * An engine is a pure function from a const fabric to tables: no files, no
 * globals, no OpenSM, no logging inside loops.  Same fabric and options, same
 * tables, byte for byte, on any machine and any number of threads.  Several
 * threads may route at the same time, the same fabric, too.
 */
#ifndef WEFT_ENGINE_H
#define WEFT_ENGINE_H

#include <weft/diag.h>
#include <weft/fabric.h>
#include <weft/options.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* weft_engine.needs */
#define WEFT_NEEDS_LMC   0x1	/* profits from or needs LMC > 0 */
#define WEFT_NEEDS_VLS   0x2	/* assigns service levels; its option lanes,
				 * an int, says within how many lanes */
#define WEFT_NEEDS_TREE  0x4	/* refuses what is no tree */
#define WEFT_OFFLINE     0x8	/* template, never a plugin */
#define WEFT_REFERENCE   0x10	/* to compare with: others are worth more.  The
				 * plugin weft-all has it, no other one */

/*
 * Promises about credit loops: the packets that never wait for each other in a
 * circle.  Each level includes those before it.
 */
enum weft_loopfree {
	WEFT_LOOPFREE_NONE,	/* no promise: see weft_layering_run() */
	WEFT_LOOPFREE_HOSTS,	/* those from hosts to hosts */
	WEFT_LOOPFREE_ENDPORTS,	/* those between any endports, aggregation
				 * nodes and routers included */
	WEFT_LOOPFREE_ALL,	/* and those from and to switches */
};

struct weft_engine {
	const char *name;	/* lower case, no blank or comma */
	const char *summary;	/* one line, for listings */
	unsigned needs;		/* WEFT_NEEDS_..., WEFT_OFFLINE,
				 * WEFT_REFERENCE */
	/*
	 * Promises.  They hold for every fabric that the engine routes, with
	 * any options, but for one that says it gives a promise up; tests
	 * hold every engine to its own.
	 *
	 * minimal: no route takes more hops than a shortest one.
	 * loopfree: the tables have no credit loop in any lane, where packets
	 * carry the service levels that come with the tables.
	 */
	bool minimal;
	enum weft_loopfree loopfree;
	const struct weft_option *options;	/* NULL = none */
	/* An option, "name=value", whose default differs in a subnet manager;
	 * NULL = none does. */
	const char *sm_preset;
	/* A list that, where nobody sets it, is the endport that the subnet
	 * manager runs on; NULL = none is. */
	const char *sm_endport;
	/* Name as routing_engine, where OpenSM has an engine called name; NULL:
	 * name. */
	const char *osm_name;
	/*
	 * Routes every LID of the fabric from every switch; called by
	 * weft_route(), which sees to it that cables join all of them.  Returns
	 * 0 and sets *out, which is zeroed, or -errno after saying why through
	 * diag, *out untouched: -ENOTSUP for a fabric that the engine is not
	 * for, -ENETUNREACH for one in parts.  Never leaves a hole: every
	 * switch has an entry for every LID of the fabric.
	 */
	int (*route)(const struct weft_fabric *fabric,
		     const struct weft_options *options,
		     struct weft_routes *out, struct weft_diag *diag);
};

/*
 * Has a fabric routed by an engine.  A fabric in parts that no cable joins is
 * routed part by part, each as if it were alone, after a warning that tells of
 * them; switches have no entries for LIDs in other parts then.  Errors are the
 * engine's: 0 and *out, which is zeroed, set, or -errno and untouched.
 */
int weft_route(const struct weft_engine *engine,
	       const struct weft_fabric *fabric,
	       const struct weft_options *options, struct weft_routes *out,
	       struct weft_diag *diag);

/* All engines, NULL-terminated, in the order of engines.def. */
const struct weft_engine *const *weft_engines(void);
/* By exact name, NULL if there is none. */
const struct weft_engine *weft_engine_find(const char *name);
/* The plugin that has an engine, for event_plugin_name.  Returns buf. */
const char *weft_engine_plugin(const struct weft_engine *engine, char *buf,
			       size_t size);

#ifdef __cplusplus
}
#endif
#endif
