// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is known beside the tables, in a file; see stored.h. */
#include "stored/stored.h"

#include "core/siphash.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MILLION 1e6
#define FLAP_SIZE 31	/* bytes of a cable that flaps */

void weft__put_flaps(struct weft__put *p, const struct weft_stored *s)
{
	weft__put_number(p, s->nflaps, 4);
	for (uint32_t i = 0; i < s->nflaps; i++) {
		const struct weft_stored_flap *flap = &s->flap[i];

		for (unsigned end = 0; end < 2; end++) {
			weft__put_number(p, flap->guid[end], 8);
			weft__put_number(p, flap->port[end], 1);
		}
		weft__put_number(p, flap->times, 4);
		weft__put_number(p, flap->there | flap->out << 1, 1);
		weft__put_number(p, (uint64_t)flap->since, 8);
	}
}

static double take_worth(struct weft__take *t)
{
	return weft__take_number(t, 4) / MILLION;
}

static void take_flap(struct weft__take *t, struct weft_stored_flap *flap)
{
	uint64_t state;

	for (unsigned end = 0; end < 2; end++) {
		flap->guid[end] = weft__take_number(t, 8);
		flap->port[end] = weft__take_number(t, 1);
	}
	flap->times = weft__take_number(t, 4);
	state = weft__take_most(t, 1, 3, "the state of a cable");
	flap->there = state & 1;
	flap->out = state & 2;
	flap->since = (int64_t)weft__take_number(t, 8);
}

void weft__take_debt(struct weft__take *t, struct weft_stored_debt *d)
{
	d->since = (int64_t)weft__take_number(t, 8);
	d->worth = take_worth(t);
	d->anew = take_worth(t);
	d->entries = weft__take_number(t, 8);
	d->blocks = weft__take_number(t, 8);
}

void weft__take_flaps(struct weft__take *t, struct weft_stored *s)
{
	s->nflaps = weft__take_count(t, FLAP_SIZE,
				     "the number of cables that flap");
	if (t->err || !s->nflaps)
		return;
	s->flap = calloc(s->nflaps, sizeof(*s->flap));
	if (!s->flap) {
		weft__take_fail(t, ENOMEM, "out of memory");
		return;
	}
	for (uint32_t i = 0; i < s->nflaps; i++)
		take_flap(t, &s->flap[i]);
}

/* --- what is found out later ---------------------------------------------- */

static uint64_t late_sum(uint64_t sum, const uint8_t *late)
{
	const uint64_t key[2] = { sum, WEFT__STORED_LATE };

	return weft__siphash(key, late, WEFT__STORED_LATE - 8);
}

void weft__stored_late(const struct weft_stored *s, uint64_t sum,
		       uint8_t late[WEFT__STORED_LATE])
{
	const struct weft_stored_debt *d = &s->debt;

	weft__stored_little(late, (uint64_t)d->since, 8);
	weft__stored_little(late + 8, (uint64_t)llround(d->worth * MILLION), 4);
	weft__stored_little(late + 12, (uint64_t)llround(d->anew * MILLION), 4);
	weft__stored_little(late + 16, d->entries, 8);
	weft__stored_little(late + 24, d->blocks, 8);
	weft__stored_little(late + 32, s->owed, 8);
	weft__stored_little(late + 40, late_sum(sum, late), 8);
}

void weft__take_late(struct weft__take *t, uint64_t sum, struct weft_stored *s)
{
	uint64_t right = late_sum(sum, t->at);
	struct weft_stored_debt debt;
	uint64_t owed;

	weft__take_debt(t, &debt);
	owed = weft__take_number(t, 8);
	if (t->err || weft__take_number(t, 8) != right)
		return;
	s->debt = debt;
	s->owed = owed;
}
