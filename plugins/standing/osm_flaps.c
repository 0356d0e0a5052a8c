// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts cables that come and go; see osm_flaps.h. */
#include "plugins/standing/osm_flaps.h"

#include "core/grow.h"
#include "core/text/words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int compare(const struct weft__cable *a, const struct weft__cable *b)
{
	for (unsigned i = 0; i < 2; i++) {
		if (a->guid[i] != b->guid[i])
			return a->guid[i] < b->guid[i] ? -1 : 1;
		if (a->port[i] != b->port[i])
			return a->port[i] < b->port[i] ? -1 : 1;
	}
	return 0;
}

static struct weft__cable cable_of(const struct weft_fabric *f, uint32_t ch)
{
	uint32_t far = f->reverse[ch];
	uint32_t end[] = { ch < far ? ch : far, ch < far ? far : ch };
	struct weft__cable cable;

	for (unsigned i = 0; i < 2; i++) {
		uint32_t s = f->peer[f->reverse[end[i]]];

		cable.guid[i] = f->sw[s].guid;
		cable.port[i] = end[i] - f->first_channel[s];
	}
	return cable;
}

/* --- what went of late -------------------------------------------------- */

static int compare_flaps(const void *a, const void *b)
{
	const struct weft__flap *x = a, *y = b;

	return compare(&x->cable, &y->cable);
}

static struct weft__flap *find(const struct weft__flaps *flaps,
			       const struct weft__cable *cable)
{
	const struct weft__flap key = { .cable = *cable };

	return flaps->sorted ? bsearch(&key, flaps->flap, flaps->sorted,
				       sizeof(key), compare_flaps) : NULL;
}

/* Counts that a cable went. */
static int note(struct weft__flaps *flaps, const struct weft__cable *cable,
		bool there)
{
	struct weft__flap *flap = find(flaps, cable);

	if (!flap) {
		if (weft__grow(&flaps->flap, &flaps->room, flaps->n + 1))
			return -ENOMEM;
		flap = &flaps->flap[flaps->n++];
		*flap = (struct weft__flap){ .cable = *cable };
	}
	if (flap->times == WEFT__FLAPS_MOST)
		memmove(flap->went, flap->went + 1,
			--flap->times * sizeof(*flap->went));
	flap->went[flap->times++] = flaps->now;
	flap->there = there;
	flap->since = flaps->now;
	return 0;
}

static void note_return(struct weft__flaps *flaps,
			const struct weft__cable *cable)
{
	struct weft__flap *flap = find(flaps, cable);

	if (!flap)
		return;
	flap->there = true;
	flap->since = flaps->now;
}

/* Forgets when a cable went if that is longer ago than a window. */
static void expire(struct weft__flap *flap, int64_t from)
{
	unsigned old = 0;

	while (old < flap->times && flap->went[old] <= from)
		old++;
	flap->times -= old;
	memmove(flap->went, flap->went + old,
		flap->times * sizeof(*flap->went));
}

static void warn(const struct weft__flaps *flaps, const struct weft__flap *flap,
		 const struct weft_fabric *f, struct weft_diag *diag)
{
	char *text = weft__cable_text(&flap->cable, f);

	weft_diag_say(diag, WEFT_WARNING,
		      "%s went %u times within %u s: out of use, where others lead to the same places, until it was there for as long",
		      text ? text : "a cable",
		      flap->times, flaps->window);
	free(text);
}

/* Decides who is out of use, and forgets those of which nothing is left. */
static void decide(struct weft__flaps *flaps, const struct weft_fabric *f,
		   struct weft_diag *diag)
{
	int64_t from = flaps->now - (int64_t)flaps->window;
	size_t n = 0;

	for (size_t i = 0; i < flaps->n; i++) {
		struct weft__flap *flap = &flaps->flap[i];

		expire(flap, from);
		flap->over = flap->out && flap->there && flap->since <= from;
		flap->out &= !flap->over;
		if (!flap->out && flap->times >= flaps->times) {
			flap->out = true;
			warn(flaps, flap, f, diag);
		}
		if (flap->out || flap->over || flap->times)
			flaps->flap[n++] = *flap;
	}
	flaps->n = flaps->sorted = n;
}

