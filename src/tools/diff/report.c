// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft diff tells.  The names of the JSON keys are a promise: see
 * weft-diff(1). */
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
	const struct tool_case *c = &d->side[i].c;

	fprintf(out, "%c: %s", 'A' + i, c->input);
	if (strcmp(c->input, c->label))
		fprintf(out, ", %s", c->label);
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

/* A figure of both sides, and how it changes. */
static void print_count(const char *name, uint64_t a, uint64_t b, FILE *out)
{
	fprintf(out, "  %-30s %14s", name, WEFT_COUNT(a, NULL));
	fprintf(out, " %14s", WEFT_COUNT(b, NULL));
	if (a != b && a)
		fprintf(out, " %+8.1f %%", 100. * b / a - 100);
	fputc('\n', out);
}

static void print_real(const char *name, double a, double b, FILE *out)
{
	fprintf(out, "  %-30s %14.4f %14.4f", name, a, b);
	if (fabs(b - a) > 5e-5 && a > 0)
		fprintf(out, " %+8.1f %%", 100. * b / a - 100);
	fputc('\n', out);
}

static void print_figures(const struct tool_diff *d, FILE *out)
{
	const struct tool_figures *a = &d->side[0].figures;
	const struct tool_figures *b = &d->side[1].figures;

	fprintf(out, "%-32s %14s %14s\n", "figures:", "A", "B");
	print_count("hosts", a->hosts, b->hosts, out);
	print_count("unreachable pairs", a->proof.unreachable,
		    b->proof.unreachable, out);
	print_count("  of these in loops", a->proof.loops, b->proof.loops,
		    out);
	print_count("lanes", a->lanes, b->lanes, out);
	print_count("  with credit loops", a->proof.cyclic_vls,
		    b->proof.cyclic_vls, out);
	print_count("non-minimal routes", a->proof.nonminimal,
		    b->proof.nonminimal, out);
	print_real("hops on average", a->avg_hops, b->avg_hops, out);
	print_count("most routes on a channel (EFI)", a->proof.load_max,
		    b->proof.load_max, out);
	if (a->has_ebb && a->ebb.patterns)
		print_real("bisection bandwidth, share", a->ebb.mean,
			   b->ebb.mean, out);
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
		json_array_append_new(
			list, tool_json_vertex(f, id[i] | bit,
					       tool_vertex_lid(f, id[i] |
							       bit)));
	return list;
}

