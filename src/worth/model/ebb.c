// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the effective bisection bandwidth, a case of the model; see
 * weft/model.h. */
#include <weft/diag.h>
#include <weft/model.h>

#include <string.h>

static void copy_results(const struct weft_model *m, struct weft_ebb *out)
{
	const struct weft_statistic *s = &m->measure[WEFT_STREAMS];

	*out = (struct weft_ebb){
		.mean = s->mean, .stddev = s->stddev, .ci99 = s->ci99,
		.min = s->min, .max = s->max, .patterns = m->samples,
		.seed = m->seed, .hosts = m->hosts, .streams = m->streams,
		.lost = m->lost,
	};
	memcpy(out->congestion, m->congestion, sizeof(out->congestion));
	memcpy(out->bandwidth, s->histogram, sizeof(out->bandwidth));
}

int weft_ebb_run(const struct weft_fabric *fabric,
		 const struct weft_routes *routes,
		 const struct weft_ebb_spec *spec, struct weft_ebb *out,
		 struct weft_diag *diag)
{
	const struct weft_mapping_spec hosts = { .all_hosts = spec->all_hosts };
	struct weft_traffic *traffic = NULL;
	struct weft_mapping mapping;
	struct weft_model model;
	int err = weft_mapping_init(&mapping, fabric, &hosts, diag);

	if (err)
		return err;
	err = weft_traffic_new("bisect", mapping.nranks, &traffic, diag);
	if (!err) {
		const struct weft_model_spec run = {
			.traffic = traffic, .mapping = &mapping,
			.bins = WEFT_EBB_BINS, .samples = spec->patterns,
			.seed = spec->seed, .threads = spec->threads,
			.progress = spec->progress,
			.progress_context = spec->progress_context,
		};

		err = weft_model_run(fabric, routes, &run, &model, diag);
	}
	if (!err) {
		copy_results(&model, out);
		weft_model_free(&model);
	}
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	return err;
}
