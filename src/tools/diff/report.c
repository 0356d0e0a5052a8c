// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft diff tells.  The names of the JSON keys are a promise: see
 * weft-diff(1). */
#include "tools/common/columns.h"
#include "tools/common/fold.h"
#include "tools/common/loops.h"
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 4096

/* --- text ----------------------------------------------------------------- */

static void print_side(const struct tool_diff *d, unsigned i, FILE *out)
{
	fprintf(out, "%c: ", 'A' + i);
	tool_case_line(&d->side[i].c, out);
	fputc('\n', out);
}

static void print_fabric(const struct tool_diff *d, uint64_t most, FILE *out)
{
	const struct weft_diff *x = &d->found;

	fprintf(out, "fabric: %s", WEFT_COUNT(x->switches, "switch"));
	fprintf(out, " and %s in both", WEFT_COUNT(x->endports, "endport"));
	fputs(d->fabric.n ? "; from A to B\n" : ", as cabled in A\n", out);
	tool_against_print(d->side[0].c.fabric, d->side[1].c.fabric,
			   &d->fabric, most, out);
	if (x->lids_moved)
		fprintf(out, "  %s: other LID or LMC than before\n",
			WEFT_COUNT(x->lids_moved, "endport"));
}

static double share(uint64_t part, uint64_t of)
{
	return of ? 100. * part / of : 0;
}

static void print_rows(const struct weft_fabric *f, const struct weft_diff *x,
		       uint64_t most, FILE *out)
{
	char name[160];

	for (uint32_t i = 0; i < x->nsw && i < most; i++) {
		const struct weft_diff_row *row = &x->sw[i];

		fprintf(out, "    %-36s %9s, ",
			tool_text_vertex(f, row->id, name, sizeof(name)),
			WEFT_COUNT(row->entries, NULL));
		fprintf(out, "%s\n", WEFT_COUNT(row->blocks, "block"));
	}
	if (x->nsw > most)
		fprintf(out, "    and %s\n",
			WEFT_COUNT(x->nsw - most, "other switch"));
	for (uint32_t i = 0; i < x->nlids && i < most; i++) {
		uint32_t owner = weft_lid_owner(f, x->lid[i].id);

		snprintf(name, sizeof(name), "nobody");
		if (owner != WEFT_NONE)
			tool_text_vertex(f, owner, name, sizeof(name));
		fprintf(out, "    LID %-5" PRIu32 " %-26.120s %9s\n",
			x->lid[i].id, name,
			WEFT_COUNT(x->lid[i].entries, NULL));
	}
	if (x->nlids > most)
		fprintf(out, "    and %s\n",
			WEFT_COUNT(x->nlids - most, "other LID"));
}

static void print_tables(const struct tool_diff *d, uint64_t most, FILE *out)
{
	const struct weft_diff *x = &d->found;

	fprintf(out, "tables: %s of ", WEFT_COUNT(x->entries, NULL));
	fprintf(out, "%s entries differ (%.3g %%)\n",
		WEFT_COUNT(x->compared, NULL),
		share(x->entries, x->compared));
	if (!x->entries)
		return;
	fprintf(out, "  on %s", WEFT_COUNT(x->nsw, "switch"));
	fprintf(out, ", for %s", WEFT_COUNT(x->nlids, "LID"));
	fprintf(out, ": %s of 64 to send\n", WEFT_COUNT(x->blocks, "block"));
	fprintf(out, "  %s needless: the old route still works\n",
		WEFT_COUNT(x->needless, NULL));
	print_rows(d->side[1].c.fabric, x, most, out);
}

