/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Random numbers: MT19937, always explicit, always seeded.  Never used without
 * a seed that the user can see and repeat.
 */
#ifndef WEFT_RNG_H
#define WEFT_RNG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_rng;

/* NULL: no memory. */
struct weft_rng *weft_rng_new(uint32_t seed);
void weft_rng_free(struct weft_rng *rng);
void weft_rng_seed(struct weft_rng *rng, uint32_t seed);
/*
 * Seeds for the n-th of many independent samples, so that sample n draws the
 * same numbers on whichever thread or rank it runs.
 */
void weft_rng_seed_sample(struct weft_rng *rng, uint32_t seed, uint64_t n);

/* Uniform in 0 .. 2^32-1. */
uint32_t weft_rng_u32(struct weft_rng *rng);
/* Uniform in 0 .. n-1, without bias; n >= 1. */
uint32_t weft_rng_below(struct weft_rng *rng, uint32_t n);
/* Uniform permutation of a[0..n-1] (Fisher-Yates). */
void weft_rng_shuffle(struct weft_rng *rng, uint32_t *a, uint32_t n);

#ifdef __cplusplus
}
#endif
#endif
