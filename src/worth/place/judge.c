// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What an order is worth by the model, by all rounds and sizes; see search.h. */
#include "worth/place/search.h"

#include <weft/diag.h>
#include <weft/mapping.h>

#include <stdlib.h>

#define SAMPLES 64	/* that judge random patterns */

static uint32_t count_leaves(const struct weft_fabric *f,
			     const uint32_t *endport, uint32_t n)
{
	uint8_t *seen = calloc(f->nsw + 1ull, 1);
	uint32_t leaves = 0;

	for (uint32_t i = 0; seen && i < n; i++) {
		leaves += !seen[f->ep[endport[i]].sw];
		seen[f->ep[endport[i]].sw] = 1;
	}
	free(seen);
	return leaves;
}

int weft__place_judge(const struct weft_fabric *f,
		      const struct weft_routes *routes,
		      const struct weft_place_spec *spec, const uint32_t *place,
		      struct weft_place_worth *out, struct weft_diag *diag)
{
	uint32_t n = weft_traffic_ranks(spec->traffic), width = spec->width;
	uint32_t *endport = malloc((n + 1ull) * sizeof(*endport));
	struct weft_mapping mapping = {
		.nslots = n, .nranks = n, .endport = endport,
	};
	struct weft_model_spec model = {
		.traffic = spec->traffic, .mapping = &mapping,
		.beside = spec->beside, .endpoints = true,
		.samples = SAMPLES, .seed = spec->seed,
		.threads = spec->threads,
	};
	struct weft_model m, between;
	int err;

	if (!endport)
		return weft_no_memory(diag);
	for (uint32_t i = 0; i < n; i++)
		endport[i] = spec->endport[(uint64_t)place[i / width] * width +
					   i % width];
	err = weft_model_run(f, routes, &model, &m, diag);
	model.endpoints = false;
	if (!err) {
		err = weft_model_run(f, routes, &model, &between, NULL);
		if (err)
			weft_model_free(&m);
	}
	if (!err) {
		*out = (struct weft_place_worth){
			.lower = m.measure[WEFT_LOWER].mean,
			.between = between.measure[WEFT_LOWER].mean,
			.streams = m.measure[WEFT_STREAMS].mean,
			.slowest = m.slowest, .beside = m.beside,
			.lost = m.lost,
			.leaves = count_leaves(f, endport, n),
		};
		weft_model_free(&m);
		weft_model_free(&between);
	}
	free(endport);
	return err;
}

bool weft__place_better(const struct weft_place_worth *a,
			const struct weft_place_worth *b)
{
	if (a->lost != b->lost)
		return a->lost < b->lost;
	if (a->lower != b->lower)
		return a->lower > b->lower;
	if (a->between != b->between)
		return a->between > b->between;
	if (a->streams != b->streams)
		return a->streams > b->streams;
	return a->leaves < b->leaves;
}
