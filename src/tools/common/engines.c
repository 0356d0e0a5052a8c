// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engines as the command line names them: NAME[:OPTION=VALUE,...]. */
#include "tools/common/engines.h"
#include "tools/common/record.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_LABEL 512
#define MOST 64	/* engines */

/* As [weft] deadlock= of the plugins, where layers are the default. */
static const struct weft_option common_options[] = {
	{ .name = "deadlock", .type = WEFT_OPT_ENUM, .preset = "ignore",
	  .choices = "ignore|layers",
	  .help = "whether tables with a credit loop get service levels" },
	{ .name = "lanes", .type = WEFT_OPT_INT, .preset = "8", .min = 1,
	  .max = 15, .help = "that there are for it" },
	{ .type = WEFT_OPT_END },
};

/* Engines of OpenSM and UFM, and what comes closest of those here. */
static const struct foreign {
	const char *name, *ours;
} foreign[] = {
	{ "dfsssp", "psssp:deadlock=layers" },
	{ "sssp", "psssp" },
	{ "nue", "weave" },
	{ "lash", "psssp:deadlock=layers" },
	{ "dor", "weave" },
	{ "torus-2qos", "weave" },
	{ "ftree", "eftree" },
	{ "pqft", "eftree" },
	{ "dnup", "updn" },
	{ "updown", "updn" },
	{ "min_hop", "minhop" },
	{ "ar_ftree", "eftree" },
	{ "ar_updn", "updn" },
	{ "ar_torus", "weave" },
	{ "dfp", "weave" },
	{ "dfp2", "weave" },
	{ "kdor-hc", "weave" },
};

static const char *closest_of_ours(const char *name)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (!strcasecmp(foreign[i].name, name))
			return foreign[i].ours;
	return NULL;
}

static bool unknown_engine(struct tool *t, const char *name)
{
	const struct weft_engine *const *all = weft_engines();
	const char *names[64], *near;
	char list[256] = "";
	size_t n;

	near = closest_of_ours(name);
	if (near || !strcasecmp(name, "file")) {
		tool_usage(t, near ?
			   "engine '%s' is another program's; '%s' comes closest to it"
			   : "'%s' is no engine: give tables with -t",
			   name, near);
		return false;
	}
	for (n = 0; all[n] && n < 63; n++) {
		names[n] = all[n]->name;
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s%s", n ? ", " : "", all[n]->name);
	}
	names[n] = NULL;
	near = weft_diag_suggest(name, names);
	if (near)
		tool_usage(t, "no engine '%s'; did you mean '%s'?", name, near);
	else
		tool_usage(t, "no engine '%s'; there are: %s", name, list);
	return false;
}

static bool has_option(const struct weft_option *o, const char *assignment)
{
	size_t length = strcspn(assignment, "=");

	for (; o && o->type != WEFT_OPT_END; o++)
		if (strlen(o->name) == length &&
		    !memcmp(o->name, assignment, length))
			return true;
	return false;
}

/* The options that an assignment belongs to. */
static struct weft_options *owner_of(const struct tool_engine *e,
				     const char *assignment)
{
	return has_option(common_options, assignment) &&
	       !has_option(e->engine->options, assignment) ? e->common :
							     e->options;
}

/* Names of an engine's options, its own and common ones; how many. */
static unsigned list_options(const struct weft_engine *engine,
			     const char **names, unsigned max)
{
	const struct weft_option *own = engine->options, *o = own;
	unsigned n = 0;

	for (; o && o->type != WEFT_OPT_END && n < max; o++)
		names[n++] = o->name;
	for (o = common_options; o->type != WEFT_OPT_END && n < max; o++)
		if (!has_option(own, o->name))
			names[n++] = o->name;
	return n;
}

