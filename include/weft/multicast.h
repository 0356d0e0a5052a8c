/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Multicast: the ports that switches copy packets of a group to, and whether
 * these are a tree.
 *
 * A packet of a group leaves a switch by all ports of its entry but the one it
 * came in by.  So each member hears each other one once if the entries join the
 * members' switches by cables, each listed at both ends, and close no circle; in
 * a circle packets go round until they are dropped, at full speed.
 */
#ifndef WEFT_MULTICAST_H
#define WEFT_MULTICAST_H

#include <stdbool.h>

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_FIRST_MLID 0xc000u
#define WEFT_LAST_MLID 0xfffeu

/* The ports of a group on a switch: bit p % 64 of ports[p / 64]. */
struct weft_multicast_entry {
	uint32_t sw;
	uint16_t mlid;
	uint64_t ports[4];
};

/* The caller zeroes it first, and releases it by weft_multicast_free(). */
struct weft_multicast {
	struct weft_multicast_entry *entry; /* [n] by MLID, then by switch, each
					     * pair once, none without ports */
	uint32_t n;
};
void weft_multicast_free(struct weft_multicast *multicast);

static inline bool weft_multicast_has(const struct weft_multicast_entry *entry,
				      unsigned port)
{
	return entry->ports[port / 64] >> port % 64 & 1;
}

/* Brings entries in any order, of which several may be of one switch and group,
 * into the order above.  O(n log n). */
void weft_multicast_sort(struct weft_multicast *multicast);

/* What a group's entries are. */
struct weft_multicast_group {
	uint16_t mlid;
	uint32_t switches;	/* that have an entry */
	uint32_t members;	/* endports and ports 0 that it leads to */
	uint32_t trees;		/* pieces with members: one, or none */
	uint64_t lost;		/* pairs of members in different pieces */
	uint32_t circles;	/* cables more than a tree has */
	uint32_t one_way;	/* ports to switches that do not send back */
	uint32_t nowhere;	/* ports that no cable is at */
	uint32_t channel;	/* of what is wrong, the first one: a circle's
				 * last cable, else a one-way port; WEFT_NONE */
};

/* Whether each member hears each other one once. */
static inline bool
weft_multicast_holds(const struct weft_multicast_group *group)
{
	return !group->lost && !group->circles && !group->one_way;
}

struct weft_multicast_verdict {
	uint32_t n, broken;	/* groups, and those that do not hold */
	struct weft_multicast_group *group;	/* [n] by MLID */
	uint32_t *load;		/* [nch] groups that use a channel between
				 * switches */
	uint32_t max_load;
	uint32_t max_channel;	/* the first one that has it, WEFT_NONE */
	uint32_t used;		/* channels between switches with any group */
};

/* Judges all groups.  0 or -ENOMEM.  O(entries x ports). */
int weft_multicast_judge(const struct weft_fabric *fabric,
			 const struct weft_multicast *multicast,
			 struct weft_multicast_verdict *out);
/* Zeroed ones are fine. */
void weft_multicast_verdict_free(struct weft_multicast_verdict *verdict);

#ifdef __cplusplus
}
#endif

#endif
