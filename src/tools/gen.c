// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft gen: synthetic fabrics. */
#include "tools/common/record.h"
#include "tools/common/tool.h"

#include <stdlib.h>

enum tool_format {
	TOOL_IBNETDISCOVER, TOOL_DOT, TOOL_JSON, TOOL_CSV,
};

/* The values of its own options. */
struct own {
	int64_t format;		/* enum tool_format */
	bool canonical, cabling;
	int64_t per_rack;
};

/* --- the list ----------------------------------------------------------- */

/* A family, and which it is. */
struct family {
	unsigned id;
	struct weft_gen_family f;
};

static json_t *names_json(const void *record)
{
	const struct family *family = record;
	struct weft_gen_option o;
	json_t *names = json_array();

	for (unsigned i = 0; weft_gen_option(i, &o); i++)
		if (weft_gen_family_has(family->id, i))
			json_array_append_new(names, json_string(o.name));
	return names;
}

static const struct tool_field family_fields[] = {
	TOOL_FIELD(struct family, f.name, NAME, "name"),
	TOOL_FIELD(struct family, f.arguments, NAME, "arguments"),
	TOOL_FIELD(struct family, f.summary, NAME, "summary"),
	TOOL_TREE_OF("options", names_json),
	TOOL_FIELDS_END
}, option_fields[] = {
	TOOL_FIELD(struct weft_gen_option, name, NAME, "name"),
	TOOL_FIELD(struct weft_gen_option, syntax, CHARS, "syntax"),
	TOOL_FIELD(struct weft_gen_option, preset, CHARS, "default"),
	TOOL_FIELD(struct weft_gen_option, help, NAME, "help"),
	TOOL_FIELDS_END
};

static void list_json(FILE *out)
{
	json_t *families = json_array(), *options = json_array();
	struct family family = { 0 };
	struct weft_gen_option o;

	for (; weft_gen_family(family.id, &family.f); family.id++)
		json_array_append_new(families, tool_record_object(
			family_fields, &family));
	for (unsigned i = 0; weft_gen_option(i, &o); i++)
		json_array_append_new(options,
				      tool_record_object(option_fields, &o));
	tool_json_print(out, json_pack("{s:o, s:o}", "families", families,
				       "options", options));
}

static void list_text(FILE *out)
{
	struct weft_gen_family f;
	struct weft_gen_option o;
	char usage[80];

	for (unsigned i = 0; weft_gen_family(i, &f); i++) {
		snprintf(usage, sizeof(usage), "%s%s%s", f.name,
			 *f.arguments ? ":" : "", f.arguments);
		fprintf(out, "%-36s %s\n", usage, f.summary);
	}
	for (unsigned i = 0; weft_gen_option(i, &o); i++)
		fprintf(out, "%-36s %s (default %s)\n", o.syntax, o.help,
			o.preset);
}

/* --- a fabric ----------------------------------------------------------- */

static bool write_fabric(struct tool *t, const struct weft_fabric *f, FILE *out)
{
	static const enum weft_cabling_format cabling[] = {
		[TOOL_IBNETDISCOVER] = WEFT_CABLING_TEXT,
		[TOOL_DOT] = WEFT_CABLING_TEXT,
		[TOOL_JSON] = WEFT_CABLING_JSON,
		[TOOL_CSV] = WEFT_CABLING_CSV,
	};
	const struct own *own = t->own;

	if (own->cabling)
		return !weft_io_write_cabling(out, f, own->per_rack,
					      cabling[own->format], &t->diag);
	switch (own->format) {
	case TOOL_DOT:
		return !weft_io_write_dot(out, f, true, &t->diag);
	case TOOL_JSON:
		return !weft_io_write_fabric_json(out, f, &t->diag);
	case TOOL_CSV:
		return !weft_io_write_channels_csv(out, f, &t->diag);
	default:
		return !weft_io_write_ibnetdiscover(out, f, &t->diag);
	}
}

static bool generate(struct tool *t, const char *spec, FILE *out)
{
	struct weft_fabric *fabric;
	bool ok;

	tool_phase(t, "building %s", spec);
	if (weft_gen(spec, &fabric, &t->diag))
		return false;
	tool_phase(t, "writing");
	tool_talk_about(t, tool_output_name(out));
	ok = write_fabric(t, fabric, out);
	tool_talk_about(t, NULL);
	weft_fabric_free(fabric);
	return ok;
}

