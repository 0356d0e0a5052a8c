// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft standing prints. */
#include "tools/standing/standing.h"

#include "tools/common/record.h"

#include <inttypes.h>
#include <time.h>

enum kind { SWITCH, CABLE, HOST, UNIT, ROUTER, NKINDS };

static const char *const nouns[NKINDS] = {
	"switch", "cable", "host", "aggregation node", "router port",
};

static enum kind kind_of(const struct weft_fabric *f,
			 const struct weft_away_part *p)
{
	static const enum kind kinds[] = {
		[WEFT_HOST] = HOST, [WEFT_AGGREGATION] = UNIT,
		[WEFT_ROUTER] = ROUTER,
	};

	return p->vertex == WEFT_NONE ? CABLE :
	       weft_is_switch(p->vertex) ? SWITCH :
	       kinds[f->ep[p->vertex & ~WEFT_ENDPORT].kind];
}

/* Cables between switches. */
static uint32_t ncables(const struct weft_fabric *f)
{
	return f->adj_first[f->nsw] / 2;
}

static unsigned nlanes(const struct tool_standing *s)
{
	unsigned n = s->stored.now.routes.layers.nvl;

	return n ? n : 1;
}

/* --- text -------------------------------------------------------------- */

/* how: how the engine came by the tables, "" if it does not say so. */
static void print_time(const char *what, int64_t since, const char *how,
		       FILE *out)
{
	time_t when = since;
	char text[40] = "", words[100];
	struct tm tm;

	if (localtime_r(&when, &tm))
		strftime(text, sizeof(text), "%F %T", &tm);
	fprintf(out, "  %-14s %s%s%s\n", what, text, *how ? ", " : "",
		weft_diag_printable(words, sizeof(words), how));
}

static void print_head(const struct tool_standing *s, FILE *out)
{
	const struct weft_fabric *f = s->stored.now.fabric;
	char text[400];

	fprintf(out, "%s\n", s->file);
	fprintf(out, "  %-14s %s", "engine",
		weft_diag_printable(text, sizeof(text), s->stored.engine));
	if (*s->stored.options)
		fprintf(out, " (%s)", weft_diag_printable(text, sizeof(text),
							  s->stored.options));
	fprintf(out, ", %s\n", WEFT_COUNT(nlanes(s), "lane"));
	fprintf(out, "  %-14s %s, ", "fabric", WEFT_COUNT(f->nhosts, "host"));
	fprintf(out, "%s, ", WEFT_COUNT(f->nsw, "switch"));
	fprintf(out, "%s between these\n", WEFT_COUNT(ncables(f), "cable"));
	print_time("routed", s->home->since, s->home->routes.how, out);
	print_time("stands since", s->stored.now.since, "", out);
}

/* "name (0xguid)", and the port of a cable. */
static void print_end(const struct weft_fabric *f, uint32_t vertex,
		      unsigned port, FILE *out)
{
	char name[160];

	weft_diag_printable(name, sizeof(name), tool_vertex_name(f, vertex));
	if (*name)
		fprintf(out, "%s (0x%016" PRIx64 ")", name,
			tool_vertex_guid(f, vertex));
	else
		fprintf(out, "0x%016" PRIx64, tool_vertex_guid(f, vertex));
	if (port)
		fprintf(out, ":%u", port);
}

static void print_part(const struct weft_fabric *f,
		       const struct weft_away_part *p, FILE *out)
{
	fprintf(out, "    %-8s ", nouns[kind_of(f, p)]);
	if (p->vertex == WEFT_NONE) {
		uint32_t s = weft_channel_switch(f, p->channel);

		print_end(f, s, p->channel - f->first_channel[s], out);
		fputs(" - ", out);
		print_end(f, f->peer[p->channel], f->peer_port[p->channel],
			  out);
	} else {
		print_end(f, p->vertex, 0, out);
	}
	if (p->moved)
		fputs(", is elsewhere", out);
	if (p->endports)
		fprintf(out, ", with %s", WEFT_COUNT(p->endports, "endport"));
	if (p->entries)
		fprintf(out, ": %s entr%s", WEFT_COUNT(p->entries, NULL),
			p->entries == 1 ? "y" : "ies");
	fputc('\n', out);
}

/* "1 switch, 2 cables and 3 hosts". */
static void print_counts(const uint64_t n[NKINDS], FILE *out)
{
	unsigned kinds = 0, told = 0;

	for (int k = 0; k < NKINDS; k++)
		kinds += n[k] > 0;
	for (int k = 0; k < NKINDS; k++) {
		if (!n[k])
			continue;
		fprintf(out, "%s%s", !told ? "" :
			told + 1 < kinds ? ", " : " and ",
			WEFT_COUNT(n[k], nouns[k]));
		told++;
	}
}

