// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* At a glance: whose tables these are, two grades with their rules, one next
 * step, and figures. */
#include "report/write.h"

#include "page/page.h"
#include "report/judged.h"
#include "report/multicast.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const char *class_of(enum weft__colour colour)
{
	static const char *const classes[] = {
		[WEFT__UNGRADED] = "note", [WEFT__GREEN] = "good",
		[WEFT__AMBER] = "warn", [WEFT__RED] = "bad",
	};

	return classes[colour];
}

/* What the verdict is about. */
static const char *scope(const struct weft__report *r)
{
	return r->spec->all_hosts ? "traffic between hosts, aggregation nodes and routers"
				    :
				    "traffic between hosts";
}

/* Where the tables come from, before anything is said about them. */
static void say_source(const struct weft__report *r, FILE *out)
{
	const struct weft__report_spec *s = r->spec;

	if (s->invented)
		weft__page_text(
			out, "p", "warn",
			"The input holds no forwarding tables: what follows is how %s would route this fabric, not how it is routed now.",
			s->engine);
	else if (s->engine)
		weft__page_text(
			out, "p", "note",
			"Routed by %s for this page: these are not tables that the fabric has.",
			s->engine);
	else if (*s->read)
		weft__page_text(out, "p", "note", "Read: %s.", s->read);
}

static void say_unreachable(const struct weft__report *r, FILE *out)
{
	const struct weft_proof *p = &r->proof;

	if (p->unreachable > p->apart)
		weft__page_text(out, "p", "bad",
				"Safe: red. %s of %s cannot reach each other by these tables (%s).",
				WEFT_COUNT(p->unreachable, NULL),
				WEFT_COUNT(p->pairs, "pair"), scope(r));
	else if (p->unreachable && !p->by_machines)
		weft__page_text(
			out, "p", "bad",
			"Safe: red. The fabric is in %" PRIu32 " parts that no cable joins, so that %s of %s cannot reach each other.",
			p->parts, WEFT_COUNT(p->unreachable, NULL),
			WEFT_COUNT(p->pairs, "pair"));
}

static void say_safe(const struct weft__report *r, enum weft__colour safe,
		     FILE *out)
{
	const struct weft_proof *p = &r->proof;

	if (p->by_machines && safe != WEFT__RED)
		weft__page_text(
			out, "p", safe == WEFT__GREEN ? "good" : "note",
			"Safe: %s. The %" PRIu32 " parts of the fabric are rails, which machines alone join: on each, all hosts reach each other, and nothing can wait for itself (%s).",
			weft__colour_name(safe), p->parts, scope(r));
	else if (safe == WEFT__GREEN)
		weft__page_text(
			out, "p", "good",
			"Safe: green. All %s of hosts reach each other, and nothing can wait for itself (%s).",
			WEFT_COUNT(p->pairs, "pair"), scope(r));
	else if (safe == WEFT__AMBER)
		weft__page_text(
			out, "p", "warn",
			"Safe: amber. All %s of hosts reach each other, and nothing can wait for itself (%s), but not so with what switches themselves send and receive: see weft check --switches. Management has a lane of its own, so that this rarely matters.",
			WEFT_COUNT(p->pairs, "pair"), scope(r));
	else
		say_unreachable(r, out);
	if (p->cyclic_vls)
		weft__page_text(
			out, "p", "bad",
			"Safe: red. There are credit loops on %s. Under load, traffic can stop for ever.",
			WEFT_COUNT(p->cyclic_vls, "lane"));
	weft__page_text(out, "p", "note", "%s", WEFT__SAFE_RULE);
}

static void say_good(const struct weft__report *r, const struct weft__grade *g,
		     FILE *out)
{
	const struct weft_compared *best = weft__report_best(r);

	if (!r->has_traffic)
		return;
	if (g->good == WEFT__UNGRADED)
		weft__page_text(
			out, "p", "note",
			"Good: unknown. %s",
			r->comparison ? "No engine compared is safe." :
					"No engine was compared.");
	else if (g->by_bound)
		weft__page_text(
			out, "p", class_of(g->good),
			"Good: %s. These tables are worth %.1f %% of full bandwidth; there is no safe engine to compare with.",
			weft__colour_name(g->good), 100 * r->worth.mean);
	else if (g->share >= 1 || best->origin == WEFT_TABLES_PRESENT)
		weft__page_text(
			out, "p", class_of(g->good),
			"Good: %s. These tables are worth %.1f %% of full bandwidth; no engine compared gives more.",
			weft__colour_name(g->good), 100 * r->worth.mean);
	else
		weft__page_text(
			out, "p", class_of(g->good),
			"Good: %s. These tables are worth %.1f %% of full bandwidth, which is %.1f %% of the %.1f %% that %s gives.",
			weft__colour_name(g->good), 100 * r->worth.mean,
			100 * g->share, 100 * best->worth.mean, best->label);
	if (isfinite(r->saturation.even / r->uniform_bound))
		weft__page_text(
			out, "p", "note",
			"Uniform traffic gets %.1f %% of what any tables of this fabric allow.",
			100 * r->saturation.even / r->uniform_bound);
	weft__page_text(out, "p", "note", "%s", WEFT__GOOD_RULE);
}

