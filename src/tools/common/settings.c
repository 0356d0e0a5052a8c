// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Settings from INI files; see settings.h. */
#include "tools/common/settings.h"

#include <ini.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "weft.ini"

const struct tool_setting_name tool_setting_names[TOOL_SETTINGS] = {
	{ "engine", "routes what has no tables (-e), and weft route", TOOL_SETTING_WORD },
	{ "lanes", "lanes (VLs) that there are", TOOL_SETTING_WORD },
	{ "node-name-map", "names of nodes by GUID", TOOL_SETTING_FILE },
	{ "kinds", "what hosts are for", TOOL_SETTING_FILE },
	{ "hosts-by", "adapters of one host", TOOL_SETTING_EITHER },
	{ "plan", "the fabric as it should be, of weft check --against", TOOL_SETTING_FILE },
	{ "color", "colours on a terminal", TOOL_SETTING_WORD },
};

/* One file, as it is read. */
struct reading {
	struct tool *t;
	FILE *in;
	unsigned file, line;
	bool ok;
};

static char *read_line(char *buffer, int size, void *context)
{
	struct reading *r = context;

	r->line++;
	return fgets(buffer, size, r->in);
}

static bool fail(struct reading *r, const char *format, const char *what)
{
	char text[512];

	snprintf(text, sizeof(text), format, what);
	weft_diag_at(&r->t->diag, WEFT_ERROR, r->t->settings->file[r->file],
		     r->line, "%s", text);
	r->ok = false;
	return false;
}

/* A name of a file is relative to the directory that the settings are in; a
 * plan may be a description, which no file is called, and others a word. */
static char *value_of(const struct reading *r, unsigned i, const char *value)
{
	const char *file = r->t->settings->file[r->file];
	const char *slash = strrchr(file, '/');
	char path[PATH_MAX];

	if (tool_setting_names[i].value == TOOL_SETTING_WORD || *value == '/' || !slash ||
	    snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - file), file,
		     value) >= (int)sizeof(path) ||
	    (access(path, F_OK) &&
	     (tool_setting_names[i].value == TOOL_SETTING_EITHER ||
	      strchr(value, ':'))))
		return strdup(value);
	return strdup(path);
}

static unsigned find(const char *name)
{
	unsigned i = 0;

	while (i < TOOL_SETTINGS && strcmp(tool_setting_names[i].name, name))
		i++;
	return i;
}

/* ini_handler; errors are the reading's. */
static int take(void *context, const char *section, const char *name,
		const char *value)
{
	struct reading *r = context;
	const char *names[TOOL_SETTINGS + 1] = { NULL }, *near;
	unsigned i = find(name);
	struct tool_setting *s;

	for (unsigned k = 0; k < TOOL_SETTINGS; k++)
		names[k] = tool_setting_names[k].name;
	near = weft_diag_suggest(name, names);
	if (strcmp(section, "weft")) {
		fail(r, "no section '%s': settings stand below [weft]",
		     section);
	} else if (i < TOOL_SETTINGS) {
		s = &r->t->settings->setting[i];
		free(s->value);
		*s = (struct tool_setting){ value_of(r, i, value), r->file,
					    r->line };
		if (!s->value)
			r->ok = tool_no_memory(r->t);
	} else if (near) {
		fail(r, "no such setting; did you mean '%s'?", near);
	} else {
		fail(r, "no setting '%s': 'weft config' lists them", name);
	}
	return 1;
}

/* must: the file has to be there. */
static bool read_file(struct tool *t, unsigned file, bool must)
{
	struct tool_settings *s = t->settings;
	struct reading r = { .t = t, .file = file, .ok = true };
	int bad;

	if (!s->file[file])
		return true;
	r.in = fopen(s->file[file], "re");
	if (!r.in) {
		if (must)
			weft_diag_at(&t->diag, WEFT_ERROR, s->file[file], 0,
				     "cannot be read: WEFT_CONFIG names it");
		return !must;
	}
	s->there[file] = true;
	bad = ini_parse_stream(read_line, &r, take, &r);
	fclose(r.in);
	if (bad) {
		r.line = bad > 0 ? bad : 0;
		fail(&r, "neither [weft] nor %s", "name = value");
	}
	return r.ok;
}

static char *path_of(const char *directory, const char *rest)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s", directory, rest) < 0 ? NULL : path;
}

/* The user's; *must: the environment names it. */
static char *user_file(bool *must)
{
	const char *named = getenv("WEFT_CONFIG");
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	*must = named && *named;
	if (named)
		return *named ? strdup(named) : NULL;
	if (config && *config)
		return path_of(config, "weft/" NAME);
	return home && *home ? path_of(home, ".config/weft/" NAME) : NULL;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool tool_settings_read(struct tool *t, const char *input)
{
	bool must;

	t->settings = calloc(1, sizeof(*t->settings));
	if (!t->settings)
		return tool_no_memory(t);
	t->settings->file[0] = user_file(&must);
	if (is_directory(input))
		t->settings->file[1] = path_of(input, NAME);
	return read_file(t, 0, must) && read_file(t, 1, false);
}

void tool_settings_free(struct tool *t)
{
	struct tool_settings *s = t->settings;

	if (!s)
		return;
	for (unsigned i = 0; i < TOOL_SETTINGS; i++)
		free(s->setting[i].value);
	for (unsigned i = 0; i < TOOL_SETTINGS_FILES; i++)
		free(s->file[i]);
	free(s);
	t->settings = NULL;
}

const char *tool_setting(const struct tool *t, const char *name)
{
	unsigned i = find(name);

	return t->settings && i < TOOL_SETTINGS ?
		       t->settings->setting[i].value :
		       NULL;
}

const char *tool_setting_file(const struct tool *t, const char *name)
{
	const struct tool_settings *s = t->settings;

	return tool_setting(t, name) ? s->file[s->setting[find(name)].file] :
				       NULL;
}
