// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Traces and schedules: what is read can be done, and names what it has. */
#include "replay/build.h"
#include "tables_util.h"

#include <string.h>

#define RANKS 16

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
	fuzz_require(replay.schedule.nranks == RANKS);
	fuzz_require(!weft_sim_schedule_check(&replay.schedule, &stuck, NULL));
	for (uint32_t i = 0; i < replay.schedule.n; i++) {
		const struct weft_sim_job *job = &replay.schedule.job[i];

		messages += job->from != job->to;
		fuzz_require(replay.line[i] > 0);
		fuzz_require(strlen(replay.names + replay.name[i]) <= size);
	}
	fuzz_require(messages == replay.messages && messages > 0);
	weft_replay_free(&replay);
	return 0;
}
