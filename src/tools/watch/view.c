// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft watch shows, as text and as JSON. */
#include "tools/watch/watch.h"

#include "tools/check/against.h"
#include "tools/common/record.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#define NAME 768
#define CABLE 50 /* columns for the name of a channel */

static const char *when(double time, char text[32])
{
	time_t seconds = (time_t)time;
	struct tm tm;

	if (time <= 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(text, 32, "%F %T UTC", &tm))
		snprintf(text, 32, "no time told");
	return text;
}

/* The end of a list that is longer. */
static void print_more(uint32_t all, uint32_t shown, FILE *out)
{
	if (all > shown)
		fprintf(out, "  and %u more: --top=%u shows all\n",
			all - shown, all);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void print_busy(const struct watch_view *v, FILE *out)
{
	const struct weft__since *s = v->rates;
	uint32_t n = least(s->nbusy, v->most);
	char name[NAME];

	if (!s->nbusy) {
		fputs("no rates: counters of data were not read twice\n", out);
		return;
	}
	fprintf(out, "busiest channels, over %.0f s\n%*s%9s%10s%9s\n",
		s->seconds, CABLE + 2, "", "Gbit/s", "of cable", "waits/s");
	for (uint32_t i = 0; i < n; i++) {
		const struct weft__busy *b = &s->busy[i];

		tool_text_channel(v->fabric, b->channel, name, sizeof(name));
		fprintf(out, "  %-*.*s%9.2f", CABLE, CABLE, name, b->gbit);
		if (b->share > 0)
			fprintf(out, "%8.1f %%", 100 * b->share);
		else
			fprintf(out, "%10s", "unknown");
		fprintf(out, "%9.0f\n", isfinite(b->waits) ? b->waits : 0);
	}
}

static void print_worse(const struct watch_view *v, FILE *out)
{
	const struct weft__since *s = v->changes;
	uint32_t n = least(s->nworse, v->most);
	char name[NAME];

	if (!s->nworse) {
		fputs("no error was counted\n", out);
		return;
	}
	tool_color(out, "red");
	fputs("errors that grew", out);
	tool_color_end(out);
	fputc('\n', out);
	for (uint32_t i = 0; i < n; i++) {
		const struct weft__worse *w = &s->worse[i];

		tool_text_channel(v->fabric, w->channel, name, sizeof(name));
		fprintf(out, "  %-*.*s %s +%" PRIu64 ", now %" PRIu64 "\n",
			CABLE, CABLE, name, weft_counter_name(w->counter),
			w->growth, w->value);
	}
	print_more(s->nworse, n, out);
}

static void print_changes(const struct watch_view *v, FILE *out)
{
	const struct weft__since *s = v->changes;

	if (!s->compared)
		return;
	fprintf(out, "changed since %s\n", v->base);
	if (s->cables.n)
		tool_against_print(v->before, v->fabric, &s->cables, v->most,
				   out);
	else
		fputs("  no node and no cable\n", out);
	if (s->has_tables && s->entries)
		fprintf(out, "  entries of forwarding tables %s, on %s\n",
			WEFT_COUNT(s->entries, NULL),
			WEFT_COUNT(s->switches, "switch"));
	else if (s->has_tables)
		fputs("  no forwarding table\n", out);
}

void tool_watch_print(const struct watch_view *v, FILE *out)
{
	char text[32], name[256];

	fprintf(out, "%s, %s: %s, %s, %s\n",
		weft_printable(name, sizeof(name), v->input),
		when(v->time, text), WEFT_COUNT(v->fabric->nhosts, "host"),
		WEFT_COUNT(v->fabric->nsw, "switch"),
		WEFT_COUNT(v->fabric->nlinks, "cable"));
	print_busy(v, out);
	print_worse(v, out);
	print_changes(v, out);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *real(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *busy_json(const struct watch_view *v)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < least(v->rates->nbusy, v->most); i++) {
		const struct weft__busy *b = &v->rates->busy[i];
		char name[NAME];

		json_array_append_new(list, json_pack(
			"{s:o, s:o, s:o, s:o}", "channel",
			tool_json_string(tool_text_channel(
				v->fabric, b->channel, name, sizeof(name))),
			"gbit_per_second", real(b->gbit), "share",
			b->share > 0 ? json_real(b->share) : json_null(),
			"waits_per_second", real(b->waits)));
	}
	return list;
}

static json_t *worse_json(const struct watch_view *v)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < v->changes->nworse; i++) {
		const struct weft__worse *w = &v->changes->worse[i];
		char name[NAME];

		json_array_append_new(list, json_pack(
			"{s:o, s:s, s:I, s:I}", "channel",
			tool_json_string(tool_text_channel(
				v->fabric, w->channel, name, sizeof(name))),
			"counter", weft_counter_name(w->counter), "growth",
			(json_int_t)w->growth, "value", (json_int_t)w->value));
	}
	return list;
}

static json_t *changes_json(const struct watch_view *v)
{
	const struct weft__since *s = v->changes;

	if (!s->compared)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o}", "since",
			 tool_json_string(v->base), "differences",
			 tool_against_json(v->before, v->fabric, &s->cables,
					   s->cables.n),
			 "entries",
			 s->has_tables ? json_integer(s->entries) : json_null(),
			 "switches",
			 s->has_tables ? json_integer(s->switches) :
					 json_null());
}

void tool_watch_json(const struct watch_view *v, FILE *out)
{
	tool_json_print(out, json_pack(
		"{s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "input",
		tool_json_string(v->input), "time",
		v->time > 0 ? json_integer((json_int_t)v->time) : json_null(),
		"hosts", (json_int_t)v->fabric->nhosts, "switches",
		(json_int_t)v->fabric->nsw, "links",
		(json_int_t)v->fabric->nlinks, "seconds",
		v->rates->seconds > 0 ? json_real(v->rates->seconds) :
					json_null(),
		"busiest", busy_json(v), "errors", worse_json(v), "changes",
		changes_json(v)));
}
