// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Traces and schedules: what is read can be done, names what it has, and is
 * simulated to its end with each job after what it waits for. */
#include "io/replay/build.h"
#include "tables_util.h"

#include <string.h>

#define FABRIC "pgft:2;8,8;1,4;1,1"
#define RANKS 64

/* So that a simulation is short. */
#define MOST_JOBS 4096
#define MOST_BYTES 10000
#define MOST_PS 10000000

struct site {
	struct weft_fabric *fabric;
	struct weft_routes routes;
	struct weft_mapping mapping;
};

static const struct site *site(void)
{
	static struct site s;
	const struct weft_mapping_spec guid = { .order = WEFT_ORDER_GUID };
	const struct weft_engine *engine = weft_engine_find("dmodk");
	struct weft_options *options;
	struct weft_fabric *plain;

	if (s.fabric)
		return &s;
	fuzz_require(!weft_gen(FABRIC, &plain, NULL));
	fuzz_require(!weft_fabric_assign_lids(plain, -1, &s.fabric, NULL));
	weft_fabric_free(plain);
	fuzz_require(!weft_options_new(&options, engine->options));
	fuzz_require(!weft_route(engine, s.fabric, options, &s.routes, NULL));
	weft_options_free(options);
	fuzz_require(!weft_mapping_init(&s.mapping, s.fabric, &guid, NULL));
	fuzz_require(s.mapping.nranks == RANKS);
	return &s;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void simulate(struct weft_sim_schedule *g)
{
	const struct site *s = site();
	struct weft_sim_spec spec;
	struct weft_sim out;

	for (uint32_t i = 0; i < g->n; i++) {
		g->job[i].bytes = least(g->job[i].bytes, MOST_BYTES);
		g->job[i].at = least(g->job[i].at, MOST_PS);
		g->job[i].wait = least(g->job[i].wait, MOST_PS);
	}
	weft_sim_preset(&spec);
	spec.mapping = &s->mapping;
	spec.schedule = g;
	fuzz_require(!weft_sim_run(s->fabric, &s->routes, &spec, &out, NULL));
	fuzz_require(!out.deadlocked && !out.timeout && !out.queued);
	fuzz_require(out.injected == out.delivered && out.jobs == g->n);
	for (uint32_t i = 0; i < g->n; i++) {
		fuzz_require(out.job_done[i] != UINT64_MAX &&
			     out.job_began[i] <= out.job_done[i]);
		for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++)
			if (g->after[k] & 1)
				fuzz_require(out.job_began[i] >=
					     out.job_done[g->after[k] / 2]);
	}
	weft_sim_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_replay replay;
	uint64_t messages = 0;
	uint32_t stuck;
	int err = weft__read_replay(&source, RANKS, &replay, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (err)
		return 0;
	fuzz_require(replay.schedule.nranks == RANKS && replay.schedule.n);
	fuzz_require(!weft_sim_schedule_check(&replay.schedule, &stuck, NULL));
	for (uint32_t i = 0; i < replay.schedule.n; i++) {
		const struct weft_sim_job *job = &replay.schedule.job[i];

		messages += job->from != job->to;
		fuzz_require(replay.line[i] > 0);
		fuzz_require(strlen(replay.names + replay.name[i]) <= size);
	}
	fuzz_require(messages == replay.messages);
	if (replay.schedule.n <= MOST_JOBS)
		simulate(&replay.schedule);
	weft_replay_free(&replay);
	return 0;
}
