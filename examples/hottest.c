// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * hottest DIRECTORY [PATTERN]
 *
 * Reads the dumps of a fabric, as OpenSM or "weft route -o" leaves them, and
 * shows the links that a communication pattern loads most; by default random
 * bisections.
 */
#include <weft/weft.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 3 };

/* Warnings and errors only; notes tell which file was read as what. */
static void say(void *program, const struct weft_message *message)
{
	if (message->severity != WEFT_NOTE)
		weft_diag_stderr(program, message);
}

/* A rank on every host in the order of the hosts' names. */
static int run(const struct weft_input *in, const char *pattern,
	       struct weft_model *out, struct weft_diag *diag)
{
	const struct weft_mapping_spec order = { .order = WEFT_ORDER_NAME };
	struct weft_mapping mapping = { 0 };
	struct weft_traffic *traffic = NULL;
	struct weft_model_spec spec = {
		.mapping = &mapping, .samples = 1000, .seed = 1, .links = true,
	};
	int err = weft_mapping_init(&mapping, in->fabric, &order, diag);

	if (!err)
		err = weft_traffic_new(pattern, mapping.nranks, &traffic, diag);
	spec.traffic = traffic;
	if (!err)
		err = weft_model_run(in->fabric, &in->routes, &spec, out, diag);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	return err;
}

static const char *name(const struct weft_fabric *fabric, uint32_t vertex)
{
	if (weft_is_switch(vertex))
		return fabric->sw[vertex].name;
	return fabric->node[fabric->ep[vertex & ~WEFT_ENDPORT].node].name;
}

static void show(const struct weft_fabric *fabric,
		 const struct weft_model *model)
{
	double rounds = (double)model->samples * model->rounds;
	uint32_t channel[SHOWN];
	uint32_t n = weft_model_hottest(fabric, model, SHOWN, channel);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t ch = channel[i], sw = weft_channel_switch(fabric, ch);

		printf("%s port %" PRIu32
		       " to %s: %.3f streams on average, at most %" PRIu64 "\n", name(fabric, sw),
		       ch - weft_channel(fabric, sw, 0),
		       name(fabric, fabric->peer[ch]),
		       model->link[ch].streams / rounds,
		       model->link[ch].peak);
	}
}

int main(int argc, char **argv)
{
	struct weft_diag diag = { .emit = say, .context = "hottest" };
	struct weft_input in = { 0 };
	struct weft_model model = { 0 };
	int err;

	if (argc < 2) {
		fprintf(stderr, "Usage: %s DIRECTORY [PATTERN]\n", argv[0]);
		return EXIT_FAILURE;
	}
	err = weft_input_open(argv[1], false, &in, &diag);
	if (!err && !in.sources.ntables)
		err = weft_fail(&diag, EINVAL, "%s has no forwarding tables",
				argv[1]);
	if (!err)
		err = run(&in, argc > 2 ? argv[2] : "bisect", &model, &diag);
	if (!err)
		show(in.fabric, &model);
	weft_diag_finish(&diag);
	weft_model_free(&model);
	weft_input_close(&in);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
