// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the saturation of all-to-all traffic; see uniform.h. */
#include "worth/uniform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct uniform {
	const struct weft__paths *paths;
	const struct weft_fabric *f;
	const uint8_t *offset;
	uint64_t *load;		/* [first_injection] Mbit/s x (hosts - 1) */
	uint32_t *sends;	/* [nsw] hosts of a switch that send to the
				 * current row */
	uint64_t *much;		/* [nsw] Mbit/s that these hosts send
				 * together */
	uint32_t capacity;	/* of the destination that these two are for;
				 * UINT32_MAX: none yet */
	unsigned row;		/* the LID of it that they are for */
	uint8_t mask;		/* and the offsets of its LIDs */
	uint64_t lost;
};

static uint32_t host_capacity(const struct uniform *u, uint32_t host)
{
	const struct weft_fabric *f = u->f;
	uint32_t known = f->capacity[f->first_injection +
				     u->paths->endport[host]];

	return known ? known : 1;
}

static bool sends_to(const struct uniform *u, uint32_t host, uint8_t mask,
		     unsigned row)
{
	return !u->offset ||
		(u->offset[u->paths->endport[host]] & mask) == row;
}

/* Counts what every switch's hosts send to a LID; the counts are the same for
 * most LIDs in a row. */
static void count_sources(struct uniform *u, uint32_t dest, unsigned row)
{
	uint32_t most = host_capacity(u, dest);
	uint8_t mask = u->paths->mask[dest];

	if (u->capacity == most && u->row == row && u->mask == mask)
		return;
	u->capacity = most;
	u->row = row;
	u->mask = mask;
	memset(u->sends, 0, u->f->nsw * sizeof(*u->sends));
	memset(u->much, 0, u->f->nsw * sizeof(*u->much));
	for (uint32_t h = 0; h < u->paths->nhosts; h++) {
		uint32_t own = host_capacity(u, h), s = u->paths->sw[h];

		if (!sends_to(u, h, mask, row))
			continue;
		u->sends[s]++;
		u->much[s] += own < most ? own : most;
	}
}

static void load_row(struct uniform *u, uint32_t dest, unsigned row)
{
	const struct weft_fabric *f = u->f;
	const uint8_t *port = weft__paths_row(u->paths, dest, row);
	uint32_t goal = u->paths->sw[dest];

	count_sources(u, dest, row);
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!u->sends[s])
			continue;
		if (!weft__paths_reach(port, s)) {
			u->lost += u->sends[s];
			/* except the destination itself, which needs no
			 * route */
			if (s == goal && sends_to(u, dest, u->mask, row))
				u->lost--;
			continue;
		}
		for (uint32_t at = s; at != goal; ) {
			uint32_t ch = weft_channel(f, at, port[at]);

			u->load[ch] += u->much[s];
			at = f->peer[ch];
		}
	}
}

static double saturation(const struct uniform *u)
{
	double hosts = u->paths->nhosts, least = 1;

	for (uint32_t ch = 0; ch < u->f->first_injection; ch++) {
		double holds = u->f->capacity[ch] * (hosts - 1);

		if (u->load[ch] && holds / u->load[ch] < least)
			least = holds / u->load[ch];
	}
	return least * (1 - u->lost / (hosts * (hosts - 1)));
}

int weft__uniform(const struct weft__paths *paths, const uint8_t *offset,
		  double *share, uint64_t *lost)
{
	const struct weft_fabric *f = paths->fabric;
	struct uniform u = {
		.paths = paths, .f = f, .offset = offset,
		.capacity = UINT32_MAX,
		.load = calloc(f->first_injection + 1ull, sizeof(*u.load)),
		.sends = malloc((f->nsw + 1ull) * sizeof(*u.sends)),
		.much = malloc((f->nsw + 1ull) * sizeof(*u.much)),
	};
	int err = u.load && u.sends && u.much ? 0 : -ENOMEM;

	for (uint32_t h = 0; !err && h < paths->nhosts; h++)
		for (unsigned row = 0; row <= paths->mask[h]; row++)
			load_row(&u, h, row);
	if (!err) {
		*share = saturation(&u);
		*lost = u.lost;
	}
	free(u.load);
	free(u.sends);
	free(u.much);
	return err;
}
