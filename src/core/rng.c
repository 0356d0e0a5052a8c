// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* MT19937 from GSL; see weft/rng.h. */
#include <weft/rng.h>

#include <gsl/gsl_rng.h>
#include <stdlib.h>

struct weft_rng {
	gsl_rng *mt;
};

struct weft_rng *weft_rng_new(uint32_t seed)
{
	struct weft_rng *rng = malloc(sizeof(*rng));

	if (!rng)
		return NULL;
	rng->mt = gsl_rng_alloc(gsl_rng_mt19937);
	if (!rng->mt) {
		free(rng);
		return NULL;
	}
	weft_rng_seed(rng, seed);
	return rng;
}

void weft_rng_free(struct weft_rng *rng)
{
	if (!rng)
		return;
	gsl_rng_free(rng->mt);
	free(rng);
}

/* GSL takes seed 0 for its default seed 4357; every other is used as it is.
 * Seed 0 and seed 4357 are therefore the same stream. */
void weft_rng_seed(struct weft_rng *rng, uint32_t seed)
{
	gsl_rng_set(rng->mt, seed);
}

void weft_rng_seed_sample(struct weft_rng *rng, uint32_t seed, uint64_t n)
{
	/* Finaliser of splitmix64: neighbouring samples get unrelated seeds. */
	uint64_t x = ((uint64_t)seed << 32 | 0x9e3779b9u) +
		     n * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	gsl_rng_set(rng->mt, (uint32_t)(x >> 32));
}

/* Without gsl_rng_get() in between: a shuffle does little else. */
static inline uint32_t draw(struct weft_rng *rng)
{
	return (uint32_t)rng->mt->type->get(rng->mt->state);
}

/* Lemire's multiplication method: one draw, a division only on the rare path
 * that removes the bias. */
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
