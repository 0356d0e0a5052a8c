/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Routes to the ports of machines that have several: planned apart, or balanced
 * and then separated. */
#ifndef WEFT_ENGINES_FATTREE_APART_H
#define WEFT_ENGINES_FATTREE_APART_H

#include "engines/fattree/chain.h"

/*
 * Has the ports of machines routed apart by the rule (homes.h), and all endports
 * by balanced(), after which routes that meet are separated, and the others
 * relieved again, in so many rounds at most; keeps what leaves fewer machines
 * that depend on one switch, or, where that is the same, is worth more to the
 * basket.  balanced() may refuse with -ENOTSUP.  Returns 0 or -errno with an
 * error.
 */
int weft__fattree_apart(struct weft__fattree_run *run,
			struct weft__chain_rule rule,
			weft__fattree_choose_fn *balanced, unsigned relief);

#endif
