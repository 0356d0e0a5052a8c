// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weft sim --sweep: a pair of hosts sends message after message, and more and
 * more others, none of whose hosts is in two pairs, send without end over the
 * cable that the most of such pairs can share (CLUSTER 2008, section 2.2.2).
 * A run has all sizes at one number of streams; one more, of the pair alone,
 * has what messages cost hosts.
 */
#include "tools/sim/sweep.h"

#include "tools/sim/outcome.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 16	   /* numbers of streams, if none are given */
#define OFTEN 64	   /* messages of a size, */
#define SELDOM 4	   /* or where they are long, */
#define LONG 16384	   /* bytes from which on they are */
#define SETTLED 100000000  /* ps until the others have filled their buffers */
#define BETWEEN 20000	   /* ns between messages, at most */
#define TRAIN 16	   /* messages by which g and o are told */
#define PAUSE 10000000	   /* ps, at least */

const char *tool_sim_sweep_disagree(const struct tool *t)
{
	const struct tool_sim_own *own = t->own;

	if (own->sweep < 0)
		return own->streams ? "--streams says what --sweep goes through: give that, too" :
				      NULL;
	if (own->load || tool_sim_patterns(t) || own->replay || own->flows ||
	    t->args.jobs || tool_args_given(t, "switches") || own->events || own->trace)
		return "--sweep makes its own traffic: leave out --load, -p, --traffic, --replay, --flows, --jobs, --switches, --events and --trace";
	if (t->args.host_file || own->shuffle || own->order >= 0 ||
	    t->args.ranks || t->args.groups || own->details || own->latencies)
		return "--sweep chooses hosts by the cable that they share: leave out --mapping, --ranks, --host-file, --shuffle, --groups, --latencies and --details";
	if (tool_args_given(t, "lids"))
		return "--sweep goes by the LIDs that the routes tell: leave out --lids";
	return NULL;
}

/* --- who sends ------------------------------------------------------------ */

/* Sets the turn of each stream: how many before it begin at the same switch,
 * but for those whose hosts are in one before it: WEFT_NONE.  Returns how many
 * turns there are. */
static uint32_t take_turns(const struct weft_fabric *f,
			   const struct weft_worst *w, uint8_t *seen,
			   uint32_t *begun, uint32_t *turn)
{
	uint32_t turns = 0;

	for (uint32_t i = 0; i < w->load; i++) {
		const struct weft_worst_stream *s = &w->stream[i];
		uint32_t a = f->ep[s->from].node, b = f->ep[s->to].node;

		turn[i] = WEFT_NONE;
		if (a == b || seen[a] || seen[b])
			continue;
		seen[a] = seen[b] = 1;
		turn[i] = begun[f->ep[s->from].sw]++;
		turns = turn[i] < turns ? turns : turn[i] + 1;
	}
	return turns;
}

/* Of the streams over a cable those whose hosts are in no other one, so that
 * the first ones come from as many switches as can be: else those from one
 * share a cable before they come to this one.  Rank 2 i of *out sends to rank
 * 2 i + 1.  False after an error message. */
static bool choose_pairs(struct tool *t, const struct weft_fabric *f,
			 const struct weft_worst *w, struct weft_mapping *out)
{
	struct weft_mapping_spec spec = { .order = WEFT_ORDER_GIVEN };
	uint32_t *given = malloc((2ull * w->load + 1) * sizeof(*given));
	uint32_t *turn = malloc((w->load + 1ull) * sizeof(*turn));
	uint32_t *begun = calloc(f->nsw + 1ull, sizeof(*begun));
	uint8_t *seen = calloc(f->nnodes + 1ull, 1);
	bool ok = given && turn && begun && seen ? true : tool_no_memory(t);
	uint32_t turns = ok ? take_turns(f, w, seen, begun, turn) : 0;

	for (uint32_t k = 0; k < turns; k++)
		for (uint32_t i = 0; i < w->load; i++) {
			if (turn[i] != k)
				continue;
			given[spec.ngiven++] = w->stream[i].from;
			given[spec.ngiven++] = w->stream[i].to;
		}
	spec.given = given;
	ok = ok && !weft_mapping_init(out, f, &spec, &t->diag);
	free(given);
	free(turn);
	free(begun);
	free(seen);
	return ok;
}

