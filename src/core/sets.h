/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Disjoint sets of ids: each is named by the lowest id in it. */
#ifndef WEFT_CORE_SETS_H
#define WEFT_CORE_SETS_H

#include <stdbool.h>
#include <stdint.h>

/* Begins with each of n ids alone; parent[n] holds the sets. */
void weft__sets_begin(uint32_t *parent, uint32_t n);
/* Returns the lowest id of the set that an id is in. */
uint32_t weft__sets_find(uint32_t *parent, uint32_t id);
/* Joins the sets of two ids; returns false if they were one already. */
bool weft__sets_join(uint32_t *parent, uint32_t a, uint32_t b);

#endif
