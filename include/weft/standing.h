/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Standing tables: what changes in a fabric changes as little as it must in its
 * tables.
 *
 * An engine answers which tables are best for a fabric.  A subnet manager asks
 * something else: a cable has failed, so what must change now?  Every entry
 * that changes is a block to send, and packets that are lost or overtake each
 * other.  Here the tables in force are the point to start from: an entry that
 * still works stays.
 */
#ifndef WEFT_STANDING_H
#define WEFT_STANDING_H

#include <weft/diag.h>
#include <weft/diff.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What can be known of tables in force before anything fails: the loads that
 * they put on cables, and who waits for whom.  To find out takes a look at all
 * entries, which a subnet manager does while nothing happens, so that a failure
 * takes the time of what it breaks.
 */
struct weft_standing_base;

/* When new entries whose old ones still serve are left for a later call, while a
 * packet might go in a circle, or nowhere, until all are written. */
enum weft_standing_order {
	WEFT_STANDING_UNORDERED,	/* never */
	WEFT_STANDING_HOME_IN_ORDER,	/* those that return home */
	WEFT_STANDING_IN_ORDER,		/* any */
};

struct weft_standing_spec {
	/* The tables in force, and the fabric that they were made for. */
	struct weft_diff_side standing;
	/* The tables that were last routed from scratch, and their fabric, to
	 * which entries return when parts do.  fabric NULL: not known; the
	 * standing ones are taken for them. */
	struct weft_diff_side home;
	/* Entries that may change beyond those that must, for what the tables
	 * gain by it; WEFT_STANDING_CHANGES: as many as is usual. */
	uint64_t changes;
	/* Lanes that pairs of switches may change to where their route would
	 * close a credit loop; as many as the tables have already: 0 or 1. */
	unsigned lanes;
	/* Of the standing tables, made for as many lanes; NULL: not known, and
	 * found out first.  The outcome is the same. */
	const struct weft_standing_base *base;
	enum weft_standing_order order;
	/* The fabric that the tables were for when entries began to wait, if any
	 * did in the last call; NULL: none did. */
	const struct weft_fabric *were;
};
#define WEFT_STANDING_CHANGES UINT64_MAX

/* What became of the entries; each counts once, as the first that holds. */
struct weft_standing {
	uint64_t kept;		/* as they were */
	uint64_t dead;		/* of those that changed: their own cable or
				 * neighbour is gone */
	uint64_t given_way;	/* their way went on by one that is dead */
	uint64_t returned;	/* back home, since what they missed is back */
	uint64_t moved;		/* for what the tables gain by it */
	uint64_t fresh;		/* of switches or LIDs that had none */
	uint64_t pairs;		/* of switches, that changed lanes */
	uint64_t waiting;	/* that are left for a later call (order) */
	uint32_t lids;		/* with an entry that changed, fresh or not, but
				 * for what has moved */
	/* Pairs (switch, LID) for which no way was found that closes no credit
	 * loop: the fabric has to be routed anew. */
	uint64_t unmended;
};

/*
 * Makes the base of standing tables.  These, and what standing points to, must
 * stay as they are as long as the base is in use; free it afterwards.  0 or
 * -ENOMEM.  O(switches x LIDs).
 */
int weft_standing_prepare(const struct weft_diff_side *standing, unsigned lanes,
			  struct weft_standing_base **out,
			  struct weft_diag *diag);
void weft_standing_base_free(struct weft_standing_base *base);	/* NULL is
								 * fine */

/*
 * Finds tables for a fabric from those that stand.  0; -EINVAL: the tables do
 * not fit their fabrics; -ENOMEM.  *routes and *out are set on success only.
 */
int weft_standing_run(const struct weft_fabric *fabric,
		      const struct weft_standing_spec *spec,
		      struct weft_routes *routes, struct weft_standing *out,
		      struct weft_diag *diag);

struct weft_likeness {
	uint64_t before, after;	/* entries that differ from those in force */
};

/*
 * Has tables that were routed from scratch differ less from those in force.  Which
 * one of several equal switches carries which destination is a matter of names:
 * switches without endports that have the same cables to the same switches
 * exchange their roles so that most entries stay (tables of several lanes keep
 * them), which changes nothing that traffic notices.  trees: so do endports of
 * one switch exchange the trees that lead to them, if the basket does not lose
 * half a percent by it; to know that takes longer than the rest.  0 or
 * -ENOMEM: the tables serve as they are then.  *out: NULL is fine.
 * O(switches x LIDs x endports of a switch).
 */
int weft_standing_liken(const struct weft_fabric *fabric,
			const struct weft_diff_side *standing, bool trees,
			struct weft_routes *routes, struct weft_likeness *out);

/* A step to other tables. */
struct weft_standing_move {
	uint64_t entries, blocks;	/* that change in it: blocks to send */
	uint64_t entries_left, blocks_left;	/* to change after it */
	/* Pairs of switches whose service levels change, in both directions at
	 * once unless these may differ; at most 64 for each block. */
	uint64_t pairs, pairs_left;
	bool lanes;		/* service levels that are not those of pairs of
				 * switches, or the LIDs that hosts choose,
				 * differ, which no step changes: none was made */
};

/*
 * Makes a step from tables in force to others of the same fabric, of at most so
 * many blocks, those that gain most first.  While a subnet manager writes them,
 * in any order, no packet is lost or goes in a circle, and no credit loop is
 * closed, whether hosts have heard of new service levels or not.  Some entries
 * and pairs wait for a later step on that account; tables that take no step any
 * more, and are not there yet, cannot be reached so.  Where nothing else helps,
 * a step moves pairs to lanes that are left, which may come to nothing: after
 * some in a row that change no entry, and leave no fewer pairs, give up.  Of
 * spec, standing, lanes and base count.  0 or -ENOMEM; *routes and *out are set on
 * success only.  O(switches x LIDs).
 */
int weft_standing_step(const struct weft_standing_spec *spec,
		       const struct weft_routes *target, uint64_t blocks,
		       struct weft_routes *routes,
		       struct weft_standing_move *out, struct weft_diag *diag);

/* A part that home has and the fabric has not, as it was. */
struct weft_away_part {
	uint32_t vertex;	/* of home; WEFT_NONE: a cable */
	uint32_t channel;	/* of home: of that cable, the lower one; of an
				 * endport the one into its switch */
	uint32_t endports;	/* that went with a switch */
	bool moved;		/* an endport is elsewhere now */
	uint64_t entries;	/* that are away on account of it */
};

struct weft_away {
	/* Entries of home, of switches and for LIDs that are in both. */
	uint64_t entries;
	uint64_t away;		/* of these: other ones than at home */
	uint64_t missing;	/* of those: a part of their way home is */
	uint32_t nparts;
	struct weft_away_part *part;	/* most entries first, then switches,
					 * cables and endports by id */
	/* What is there and was not at home; cables between switches. */
	uint32_t switches, cables, endports;
};

/*
 * Finds what of tables that stand is away from home, and why: an entry is on
 * account of the first part of its way home that is missing; those whose way is
 * whole have moved for balance, or could not return yet.  0 or -ENOMEM; *out is
 * set on success only.  O(switches x LIDs).
 */
int weft_away_find(const struct weft_diff_side *standing,
		   const struct weft_diff_side *home, struct weft_away *out);
void weft_away_free(struct weft_away *away);	/* zeroed is fine */

#ifdef __cplusplus
}
#endif
#endif
