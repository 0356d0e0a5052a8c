// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Multicast tables beside others: trees, circles, loads; see multicast.h. */
#include "tools/check/multicast.h"

#include <inttypes.h>
#include <stdlib.h>

#define TEXT 1024

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

static void group_text(const struct weft_fabric *f,
		       const struct weft_multicast_group *g, FILE *out)
{
	const char *comma = ":";
	char name[512];

	fprintf(out, "group 0x%x", g->mlid);
	if (g->circles) {
		fprintf(out, "%s packets go round by %s more than a tree has",
			comma, WEFT_COUNT(g->circles, "cable"));
		comma = ",";
	}
	if (g->lost) {
		fprintf(out, "%s %s of its %" PRIu32
			" members in %" PRIu32 " pieces do not hear each other",
			comma, WEFT_COUNT(g->lost, "pair"), g->members,
			g->trees);
		comma = ",";
	}
	if (g->one_way)
		fprintf(out, "%s %s to switches that do not send back", comma,
			WEFT_COUNT(g->one_way, "port"));
	if (g->channel != WEFT_NONE)
		fprintf(out, "; such as %s",
			tool_text_channel(f, g->channel, name, sizeof(name)));
}

/* Calls for the first of the broken groups, in words. */
static void each_broken(const struct weft_fabric *f,
			const struct weft_multicast_verdict *v, uint32_t most,
			void (*call)(void *context, const char *text),
			void *context)
{
	for (uint32_t i = 0; i < v->n && most; i++) {
		char text[TEXT] = "";
		FILE *out;

		if (weft_multicast_holds(&v->group[i]))
			continue;
		out = fmemopen(text, sizeof(text), "w");
		if (!out)
			return;
		group_text(f, &v->group[i], out);
		fclose(out);
		call(context, text);
		most--;
	}
}

/* The channel of the highest load below that of another one, or of the same and
 * behind it; WEFT_NONE: there is none with any. */
static uint32_t next_loaded(const struct weft_fabric *f,
			    const struct weft_multicast_verdict *v,
			    uint32_t last)
{
	uint32_t best = WEFT_NONE;

	for (uint32_t ch = 0; ch < f->nch; ch++) {
		uint32_t load = v->load[ch];

		if (!load || (last != WEFT_NONE &&
			      (load > v->load[last] ||
			       (load == v->load[last] && ch <= last))))
			continue;
		if (best == WEFT_NONE || load > v->load[best])
			best = ch;
	}
	return best;
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
		ch = next_loaded(f, v, ch);
	}
}

void tool_multicast_print(const struct weft_fabric *f,
			  const struct tool_multicast *m, uint32_t most,
			  FILE *out)
{
	uint32_t fewest = UINT32_MAX, members = 0;

	if (!m->there)
		return;
	for (uint32_t i = 0; i < m->v.n; i++) {
		uint32_t n = m->v.group[i].members;

		fewest = n < fewest ? n : fewest;
		members = n > members ? n : members;
	}
	fprintf(out, "  multicast groups        %s",
		WEFT_COUNT(m->v.n, NULL));
	if (fewest < members)
		fprintf(out, ", of %" PRIu32 " to %s", fewest,
			WEFT_COUNT(members, "member"));
	else
		fprintf(out, ", of %s", WEFT_COUNT(members, "member"));
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
		ch = next_loaded(f, &m->v, ch);
	}
	json_object_set_new(root, "findings", findings);
	json_object_set_new(root, "loads", loads);
	json_object_set_new(root, "group",
			    tool_record_array(group_fields, m->v.group, m->v.n,
					      sizeof(*m->v.group)));
	return root;
}
