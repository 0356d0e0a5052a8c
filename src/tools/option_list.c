// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weft --list-options: every command, option and value in lines of words with
 * tabs between them, for programs.  The programs of completion make of it
 * what the shells complete, so that these know what --help knows.
 *
 *   command   NAME SUMMARY
 *   option    COMMAND NAME LETTER ARGUMENT REPEATED KIND WORDS HELP
 *   argument  COMMAND POSITION NAME KIND WORDS
 *   value     KIND NAME HELP
 *   setting   KIND NAME OPTION HELP
 *
 * A word that does not apply is "-"; one that ends in ":" or "=" wants more
 * behind it.  ARGUMENT is in brackets where it may be
 * left out.  POSITION has a '+' behind it where more may follow.  KIND is what
 * a value is: a row of kinds[] below, one of these "words", "none" for free
 * text or a number, "flag" for no value at all.  A value of a kind with
 * settings can be followed by ":" and these, each OPTION or OPTION=VALUE.
 */
#include "tools/option_list.h"
#include "tools/analyze/patterns.h"
#include "tools/common/engines.h"
#include "tools/plot/plot.h"

#include <ctype.h>
#include <string.h>

/* What arguments are, by what --help calls them. */
static const struct {
	const char *argument, *kind;
} kinds[] = {
	{ "FILE", "file" },
	{ "PATH", "file" },
	{ "TABLES", "file" },
	{ "LIST", "file" },
	{ "CAPTURE", "directory" },
	{ "DIRECTORY", "directory" },
	{ "INPUT", "input" },
	{ "PLAN", "input" },
	{ "A", "input" },
	{ "B", "input" },
	{ "DESCRIPTION", "family" },
	{ "ENGINE", "engine" },
	{ "NAME=VALUE", "setting" },
	{ "PATTERN", "pattern" },
	{ "WHAT", "objective" },
	{ "CHART", "chart" },
};

static const char *kind_of(const char *argument)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].argument, argument))
			return kinds[i].kind;
	return "none";
}

static const char *or_none(const char *text)
{
	return text && *text ? text : "-";
}

static void list_option(FILE *out, const struct tool_command *command,
			const struct tool_option *o)
{
	const struct weft_option *parameter =
		o->type == TOOL_PARAMETER ? tool_parameter(command, o) : NULL;
	const char *choices = parameter ? parameter->choices : o->choices;
	char letter[2] = { o->letter };
	const char *kind = !o->argument ? "flag" :
			   o->type == TOOL_CHOICE ||
					   (parameter && choices) ? "words" :
			   o->type == TOOL_NUMBER || parameter ? "none" :
						    kind_of(o->argument);

	fprintf(out, "option\t%s\t%s\t%s\t", command->name, o->name,
		or_none(letter));
	fprintf(out, o->optional ? "[%s]" : "%s", or_none(o->argument));
	fprintf(out, "\t%s\t%s\t%s\t%s\n", o->type == TOOL_LIST ? "yes" : "no",
		kind, or_none(choices), parameter ? parameter->help : o->help);
}

/* A word of "Usage:", as "INPUT...", "[INPUT]" or "check|trace". */
static void list_argument(FILE *out, const char *command, unsigned position,
			  const char *text, size_t length)
{
	const char *more = "", *kind;
	char word[64];

	if (length > 3 && !memcmp(text + length - 3, "...", 3)) {
		more = "+";
		length -= 3;
	}
	if (*text == '[') {
		text++;
		length -= 2;
	}
	snprintf(word, sizeof(word), "%.*s", (int)length, text);
	kind = islower((unsigned char)*word) ? "words" : kind_of(word);
	fprintf(out, "argument\t%s\t%u%s\t%s\t%s\t%s\n", command, position,
		more, word, kind, strcmp(kind, "words") ? "-" : word);
}

/* The arguments that are no options, by the first line of the usage. */
static void list_arguments(FILE *out, const struct tool_command *c)
{
	const char *p = c->usage;
	unsigned position = 0;
	bool value = false;

	while (*p && *p != '\n') {
		size_t n = strcspn(p, " \n");

		/* "-e ENGINE" is an option that has to be given. */
		if (*p != '-' && !value && strncmp(p, "[OPTION]", 8))
			list_argument(out, c->name, ++position, p, n);
		value = *p == '-';
		p += n + strspn(p + n, " ");
	}
}

static void list_setting(FILE *out, const char *kind, const char *name,
			 const struct weft_option *o)
{
	const char *p = o->type == WEFT_OPT_ENUM ? o->choices :
			o->type == WEFT_OPT_BOOL ? "yes|no" : NULL;

	if (!p)
		fprintf(out, "setting\t%s\t%s\t%s=\t%s\n", kind, name, o->name,
			o->help);
	while (p && *p) {
		size_t n = strcspn(p, "|");

		fprintf(out, "setting\t%s\t%s\t%s=%.*s\t%s\n", kind, name,
			o->name, (int)n, p, o->help);
		p += n + (p[n] == '|');
	}
}

static void list_value(FILE *out, const char *kind, const char *name,
		       const char *help, const struct weft_option *options)
{
	fprintf(out, "value\t%s\t%s\t%s\n", kind, name, help);
	for (; options && options->type != WEFT_OPT_END; options++)
		list_setting(out, kind, name, options);
}

static bool has(const struct weft_option *o, const char *name)
{
	for (; o && o->type != WEFT_OPT_END; o++)
		if (!strcmp(o->name, name))
			return true;
	return false;
}

static void list_engines(FILE *out)
{
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		const struct weft_option *o = tool_engines_common();

		list_value(out, "engine", (*e)->name, (*e)->summary,
			   (*e)->options);
		for (; o->type != WEFT_OPT_END; o++)
			if (!has((*e)->options, o->name))
				list_setting(out, "engine", (*e)->name, o);
	}
}

static void list_families(FILE *out)
{
	struct weft_gen_family f;

	for (unsigned i = 0; weft_gen_family(i, &f); i++)
		fprintf(out, "value\tfamily\t%s%s\t%s\n", f.name,
			*f.arguments ? ":" : "", f.summary);
}

void tool_option_list(FILE *out, const struct tool_command *const *commands,
		      size_t n)
{
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "command\t%s\t%s\n", commands[i]->name,
			commands[i]->summary);
		for (const struct tool_option *o = commands[i]->options;
		     o->name; o++)
			list_option(out, commands[i], o);
		list_arguments(out, commands[i]);
	}
	list_engines(out);
	list_value(out, "pattern", "basket", tool_basket_summary, NULL);
	for (const struct weft_pattern *const *p = weft_patterns(); *p; p++)
		list_value(out, "pattern", (*p)->name, (*p)->summary,
			   (*p)->options);
	list_value(out, "basket", WEFT_USUAL_OBJECTIVE,
		   "what programs of all kinds send", NULL);
	list_value(out, "basket", "ai", "what training jobs send", NULL);
	for (const struct tool_chart *c = tool_charts; c->name; c++)
		list_value(out, "chart", c->name, c->about, NULL);
	list_families(out);
}