/* Rows that a list leaves out. */
static void print_more(uint64_t n, uint64_t most, FILE *out)
{
	if (n > most)
		fprintf(out, "    and %s more: --top=N\n",
			WEFT_COUNT(n - most, NULL));
}

static void print_parts(const struct tool_standing *s, uint64_t most, FILE *out)
{
	const struct weft_fabric *f = s->home->fabric;
	const struct weft_away *a = &s->away;
	uint64_t n[NKINDS] = { 0 };

	if (!a->nparts)
		return;
	for (uint32_t i = 0; i < a->nparts; i++)
		n[kind_of(f, &a->part[i])]++;
	fputs("  missing since it was routed: ", out);
	print_counts(n, out);
	fputs("\n", out);
	for (uint32_t i = 0; i < a->nparts && i < most; i++)
		print_part(f, &a->part[i], out);
	print_more(a->nparts, most, out);
}

static void print_new(const struct weft_away *a, FILE *out)
{
	const uint64_t n[NKINDS] = {
		[SWITCH] = a->switches, [CABLE] = a->cables,
		[HOST] = a->endports,
	};

	if (!a->switches && !a->cables && !a->endports)
		return;
	fputs("  new since then: ", out);
	print_counts(n, out);
	fputc('\n', out);
}

/* What routing anew would gain. */
static void print_debt(const struct weft_stored_debt *d, FILE *out)
{
	if (!d->since)
		return;
	fprintf(out, "  %-14s tables in force are worth %.4f, new ones %.4f",
		"debt", d->worth, d->anew);
	if (d->worth > 0)
		fprintf(out, " (%+.1f %%)", 100 * (d->anew / d->worth - 1));
	fprintf(out, "; these differ in %s entr%s, ",
		WEFT_COUNT(d->entries, NULL), d->entries == 1 ? "y" : "ies");
	fprintf(out, "%s\n", WEFT_COUNT(d->blocks, "block"));
}

/* A port by its GUID, by name where the switch is there or was at home. */
static void print_port(const struct tool_standing *s, uint64_t guid,
		       unsigned port, FILE *out)
{
	const struct weft_fabric *fabrics[] = {
		s->stored.now.fabric, s->home->fabric,
	};

	for (unsigned i = 0; i < 2; i++) {
		uint32_t sw = weft_fabric_switch_by_guid(fabrics[i], guid);

		if (sw == WEFT_NONE)
			continue;
		print_end(fabrics[i], sw, port, out);
		return;
	}
	fprintf(out, "0x%016" PRIx64 ":%u", guid, port);
}

/* Cables that came and went of late. */
static void print_flaps(const struct tool_standing *s, uint64_t most, FILE *out)
{
	const struct weft_stored *t = &s->stored;

	if (!t->nflaps)
		return;
	fprintf(out, "  went of late: %s\n", WEFT_COUNT(t->nflaps, "cable"));
	for (uint32_t i = 0; i < t->nflaps && i < most; i++) {
		const struct weft_stored_flap *flap = &t->flap[i];

		fputs("    ", out);
		print_port(s, flap->guid[0], flap->port[0], out);
		fputs(" - ", out);
		print_port(s, flap->guid[1], flap->port[1], out);
		fprintf(out, ": %s, %s%s\n",
			WEFT_COUNT(flap->times, "time"),
			flap->there ? "there again" : "not there",
			flap->out ? ", out of use" : "");
	}
	print_more(t->nflaps, most, out);
}

static void print(const struct tool_standing *s, uint64_t most, FILE *out)
{
	const struct weft_away *a = &s->away;

	print_head(s, out);
	fprintf(out, "  %-14s %s, ", "entries", WEFT_COUNT(a->entries, NULL));
	if (a->away)
		fprintf(out, "of which %s (%.2g %%) are not as it was routed\n",
			WEFT_COUNT(a->away, NULL),
			100. * a->away / a->entries);
	else
		fputs("all as it was routed\n", out);
	if (a->missing)
		fprintf(out, "    %s: something on their way is missing\n",
			WEFT_COUNT(a->missing, NULL));
	if (a->away > a->missing)
		fprintf(out,
			"    %s: for balance, or as they could not return yet\n",
			WEFT_COUNT(a->away - a->missing, NULL));
	print_parts(s, most, out);
	print_new(a, out);
	print_debt(&s->stored.debt, out);
	print_flaps(s, most, out);
}

