/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The order of hosts in which shifts among those of each group are judged. */
#ifndef WEFT_WORTH_MODEL_RANKS_H
#define WEFT_WORTH_MODEL_RANKS_H

#include <stdint.h>

struct weft_fabric;

/* Finds the ranks of endports, group by group, in the order in which people count
 * hosts; those of endports that are no hosts come last.  rank: [nep].  Returns 0
 * or -ENOMEM. */
int weft__ranks_by_group(const struct weft_fabric *fabric, uint32_t *rank);

#endif