/* Says which name is near, or all that there are. */
static bool unknown_option(struct tool *t, const struct weft_engine *engine,
			   const char *assignment)
{
	char name[64], list[512] = "";
	int length = strcspn(assignment, "=");
	const char *names[64], *near;
	unsigned n = list_options(engine, names, 63);

	for (unsigned i = 0; i < n; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s%s", i ? ", " : "", names[i]);
	names[n] = NULL;
	snprintf(name, sizeof(name), "%.*s", length, assignment);
	near = weft_diag_suggest(name, names);
	if (near)
		tool_usage(t,
			   "engine %s has no option '%s'; did you mean '%s'?",
			   engine->name, name, near);
	else
		tool_usage(t, "engine %s has no option '%s'; there are: %s",
			   engine->name, name, list);
	return false;
}

static bool set_option(struct tool *t, const struct tool_engine *e,
		       const char *assignment)
{
	if (!has_option(e->engine->options, assignment) &&
	    !has_option(common_options, assignment))
		return unknown_option(t, e->engine, assignment);
	return !weft_options_parse(owner_of(e, assignment), assignment,
				   &t->diag) || tool_hint(t);
}

static bool parse_one(struct tool *t, const char *spec,
		      struct tool_engine *out)
{
	char *copy = strdup(spec), *rest = NULL, *option;
	bool ok = copy;

	if (!copy)
		return tool_no_memory(t);
	rest = strchr(copy, ':');
	if (rest)
		*rest++ = '\0';
	out->engine = weft_engine_find(copy);
	if (!out->engine)
		ok = unknown_engine(t, copy);
	else if (weft_options_new(&out->options, out->engine->options) ||
		 weft_options_new(&out->common, common_options))
		ok = tool_no_memory(t);
	while (ok && (option = strsep(&rest, ",")))
		ok = set_option(t, out, option);
	free(copy);
	return ok;
}

/* -O: to every engine given that has such an option, at least one. */
static bool set_everywhere(struct tool *t, const char *assignment,
			   struct tool_engine *e, unsigned n)
{
	unsigned set = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!has_option(e[i].engine->options, assignment) &&
		    !has_option(common_options, assignment))
			continue;
		if (weft_options_parse(owner_of(&e[i], assignment), assignment,
				       &t->diag))
			return tool_hint(t);
		set++;
	}
	if (!set && n == 1)
		return unknown_option(t, e->engine, assignment);
	if (!set)
		tool_usage(t,
			   "-O %s: no engine that was given has an option '%.*s'; see 'weft route --list'",
			   assignment,
			   (int)strcspn(assignment, "="), assignment);
	return set;
}

/* Appends ":option=value,..." for what was given, in the order of the table;
 * returns how long the text is then, or would be. */
static size_t append_given(char *text, size_t n, const struct weft_options *o)
{
	const struct weft_option *row = weft_options_table(o);

	for (; row && row->type != WEFT_OPT_END && n < MAX_LABEL; row++)
		if (weft_options_given(o, row->name))
			n += snprintf(text + n, MAX_LABEL - n, "%c%s=%s",
				      strchr(text, ':') ? ',' : ':', row->name,
				      weft_options_text(o, row->name));
	return n;
}

/* Tells an engine that nobody chose --objective, if it can heed that, unless -O
 * told it something else. */
static bool tell_objective(struct tool *t, struct tool_engine *e)
{
	static const char name[] = "objective";
	const char *text = t->args.objective;
	size_t size;
	char *told;
	bool ok;

	if (!text || weft_objective_is_usual(text) ||
	    !has_option(e->engine->options, name) ||
	    weft_options_given(e->options, name))
		return true;
	size = sizeof(name) + strlen(text) + 1;
	told = malloc(size);
	if (!told)
		return tool_no_memory(t);
	snprintf(told, size, "%s=%s", name, text);
	ok = !weft_options_parse(e->options, told, &t->diag) || tool_hint(t);
	free(told);
	return ok;
}

/* "name:option=value,..." */
static bool make_label(struct tool_engine *e)
{
	char text[MAX_LABEL];
	size_t n = snprintf(text, sizeof(text), "%s", e->engine->name);

	n = append_given(text, n, e->options);
	append_given(text, n, e->common);
	e->label = strdup(text);
	return e->label;
}

struct tool_engine *tool_engines_parse(struct tool *t)
{
	const struct tool_args *a = &t->args;
	unsigned n = a->engine.n;
	struct tool_engine *e = calloc(n + 1, sizeof(*e));
	bool ok = e;

	for (unsigned i = 0; i < n && ok; i++)
		ok = parse_one(t, a->engine.item[i], &e[i]);
	for (unsigned i = 0; i < a->engine_option.n && ok; i++)
		ok = set_everywhere(t, a->engine_option.item[i], e, n);
	for (unsigned i = t->nchosen; t->tells_objective && i < n && ok; i++)
		ok = tell_objective(t, &e[i]);
	for (unsigned i = 0; i < n && ok; i++)
		ok = !weft_io_read_lists(e[i].options, false, &t->diag) &&
		     !weft_io_read_objectives(e[i].options, &t->diag);
	for (unsigned i = 0; i < n && ok; i++)
		ok = make_label(&e[i]);
	if (ok)
		return e;
	tool_engines_free(e);
	return NULL;
}

void tool_engines_free(struct tool_engine *e)
{
	for (unsigned i = 0; e && e[i].engine; i++) {
		weft_options_free(e[i].options);
		weft_options_free(e[i].common);
		free(e[i].label);
	}
	free(e);
}

static void list_option(const struct weft_option *o, FILE *out)
{
	int used = fprintf(out, "    %s=%s", o->name,
			   o->preset ? o->preset : "");
	char text[512];

	used += fprintf(out, "%*s", used < 27 ? 28 - used : 1, "");
	if (o->type == WEFT_OPT_INT)
		snprintf(text, sizeof(text), "%s (%ld to %ld)", o->help,
			 o->min, o->max);
	else if (o->type == WEFT_OPT_ENUM)
		snprintf(text, sizeof(text), "%s (%s)", o->help, o->choices);
	else
		snprintf(text, sizeof(text), "%s", o->help);
	tool_text_wrap(out, used, 28, text);
}

