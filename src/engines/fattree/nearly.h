/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fat trees of which little is missing. */
#ifndef WEFT_ENGINES_FATTREE_NEARLY_H
#define WEFT_ENGINES_FATTREE_NEARLY_H

#include "engines/fattree/engine.h"

/* Routes the trees of all endports by the numbers of their hosts, where the fabric
 * is a generalized fat tree but for some cables or switches.  Returns 0;
 * -ENOTSUP: it is whole, or none, or roots are given; or -ENOMEM with an error. */
int weft__fattree_nearly(struct weft__fattree_run *run);

#endif
