// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft config: which settings are in force, and where they are from. */
#include "tools/common/record.h"
#include "tools/common/settings.h"

#include <string.h>

static const char *file_of(const struct tool_settings *s, unsigned i)
{
	return s->setting[i].value ? s->file[s->setting[i].file] : NULL;
}

static void print_text(const struct tool_settings *s, FILE *out)
{
	char name[256];

	for (unsigned i = 0; i < TOOL_SETTINGS; i++) {
		const struct tool_setting *one = &s->setting[i];

		fprintf(out, "%-14s ", tool_setting_names[i].name);
		if (one->value)
			fprintf(out, "%s  (%s:%u)\n",
				weft_diag_printable(name, sizeof(name),
						    one->value),
				file_of(s, i), one->line);
		else
			fprintf(out, "not set: %s\n",
				tool_setting_names[i].about);
	}
	fputs("\nfiles, the last one first:\n", out);
	for (unsigned i = TOOL_SETTINGS_FILES; i-- > 0;)
		if (s->file[i])
			fprintf(out, "  %s%s\n",
				weft_diag_printable(name, sizeof(name),
						    s->file[i]),
				s->there[i] ? "" : ", which is not there");
}

/* A setting, for programs. */
struct row {
	const char *name, *value, *file;
	unsigned line;
};

static bool is_set(const void *record)
{
	return ((const struct row *)record)->file;
}

static const struct tool_field fields[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
	FIELD(name, WORD, "name"),
	FIELD(value, NAME, "value"),
	FIELD(file, NAME, "file"),
	FIELD(line, COUNT, "line", .when = is_set),
	TOOL_FIELDS_END
#undef FIELD
};

static enum tool_status config_run(struct tool *t)
{
	const struct tool_settings *s = t->settings;
	struct row row[TOOL_SETTINGS];
	FILE *out;

	if (t->args.rest.n > 1)
		return tool_usage(t, "one directory, not %u", t->args.rest.n);
	out = tool_output_open(t, t->args.output);
	if (!out)
		return TOOL_FAILED;
	for (unsigned i = 0; i < TOOL_SETTINGS; i++)
		row[i] = (struct row){ tool_setting_names[i].name,
				       s->setting[i].value, file_of(s, i),
				       s->setting[i].line };
	if (!tool_records_print(t, fields, row, TOOL_SETTINGS, sizeof(*row),
				out))
		print_text(s, out);
	return TOOL_FINE;
}

static const struct tool_option config_options[] = {
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the settings to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_config = {
	.name = "config",
	.summary = "show the settings in force",
	.usage = "[OPTION]... [DIR]",
	.about = "Shows which settings are in force, for a capture in a directory, and from which file: DIR/weft.ini comes before WEFT_CONFIG or ~/.config/weft/weft.ini. "
		 "Settings stand for options that are not given.",
	.options = config_options,
	.run = config_run,
};