/* --- JSON and CSV -------------------------------------------------------- */

static json_t *part_json(const struct weft_fabric *f,
			 const struct weft_away_part *p)
{
	json_t *o = json_object();

	json_object_set_new(o, "kind", json_string(nouns[kind_of(f, p)]));
	if (p->vertex == WEFT_NONE)
		json_object_update_new(o, tool_json_channel(f, p->channel));
	else
		json_object_update_new(o, json_pack(
			"{s:o, s:b, s:i}", "node",
			tool_json_node(f, p->vertex), "moved", p->moved,
			"endports", p->endports));
	json_object_set_new(o, "entries", json_integer(p->entries));
	return o;
}

static json_t *end_json(const struct weft_stored_flap *flap, unsigned end)
{
	return json_pack("{s:o, s:i}", "guid", tool_json_guid(flap->guid[end]),
			 "port", flap->port[end]);
}

/* What programs are told. */
struct facts {
	struct tool_standing s;
	const char *how;
	unsigned lanes;
	uint32_t hosts, switches, cables;
	int64_t routed;
};

static json_t *parts_json(const void *record)
{
	const struct tool_standing *s = &((const struct facts *)record)->s;
	json_t *parts = json_array();

	for (uint32_t i = 0; i < s->away.nparts; i++)
		json_array_append_new(parts, part_json(s->home->fabric,
						       &s->away.part[i]));
	return parts;
}

static json_t *flaps_json(const void *record)
{
	const struct weft_stored *s = &((const struct facts *)record)->s.stored;
	json_t *list = json_array();

	for (uint32_t i = 0; i < s->nflaps; i++) {
		const struct weft_stored_flap *flap = &s->flap[i];

		json_array_append_new(list, json_pack(
			"{s:[o, o], s:i, s:b, s:b, s:I}",
			"ends", end_json(flap, 0), end_json(flap, 1),
			"times", (int)flap->times, "there", flap->there,
			"out", flap->out, "since", (json_int_t)flap->since));
	}
	return list;
}

static bool is_owed(const void *record)
{
	return ((const struct facts *)record)->s.stored.debt.since;
}

static const struct tool_field debt_fields[] = {
#define FIELD(...) TOOL_FIELD(struct weft_stored_debt, __VA_ARGS__)
	FIELD(since, COUNT, "since"),
	FIELD(worth, REAL, "worth"),
	FIELD(anew, REAL, "anew"),
	FIELD(entries, COUNT, "entries"),
	FIELD(blocks, COUNT, "blocks"),
	TOOL_FIELDS_END
#undef FIELD
};

static const struct tool_field fields[] = {
#define FIELD(...) TOOL_FIELD(struct facts, __VA_ARGS__)
	FIELD(s.file, NAME, "file"),
	FIELD(s.stored.engine, NAME, "engine"),
	FIELD(s.stored.options, NAME, "options"),
	FIELD(how, NAME, "how"),
	FIELD(lanes, COUNT, "lanes"),
	FIELD(hosts, COUNT, "hosts"),
	FIELD(switches, COUNT, "switches"),
	FIELD(cables, COUNT, "cables"),
	FIELD(routed, COUNT, "routed"),
	FIELD(s.stored.now.since, COUNT, "since"),
	FIELD(s.away.entries, COUNT, "entries"),
	FIELD(s.away.away, COUNT, "away"),
	FIELD(s.away.missing, COUNT, "away_for_missing"),
	TOOL_TREE_OF("missing", parts_json),
	FIELD(s.away.switches, COUNT, "new_switches"),
	FIELD(s.away.cables, COUNT, "new_cables"),
	FIELD(s.away.endports, COUNT, "new_endports"),
	TOOL_PART_OF(struct facts, s.stored.debt, debt_fields, "debt",
		     .when = is_owed),
	TOOL_TREE_OF("flaps", flaps_json),
	TOOL_FIELDS_END
#undef FIELD
};

void tool_standing_report(const struct tool *t, const struct tool_standing *s,
			  FILE *out)
{
	const struct weft_fabric *f = s->stored.now.fabric;
	const struct facts facts = {
		.s = *s, .how = s->home->routes.how, .lanes = nlanes(s),
		.hosts = f->nhosts, .switches = f->nsw, .cables = ncables(f),
		.routed = s->home->since,
	};

	if (!tool_record_print(t, fields, &facts, out))
		print(s, t->args.hottest, out);
}
