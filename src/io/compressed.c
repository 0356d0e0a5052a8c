// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Expanding compressed dumps; see compressed.h. */
#include "io/compressed.h"

#include "core/grow.h"

#include <weft/diag.h>

#include <errno.h>
#include <fnmatch.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#define TEXT_MAX ((size_t)4 << 30)
#define TEXT_FIRST ((size_t)1 << 20)
#define XZ_MEMORY ((uint64_t)1 << 30)	/* more than any preset of xz needs */

/* Text that grows as it is expanded. */
struct text {
	char *data;
	size_t size, room;
	size_t limit;
};

/* What a step came to. */
enum step { MORE, END, DAMAGED, NO_MEMORY };

/* One way to compress.  next() expands into the room that is left and tells
 * what it used of the input; finished() whether the input may end there. */
struct method {
	const char *name, *magic;
	bool (*begin)(void **state);
	enum step (*next)(void *state, const char **in, const char *end,
			  struct text *text);
	void (*end)(void *state);
};

/* --- gzip ------------------------------------------------------------- */

static bool gzip_begin(void **state)
{
	z_stream *z = calloc(1, sizeof(*z));

	*state = z;
	return z && inflateInit2(z, 16 + MAX_WBITS) == Z_OK;
}

/* A file may have several members, one after the other. */
static enum step gzip_next(void *state, const char **in, const char *end,
			   struct text *text)
{
	size_t given = end - *in, room = text->room - text->size;
	z_stream *z = state;
	int result;

	z->next_in = (Bytef *)*in;
	z->avail_in = given < UINT32_MAX ? given : UINT32_MAX;
	z->next_out = (Bytef *)text->data + text->size;
	z->avail_out = room < UINT32_MAX ? room : UINT32_MAX;
	result = inflate(z, Z_NO_FLUSH);
	*in = (const char *)z->next_in;
	text->size = (char *)z->next_out - text->data;
	if (result == Z_OK || result == Z_BUF_ERROR)
		return MORE;
	if (result != Z_STREAM_END)
		return result == Z_MEM_ERROR ? NO_MEMORY : DAMAGED;
	if (end - *in < 2 || memcmp(*in, "\x1f\x8b", 2))
		return END;
	return inflateReset(z) == Z_OK ? MORE : DAMAGED;
}

static void gzip_end(void *state)
{
	if (state)
		inflateEnd(state);
	free(state);
}

/* --- xz --------------------------------------------------------------- */

static bool xz_begin(void **state)
{
	lzma_stream *x = calloc(1, sizeof(*x));

	*state = x;
	return x && lzma_stream_decoder(x, XZ_MEMORY, LZMA_CONCATENATED) ==
			    LZMA_OK;
}

static enum step xz_next(void *state, const char **in, const char *end,
			 struct text *text)
{
	lzma_stream *x = state;
	lzma_ret result;

	x->next_in = (const uint8_t *)*in;
	x->avail_in = end - *in;
	x->next_out = (uint8_t *)text->data + text->size;
	x->avail_out = text->room - text->size;
	result = lzma_code(x, LZMA_FINISH);
	*in = (const char *)x->next_in;
	text->size = (char *)x->next_out - text->data;
	if (result == LZMA_STREAM_END)
		return END;
	if (result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR)
		return NO_MEMORY;
	return result == LZMA_OK ? MORE : DAMAGED;
}

static void xz_end(void *state)
{
	if (state)
		lzma_end(state);
	free(state);
}

/* --- zstd ------------------------------------------------------------- */

static bool zstd_begin(void **state)
{
	*state = ZSTD_createDStream();
	return *state;
}

static enum step zstd_next(void *state, const char **in, const char *end,
			   struct text *text)
{
	ZSTD_inBuffer from = { *in, end - *in, 0 };
	ZSTD_outBuffer to = { text->data, text->room, text->size };
	size_t result = ZSTD_decompressStream(state, &to, &from);

	*in += from.pos;
	text->size = to.pos;
	if (ZSTD_isError(result))
		return DAMAGED;
	return !result && *in == end ? END : MORE;
}

static void zstd_end(void *state)
{
	ZSTD_freeDStream(state);
}

/* --- all -------------------------------------------------------------- */

static const struct method methods[] = {
	{ "gzip", "\x1f\x8b", gzip_begin, gzip_next, gzip_end },
	{ "xz", "\xfd" "7zXZ", xz_begin, xz_next, xz_end },
	{ "zstd", "\x28\xb5\x2f\xfd", zstd_begin, zstd_next, zstd_end },
};

static const struct method *method_of(const struct weft__source *source)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		size_t n = strlen(methods[i].magic);

		if (source->size >= n &&
		    !memcmp(source->data, methods[i].magic, n))
			return &methods[i];
	}
	return NULL;
}

/* Room for more; -EFBIG at the end of what is taken, 0 or -ENOMEM. */
static int grow(struct text *text)
{
	size_t room = text->room ? weft__roomier(text->room, text->room + 1) :
				   TEXT_FIRST;
	int err;

	if (text->room >= text->limit)
		return -EFBIG;
	if (room > text->limit)
		room = text->limit;
	err = weft__resize(&text->data, room);
	if (!err)
		text->room = room;
	return err;
}

/* Expands everything, or up to text->limit: -EFBIG then.  -EINVAL: damaged;
 * -ENODATA: it ends too early. */
static int expand(const struct method *m, const struct weft__source *source,
		  struct text *text)
{
	const char *in = source->data, *end = in + source->size;
	enum step step = MORE;
	void *state = NULL;
	int err = m->begin(&state) ? 0 : -ENOMEM;

	while (!err && step == MORE) {
		const char *from = in;
		size_t size = text->size;

		if (text->size == text->room)
			err = grow(text);
		if (err)
			break;
		step = m->next(state, &in, end, text);
		if (step == DAMAGED)
			err = -EINVAL;
		else if (step == NO_MEMORY)
			err = -ENOMEM;
		else if (step == MORE && in == from && size == text->size &&
			 text->size < text->room)
			err = -ENODATA;
	}
	m->end(state);
	return err;
}

static int say(const struct method *m, const char *name, int err,
	       struct weft_diag *diag)
{
	const char *what = err == -EINVAL ? "damaged" :
		err == -ENODATA ? "cut: the end is missing" :
		err == -EFBIG ? "of more than 4 GiB of text" :
		"more than there is memory for";

	weft_diag_at(diag, WEFT_ERROR, name, 0, "this %s file is %s", m->name,
		     what);
	return err == -ENODATA ? -EINVAL : err;
}

int weft__dump_open(const char *path, size_t limit,
		    struct weft__source *source, struct weft_diag *diag)
{
	struct text text = { .limit = limit ? limit : TEXT_MAX };
	const struct method *method;
	int err = weft__source_open(path, source, diag);

	if (err)
		return err;
	method = method_of(source);
	if (!method)
		return 0;
	err = expand(method, source, &text);
	if (!err || (limit && text.size)) {
		const char *name = source->name;

		weft__source_close(source);
		*source = weft__source_text(name, text.data ? text.data :
					    calloc(1, 1), text.size);
		return source->data ? 0 : say(method, name, -ENOMEM, diag);
	}
	free(text.data);
	err = say(method, source->name, err, diag);
	weft__source_close(source);
	return err;
}

bool weft__dump_named(const char *pattern, const char *name)
{
	static const char *const suffix[] = { "", ".gz", ".xz", ".zst" };
	char whole[64];

	for (size_t i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
		snprintf(whole, sizeof(whole), "%s%s", pattern, suffix[i]);
		if (!fnmatch(whole, name, 0))
			return true;
	}
	return false;
}
