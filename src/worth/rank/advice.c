// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: advice, which tables to take
 *
 * Of the rows that are tied with the best one, the one that asks for least: no
 * change at all, else the fewest lanes, else the fewest blocks of tables to
 * send, else the one that is worth more.  Tables that close a credit loop are
 * advised where nothing else reaches everybody, and those that do not reach
 * everybody never.
 */
#include "worth/rank/comparison.h"

#include <weft/diag.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMED 3 /* rows that are tied, in a sentence */

static bool is_present(const struct weft_compared *r)
{
	return r->origin == WEFT_TABLES_PRESENT;
}

/* Whether OpenSM can make them: not those of an engine without a plugin. */
static bool is_loadable(const struct weft_compared *r)
{
	return r->origin != WEFT_TABLES_ENGINE || *r->plugin;
}

/* Whether a asks for less than b; both are tied with the best. */
static bool asks_less(const struct weft_compared *a,
		      const struct weft_compared *b)
{
	if (is_present(a) != is_present(b))
		return is_present(a);
	if (a->shown != b->shown)
		return a->shown;
	if (a->lanes != b->lanes)
		return a->lanes < b->lanes;
	if (a->has_change && b->has_change && a->blocks != b->blocks)
		return a->blocks < b->blocks;
	return a->worth.mean > b->worth.mean;
}

static unsigned choose(const struct weft_comparison *c)
{
	unsigned chosen = WEFT__COMPARE_NONE;

	for (unsigned i = 0; i < c->nrows; i++)
		if (c->row[i].tied && is_loadable(&c->row[i]) &&
		    (chosen == WEFT__COMPARE_NONE ||
		     asks_less(&c->row[i], &c->row[chosen])))
			chosen = i;
	if (chosen != WEFT__COMPARE_NONE)
		return chosen;
	for (unsigned i = 0; i < c->nrows; i++) {
		const struct weft_compared *r = &c->row[i];

		if (r->state == WEFT_COMPARED && !r->unreachable &&
		    r->lanes <= c->spec.lanes && is_loadable(r) &&
		    (chosen == WEFT__COMPARE_NONE ||
		     r->worth.mean > c->row[chosen].worth.mean))
			chosen = i;
	}
	return chosen;
}

/* The tables that those chosen are to replace, or that are shown, or, if there
 * are none of these, the best others that are not tied; NULL if there are
 * none. */
static const struct weft_compared *rival(const struct weft_comparison *c,
					 const struct weft_compared *chosen)
{
	const struct weft_compared *best = NULL;

	for (unsigned i = 0; i < c->nrows; i++) {
		const struct weft_compared *r = &c->row[i];

		if (r == chosen || r->state != WEFT_COMPARED)
			continue;
		if (is_present(r) || r->shown)
			return r;
		if (r->sound && !r->tied &&
		    (!best || r->worth.mean > best->worth.mean))
			best = r;
	}
	return best;
}

static void name(FILE *out, const struct weft_compared *r)
{
	if (is_present(r))
		fputs("the present tables", out);
	else
		fprintf(out, "%s%s", r->label,
			r->origin == WEFT_TABLES_OPENSM ? " of OpenSM" : "");
}

/* Why it is the one of those that are tied. */
static const char *reason(const struct weft_comparison *c,
			  const struct weft_compared *chosen)
{
	bool fewer_lanes = true, fewer_blocks = true;

	if (is_present(chosen) || chosen->shown)
		return "; nothing is to change";
	for (unsigned i = 0; i < c->nrows; i++) {
		const struct weft_compared *r = &c->row[i];

		if (!r->tied || r == chosen || !is_loadable(r))
			continue;
		fewer_lanes &= r->lanes > chosen->lanes;
		fewer_blocks &= r->lanes > chosen->lanes ||
				(r->has_change && chosen->has_change &&
				 r->blocks > chosen->blocks);
	}
	return fewer_lanes  ? "; it needs the fewest lanes" :
	       fewer_blocks ? "; it changes least" :
			      "";
}

/* Names what else is tied: ", as much as a, b and 3 others". */
static void name_tied(const struct weft_comparison *c,
		      const struct weft_compared *chosen, FILE *out)
{
	unsigned n = 0, named = 0;

	for (unsigned i = 0; i < c->nrows; i++)
		n += c->row[i].tied && &c->row[i] != chosen;
	if (!n)
		return;
	fputs(", as much as ", out);
	for (unsigned i = 0; i < c->nrows && named < n; i++) {
		if (!c->row[i].tied || &c->row[i] == chosen)
			continue;
		if (named == MOST_NAMED - 1 && n > MOST_NAMED) {
			fprintf(out, " and %u others", n - named);
			break;
		}
		fputs(!named ? "" : named == n - 1 ? " and " : ", ", out);
		name(out, &c->row[i]);
		named++;
	}
	fputs(" as far as can be told", out);
	fputs(reason(c, chosen), out);
}

