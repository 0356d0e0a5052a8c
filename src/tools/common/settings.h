/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Settings: what options are where nobody gives them, from INI files.
 *
 * The file beside a capture, DIR/weft.ini, comes before that of the user,
 * $WEFT_CONFIG or ~/.config/weft/weft.ini, and the command line before both.
 * Names are those of options; see weft-config(1).
 */
#ifndef WEFT_TOOLS_COMMON_SETTINGS_H
#define WEFT_TOOLS_COMMON_SETTINGS_H

#include "tools/common/tool.h"

#define TOOL_SETTINGS 7
#define TOOL_SETTINGS_FILES 2

struct tool_setting {
	char *value;		/* NULL: nobody says */
	unsigned file, line;	/* where it stands */
};

struct tool_settings {
	struct tool_setting setting[TOOL_SETTINGS];
	/* Weakest first; NULL: there is no such place. */
	char *file[TOOL_SETTINGS_FILES];
	bool there[TOOL_SETTINGS_FILES];
};

/* What there is to set, in the order of the settings. */
extern const struct tool_setting_name {
	const char *name, *about;
	enum { TOOL_SETTING_WORD, TOOL_SETTING_FILE, TOOL_SETTING_EITHER }
		value;		/* files are relative to the directory of the
				 * settings; either: a file, if it is there */
} tool_setting_names[TOOL_SETTINGS];

/* Reads the files, for that input or none, NULL.  False after an error
 * message. */
bool tool_settings_read(struct tool *t, const char *input);
void tool_settings_free(struct tool *t);
/* A setting by name; NULL: nobody says. */
const char *tool_setting(const struct tool *t, const char *name);
/* The file that it stands in, likewise. */
const char *tool_setting_file(const struct tool *t, const char *name);

#endif
