// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The verdict in figures, and credit loops with their remedy. */
#include "report/write.h"

#include "page/page.h"

#include <inttypes.h>

#define TEXT 4096

static void write_findings(const struct weft__report *r, FILE *out)
{
	const struct weft_proof *p = &r->proof;
	char text[TEXT];
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->nfindings; i++)
		n += p->finding[i].kind != WEFT_FIND_NONMINIMAL;
	if (!n)
		return;
	weft__page_text(out, "h3", NULL, "For example");
	fputs("<ul>\n", out);
	for (uint32_t i = 0; i < p->nfindings; i++) {
		if (p->finding[i].kind == WEFT_FIND_NONMINIMAL)
			continue;
		weft_finding_text(r->spec->fabric, &p->finding[i], text,
				  sizeof(text));
		weft__page_text(out, "li", NULL, "%s", text);
	}
	fputs("</ul>\n", out);
	weft__report_more(out, p->unreachable, n, "weft check --top");
}

void weft__report_check(const struct weft__report *r, FILE *out)
{
	const struct weft_proof *p = &r->proof;

	weft__page_section(out, "check", "Is it correct?",
			   "Whether every host reaches every other one. Proved for all pairs, not sampled.");
	weft__page_facts(out);
	weft__page_count(out, "Pairs of hosts", p->pairs);
	weft__page_count(out, "Cannot reach each other", p->unreachable);
	if (p->loops)
		weft__page_count(out, "Of these, in loops", p->loops);
	if (p->apart)
		weft__page_count(out, p->by_machines ?
				 "Of these, between rails" :
				 "Of these, no cable", p->apart);
	if (p->no_lid)
		weft__page_count(out, "Of these, without a LID", p->no_lid);
	weft__page_fact(out, "Lanes with credit loops", "%u of %u",
			p->cyclic_vls, r->spec->routes->layers.nvl);
	weft__page_fact(out, "Switches on a route, mean", "%.2f",
			p->reached ? (double)p->hops_sum / p->reached : 0);
	weft__page_fact(out, "Switches, longest route", "%u", p->max_hops);
	weft__page_count(out, "Routes longer than need be", p->nonminimal);
	weft__page_facts_end(out);
	write_findings(r, out);
	if (p->nonminimal)
		weft__page_text(
			out, "p", "note",
			"Routes that are longer than need be are no fault: they may go round a channel that others fill.");
	weft__page_section_end(out);
}

/* --- credit loops --------------------------------------------------------- */

static void write_cycle(const struct weft__report *r,
			const struct weft_cycle *c, FILE *out)
{
	static const char *const column[] = {
		"@Channel", "#Lane", "@Waits for the next one: traffic from",
		"@to", NULL
	};
	struct weft__table t;
	char caption[128];

	snprintf(caption, sizeof(caption),
		 "A %s loop of %" PRIu32
		 " channels, among %" PRIu32 " that wait for each other",
		 c->shortest ? "shortest" : "short", c->n, c->knot);
	weft__table_begin(&t, out, caption, column);
	for (uint32_t i = 0; i < c->n; i++) {
		weft__table_cell(&t, "%s", WEFT__CHANNEL(r, c->channel[i]));
		weft__table_cell(&t, "%u", c->lane[i]);
		weft__table_cell(&t, "%s",
				 c->by ? WEFT__VERTEX(r, c->by[i].source) : "");
		weft__table_cell(&t, "%s",
				 c->by ? WEFT__VERTEX(r, c->by[i].dest) : "");
	}
	weft__table_end(&t);
}

/* Where routes have to move. */
static void write_turns(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = {
		"@Over", "@and then", "#Routes", NULL
	};
	const struct weft_remedy *m = &r->proof.remedy;
	struct weft__table t;
	uint32_t n = 0;

	weft__table_begin(&t, out, "Routes to move to another lane", column);
	for (uint32_t i = 0; i < m->nturns && n < r->spec->most; i++) {
		if (!m->turn[i].routes)
			continue;
		weft__table_cell(&t, "%s", WEFT__CHANNEL(r, m->turn[i].from));
		weft__table_cell(&t, "%s", WEFT__CHANNEL(r, m->turn[i].to));
		weft__table_count(&t, m->turn[i].routes);
		n++;
	}
	weft__table_end(&t);
}

static void write_remedy(const struct weft__report *r, FILE *out)
{
	const struct weft_remedy *m = &r->proof.remedy;

	weft__page_text(out, "h3", NULL, "What to do");
	fputs("<ul>\n", out);
	weft__page_text(out, "li", NULL,
			"Route with an engine that gives out lanes itself: weave does so, where opensm.conf says qos TRUE.");
	weft__page_text(
		out, "li", NULL,
		"Or keep these routes and give them service levels: weft layer does that. %s of %s (switch to LID) have to move to another lane%s.",
		WEFT_COUNT(m->nmoved, NULL), WEFT_COUNT(m->routes, "route"),
		m->one_lane ? "; one more lane is enough" :
			      ", and need more than one of their own");
	fputs("</ul>\n", out);
	if (m->nmoved)
		write_turns(r, out);
}

void weft__report_loops(const struct weft__report *r, FILE *out)
{
	const struct weft_proof *p = &r->proof;
	uint32_t shown =
		p->ncycles < r->spec->most ? p->ncycles : r->spec->most;

	weft__page_section(out, "loops", "Credit loops",
			   "Channels that wait for each other in a circle. When all their queues are full, nothing moves any more, and only a restart helps.");
	if (!p->ncycles) {
		weft__page_text(out, "p", "good",
				"None: no traffic of hosts can ever wait for itself.");
	} else {
		weft__page_text(out, "p", "bad",
				"%s of channels that wait for each other, on %s.",
				WEFT_COUNT(p->ncycles, "group"),
				WEFT_COUNT(p->cyclic_vls, "lane"));
		for (uint32_t i = 0; i < shown; i++)
			write_cycle(r, &p->cycle[i], out);
		weft__report_more(out, p->ncycles, shown, "weft check --top");
		write_remedy(r, out);
	}
	weft__page_section_end(out);
}
