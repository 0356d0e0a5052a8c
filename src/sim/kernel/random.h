/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Random numbers of a simulation: whoever draws has a state of its own, so that
 * what one draws does not depend on how often others do. */
#ifndef WEFT_SIM_RANDOM_H
#define WEFT_SIM_RANDOM_H

#include <stdint.h>

/* The next number of splitmix64 (Steele, Lea, Flood 2014). */
static inline uint64_t weft__sim_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* Any number from 0 to n - 1. */
static inline uint32_t weft__sim_random_below(uint64_t *state, uint32_t n)
{
	return ((weft__sim_random(state) >> 32) * n) >> 32;
}

#endif
