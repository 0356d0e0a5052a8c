/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ways for switches that the trees of fat-tree engines do not reach. */
#ifndef WEFT_ENGINES_FATTREE_WHOLE_H
#define WEFT_ENGINES_FATTREE_WHOLE_H

#include <weft/engine.h>

/*
 * Gives entries without a port one; nothing happens where there are none.
 * -ENOTSUP, which is reported: not all get one without a credit loop; -ENOMEM.
 * *routes must be freed in any case.  O(switches x LIDs).
 */
int weft__fattree_make_whole(const struct weft_fabric *f,
			     struct weft_routes *routes,
			     struct weft_diag *diag);

#endif
