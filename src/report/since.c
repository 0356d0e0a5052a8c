// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What changed between two moments; see since.h. */
#include "report/since.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WORD_BITS 32. /* of PortXmitData */

/* Counters of the port that sends on a channel of now, as they were before;
 * NULL: that port was not there. */
static const struct weft_port_counters *
port_before(const struct weft__moment *before, const struct weft_fabric *f,
	    uint32_t ch)
{
	const struct weft_fabric *old = before->fabric;
	uint32_t at, s;

	if (ch >= f->first_injection) {
		at = weft_fabric_endport_by_guid(
			old, f->ep[ch - f->first_injection].guid);
		if (at == WEFT_NONE)
			return NULL;
		at += old->first_injection;
	} else {
		uint32_t sw = weft_channel_switch(f, ch);

		s = weft_fabric_switch_by_guid(old, f->sw[sw].guid);
		if (s == WEFT_NONE)
			return NULL;
		at = old->first_channel[s] + ch - f->first_channel[sw];
		if (at >= old->first_channel[s + 1])
			return NULL;
	}
	return at < before->counters->nch ? &before->counters->port[at] : NULL;
}

/* How much a counter grew.  One that was cleared in between counts from 0. */
static bool growth(const struct weft_port_counters *old,
		   const struct weft_port_counters *p, enum weft_counter k,
		   uint64_t *out)
{
	if (!(p->known >> k & 1))
		return false;
	if (!old) {
		*out = p->growth[k];
		return p->grew >> k & 1;
	}
	if (!(old->known >> k & 1))
		return false;
	*out = p->value[k] >= old->value[k] ? p->value[k] - old->value[k] :
					      p->value[k];
	return true;
}

static int busiest_first(const void *a, const void *b)
{
	const struct weft__busy *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return (x->channel > y->channel) - (x->channel < y->channel);
}

static int most_first(const void *a, const void *b)
{
	const struct weft__worse *x = a, *y = b;

	if (x->growth != y->growth)
		return x->growth < y->growth ? 1 : -1;
	if (x->channel != y->channel)
		return x->channel > y->channel ? 1 : -1;
	return (x->counter > y->counter) - (x->counter < y->counter);
}

static int most_ever_first(const void *a, const void *b)
{
	const struct weft__worse *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return most_first(a, b);
}

static void add_busy(const struct weft_fabric *f,
		     const struct weft_port_counters *old,
		     const struct weft_port_counters *p, uint32_t ch,
		     double seconds, struct weft__since *s)
{
	double mbit = f->capacity[ch];
	uint64_t words, ticks;

	if (seconds <= 0 || !growth(old, p, WEFT_XMIT_DATA, &words) || !words)
		return;
	s->busy[s->nbusy] = (struct weft__busy){
		.channel = ch,
		.gbit = words * WORD_BITS / seconds / 1e9,
		.waits = growth(old, p, WEFT_XMIT_WAIT, &ticks) ?
				 ticks / seconds :
				 NAN,
	};
	if (mbit > 0)
		s->busy[s->nbusy].share =
			1e3 * s->busy[s->nbusy].gbit / mbit;
	s->nbusy++;
}

static void add_worse(const struct weft_port_counters *old,
		      const struct weft_port_counters *p, uint32_t ch,
		      struct weft__since *s)
{
	uint64_t n;

	for (unsigned k = 0; k < WEFT_COUNTERS; k++) {
		if (!weft_counter_is_error(k))
			continue;
		if (!(p->known >> k & 1) || !p->value[k])
			continue;
		if (growth(old, p, k, &n) && n)
			s->worse[s->nworse++] = (struct weft__worse){
				ch, k, n, p->value[k]
			};
		else
			n = 0;
		s->totals[s->ntotals++] = (struct weft__worse){
				ch, k, n, p->value[k]
			};
	}
}

/* How many errors of any kind were ever counted, port by port. */
static size_t count_errors(const struct weft_counters *c)
{
	size_t n = 0;

	for (uint32_t ch = 0; ch < c->nch; ch++)
		for (unsigned k = 0; k < WEFT_COUNTERS; k++)
			n += weft_counter_is_error(k) &&
			     (c->port[ch].known >> k & 1) &&
			     c->port[ch].value[k];
	return n;
}

static int count(const struct weft__moment *before,
		 const struct weft__moment *now, struct weft__since *s)
{
	const struct weft_fabric *f = now->fabric;
	const struct weft_counters *c = now->counters;
	size_t n = count_errors(c) + 1;

	s->busy = malloc((c->nread + (size_t)1) * sizeof(*s->busy));
	s->worse = malloc(n * sizeof(*s->worse));
	s->totals = malloc(n * sizeof(*s->totals));
	if (!s->busy || !s->worse || !s->totals)
		return -ENOMEM;
	for (uint32_t ch = 0; ch < c->nch; ch++) {
		const struct weft_port_counters *p = &c->port[ch], *old = NULL;

		if (!p->known || f->peer[ch] == WEFT_NONE)
			continue;
		if (before) {
			old = port_before(before, f, ch);
			if (!old)
				continue;
		}
		if (!before && p->seconds > s->seconds)
			s->seconds = p->seconds;
		add_busy(f, old, p, ch, before ? s->seconds : p->seconds, s);
		add_worse(old, p, ch, s);
	}
	qsort(s->busy, s->nbusy, sizeof(*s->busy), busiest_first);
	qsort(s->worse, s->nworse, sizeof(*s->worse), most_first);
	qsort(s->totals, s->ntotals, sizeof(*s->totals), most_ever_first);
	return 0;
}

static int compare_tables(const struct weft__moment *before,
			  const struct weft__moment *now,
			  struct weft__since *s, struct weft_diag *diag)
{
	const struct weft_diff_side a = { before->fabric, before->routes };
	const struct weft_diff_side b = { now->fabric, now->routes };
	struct weft_diff d;
	int err;

	if (!a.routes || !b.routes)
		return 0;
	err = weft_diff_run(&a, &b, &d, diag);
	if (err)
		return err;
	s->has_tables = true;
	s->entries = d.entries;
	s->switches = d.nsw;
	weft_diff_free(&d);
	return 0;
}

int weft__since_find(const struct weft__moment *before,
		     const struct weft__moment *now, struct weft__since *out,
		     struct weft_diag *diag)
{
	struct weft__since s = { .compared = before };
	int err;

	if (before && before->time > 0 && now->time > before->time)
		s.seconds = now->time - before->time;
	err = count(before, now, &s) ? weft_no_memory(diag) : 0;
	if (!err && before)
		err = weft_against_run(before->fabric, now->fabric, false,
				       &s.cables, diag);
	if (!err && before)
		err = compare_tables(before, now, &s, diag);
	if (err)
		weft__since_free(&s);
	else
		*out = s;
	return err;
}

void weft__since_free(struct weft__since *s)
{
	free(s->busy);
	free(s->worse);
	free(s->totals);
	weft_against_free(&s->cables);
}

double weft__moment_time(const char *directory)
{
	static const char *const names[] = { "weft-counters.csv",
					     "fabric.ibnetdiscover" };
	char path[PATH_MAX];
	struct stat st;

	for (unsigned i = 0; i < 2; i++)
		if (snprintf(path, sizeof(path), "%s/%s", directory,
			     names[i]) < (int)sizeof(path) &&
		    !stat(path, &st))
			return st.st_mtim.tv_sec + st.st_mtim.tv_nsec * 1e-9;
	return 0;
}
