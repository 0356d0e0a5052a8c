/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TESTS_REBUILD_H
#define WEFT_TESTS_REBUILD_H

#include <weft/fabric.h>
#include <weft/rng.h>

/*
 * The same fabric, discovered anew in a random order of nodes and cables.
 * NULL when something fails.
 */
struct weft_fabric *rebuild_shuffled(const struct weft_fabric *f,
				     struct weft_rng *rng);

#endif
