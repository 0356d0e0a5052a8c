// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The file of tables that stand; see weft/stored.h.
 *
 *   head    8 bytes that no text begins with, version, what is in it, size
 *   told    engine, options, a hash of all that it was told
 *   state   cables that flap
 *   home    fabric and tables that were routed from scratch, unless those in
 *           force are
 *   now     fabric and tables in force, these as what they change in home's
 *   were    the fabric when entries began to wait, if some do
 *   tail    checksum of all before it
 *   late    the debt, what is owed, and a checksum of its own
 */
#include "stored/stored.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define MAGIC "\211weft\r\n\032"
#define MAGIC_SIZE 8
#define VERSION 3
#define OLDEST 2		/* has the debt before the cables, and no late
				 * part */
#define HEAD (MAGIC_SIZE + 4 + 4 + 8)
#define TAIL 8
#define HAS_HOME 1u		/* of what is in it */
#define HAS_WERE 2u
#define LIMIT (SIZE_MAX / 2)

/* --- writing ----------------------------------------------------------- */

static void put_tables(struct weft__put *p, const struct weft_stored_tables *s,
		       const struct weft_stored_tables *like)
{
	weft__put_number(p, (uint64_t)s->since, 8);
	weft__put_fabric(p, s->fabric);
	weft__put_routes(p, s, like);
}

static void put_all(struct weft__put *p, const struct weft_stored *s,
		    uint64_t size)
{
	static const struct weft_stored_tables none = { .fabric = NULL };

	weft__put_bytes(p, MAGIC, MAGIC_SIZE);
	weft__put_number(p, VERSION, 4);
	weft__put_number(p, (s->home.fabric ? HAS_HOME : 0) |
			    (s->were ? HAS_WERE : 0), 4);
	weft__put_number(p, size, 8);
	weft__put_text(p, s->engine);
	weft__put_text(p, s->options);
	weft__put_number(p, s->told, 8);
	weft__put_flaps(p, s);
	if (s->home.fabric)
		put_tables(p, &s->home, &none);
	put_tables(p, &s->now, &s->home);
	if (s->were)
		weft__put_fabric(p, s->were);
	weft__put_end(p);
	p->size += WEFT__STORED_LATE;
}

static void put_late(struct weft__put *p, const struct weft_stored *s)
{
	uint8_t late[WEFT__STORED_LATE];

	weft__stored_late(s, p->sum, late);
	fwrite(late, 1, sizeof(late), p->out);
}

int weft__stored_write(FILE *out, const struct weft_stored *stored,
		       struct weft__stored_seal *seal, struct weft_diag *diag)
{
	const char *misfit = weft__stored_misfit(&stored->now);
	struct weft__put *p;
	uint64_t size;

	if (!misfit && stored->home.fabric)
		misfit = weft__stored_misfit(&stored->home);
	if (misfit)
		return weft_fail(diag, EINVAL,
				 "tables do not fit their fabric: %s", misfit);
	p = calloc(1, sizeof(*p));
	if (!p)
		return weft_no_memory(diag);
	put_all(p, stored, 0);
	size = p->size;
	*p = (struct weft__put){ .out = out };
	put_all(p, stored, size);
	put_late(p, stored);
	*seal = (struct weft__stored_seal){ size, p->sum };
	free(p);
	return 0;
}

int weft_stored_write(FILE *out, const struct weft_stored *stored,
		      struct weft_diag *diag)
{
	struct weft__stored_seal seal;

	return weft__stored_write(out, stored, &seal, diag);
}

/* --- reading ----------------------------------------------------------- */

static size_t late_size(uint64_t version)
{
	return version == OLDEST ? 0 : WEFT__STORED_LATE;
}

/* What is there is what was written, all of it and no more, but for what is
 * late. */
