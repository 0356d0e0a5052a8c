// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft measure: pairs of hosts that are to be measured on the machine itself. */
#include "tools/common/tool.h"

#include <weft/rails.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME 160

/* Hosts in the order of the ranks, by their first adapters. */
struct hosts {
	uint32_t n;
	uint32_t *endport;	/* [n] */
	char (*name)[NAME];	/* [n] */
};

static void hosts_free(struct hosts *h)
{
	free(h->endport);
	free(h->name);
}

/* The endports of ranks: those of a file, or all hosts. */
static bool list_ranks(struct tool *t, const struct weft_fabric *f,
		       uint32_t **endport, uint32_t *n)
{
	struct weft_mapping all = { 0 };
	bool by_name;

	if (t->args.host_file)
		return !weft_io_read_hosts(t->args.host_file, f, endport, n,
					   &t->diag);
	if (weft_mapping_natural(f, t->args.hosts == TOOL_HOSTS_ALL, &all,
				 &by_name, &t->diag))
		return false;
	*endport = all.endport;
	*n = all.nslots;
	return true;
}

/* Keeps one rank of each machine, in their order, on its first adapter. */
static bool list_hosts(struct tool *t, const struct weft_fabric *f,
		       struct hosts *out)
{
	uint8_t *seen = calloc(f->nep + 1ull, 1);
	uint32_t *endport = NULL, n = 0;
	bool ok = seen ? list_ranks(t, f, &endport, &n) : tool_no_memory(t);

	out->endport = endport;
	for (uint32_t i = 0; i < n && ok; i++) {
		uint32_t m = f->ep[endport[i]].machine;

		if (!seen[m]++)
			endport[out->n++] =
				f->machine_endport[f->machine_first[m]];
	}
	free(seen);
	if (ok && out->n < 2) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "%s: two of them at least are needed for a pair",
			      WEFT_COUNT(out->n, "host"));
		ok = false;
	}
	return ok;
}

/* Whether a name can stand in the file: a word of its own. */
static bool is_word(const char *name)
{
	static const char *const taken[] = { "round", "host", "bytes" };

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!strcmp(name, taken[i]))
			return false;
	for (const char *c = name; *c; c++)
		if (!isgraph((unsigned char)*c) || *c == '#')
			return false;
	return *name;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names hosts; false after an error message. */
static bool name_hosts(struct tool *t, const struct weft_fabric *f,
		       struct hosts *h)
{
	const char **sorted = malloc((h->n + 1ull) * sizeof(*sorted));
	bool ok;

	h->name = malloc((h->n + 1ull) * sizeof(*h->name));
	ok = h->name && sorted ? true : tool_no_memory(t);
	for (uint32_t i = 0; i < h->n && ok; i++) {
		uint32_t ep = h->endport[i];

		weft_machine_name(f, f->ep[ep].machine, h->name[i], NAME);
		sorted[i] = h->name[i];
		ok = is_word(h->name[i]);
		if (!ok)
			weft_diag_say(&t->diag, WEFT_ERROR,
				      "host 0x%016" PRIx64
				      " is called '%s', which no process can tell as its own: give it the machine's name with --node-name-map",
				      f->ep[ep].guid, h->name[i]);
	}
	if (ok)
		qsort(sorted, h->n, sizeof(*sorted), by_text);
	for (uint32_t i = 1; i < h->n && ok; i++) {
		ok = strcmp(sorted[i - 1], sorted[i]);
		if (!ok)
			weft_diag_say(&t->diag, WEFT_ERROR,
				      "two hosts are called '%s', so that a process could not tell on which it is: give them names with --node-name-map",
				      sorted[i]);
	}
	free(sorted);
	return ok;
}

/* --- rounds --------------------------------------------------------------- */

struct rounds {
	const struct weft_traffic *traffic;
	uint64_t samples;
	uint32_t seed;
};

static bool make_room(const struct weft_traffic *traffic,
		      struct weft_draw *draw, struct weft_pair **pair)
{
	uint64_t pairs = weft_traffic_max_pairs(traffic) + 1;
	uint64_t scratch = weft_traffic_scratch(traffic) + 1;

