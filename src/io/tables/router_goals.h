/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The text of weft-routers.map (weft-formats(5)): which router ports of a
 * subnet lead to which GIDs.  What it names is not looked for anywhere.
 */
#ifndef WEFT_IO_TABLES_ROUTER_GOALS_H
#define WEFT_IO_TABLES_ROUTER_GOALS_H

#include "io/source.h"

/* How much of a GID a line is about: more wins over less. */
enum weft__scope { WEFT__EVERYBODY, WEFT__PREFIX, WEFT__HOST, WEFT__SCOPES };

/* A line "GOAL PORT ...". */
struct weft__goal {
	enum weft__scope scope;
	uint64_t prefix, guid; /* 0 where the scope does without */
	uint32_t first, n;     /* its ports are port[first ..]; 1 or more */
	unsigned long line;
};

/* A line "level PREFIX/64 LEVEL sl SL". */
struct weft__goal_level {
	uint64_t prefix;
	uint8_t level, sl;
	unsigned long line;
};

struct weft__goals {
	struct weft__goal *goal; /* [n] by scope, prefix, GUID; each once */
	size_t n;
	uint64_t *port; /* [nports] port GUIDs */
	size_t nports;
	struct weft__goal_level *level; /* [nlevels] by prefix; each once */
	size_t nlevels;
};

/* Reads a file.  *out is set on success only; -EINVAL after an error with file
 * and line, -errno. */
int weft__goals_read(const char *path, weft__opener *open,
		     struct weft__goals *out, struct weft_diag *diag);
/* The same of text. */
int weft__goals_parse(const struct weft__source *source,
		      struct weft__goals *out, struct weft_diag *diag);
void weft__goals_free(struct weft__goals *goals); /* zeroed is fine */

/* Finds the line about a GID in a scope; NULL if there is none.  O(log n). */
const struct weft__goal *weft__goals_find(const struct weft__goals *goals,
					  enum weft__scope scope,
					  uint64_t prefix, uint64_t guid);
/* Finds the level of a prefix; NULL if none is told.  O(log levels). */
const struct weft__goal_level *
weft__goals_level(const struct weft__goals *goals, uint64_t prefix);

#endif
