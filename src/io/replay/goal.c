// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Schedules in the text format GOAL, as LogGOPSim's txt2bin reads it: sends,
 * receives and calculations of each rank, and what they require.
 *
 * A receive becomes a pause of no length that waits for its message, the one
 * that has the same place among those of the same sender, receiver and tag.
 * What others require to have begun gets a pause in front of it, which waits
 * for all that it requires.
 */
#include "io/replay/build.h"
#include "io/replay/goal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* --- conditions ----------------------------------------------------------- */

/* The condition that an operation is done. */
static uint32_t is_done(const struct weft__goal *g, uint32_t op)
{
	uint32_t job = g->op[op].job;

	return g->op[op].type == WEFT__SEND ? WEFT_SIM_SENT_OUT(job) :
					      WEFT_SIM_DELIVERED(job);
}

/* Puts pauses in front of operations that others require to have begun. */
static int add_gates(struct weft__goal *g)
{
	int err = 0;

	for (uint64_t i = 0; i < g->ndeps && !err; i++) {
		struct weft__op *on = &g->op[g->dep[i].on];
		const struct weft__entry gate = {
			.job = { .from = on->rank, .to = on->rank },
			.line = on->line,
		};

		if (!g->dep[i].start || on->gate != WEFT_NONE)
			continue;
		on->gate = g->b->n;
		err = weft__build_add(g->b, &gate);
		if (!err)
			err = weft__build_wait(g->b, on->job,
					       WEFT_SIM_DELIVERED(on->gate));
	}
	return err;
}

static int add_conditions(struct weft__goal *g)
{
	int err = add_gates(g);

	for (uint64_t i = 0; i < g->ndeps && !err; i++) {
		const struct weft__dep *d = &g->dep[i];
		const struct weft__op *op = &g->op[d->op];
		uint32_t gate = g->op[d->on].gate;

		err = weft__build_wait(
			g->b, op->gate != WEFT_NONE ? op->gate : op->job,
			d->start ? WEFT_SIM_DELIVERED(gate) :
				   is_done(g, d->on));
	}
	return err;
}

/* --- messages ------------------------------------------------------------- */

/* A send or receive among those of its kind. */
struct half {
	uint32_t from, to, tag, op;
};

static int by_channel(const void *a, const void *b)
{
	const struct half *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->tag > y->tag) - (x->tag < y->tag);
}

static int by_place(const void *a, const void *b)
{
	const struct half *x = a, *y = b;
	int order = by_channel(a, b);

	return order ? order : (x->op > y->op) - (x->op < y->op);
}

/* Lists the sends, or receives, by sender, receiver, tag and place. */
static uint64_t list_halves(const struct weft__goal *g, bool sends,
			    struct half *out)
{
	uint64_t n = 0;

	for (uint64_t i = 0; i < g->nops; i++) {
		const struct weft__op *op = &g->op[i];

		if (sends && op->type == WEFT__SEND)
			out[n++] =
				(struct half){ op->rank, op->peer, op->tag, i };
		else if (!sends && op->type == WEFT__RECV)
			out[n++] =
				(struct half){ op->peer, op->rank, op->tag, i };
	}
	qsort(out, n, sizeof(*out), by_place);
	return n;
}

/* Has a receive wait for its message. */
static int join(struct weft__goal *g, uint32_t send, uint32_t recv)
{
	const struct weft__op *s = &g->op[send], *r = &g->op[recv];

	if (s->size > r->size)
		return weft__build_fail(g->b, r->line,
					"a receive of %" PRIu64
					" bytes, but what is sent in line %lu has %" PRIu64,
					r->size, s->line, s->size);
	return weft__build_wait(g->b, r->job, WEFT_SIM_DELIVERED(s->job));
}

static int match(struct weft__goal *g, struct half *send, struct half *recv)
{
	uint64_t ns = list_halves(g, true, send),
		 nr = list_halves(g, false, recv), s = 0, r = 0;
	int err = 0;

	while ((s < ns || r < nr) && !err) {
		int order = s == ns ? 1 :
			    r == nr ? -1 :
				      by_channel(&send[s], &recv[r]);

		if (order < 0)
			return weft__build_fail(
				g->b, g->op[send[s].op].line,
				"rank %u does not receive this message of rank %u, tag %u: its recv is missing",
				send[s].to, send[s].from, send[s].tag);
		if (order > 0)
			return weft__build_fail(
				g->b, g->op[recv[r].op].line,
				"rank %u does not send this message to rank %u, tag %u: its send is missing",
				recv[r].from, recv[r].to, recv[r].tag);
		err = join(g, send[s++].op, recv[r++].op);
	}
	return err;
}

static int match_messages(struct weft__goal *g)
{
	struct half *send = malloc((g->nops + 1) * sizeof(*send)),
		    *recv = malloc((g->nops + 1) * sizeof(*recv));
	int err = send && recv ? match(g, send, recv) :
				 weft__build_no_memory(g->b);

	free(send);
	free(recv);
	return err;
}

static int add_jobs(struct weft__goal *g)
{
	int err = 0;

	for (uint64_t i = 0; i < g->nops && !err; i++) {
		struct weft__op *op = &g->op[i];
		struct weft__entry entry = {
			.job = { .from = op->rank, .to = op->rank },
			.name = op->name,
			.line = op->line,
		};

		if (op->type == WEFT__SEND) {
			entry.job.to = op->peer;
			/* Without payload it takes a packet, too. */
			entry.job.bytes = op->size + !op->size;
		} else if (op->type == WEFT__CALC) {
			entry.job.wait = op->size * 1000;
		}
		op->job = g->b->n;
		err = weft__build_add(g->b, &entry);
	}
	return err;
}

int weft__read_goal(struct weft__build *b)
{
	struct weft__goal g = { .b = b };
	int err = weft__parse_goal(&g);

	if (!err)
		err = add_jobs(&g);
	if (!err)
		err = match_messages(&g);
	if (!err)
		err = add_conditions(&g);
	free(g.op);
	free(g.dep);
	free(g.label);
	free(g.block);
	return err;
}