static void check_whole(struct weft__take *t, const struct weft__source *source,
			uint64_t *version, uint64_t *sum)
{
	const uint8_t *begin = (const uint8_t *)source->data;
	struct weft__take head = *t, tail = *t;
	uint64_t size;
	size_t late;

	if (source->size < MAGIC_SIZE ||
	    memcmp(begin, MAGIC, MAGIC_SIZE)) {
		weft__take_fail(t, EINVAL, "is no file of tables that stand");
		return;
	}
	if (source->size < HEAD + TAIL) {
		weft__take_fail(t, EINVAL, "is cut off");
		return;
	}
	head.at += MAGIC_SIZE;
	*version = weft__take_number(&head, 4);
	weft__take_number(&head, 4);
	size = weft__take_number(&head, 8);
	late = late_size(*version);
	if (*version < OLDEST || *version > VERSION) {
		weft__take_fail(t, EINVAL, "is of version %" PRIu64
				", this weft reads %u and %u", *version, OLDEST,
				VERSION);
		return;
	}
	if (size != source->size || size < HEAD + TAIL + late) {
		weft__take_fail(t, EINVAL, "has %zu of its %" PRIu64 " bytes",
				source->size, size);
		return;
	}
	tail.at = tail.end - late - TAIL;
	*sum = weft__stored_sum(begin, size - late - TAIL);
	if (weft__take_number(&tail, 8) != *sum)
		weft__take_fail(t, EINVAL,
				"is damaged: its checksum is another one");
}

static char *take_string(struct weft__take *t)
{
	const char *text;
	size_t n = weft__take_text(t, &text);
	char *copy;

	if (t->err)
		return NULL;
	copy = strndup(text, n);
	if (!copy)
		weft__take_fail(t, ENOMEM, "out of memory");
	return copy;
}

static void take_tables(struct weft__take *t, struct weft_stored_tables *s,
			const struct weft_stored_tables *like)
{
	s->since = (int64_t)weft__take_number(t, 8);
	if (!weft__take_fabric(t, &s->fabric))
		weft__take_routes(t, s, like);
}

static void take_all(struct weft__take *t, uint64_t version, uint64_t sum,
		     struct weft_stored *s)
{
	static const struct weft_stored_tables none = { .fabric = NULL };
	struct weft__take late = *t;
	unsigned parts;

	t->at += MAGIC_SIZE + 4;
	t->end -= TAIL + late_size(version);
	parts = weft__take_most(t, 4, HAS_HOME | HAS_WERE, "what is in it");
	t->at += 8;
	s->engine = take_string(t);
	s->options = take_string(t);
	s->told = weft__take_number(t, 8);
	if (version == OLDEST)
		weft__take_debt(t, &s->debt);
	weft__take_flaps(t, s);
	if (parts & HAS_HOME && !t->err)
		take_tables(t, &s->home, &none);
	if (!t->err)
		take_tables(t, &s->now, &s->home);
	if (parts & HAS_WERE && !t->err)
		weft__take_fabric(t, &s->were);
	if (!t->err && t->at != t->end)
		weft__take_fail(t, EINVAL, "goes on behind its tables");
	late.at = late.end - WEFT__STORED_LATE;
	if (!t->err && version != OLDEST)
		weft__take_late(&late, sum, s);
}

int weft__stored_parse(const struct weft__source *source,
		       struct weft_stored *out, struct weft_diag *diag)
{
	const uint8_t *begin = (const uint8_t *)source->data;
	struct weft__take t = {
		.at = begin, .end = begin + source->size,
		.name = source->name, .diag = diag,
	};
	struct weft_stored stored = { .engine = NULL };
	uint64_t version = 0, sum = 0;

	check_whole(&t, source, &version, &sum);
	if (!t.err)
		take_all(&t, version, sum, &stored);
	if (t.err)
		weft_stored_free(&stored);
	else
		*out = stored;
	return t.err;
}

int weft_stored_read(const char *path, struct weft_stored *out,
		     struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__source_open_plain(path, LIMIT, &source, diag);

	if (err)
		return err;
	err = weft__stored_parse(&source, out, diag);
	weft__source_close(&source);
	return err;
}

static void free_tables(struct weft_stored_tables *s)
{
	weft_fabric_free(s->fabric);
	weft_routes_free(&s->routes);
}

void weft_stored_free(struct weft_stored *s)
{
	free(s->engine);
	free(s->options);
	free(s->flap);
	free_tables(&s->now);
	free_tables(&s->home);
	weft_fabric_free(s->were);
	*s = (struct weft_stored){ .engine = NULL };
}
