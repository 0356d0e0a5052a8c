// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft check --rails: are adapters on their rails? */
#include "tools/check/rails.h"

#include <weft/rails.h>

#include <inttypes.h>
#include <stdlib.h>

#define NAME 160

/* "su01-rail3:7", the leaf and port of an adapter; without the port where that
 * is 0. */
static const char *place_text(const struct weft_fabric *f, uint32_t sw,
			      unsigned port, char *buf, size_t size)
{
	char name[NAME];

	if (*f->sw[sw].name)
		weft_diag_printable(name, sizeof(name), f->sw[sw].name);
	else
		snprintf(name, sizeof(name), "0x%016" PRIx64, f->sw[sw].guid);
	if (port)
		snprintf(buf, size, "%s:%u", name, port);
	else
		snprintf(buf, size, "%s", name);
	return buf;
}

static const char *adapter_text(const struct weft_fabric *f, uint32_t e,
				char *buf, size_t size)
{
	const struct weft_node *node = &f->node[f->ep[e].node];
	char name[NAME];

	weft_diag_printable(name, sizeof(name), node->name);
	if (node->nports > 1)
		snprintf(buf, size, "%s port %u", name, f->ep[e].port);
	else
		snprintf(buf, size, "%s", name);
	return buf;
}

/* Where it should be, and whose cable is there instead. */
static void print_remedy(const struct weft_fabric *f,
			 const struct weft_rail_finding *x, FILE *out)
{
	char text[NAME + 32];

	if (x->belongs == WEFT_NONE)
		fprintf(out, "belongs on rail %u", x->rail);
	else
		fprintf(out, "belongs on %s", place_text(f, x->belongs, 0,
							 text, sizeof(text)));
	if (x->swap != WEFT_NONE)
		fprintf(out, ", exchange it with %s on %s:%u",
			adapter_text(f, x->swap, text, sizeof(text)),
			f->sw[f->ep[x->swap].sw].name, f->ep[x->swap].sw_port);
}

/* How many adapters of each rail are on a leaf. */
static void print_mixture(const struct weft_fabric *f, uint32_t sw, FILE *out)
{
	const char *separator = "";

	for (unsigned r = 0; r < WEFT_NO_RAIL; r++) {
		uint32_t n = 0;

		for (uint32_t i = f->sw_ep_first[sw];
		     i < f->sw_ep_first[sw + 1]; i++)
			n += f->ep[f->sw_endport[i]].rail == r;
		if (!n)
			continue;
		fprintf(out, "%s%" PRIu32 " of rail %u", separator, n, r);
		separator = ", ";
	}
}

static void print_words(const struct weft_fabric *f,
			const struct weft_rail_finding *x, FILE *out)
{
	char at[NAME + 32], who[NAME + 32];

	if (x->sw != WEFT_NONE)
		place_text(f, x->sw, x->endport == WEFT_NONE ? 0 :
			   f->ep[x->endport].sw_port, at, sizeof(at));
	if (x->kind == WEFT_RAIL_MIXED) {
		fprintf(out, "%s: ", at);
		print_mixture(f, x->sw, out);
	} else if (x->kind == WEFT_RAIL_MISSING) {
		fprintf(out, "%s has none on rail %u",
			weft_machine_name(f, x->machine, who, sizeof(who)),
			x->rail);
		if (x->belongs != WEFT_NONE) {
			fputs(": it ", out);
			print_remedy(f, x, out);
		}
	} else {
		fprintf(out, "%s, rail %u, is on %s",
			adapter_text(f, x->endport, who, sizeof(who)), x->rail,
			at);
		if (x->kind == WEFT_RAIL_OTHER)
			fprintf(out, ", rail %u", x->of_leaf);
		fputs(": ", out);
		print_remedy(f, x, out);
	}
}

/* The words, malloc()ed; NULL without memory. */
static char *words_of(const struct weft_fabric *f,
		      const struct weft_rail_finding *x)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	print_words(f, x, out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static void print_kind(const struct weft_fabric *f, const struct weft_rails *r,
		       enum weft_rail_finding_kind kind, uint32_t most,
		       FILE *out)
{
	static const char *const heads[WEFT_RAIL_KINDS] = {
		[WEFT_RAIL_OTHER] = "on another rail",
		[WEFT_RAIL_UNIT] = "apart from their unit",
		[WEFT_RAIL_MISSING] = "missing",
		[WEFT_RAIL_MIXED] = "leaves of no rail",
	};
	uint32_t shown = 0;

	fprintf(out, "  %-23s %s\n", heads[kind],
		WEFT_COUNT(r->count[kind], NULL));
	for (uint32_t i = 0; i < r->n; i++) {
		char *text;

		if (r->finding[i].kind != kind || shown++ >= most)
			continue;
		text = words_of(f, &r->finding[i]);
		fputs("    ", out);
		tool_text_wrap(out, 4, 6, text ? text : "");
		free(text);
	}
}

static void print_text(const char *input, const struct weft_fabric *f,
		       const struct weft_rails *r, uint32_t most, FILE *out)
{
	fprintf(out, "%s\n", input);
	if (!r->nrails) {
		fprintf(out,
			"  no rails: no names (n1 mlx5_0, n1 mlx5_1) or system GUIDs tell of machines with several adapters\n");
		return;
	}
	fprintf(out, "  %s, %s of several adapters\n",
		WEFT_COUNT(r->nrails, "rail"),
		WEFT_COUNT(r->machines, "machine"));
	fprintf(out, "  on their rail           %s of %s adapters\n",
		WEFT_COUNT(r->right, NULL), WEFT_COUNT(r->adapters, NULL));
	for (unsigned kind = 0; kind < WEFT_RAIL_KINDS; kind++)
		if (kind == WEFT_RAIL_OTHER || kind == WEFT_RAIL_MISSING ||
		    r->count[kind])
			print_kind(f, r, kind, most, out);
	fputs(r->n ? "  NOT FINE: adapters and rails\n" :
		     "  fine: adapters and rails\n", out);
}

static json_t *rail_json(unsigned rail)
{
	return rail == WEFT_NO_RAIL ? json_null() : json_integer(rail);
}

static json_t *finding_json(const struct weft_fabric *f,
			    const struct weft_rail_finding *x)
{
	char machine[NAME], *text = words_of(f, x);
	json_t *o = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}",
			      "kind", weft_rail_finding_name(x->kind),
			      "text", tool_json_string(text ? text : ""),
			      "rail", rail_json(x->rail),
			      "rail_of_leaf", rail_json(x->of_leaf),
			      "leaf", tool_json_node(f, x->sw),
			      "belongs", tool_json_node(f, x->belongs));

	free(text);
	if (x->machine != WEFT_NONE)
		json_object_set_new(o, "machine", tool_json_string(
			weft_machine_name(f, x->machine, machine,
					  sizeof(machine))));
	if (x->endport != WEFT_NONE) {
		const struct weft_endport *ep = &f->ep[x->endport];

		json_object_set_new(o, "adapter", json_pack(
			"{s:o, s:o, s:i}", "name",
			tool_json_string(f->node[ep->node].name), "guid",
			tool_json_guid(ep->guid), "port", ep->port));
		json_object_set_new(o, "leaf_port", json_integer(ep->sw_port));
	}
	if (x->swap != WEFT_NONE)
		json_object_set_new(o, "exchange_with", tool_json_string(
			f->node[f->ep[x->swap].node].name));
	return o;
}

