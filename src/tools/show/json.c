// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a fabric is, for programs.  The names of the keys are a promise: see
 * weft-show(1). */
#include "tools/common/record.h"
#include "tools/show/show.h"

/* A level of a tree. */
struct level {
	unsigned number;	/* 1: that of the leaves */
	struct weft_shape_level l;
};

static bool has_uplinks(const void *record)
{
	const struct level *level = record;

	return level->l.oversubscription > 0;
}

static const struct tool_field level_fields[] = {
#define FIELD(...) TOOL_FIELD(struct level, __VA_ARGS__)
	FIELD(number, COUNT, "level"),
	FIELD(l.switches, COUNT, "switches"),
	FIELD(l.radix_least, COUNT, "ports_least"),
	FIELD(l.radix_most, COUNT, "ports_most"),
	FIELD(l.hosts, COUNT, "hosts"),
	FIELD(l.up, COUNT, "cables_up"),
	FIELD(l.missing, COUNT, "missing"),
	FIELD(l.across, COUNT, "across"),
	FIELD(l.oversubscription, REAL, "oversubscription",
	      .when = has_uplinks),
	TOOL_FIELDS_END
#undef FIELD
};

static json_t *part_json(const struct weft_shape_part *p)
{
	json_t *levels = json_array(), *length = json_array();

	for (unsigned i = 0; i < p->nlevels; i++) {
		const struct level level = { i + 1, p->level[i] };

		json_array_append_new(levels, tool_record_object(level_fields,
								 &level));
	}
	for (unsigned i = 0; i < p->ndimensions; i++)
		json_array_append_new(length, json_integer(p->length[i]));
	return json_pack("{s:s, s:o, s:i, s:i, s:i, s:o, s:o}",
			 "kind", weft_shape_name(p->kind),
			 "what", tool_json_string(p->what),
			 "switches", (int)p->switches, "hosts", (int)p->hosts,
			 "groups", (int)p->ngroups, "dimensions", length,
			 "levels", levels);
}

static json_t *speed_json(const struct weft_shape_speed *s)
{
	char rate[WEFT_SHAPE_SPEED_SIZE];

	return json_pack("{s:s, s:i, s:i}",
			 "rate", weft_shape_speed_text(s, rate),
			 "between_switches", (int)s->switches,
			 "to_hosts", (int)s->hosts);
}

json_t *tool_show_json(const char *input, const struct weft_fabric *f,
		       const struct weft_shape *shape)
{
	json_t *rates = json_array(), *parts = json_array();
	json_t *o;

	for (uint32_t i = 0; i < shape->nspeeds; i++)
		json_array_append_new(rates, speed_json(&shape->speed[i]));
	for (uint32_t i = 0; i < shape->nparts; i++)
		json_array_append_new(parts, part_json(&shape->part[i]));
	o = json_pack(
		"{s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:I, s:o}",
		"input", tool_json_string(input),
		"what", tool_json_string(shape->what),
		"hosts", (int)tool_show_hosts(f), "switches", (int)f->nsw,
		"planes", (int)shape->nplanes, "links", (int)f->nlinks,
		"between_switches", (int)(f->nlinks - f->nep),
		"rates", rates, "parts", parts,
		"irregular", (json_int_t)shape->irregular,
		"unlike", tool_show_notes_json(f, shape));
	json_object_update_new(o, tool_show_machines_json(f));
	return o;
}
