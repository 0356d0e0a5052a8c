// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Runs a proof in parts; see parts.h.
 *
 * Trees are independent of each other: each part has a run of its own, and at
 * the end sums are added and dependencies joined.  So the order in which
 * threads finish does not matter.  Examples must be those of the lowest LIDs,
 * but they are only needed when the tables have a defect, which is rare.  Then
 * the result of the parts is dropped, and the caller walks all trees in order.
 */
#include "proof/parts.h"

#include "core/quiet_thread.h"

#include <stdlib.h>
#include <unistd.h>

#define MAX_PARTS 4u
#define MIN_ENTRIES (1u << 20)	/* entries; with fewer, threads do not pay */

struct part {
	struct weft__proof_run run;
	struct weft_proof proof;
	pthread_t thread;
	uint32_t first, step;	/* blocks of 64 LIDs */
	bool started;
};

static uint32_t count_parts(const struct weft__proof_run *r)
{
	const struct weft_proof_spec *spec = r->spec;
	uint64_t entries = (uint64_t)r->fabric->nsw * r->fabric->max_lid;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	/* Nonminimal routes are findings too, but no defects. */
	if (entries < MIN_ENTRIES || spec->minimal || spec->explain ||
	    r->lanes.mixed || cores < 2)
		return 1;
	return cores < (long)MAX_PARTS ? (uint32_t)cores : MAX_PARTS;
}

static void free_part(struct part *part)
{
	weft__arena_free(part->run.scratch);
	weft__cdg_free(&part->run.cdg);
	weft_proof_free(&part->proof);
}

static bool make_part(const struct weft__proof_run *r, struct part *part)
{
	part->run = (struct weft__proof_run){
		.fabric = r->fabric,
		.routes = r->routes,
		.spec = r->spec,
		.out = &part->proof,
	};
	if (!weft__proof_prepare(&part->run, NULL))
		return true;
	free_part(part);
	return false;
}

static void *walk(void *arg)
{
	struct part *part = arg;

	weft__proof_walk(&part->run, part->first, part->step);
	return NULL;
}

static void walk_all(struct part *part, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		part[i].first = i;
		part[i].step = n;
		part[i].started = i && weft__thread_start(&part[i].thread,
							  walk, &part[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		if (!part[i].started)
			walk(&part[i]);
	for (uint32_t i = 0; i < n; i++)
		if (part[i].started)
			pthread_join(part[i].thread, NULL);
}

static bool is_clean(const struct part *part)
{
	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++)
		if (part->proof.found[kind])
			return false;
	return true;
}

static void join(struct weft__proof_run *r, const struct part *part)
{
	const struct weft_fabric *f = r->fabric;

	r->out->pairs += part->proof.pairs;
	for (uint32_t h = 0; h <= f->nsw; h++)
		r->hops[h] += part->run.hops[h];
	for (uint32_t c = 0; r->spec->loads && c < f->first_injection; c++)
		r->out->channel_load[c] += part->proof.channel_load[c];
	if (r->spec->credit_loops)
		weft__cdg_join(&r->cdg, &part->run.cdg);
}

bool weft__parts_walk(struct weft__proof_run *r)
{
	uint32_t wanted = count_parts(r), n = 0;
	struct part *part;
	bool clean = true;

	if (wanted < 2)
		return false;
	part = calloc(wanted, sizeof(*part));
	if (!part)
		return false;
	while (n < wanted && make_part(r, &part[n]))
		n++;
	if (n)
		walk_all(part, n);
	for (uint32_t i = 0; i < n; i++)
		clean = clean && is_clean(&part[i]);
	for (uint32_t i = 0; i < n; i++) {
		if (clean)
			join(r, &part[i]);
		free_part(&part[i]);
	}
	free(part);
	return n && clean;
}