static bool canonical(struct tool *t, const char *spec, FILE *out)
{
	char *text;

	if (weft_gen_canonical(spec, &text, &t->diag))
		return false;
	fprintf(out, "%s\n", text);
	free(text);
	return true;
}

/* What the name of the output says, unless -f does. */
static void format_by_name(struct tool *t)
{
	static const struct {
		const char *end;
		enum tool_format format;
	} names[] = {
		{ ".dot", TOOL_DOT }, { ".gv", TOOL_DOT },
		{ ".json", TOOL_JSON }, { ".csv", TOOL_CSV },
	};
	struct own *own = t->own;

	if (tool_args_given(t, "format"))
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (tool_output_ends(t, names[i].end))
			own->format = names[i].format;
	if (t->args.list && own->format == TOOL_JSON)
		t->args.json = true;
}

static enum tool_status gen_run(struct tool *t)
{
	struct own *own = t->own;
	const struct tool_args *a = &t->args;
	FILE *out;
	bool ok = true;

	if (a->list ? a->rest.n != 0 : a->rest.n != 1)
		return tool_usage(t, a->list ? "--list takes no argument" :
				  "one description is needed, %u were given; 'weft gen --list' shows what there is",
				  a->rest.n);
	format_by_name(t);
	if ((a->json && a->csv) || (tool_args_given(t, "format") &&
				    ((a->json && own->format != TOOL_JSON) ||
				     (a->csv && own->format != TOOL_CSV))))
		return tool_usage(t, "--%s: leave out one of two formats",
				  a->json ? "json is -f json" :
					    "csv is -f csv");
	if (a->list && a->csv)
		return tool_usage(t, "the list is text or JSON");
	if (a->json)
		own->format = TOOL_JSON;
	if (a->csv)
		own->format = TOOL_CSV;
	if (own->cabling && own->format == TOOL_DOT)
		return tool_usage(t, "--cabling prints text, json or csv");
	if (!own->cabling && own->per_rack)
		return tool_usage(t, "--rack goes with --cabling");
	out = tool_output_open(t, a->output);
	if (!out)
		return TOOL_FAILED;
	if (a->list)
		(a->json ? list_json : list_text)(out);
	else if (own->canonical)
		ok = canonical(t, a->rest.item[0], out);
	else
		ok = generate(t, a->rest.item[0], out);
	tool_phase_end(t);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option gen_options[] = {
	TOOL_OWN(TOOL_CHOICE, struct own, format, "format", 'f', "FORMAT",
		 "ibnetdiscover (ibsim loads it), dot, json or csv (a row for each channel, hosts' included); default: as the output is named, else ibnetdiscover",
		 .choices = "ibnetdiscover|dot|json|csv"),
	TOOL_OWN(TOOL_FLAG, struct own, canonical, "canonical", 0, NULL,
		 "print the description with all defaults instead of the fabric"),
	TOOL_OWN(TOOL_FLAG, struct own, cabling, "cabling", 0, NULL,
		 "print the list of cables by racks instead of the fabric; with -f csv or json as such"),
	TOOL_OWN(TOOL_NUMBER, struct own, per_rack, "rack", 0, "N",
		 "with --cabling: switches in a rack; 0: those whose names begin alike, as groups and boxes do (default 0)",
		 .max = 1000000),
	TOOL_OPT(TOOL_FLAG, list, "list", 0, NULL,
		 "list the families of fabrics and their options"),
	TOOL_OPT(TOOL_FLAG, json, "json", 0, NULL,
		 "print JSON: the fabric, or the list (of families, of cables)"),
	TOOL_OPT(TOOL_FLAG, csv, "csv", 0, NULL,
		 "print comma-separated values: the channels, or the list of cables"),
	TOOL_OPT_SPREADSHEET,
	TOOL_OPT_OUTPUT("write the fabric to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_gen = {
	.name = "gen",
	.summary = "make a synthetic fabric",
	.usage = "[OPTION]... DESCRIPTION",
	.about = "Writes the fabric that a description such as pgft:2;4,4;1,4;1,1 stands for. Every command takes such a description for an input, too.",
	.options = gen_options,
	.own_size = sizeof(struct own),
	.run = gen_run,
};
