/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Answers on their way: a file that takes each one as it comes, so that a
 * capture that was interrupted, or that missed some, goes on where it was.
 */
#ifndef WEFT_CAPTURE_JOURNAL_H
#define WEFT_CAPTURE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_diag;
struct weft__journal;

/* Opens the file, makes it if need be; fresh: empties it first.  What cannot be
 * read of it is dropped, with a warning.  0 or -errno after an error. */
int weft__journal_open(const char *path, bool fresh, struct weft__journal **out,
		       struct weft_diag *diag);
/* NULL is fine.  Answers that were added are in the file afterwards. */
void weft__journal_close(struct weft__journal *journal);

/* What was there when it was opened: answers, and how old the last is. */
size_t weft__journal_count(const struct weft__journal *journal);
double weft__journal_age(const struct weft__journal *journal); /* seconds */

struct weft__journal_key {
	uint64_t guid; /* of the node */
	uint32_t modifier;
	uint16_t kind;
	uint16_t size; /* of the data */
};

/* The data of an answer that was there; NULL = it is missing.  O(log n). */
const uint8_t *weft__journal_find(const struct weft__journal *journal,
				  const struct weft__journal_key *key);
/* Adds an answer; 0 or -errno after an error. */
int weft__journal_add(struct weft__journal *journal,
		      const struct weft__journal_key *key, const uint8_t *data,
		      struct weft_diag *diag);

#endif