static bool find_pairs(struct tool *t, const struct tool_case *c,
		       struct tool_sim_sweep *w, struct weft_mapping *out)
{
	const struct weft_worst_spec spec = {
		.lids = WEFT_LID_ROUTES,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
	};
	struct weft_worst worst;
	bool ok;

	tool_phase(t, "the cable that most pairs share, of %s", c->label);
	if (weft_worst_run(c->fabric, c->routes, &spec, &worst, &t->diag))
		return false;
	ok = worst.load;
	if (!ok)
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "%s: no hosts reach each other over a cable between switches, so that there is none to share",
			      c->input);
	ok = ok && choose_pairs(t, c->fabric, &worst, out);
	if (ok) {
		w->channel = worst.channel;
		w->from = out->endport[0];
		w->to = out->endport[1];
		w->most = out->nranks / 2;
	}
	weft_worst_free(&worst);
	return ok;
}

/* --- what is gone through ------------------------------------------------- */

static bool take_streams(struct tool *t, const char *text,
			 const struct tool_sim_sweep *w, uint32_t *level,
			 uint32_t *n)
{
	const char *at = text;
	uint64_t value, last = 0;

	do {
		at += *at == ',';
		if (*n == TOOL_SIM_LOADS ||
		    !weft_number_uint_at(&at, ",", w->most, &value) ||
		    value <= last) {
			tool_usage(t,
				   "--streams takes up to %d numbers of streams, each more than the one before and at most the %u that can share the cable here, with commas between them, not '%s'",
				   TOOL_SIM_LOADS, w->most, text);
			return false;
		}
		level[(*n)++] = last = value;
	} while (*at);
	return true;
}

/* All numbers, or evenly from one to the most; for curves by size powers of two
 * and the most. */
static uint32_t spread(const struct tool_sim_own *own, uint32_t most,
		       uint32_t *level)
{
	uint32_t n = 0;

	if (own->sweep == TOOL_SIM_SWEEP_SIZES) {
		for (uint32_t k = 1; k < most; k *= 2)
			level[n++] = k;
		level[n++] = most;
		return n;
	}
	n = most < LEVELS ? most : LEVELS;
	for (uint32_t i = 0; i < n; i++)
		level[i] = n < 2 ? 1 : 1 + (uint64_t)i * (most - 1) / (n - 1);
	return n;
}

/* Sets the points that are to be measured: powers of four up to --bytes. */
static bool set_points(struct tool *t, const struct tool_sim_plan *p,
		       struct tool_sim_sweep *w)
{
	const struct tool_sim_own *own = t->own;
	uint32_t level[TOOL_SIM_LOADS];
	uint64_t most = p->spec.bytes, bytes = 1;

	if (!own->streams)
		w->nlevels = spread(own, w->most, level);
	else if (!take_streams(t, own->streams, w, level, &w->nlevels))
		return false;
	for (w->nsizes = 1; bytes < most; w->nsizes++)
		bytes *= 4;
	w->point = calloc((size_t)w->nlevels * w->nsizes, sizeof(*w->point));
	w->fit = calloc(w->nlevels, sizeof(*w->fit));
	if (!w->point || !w->fit)
		return tool_no_memory(t);
	for (uint32_t i = 0; i < w->nlevels * w->nsizes; i++) {
		uint64_t size = 1ull << 2 * (i % w->nsizes);

		w->point[i].streams = level[i / w->nsizes];
		w->point[i].bytes = size < most ? size : most;
	}
	return true;
}

/* --- runs ----------------------------------------------------------------- */

/* A schedule in which a job waits for at most one condition. */
static bool make_room(struct weft_sim_schedule *g, uint32_t nranks,
		      uint32_t jobs)
{
	*g = (struct weft_sim_schedule){
		.nranks = nranks,
		.job = calloc(jobs, sizeof(*g->job)),
		.first = calloc(jobs + 1ull, sizeof(*g->first)),
		.after = calloc(jobs, sizeof(*g->after)),
	};
	return g->job && g->first && g->after;
}

