// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft: the table of its commands. */
#include "config.h"
#include "tools/option_list.h"
#include "tools/common/settings.h"

#include <stdlib.h>
#include <string.h>

static const struct tool_command *const commands[] = {
#define WEFT_COMMAND(name) &tool_command_##name,
#include "tools/commands.def"
#undef WEFT_COMMAND
};
#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(FILE *out)
{
	fputs("Usage: weft COMMAND [OPTION]... [INPUT]...\n\n"
	      "Routing of InfiniBand fabrics: makes forwarding tables and judges them.\n\nCommands:\n", out);
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i]->name,
			commands[i]->summary);
	fputs("\n'weft COMMAND --help' tells more. The manual: man weft\n",
	      out);
}

static const struct tool_command *find(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static enum tool_status unknown(const char *name)
{
	const char *names[NCOMMANDS + 1], *near;

	for (size_t i = 0; i < NCOMMANDS; i++)
		names[i] = commands[i]->name;
	names[NCOMMANDS] = NULL;
	near = weft_diag_suggest(name, names);
	fprintf(stderr, "weft: error: no command '%s'", name);
	if (near)
		fprintf(stderr, "; did you mean '%s'?", near);
	fputs("\nTry 'weft --help'.\n", stderr);
	return TOOL_FAILED;
}

static bool is(const char *word, const char *letter, const char *name)
{
	return !strcmp(word, letter) || !strcmp(word, name) ||
	       !strcmp(word, name + 2);
}

/* Runs what is no command: options, and "help [COMMAND]". */
static enum tool_status other(int argc, char **argv)
{
	const struct tool_command *c;

	if (is(argv[1], "-V", "--version")) {
		puts(PACKAGE_STRING);
		return TOOL_FINE;
	}
	if (!strcmp(argv[1], "--list-options")) {
		tool_option_list(stdout, commands, NCOMMANDS);
		return TOOL_FINE;
	}
	if (!is(argv[1], "-h", "--help"))
		return unknown(argv[1]);
	if (argc < 3) {
		help(stdout);
		return TOOL_FINE;
	}
	c = find(argv[2]);
	if (!c)
		return unknown(argv[2]);
	tool_help(c, false, stdout);
	return TOOL_FINE;
}

static enum tool_status run(struct tool *t, int argc, char **argv)
{
	enum tool_status status = TOOL_FINE;

	snprintf(t->program, sizeof(t->program), "weft %s", t->command->name);
	t->args.lmc = -1;
	t->own = calloc(1, t->command->own_size + 1);
	if (!t->own) {
		tool_no_memory(t);
		return TOOL_FAILED;
	}
	if (!tool_args_parse(t, argc, argv) || !tool_args_settings(t))
		return TOOL_FAILED;
	tool_talk_options(t);
	tool_color_by(t);
	if (t->args.help || t->args.help_all)
		tool_help(t->command, t->args.help_all, stdout);
	else if (t->args.version)
		puts(PACKAGE_STRING);
	else
		status = t->command->run(t);
	return status;
}

int main(int argc, char **argv)
{
	struct tool t = { 0 };
	enum tool_status status;

	tool_output_prepare();
	weft_io_keep_streams();
	if (!tool_talk_start(&t))
		return TOOL_FAILED;
	snprintf(t.program, sizeof(t.program), "weft");
	if (argc < 2) {
		help(stderr);
		status = TOOL_FAILED;
	} else {
		t.command = find(argv[1]);
		status = t.command ? run(&t, argc - 1, argv + 1) :
				     other(argc, argv);
	}
	tool_args_free(&t.args);
	tool_settings_free(&t);
	free(t.own);
	if (!tool_output_close(&t, status != TOOL_FAILED))
		status = TOOL_FAILED;
	tool_talk_stop(&t);
	return status;
}
