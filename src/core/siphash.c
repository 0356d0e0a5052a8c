// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* SipHash-2-4; see siphash.h.  Words are little-endian. */
#include "core/siphash.h"

struct state {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static void rounds(struct state *s, unsigned n)
{
	while (n--) {
		s->v0 += s->v1;
		s->v2 += s->v3;
		s->v1 = rotate(s->v1, 13) ^ s->v0;
		s->v3 = rotate(s->v3, 16) ^ s->v2;
		s->v0 = rotate(s->v0, 32) + s->v3;
		s->v2 += s->v1;
		s->v3 = rotate(s->v3, 21) ^ s->v0;
		s->v1 = rotate(s->v1, 17) ^ s->v2;
		s->v2 = rotate(s->v2, 32);
	}
}

static void take(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	rounds(s, 2);
	s->v0 ^= word;
}

static uint64_t word_at(const uint8_t *p, size_t n)
{
	uint64_t word = 0;

	for (size_t i = 0; i < n; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}

uint64_t weft__siphash(const uint64_t key[2], const void *data, size_t size)
{
	const uint8_t *p = data;
	/* "somepseudorandomlygeneratedbytes", as the paper has it */
	struct state s = {
		key[0] ^ 0x736f6d6570736575,
		key[1] ^ 0x646f72616e646f6d,
		key[0] ^ 0x6c7967656e657261,
		key[1] ^ 0x7465646279746573,
	};
	size_t left = size;

	for (; left >= 8; left -= 8, p += 8)
		take(&s, word_at(p, 8));
	take(&s, word_at(p, left) | (uint64_t)(size & 255) << 56);
	s.v2 ^= 255;
	rounds(&s, 4);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
