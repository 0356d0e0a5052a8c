// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Options: weft.conf, an INI file with a section [weft] for what all engines
 * have in common and one section for each engine.
 *
 */
#include "plugins/osm_shim.h"

#include "plugins/files/osm_files.h"
#include "plugins/conf/osm_options.h"

#include "core/siphash.h"
#include "io/ini.h"

#include <weft/number.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_PATH WEFT_SYSCONFDIR "/opensm/weft.conf"

struct reading {
	const char *path;
	const struct weft_engine *engine;
	struct weft_options *common, *own;
	struct weft_diag *diag;
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

/* Whether a text is a word, alone or with others behind it. */
static bool is_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(text, word, n) && (!text[n] || text[n] == ' ');
}

static bool read_hour(const char *text, int *minute)
{
	uint64_t hours, minutes;
	const char *colon;

	if (strncmp(text, "at ", 3))
		return false;
	colon = text + 3 + strspn(text + 3, " ");
	if (!weft_number_uint_at(&colon, ":", 23, &hours) || *colon != ':' ||
	    !weft_number_uint(colon + 1, 59, &minutes))
		return false;
	*minute = 60 * hours + minutes;
	return true;
}

bool weft__rebalance_read(const char *text, struct weft__rebalance *out)
{
	static const uint64_t key[2] = { 0 };

	out->word = weft__siphash(key, text, strlen(text));
	if (!strcmp(text, "auto"))
		out->when = WEFT__AUTO;
	else if (!strcmp(text, "never"))
		out->when = WEFT__NEVER;
	else if (is_word(text, "now"))
		out->when = WEFT__NOW;
	else if (is_word(text, "jump"))
		out->when = WEFT__JUMP;
	else if (read_hour(text, &out->minute))
		out->when = WEFT__AT;
	else
		return false;
	return true;
}

/* Says what is wrong with a value of [weft] that is a word of its own kind. */
static int check_common(const struct reading *r,
			const struct weft__ini_entry *entry)
{
	struct weft__rebalance rebalance;
	enum weft_machines_by by;

	if (!strcmp(entry->name, "rebalance") &&
	    !weft__rebalance_read(entry->value, &rebalance))
		return weft_fail_at(r->diag, EINVAL, r->path, entry->line,
				    "rebalance cannot be %s: it is auto, never, at HH:MM, now or jump, the last two with any word behind, so that the line changes",
				    entry->value);
	if (!strcmp(entry->name, "hosts_by") &&
	    !weft_machines_rule(entry->value, &by) && !strchr(entry->value, '/'))
		return weft_fail_at(r->diag, EINVAL, r->path, entry->line,
				    "hosts_by cannot be %s: it is auto, name, system, node or the path of a file",
				    entry->value);
	return 0;
}

static int take(void *context, const struct weft__ini_entry *entry)
{
	struct reading *r = context;
	const char *section = entry->section;
	struct weft_options *options = NULL;

	if (!strcmp(section, "weft") && check_common(r, entry))
		return -EINVAL;
	if (!strcmp(section, "weft"))
		options = r->common;
	else if (!strcmp(section, r->engine->name))
		options = r->own;
	else if (weft_engine_find(section))
		return 0;	/* for another engine to judge */
	if (options)
		return weft_options_set(options, entry->name, entry->value,
					r->path, entry->line, r->diag);
	if (*section)
		return weft_fail_at(r->diag, EINVAL, r->path, entry->line,
				    "no section can be called [%s]: it is [weft] or the name of an engine",
				    section);
	return weft_fail_at(r->diag, EINVAL, r->path, entry->line,
			    "%s is in no section: put it under [weft] or under the name of an engine",
			    entry->name);
}

/* Reads the file at path into r's options; must_exist: ENOENT is an error. */
static int read_file(struct reading *r, const char *path, bool must_exist)
{
	struct weft__source source;
	int err;

	if (!must_exist && access(path, F_OK) && errno == ENOENT)
		return 0;
	r->path = path;
	err = weft__file_open_conf(path, &source, r->diag);
	if (err)
		return err;
	err = weft__ini_read(&source, "an option = value", take, r, r->diag);
	weft__source_close(&source);
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
	out->flaps = weft_options_int(o, "flaps");
	out->flap_window = weft_options_int(o, "flap_window");
	weft__rebalance_read(weft_options_text(o, "rebalance"),
			     &out->rebalance);
	out->rebalance.after = weft_options_int(o, "rebalance_after");
	out->rebalance.pause = weft_options_int(o, "rebalance_pause");
	out->rebalance.blocks = weft_options_int(o, "changes");
	out->balance = says(o, "balance", "now") ? WEFT__BALANCE_NOW :
		       says(o, "balance", "later") ? WEFT__BALANCE_LATER :
						     WEFT__BALANCE_AUTO;
	out->first_budget = weft_options_int(o, "first_budget");
	out->order = says(o, "safe_order", "yes") ? WEFT_STANDING_IN_ORDER :
		     says(o, "safe_order", "no") ? WEFT_STANDING_UNORDERED :
						   WEFT_STANDING_HOME_IN_ORDER;
	out->standing = says(o, "standing", "yes");
	out->adopt = says(o, "adopt", "yes");
	out->adopt_timeout = weft_options_int(o, "adopt_timeout");
	out->router_weights = says(o, "router_weights", "yes");
	if (!weft_machines_rule(weft_options_text(o, "hosts_by"),
				&out->machines_by))
		out->machines_path = strdup(weft_options_text(o, "hosts_by"));
	if (*weft_options_text(o, "kinds"))
		out->kinds_path = strdup(weft_options_text(o, "kinds"));
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
		*out = (struct weft__conf){ 0 };
		out->options = r.own;
		out->by_lmc = engine->needs & WEFT_NEEDS_LMC;
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
	weft_kinds_free(conf->kinds);
	free(conf->kinds_path);
	weft_adapters_free(&conf->machines);
	free(conf->machines_path);
	*conf = (struct weft__conf){ 0 };
}
