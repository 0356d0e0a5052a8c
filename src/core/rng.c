// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * MT19937 (Matsumoto, Nishimura 1998, seeding of 2002); see weft/rng.h. It is
 * written here and not taken from GSL so that a plugin is one file that needs
 * no library which OpenSM's host may lack, and because shuffling does little
 * but draw.
 */
#include <weft/rng.h>

#include <stdlib.h>

#define WORDS 624
#define MIDDLE 397

struct weft_rng {
	uint32_t state[WORDS];
	unsigned next;		/* word to draw; WORDS: all are drawn */
};

struct weft_rng *weft_rng_new(uint32_t seed)
{
	struct weft_rng *rng = malloc(sizeof(*rng));

	if (rng)
		weft_rng_seed(rng, seed);
	return rng;
}

void weft_rng_free(struct weft_rng *rng)
{
	free(rng);
}

/* Seeds the generator.  Seed 0 stands for 4357, as in GSL, so that the same
 * seeds draw the same numbers. */
void weft_rng_seed(struct weft_rng *rng, uint32_t seed)
{
	uint32_t x = seed ? seed : 4357;

	for (uint32_t i = 0; i < WORDS; i++) {
		rng->state[i] = x;
		x = 1812433253u * (x ^ x >> 30) + i + 1;
	}
	rng->next = WORDS;
}

void weft_rng_seed_sample(struct weft_rng *rng, uint32_t seed, uint64_t n)
{
	/* The finaliser of splitmix64 gives neighbouring samples unrelated
	 * seeds. */
	uint64_t x = ((uint64_t)seed << 32 | 0x9e3779b9u) +
		     n * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	weft_rng_seed(rng, (uint32_t)(x >> 32));
}

/* Takes one step of the recurrence: the upper bit of a, the lower ones of b. */
static inline uint32_t twist(uint32_t a, uint32_t b, uint32_t far)
{
	uint32_t x = (a & 0x80000000u) | (b & 0x7fffffffu);

	return far ^ x >> 1 ^ (-(b & 1) & 0x9908b0dfu);
}

static void refill(struct weft_rng *rng)
{
	uint32_t *s = rng->state;
	unsigned i;

	for (i = 0; i < WORDS - MIDDLE; i++)
		s[i] = twist(s[i], s[i + 1], s[i + MIDDLE]);
	for (; i < WORDS - 1; i++)
		s[i] = twist(s[i], s[i + 1], s[i + MIDDLE - WORDS]);
	s[i] = twist(s[i], s[0], s[MIDDLE - 1]);
	rng->next = 0;
}

static inline uint32_t draw(struct weft_rng *rng)
{
	uint32_t x;

	if (rng->next == WORDS)
		refill(rng);
	x = rng->state[rng->next++];
	x ^= x >> 11;
	x ^= x << 7 & 0x9d2c5680u;
	x ^= x << 15 & 0xefc60000u;
	return x ^ x >> 18;
}

/* Draws by Lemire's multiplication method: one draw, and a division only on the
 * rare path that removes the bias. */
static inline uint32_t draw_below(struct weft_rng *rng, uint32_t n)
{
	uint64_t m = (uint64_t)draw(rng) * n;

	if ((uint32_t)m < n) {
		uint32_t floor = -n % n;

		while ((uint32_t)m < floor)
			m = (uint64_t)draw(rng) * n;
	}
	return m >> 32;
}

uint32_t weft_rng_u32(struct weft_rng *rng)
{
	return draw(rng);
}

uint32_t weft_rng_below(struct weft_rng *rng, uint32_t n)
{
	return draw_below(rng, n);
}

void weft_rng_shuffle(struct weft_rng *rng, uint32_t *a, uint32_t n)
{
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = draw_below(rng, i);
		uint32_t t = a[i - 1];

		a[i - 1] = a[j];
		a[j] = t;
	}
}
