// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft watch shows, as text, JSON and CSV. */
#include "tools/watch/watch.h"

#include "tools/check/against.h"
#include "tools/common/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define ROOM 768
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
	char name[ROOM];

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
	char name[ROOM];

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

static void print(const struct watch_view *v, FILE *out)
{
	char text[32], name[256];

	fprintf(out, "%s, %s: %s, %s, %s\n",
		weft_diag_printable(name, sizeof(name), v->input),
		when(v->time, text), WEFT_COUNT(v->fabric->nhosts, "host"),
		WEFT_COUNT(v->fabric->nsw, "switch"),
		WEFT_COUNT(v->fabric->nlinks, "cable"));
	print_busy(v, out);
	print_worse(v, out);
	print_changes(v, out);
}

/* --- JSON and CSV --------------------------------------------------------- */

/* A channel, what it carries, and what it counted more of. */
struct row {
	char channel[ROOM];
	double gbit, share, waits;
	const char *counter;
	uint64_t growth, value;
};

static bool has_share(const void *record)
{
	return ((const struct row *)record)->share > 0;
}

static const struct tool_field busy_fields[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
	FIELD(channel, CHARS, "channel"),
	FIELD(gbit, REAL, "gbit_per_second"),
	FIELD(share, REAL, "share", .when = has_share),
	FIELD(waits, REAL, "waits_per_second"),
	TOOL_FIELDS_END
}, worse_fields[] = {
	FIELD(channel, CHARS, "channel"),
	FIELD(counter, WORD, "counter"),
	FIELD(growth, COUNT, "growth"),
	FIELD(value, COUNT, "value"),
	TOOL_FIELDS_END
#undef FIELD
};

/* What programs are told. */
struct facts {
	const struct watch_view *v;
	const char *input;
	int64_t time;
	double seconds;
	uint32_t hosts, switches, links, nbusy;
	struct row *busy;
};

static json_t *worse_json(const void *record)
{
	const struct watch_view *v = ((const struct facts *)record)->v;
	json_t *list = json_array();

	for (uint32_t i = 0; i < v->changes->nworse; i++) {
		const struct weft__worse *w = &v->changes->worse[i];
		struct row row = {
			.counter = weft_counter_name(w->counter),
			.growth = w->growth, .value = w->value,
		};

		tool_text_channel(v->fabric, w->channel, row.channel, ROOM);
		json_array_append_new(list,
				      tool_record_object(worse_fields, &row));
	}
	return list;
}

static json_t *changes_json(const void *record)
{
	const struct watch_view *v = ((const struct facts *)record)->v;
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

static bool has_time(const void *record)
{
	return ((const struct facts *)record)->time > 0;
}

static bool has_rates(const void *record)
{
	return ((const struct facts *)record)->seconds > 0;
}

static const struct tool_field fields[] = {
#define FIELD(...) TOOL_FIELD(struct facts, __VA_ARGS__)
	FIELD(input, NAME, "input"),
	FIELD(time, COUNT, "time", .when = has_time),
	FIELD(hosts, COUNT, "hosts"),
	FIELD(switches, COUNT, "switches"),
	FIELD(links, COUNT, "links"),
	FIELD(seconds, REAL, "seconds", .when = has_rates),
	TOOL_ROWS_OF(struct facts, busy, nbusy, busy_fields, "busiest"),
	TOOL_TREE_OF("errors", worse_json),
	TOOL_TREE_OF("changes", changes_json),
	TOOL_FIELDS_END
#undef FIELD
};

bool tool_watch_report(struct tool *t, const struct watch_view *v, FILE *out)
{
	struct facts facts = {
		.v = v, .input = v->input, .time = (int64_t)v->time,
		.seconds = v->rates->seconds, .hosts = v->fabric->nhosts,
		.switches = v->fabric->nsw, .links = v->fabric->nlinks,
		.nbusy = least(v->rates->nbusy, v->most),
	};

	facts.busy = calloc(facts.nbusy + 1ull, sizeof(*facts.busy));
	if (!facts.busy)
		return tool_no_memory(t);
	for (uint32_t i = 0; i < facts.nbusy; i++) {
		const struct weft__busy *b = &v->rates->busy[i];
		struct row *row = &facts.busy[i];

		*row = (struct row){ .gbit = b->gbit, .share = b->share,
				     .waits = b->waits };
		tool_text_channel(v->fabric, b->channel, row->channel, ROOM);
	}
	if (!tool_record_print(t, fields, &facts, out))
		print(v, out);
	free(facts.busy);
	return true;
}