static void print_routes(const struct tool_diff *d, FILE *out)
{
	const struct weft_diff *x = &d->found;

	fprintf(out, "routes: %s of ", WEFT_COUNT(x->routes, NULL));
	fprintf(out, "%s pairs take another way (%.3g %%)\n",
		WEFT_COUNT(x->pairs, NULL), share(x->routes, x->pairs));
	if (x->sls)
		fprintf(out, "  %s (%.3g %%): another service level\n",
			WEFT_COUNT(x->sls, "pair"), share(x->sls, x->pairs));
	if (x->lanes)
		fprintf(out, "  SL2VL tables: %s differ\n",
			WEFT_COUNT(x->lanes, "place"));
}

static const struct tool_line figures[] = {
	{ "hosts", "hosts", false },
	{ "unreachable pairs", "unreachable", false },
	{ "  of these in loops", "loops", false },
	{ "lanes", "vls", false },
	{ "  with credit loops", "cyclic_vls", false },
	{ "non-minimal routes", "nonminimal", false },
	{ "hops on average", "avg_hops", false },
	{ "most routes on a channel (EFI)", "efi", false },
	{ "bisection bandwidth, share", "ebb.mean", true },
};

/* A figure of both sides, and how it changes. */
static void print_figure(const struct tool_diff *d, const struct tool_line *l,
			 FILE *out)
{
	struct tool_field field = *tool_figures_field(l->key);
	const struct tool_figures *a = &d->side[0].figures;
	const struct tool_figures *b = &d->side[1].figures;
	double from, to;
	char text[32];

	field.digits = 4;
	if (l->rare && !a->ebb.patterns)
		return;
	from = tool_field_number(&field, a);
	to = tool_field_number(&field, b);
	fprintf(out, "  %-30s %14s", l->name,
		tool_field_text(&field, a, text, sizeof(text)));
	fprintf(out, " %14s", tool_field_text(&field, b, text, sizeof(text)));
	if (fabs(to - from) > 5e-5 && from > 0)
		fprintf(out, " %+8.1f %%", 100. * to / from - 100);
	fputc('\n', out);
}

static void print_figures(const struct tool_diff *d, FILE *out)
{
	fprintf(out, "%-32s %14s %14s\n", "figures:", "A", "B");
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		print_figure(d, &figures[i], out);
}

static void print_any(const struct tool_diff *d, FILE *out)
{
	const struct weft_transition *w = &d->transition;
	const struct weft_fabric *f = d->side[1].c.fabric;

	if (w->risky_lids)
		fprintf(out, "  in a bad order packets to %s would be lost\n",
			WEFT_COUNT(w->risky_lids, "LID"));
	else
		fputs("  no packet is lost, whatever the order\n", out);
	if (w->looping_lids)
		fprintf(out,
			"  in a bad order packets to %s would go in a circle that A or B does not deliver\n",
			WEFT_COUNT(w->looping_lids,
				   w->risky_lids ? "other LID" : "LID"));
	if (!w->cyclic_vls) {
		fputs("  no credit loop of old and new routes together\n",
		      out);
		return;
	}
	fprintf(out,
		"  old and new routes together have credit loops on %s, for example\n",
		WEFT_COUNT(w->cyclic_vls, "lane"));
	if (w->ncycles)
		tool_cycle_print(f, &w->cycle[0], out);
	if (w->cyclic_before || w->cyclic_after)
		fprintf(out, "    %s alone %s some\n",
			w->cyclic_before && w->cyclic_after ? "A and B" :
			w->cyclic_before ? "A" : "B",
			w->cyclic_before && w->cyclic_after ? "have" : "has");
	else if (w->cyclic_kept)
		fputs("    B has some for connections that keep the service levels of A:\n"
		      "    end what is running before the change\n", out);
}

