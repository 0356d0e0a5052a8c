/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parts of weft_shape_find(): each asks whether a connected fabric is of one
 * kind. */
#ifndef WEFT_SHAPES_SHAPE_H
#define WEFT_SHAPES_SHAPE_H

#include <weft/shape.h>

struct weft_arena;

/* What notes are about. */
enum weft__note_kind {
	WEFT__NOTE_HOSTS_ABOVE,
	WEFT__NOTE_CABLES,
	WEFT__NOTE_PAST,
	WEFT__NOTE_ASIDE,
	WEFT__NOTE_HOSTS,
	WEFT__NOTE_GAP,
	WEFT__NOTE_RATE,
	WEFT__NOTE_LOOPED,
	WEFT__NOTE_PORTS,
	WEFT__NOTE_KINDS
};

struct weft__notes {
	struct weft_shape_note *note; /* malloc()ed */
	uint32_t n;
	uint32_t of_kind[WEFT__NOTE_KINDS]; /* of this part, kept or not */
	uint64_t all;
	bool failed; /* no memory */
	struct weft_shape_gap *gap; /* malloc()ed, of all parts */
	uint32_t ngaps;
};

#define WEFT__SHAPE_GAPS 4096u /* that are listed */

/* A part of a fabric, as one of its own; arrays are as in struct weft_shape. */
struct weft__shape_job {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft_shape_part *part;
	uint16_t *level;
	uint32_t *group, *at;
	struct weft__notes *notes;
	bool *repeats; /* [nsw] whose name others have, too */
	bool *node_repeats; /* [nnodes] */
	const uint32_t *sw; /* [nsw] ids in the whole fabric */
};

/* Each returns 0 or -ENOMEM, and sets *found. */
int weft__shape_tree(struct weft__shape_job *j, bool *found);
/* A tree in which some hosts have no shortest way up and down. */
int weft__shape_levels(struct weft__shape_job *j, bool *found);
int weft__shape_grid(struct weft__shape_job *j, bool *found);
int weft__shape_hyperx(struct weft__shape_job *j, bool *found);
int weft__shape_groups(struct weft__shape_job *j, bool *found);
/* What is left. */
int weft__shape_irregular(struct weft__shape_job *j);

/* Notes about any fabric: rates, hosts, cables that loop back. */
int weft__shape_note_all(struct weft__shape_job *j);

/* Keeps a note about a switch of the part, or WEFT_NONE, if there are few of
 * its kind so far; off is how telling it is among its kind. */
void weft__shape_note(struct weft__shape_job *j, enum weft__note_kind kind,
		      uint32_t sw, uint32_t off, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* How far a number is from the usual one, in thousandths of it; one more where
 * it is less, which is the defect more often. */
uint32_t weft__shape_off(uint64_t here, uint64_t usual);
/* Sorts the notes of a kind that were made last, the most telling ones first,
 * and says how many are not among the first few. */
void weft__shape_notes_end(struct weft__shape_job *j, enum weft__note_kind kind,
			   const char *noun);

/* Appends to part->what, cut to size. */
void weft__shape_say(struct weft_shape_part *part, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define WEFT__SHAPE_NAME 160
/* Name of a switch, with GUID and LID where others are called the same, its GUID
 * where it has none; lasts as long as its block. */
#define WEFT__SHAPE_NAMED(j, s)                                                \
	weft__shape_named((j), (s), (char[WEFT__SHAPE_NAME]){ 0 })
const char *weft__shape_named(const struct weft__shape_job *j, uint32_t s,
			      char buf[WEFT__SHAPE_NAME]);
/* The same of an endport. */
#define WEFT__SHAPE_NAMED_PORT(j, e)                                           \
	weft__shape_named_port((j), (e), (char[WEFT__SHAPE_NAME]){ 0 })
const char *weft__shape_named_port(const struct weft__shape_job *j, uint32_t e,
				   char buf[WEFT__SHAPE_NAME]);
/* Finds the names that repeat: j->repeats and node_repeats, of j->arena.  False
 * without memory. */
bool weft__shape_find_repeats(struct weft__shape_job *j);

/*
 * The neighbours of a switch, parallel cables at a time: sets *n to how many
 * lead to the peer returned, and moves *i past them.  WEFT_NONE at the end.
 */
uint32_t weft__shape_next(const struct weft_fabric *f, uint32_t s, uint32_t *i,
			  uint32_t *n);

/* The number that most of n values are, ties for the largest; 0 of none. */
uint32_t weft__shape_usual(const uint32_t *value, uint32_t n,
			   struct weft_arena *arena);

#endif
