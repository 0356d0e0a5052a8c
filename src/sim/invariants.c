// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What holds at any moment: blocks of a lane's buffer are in its queue, on
 * their way back, or credits of its sender; none of these is less than nothing
 * or more than the buffer; every packet that was injected is delivered, dropped
 * or in a queue; those from one host to another arrive in the order that they
 * were sent in.
 */
#include "sim/sim.h"

/* Counts the packets in a queue, and adds their blocks. */
static uint64_t count_queue(const struct weft__sim *s, uint32_t q,
			    int64_t *blocks)
{
	uint64_t n = 0;

	for (uint32_t i = s->lane[q].head; i != WEFT_NONE;
	     i = s->packet[i].next) {
		*blocks += s->packet[i].blocks;
		n++;
	}
	return n;
}

/* Counts the packets in a lane's buffer; *blocks: that they fill. */
static uint64_t queued(const struct weft__sim *s, uint32_t l, int64_t *blocks)
{
	uint32_t to = s->out[s->lane[l].channel].to;
	uint64_t n;

	*blocks = 0;
	n = count_queue(s, l, blocks);
	for (unsigned i = 0;
	     s->voq && weft_is_switch(to) && i <= s->f->sw[to].nports; i++)
		n += count_queue(s, s->voq[l] + i, blocks);
	return n;
}

static int64_t noted(const struct weft__sim *s, const struct weft__lane *lane)
{
	int64_t blocks = 0;

	for (uint32_t i = lane->note; i != WEFT_NONE; i = s->note[i].next)
		blocks += s->note[i].blocks;
	return blocks;
}

uint64_t weft__sim_queued(const struct weft__sim *s)
{
	uint64_t n = 0;
	int64_t blocks;

	for (uint32_t l = 0; l < s->nlanes; l++)
		n += queued(s, l, &blocks);
	return n;
}

uint64_t weft__invariants(const struct weft__sim *s)
{
	uint64_t bad = 0, packets = 0;

	for (uint32_t l = 0; l < s->nlanes; l++) {
		const struct weft__lane *lane = &s->lane[l];
		int64_t buffer =
			weft__sim_buffer(s, lane->channel) / WEFT_SIM_BLOCK;
		int64_t blocks;

		packets += queued(s, l, &blocks);
		bad += lane->credits < 0 || lane->credits > buffer;
		bad += blocks > buffer;
		bad += blocks + noted(s, lane) + lane->credits != buffer;
	}
	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		packets += s->result->dropped[i];
	return bad + (packets + s->result->delivered != s->result->injected);
}

bool weft__in_order(struct weft__sim *s, const struct weft__packet *p)
{
	size_t flow = ((size_t)p->source * s->nends + p->dest) << s->lmc;
	uint32_t *last;
	bool fine;

	if (s->lmc)
		flow += p->lid & ((1u << s->lmc) - 1);
	last = &s->last_sequence[flow];
	fine = p->sequence > *last;
	if (fine)
		*last = p->sequence;
	return fine;
}
