// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weft watch: reads a capture again and again, and shows what cables carry, what
 * errors grow and what became another.
 *
 * Rates are since the view before, errors and changes since the first view or
 * what --since names.  A capture that has not been written anew is not read
 * anew.
 */
#include "tools/watch/watch.h"

#include "tools/common/interrupt.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A capture that was read. */
struct snapshot {
	struct weft_input in;
	struct weft_counters counters;
	double time;
	bool open;
};

struct watch {
	struct tool *t;
	const char *input, *path;	/* as given, and where captures are */
	struct snapshot base, last, now;	/* last: where that is not base */
	FILE *out;
	bool found;
};

static void close_snapshot(struct snapshot *s)
{
	if (!s->open)
		return;
	weft_counters_free(&s->counters);
	weft_input_close(&s->in);
	*s = (struct snapshot){ .open = false };
}

static bool open_snapshot(struct tool *t, const char *path, struct snapshot *s)
{
	int err;

	*s = (struct snapshot){ .time = weft__moment_time(path) };
	tool_phase(t, "reading %s", path);
	if (!tool_input_open(t, path, false, &s->in))
		return false;
	err = weft_io_read_counters(path, s->in.fabric, &s->counters, &t->diag);
	s->open = !err || err == -ENOENT;
	if (!s->open)
		weft_input_close(&s->in);
	return s->open;
}

static struct weft__moment moment_of(const struct snapshot *s)
{
	return (struct weft__moment){
		.fabric = s->in.fabric,
		.routes = s->in.sources.ntables ? &s->in.routes : NULL,
		.counters = &s->counters,
		.time = s->time,
	};
}

/* On a terminal each view takes the place of the one before. */
static void clear(const struct watch *w)
{
	const struct watch_options *own = w->t->own;

	if (!own->once && !w->t->args.output && isatty(STDOUT_FILENO))
		fputs("\033[H\033[2J", w->out);
}

static bool show(struct watch *w)
{
	const struct watch_options *own = w->t->own;
	const struct snapshot *last = w->last.open ? &w->last : &w->base;
	struct weft__moment base = moment_of(&w->base);
	struct weft__moment before = moment_of(last);
	const struct weft__moment now = moment_of(&w->now);
	struct weft__since rates = { .seconds = 0 }, changes = { .seconds = 0 };
	bool ok = !weft__since_find(w->base.open ? &base : NULL, &now, &changes,
				    &w->t->diag) &&
		  !weft__since_find(last->open ? &before : NULL, &now, &rates,
				    &w->t->diag);
	const struct watch_view v = {
		.input = w->input,
		.base = own->since ? own->since : "the first view",
		.fabric = w->now.in.fabric, .before = w->base.in.fabric,
		.time = w->now.time, .rates = &rates, .changes = &changes,
		.most = own->most,
	};

	tool_phase_end(w->t);
	if (ok) {
		clear(w);
		ok = tool_watch_report(w->t, &v, w->out);
		fflush(w->out);
		w->found = changes.nworse || changes.cables.n;
	}
	weft__since_free(&rates);
	weft__since_free(&changes);
	return ok;
}

/* The view is the one before of the next, or what all are compared with. */
static void keep(struct watch *w)
{
	struct snapshot *to = w->base.open ? &w->last : &w->base;

	close_snapshot(to);
	*to = w->now;
	w->now = (struct snapshot){ .open = false };
}

/* Whether there is something that has not been shown. */
static bool is_new(const struct watch *w)
{
	const struct snapshot *last = w->last.open ? &w->last : &w->base;
	double time = weft__moment_time(w->path);

	return !last->open || time <= 0 || time != last->time;
}

static bool look(struct watch *w)
{
	const struct watch_options *own = w->t->own;
	bool live = w->path != w->input;
	bool ok = (!live || tool_watch_live(w->t, w->path));

	if (ok && !own->once && !is_new(w))
		return true;
	ok = ok && open_snapshot(w->t, w->path, &w->now) && show(w);
	tool_phase_end(w->t);
	if (ok)
		keep(w);
	close_snapshot(&w->now);
	return ok;
}

/* Until Ctrl-C.  What cannot be read this time, as a capture that is being
 * written, may be next time. */
static void look_again(struct watch *w)
{
	const struct watch_options *own = w->t->own;
	struct timespec nap = { .tv_sec = own->every };

	while (!tool_interrupted()) {
		nanosleep(&nap, NULL);
		if (!tool_interrupted())
			look(w);
	}
}

static bool watch(struct watch *w)
{
	const struct watch_options *own = w->t->own;

	w->out = tool_output_open(w->t, w->t->args.output);
	if (!w->out || (own->since &&
			!open_snapshot(w->t, own->since, &w->base)) ||
	    !look(w))
		return false;
	if (!own->once) {
		tool_interrupt_catch();
		look_again(w);
		tool_interrupt_leave();
	}
	return true;
}

static enum tool_status watch_run(struct tool *t)
{
	const struct watch_options *own = t->own;
	struct watch w = { .t = t };
	char directory[64];
	bool live, ok;

	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	if (t->args.input.n > 1)
		return tool_usage(t, "one fabric can be watched, not %u",
				  t->args.input.n);
	if ((t->args.json || t->args.csv) && !own->once)
		return tool_usage(t, "--json and --csv go with --once");
	w.input = w.path = t->args.input.item[0];
	live = !strcmp(w.input, "live");
	if (live && !tool_watch_live_begin(t, directory))
		return TOOL_FAILED;
	if (live)
		w.path = directory;
	ok = watch(&w);
	close_snapshot(&w.now);
	close_snapshot(&w.last);
	close_snapshot(&w.base);
	if (live)
		tool_watch_live_end(directory);
	return !ok ? TOOL_FAILED : own->once && w.found ? TOOL_FOUND :
							  TOOL_FINE;
}

#define OWN(kind, field, ...) \
	TOOL_OWN(kind, struct watch_options, field, __VA_ARGS__)

static const struct tool_option watch_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	OWN(TOOL_NUMBER, every, "every", 0, "SECONDS",
	    "seconds between two looks", .preset = 10, .min = 1, .max = 86400),
	OWN(TOOL_FLAG, once, "once", 0, NULL, "one look, for scripts"),
	OWN(TOOL_TEXT, since, "since", 0, "DIR",
	    "a capture that errors and changes are counted from, instead of the first look"),
	OWN(TOOL_NUMBER, most, "top", 0, "N", "rows of a list", .preset = 10,
	    .min = 1, .max = 1000000),
	OWN(TOOL_TEXT, ca, "Ca", 'C', "NAME",
	    "live: adapter to ask from (default: the first with a port that is up)"),
	OWN(TOOL_NUMBER, port, "Port", 'P', "N",
	    "live: port of the adapter, 0 = the first that is up", .max = 254),
	TOOL_OPT_COLOR,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write what is shown to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_watch = {
	.name = "watch",
	.summary = "show what cables carry, errors and changes",
	.usage = "[OPTION]... DIR|live",
	.about = "Reads the capture in a directory, or a live fabric, every few seconds and shows the busiest channels, errors that grow, and nodes, cables and tables that are other ones, until Ctrl-C. "
		 "With --once the exit status is 1 if errors grew or cables are other ones.",
	.options = watch_options,
	.own_size = sizeof(struct watch_options),
	.run = watch_run,
};