/* Adds a message of the pair, or a pause of its sender (bytes 0), wait after a
 * condition; WEFT_NONE: at once. */
static void add_job(struct weft_sim_schedule *g, uint64_t bytes,
		    uint32_t condition, uint64_t wait)
{
	uint32_t i = g->n++;

	g->job[i] = (struct weft_sim_job){
		.to = bytes > 0,
		.bytes = bytes ? bytes : 1,
		.wait = wait,
	};
	g->first[i + 1] = g->first[i];
	if (condition != WEFT_NONE)
		g->after[g->first[i + 1]++] = condition;
}

static uint32_t times(uint64_t bytes)
{
	return bytes < LONG ? OFTEN : SELDOM;
}

/* Messages of all sizes, one after the other, with pauses that are drawn: when
 * they come does not depend on what the others just send. */
static bool make_messages(const struct tool_sim_sweep *w,
			  struct tool_sim_run *run)
{
	struct weft_rng *rng = weft_rng_new(run->spec.seed);
	struct weft_sim_schedule *g = &run->schedule;
	bool ok = rng && make_room(g, run->spec.mapping->nranks,
				   w->nsizes * OFTEN);

	for (uint32_t i = 0; ok && i < w->nsizes; i++)
		for (uint32_t k = 0; k < times(w->point[i].bytes); k++)
			add_job(g, w->point[i].bytes,
				g->n ? WEFT_SIM_DELIVERED(g->n - 1) : WEFT_NONE,
				1000ull * weft_rng_below(rng, BETWEEN));
	if (ok)
		g->job[0].at = SETTLED;
	weft_rng_free(rng);
	return ok;
}

/* The pairs beside the first one. */
static bool add_others(struct tool *t, uint32_t streams,
		       struct tool_sim_run *run)
{
	struct weft_pair_list list = { .nrounds = 1 };

	if (streams < 2)
		return true;
	list.nranks = 2 * streams;
	list.first = calloc(2, sizeof(*list.first));
	list.pair = calloc(streams, sizeof(*list.pair));
	if (!list.first || !list.pair) {
		weft_pair_list_free(&list);
		return tool_no_memory(t);
	}
	list.first[1] = streams - 1;
	for (uint32_t i = 1; i < streams; i++)
		list.pair[i - 1] = (struct weft_pair){ 2 * i, 2 * i + 1 };
	if (weft_traffic_from_list(&list, run->spec.mapping->nranks,
				   &run->traffic, &t->diag))
		return false;
	run->spec.beside = run->traffic;
	return true;
}

/* Messages at once, and such with pauses of their host between them. */
static bool make_train(struct tool_sim_run *run)
{
	struct weft_sim_schedule *g = &run->schedule;
	uint64_t pause = PAUSE + 2 * run->spec.logp.g;

	if (!make_room(g, run->spec.mapping->nranks, 3 * TRAIN))
		return false;
	for (uint32_t i = 0; i < TRAIN; i++)
		add_job(g, 1, WEFT_NONE, 0);
	for (uint32_t i = 0; i < TRAIN; i++) {
		add_job(g, 1, WEFT_SIM_DELIVERED(g->n - 1), i ? 0 : pause);
		add_job(g, 0, WEFT_SIM_SENT_OUT(g->n - 1), pause);
	}
	return true;
}

static bool list_runs(struct tool_sim_plan *p, const struct tool_case *c,
		      struct tool_sim_sweep *w, struct tool_sim_runs *out)
{
	if (!tool_sim_list_begin(p, c, out, w->nlevels + 1))
		return false;
	for (uint32_t i = 0; i <= w->nlevels; i++) {
		struct tool_sim_run *run = &out->run[i];

		run->s.pattern = "sweep";
		run->spec.schedule = &run->schedule;
		run->spec.in_order = i == w->nlevels;
		run->spec.logp.on &= i == w->nlevels;
		if (i == w->nlevels ? !make_train(run) : !make_messages(w, run))
			return tool_no_memory(p->t);
		if (i < w->nlevels &&
		    !add_others(p->t, w->point[i * w->nsizes].streams, run))
			return false;
	}
	return true;
}

