// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft show: machines by how many adapters they have, rails, and kinds. */
#include "tools/show/show.h"

#include <weft/planes.h>

#define MOST 256 /* adapters of a machine, its rails, and kinds */

/* Whom the facts are about: adapters of machines, and one with planes once. */
static bool counts(const struct weft_fabric *f, uint32_t e)
{
	return f->ep[e].kind == WEFT_HOST && !weft_is_plane(f, e);
}

struct census {
	uint32_t machines[MOST];	/* that have as many adapters */
	uint32_t rail[MOST], kind[MOST];	/* adapters on it, or of it */
	unsigned most;			/* adapters of a machine */
	unsigned rails, kinds;		/* that anybody is on, or of */
};

static void count(const struct weft_fabric *f, struct census *c)
{
	*c = (struct census){ .most = 0 };
	for (uint32_t m = 0; m < f->nmachines; m++) {
		unsigned adapters = 0;

		for (uint32_t i = f->machine_first[m];
		     i < f->machine_first[m + 1]; i++) {
			uint32_t e = f->machine_endport[i];

			if (!counts(f, e))
				continue;
			adapters++;
			c->rails += !c->rail[f->ep[e].rail]++;
			c->kinds += !c->kind[f->ep[e].use]++;
		}
		if (adapters >= MOST)
			adapters = MOST - 1;
		c->machines[adapters]++;
		c->most = adapters > c->most ? adapters : c->most;
	}
}

static void print_machines(const struct census *c, FILE *out)
{
	char text[512];
	size_t n = 0;

	for (unsigned i = c->most; i > 0; i--)
		if (c->machines[i] && n < sizeof(text))
			n += snprintf(text + n, sizeof(text) - n,
				      "%s%s with %s", n ? ", " : "",
				      WEFT_COUNT(c->machines[i], NULL),
				      i == 1 ? "one" :
				      n ? WEFT_COUNT(i, NULL) :
					  WEFT_COUNT(i, "adapter"));
	tool_show_fact(out, "machines", text);
}

static void print_rails(const struct census *c, FILE *out)
{
	uint32_t least = UINT32_MAX, most = 0;
	char text[96];

	for (unsigned i = 0; i < MOST; i++) {
		if (!c->rail[i])
			continue;
		least = c->rail[i] < least ? c->rail[i] : least;
		most = c->rail[i] > most ? c->rail[i] : most;
	}
	if (least == most)
		snprintf(text, sizeof(text), "%u of %s", c->rails,
			 WEFT_COUNT(most, "host"));
	else
		snprintf(text, sizeof(text), "%u of %s to %s", c->rails,
			 WEFT_COUNT(least, NULL), WEFT_COUNT(most, "host"));
	tool_show_fact(out, "rails", text);
}

static void print_kinds(const struct weft_fabric *f, const struct census *c,
			FILE *out)
{
	char text[WEFT_MAX_USES * 48];
	size_t n = 0;

	for (uint32_t i = 0; i < f->nuses; i++)
		if (c->kind[i])
			n += snprintf(text + n, sizeof(text) - n, "%s%s %s",
				      n ? ", " : "",
				      WEFT_COUNT(c->kind[i], NULL),
				      f->use_name[i]);
	tool_show_fact(out, "kinds", text);
}

void tool_show_machines(const struct weft_fabric *f, FILE *out)
{
	struct census c;

	count(f, &c);
	if (c.most > 1) {
		print_machines(&c, out);
		print_rails(&c, out);
	}
	if (c.kinds > 1)
		print_kinds(f, &c, out);
}

json_t *tool_show_machines_json(const struct weft_fabric *f)
{
	json_t *machines = json_array(), *rails = json_array();
	json_t *kinds = json_array();
	struct census c;

	count(f, &c);
	for (unsigned i = c.most; i > 0; i--)
		if (c.machines[i])
			json_array_append_new(machines, json_pack(
				"{s:i, s:i}", "adapters", (int)i,
				"machines", (int)c.machines[i]));
	for (unsigned i = 0; i < MOST; i++)
		if (c.rail[i])
			json_array_append_new(rails, json_pack(
				"{s:i, s:i}", "rail", (int)i,
				"hosts", (int)c.rail[i]));
	for (uint32_t i = 0; i < f->nuses; i++)
		if (c.kind[i])
			json_array_append_new(kinds, json_pack(
				"{s:o, s:i}", "kind",
				tool_json_string(f->use_name[i]),
				"hosts", (int)c.kind[i]));
	return json_pack("{s:o, s:o, s:o}", "machines", machines, "rails",
			 rails, "kinds", kinds);
}
