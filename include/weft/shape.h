/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a fabric is: a fat tree and its levels, a torus, a HyperX, a dragonfly
 * or none of these; in a sentence, in figures, and what about it is irregular.
 * It is found in the cables alone, whatever things are called.
 */
#ifndef WEFT_SHAPE_H
#define WEFT_SHAPE_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

#define WEFT_SHAPE_LEVELS 12 /* levels of a tree that are told apart */
#define WEFT_SHAPE_DIMENSIONS 15

enum weft_shape_kind {
	WEFT_SHAPE_SINGLE,    /* one switch */
	WEFT_SHAPE_TREE,      /* levels: hosts below, ways up and down */
	WEFT_SHAPE_GRID,      /* product of rings and paths: torus, mesh,
			       * hypercube, ring, chain */
	WEFT_SHAPE_HYPERX,    /* product of full meshes; one: a full mesh */
	WEFT_SHAPE_GROUPS,    /* groups that are joined each to each, as a
			       * dragonfly's */
	WEFT_SHAPE_IRREGULAR, /* none of these */
};

/* A level of a tree; those above WEFT_SHAPE_LEVELS are left out. */
struct weft_shape_level {
	uint32_t switches, hosts;
	uint32_t radix_least, radix_most; /* ports of its switches */
	uint32_t up, across; /* cables to levels above, within the level */
	/* Cables to the next level that are missing where all that is joined in
	 * part would be joined as most of it is; 0 where no such plan shows. */
	uint32_t missing;
	/* Capacity from below (hosts, lower levels) for one of that upwards; 0
	 * at the top. */
	double oversubscription;
};

/* Switches that cables join, the largest number of hosts first. */
struct weft_shape_part {
	enum weft_shape_kind kind;
	char what[400]; /* "fat tree, 3 levels, ..." */
	uint32_t switches, hosts;
	unsigned nlevels;				  /* of a tree */
	struct weft_shape_level level[WEFT_SHAPE_LEVELS]; /* 0 = leaves */
	unsigned ndimensions; /* of a grid or HyperX */
	uint32_t length[WEFT_SHAPE_DIMENSIONS];
	bool ring[WEFT_SHAPE_DIMENSIONS]; /* of a grid; else a path */
	uint32_t ngroups; /* pods of a tree, groups of a dragonfly; 0 */
};

/* Cables of one kind. */
#define WEFT_SHAPE_SPEED_SIZE 32 /* bytes of weft_shape_speed_text() */
struct weft_shape_speed {
	uint8_t width, speed; /* as of struct weft_fabric */
	uint32_t switches;    /* between switches */
	uint32_t hosts;	      /* to endports */
};

/* Notes of a kind: the first few, all others, and a sentence that says how many
 * others there are. */
enum weft_shape_told { WEFT_SHAPE_FIRST, WEFT_SHAPE_MORE, WEFT_SHAPE_SUM };

/* Something that is unlike the rest; names are as in the fabric, any bytes. */
struct weft_shape_note {
	uint32_t sw; /* that it is about, WEFT_NONE = several */
	enum weft_shape_told told;
	char *text;  /* "leaf-3: 5 cables up, most have 6" */
	uint32_t off; /* how far from the rest, in thousandths; notes of a kind
		       * are in descending order */
};

/* Two switches of neighbouring levels that lack cables to each other, of those
 * that weft_shape_level.missing counts. */
struct weft_shape_gap {
	uint32_t sw[2];	/* the lower one first */
	uint32_t cables;
};

struct weft_shape {
	char what[512]; /* the fabric in one sentence */
	struct weft_shape_part *part;
	uint32_t nparts;
	uint32_t nplanes;	/* of weft/planes.h; 0: none */
	struct weft_shape_speed *speed; /* most cables first */
	uint32_t nspeeds;
	struct weft_shape_note *note; /* at most a few thousand of each kind */
	uint32_t nnotes;
	struct weft_shape_gap *gap; /* the first few thousand */
	uint32_t ngaps;
	uint64_t irregular; /* things noted and not, as many are alike */

	/* by switch */
	uint32_t *part_of;
	uint16_t *level; /* of a tree, 0 = leaves; else 0 */
	uint32_t *group; /* pod or group; WEFT_NONE = in none */
	uint32_t *at;	 /* [nsw][WEFT_SHAPE_DIMENSIONS] coordinates */
};

/*
 * Finds it.  0; -ENOMEM after an error.  *out is set on success only, holds no
 * pointer into the fabric and is to be freed.  O(switches with hosts x cables)
 * for what may be a tree, else O(cables x ports of a switch).
 */
int weft_shape_find(const struct weft_fabric *fabric, struct weft_shape *out,
		    struct weft_diag *diag);
void weft_shape_free(struct weft_shape *shape); /* zeroed is fine */

/*
 * Names of pods and groups: what the names of their switches begin with alike,
 * where that tells all of them apart, else "pod 1" or "group 1".  *out, [*n] by
 * number, is to be freed.  0 or -ENOMEM.  O(switches + groups ^ 2).
 */
#define WEFT_SHAPE_GROUP_NAME 48
int weft_shape_group_names(const struct weft_fabric *fabric,
			   const struct weft_shape *shape, uint32_t *n,
			   char (**out)[WEFT_SHAPE_GROUP_NAME]);
/* What a switch's name says of its rack or row: all before its last number; "" if
 * nothing. */
void weft_shape_rack_name(const char *switch_name,
			  char name[WEFT_SHAPE_GROUP_NAME]);

/* "torus", "tree" ...: a word for each kind. */
const char *weft_shape_name(enum weft_shape_kind kind);

/* "4x EDR", "unknown", "4x of unknown speed": a rate, in buf. */
const char *
weft_shape_speed_text(const struct weft_shape_speed *speed,
		      char buf[WEFT_SHAPE_SPEED_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
