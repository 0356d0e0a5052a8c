// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Jobs: lists without faults, and their hosts, each once in a job, or there is
 * an error. */
#include "io/lists/hosts.h"
#include "tables_util.h"

#include <weft/jobs.h>

#include <stdlib.h>

static void look_at(const struct weft_jobs *jobs, uint32_t nep)
{
	uint8_t *seen = calloc(nep + 1ull, 1);

	fuzz_require(seen && jobs->n > 0);
	for (uint32_t j = 0; j < jobs->n; j++) {
		const struct weft_job *job = &jobs->job[j];

		fuzz_require(job->n > 0 && job->nranks >= job->n &&
			     job->name && *job->name);
		for (uint32_t i = 0; i < job->nranks; i++) {
			fuzz_require(job->endport[i] < nep &&
				     !seen[job->endport[i]]);
			seen[job->endport[i]] = 1;
		}
		for (uint32_t i = 0; i < job->nranks; i++)
			seen[job->endport[i]] = 0;
	}
	free(seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_fabric *f = fuzz_fabric();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_job_list list;
	struct weft_jobs jobs;
	int err = weft__read_jobs(&source, &list, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (err)
		return 0;
	fuzz_require(list.n > 0);
	err = weft_jobs_find(&list, f, &jobs, &diag);
	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	if (!err) {
		look_at(&jobs, f->nep);
		weft_jobs_free(&jobs);
	}
	weft_job_list_free(&list);
	return 0;
}
