// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A commented weft.conf, made from the option tables. */
#include "plugins/conf/osm_options.h"

#include <weft/engine.h>

#include <ctype.h>
#include <string.h>

#define WIDTH 78
/* Stands for a node of the reader's own where an option has no default. */
#define EXAMPLE "0x0002c90300000001"
#define EXAMPLE_JOBS "train: node[001-016]"

static const char opening[] =
	"# weft.conf: options of weft's routing engines in OpenSM.\n"
	"#\n"
	"# weft-plugin(7) tells about the section [weft], weft-engines(7) about those of\n"
	"# the engines.  The plugins read\n"
	"#     " WEFT_SYSCONFDIR "/opensm/weft.conf\n"
	"# if that exists, or the file that opensm.conf names:\n"
	"#     event_plugin_options weft.conf=/some/file\n"
	"# They read it again on every heavy sweep; SIGHUP to opensm causes one.\n"
	"#\n"
	"# As it is this file changes nothing: every option stands behind a # with its\n"
	"# default.  Take the # away and write the value that is wanted.\n";

/* A comment in lines of WIDTH columns, broken at blanks. */
static void comment(FILE *out, const char *text)
{
	size_t column = fprintf(out, "#");

	while (*text) {
		size_t n = strcspn(text, " ");

		if (column + 1 + n > WIDTH && column > 1)
			column = fprintf(out, "\n#") - 1;
		column += fprintf(out, " %.*s", (int)n, text);
		text += n + strspn(text + n, " ");
	}
	fputc('\n', out);
}

/* Appends "a, b or c" for "a|b|c". */
static void append_choices(char *text, size_t size, const char *choices)
{
	while (*choices) {
		size_t n = strcspn(choices, "|"), used = strlen(text);
		const char *next = choices + n + (choices[n] == '|');

		snprintf(text + used, size - used, "%.*s%s", (int)n, choices,
			 !*next ? "" : strchr(next, '|') ? ", " : " or ");
		choices = next;
	}
}

/* What the option is for and takes, as a sentence without its end. */
static void describe(const struct weft_option *o, char *text, size_t size)
{
	size_t used = snprintf(text, size, "%s", o->help);

	*text = toupper((unsigned char)*text);
	switch (o->type) {
	case WEFT_OPT_INT:
		snprintf(text + used, size - used, " (%ld to %ld)", o->min,
			 o->max);
		break;
	case WEFT_OPT_BOOL:
		snprintf(text + used, size - used, " (yes or no)");
		break;
	case WEFT_OPT_REAL:
		snprintf(text + used, size - used, " (a fraction)");
		break;
	case WEFT_OPT_ENUM:
		snprintf(text + used, size - used, " (");
		append_choices(text, size, o->choices);
		used = strlen(text);
		snprintf(text + used, size - used, ")");
		break;
	default:
		break;
	}
}

/* A value for an option that has none by default.  A list whose nodes have to
 * be said something about gets its first choice. */
static void print_example(FILE *out, const struct weft_option *o)
{
	fputs(o->type == WEFT_OPT_JOBS ? EXAMPLE_JOBS : EXAMPLE, out);
	if (o->type == WEFT_OPT_LIST && o->choices && o->min)
		fprintf(out, "=%.*s", (int)strcspn(o->choices, "|"),
			o->choices);
	fputc('\n', out);
}

static void print_option(FILE *out, const struct weft_option *o,
			 const struct weft_options *values,
			 const char *sm_endport)
{
	const char *value = weft_options_text(values, o->name);
	char text[1024];

	describe(o, text, sizeof(text));
	fputc('\n', out);
	comment(out, text);
	if (!value && sm_endport && !strcmp(sm_endport, o->name))
		comment(out, "Default: the port that opensm runs on. For example:");
	else if (!value)
		comment(out, "Not set by default. For example:");
	fprintf(out, "#%s = ", o->name);
	if (value)
		fprintf(out, "%s\n", value);
	else
		print_example(out, o);
}

static void print_section(FILE *out, const char *name, const char *about)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s: %s", name, about);
	fputs("\n", out);
	comment(out, text);
	fprintf(out, "[%s]\n", name);
}

static int print_common(FILE *out)
{
	const struct weft_option *o = weft__conf_common;
	struct weft_options *values;
	int err = weft_options_new(&values, o);

	if (err)
		return err;
	print_section(out, "weft", "what all engines have in common");
	for (; o->type != WEFT_OPT_END; o++)
		print_option(out, o, values, NULL);
	weft_options_free(values);
	return 0;
}

static int print_engine(FILE *out, const struct weft_engine *e)
{
	const struct weft_option *o = e->options;
	struct weft_options *values = NULL;
	int err = weft_options_new(&values, o);

	if (!err && e->sm_preset)
		err = weft_options_parse(values, e->sm_preset, NULL);
	if (!err && o) {
		print_section(out, e->name, e->summary);
		for (; o->type != WEFT_OPT_END; o++)
			print_option(out, o, values, e->sm_endport);
	}
	weft_options_free(values);
	return err;
}

int weft__conf_sample(FILE *out)
{
	int err;

	fputs(opening, out);
	err = print_common(out);
	for (const struct weft_engine *const *e = weft_engines(); !err && *e;
	     e++)
		if (!((*e)->needs & WEFT_OFFLINE))
			err = print_engine(out, *e);
	return err;
}
