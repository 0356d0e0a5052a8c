/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Schedules the other way round; see weft/sim.h. */
#ifndef WEFT_SIM_SCHEDULE_H
#define WEFT_SIM_SCHEDULE_H

#include <weft/sim.h>

/*
 * Lists the jobs that wait for something: out[first[c] .. first[c + 1] - 1] for
 * condition c.  first[2 n + 1], out[conditions].
 */
void weft__schedule_turn(const struct weft_sim_schedule *g, uint64_t *first,
			 uint32_t *out);

#endif
