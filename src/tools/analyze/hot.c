// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze --hottest without patterns: links of all-to-all traffic. */
#include "tools/analyze/hot.h"

#include "tools/common/parts.h"

#include <stdlib.h>
#include <string.h>

/* Whether channel a is hotter than b: more routes for its capacity. */
static bool is_hotter(const struct weft_fabric *f, const uint64_t *load,
		      uint32_t a, uint32_t b)
{
	double x = (double)load[a] * (f->capacity[b] ? f->capacity[b] : 1);
	double y = (double)load[b] * (f->capacity[a] ? f->capacity[a] : 1);

	return x > y || (x == y && a < b);
}

/* Puts the hottest channels into channel[most]; returns how many. */
static uint32_t choose(const struct weft_fabric *f, const uint64_t *load,
		       uint32_t most, uint32_t *channel)
{
	uint32_t n = 0;

	for (uint32_t i = 0; most && i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i], at = n;

		if (!load[ch])
			continue;
		while (at && is_hotter(f, load, ch, channel[at - 1]))
			at--;
		if (at == most)
			continue;
		n += n < most;
		memmove(&channel[at + 1], &channel[at],
			(n - 1 - at) * sizeof(*channel));
		channel[at] = ch;
	}
	return n;
}

bool tool_hot_find(struct tool *t, const struct tool_case *c,
		   const struct weft_proof *proof, struct tool_hot_links *out)
{
	uint32_t most = t->args.hottest,
		 cables = c->fabric->adj_first[c->fabric->nsw];
	uint32_t *channel, n;
	char text[400];
	bool ok;

	*out = (struct tool_hot_links){ .mean = proof->load_mean };
	most = most < cables ? most : cables;
	channel = malloc((most + 1ull) * sizeof(*channel));
	out->link = calloc(most + 1ull, sizeof(*out->link));
	ok = channel && out->link;
	n = ok ? choose(c->fabric, proof->channel_load, most, channel) : 0;
	for (; out->n < n && ok; out->n++) {
		uint32_t ch = channel[out->n];
		struct tool_hot_link *link = &out->link[out->n];

		link->routes = proof->channel_load[ch];
		link->text = strdup(
			tool_text_channel(c->fabric, ch, text, sizeof(text)));
		link->ends = tool_part_json(c->fabric, ch);
		ok = link->text && link->ends;
	}
	free(channel);
	return ok || tool_no_memory(t);
}

void tool_hot_free(struct tool_hot_links *hot)
{
	for (unsigned i = 0; i < hot->n; i++) {
		free(hot->link[i].text);
		json_decref(hot->link[i].ends);
	}
	free(hot->link);
}

void tool_hot_print(const struct tool_hot_links *hot, const char *label,
		    FILE *out)
{
	if (!hot->n)
		return;
	fprintf(out, "\nhottest channels, all to all%s%s\n    routes  of mean\n",
		label ? ", " : "", label ? label : "");
	for (unsigned i = 0; i < hot->n; i++) {
		const struct tool_hot_link *l = &hot->link[i];

		fprintf(out, "%10s %8.2f  ", WEFT_COUNT(l->routes, NULL),
			hot->mean > 0 ? l->routes / hot->mean : 0);
		tool_text_wrap(out, 21, 23, l->text);
	}
}

json_t *tool_hot_json(const struct tool_hot_links *hot)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < hot->n; i++) {
		json_t *one = json_deep_copy(hot->link[i].ends);

		json_object_set_new(one, "routes",
				    json_integer(hot->link[i].routes));
		json_array_append_new(array, one);
	}
	return array;
}