const struct weft_option *tool_engines_common(void)
{
	return common_options;
}

void tool_options_list(FILE *out, const struct weft_option *o)
{
	for (; o && o->type != WEFT_OPT_END; o++)
		list_option(o, out);
}

static bool is_choice(const void *record)
{
	return ((const struct weft_option *)record)->type == WEFT_OPT_ENUM;
}

static bool is_number(const void *record)
{
	return ((const struct weft_option *)record)->type == WEFT_OPT_INT;
}

static const char *const types[] = {
	[WEFT_OPT_INT] = "number", [WEFT_OPT_BOOL] = "yes or no",
	[WEFT_OPT_REAL] = "fraction",
	[WEFT_OPT_ENUM] = "choice", [WEFT_OPT_STRING] = "text",
	[WEFT_OPT_LIST] = "list", [WEFT_OPT_OBJECTIVE] = "objective",
	[WEFT_OPT_JOBS] = "jobs",
};

static const struct tool_field option_fields[] = {
#define FIELD(...) TOOL_FIELD(struct weft_option, __VA_ARGS__)
	FIELD(name, NAME, "name"),
	FIELD(type, ONE_OF, "type", .names = types),
	FIELD(preset, NAME, "default"),
	FIELD(help, NAME, "help"),
	FIELD(choices, NAME, "choices", .left_out = true, .when = is_choice),
	FIELD(min, LONG, "min", .left_out = true, .when = is_number),
	FIELD(max, LONG, "max", .left_out = true, .when = is_number),
	TOOL_FIELDS_END
#undef FIELD
};

/* What options are for, and they. */
struct listed {
	const char *name, *summary;
	const struct weft_option *option;
	uint32_t noptions;
	bool reference;
};

static const struct tool_field listed_fields[] = {
#define FIELD(...) TOOL_FIELD(struct listed, __VA_ARGS__)
	FIELD(name, NAME, "name"),
	FIELD(summary, NAME, "summary"),
	TOOL_ROWS_OF(struct listed, option, noptions, option_fields, "options"),
	TOOL_FIELDS_END
}, engine_fields[] = {
	FIELD(name, NAME, "name"),
	FIELD(summary, NAME, "summary"),
	FIELD(reference, YES, "reference"),
	TOOL_ROWS_OF(struct listed, option, noptions, option_fields, "options"),
	TOOL_FIELDS_END
#undef FIELD
};

static struct listed list(const char *name, const char *summary,
			  const struct weft_option *options)
{
	struct listed l = { name, summary, .option = options };

	while (options && options[l.noptions].type != WEFT_OPT_END)
		l.noptions++;
	return l;
}

json_t *tool_listed_json(const char *name, const char *summary,
			 const struct weft_option *options)
{
	const struct listed l = list(name, summary, options);

	return tool_record_object(listed_fields, &l);
}

/* As JSON or CSV; false where text is asked for. */
static bool list_values(const struct tool *t, FILE *out)
{
	const struct weft_engine *const *engines = weft_engines();
	const struct listed all = list(NULL, NULL, common_options);
	struct listed listed[MOST];
	uint32_t n = 0;

	for (; engines[n] && n < MOST; n++) {
		listed[n] = list(engines[n]->name, engines[n]->summary,
				 engines[n]->options);
		listed[n].reference = engines[n]->needs & WEFT_REFERENCE;
	}
	if (!t->args.json)
		return tool_records_print(t, engine_fields, listed, n,
					  sizeof(*listed), out);
	tool_json_print(out, json_pack("{s:o, s:o}",
		"engines", tool_record_array(engine_fields, listed, n,
					     sizeof(*listed)),
		"options", tool_record_array(option_fields, all.option,
					     all.noptions,
					     sizeof(*all.option))));
	return true;
}

void tool_engines_list(const struct tool *t, FILE *out)
{
	const struct weft_engine *const *e = weft_engines();
	bool reference = false;

	if (list_values(t, out))
		return;
	for (; *e; e++) {
		int used;

		if ((*e)->needs & WEFT_REFERENCE && !reference) {
			reference = true;
			fputs("\nfor reference and research:\n", out);
		}
		used = fprintf(out, "%-11s ", (*e)->name);
		tool_text_wrap(out, used, 12, (*e)->summary);
		tool_options_list(out, (*e)->options);
	}
	fputc('\n', out);
	fprintf(out, "(all)\n");
	for (unsigned i = 0; common_options[i].type != WEFT_OPT_END; i++)
		list_option(&common_options[i], out);
}
