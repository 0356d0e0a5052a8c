// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The basket that engines judge tables by, or another objective. */
#include "engines/several/several.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STREAMS_PER_PART 300000 /* of the basket, about */
#define MIN_ROUNDS 32
#define MAX_ROUNDS 256
#define WORK_PER_ENTRY 4 /* edges that reading a table entry counts for */

/* Finds the jobs of the option of that name in the fabric.  Those of which no
 * host is left are not worth an error. */
static int find_jobs(const struct weft_fabric *f,
		     const struct weft_options *options, struct weft_jobs *out,
		     struct weft_diag *diag)
{
	const struct weft_job_list *list = NULL;
	int err;

	*out = (struct weft_jobs){ .n = 0 };
	if (!options || !weft_options_has(options, "jobs"))
		return 0;
	err = weft_options_jobs(options, "jobs", &list, diag);
	if (err || !list)
		return err;
	err = weft_jobs_find(list, f, out, NULL);
	if (err != -EINVAL)
		return err ? weft_no_memory(diag) : 0;
	weft_diag_at(diag, WEFT_WARNING, list->file, 0,
		     "no job has a host of the fabric: left aside");
	return 0;
}

/* Makes a basket; jobs that do not talk to each other are left aside. */
static int make_basket(const struct weft_fabric *f,
		       struct weft_basket_spec *spec, struct weft_basket **out,
		       struct weft_diag *diag)
{
	const struct weft_jobs *jobs = spec->jobs;
	uint32_t ranks = 0;

	for (uint32_t j = 0; jobs && j < jobs->n; j++)
		if (jobs->job[j].nranks > ranks)
			ranks = jobs->job[j].nranks;
	if (ranks < 2)
		spec->jobs = NULL;
	return weft_basket_new(f, spec, out, diag);
}

int weft__engine_basket(const struct weft_fabric *f,
			const struct weft_options *options, bool spread,
			struct weft_basket **out, double *work,
			struct weft_diag *diag)
{
	uint32_t hosts = f->nhosts ? f->nhosts : f->nep;
	struct weft_basket_spec spec = {
		.seed = 1,
		.spread = spread,
		.rounds = hosts ? STREAMS_PER_PART / hosts : 0,
	};
	struct weft_jobs jobs = { .n = 0 };
	int err = 0;

	*out = NULL;
	*work = 0;
	if (hosts < 2)
		return 0;
	if (spec.rounds < MIN_ROUNDS)
		spec.rounds = MIN_ROUNDS;
	if (spec.rounds > MAX_ROUNDS)
		spec.rounds = MAX_ROUNDS;
	if (options && weft_options_has(options, "objective"))
		err = weft_options_objective(options, "objective",
					     &spec.objective, diag);
	if (!err)
		err = find_jobs(f, options, &jobs, diag);
	spec.jobs = &jobs;
	if (!err)
		err = make_basket(f, &spec, out, diag);
	if (err == -EINVAL && spec.objective) {
		weft_diag_say(diag, WEFT_WARNING,
			      "the objective asks for other hosts than there are: basket instead");
		spec.objective = NULL;
		err = make_basket(f, &spec, out, diag);
	}
	*work = err ? 0 : weft_basket_work(*out) * WORK_PER_ENTRY;
	weft_jobs_free(&jobs);
	return err;
}

void weft__explain_parts(const struct weft_basket *basket,
			 const struct weft_worth *worth, char *text,
			 size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (unsigned i = 0;
	     basket && i < weft_basket_parts(basket) && used < size; i++)
		used += snprintf(text + used, size - used, " %.3f",
				 worth->part[i]);
}

bool weft__worth_is_full(const struct weft_basket *basket,
			 const struct weft_worth *worth)
{
	unsigned seen = 0;

	for (unsigned i = 0; i < weft_basket_parts(basket); i++) {
		const char *name = weft_basket_part_name(basket, i);

		bool jobs = !strcmp(name, "jobs");

		if (!jobs && strcmp(name, "uniform") && strcmp(name, "shift"))
			continue;
		if (worth->part[i] < 1 - WEFT__WORTH_MARGIN)
			return false;
		seen += !jobs;
	}
	return seen == 2;
}
