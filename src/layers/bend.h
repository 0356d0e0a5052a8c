/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Routes that change as far as lanes ask for it; see bend.c. */
#ifndef WEFT_LAYERS_BEND_H
#define WEFT_LAYERS_BEND_H

#include "layers/job.h"

/*
 * Bends the trees of job->traffic so that they fit into so many lanes, and gives a
 * lane to each pair, the same in both directions.  turns: by the turns that the
 * trees need most, which always succeeds, else by orders of the switches.  If these
 * have no lane for some pair, out->lane is NULL, and the trees are void.
 * job->updown must be there.  Returns 0, or -ENOMEM with void trees.
 */
int weft__bend(struct weft__job *job, unsigned lanes, bool turns,
	       struct weft__lanes_found *out);

#endif
