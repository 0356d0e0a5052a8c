// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What holds at any moment: blocks of a lane's buffer are in its queue, on
 * their way back, or credits of its sender; none of these is less than nothing
 * or more than the buffer; every packet that was injected is delivered, dropped
 * or in a queue; those from one host to another arrive in the order that they
 * were sent in.
 */
#include "sim/watch/watch.h"

/* Counts the packets in a queue, and adds their blocks. */
static uint64_t count_queue(const struct weft__net *net, uint32_t q,
			    int64_t *blocks)
{
	uint64_t n = 0;

	for (uint32_t i = net->queue[q].head; i != WEFT_NONE;
	     i = net->packet[i].next) {
		*blocks += net->packet[i].blocks;
		n++;
	}
	return n;
}

/* Counts the packets in a lane's buffer; *blocks: that they fill. */
static uint64_t queued(const struct weft__net *net, uint32_t l, int64_t *blocks)
{
	uint32_t sw = net->queue[l].sw;
	uint64_t n;

	*blocks = 0;
	n = count_queue(net, l, blocks);
	for (unsigned i = 0;
	     net->voq && sw != WEFT_NONE && i <= net->f->sw[sw].nports; i++)
		n += count_queue(net, net->voq[l] + i, blocks);
	return n;
}

static int64_t noted(const struct weft__net *net, uint32_t l)
{
	int64_t blocks = 0;

	for (uint32_t i = 0; i < net->lane[l].notes; i++)
		blocks += weft__credits_note(net, l, i)->blocks;
	return blocks;
}

uint64_t weft__watch_queued(const struct weft__net *net)
{
	uint64_t n = 0;
	int64_t blocks;

	for (uint32_t l = 0; l < net->nlanes; l++)
		n += queued(net, l, &blocks);
	return n;
}

uint64_t weft__invariants(const struct weft__net *net,
			  const struct weft_sim *result)
{
	uint64_t bad = 0, packets = 0;

	for (uint32_t l = 0; l < net->nlanes; l++) {
		const struct weft__lane *lane = &net->lane[l];
		int64_t buffer =
			weft__net_buffer(net, lane->channel) / WEFT_SIM_BLOCK;
		int64_t blocks;

		packets += queued(net, l, &blocks);
		bad += lane->credits < 0 || lane->credits > buffer;
		bad += blocks > buffer;
		bad += blocks + noted(net, l) + lane->credits != buffer;
	}
	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		packets += result->dropped[i];
	return bad + (packets + result->delivered != result->injected);
}

bool weft__watch_order(struct weft__watch *watch, const struct weft__packet *p)
{
	size_t flow = ((size_t)p->source * watch->nends + p->dest)
		      << watch->lmc;
	uint32_t *last;
	bool fine;

	if (watch->lmc)
		flow += p->lid & ((1u << watch->lmc) - 1);
	last = &watch->last_sequence[flow];
	fine = p->sequence > *last;
	if (fine)
		*last = p->sequence;
	return fine;
}
