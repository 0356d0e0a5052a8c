/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Arrays that grow: the one place of the library and the command that calls
 * realloc().
 *
 * Each function takes the address of the pointer to an array of any type.  0,
 * or -ENOMEM with the array as it was, still to be freed.  Sizes are computed
 * in size_t and cannot wrap around: what does not fit is -ENOMEM, too.
 */
#ifndef WEFT_CORE_GROW_H
#define WEFT_CORE_GROW_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WEFT__GROW_FIRST 16 /* elements, at least */

static inline int weft__resize_to(void *array, uint64_t n, size_t size)
{
	void *old, *new;

	if (n > PTRDIFF_MAX / size)
		return -ENOMEM;
	memcpy(&old, array, sizeof(old));
	/* an array of nothing is there, too: NULL would be no memory */
	new = realloc(old, n ? (size_t)n * size : size);
	if (!new)
		return -ENOMEM;
	memcpy(array, &new, sizeof(new));
	return 0;
}

/* How much room an array of that much shall get for n elements: twice, so that
 * n steps cost O(n) copies, and n at least.  room where these fit. */
static inline size_t weft__roomier(size_t room, uint64_t n)
{
	uint64_t more = room < SIZE_MAX / 2 ? (uint64_t)room * 2 : n;

	if (n <= room)
		return room;
	more = more < WEFT__GROW_FIRST ? WEFT__GROW_FIRST : more;
	more = more < n ? n : more;
	return more < SIZE_MAX ? (size_t)more : SIZE_MAX;
}

static inline int weft__grow_to(void *array, size_t *room, uint64_t n,
				size_t size)
{
	size_t more = weft__roomier(*room, n);
	int err = more == *room ? 0 : weft__resize_to(array, more, size);

	/* twice may be too much where n is not */
	if (err && more > n) {
		more = (size_t)n;
		err = weft__resize_to(array, more, size);
	}
	if (!err)
		*room = more;
	return err;
}

/* Makes room for n elements or more in an array that has room for *room. */
#define weft__grow(array, room, n) \
	weft__grow_to((array), (room), (n), sizeof(**(array)))

/* Makes room for one element behind n, in an array that began as NULL and gets
 * all its room here: it is full where n is 0 or a power of two. */
#define weft__grow_one(array, n) \
	((n) & ((n) - 1) ? 0 : weft__resize((array), 2 * (uint64_t)(n)))

/* Gives an array room for just n elements, of which those up to the smaller
 * number stay; never NULL, so that it is not freed where n is 0. */
#define weft__resize(array, n) \
	weft__resize_to((array), (n), sizeof(**(array)))

#endif
