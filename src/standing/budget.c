// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sets what may change beyond what must; see budget.h. */
#include "standing/budget.h"

#include <weft/standing.h>

/* For each cable that went before: balance that was too dear then may be worth
 * its blocks now.  How many blocks that counts for. */
#define ANYWAY_EARLIER 20
/* What is at stake at once counts for the more blocks the more that is: from so many
 * entries on for a quarter of one each, fewer for less. */
#define AT_ONCE 256
/* Entries that new channels are good for, and that count for a block. */
#define GROWN_EACH 4

uint64_t weft__stake_grown(const struct weft__match *standing,
			   const struct weft__match *home)
{
	const struct weft_fabric *f = standing->b;
	uint64_t n = 0, all = f->adj_first[f->nsw];

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			unsigned port = f->adj[i] - f->first_channel[s];

			n += !weft__match_cable(standing, s, port) &&
			     !(home && weft__match_cable(home, s, port));
		}
	return n ? n * f->nsw * f->max_lid / all : 0;
}

uint32_t weft__stake_missing(const struct weft__match *m)
{
	const struct weft_fabric *f = m->b;
	uint32_t n = m->a->adj_first[m->a->nsw];

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++)
			n -= weft__match_cable(m, s, f->adj[i] -
					       f->first_channel[s]);
	return n / 2;
}

/* Unless told otherwise as many as keep the whole at three for each entry at
 * stake, and half of one in any case. */
static uint64_t changes(const struct weft__stake *s, uint64_t stake)
{
	uint64_t had = s->dead + s->given_way, least = stake / 2;

	if (s->changes != WEFT_STANDING_CHANGES)
		return s->changes;
	return s->more +
	       (stake * 3 > had + least ? stake * 3 - had : least);
}

struct weft__budget weft__budget(const struct weft__stake *s)
{
	uint64_t stake = s->dead + s->grown;

	/* entries that were to move before may need a block each; where much is
	 * at stake at once, worth counts for more than blocks */
	return (struct weft__budget){
		.changes = changes(s, stake),
		.anyway = s->blocks + s->more + s->grown / GROWN_EACH +
			  (stake * (stake < AT_ONCE ? stake : AT_ONCE) >> 10) +
			  s->earlier * ANYWAY_EARLIER,
	};
}