/* --- what came of them ---------------------------------------------------- */

struct notes {
	struct tool_sim_plan *plan;
	struct tool_sim_sweep *sweep;
	uint32_t run; /* the next one */
};

/* ps from one job's delivery to another's; NAN where one was not. */
static double between(const struct weft_sim *r, uint32_t from, uint32_t to)
{
	if (r->job_done[from] == UINT64_MAX || r->job_done[to] == UINT64_MAX)
		return NAN;
	return (double)r->job_done[to] - (double)r->job_done[from];
}

static void note_train(const struct tool_sim *s, struct tool_sim_sweep *w)
{
	uint32_t last = 3 * TRAIN - 2;
	uint64_t pause = s->spec->schedule->job[last + 1].wait;

	w->g = between(&s->result, 0, TRAIN - 1) / (TRAIN - 1) / 1e6;
	w->o = !s->spec->logp.on ?
		       NAN :
		       (between(&s->result, TRAIN, last) / (TRAIN - 1) -
			pause) / 1e6;
}

static void note_level(const struct tool_sim *s, struct tool_sim_point *point,
		       uint32_t n)
{
	const struct weft_sim *r = &s->result;
	uint32_t job = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct tool_sim_point *p = &point[i];
		double sum = 0;

		for (uint32_t k = times(p->bytes); k; k--, job++) {
			double us = ((double)r->job_done[job] -
				     (double)r->job_began[job]) / 1e6;

			if (r->job_done[job] == UINT64_MAX)
				continue;
			p->least = p->n && p->least < us ? p->least : us;
			p->most = p->most > us ? p->most : us;
			sum += us;
			p->n++;
		}
		if (!p->n)
			continue;
		p->us = sum / p->n;
		p->gbps = p->bytes * 8e-3 / p->us;
	}
}

static bool note(void *context, const struct tool_sim *s)
{
	struct notes *n = context;
	struct tool_sim_sweep *w = n->sweep;
	uint32_t i = n->run++;

	tool_phase_end(n->plan->t);
	n->plan->found |= tool_sim_went_wrong(&s->result);
	if (s->result.deadlocked)
		weft_diag_say(&n->plan->t->diag, WEFT_WARNING,
			      "%s: a deadlock while streams share the cable; what was delivered before is told",
			      s->c->label);
	if (i == w->nlevels)
		note_train(s, w);
	else
		note_level(s, &w->point[i * w->nsizes], w->nsizes);
	return !s->result.interrupted;
}

static bool run_levels(struct tool_sim_plan *p, const struct tool_case *c,
		       struct tool_sim_sweep *w)
{
	struct notes notes = { .plan = p, .sweep = w };
	struct tool_sim_runs runs = { .report = note, .context = &notes };
	bool ok = list_runs(p, c, w, &runs) && tool_sim_runs(p->t, &runs);

	p->cut |= runs.cut;
	p->found |= runs.cut && !p->t->crew.rank;
	if (ok && !p->t->crew.rank) {
		tool_sim_sweep_fit(w, p->spec.mtu);
		tool_sim_sweep_report(p, c, w);
	}
	tool_sim_runs_free(&runs);
	return ok;
}

bool tool_sim_sweep(struct tool_sim_plan *p, const struct tool_case *c)
{
	struct tool_sim_sweep w = { .o = NAN, .g = NAN };
	struct weft_mapping mapping = { 0 };
	bool ok;

	if (p->join)
		return tool_usage(p->t,
				  "--sweep is about one subnet: leave out --subnets and --routers") ==
		       TOOL_FINE;
	ok = find_pairs(p->t, c, &w, &mapping);
	p->spec.mapping = &mapping;
	ok = ok && set_points(p->t, p, &w) && run_levels(p, c, &w);
	weft_mapping_free(&mapping);
	free(w.point);
	free(w.fit);
	return ok;
}
