// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Options: weft.conf, an INI file with a section [weft] for what all engines
 * have in common and one section for each engine.
 *
 * inih reads it.  Its lines come through read_line(), which counts them for the
 * messages (inih's handlers are not told) and takes blanks in front of a line
 * away (inih would take an indented line for more of the value above).
 */
#include "osm_shim.h"

#include "osm_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#define DEFAULT_PATH WEFT_SYSCONFDIR "/opensm/weft.conf"

struct reading {
	const char *path;
	FILE *file;
	unsigned long line;
	const struct weft_engine *engine;
	struct weft_options *common, *own;
	struct weft_diag *diag;
	bool failed;
};

/* The value of a word "key=value", or NULL. */
static const char *value_of(const char *word, size_t length, const char *key)
{
	size_t n = strlen(key);

	return length > n && !strncmp(word, key, n) ? word + n : NULL;
}

static const char blanks[] = " \t,;";

char *weft__conf_word(const char *plugin_options, const char *key)
{
	const char *p = plugin_options ? plugin_options : "";
	size_t length;

	for (p += strspn(p, blanks); *p; p += length, p += strspn(p, blanks)) {
		const char *value;

		length = strcspn(p, blanks);
		value = value_of(p, length, key);
		if (value)
			return strndup(value, p + length - value);
	}
	return NULL;
}

char *weft__conf_path(const char *plugin_options)
{
	const char *first = plugin_options ? plugin_options : "";
	char *path = weft__conf_word(plugin_options, "weft.conf=");
	size_t length;

	if (!path)
		path = weft__conf_word(plugin_options, "engine.conf=");
	if (path)
		return path;
	first += strspn(first, blanks);
	length = strcspn(first, blanks);
	if (*first == '/' && !first[length + strspn(first + length, blanks)])
		return strndup(first, length);
	return NULL;
}

/* ini_reader: the next line, or NULL at the end of the file. */
static char *read_line(char *line, int size, void *context)
{
	struct reading *r = context;
	size_t length;

	if (!fgets(line, size, r->file))
		return NULL;
	r->line++;
	length = strlen(line);
	if (length == (size_t)size - 1 && line[length - 1] != '\n') {
		weft_diag_at(r->diag, WEFT_ERROR, r->path, r->line,
			     "longer than %d bytes", size - 2);
		r->failed = true;
		return NULL;
	}
	memmove(line, line + strspn(line, " \t"),
		length + 1 - strspn(line, " \t"));
	return line;
}

/* ini_handler.  Errors go to r->failed, the return value is for inih's own. */
static int take(void *context, const char *section, const char *name,
		const char *value)
{
	struct reading *r = context;
	struct weft_options *options = NULL;

	if (!strcmp(section, "weft"))
		options = r->common;
	else if (!strcmp(section, r->engine->name))
		options = r->own;
	else if (weft_engine_find(section))
		return 1;	/* for another engine to judge */
	if (options) {
		r->failed |= weft_options_set(options, name, value, r->path,
					      r->line, r->diag) != 0;
		return 1;
	}
	r->failed = true;
	if (*section)
		weft_diag_at(r->diag, WEFT_ERROR, r->path, r->line,
			     "no section can be called [%s]: it is [weft] or "
			     "the name of an engine",
			     section);
	else
		weft_diag_at(r->diag, WEFT_ERROR, r->path, r->line,
			     "%s is in no section: put it under [weft] or "
			     "under the name of an engine",
			     name);
	return 1;
}

static int parse(struct reading *r)
{
	int bad = ini_parse_stream(read_line, r, take, r);

	if (bad > 0)
		weft_diag_at(r->diag, WEFT_ERROR, r->path, bad,
			     "neither a [section] nor an option = value");
	if (bad < 0)
		return weft_fail(r->diag, ENOMEM, "out of memory");
	if (ferror(r->file)) {
		weft_diag_at(r->diag, WEFT_ERROR, r->path, 0, "cannot be read");
		return -EIO;
	}
	return bad || r->failed ? -EINVAL : 0;
}

/* Reads the file at path into r's options; must_exist: ENOENT is an error. */
static int read_file(struct reading *r, const char *path, bool must_exist)
{
	int err;

	r->path = path;
	r->file = fopen(path, "r");
	if (!r->file) {
		err = errno;
		if (err == ENOENT && !must_exist)
			return 0;
		weft_diag_at(r->diag, WEFT_ERROR, path, 0, "%s", strerror(err));
		return -err;
	}
	err = parse(r);
	fclose(r->file);
	return err;
}

static bool says(const struct weft_options *options, const char *name,
		 const char *choice)
{
	return !strcmp(weft_options_text(options, name), choice);
}

static void take_common(const struct weft_options *o, struct weft__conf *out)
{
	out->keep_routes = says(o, "deadlock", "keep");
	out->deadlock = out->keep_routes ||
			says(o, "deadlock", "layers") ? WEFT__LAYERS :
			says(o, "deadlock", "ignore") ? WEFT__IGNORE :
							WEFT__REFUSE;
	out->sl_dump = says(o, "sl_dump", "weft") ? WEFT__SL_WEFT :
		       says(o, "sl_dump", "psl") ? WEFT__SL_PSL :
						   WEFT__SL_NONE;
	out->qos_levels = weft_options_int(o, "qos_levels");
	out->opensm_multicast = says(o, "multicast", "opensm");
	out->sweeps_size = weft_options_int(o, "sweeps_size");
	out->sweeps_keep = weft_options_int(o, "sweeps_keep");
	out->router_weights = says(o, "router_weights", "yes");
}

int weft__conf_read(const char *plugin_options,
		    const struct weft_engine *engine, struct weft__conf *out,
		    struct weft_diag *diag)
{
	struct reading r = { .engine = engine, .diag = diag };
	char *named = weft__conf_path(plugin_options);
	int err;

	if (weft_options_new(&r.common, weft__conf_common) ||
	    weft_options_new(&r.own, engine->options) ||
	    (engine->sm_preset &&
	     weft_options_parse(r.own, engine->sm_preset, diag)))
		err = weft_fail(diag, ENOMEM, "out of memory");
	else
		err = read_file(&r, named ? named : DEFAULT_PATH, named);
	if (err) {
		weft_options_free(r.own);
	} else {
		out->options = r.own;
		out->lanes = engine->needs & WEFT_NEEDS_VLS ?
			weft_options_int(r.own, "lanes") : 0;
		take_common(r.common, out);
	}
	weft_options_free(r.common);
	free(named);
	return err;
}

void weft__conf_free(struct weft__conf *conf)
{
	weft_options_free(conf->options);
	*conf = (struct weft__conf){ 0 };
}
