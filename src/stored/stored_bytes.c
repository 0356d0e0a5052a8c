// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Numbers, texts and runs of bytes in a file; see stored.h. */
#include "stored/stored.h"

#include "core/siphash.h"

#include <errno.h>
#include <inttypes.h>

#define GAP 8	/* bytes that are alike end what differs */

/* --- checksum ---------------------------------------------------------- */

/* Blocks one after the other: the sum so far and the size up to a block are its
 * key. */
static uint64_t add_block(uint64_t sum, uint64_t size, const void *block,
			  size_t n)
{
	const uint64_t key[2] = { sum, size };

	return weft__siphash(key, block, n);
}

uint64_t weft__stored_sum(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	uint64_t sum = 0;

	for (size_t at = 0; at < n; at += WEFT__STORED_BLOCK) {
		size_t most = n - at;

		if (most > WEFT__STORED_BLOCK)
			most = WEFT__STORED_BLOCK;
		sum = add_block(sum, at + most, p + at, most);
	}
	return sum;
}

/* --- writing ----------------------------------------------------------- */

static void flush_block(struct weft__put *p)
{
	if (!p->n)
		return;
	p->sum = add_block(p->sum, p->size, p->block, p->n);
	fwrite(p->block, 1, p->n, p->out);
	p->n = 0;
}

void weft__put_bytes(struct weft__put *p, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	if (!p->out) {
		p->size += n;
		return;
	}
	while (n) {
		size_t room = sizeof(p->block) - p->n;
		size_t some = n < room ? n : room;

		memcpy(p->block + p->n, from, some);
		p->n += some;
		p->size += some;
		from += some;
		n -= some;
		if (p->n == sizeof(p->block))
			flush_block(p);
	}
}

void weft__stored_little(uint8_t *at, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = value >> 8 * i & 255;
}

void weft__put_number(struct weft__put *p, uint64_t value, unsigned bytes)
{
	uint8_t little[8];

	weft__stored_little(little, value, bytes);
	weft__put_bytes(p, little, bytes);
}

void weft__put_text(struct weft__put *p, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	weft__put_number(p, n, 4);
	weft__put_bytes(p, text, n);
}

/* The end of what differs from the place on, which does. */
static size_t end_of_change(const uint8_t *a, const uint8_t *b, size_t from,
			    size_t n)
{
	size_t end = from + 1;

	for (size_t i = end; i < n && i < end + GAP; i++)
		if (a[i] != b[i])
			end = i + 1;
	return end;
}

void weft__put_like(struct weft__put *p, const uint8_t *bytes,
		    const uint8_t *like, size_t n)
{
	size_t at = 0;

	if (!like) {
		weft__put_bytes(p, bytes, n);
		return;
	}
	while (at < n) {
		size_t from = at, end;

		while (from < n && bytes[from] == like[from])
			from++;
		end = from < n ? end_of_change(bytes, like, from, n) : n;
		weft__put_number(p, from - at, 4);
		weft__put_number(p, end - from, 4);
		weft__put_bytes(p, bytes + from, end - from);
		at = end;
	}
}

void weft__put_end(struct weft__put *p)
{
	uint64_t sum;

	if (p->out)
		flush_block(p);
	sum = p->sum;
	weft__put_number(p, sum, 8);
	if (p->out)
		fwrite(p->block, 1, p->n, p->out);
}

/* --- reading ----------------------------------------------------------- */

void weft__take_fail(struct weft__take *t, int err, const char *format, ...)
{
	char text[400];
	va_list args;

	if (t->err)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	t->err = weft_fail_at(t->diag, err, t->name, 0, "%s", text);
}

const uint8_t *weft__take_bytes(struct weft__take *t, uint64_t n)
{
	const uint8_t *at = t->at;

	if (!t->err && n > (uint64_t)(t->end - t->at))
		weft__take_fail(t, EINVAL, "ends in the middle of something");
	if (t->err)
		return NULL;
	t->at += n;
	return at;
}

uint64_t weft__take_number(struct weft__take *t, unsigned bytes)
{
	const uint8_t *p = weft__take_bytes(t, bytes);
	uint64_t value = 0;

	for (unsigned i = 0; p && i < bytes; i++)
		value |= (uint64_t)p[i] << 8 * i;
	return value;
}

uint64_t weft__take_most(struct weft__take *t, unsigned bytes, uint64_t max,
			 const char *what)
{
	uint64_t value = weft__take_number(t, bytes);

	if (value <= max)
		return value;
	weft__take_fail(t, EINVAL, "%s is %" PRIu64
			", and cannot be more than %" PRIu64, what, value, max);
	return 0;
}

uint32_t weft__take_count(struct weft__take *t, size_t size, const char *what)
{
	return weft__take_most(t, 4, (uint64_t)(t->end - t->at) / size, what);
}

size_t weft__take_text(struct weft__take *t, const char **text)
{
	uint32_t n = weft__take_count(t, 1, "the length of a text");

	*text = (const char *)weft__take_bytes(t, n);
	if (!*text)
		return 0;
	if (memchr(*text, 0, n))
		weft__take_fail(t, EINVAL, "has a text with a NUL byte");
	return t->err ? 0 : n;
}

void weft__take_like(struct weft__take *t, uint8_t *bytes, const uint8_t *like,
		     size_t n)
{
	const uint8_t *from;
	size_t at = 0;

	if (!like) {
		from = weft__take_bytes(t, n);
		if (from)
			memcpy(bytes, from, n);
		return;
	}
	while (at < n && !t->err) {
		size_t same = weft__take_most(t, 4, n - at, "what is alike");
		size_t other = weft__take_most(t, 4, n - at - same,
					       "what differs");

		memcpy(bytes + at, like + at, same);
		from = weft__take_bytes(t, other);
		if (from)
			memcpy(bytes + at + same, from, other);
		at += same + other;
	}
}
