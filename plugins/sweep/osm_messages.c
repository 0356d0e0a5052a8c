// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the engines say, in OpenSM's log. */
#include "plugins/osm_shim.h"

#include "core/siphash.h"

#include <string.h>

/* At most that many warnings and notes of one sweep, each. */
#define LOG_LIMIT 10

/* The first error is the one that matters: others follow from it. */
static void hear(const struct weft__log *log, const struct weft_message *m)
{
	struct weft__heard *h = log->heard;

	h->warnings += m->severity == WEFT_WARNING;
	if (m->severity != WEFT_ERROR || *h->error)
		return;
	h->code = log->code;
	if (m->file)
		snprintf(h->error, sizeof(h->error), "%s:%lu: %s", m->file,
			 m->line, m->text);
	else
		snprintf(h->error, sizeof(h->error), "%s", m->text);
}

void weft__once_begin(struct weft__once *once)
{
	memcpy(once->before, once->now, sizeof(once->before));
	once->nbefore = once->nnow;
	once->nnow = 0;
}

/* Whether a message is said once: all but notes, errors that end a sweep, and
 * credit loops, which are dangers in each. */
static bool is_once(const struct weft__log *log, const struct weft_message *m)
{
	if (!log->once || m->severity == WEFT_NOTE)
		return false;
	return m->severity == WEFT_WARNING ? log->code != WEFT__ERR_CYCLE :
	       m->file || log->code == WEFT__ERR_OPTIONS;
}

/* Notes a line, and returns true if the sweep before had it, too. */
static bool was_said(struct weft__once *once, const char *line)
{
	static const uint64_t key[2] = { 0x7765667400000000, 1 };
	uint64_t hash = weft__siphash(key, line, strlen(line));
	bool found = false;

	if (once->nnow < WEFT__ONCE)
		once->now[once->nnow++] = hash;
	for (unsigned i = 0; i < once->nbefore; i++)
		found |= once->before[i] == hash;
	return found;
}

void weft__log_emit(void *context, const struct weft_message *m)
{
	const struct weft__log *log = context;
	char where[512] = "", line[2600];

	if (log->quit && *log->quit)
		return;
	if (log->heard)
		hear(log, m);
	if (m->file && m->line)
		snprintf(where, sizeof(where), "%s:%lu: ", m->file, m->line);
	else if (m->file)
		snprintf(where, sizeof(where), "%s: ", m->file);
	snprintf(line, sizeof(line), "%s%s", where, m->text);
	if (is_once(log, m) && was_said(log->once, line))
		return;
	if (m->severity == WEFT_ERROR)
		osm_log(log->log, OSM_LOG_ERROR, "%s: ERR %04X: %s%s\n",
			log->engine, log->code, where, m->text);
	else if (m->severity == WEFT_WARNING)
		osm_log(log->log, OSM_LOG_INFO, "%s: WARNING: %s%s\n",
			log->engine, where, m->text);
	else
		osm_log(log->log, OSM_LOG_VERBOSE, "%s: %s%s\n", log->engine,
			where, m->text);
}

/* Logs a line in which an engine explains a decision. */
static void log_explain(void *context, const char *line)
{
	const struct weft__log *log = context;

	if (!log->quit || !*log->quit)
		osm_log(log->log, OSM_LOG_VERBOSE, "%s: %s\n", log->engine,
			line);
}

void weft__log_open(struct weft__log *log, struct weft_diag *diag,
		    osm_log_t *osm_log, const char *engine)
{
	*log = (struct weft__log){ .log = osm_log, .engine = engine };
	*diag = (struct weft_diag){
		.emit = weft__log_emit,
		.context = log,
		.limit = LOG_LIMIT,
	};
	if (osm_log_is_active(log->log, OSM_LOG_VERBOSE)) {
		diag->explain = log_explain;
		diag->explain_context = log;
	}
}
