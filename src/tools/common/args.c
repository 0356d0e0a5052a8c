// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The command line: getopt_long() driven by a command's option table. */
#include "tools/common/settings.h"

#include "core/grow.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 128	/* as many as tool_args.given has bits */
#define LONG 256	/* getopt's value of row i is LONG + i */

struct parser {
	struct option names[MAX_OPTIONS + 1];
	char letters[2 * MAX_OPTIONS + 2];
	const char *plain[MAX_OPTIONS + 1];	/* names, to suggest from */
};

void tool_list_add(struct tool_list *list, const char *item)
{
	if (weft__grow_one(&list->item, list->n)) {
		fputs("weft: error: out of memory\n", stderr);
		exit(TOOL_FAILED);
	}
	list->item[list->n++] = item;
}

void tool_args_free(struct tool_args *args)
{
	free(args->input.item);
	free(args->table.item);
	free(args->engine.item);
	free(args->engine_option.item);
	free(args->pattern.item);
	free(args->traffic.item);
	free(args->application.item);
	free(args->without.item);
	free(args->rest.item);
	weft_options_free(args->parameters);
}

const struct weft_option *tool_parameter(const struct tool_command *command,
					 const struct tool_option *o)
{
	const struct weft_option *row = command->parameters();

	while (strcmp(row->name, o->name))
		row++;
	return row;
}

bool tool_args_given(const struct tool *t, const char *name)
{
	unsigned i = 0;

	while (strcmp(t->command->options[i].name, name))
		i++;
	return t->args.given[i / 64] >> i % 64 & 1;
}

bool tool_objective_read(struct tool *t, struct weft_objective *out)
{
	const char *text = t->args.objective;

	*out = (struct weft_objective){ .nparts = 0 };
	if (!text)
		return true;
	if (weft_io_read_objective(text, out, &t->diag))
		return false;
	if (!out->redundancy)
		return true;
	weft_objective_free(out);
	weft_diag_say(&t->diag, WEFT_ERROR,
		      "redundancy is nothing that traffic gets: weft check --redundancy tells how much there is");
	return false;
}

const char *tool_objective_name(const struct tool *t)
{
	const char *text = t->args.objective;

	return text && !weft_objective_is_usual(text) ? text :
		WEFT_USUAL_OBJECTIVE;
}

bool tool_hint(const struct tool *t)
{
	fprintf(stderr, "Try '%s --help'.\n", t->program);
	return false;
}

enum tool_status tool_usage(struct tool *t, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	weft_diag_say(&t->diag, WEFT_ERROR, "%s", text);
	tool_hint(t);
	return TOOL_FAILED;
}

static void prepare(const struct tool_option *table, struct parser *p)
{
	char *letter = p->letters;
	int i;

	memset(p, 0, sizeof(*p));
	*letter++ = ':';
	for (i = 0; table[i].name && i < MAX_OPTIONS; i++) {
		bool takes = table[i].argument;

		p->plain[i] = table[i].name;
		p->names[i] = (struct option){
			.name = table[i].name, .val = LONG + i,
			.has_arg = !takes ? no_argument :
				table[i].optional ? optional_argument :
				required_argument,
		};
		if (!table[i].letter)
			continue;
		*letter++ = table[i].letter;
		if (takes)
			*letter++ = ':';
	}
}

/* Row that a value of getopt or its optopt stands for. */
static const struct tool_option *row(const struct tool_option *table, int c)
{
	if (c >= LONG)
		return &table[c - LONG];
	while (table->name && (!c || table->letter != c))
		table++;
	return table->name ? table : NULL;
}

static void *value_of(struct tool *t, const struct tool_option *o)
{
	return (o->own ? (char *)t->own : (char *)&t->args) + o->offset;
}

static bool set_number(struct tool *t, const struct tool_option *o,
		       const char *text)
{
	int64_t n;

	if (!weft_number_int(text, o->min, o->max, &n)) {
		tool_usage(t,
			   "--%s takes a whole number from %lld to %lld, not '%s'",
			   o->name, (long long)o->min,
			   (long long)o->max, text);
		return false;
	}
	*(int64_t *)value_of(t, o) = n;
	return true;
}

bool tool_share_at(const char **at, const char *ends, double *out)
{
	const char *p = *at;
	double share;

	if (!weft_number_real_at(&p, NULL, &share))
		return false;
	if (*p == '%') {
		share /= 100;
		p++;
	}
	if (*p && !strchr(ends, *p))
		return false;
	*at = p;
	*out = share;
	return true;
}

static bool set_choice(struct tool *t, const struct tool_option *o,
		       const char *text)
{
	int64_t i = 0;

	for (const char *p = o->choices; ; p++, i++) {
		size_t n = strcspn(p, "|");

		if (n == strlen(text) && !memcmp(p, text, n))
			break;
		p += n;
		if (!*p) {
			tool_usage(t, "--%s takes %s, not '%s'", o->name,
				   o->choices, text);
			return false;
		}
	}
	*(int64_t *)value_of(t, o) = i;
	return true;
}

static bool set(struct tool *t, const struct tool_option *o, const char *text)
{
	void *value = value_of(t, o);

	switch (o->type) {
	case TOOL_FLAG:
		*(bool *)value = true;
		return true;
	case TOOL_TEXT:
		*(const char **)value = text ? text : "";
		return true;
	case TOOL_LIST:
		tool_list_add(value, text);
		return true;
	case TOOL_NUMBER:
		return set_number(t, o, text);
	case TOOL_CHOICE:
		return set_choice(t, o, text);
	case TOOL_PARAMETER:
		return !weft_options_set(t->args.parameters, o->name,
					 text ? text : "yes", NULL, 0,
					 &t->diag) ||
		       tool_hint(t);
	}
	return false;
}