static void print_writes(const struct tool_diff *d, FILE *out)
{
	const struct weft_transition *w = &d->transition;
	const struct weft_transition_writes *o = &w->opensm;
	const struct weft_fabric *f = d->side[1].c.fabric;
	char text[TEXT], name[160];

	fprintf(out, "  as OpenSM writes, %s, block by block\n",
		WEFT_COUNT(w->writes, "block"));
	if (!o->lost)
		fputs("    no packet is lost\n", out);
	if (o->lost) {
		fprintf(out, "    packets of %s are lost at some time",
			WEFT_COUNT(o->lost, "pair"));
		fprintf(out, ", of %s in loops\n",
			WEFT_COUNT(o->loops, NULL));
		weft_finding_text(f, &o->loss, text, sizeof(text));
		fprintf(out, "    first after write %s, to %s:\n",
			WEFT_COUNT(o->first_loss, NULL),
			tool_text_vertex(f, o->loss_sw, name, sizeof(name)));
		fputs("      ", out);
		tool_text_wrap(out, 6, 8, text);
	}
	if (!o->known)
		fputs("    credit loops of tables in place were not looked for\n",
		      out);
	else if (!o->cyclic)
		fputs("    the tables in place never have a credit loop\n",
		      out);
	else
		fprintf(out,
			"    the tables in place have a credit loop after %s,\n",
			WEFT_COUNT(o->cyclic, "write"));
	if (o->known && o->cyclic)
		fprintf(out, "    first after write %s, to %s\n",
			WEFT_COUNT(o->first_cyclic, NULL),
			tool_text_vertex(f, o->cyclic_sw, name, sizeof(name)));
}

static void print_order(const struct tool_diff *d, FILE *out)
{
	const struct weft_transition *w = &d->transition;
	const struct weft_fabric *f = d->side[1].c.fabric;
	char name[160];

	switch (w->verdict) {
	case WEFT_ORDER_UNASKED:
		return;
	case WEFT_ORDER_ANY:
		fputs("  any order of switches is safe", out);
		break;
	case WEFT_ORDER_FOUND:
		fprintf(out, "  an order of %s is safe: --order=FILE writes it",
			WEFT_COUNT(w->norder, "switch"));
		break;
	case WEFT_ORDER_NONE:
		fputs("  no order of switches is safe", out);
		break;
	case WEFT_ORDER_UNKNOWN:
		fputs("  no safe order of switches was found", out);
		break;
	}
	fputs(w->order_waits ? "\n" : "\n    credit loops are left aside\n",
	      out);
	if (w->verdict != WEFT_ORDER_NONE && w->verdict != WEFT_ORDER_UNKNOWN)
		return;
	fprintf(out, "    after %s none of the rest can be next:\n",
		WEFT_COUNT(w->stuck_after, "switch"));
	fprintf(out, "    %s would ",
		tool_text_vertex(f, w->stuck_sw, name, sizeof(name)));
	if (w->stuck_loop)
		fprintf(out, "turn packets to LID %u in a circle\n",
			w->stuck_lid);
	else if (w->stuck_lid)
		fprintf(out, "lose packets to LID %u\n", w->stuck_lid);
	else
		fputs("close a credit loop\n", out);
}

void tool_diff_print(const struct tool_diff *d, uint64_t most, FILE *out)
{
	print_side(d, 0, out);
	print_side(d, 1, out);
	print_fabric(d, most, out);
	print_tables(d, most, out);
	print_routes(d, out);
	print_figures(d, out);
	if (!d->has_transition || !d->transition.entries)
		return;
	fputs("from A to B:\n", out);
	print_any(d, out);
	print_writes(d, out);
	print_order(d, out);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *vertices_json(const struct weft_fabric *f, const uint32_t *id,
			     uint32_t n, uint32_t bit)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(list, tool_json_node(f, id[i] | bit));
	return list;
}

/* Entries of a switch, or for a LID, that differ. */
struct row {
	const char *kind;
	unsigned lid;
	uint64_t guid;
	const char *name;
	struct weft_diff_row row;
};

static const struct tool_field row_fields[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
	FIELD(kind, WORD, "kind"),
	FIELD(lid, COUNT, "lid"),
	FIELD(guid, GUID, "guid"),
	FIELD(name, NAME, "name"),
	FIELD(row.entries, COUNT, "entries"),
	FIELD(row.blocks, COUNT, "blocks"),
	TOOL_FIELDS_END
#undef FIELD
};