/* --- a sweep ------------------------------------------------------------- */

/* The cables that there are, ascending as ids of switches and ports are;
 * channel[] has one of the two channels of each. */
static struct weft__cable *list(const struct weft_fabric *f, size_t *n,
				uint32_t **channel)
{
	size_t room = f->adj_first[f->nsw] + 1;
	struct weft__cable *cable = malloc(room * sizeof(*cable));

	*channel = malloc(room * sizeof(**channel));
	*n = 0;
	if (!cable || !*channel) {
		free(cable);
		return NULL;
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);

			if (!weft_is_switch(f->peer[ch]) ||
			    f->peer[ch] == s || f->reverse[ch] < ch)
				continue;
			(*channel)[*n] = ch;
			cable[(*n)++] = cable_of(f, ch);
		}
	return cable;
}

/* Compares what is there with what was. */
static int merge(struct weft__flaps *flaps, const struct weft_fabric *f,
		 const bool *down, const struct weft__cable *now, size_t n,
		 const uint32_t *channel)
{
	const struct weft__cable *was = flaps->there;
	size_t i = 0, k = 0;
	int err = 0;

	while (!err && (i < flaps->nthere || k < n)) {
		int order = k == n ? -1 : i == flaps->nthere ? 1 :
			    compare(&was[i], &now[k]);

		if (order < 0)
			err = note(flaps, &was[i], false);
		else if (order > 0)
			note_return(flaps, &now[k]);
		else if (flaps->came_up && (down[channel[k]] ||
					    down[f->reverse[channel[k]]]))
			err = note(flaps, &now[k], true);
		i += order <= 0;
		k += order >= 0;
	}
	if (flaps->n > flaps->sorted)
		qsort(flaps->flap, flaps->n, sizeof(*flaps->flap),
		      compare_flaps);
	return err;
}

int weft__flaps_see(struct weft__flaps *flaps, const struct weft_fabric *f,
		    const bool *down, struct weft_diag *diag)
{
	struct weft__cable *now;
	uint32_t *channel;
	size_t n;
	int err = 0;

	if (!flaps->times) {
		weft__flaps_forget(flaps);
		return 0;
	}
	now = list(f, &n, &channel);
	if (now && flaps->seen)
		err = merge(flaps, f, down, now, n, channel);
	free(channel);
	if (!now || err) {
		free(now);
		weft__flaps_forget(flaps);
		return -ENOMEM;
	}
	free(flaps->there);
	flaps->there = now;
	flaps->nthere = n;
	flaps->seen = true;
	flaps->came_up = false;
	decide(flaps, f, diag);
	return 0;
}

bool weft__flaps_out(const struct weft__flaps *flaps,
		     const struct weft_fabric *f, uint32_t channel)
{
	struct weft__cable cable;
	const struct weft__flap *flap;

	if (!flaps->n)
		return false;
	cable = cable_of(f, channel);
	flap = find(flaps, &cable);
	return flap && flap->out;
}

uint32_t weft__flaps_count(const struct weft__flaps *flaps)
{
	uint32_t n = 0;

	for (size_t i = 0; i < flaps->n; i++)
		n += flaps->flap[i].out;
	return n;
}

void weft__flaps_forget(struct weft__flaps *flaps)
{
	free(flaps->there);
	free(flaps->flap);
	flaps->there = NULL;
	flaps->flap = NULL;
	flaps->nthere = flaps->n = flaps->sorted = flaps->room = 0;
	flaps->seen = false;
}

char *weft__cable_text(const struct weft__cable *cable,
		       const struct weft_fabric *f)
{
	char text[400];
	struct weft__words w = { .buf = text, .size = sizeof(text) };

	for (unsigned i = 0; i < 2; i++) {
		uint32_t s = weft_fabric_switch_by_guid(f, cable->guid[i]);

		if (i)
			weft__words_add(&w, " - ");
		if (s == WEFT_NONE)
			weft__words_add(&w, "0x%016" PRIx64, cable->guid[i]);
		else
			weft__words_name(&w, f->sw[s].name, f->sw[s].guid);
		weft__words_add(&w, ":%u", cable->port[i]);
	}
	weft__words_end(&w);
	return strdup(text);
}
