/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What destination-based engines have in common. */
#ifndef WEFT_ENGINES_COMMON_H
#define WEFT_ENGINES_COMMON_H

#include "trees/bfs.h"

#include <weft/engine.h>

/*
 * 0 if every switch can reach every other one by cable; else -ENETUNREACH and
 * an error that names one switch of each part.
 */
int weft__require_connected(const struct weft_fabric *fabric,
			    struct weft_diag *diag);

/*
 * Sets member[switch] = 1 for each switch of a list of GUIDs in hexadecimal,
 * separated by blanks, commas or '+'.  -EINVAL and an error that names the
 * option if one of them is not a switch of the fabric.
 */
int weft__named_switches(const struct weft_fabric *fabric, const char *option,
			 const char *text, uint8_t *member,
			 struct weft_diag *diag);

#endif
