// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Single points of failure: of the cabling, and of the routes to nodes with
 * several ports. */
#include "report/write.h"

#include "page/page.h"

static void write_single(const struct weft__report *r, FILE *out)
{
	const struct weft__cuts *c = &r->cuts;

	if (!c->single) {
		weft__page_text(out, "p", "good",
				"Every host has several cables.");
		return;
	}
	weft__page_text(
		out, "p", NULL,
		"%s with one cable: each is lost with that cable, or with its switch. They are on %s, at most %s on one: %s.",
		WEFT_COUNT(c->single, "host"), WEFT_COUNT(c->homes, "switch"),
		WEFT_COUNT(c->crowd, NULL), WEFT__VERTEX(r, c->crowded));
}

static void write_cuts(const struct weft__report *r, const char *caption,
		       const struct weft__cut *cut, uint32_t n, bool cables,
		       FILE *out)
{
	const char *const column[] = { cables ? "@Cable" : "@Switch",
				       "#Hosts cut off", NULL };
	uint32_t shown = n < r->spec->most ? n : r->spec->most;
	struct weft__table t;

	if (!n)
		return;
	weft__table_begin(&t, out, caption, column);
	for (uint32_t i = 0; i < shown; i++) {
		weft__table_cell(&t, "%s",
				 cables ? WEFT__CHANNEL(r, cut[i].id) :
					  WEFT__VERTEX(r, cut[i].id));
		weft__table_count(&t, cut[i].hosts);
	}
	weft__table_end(&t);
	if (n > shown)
		weft__page_text(out, "p", "note", "And %s more.",
				WEFT_COUNT(n - shown, NULL));
}

/* Machines with several ports whose routes all pass one switch. */
static void write_nodes(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = {
		"@Host", "@depends on switch", "#from so many leaves",
		"#needlessly", NULL
	};
	const struct weft_redundancy *d = &r->redundancy;
	const struct weft_fabric *f = r->spec->fabric;
	uint32_t shown = d->n < r->spec->most ? d->n : r->spec->most;
	struct weft__table t;

	if (!d->weak_machines)
		return;
	weft__page_text(out, "p", d->needless_machines ? "warn" : NULL,
			"%s of %s with several cables depend on one switch all the same, %s of them needlessly: other cables lead there, but the routes do not take them.",
			WEFT_COUNT(d->weak_machines, NULL),
			WEFT_COUNT(d->several, "host"),
			WEFT_COUNT(d->needless_machines, NULL));
	weft__table_begin(&t, out, "Hosts whose routes all pass one switch",
			  column);
	for (uint32_t i = 0; i < shown; i++) {
		uint32_t e = weft_machine_endport(f, d->weak[i].machine);

		weft__table_cell(&t, "%s", WEFT__VERTEX(r, e | WEFT_ENDPORT));
		weft__table_cell(&t, "%s", WEFT__VERTEX(r, d->weak[i].sw));
		weft__table_count(&t, d->weak[i].sources);
		weft__table_count(&t, d->weak[i].needless);
	}
	weft__table_end(&t);
	weft__report_more(out, d->n, shown, "weft check --redundancy -n");
}

/* Pairs of which the destination has several LIDs. */
static void write_lids(const struct weft__report *r, FILE *out)
{
	const struct weft_lid_redundancy *l = &r->lids;

	if (!l->pairs)
		return;
	weft__page_text(out, "p", NULL,
			"Hosts with several LIDs have several ways, so that path migration can go round what fails. "
			"For %s of %s all ways take one cable between switches, and for %s they pass one switch in between.",
			WEFT_COUNT(l->cable, NULL),
			WEFT_COUNT(l->pairs, "pair"), WEFT_COUNT(l->sw, NULL));
}

void weft__report_weak(const struct weft__report *r, FILE *out)
{
	const struct weft__cuts *c = &r->cuts;

	weft__page_section(out, "weak", "Single points of failure",
			   "What one broken cable or switch takes away for good, however the rest is routed; all else the subnet manager routes around.");
	if (!c->nsw && !c->ncables)
		weft__page_text(out, "p", "good",
				"No single switch and no single cable between switches cuts hosts on other switches off.");
	write_cuts(r,
		   "Switches without which hosts on other switches are cut off",
		   c->sw, c->nsw, false, out);
	write_cuts(r,
		   "Cables between switches without which hosts are cut off",
		   c->cable, c->ncables, true, out);
	write_single(r, out);
	write_nodes(r, out);
	write_lids(r, out);
	weft__page_section_end(out);
}
