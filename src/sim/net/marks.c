// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What switches do for congestion control (InfiniBand Architecture
 * Specification, volume 1, annex A10); host/pace.c has what hosts make of it.
 *
 * A switch marks packets (FECN) that leave by an output for which more waits
 * than the threshold says, if it is the root of the congestion: it has credits
 * for more and others wait for it, or leads to a host that gives it none.
 * Between subnets routers mark as switches do.
 *
 * What waits is what is in the queues for the output, or where a buffer is one
 * queue, what is in that of the packet.
 */
#include "sim/net/net.h"

struct weft__marks {
	uint32_t *unmarked; /* [nch] packets since the last mark */
	uint32_t threshold; /* blocks, a packet at least */
	uint32_t packet;    /* blocks of a whole one */
};

bool weft__marks_init(struct weft__net *net, struct weft_arena *arena)
{
	const struct weft_sim_spec *spec = net->spec;
	uint32_t buffer = spec->buffer / WEFT_SIM_BLOCK;
	struct weft__marks *c;

	if (!spec->cc.on)
		return true;
	c = net->marks = weft__arena_zalloc(arena, 1, sizeof(*c));
	if (!c)
		return false;
	c->unmarked = weft__arena_zalloc(arena, net->nch, sizeof(*c->unmarked));
	if (!net->waiting)
		net->waiting = weft__arena_zalloc(arena, net->nch,
						  sizeof(*net->waiting));
	c->packet = weft__net_blocks(spec->mtu + spec->header);
	c->threshold = buffer * (16 - spec->cc.threshold) / 16;
	if (c->threshold < c->packet)
		c->threshold = c->packet;
	return c->unmarked && net->waiting;
}

/* Whether much waits beside a packet: for its output, or where a buffer is one
 * queue, in that buffer. */
static bool is_full(const struct weft__net *net, uint32_t ch,
		    const struct weft__queue *queue)
{
	const struct weft__marks *c = net->marks;
	const struct weft__lane *in = &net->lane[queue->lane];
	int32_t buffer = weft__net_buffer(net, in->channel) / WEFT_SIM_BLOCK;

	if (net->voq)
		return net->waiting[ch] > c->threshold / c->packet;
	return buffer - in->credits >= (int32_t)(c->threshold + c->packet);
}

bool weft__marks_packet(struct weft__net *net, uint32_t l,
			const struct weft__queue *queue, struct weft__packet *p)
{
	struct weft__marks *c = net->marks;
	uint32_t ch = net->lane[l].channel;
	bool has_credits = net->lane[l].credits >= 2 * (int32_t)c->packet;
	bool root = has_credits || weft_is_endport(net->out[ch].to);

	if (p->note || p->source >= net->f->nep || !root ||
	    (has_credits && !net->waiting[ch]) || !is_full(net, ch, queue))
		return false;
	if (c->unmarked[ch]++ < net->spec->cc.marking_rate)
		return false;
	c->unmarked[ch] = 0;
	p->marked = true;
	return true;
}
