/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How many ports the LIDs of a subnet suffice for. */
#ifndef WEFT_CORE_LID_ROOM_H
#define WEFT_CORE_LID_ROOM_H

#include <weft/fabric.h>

/* Ports of 2^lmc LIDs each, a range that is aligned, that there is room for
 * beside that many switches with one LID. */
uint32_t weft__lid_room(uint32_t switches, unsigned lmc);

/*
 * For messages about ports that do not fit: how many do with that LMC, and the
 * largest LMC with which all would, as "with LMC 7 there is room for 383 ports
 * beside 30 switches, with LMC 6 for 767".  Returns buffer.
 */
#define WEFT__LID_ROOM_SIZE 160
const char *weft__lid_room_text(uint32_t switches, uint64_t ports,
				unsigned lmc,
				char buffer[WEFT__LID_ROOM_SIZE]);

#endif
