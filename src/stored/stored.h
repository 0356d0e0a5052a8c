/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The parts of a file of tables that stand; see weft/stored.h.
 *
 *   stored_bytes.c    numbers, texts and runs of bytes, and the checksum
 *   stored_fabric.c   a fabric: what a builder needs to make it again
 *   stored_routes.c   tables, written as what they change in others
 *   stored_state.c    cables that flap, and what is found out later
 *   stored.c          the file
 *
 * Numbers are little-endian.  Whoever reads believes nothing: what is taken
 * beyond the end, or does not fit, is an error, said once, after which zeros
 * come.  No count allocates more than a fixed multiple of the bytes that are
 * there.
 */
#ifndef WEFT_STORED_STORED_H
#define WEFT_STORED_STORED_H

#include "io/source.h"

#include <weft/stored.h>

/* --- bytes ------------------------------------------------------------- */

#define WEFT__STORED_BLOCK 65536	/* of the checksum */

/* Bytes on their way into a file, or only counted. */
struct weft__put {
	FILE *out;		/* NULL: counted */
	uint64_t size;		/* so far */
	uint64_t sum;
	size_t n;		/* in block */
	uint8_t block[WEFT__STORED_BLOCK];
};

/* A number as it stands in a file. */
void weft__stored_little(uint8_t *at, uint64_t value, unsigned bytes);
void weft__put_number(struct weft__put *p, uint64_t value, unsigned bytes);
void weft__put_bytes(struct weft__put *p, const void *bytes, size_t n);
void weft__put_text(struct weft__put *p, const char *text);	/* or NULL */
/* Bytes as what they change in as many others; like NULL: as they are. */
void weft__put_like(struct weft__put *p, const uint8_t *bytes,
		    const uint8_t *like, size_t n);
/* Has all that was put in the file, and the checksum behind it. */
void weft__put_end(struct weft__put *p);

/* A place in bytes that are read. */
struct weft__take {
	const uint8_t *at, *end;
	const char *name;	/* of the file */
	struct weft_diag *diag;
	int err;		/* 0, or what was wrong first */
};

/* Says what is wrong with the file, once. */
void weft__take_fail(struct weft__take *t, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
uint64_t weft__take_number(struct weft__take *t, unsigned bytes);
/* A number that is max at most; what: what it is, for an error. */
uint64_t weft__take_most(struct weft__take *t, unsigned bytes, uint64_t max,
			 const char *what);
/* The next n bytes, NULL if there are fewer. */
const uint8_t *weft__take_bytes(struct weft__take *t, uint64_t n);
/* A text without NUL bytes: its length, and where it begins. */
size_t weft__take_text(struct weft__take *t, const char **text);
void weft__take_like(struct weft__take *t, uint8_t *bytes, const uint8_t *like,
		     size_t n);
/* Bytes behind which n elements of that size are, at least: no more of them. */
uint32_t weft__take_count(struct weft__take *t, size_t size, const char *what);

/* The checksum of bytes. */
uint64_t weft__stored_sum(const void *bytes, size_t n);

/* --- parts ------------------------------------------------------------- */

void weft__put_fabric(struct weft__put *p, const struct weft_fabric *f);
/* *out is set on success only. */
int weft__take_fabric(struct weft__take *t, struct weft_fabric **out);

/* like: other tables that they are likely to be like; fabric NULL: none. */
void weft__put_routes(struct weft__put *p, const struct weft_stored_tables *s,
		      const struct weft_stored_tables *like);
/* Of s->fabric; s->routes is set on success only. */
int weft__take_routes(struct weft__take *t, struct weft_stored_tables *s,
		      const struct weft_stored_tables *like);
/* Whether tables fit their fabric; NULL, or what does not. */
const char *weft__stored_misfit(const struct weft_stored_tables *s);

void weft__put_flaps(struct weft__put *p, const struct weft_stored *s);
void weft__take_flaps(struct weft__take *t, struct weft_stored *s);
/* The debt, as a file of version 2 has it before the flaps. */
void weft__take_debt(struct weft__take *t, struct weft_stored_debt *d);

/*
 * The last bytes of a file: what is found out of tables after they were
 * written, the debt and what is owed.  They have a checksum of their own, which
 * that of the tables is the key of, and can be replaced in place: where that
 * was not finished they are not known, and all else is.
 */
#define WEFT__STORED_LATE 48
void weft__stored_late(const struct weft_stored *s, uint64_t sum,
		       uint8_t late[WEFT__STORED_LATE]);
/* Reads those at t->at. */
void weft__take_late(struct weft__take *t, uint64_t sum,
		     struct weft_stored *s);

/* --- file -------------------------------------------------------------- */

/* What tells a file from others. */
struct weft__stored_seal {
	uint64_t size;		/* of all of it */
	uint64_t sum;		/* its checksum, but for what is late */
};
/* Does what weft_stored_write() does; *seal is set on success only. */
int weft__stored_write(FILE *out, const struct weft_stored *stored,
		       struct weft__stored_seal *seal, struct weft_diag *diag);

int weft__stored_parse(const struct weft__source *source,
		       struct weft_stored *out, struct weft_diag *diag);

#endif