/* The tables that are advised; NULL: none are, or these already. */
static const struct weft_compared *advised(const struct weft__report *r)
{
	const struct weft_compared *k;

	if (!r->advice || r->advice->row == UINT_MAX)
		return NULL;
	k = weft_comparison_row(r->comparison, r->advice->row);
	if (k->origin == WEFT_TABLES_PRESENT ||
	    (r->spec->engine && !strcmp(r->spec->engine, k->label)))
		return NULL;
	return k;
}

/* What engine to take, measured against the tables that are shown. */
static void say_engine(const struct weft__report *r,
		       const struct weft_compared *k, FILE *out)
{
	double more = r->worth.mean > 0 ?
			      100 * (k->worth.mean / r->worth.mean - 1) : 0;

	if (more > 0)
		weft__page_text(
			out, "p", NULL,
			"Next step: route by %s, which is worth %.1f %% more than these tables; the end of this page has the lines for opensm.conf.",
			k->label, more);
	else
		weft__page_text(
			out, "p", NULL,
			"Next step: route by %s; the end of this page has the lines for opensm.conf.",
			k->label);
}

static void say_next(const struct weft__report *r, const struct weft__grade *g,
		     FILE *out)
{
	const struct weft_proof *p = &r->proof;
	const struct weft_compared *k = advised(r);
	const char *step = "none: keep these tables.";

	if (p->unreachable && p->unreachable <= p->apart && !p->by_machines)
		step = "look for switches or cables that are down.";
	else if (r->multicast.broken && weft_proof_holds(p))
		step = WEFT__MULTICAST_STEP ".";
	else if (r->spec->invented)
		step = "capture the fabric (weft capture), and have its own tables judged.";
	else if (k && (g->safe == WEFT__RED || g->share < WEFT__GREEN_SHARE)) {
		say_engine(r, k, out);
		return;
	} else if (p->cyclic_vls)
		step = "do what the chapter about credit loops says.";
	else if (g->safe == WEFT__RED)
		step = "see below which pairs cannot reach each other, and have the fabric routed anew.";
	else if (g->good == WEFT__UNGRADED && r->has_traffic)
		step = "compare engines (weft compare).";
	else if (k && r->worth.mean < k->worth.mean * WEFT__NOTED_SHARE) {
		weft__page_text(
			out, "p", NULL,
			"Next step: none, these tables may stay. Those of %s would be worth %.1f %% more.",
			k->label, 100 * (k->worth.mean / r->worth.mean - 1));
		return;
	}
	weft__page_text(out, "p", NULL, "Next step: %s", step);
}

void weft__report_glance(const struct weft__report *r, FILE *out)
{
	const struct weft_fabric *f = r->spec->fabric;
	const struct weft__grade g = weft__report_grade(r);

	weft__page_section(out, "glance", "At a glance",
			   "The verdict, and the figures that people ask for first.");
	say_source(r, out);
	say_safe(r, g.safe, out);
	if (r->multicast.broken)
		weft__page_text(out, "p", "bad",
				"Multicast is not safe: of %s %" PRIu32 " %s no tree.",
				WEFT_COUNT(r->multicast.n, "group"),
				r->multicast.broken,
				r->multicast.broken > 1 ? "are" : "is");
	say_good(r, &g, out);
	say_next(r, &g, out);
	weft__page_facts(out);
	weft__page_count(out, "Hosts (ports)", r->hosts);
	weft__page_count(out, "Switches", f->nsw);
	weft__page_count(out, "Cables", f->nlinks);
	if (r->has_traffic) {
		weft__page_fact(out, "Worth, of full bandwidth", "%.1f %%",
				100 * r->worth.mean);
		weft__page_fact(out, "Slowest host, each at its own pace", "%.1f %%",
				100 * r->saturation.least);
		weft__page_fact(out, "Most loaded channel", "%s",
				WEFT_COUNT(r->proof.load_max, "route"));
	}
	weft__page_facts_end(out);
	weft__page_section_end(out);
}