/* What the chosen tables give. */
static void say_worth(const struct weft_comparison *c,
		      const struct weft_compared *chosen, FILE *out)
{
	const struct weft_compared *other = rival(c, chosen);
	double more = 0;

	if (other && other->worth.mean > 0)
		more = 100 * (chosen->worth.mean / other->worth.mean - 1);
	if (is_present(chosen))
		fputs("Keep the present tables: they are", out);
	else
		fprintf(out, "Take %s%s: it is", chosen->label,
			chosen->origin == WEFT_TABLES_OPENSM ? " of OpenSM" :
							       "");
	fprintf(out, " worth %.3f of full bandwidth", chosen->worth.mean);
	if (other && other->worth.mean > 0 && fabs(more) >= 0.05) {
		fprintf(out, ", %.1f %% %s than ", fabs(more),
			more > 0 ? "more" : "less");
		name(out, other);
	}
	name_tied(c, chosen, out);
	fputs(".", out);
}

/* Why what is worth more is not the advice, if there is such. */
static bool say_unsound(const struct weft_comparison *c,
			const struct weft_compared *chosen, FILE *out)
{
	const struct weft_compared *best = NULL;

	for (unsigned i = 0; i < c->nrows; i++) {
		const struct weft_compared *r = &c->row[i];

		if (r->state == WEFT_COMPARED && !r->sound &&
		    r->worth.mean >
			    chosen->worth.mean * (1 + WEFT__COMPARE_SLIGHT) &&
		    (!best || r->worth.mean > best->worth.mean))
			best = r;
	}
	if (!best)
		return false;
	fputs(" What is worth more, ", out);
	name(out, best);
	fprintf(out, " (%.3f), ", best->worth.mean);
	if (best->unreachable)
		fprintf(out, "leaves %s of hosts without a route",
			WEFT_COUNT(best->unreachable, "pair"));
	else if (best->cyclic)
		fputs("can stop for good: it closes a credit loop", out);
	else
		fprintf(out, "needs %u lanes, and there are %u", best->lanes,
			c->spec.lanes);
	return true;
}

/* What the chosen tables need, and what is wrong with better ones. */
static void say_terms(const struct weft_comparison *c,
		      const struct weft_compared *chosen, FILE *out)
{
	if (chosen->cyclic) {
		fputs(" It closes a credit loop, so that traffic can stop for good; nothing that reaches all hosts is free of that.",
		      out);
		return;
	}
	if (say_unsound(c, chosen, out))
		fputs(".", out);
	else if (chosen->hidden_levels)
		fputs(" It gives out service levels against credit loops, which its tables do not show: that is believed.",
		      out);
	else if (chosen->lanes > 1)
		fprintf(out,
			" It needs %u lanes (VLs), and with these no traffic between hosts can close a credit loop.",
			chosen->lanes);
	else
		fputs(" One lane is enough, as no traffic between hosts can close a credit loop.",
		      out);
}

static void write_opensm(const struct weft_compared *r, FILE *out)
{
	if (is_present(r))
		return;
	if (*r->plugin)
		fprintf(out, "event_plugin_name %s\n", r->plugin);
	fprintf(out, "routing_engine %s\n", r->engine);
	if (r->lanes > 1)
		fputs("qos TRUE\n", out);
	if (r->lmc)
		fprintf(out, "lmc %u\n", r->lmc);
}

int weft_comparison_advise(const struct weft_comparison *c,
			   struct weft_advice *out)
{
	struct weft_advice a = { .row = choose(c) };
	char **text[] = { &a.why, &a.opensm, &a.weft };
	const struct weft_compared *r;
	FILE *to[3] = { NULL };
	bool ok = true;
	size_t size;

	for (unsigned i = 0; i < 3; i++)
		ok &= (to[i] = open_memstream(text[i], &size)) != NULL;
	r = ok && a.row != WEFT__COMPARE_NONE ? &c->row[a.row] : NULL;
	if (r) {
		say_worth(c, r, to[0]);
		say_terms(c, r, to[0]);
		write_opensm(r, to[1]);
		if (r->origin == WEFT_TABLES_ENGINE)
			fputs(r->options, to[2]);
	} else if (ok) {
		fputs("None of these can be advised: all of them leave hosts without a route, need more lanes than there are, refuse the fabric, or have no plugin.",
		      to[0]);
	}
	for (unsigned i = 0; i < 3; i++)
		ok &= to[i] && !fclose(to[i]);
	if (!ok) {
		weft_advice_free(&a);
		return -ENOMEM;
	}
	*out = a;
	return 0;
}

const char *weft_advice_verdict(const struct weft_comparison *c,
				const struct weft_advice *a,
				const struct weft_compared *row)
{
	if (a->row < c->nrows && row == &c->row[a->row])
		return "advised";
	if (row->unreachable)
		return "hosts without a route";
	if (row->cyclic)
		return "credit loop";
	if (!row->sound)
		return "too many lanes";
	return row->tied ? "as good" : "";
}

void weft_advice_free(struct weft_advice *a)
{
	free(a->why);
	free(a->opensm);
	free(a->weft);
	*a = (struct weft_advice){ .row = WEFT__COMPARE_NONE };
}
