// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How many ports the LIDs of a subnet suffice for; see lid_room.h. */
#include "core/fabric/lid_room.h"

#include <inttypes.h>
#include <stdio.h>

uint32_t weft__lid_room(uint32_t switches, unsigned lmc)
{
	/* LID 0 is nobody's, but no range may begin there either. */
	uint32_t ranges = (WEFT_MAX_LID + 1) >> lmc;
	uint32_t used = (uint32_t)(((uint64_t)switches + (1u << lmc)) >> lmc);

	return used < ranges ? ranges - used : 0;
}

const char *weft__lid_room_text(uint32_t switches, uint64_t ports,
				unsigned lmc, char buffer[WEFT__LID_ROOM_SIZE])
{
	unsigned less = lmc;
	int n = snprintf(buffer, WEFT__LID_ROOM_SIZE,
			 "with LMC %u there is room for %" PRIu32 " port%s beside %" PRIu32
			 " switch%s", lmc, weft__lid_room(switches, lmc),
			 weft__lid_room(switches, lmc) == 1 ? "" : "s",
			 switches, switches == 1 ? "" : "es");

	while (less && weft__lid_room(switches, less) < ports)
		less--;
	if (less < lmc)
		snprintf(buffer + n, WEFT__LID_ROOM_SIZE - n,
			 ", with LMC %u for %" PRIu32, less, weft__lid_room(switches, less));
	return buffer;
}