void tool_diff_csv(const struct tool_diff *d, FILE *out)
{
	const struct weft_diff *x = &d->found;
	const struct weft_fabric *f = d->side[1].c.fabric;

	tool_record_keys(row_fields, out);
	fputc('\n', out);
	for (uint32_t i = 0; i < x->nsw + x->nlids; i++) {
		bool sw = i < x->nsw;
		struct row row = { .kind = sw ? "switch" : "lid",
				   .row = sw ? x->sw[i] : x->lid[i - x->nsw] };
		uint32_t vertex = sw ? row.row.id :
				       weft_lid_owner(f, row.row.id);

		row.lid = sw ? f->sw[vertex].lid : row.row.id;
		if (vertex != WEFT_NONE) {
			row.guid = tool_vertex_guid(f, vertex);
			row.name = tool_vertex_name(f, vertex);
		}
		tool_record_csv(row_fields, &row, out);
		fputc('\n', out);
	}
}

static json_t *switches_json(const struct tool_diff *d, uint64_t most)
{
	const struct weft_fabric *f = d->side[1].c.fabric;
	json_t *list = json_array();

	for (uint32_t i = 0; i < d->found.nsw && i < most; i++) {
		const struct weft_diff_row *row = &d->found.sw[i];

		json_array_append_new(list, json_pack(
			"{s:o, s:I, s:I}", "switch", tool_json_node(f, row->id),
			"entries", (json_int_t)row->entries,
			"blocks", (json_int_t)row->blocks));
	}
	return list;
}

static json_t *lids_json(const struct tool_diff *d, uint64_t most)
{
	const struct weft_fabric *f = d->side[1].c.fabric;
	json_t *list = json_array();

	for (uint32_t i = 0; i < d->found.nlids && i < most; i++) {
		const struct weft_diff_row *row = &d->found.lid[i];

		json_array_append_new(list, json_pack(
			"{s:o, s:i, s:I}", "owner",
			tool_json_vertex(f, weft_lid_owner(f, row->id),
					 row->id), "lid", (int)row->id,
			"entries", (json_int_t)row->entries));
	}
	return list;
}

static const char *verdict_name(enum weft_order_verdict verdict)
{
	static const char *const name[] = { "unasked", "any", "found", "none",
					    "unknown" };

	return name[verdict];
}

static const struct tool_field transition_fields[] = {
#define FIELD(...) TOOL_FIELD(struct weft_transition, __VA_ARGS__)
	FIELD(writes, COUNT, "writes"),
	FIELD(risky_lids, COUNT, "risky_lids"),
	FIELD(looping_lids, COUNT, "looping_lids"),
	FIELD(cyclic_vls, COUNT, "lanes_with_credit_loops"),
	FIELD(cyclic_before, YES, "credit_loops_before"),
	FIELD(cyclic_after, YES, "credit_loops_after"),
	FIELD(cyclic_kept, YES, "credit_loops_with_kept_sls"),
	FIELD(opensm.lost, COUNT, "opensm.lost_pairs"),
	FIELD(opensm.loops, COUNT, "opensm.looping_pairs"),
	FIELD(opensm.first_loss, COUNT, "opensm.first_loss"),
	FIELD(opensm.known, YES, "opensm.credit_loops_known"),
	FIELD(opensm.cyclic, COUNT, "opensm.writes_with_credit_loop"),
	FIELD(opensm.first_cyclic, COUNT, "opensm.first_credit_loop"),
	FIELD(order_waits, YES, "order_heeds_credit_loops"),
	TOOL_FIELDS_END
#undef FIELD
};

