// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Congestion control (InfiniBand Architecture Specification, volume 1, annex
 * A10).
 *
 * A switch marks packets (FECN) that leave by an output for which more waits
 * than the threshold says, if it is the root of the congestion: it has credits
 * for more and others wait for it, or leads to a host that gives it none.  The
 * host that gets a marked packet answers with a notification (BECN) of a packet
 * of its own, which goes first there.  The source then takes a higher entry of
 * its congestion control table for that destination: the pause between two
 * packets, in times of a packet.  A timer takes it down again, step by step.
 *
 * Between subnets routers mark as switches do, and a notification takes the way
 * of any packet to the source.  Port 0 of switches takes no part.
 *
 * What waits is what is in the queues for the output, or where a buffer is one
 * queue, what is in that of the packet.  Entries are worked out when they are
 * needed, from the time that has passed.
 */
#include "sim/sim.h"

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
	struct pace *pace;   /* [nep * nep] of a host to another */
	struct notes *notes; /* [nep] */
	uint32_t *unmarked;  /* [nch] packets since the last mark */
	uint64_t step;	     /* ticks of the timer */
	uint32_t threshold;  /* blocks, a packet at least */
	uint32_t packet;     /* blocks of a whole one */
};

static struct pace *pace_of(const struct weft__sim *s, uint32_t from,
			    uint32_t to)
{
	return &s->pacing->pace[(size_t)from * s->f->nep + to];
}

/* Works out the entry for now. */
static void update(const struct weft__sim *s, struct pace *pace)
{
	uint32_t now = s->now / s->pacing->step, past = now - pace->steps;
	uint32_t least = s->spec->cc.ccti_min;

	pace->steps = now;
	pace->entry = pace->entry > least + past ? pace->entry - past : least;
}

/* --- switches ------------------------------------------------------------- */

/* Whether much waits beside a packet: for its output, or where a buffer is one
 * queue, in that buffer. */
static bool is_full(const struct weft__sim *s, uint32_t ch,
		    const struct weft__lane *queue)
{
	const struct weft__pacing *c = s->pacing;
	uint32_t in = queue->channel * s->nvl + queue->vl;
	int32_t buffer = weft__sim_buffer(s, queue->channel) / WEFT_SIM_BLOCK;

	if (s->voq)
		return s->waiting[ch] > c->threshold / c->packet;
	return buffer - s->lane[in].credits >=
	       (int32_t)(c->threshold + c->packet);
}

void weft__pace_mark(struct weft__sim *s, uint32_t l,
		     const struct weft__lane *queue, struct weft__packet *p)
{
	struct weft__pacing *c = s->pacing;
	uint32_t ch = s->lane[l].channel;
	bool has_credits = s->lane[l].credits >= 2 * (int32_t)c->packet;
	bool root = has_credits || weft_is_endport(s->out[ch].to);

	if (p->note || p->source >= s->f->nep || !root ||
	    (has_credits && !s->waiting[ch]) || !is_full(s, ch, queue))
		return;
	if (c->unmarked[ch]++ < s->spec->cc.marking_rate)
		return;
	c->unmarked[ch] = 0;
	p->marked = true;
	s->result->marked++;
}

/* --- hosts ---------------------------------------------------------------- */

/* Has a host look for something to send at that time, or before. */
static void wake(struct weft__sim *s, uint32_t ep, uint64_t time)
{
	uint32_t slot = weft__slot_host(s, ep);

	if (time < s->now)
		time = s->now;
	if (weft__wheel_has(&s->wheel, slot)) {
		if (s->wheel.slot[slot].time <= time)
			return;
		weft__wheel_remove(&s->wheel, slot);
	}
	weft__wheel_add(&s->wheel, slot, time);
}

void weft__pace_arrive(struct weft__sim *s, const struct weft__packet *p,
		       uint64_t time)
{
	struct notes *notes = &s->pacing->notes[p->dest];

	if (notes->n == NOTES)
		return;
	notes->note[(notes->first + notes->n++) % NOTES] = (struct note){
		.time = time,
		.to = p->source,
	};
	wake(s, p->dest, time);
}

void weft__pace_notified(struct weft__sim *s, const struct weft__packet *p)
{
	struct pace *pace = pace_of(s, p->dest, p->source);

	update(s, pace);
	pace->entry += s->spec->cc.ccti_increase;
	if (pace->entry > s->spec->cc.ccti_limit)
		pace->entry = s->spec->cc.ccti_limit;
	s->result->notified++;
}

uint32_t weft__pace_note(struct weft__sim *s, uint32_t ep)
{
	struct notes *notes = &s->pacing->notes[ep];
	const struct note *note = &notes->note[notes->first];

	if (!notes->n)
		return WEFT_NONE;
	if (note->time > s->now) {
		wake(s, ep, note->time);
		return WEFT_NONE;
	}
	return note->to;
}

void weft__pace_noted(struct weft__sim *s, uint32_t ep)
{
	struct notes *notes = &s->pacing->notes[ep];

	notes->first = (notes->first + 1) % NOTES;
	notes->n--;
}

bool weft__pace_waits(struct weft__sim *s, uint32_t ep,
		      const struct weft__message *m)
{
	const struct pace *pace = pace_of(s, ep, m->dest);

	if (pace->next <= s->now)
		return false;
	wake(s, ep, pace->next);
	return true;
}

void weft__pace_sent(struct weft__sim *s, const struct weft__packet *p)
{
	struct pace *pace = pace_of(s, p->source, p->dest);
	const struct weft__out *out =
		&s->out[s->f->first_injection + p->source];
	uint64_t wire = (uint64_t)p->bytes * out->byte;

	update(s, pace);
	pace->next = s->now + wire + (wire * pace->entry >> s->spec->cc.shift);
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
		return weft_fail(diag, EINVAL,
				 "congestion control: a threshold of 1 to 15, an increase and a timer above 0, a limit of 16383 at most that is not below the least entry, a shift of 0 to 3");
	return 0;
}

bool weft__pace_init(struct weft__sim *s)
{
	struct weft__pacing *c = weft__arena_zalloc(s->arena, 1, sizeof(*c));
	uint32_t nep = s->f->nep, buffer = s->spec->buffer / WEFT_SIM_BLOCK;

	if (!c)
		return false;
	c->pace = weft__arena_zalloc(s->arena, (size_t)nep * nep,
				     sizeof(*c->pace));
	c->notes = weft__arena_zalloc(s->arena, nep, sizeof(*c->notes));
	c->unmarked =
		weft__arena_zalloc(s->arena, s->nch, sizeof(*c->unmarked));
	if (!s->waiting)
		s->waiting = weft__arena_zalloc(s->arena, s->nch,
						sizeof(*s->waiting));
	if (!c->pace || !c->notes || !c->unmarked || !s->waiting)
		return false;
	c->packet = weft__sim_blocks(s->spec->mtu + s->spec->header);
	c->threshold = buffer * (16 - s->spec->cc.threshold) / 16;
	if (c->threshold < c->packet)
		c->threshold = c->packet;
	c->step = s->spec->cc.ccti_timer * 1024ull * WEFT__TICKS_NS;
	s->pacing = c;
	return true;
}