static json_t *rows_json(const struct weft_fabric *f, const struct weft_diff *x,
			 bool switches, uint64_t most)
{
	const struct weft_diff_row *row = switches ? x->sw : x->lid;
	uint32_t n = switches ? x->nsw : x->nlids;
	json_t *list = json_array();

	for (uint32_t i = 0; i < n && i < most; i++) {
		uint32_t owner = switches ? row[i].id :
			weft_lid_owner(f, row[i].id);
		json_t *o = json_object();

		json_object_set_new(o, switches ? "switch" : "owner",
				    tool_json_vertex(f, owner, switches ?
						     f->sw[row[i].id].lid :
						     row[i].id));
		if (!switches)
			json_object_set_new(o, "lid",
					    json_integer(row[i].id));
		json_object_set_new(o, "entries",
				    json_integer(row[i].entries));
		if (switches)
			json_object_set_new(o, "blocks",
					    json_integer(row[i].blocks));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *writes_json(const struct weft_fabric *f,
			   const struct weft_transition_writes *o)
{
	json_t *w = json_object();
	char text[TEXT];

	json_object_set_new(w, "lost_pairs", json_integer(o->lost));
	json_object_set_new(w, "looping_pairs", json_integer(o->loops));
	json_object_set_new(w, "first_loss", json_integer(o->first_loss));
	if (o->first_loss) {
		weft_finding_text(f, &o->loss, text, sizeof(text));
		json_object_set_new(w, "loss", tool_json_string(text));
	}
	json_object_set_new(w, "credit_loops_known", json_boolean(o->known));
	json_object_set_new(w, "writes_with_credit_loop",
			    json_integer(o->cyclic));
	json_object_set_new(w, "first_credit_loop",
			    json_integer(o->first_cyclic));
	return w;
}

static const char *verdict_name(enum weft_order_verdict verdict)
{
	static const char *const name[] = { "unasked", "any", "found", "none",
					    "unknown" };

	return name[verdict];
}

static json_t *transition_json(const struct tool_diff *d)
{
	const struct weft_transition *w = &d->transition;
	const struct weft_fabric *f = d->side[1].c.fabric;
	json_t *o = json_object();

	json_object_set_new(o, "writes", json_integer(w->writes));
	json_object_set_new(o, "risky_lids", json_integer(w->risky_lids));
	json_object_set_new(o, "looping_lids", json_integer(w->looping_lids));
	json_object_set_new(o, "lanes_with_credit_loops",
			    json_integer(w->cyclic_vls));
	json_object_set_new(o, "credit_loops_before",
			    json_boolean(w->cyclic_before));
	json_object_set_new(o, "credit_loops_after",
			    json_boolean(w->cyclic_after));
	json_object_set_new(o, "credit_loops_with_kept_sls",
			    json_boolean(w->cyclic_kept));
	json_object_set_new(o, "cycle", w->ncycles ?
			    tool_cycle_json(f, &w->cycle[0]) : json_null());
	json_object_set_new(o, "opensm", writes_json(f, &w->opensm));
	json_object_set_new(o, "order", json_string(verdict_name(w->verdict)));
	json_object_set_new(o, "order_heeds_credit_loops",
			    json_boolean(w->order_waits));
	json_object_set_new(o, "switches",
			    vertices_json(f, w->order, w->norder, 0));
	return o;
}

static json_t *only_json(const struct tool_diff *d)
{
	const struct weft_diff *x = &d->found;
	json_t *o = json_object();
	char key[32];

	for (unsigned i = 0; i < 2; i++) {
		const struct weft_fabric *f = d->side[i].c.fabric;

		snprintf(key, sizeof(key), "switches_%c", "ab"[i]);
		json_object_set_new(o, key,
				    vertices_json(f, x->switches_only[i],
						  x->nswitches_only[i], 0));
		snprintf(key, sizeof(key), "endports_%c", "ab"[i]);
		json_object_set_new(o, key,
				    vertices_json(f, x->endports_only[i],
						  x->nendports_only[i],
						  WEFT_ENDPORT));
	}
	return o;
}

void tool_diff_json(const struct tool_diff *d, uint64_t most, FILE *out)
{
	const struct weft_diff *x = &d->found;
	const struct weft_fabric *f = d->side[1].c.fabric;
	const struct { const char *key; uint64_t value; } count[] = {
		{ "switches", x->switches }, { "endports", x->endports },
		{ "endports_moved", x->endports_moved },
		{ "lids_moved", x->lids_moved },
		{ "entries_compared", x->compared },
		{ "entries", x->entries }, { "blocks", x->blocks },
		{ "needless", x->needless },
		{ "changed_switches", x->nsw }, { "changed_lids", x->nlids },
		{ "pairs", x->pairs }, { "changed_routes", x->routes },
		{ "changed_sls", x->sls }, { "changed_sl2vl", x->lanes },
	};
	json_t *o = json_object();

	json_object_set_new(o, "same", json_boolean(d->same));
	json_object_set_new(o, "a", tool_figures_json(&d->side[0].figures));
	json_object_set_new(o, "b", tool_figures_json(&d->side[1].figures));
	for (size_t i = 0; i < sizeof(count) / sizeof(count[0]); i++)
		json_object_set_new(o, count[i].key,
				    json_integer(count[i].value));
	json_object_set_new(o, "only", only_json(d));
	json_object_set_new(o, "fabric",
			    tool_against_json(d->side[0].c.fabric, f,
					      &d->fabric, most));
	json_object_set_new(o, "by_switch", rows_json(f, x, true, most));
	json_object_set_new(o, "by_lid", rows_json(f, x, false, most));
	json_object_set_new(o, "transition", d->has_transition ?
			    transition_json(d) : json_null());
	tool_json_print(out, o);
}

/* --- CSV ------------------------------------------------------------------ */

void tool_diff_csv(const struct tool_diff *d, FILE *out)
{
	const struct weft_diff *x = &d->found;
	const struct weft_fabric *f = d->side[1].c.fabric;

	fputs("kind,lid,guid,name,entries,blocks\n", out);
	for (uint32_t i = 0; i < x->nsw + x->nlids; i++) {
		bool sw = i < x->nsw;
		const struct weft_diff_row *row = sw ? &x->sw[i] :
			&x->lid[i - x->nsw];
		uint32_t vertex = sw ? row->id : weft_lid_owner(f, row->id);
		bool known = vertex != WEFT_NONE;

		fprintf(out, "%s,%u,0x%016" PRIx64 ",", sw ? "switch" : "lid",
			sw ? f->sw[row->id].lid : row->id,
			known ? tool_vertex_guid(f, vertex) : 0);
		tool_text_csv(out, known ? tool_vertex_name(f, vertex) : "");
		fprintf(out, "%" PRIu32 ",%" PRIu32 "\n", row->entries,
			row->blocks);
	}
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
			weft_printable(name, sizeof(name),
				       f->sw[w->order[i]].name));
	for (uint32_t s = 0; w->verdict == WEFT_ORDER_ANY && s < f->nsw; s++)
		fprintf(out, "0x%016" PRIx64 " %s\n", f->sw[s].guid,
			weft_printable(name, sizeof(name), f->sw[s].name));
}