static json_t *transition_json(const void *record)
{
	const struct tool_diff *d = record;
	const struct weft_transition *w = &d->transition;
	const struct weft_fabric *f = d->side[1].c.fabric;
	json_t *o;
	char text[TEXT];

	if (!d->has_transition)
		return json_null();
	o = tool_record_object(transition_fields, w);
	json_object_set_new(o, "cycle", w->ncycles ?
			    tool_cycle_json(f, &w->cycle[0]) : json_null());
	json_object_set_new(o, "order", json_string(verdict_name(w->verdict)));
	json_object_set_new(o, "switches",
			    vertices_json(f, w->order, w->norder, 0));
	if (!w->opensm.first_loss)
		return o;
	weft_finding_text(f, &w->opensm.loss, text, sizeof(text));
	json_object_set_new(json_object_get(o, "opensm"), "loss",
			    tool_json_string(text));
	return o;
}

static json_t *only_json(const struct tool_diff *d, unsigned side, bool hosts)
{
	const struct weft_diff *x = &d->found;

	return vertices_json(d->side[side].c.fabric,
			     hosts ? x->endports_only[side] :
				     x->switches_only[side],
			     hosts ? x->nendports_only[side] :
				     x->nswitches_only[side],
			     hosts ? WEFT_ENDPORT : 0);
}

static const struct tool_field diff_fields[] = {
#define FIELD(...) TOOL_FIELD(struct tool_diff, __VA_ARGS__)
	FIELD(same, YES, "same"),
	FIELD(found.switches, COUNT, "switches"),
	FIELD(found.endports, COUNT, "endports"),
	FIELD(found.endports_moved, COUNT, "endports_moved"),
	FIELD(found.lids_moved, COUNT, "lids_moved"),
	FIELD(found.compared, COUNT, "entries_compared"),
	FIELD(found.entries, COUNT, "entries"),
	FIELD(found.blocks, COUNT, "blocks"),
	FIELD(found.needless, COUNT, "needless"),
	FIELD(found.nsw, COUNT, "changed_switches"),
	FIELD(found.nlids, COUNT, "changed_lids"),
	FIELD(found.pairs, COUNT, "pairs"),
	FIELD(found.routes, COUNT, "changed_routes"),
	FIELD(found.sls, COUNT, "changed_sls"),
	FIELD(found.lanes, COUNT, "changed_sl2vl"),
	TOOL_TREE_OF("transition", transition_json),
	TOOL_FIELDS_END
#undef FIELD
};

void tool_diff_json(const struct tool_diff *d, uint64_t most, FILE *out)
{
	json_t *o = tool_record_object(diff_fields, d);

	json_object_update_new(o, json_pack(
		"{s:o, s:o, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o}",
		"a", tool_figures_json(&d->side[0].figures),
		"b", tool_figures_json(&d->side[1].figures), "only",
		"switches_a", only_json(d, 0, false),
		"endports_a", only_json(d, 0, true),
		"switches_b", only_json(d, 1, false),
		"endports_b", only_json(d, 1, true),
		"fabric", tool_against_json(d->side[0].c.fabric,
					    d->side[1].c.fabric, &d->fabric,
					    most),
		"by_switch", switches_json(d, most),
		"by_lid", lids_json(d, most)));
	tool_json_print(out, o);
}

/* --- order ---------------------------------------------------------------- */

void tool_diff_order(const struct tool_diff *d, FILE *out)
{
	const struct weft_transition *w = &d->transition;
	const struct weft_fabric *f = d->side[1].c.fabric;
	char name[160];

	/* Any order is safe: by GUID then. */
	for (uint32_t i = 0; i < w->norder; i++)
		fprintf(out, "0x%016" PRIx64 " %s\n", f->sw[w->order[i]].guid,
			weft_diag_printable(name, sizeof(name),
					    f->sw[w->order[i]].name));
	for (uint32_t s = 0; w->verdict == WEFT_ORDER_ANY && s < f->nsw; s++)
		fprintf(out, "0x%016" PRIx64 " %s\n", f->sw[s].guid,
			weft_diag_printable(name, sizeof(name), f->sw[s].name));
}
