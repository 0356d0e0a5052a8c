// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Results of simulations as bytes, for another process of the same program: the
 * structure as it is in memory, then its arrays one after the other.  Whether
 * there is an array its pointer tells, which is not NULL then.
 */
#include "tools/sim/ship.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A number in struct weft_sim; size 0: 1. */
struct count {
	size_t offset, size;
};

/* An array that a pointer in struct weft_sim points to: count[0] times count[1]
 * elements. */
struct array {
	size_t pointer, element;
	struct count count[2];
};

#define NOBODY ((struct weft_sim *)NULL)
#define COUNT(field) { offsetof(struct weft_sim, field), sizeof(NOBODY->field) }
#define ARRAY(field, ...)                                                      \
	{ offsetof(struct weft_sim, field), sizeof(*NOBODY->field),            \
	  { __VA_ARGS__ } }

/* All that there are: a pointer without a row would stay that of another
 * process. */
static const struct array arrays[] = {
	ARRAY(host, COUNT(hosts)),
	ARRAY(lane_bytes, COUNT(channels), COUNT(lanes)),
	ARRAY(packet_bin, COUNT(packet_bins)),
	ARRAY(message_bin, COUNT(message_bins)),
	ARRAY(flow, COUNT(flows)),
	ARRAY(part, COUNT(parts)),
	ARRAY(part_bin, COUNT(part_bins)),
	ARRAY(round_ps, COUNT(rounds)),
	ARRAY(job_began, COUNT(jobs)),
	ARRAY(job_done, COUNT(jobs)),
	ARRAY(deadlock.channel, COUNT(deadlock.n)),
	ARRAY(deadlock.lane, COUNT(deadlock.n)),
	ARRAY(deadlock.packet, COUNT(deadlock.n)),
	ARRAY(deadlock.lid, COUNT(deadlock.n)),
	ARRAY(deadlock.sl, COUNT(deadlock.n)),
	ARRAY(trace.stop, COUNT(trace.n)),
};
#define ARRAYS (sizeof(arrays) / sizeof(arrays[0]))

static uint64_t number(const struct weft_sim *sim, const struct count *count)
{
	const char *at = (const char *)sim + count->offset;
	uint64_t wide;
	uint32_t narrow;

	if (!count->size)
		return 1;
	memcpy(&narrow, at, sizeof(narrow));
	if (count->size == sizeof(narrow))
		return narrow;
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

static void *pointer(const struct weft_sim *sim, const struct array *a)
{
	void *p;

	memcpy(&p, (const char *)sim + a->pointer, sizeof(p));
	return p;
}

static void set_pointer(struct weft_sim *sim, const struct array *a, void *p)
{
	memcpy((char *)sim + a->pointer, &p, sizeof(p));
}

/* Returns the bytes of an array; SIZE_MAX: more than memory can have. */
static size_t bytes_of(const struct weft_sim *sim, const struct array *a)
{
	size_t n;

	if (__builtin_mul_overflow(number(sim, &a->count[0]),
				   number(sim, &a->count[1]), &n) ||
	    __builtin_mul_overflow(n, a->element, &n))
		return SIZE_MAX;
	return n;
}

size_t tool_sim_pack(const struct weft_sim *sim, void *to)
{
	size_t n = sizeof(*sim);

	if (to)
		memcpy(to, sim, n);
	for (size_t i = 0; i < ARRAYS; i++) {
		const void *from = pointer(sim, &arrays[i]);
		size_t bytes = from ? bytes_of(sim, &arrays[i]) : 0;

		if (to && bytes)
			memcpy((char *)to + n, from, bytes);
		n += bytes;
	}
	return n;
}

/* Copies arrays[i] from bytes that begin with it to sim, which has no pointers
 * yet but for those before; 0, with *n less and *at behind it, or -errno. */
static int unpack_array(size_t i, const char **at, size_t *n,
			struct weft_sim *sim)
{
	size_t bytes = bytes_of(sim, &arrays[i]);
	void *copy;

	if (bytes > *n)
		return -EINVAL;
	copy = malloc(bytes + 1);
	if (!copy)
		return -ENOMEM;
	if (bytes)
		memcpy(copy, *at, bytes);
	set_pointer(sim, &arrays[i], copy);
	*at += bytes;
	*n -= bytes;
	return 0;
}

int tool_sim_unpack(const void *from, size_t n, struct weft_sim *out)
{
	const char *at = from;
	struct weft_sim sim;
	bool has[ARRAYS];
	int err = 0;

	if (n < sizeof(sim))
		return -EINVAL;
	memcpy(&sim, at, sizeof(sim));
	at += sizeof(sim);
	n -= sizeof(sim);
	for (size_t i = 0; i < ARRAYS; i++) {
		has[i] = pointer(&sim, &arrays[i]);
		set_pointer(&sim, &arrays[i], NULL);
	}
	for (size_t i = 0; i < ARRAYS && !err; i++)
		if (has[i])
			err = unpack_array(i, &at, &n, &sim);
	err = !err && n ? -EINVAL : err;
	if (err)
		weft_sim_free(&sim);
	else
		*out = sim;
	return err;
}