/* Says what is wrong with word, which getopt refused with c and optopt. */
static void refuse(struct tool *t, const struct parser *p, int c,
		   const char *word)
{
	const struct tool_option *o = row(t->command->options, optopt);
	const char *near;

	if (c == ':') {
		tool_usage(t, "option '%s' needs a value: %s", word,
			   o->argument);
	} else if (o) {
		tool_usage(t, "option '--%s' takes no value", o->name);
	} else if (optopt) {
		tool_usage(t, "no option '-%c'", optopt);
	} else {
		near = weft_diag_suggest(word + 2, p->plain);
		if (near)
			tool_usage(t, "no option '%s'; did you mean '--%s'?",
				   word, near);
		else
			tool_usage(t, "no option '%s'", word);
	}
}

bool tool_args_parse(struct tool *t, int argc, char **argv)
{
	const struct tool_option *table = t->command->options;
	struct parser p;
	unsigned i;
	int c;

	prepare(table, &p);
	if (t->command->parameters &&
	    weft_options_new(&t->args.parameters, t->command->parameters()))
		return tool_no_memory(t);
	for (const struct tool_option *o = table; o->name; o++)
		if (o->type == TOOL_NUMBER || o->type == TOOL_CHOICE)
			*(int64_t *)value_of(t, o) = o->preset;
	opterr = 0;
	while ((c = getopt_long(argc, argv, p.letters, p.names, NULL)) != -1) {
		if (c == '?' || c == ':') {
			refuse(t, &p, c, argv[optind - 1]);
			return false;
		}
		if (!set(t, row(table, c), optarg))
			return false;
		i = row(table, c) - table;
		t->args.given[i / 64] |= UINT64_C(1) << i % 64;
	}
	while (optind < argc)
		tool_list_add(&t->args.rest, argv[optind++]);
	if (t->args.json && t->args.csv) {
		tool_usage(t, "--json and --csv exclude each other");
		return false;
	}
	if (t->args.spreadsheet)
		weft_io_csv_for_spreadsheets();
	return true;
}

bool tool_args_settings(struct tool *t)
{
	const struct tool_option *o = t->command->options;
	const struct tool_args *a = &t->args;
	const char *input = a->input.n ? a->input.item[0] :
			    a->rest.n  ? a->rest.item[0] :
					 NULL;

	if (!tool_settings_read(t, input))
		return false;
	for (; o->name; o++) {
		const char *value = tool_setting(t, o->name);

		/* An engine would stand for tables that there are. */
		if (!value || o->type == TOOL_LIST ||
		    tool_args_given(t, o->name))
			continue;
		tool_talk_about(t, tool_setting_file(t, o->name));
		if (!set(t, o, value))
			return false;
		tool_talk_about(t, NULL);
	}
	return true;
}

static void help_option(const struct tool_command *command,
			const struct tool_option *o, FILE *out)
{
	const struct weft_option *parameter =
		o->type == TOOL_PARAMETER ? tool_parameter(command, o) : NULL;
	const char *help = parameter ? parameter->help : o->help;
	char text[512], preset[32] = "";
	int used;

	if (o->letter)
		used = fprintf(out, "  -%c, --%s", o->letter, o->name);
	else
		used = fprintf(out, "      --%s", o->name);
	if (o->argument)
		used += fprintf(out, o->optional ? "[=%s]" : "=%s", o->argument);
	if (used > 26) {
		fputc('\n', out);
		used = 0;
	}
	used += fprintf(out, "%*s", 28 - used, "");
	if (o->type == TOOL_NUMBER && o->preset >= o->min)
		snprintf(preset, sizeof(preset), "%lld", (long long)o->preset);
	else if (parameter && parameter->preset)
		snprintf(preset, sizeof(preset), "%s", parameter->preset);
	/* A help that says more of its default says it alone. */
	if (*preset && !strstr(help, "default"))
		snprintf(text, sizeof(text), "%s (default %s)", help, preset);
	else
		snprintf(text, sizeof(text), "%s", help);
	tool_text_wrap(out, used, 28, text);
}

/* Whether a text has that word, between blanks. */
static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += n)
		if ((p == text || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

static bool is_shown(const struct tool_command *command, bool all,
		     const char *option)
{
	if (all)
		return true;
	if (!command->basic)
		return strcmp(option, "help-all");
	return has_word(command->basic, option) ||
	       has_word("quiet help help-all version", option);
}

void tool_help(const struct tool_command *command, bool all, FILE *out)
{
	unsigned more = 0;

	fprintf(out, "Usage: weft %s %s\n\n", command->name, command->usage);
	tool_text_wrap(out, 0, 0, command->about);
	fputs("\nOptions:\n", out);
	for (const struct tool_option *o = command->options; o->name; o++)
		if (is_shown(command, all, o->name))
			help_option(command, o, out);
		else
			more++;
	if (!command->basic)	/* but for --help-all, these are all */
		more = 0;
	if (more)
		fprintf(out, "\n%s: weft %s --help-all\n",
			WEFT_COUNT(more, "more option"), command->name);
	fprintf(out, "\nThe manual: man weft-%s\n", command->name);
}
