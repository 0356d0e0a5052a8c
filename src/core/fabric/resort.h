/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cables that are better not used while others lead to the same places. */
#ifndef WEFT_CORE_RESORT_H
#define WEFT_CORE_RESORT_H

#include <weft/fabric.h>

/*
 * Chooses which of the cables between switches to leave out. resort[nch] tells
 * of the channels of each cable how unwelcome it is, both alike: 0, it stays;
 * the higher, the rather it goes.
 *
 * A cable goes if less unwelcome ones that stay lead from one of its ends to
 * the other.  So the fabric is in as many parts without the cables that go as
 * it is with all of them.  Of equally unwelcome cables that join the same
 * places all stay, so that they share the load.
 *
 * Sets gone[nch] for both channels of each cable that goes, and leaves all
 * others as they are.  Returns how many cables go. parent[nsw] is scratch.
 * O(worst x channels).
 */
uint32_t weft__leave_out(const struct weft_fabric *fabric,
			 const uint8_t *resort, bool *gone, uint32_t *parent);

#endif