	*pair = malloc(pairs * sizeof(**pair));
	draw->rng = weft_rng_new(0);
	draw->scratch = malloc(scratch * sizeof(*draw->scratch));
	if (weft_traffic_is_sized(traffic))
		draw->size = malloc(pairs * sizeof(*draw->size));
	return *pair && draw->rng && draw->scratch &&
	       (draw->size || !weft_traffic_is_sized(traffic));
}

static void put_rounds(const struct rounds *r, const struct hosts *h,
		       struct weft_draw *draw, struct weft_pair *pair,
		       FILE *out)
{
	for (uint64_t s = 0; s < r->samples; s++) {
		weft_rng_seed_sample(draw->rng, r->seed, s);
		for (uint64_t i = 0; i < weft_traffic_rounds(r->traffic); i++) {
			uint64_t n = weft_traffic_round(r->traffic, i, draw,
							pair);

			fputs(n ? "round\n" : "", out);
			for (uint64_t k = 0; k < n; k++)
				fprintf(out, "%s %s\n", h->name[pair[k].from],
					h->name[pair[k].to]);
		}
	}
}

static bool print(struct tool *t, const struct hosts *h,
		  const struct rounds *r)
{
	const char *pattern = t->args.pattern.n ? t->args.pattern.item[0] :
						  "bisect";
	struct weft_draw draw = { .rng = NULL };
	struct weft_pair *pair = NULL;
	bool ok = make_room(r->traffic, &draw, &pair) || tool_no_memory(t);
	FILE *out = ok ? tool_output_open(t, t->args.output) : NULL;

	if (out) {
		fprintf(out, "# weft measure: %s of %s", pattern,
			WEFT_COUNT(h->n, "host"));
		if (weft_traffic_is_random(r->traffic))
			fprintf(out, ", %s with seed %u",
				WEFT_COUNT(r->samples, "sample"), r->seed);
		fputs("\n", out);
		for (uint32_t i = 0; i < h->n; i++)
			fprintf(out, "host %s\n", h->name[i]);
		put_rounds(r, h, &draw, pair, out);
	}
	weft_rng_free(draw.rng);
	free(draw.scratch);
	free(draw.size);
	free(pair);
	return out;
}

static bool measure(struct tool *t, const struct weft_fabric *f)
{
	struct hosts h = { .n = 0 };
	struct weft_traffic *traffic = NULL;
	bool ok = list_hosts(t, f, &h) && name_hosts(t, f, &h);

	if (ok && weft_traffic_placed(t->args.pattern.n ?
						t->args.pattern.item[0] :
						"bisect",
				      f, h.endport, h.n, &traffic, &t->diag))
		ok = tool_hint(t);
	if (ok) {
		const struct rounds r = {
			.traffic = traffic,
			.samples = weft_traffic_is_random(traffic) ?
					   (uint64_t)t->args.count : 1,
			.seed = t->args.seed,
		};

		ok = print(t, &h, &r);
	}
	weft_traffic_free(traffic);
	hosts_free(&h);
	return ok;
}

static enum tool_status measure_run(struct tool *t)
{
	struct weft_input in;
	bool ok;

	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	if (t->args.input.n != 1 || t->args.pattern.n > 1)
		return tool_usage(t,
				  "pairs are of one fabric and one pattern, not %u and %u",
				  t->args.input.n, t->args.pattern.n);
	if (!tool_input_open(t, t->args.input.item[0], true, &in))
		return TOOL_FAILED;
	ok = measure(t, in.fabric);
	weft_input_close(&in);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option measure_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_LIST, pattern, "pattern", 'p', "PATTERN",
		 "a pattern of weft analyze --list (default bisect)"),
	TOOL_OPT(TOOL_NUMBER, count, "samples", 'n', "N",
		 "how many are drawn of what is random", .preset = 100,
		 .min = 1, .max = 1000000),
	TOOL_OPT_SEED,
	TOOL_OPT(TOOL_TEXT, host_file, "host-file", 0, "FILE",
		 "the hosts that take part, in the order of the ranks (default all)"),
	TOOL_OPT_OUTPUT("write the pairs to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_measure = {
	.name = "measure",
	.summary = "list pairs of hosts to measure on the machine",
	.usage = "[OPTION]... INPUT",
	.about = "Lists pairs of hosts, round by round, such as random bisections, for a program that measures what they get on the machine itself: examples/measure.c, with MPI. "
		 "weft compare --measured sets that beside the model.",
	.options = measure_options,
	.run = measure_run,
};
