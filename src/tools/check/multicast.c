// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Multicast tables beside others: trees, circles, loads; see multicast.h. */
#include "tools/check/multicast.h"

#include "report/multicast.h"

#include <inttypes.h>
#include <stdlib.h>

#define TEXT 1024

static const struct weft__report_names names = {
	tool_text_vertex, tool_text_channel,
};

bool tool_multicast_make(struct tool *t, const struct tool_case *c,
			 struct tool_multicast *out)
{
	/* A plane lacks the switches of the others, which is no defect. */
	struct weft_diag *diag = c->planes ? NULL : &t->diag;
	struct weft_multicast m = { 0 };
	int err;

	*out = (struct tool_multicast){ .there = false };
	if (!c->sources || !c->sources->nmulticast)
		return true;
	err = weft_io_read_multicast(c->sources->multicast,
				     c->sources->nmulticast, c->fabric, &m,
				     diag);
	if (err)
		return !diag;
	err = weft_multicast_judge(c->fabric, &m, &out->v);
	weft_multicast_free(&m);
	if (err)
		weft_diag_say(&t->diag, WEFT_ERROR, "out of memory");
	out->there = !err && out->v.n;
	return !err;
}

void tool_multicast_free(struct tool_multicast *m)
{
	weft_multicast_verdict_free(&m->v);
}

static bool is_there(const void *record)
{
	const struct tool_multicast *m = record;

	return m->there;
}

#define FIELD(member, key, title) \
	TOOL_FIELD(struct tool_multicast, v.member, COUNT, "multicast." key, \
		   .column = title, .when = is_there)

const struct tool_field tool_multicast_fields[] = {
	FIELD(n, "groups", "multicast_groups"),
	FIELD(broken, "broken", "multicast_broken"),
	FIELD(used, "channels", "multicast_channels"),
	FIELD(max_load, "max_load", "multicast_max_load"),
	TOOL_FIELDS_END
};
#undef FIELD

#define FIELD(member) \
	TOOL_FIELD(struct weft_multicast_group, member, COUNT, #member)
static const struct tool_field group_fields[] = {
	FIELD(mlid), FIELD(switches), FIELD(members), FIELD(trees),
	FIELD(lost), FIELD(circles), FIELD(one_way), FIELD(nowhere),
	TOOL_FIELDS_END
};
#undef FIELD

/* Calls for the first of the broken groups, in words. */
static void each_broken(const struct weft_fabric *f,
			const struct weft_multicast_verdict *v, uint32_t most,
			void (*call)(void *context, const char *text),
			void *context)
{
	for (uint32_t i = 0; i < v->n && most; i++) {
		char text[TEXT];

		if (weft_multicast_holds(&v->group[i]))
			continue;
		weft__multicast_words(f, &v->group[i], &names, text,
				      sizeof(text));
		call(context, text);
		most--;
	}
}

static void print_line(void *context, const char *text)
{
	fputs("    ", context);
	tool_text_wrap(context, 4, 6, text);
}

static void print_loads(const struct weft_fabric *f,
			const struct weft_multicast_verdict *v, uint32_t most,
			FILE *out)
{
	uint32_t ch = v->max_channel;

	for (; most && ch != WEFT_NONE; most--) {
		char name[512], text[TEXT];

		snprintf(text, sizeof(text), "%" PRIu32 ": %s", v->load[ch],
			 tool_text_channel(f, ch, name, sizeof(name)));
		print_line(out, text);
		ch = weft__multicast_next(f, v, ch);
	}
}

void tool_multicast_print(const struct weft_fabric *f,
			  const struct tool_multicast *m, uint32_t most,
			  FILE *out)
{
	const struct weft__multicast_sums s = weft__multicast_sum(&m->v);

	if (!m->there)
		return;
	fprintf(out, "  multicast groups        %s",
		WEFT_COUNT(m->v.n, NULL));
	if (s.fewest < s.most)
		fprintf(out, ", of %" PRIu32 " to %s", s.fewest,
			WEFT_COUNT(s.most, "member"));
	else
		fprintf(out, ", of %s", WEFT_COUNT(s.most, "member"));
	fprintf(out, "\n    that are no tree      %s\n",
		WEFT_COUNT(m->v.broken, NULL));
	each_broken(f, &m->v, most, print_line, out);
	if (!m->v.used)
		return;
	fprintf(out, "    groups on a channel   at most %" PRIu32
		"; %s have any\n", m->v.max_load, WEFT_COUNT(m->v.used, NULL));
	if (m->v.max_load > 1)
		print_loads(f, &m->v, most, out);
}

static void append_text(void *context, const char *text)
{
	json_array_append_new(context, tool_json_string(text));
}

json_t *tool_multicast_json(const struct weft_fabric *f,
			    const struct tool_multicast *m, uint32_t most)
{
	json_t *root, *findings, *loads;
	uint32_t ch;

	if (!m->there)
		return json_null();
	root = json_object();
	findings = json_array();
	loads = json_array();
	each_broken(f, &m->v, most, append_text, findings);
	ch = m->v.max_channel;
	for (; most && ch != WEFT_NONE; most--) {
		char name[512];

		json_array_append_new(loads, json_pack(
			"{s:o, s:I}", "channel",
			tool_json_string(tool_text_channel(f, ch, name,
							   sizeof(name))),
			"groups", (json_int_t)m->v.load[ch]));
		ch = weft__multicast_next(f, &m->v, ch);
	}
	json_object_set_new(root, "findings", findings);
	json_object_set_new(root, "loads", loads);
	json_object_set_new(root, "group",
			    tool_record_array(group_fields, m->v.group, m->v.n,
					      sizeof(*m->v.group)));
	return root;
}
