// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The hosts that may be taken, and their adapters. */
#include "tools/place/place.h"

#include <stdlib.h>
#include <string.h>

void tool_places_free(struct tool_places *p)
{
	free(p->machine);
	free(p->endport);
	*p = (struct tool_places){ .n = 0 };
}

/* The rails on which a host has an adapter. */
static uint64_t rails_of(const struct weft_fabric *f, uint32_t machine)
{
	uint64_t rails = 0;

	for (uint32_t i = f->machine_first[machine];
	     i < f->machine_first[machine + 1]; i++) {
		const struct weft_endport *ep = &f->ep[f->machine_endport[i]];

		rails |= UINT64_C(1) << (ep->rail & 63);
	}
	return rails;
}

static void list_adapters(const struct weft_fabric *f, uint64_t rails,
			  struct tool_places *p)
{
	uint32_t n = 0;

	for (uint32_t m = 0; m < p->n; m++)
		for (uint32_t i = f->machine_first[p->machine[m]];
		     i < f->machine_first[p->machine[m] + 1]; i++) {
			uint32_t e = f->machine_endport[i];

			if (rails >> (f->ep[e].rail & 63) & 1)
				p->endport[n++] = e;
		}
}

/* Ranks stand on the adapters of those rails that all hosts are on. */
static bool find_adapters(struct tool *t, const struct weft_fabric *f,
			  struct tool_places *p)
{
	uint64_t common = UINT64_MAX, all = 0;

	for (uint32_t m = 0; m < p->n; m++) {
		common &= rails_of(f, p->machine[m]);
		all |= rails_of(f, p->machine[m]);
	}
	p->width = __builtin_popcountll(common);
	if (!p->width) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "the hosts have no rail in common: ranks of some could not stand on others");
		return false;
	}
	if (common != all)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "some hosts have adapters on more rails than others: ranks stand on those of the %s that all are on",
			      WEFT_COUNT(p->width, "rail"));
	p->endport = malloc((uint64_t)p->n * p->width * sizeof(*p->endport));
	if (!p->endport)
		return tool_no_memory(t);
	list_adapters(f, common, p);
	return true;
}

static bool find_list(struct tool *t, const struct weft_fabric *f,
		      const char *list, const char *option,
		      struct weft_job *out)
{
	struct weft_job_list jobs = { .n = 0 };
	struct weft_jobs found = { .n = 0 };
	bool ok = !weft_job_list_add(&jobs, option, list, 0) ||
		  tool_no_memory(t);

	ok = ok && !weft_jobs_find(&jobs, f, &found, &t->diag);
	if (ok) {
		*out = found.job[0];
		found.job[0] = (struct weft_job){ .n = 0 };
	}
	weft_jobs_free(&found);
	weft_job_list_free(&jobs);
	return ok;
}

bool tool_places_read(struct tool *t, const struct weft_fabric *f,
		      const char *list, const char *option,
		      struct tool_places *out)
{
	struct tool_places p = { .n = 0 };
	struct weft_job job = { .n = 0 };
	bool ok = find_list(t, f, list, option, &job);

	/* a job has all its hosts, or its ranks would stand elsewhere */
	if (ok && !strcmp(option, "job") && job.named != job.n) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "--job: of %s %u are in the fabric, each once",
			      WEFT_COUNT(job.named, "host"), job.n);
		ok = false;
	}
	p.n = job.n;
	p.machine = job.machine;
	free(job.name);
	free(job.endport);
	ok = ok && find_adapters(t, f, &p);
	if (ok)
		*out = p;
	else
		tool_places_free(&p);
	return ok;
}

bool tool_places_read_file(struct tool *t, const struct weft_fabric *f,
			   const char *file, struct tool_places *out)
{
	struct tool_places p = { .n = 0 };
	uint8_t *seen = calloc(f->nmachines + 1ull, 1);
	uint32_t *endport = NULL, n = 0;
	bool ok = seen || tool_no_memory(t);

	ok = ok && !weft_io_read_hosts(file, f, &endport, &n, &t->diag);
	if (ok) {
		p.machine = malloc((n + 1ull) * sizeof(*p.machine));
		ok = p.machine || tool_no_memory(t);
	}
	/* a host that has several slots is one place */
	for (uint32_t i = 0; ok && i < n; i++) {
		uint32_t m = f->ep[endport[i]].machine;

		if (!seen[m])
			p.machine[p.n++] = m;
		seen[m] = 1;
	}
	free(endport);
	free(seen);
	ok = ok && find_adapters(t, f, &p);
	if (ok)
		*out = p;
	else
		tool_places_free(&p);
	return ok;
}

bool tool_places_idle(struct tool *t, const struct weft_fabric *f,
		      const struct tool_others *others, struct tool_places *out)
{
	struct tool_places p = { .n = 0 };
	bool ok;

	p.machine = tool_others_idle(f, others, &p.n);
	ok = p.machine || tool_no_memory(t);
	if (ok && !p.n) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "no host is free: jobs of %s have them all",
			      others->file);
		ok = false;
	}
	ok = ok && find_adapters(t, f, &p);
	if (ok)
		*out = p;
	else
		tool_places_free(&p);
	return ok;
}
