// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Congestion control (InfiniBand Architecture Specification, volume 1, annex
 * A10).
 *
 * A switch marks packets where there is congestion, as net/marks.c tells.  The
 * host that gets a marked packet answers with a notification (BECN) of a packet
 * of its own, which goes first there.  The source then takes a higher entry of
 * its congestion control table for that destination: the pause between two
 * packets, in times of a packet.  A timer takes it down again, step by step.
 *
 * Between subnets a notification takes the way of any packet to the source.
 * Port 0 of switches takes no part.  Entries are worked out when they are
 * needed, from the time that has passed.
 */
#include "sim/host/host.h"

#include <errno.h>

#define NOTES 64u /* notifications that wait at a host */

/* What a host knows of another one that it sends to. */
struct pace {
	uint64_t next;	/* when its next packet may go */
	uint32_t steps; /* of the timer, when it was last worked out */
	uint32_t entry; /* of the table */
};

struct note {
	uint64_t time; /* when the marked packet is there */
	uint32_t to;
};

struct notes {
	struct note note[NOTES];
	uint32_t first, n;
};

struct weft__pacing {
	const struct weft_sim_cc *cc;
	struct pace *pace;   /* [nhosts * nhosts] of a host to another */
	struct notes *notes; /* [nhosts] */
	uint32_t nhosts;
	uint64_t step; /* ticks of the timer */
};

static struct pace *pace_of(const struct weft__pacing *pacing, uint32_t from,
			    uint32_t to)
{
	return &pacing->pace[(size_t)from * pacing->nhosts + to];
}

/* Works out the entry for now. */
static void update(const struct weft__pacing *pacing, uint64_t time,
		   struct pace *pace)
{
	uint32_t now = time / pacing->step, past = now - pace->steps;
	uint32_t least = pacing->cc->ccti_min;

	pace->steps = now;
	pace->entry = pace->entry > least + past ? pace->entry - past : least;
}

/* --- hosts ---------------------------------------------------------------- */

/* Has a host look for something to send at that time, or before. */
static void wake(struct weft__clock *clock, uint32_t ep, uint64_t time)
{
	weft__clock_wake(clock, clock->hosts + ep,
			 time < clock->now ? clock->now : time);
}

void weft__pace_arrive(struct weft__pacing *pacing, struct weft__clock *clock,
		       const struct weft__packet *p, uint64_t time)
{
	struct notes *notes = &pacing->notes[p->dest];

	if (notes->n == NOTES)
		return;
	notes->note[(notes->first + notes->n++) % NOTES] = (struct note){
		.time = time,
		.to = p->source,
	};
	wake(clock, p->dest, time);
}

void weft__pace_notified(struct weft__pacing *pacing, uint64_t now,
			 const struct weft__packet *p)
{
	struct pace *pace = pace_of(pacing, p->dest, p->source);

	update(pacing, now, pace);
	pace->entry += pacing->cc->ccti_increase;
	if (pace->entry > pacing->cc->ccti_limit)
		pace->entry = pacing->cc->ccti_limit;
}

uint32_t weft__pace_note(struct weft__pacing *pacing, struct weft__clock *clock,
			 uint32_t ep)
{
	struct notes *notes = &pacing->notes[ep];
	const struct note *note = &notes->note[notes->first];

	if (!notes->n)
		return WEFT_NONE;
	if (note->time > clock->now) {
		wake(clock, ep, note->time);
		return WEFT_NONE;
	}
	return note->to;
}

void weft__pace_noted(struct weft__pacing *pacing, uint32_t ep)
{
	struct notes *notes = &pacing->notes[ep];

	notes->first = (notes->first + 1) % NOTES;
	notes->n--;
}

bool weft__pace_waits(struct weft__pacing *pacing, struct weft__clock *clock,
		      uint32_t ep, const struct weft__message *m)
{
	const struct pace *pace = pace_of(pacing, ep, m->dest);

	if (pace->next <= clock->now)
		return false;
	wake(clock, ep, pace->next);
	return true;
}

void weft__pace_sent(struct weft__pacing *pacing, uint64_t now,
		     const struct weft__packet *p, uint64_t wire)
{
	struct pace *pace = pace_of(pacing, p->source, p->dest);

	update(pacing, now, pace);
	pace->next = now + wire + (wire * pace->entry >> pacing->cc->shift);
}

/* --- setting up ----------------------------------------------------------- */

int weft__pace_check(const struct weft_sim_spec *spec, struct weft_diag *diag)
{
	const struct weft_sim_cc *cc = &spec->cc;

	if (!cc->on)
		return 0;
	if (!cc->threshold || cc->threshold > 15 || !cc->ccti_increase ||
	    cc->ccti_min > cc->ccti_limit || !cc->ccti_timer ||
	    cc->ccti_limit > 16383 || cc->shift > 3)
		return weft_fail(
			diag, EINVAL,
			"congestion control: a threshold of 1 to 15, an increase and a timer above 0, a limit of 16383 at most that is not below the least entry, a shift of 0 to 3");
	return 0;
}

bool weft__pace_init(struct weft__hosts *hosts, uint32_t nhosts,
		     struct weft_arena *arena)
{
	struct weft__pacing *c;

	if (!hosts->spec->cc.on)
		return true;
	c = hosts->pacing = weft__arena_zalloc(arena, 1, sizeof(*c));
	if (!c)
		return false;
	c->cc = &hosts->spec->cc;
	c->nhosts = nhosts;
	c->pace = weft__arena_zalloc(arena, (size_t)nhosts * nhosts,
				     sizeof(*c->pace));
	c->notes = weft__arena_zalloc(arena, nhosts, sizeof(*c->notes));
	c->step = c->cc->ccti_timer * 1024ull * WEFT__TICKS_NS;
	return c->pace && c->notes;
}