static json_t *case_json(const char *input, const struct weft_fabric *f,
			 const struct weft_rails *r, uint32_t most)
{
	uint32_t shown[WEFT_RAIL_KINDS] = { 0 };
	json_t *counts = json_object(), *list = json_array();

	for (unsigned k = 0; k < WEFT_RAIL_KINDS; k++)
		json_object_set_new(counts, weft_rail_finding_name(k),
				    json_integer(r->count[k]));
	for (uint32_t i = 0; i < r->n; i++)
		if (shown[r->finding[i].kind]++ < most)
			json_array_append_new(list, finding_json(f,
							&r->finding[i]));
	return json_pack("{s:o, s:b, s:i, s:i, s:i, s:i, s:o, s:o}",
			 "input", tool_json_string(input), "fine", !r->n,
			 "rails", r->nrails, "machines", r->machines,
			 "adapters", r->adapters, "on_their_rail", r->right,
			 "counts", counts, "findings", list);
}

/* A row for each finding. */
static void print_csv(const char *input, const struct weft_fabric *f,
		      const struct weft_rails *r, FILE *out)
{
	char text[NAME + 32];

	for (uint32_t i = 0; i < r->n; i++) {
		const struct weft_rail_finding *x = &r->finding[i];

		tool_text_csv(out, input);
		fprintf(out, "%s,", weft_rail_finding_name(x->kind));
		tool_text_csv(out, x->machine == WEFT_NONE ? "" :
			      weft_machine_name(f, x->machine, text,
						sizeof(text)));
		tool_text_csv(out, x->endport == WEFT_NONE ? "" :
			      f->node[f->ep[x->endport].node].name);
		if (x->rail != WEFT_NO_RAIL)
			fprintf(out, "%u", x->rail);
		putc(',', out);
		tool_text_csv(out, x->sw == WEFT_NONE ? "" : f->sw[x->sw].name);
		if (x->endport != WEFT_NONE)
			fprintf(out, "%u", f->ep[x->endport].sw_port);
		putc(',', out);
		if (x->of_leaf != WEFT_NO_RAIL)
			fprintf(out, "%u", x->of_leaf);
		putc(',', out);
		tool_text_csv(out, x->belongs == WEFT_NONE ? "" :
			      f->sw[x->belongs].name);
		weft_io_csv_quoted(out, x->swap == WEFT_NONE ? "" :
				 f->node[f->ep[x->swap].node].name);
		putc('\n', out);
	}
}

static bool look_at(struct tool *t, const char *input,
		    struct tool_report *report, bool *found)
{
	struct weft_rails rails = { 0 };
	struct weft_input in;
	bool ok;

	tool_phase(t, "reading %s", input);
	if (!tool_input_open(t, input, true, &in))
		return false;
	ok = !weft_rails_find(in.fabric, &rails) || tool_no_memory(t);
	tool_phase_end(t);
	if (ok && t->args.json)
		json_array_append_new(report->cases,
				      case_json(input, in.fabric, &rails,
						t->args.count));
	else if (ok && t->args.csv)
		print_csv(input, in.fabric, &rails, report->out);
	else if (ok)
		print_text(input, in.fabric, &rails, t->args.count,
			   report->out);
	*found |= rails.n > 0;
	weft_rails_free(&rails);
	weft_input_close(&in);
	return ok;
}

enum tool_status tool_rails_run(struct tool *t)
{
	struct tool_report report = { .out = NULL };
	bool ok = tool_report_open(t, &report), found = false;

	if (ok && t->args.csv)
		fputs("input,kind,machine,adapter,rail,leaf,leaf_port,rail_of_leaf,belongs,exchange_with\n",
		      report.out);
	for (unsigned i = 0; i < t->args.input.n && ok; i++)
		ok = look_at(t, t->args.input.item[i], &report, &found);
	ok = tool_report_close(&report, ok);
	return !ok ? TOOL_FAILED : found ? TOOL_FOUND : TOOL_FINE;
}
