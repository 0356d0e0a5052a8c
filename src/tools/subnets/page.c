// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft subnets report: a page about subnets and what joins them. */
#include "tools/subnets/subnets.h"

#include "page/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHARES 6
#define MOST_PORTS 24 /* listed */
#define TEXT 1024

struct page {
	const struct tool_subnets *x;
	struct weft_subnets_proof proof;
	struct tool_subnets_faults faults;
	struct weft_one one;
	bool has_one;
	double share[SHARES];
	struct weft_subnets_bandwidth across[SHARES], as_one[SHARES];
	uint64_t *streams; /* [2 * nports] */
};

/* --- sections ------------------------------------------------------------- */

static void write_glance(const struct page *p, FILE *out)
{
	const struct weft_subnets *s = p->x->s;
	uint64_t lost = p->proof.pairs - p->proof.end[WEFT_WAY_ARRIVED];
	const struct weft_subnets_bandwidth *all = &p->across[SHARES - 1];

	weft__page_section(out, "glance", "At a glance",
			   "The verdict, and the figures that people ask for first.");
	if (!lost && !p->proof.cyclic_vls)
		weft__page_text(out, "p", "good",
				"Fine: all %s of hosts reach each other, across subnets, too, and nothing can wait for itself.",
				WEFT_COUNT(p->proof.pairs, "pair"));
	if (lost)
		weft__page_text(out, "p", "bad",
				"Not fine: %s of %s of hosts cannot reach each other.",
				WEFT_COUNT(lost, NULL),
				WEFT_COUNT(p->proof.pairs, "pair"));
	if (p->proof.cyclic_vls)
		weft__page_text(out, "p", "bad",
				"Not fine: there are credit loops on %s. Under load, traffic can stop for ever.",
				WEFT_COUNT(p->proof.cyclic_vls, "lane"));
	weft__page_text(out, "p", "note",
			"Subnets are routed by %s, router ports chosen by %s.",
			p->x->engine ? p->x->engine : "their own tables",
			weft_router_map_name(p->x->map.method));
	weft__page_facts(out);
	weft__page_count(out, "Subnets", s->n);
	weft__page_count(out, "Hosts (ports)", s->nhosts);
	weft__page_count(out, "Routers", s->nrouters);
	weft__page_count(out, "Router ports", s->nports);
	weft__page_fact(out, "Routers on a way, at most", "%" PRIu32,
			p->proof.max_routers);
	weft__page_fact(out, "Bandwidth, all across", "%.1f %%",
			100 * all->mean);
	if (p->has_one && p->as_one[SHARES - 1].mean > 0)
		weft__page_fact(out, "of that in one subnet", "%.1f %%",
				100 * all->mean / p->as_one[SHARES - 1].mean);
	weft__page_facts_end(out);
	weft__page_section_end(out);
}

static void write_subnets(const struct page *p, FILE *out)
{
	static const char *const columns[] = {
		"@Subnet", "Prefix", "#Hosts", "#Switches", "#Router ports",
		NULL
	};
	const struct weft_subnets *s = p->x->s;
	struct weft__table t;
	char gid[WEFT_GID_SIZE];

	weft__page_section(out, "subnets", "The subnets",
			   "Each has its own LIDs, tables and subnet manager; the prefix is the first half of its GIDs.");
	weft__table_begin(&t, out, "Subnets", columns);
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t ports = 0;

		for (uint32_t k = 0; k < s->nports; k++)
			ports += s->port[k].subnet == i;
		weft__table_cell(&t, "%s", s->subnet[i].name);
		weft__table_cell(&t, "%s/64",
				 weft_gid_text(s->subnet[i].prefix, 0, gid));
		weft__table_count(&t, s->first_host[i + 1] - s->first_host[i]);
		weft__table_count(&t, s->subnet[i].fabric->nsw);
		weft__table_count(&t, ports);
	}
	weft__table_end(&t);
	weft__page_section_end(out);
}

static void write_check(const struct page *p, FILE *out)
{
	const struct weft_subnets_proof *q = &p->proof;
	char text[TEXT], a[192], b[192];

	weft__page_section(out, "check", "Is it correct?",
			   "Every host has to reach every other one, and no circle of cables may come about of which each waits for room in the next one.");
	weft__page_facts(out);
	weft__page_count(out, "Pairs of hosts", q->pairs);
	weft__page_count(out, "across subnets", q->crossing);
	for (unsigned e = WEFT_WAY_ARRIVED + 1; e < WEFT_WAY_ENDS; e++)
		if (q->end[e])
			weft__page_count(out, weft_way_end_name(e), q->end[e]);
	weft__page_fact(out, "Lanes with credit loops", "%u", q->cyclic_vls);
	weft__page_facts_end(out);
	if (q->nfindings || q->ncycles)
		fputs("<ul>\n", out);
	for (uint32_t i = 0; i < q->nfindings; i++)
		weft__page_text(out, "li", NULL, "%s to %s: %s",
				tool_subnets_host(p->x->s, q->finding[i].source,
						  a, sizeof(a)),
				tool_subnets_host(p->x->s, q->finding[i].dest,
						  b, sizeof(b)),
				weft_way_end_name(q->finding[i].end));
	for (uint32_t i = 0; i < q->ncycles && i < 3; i++) {
		weft_cycle_text(p->x->whole.fabric, &q->cycle[i], text,
				sizeof(text));
		weft__page_text(out, "li", NULL, "credit loop: %s", text);
	}
	if (q->nfindings || q->ncycles)
		fputs("</ul>\n", out);
	weft__page_section_end(out);
}

static void write_bandwidth(const struct page *p, FILE *out)
{
	const char *const columns[] = {
		"#To leave their subnet", "#Do leave", "#Bandwidth", "=",
		p->has_one ? "#In one subnet" : NULL, "#Ratio", NULL
	};
	struct weft__table t;

	weft__page_section(out, "bandwidth", "Bandwidth",
			   "What a stream gets of a host's own cable when half of the hosts send to the other half, in random pairs of which more and more leave their subnet; "
			   "beside it what it would get if all were one subnet, with switches in the place of routers.");
	weft__table_begin(&t, out, "Random bisections", columns);
	for (unsigned i = 0; i < SHARES; i++) {
		const struct weft_subnets_bandwidth *b = &p->across[i];

		weft__table_cell(&t, "%g %%", 100 * p->share[i]);
		weft__table_cell(&t, "%.1f %%", 100 * b->crossing);
		weft__table_cell(&t, "%.1f %%", 100 * b->mean);
		weft__table_bar(&t, b->mean);
		if (!p->has_one)
			continue;
		weft__table_cell(&t, "%.1f %%", 100 * p->as_one[i].mean);
		weft__table_cell(&t, "%.3f",
				 p->as_one[i].mean > 0 ?
					 b->mean / p->as_one[i].mean :
					 0);
	}
	weft__table_end(&t);
	weft__page_section_end(out);
}

/* Streams through a router port, in the direction that has more. */
static uint64_t streams_of(const struct page *p, uint32_t port)
{
	uint64_t in = p->streams[port];
	uint64_t out = p->streams[p->x->s->nports + port];

	return in > out ? in : out;
}

/* Lists router ports by their streams, the busiest first, then by number. */
static uint32_t *sort_ports(const struct page *p)
{
	uint32_t n = p->x->s->nports;
	uint32_t *port = malloc((n + 1ull) * sizeof(*port));

	for (uint32_t i = 0; port && i < n; i++) {
		uint32_t k = i;

		for (; k && streams_of(p, i) > streams_of(p, port[k - 1]); k--)
			port[k] = port[k - 1];
		port[k] = i;
	}
	return port;
}

static void write_ports(const struct page *p, FILE *out)
{
	static const char *const columns[] = {
		"@Router", "#Port", "@Subnet", "#Streams in", "#Streams out",
		"=Share of the busiest", NULL
	};
	const struct weft_subnets *s = p->x->s;
	uint32_t *port = sort_ports(p);
	struct weft__table t;

	weft__page_section(out, "ports", "Router ports",
			   "How evenly they are used, in all bisections above together: one that has more than others slows down all who share it.");
	weft__table_begin(&t, out, "The busiest router ports", columns);
	for (uint32_t i = 0; port && i < s->nports && i < MOST_PORTS; i++) {
		const struct weft_router_port *q = &s->port[port[i]];
		uint64_t most = streams_of(p, port[0]);

		weft__table_cell(&t, "%s", s->router[q->router].name);
		weft__table_cell(&t, "%u", q->port);
		weft__table_cell(&t, "%s", s->subnet[q->subnet].name);
		weft__table_count(&t, p->streams[port[i]]);
		weft__table_count(&t, p->streams[s->nports + port[i]]);
		weft__table_bar(
			&t, most ? (double)streams_of(p, port[i]) / most : 0);
	}
	weft__table_end(&t);
	if (port && s->nports > MOST_PORTS)
		weft__page_text(out, "p", "note",
				"and %s more; the last one has %s.",
				WEFT_COUNT(s->nports - MOST_PORTS, NULL),
				WEFT_COUNT(streams_of(p, port[s->nports - 1]),
					   "stream"));
	free(port);
	weft__page_section_end(out);
}

static void write_both(const struct page *p, FILE *out)
{
	weft__page_section(out, "both", "Both directions",
			   "The passive side of a connection answers by the router port that the request came from, whatever its own subnet would choose, and adapters may compare the LIDs of a connection.");
	if (p->proof.astray)
		weft__page_text(
			out, "p", "warn",
			"%s across subnets have answers of their own by other router ports. That is no fault of the tables; weft subnets --symmetric makes mappings without.",
			WEFT_COUNT(p->proof.astray, "pair"));
	else
		weft__page_text(out, "p", "good",
				"All pairs meet the same router ports in both directions.");
	weft__page_section_end(out);
}

static void write_weak(const struct page *p, FILE *out)
{
	static const char *const columns[] = {
		"@Without", "#Pairs without a way", "#Hosts sent to by others",
		"#Most behind a port then", NULL
	};
	const struct weft_fabric *w = p->x->whole.fabric;
	const struct weft__cuts *c = &p->faults.cuts;
	struct weft__table t;

	weft__page_section(out, "weak", "Single points of failure",
			   "Routers, switches and cables that cut hosts off from others when they fail, and what the mapping does without each router.");
	if (!c->nsw && !c->ncables)
		weft__page_text(out, "p", "good",
				"No router, switch or cable joins hosts that nothing else joins.");
	for (uint32_t i = 0; i < c->nsw && i < MOST_PORTS; i++)
		weft__page_text(out, "p", "bad", "Without %s: %s cut off.",
				w->sw[c->sw[i].id].name,
				WEFT_COUNT(c->sw[i].hosts, "host"));
	if (c->ncables)
		weft__page_text(out, "p", "bad", "%s cannot be lost.",
				WEFT_COUNT(c->ncables, "cable"));
	if (p->x->map.via && p->x->s->nrouters) {
		weft__table_begin(&t, out, "Loss of a router", columns);
		for (uint32_t r = 0; r < p->x->s->nrouters && r < MOST_PORTS;
		     r++) {
			const struct weft_router_loss *l = &p->faults.loss[r];

			weft__table_cell(&t, "%s", p->x->s->router[r].name);
			weft__table_count(&t, l->pairs);
			weft__table_count(&t, l->moved);
			weft__table_count(&t, l->most);
		}
		weft__table_end(&t);
	}
	weft__page_section_end(out);
}

static void write_conf(const struct page *p, FILE *out)
{
	weft__page_section(out, "conf", "In OpenSM",
			   "Each subnet's manager needs its own tables and the mapping of its hosts to router ports.");
	weft__page_lines(out,
			 "weft subnets route -e ENGINE -o DIRECTORY INPUT...\n\n"
			 "event_plugin_name weft-ENGINE weft-subnets\n"
			 "event_plugin_options routers.map=/etc/opensm/weft-routers.map\n"
			 "routing_engine ENGINE\n"
			 "subnet_prefix 0xfec0000000000001\n");
	weft__page_text(out, "p", "note",
			"Without the plugin OpenSM has one router port for each subnet (prefix-routes.conf), and its engines ftree, sssp, dfsssp and nue do not route routers at all.%s",
			p->x->map.levels > 1 ?
				" This mapping has levels of service: qos TRUE in all subnets."
				:
				"");
	weft__page_section_end(out);
}

/* --- the page ------------------------------------------------------------- */

static void write_page(const struct page *p, FILE *out)
{
	weft__page_begin(out, p->x->input,
			 "Subnets that InfiniBand routers join: who reaches whom, how fast, and what must not fail.");
	write_glance(p, out);
	write_subnets(p, out);
	write_check(p, out);
	write_bandwidth(p, out);
	write_ports(p, out);
	write_both(p, out);
	write_weak(p, out);
	write_conf(p, out);
	weft__page_end(out, "Made by weft " WEFT_VERSION ", weft-subnets(1).");
}

/* Measures for all shares. */
static bool measure(struct tool *t, struct page *p)
{
	bool ok = true;

	tool_phase(t, "measuring");
	for (unsigned i = 0; ok && i < SHARES; i++) {
		struct weft_subnets_spec spec = {
			.share = p->share[i] = i / (SHARES - 1.0),
			.patterns = t->args.count,
			.seed = t->args.seed,
			.port_streams = p->streams,
		};

		ok = !weft_subnets_measure(p->x->s, &p->x->whole, &p->x->map,
					   &spec, &p->across[i], &t->diag);
		spec.one = &p->one;
		spec.port_streams = NULL;
		if (ok && p->has_one)
			ok = !weft_subnets_measure(p->x->s, &p->x->whole,
						   &p->x->map, &spec,
						   &p->as_one[i], &t->diag);
	}
	return ok;
}

enum tool_status tool_subnets_page(struct tool *t, struct tool_subnets *x,
				   FILE *out)
{
	struct page p = {
		.x = x,
		.streams = calloc(2ull * x->s->nports + 1, sizeof(*p.streams)),
	};
	bool ok = (p.streams || tool_no_memory(t)) &&
		  tool_subnets_one(t, x, &p.one, &p.has_one) && measure(t, &p);
	bool fine = false;

	if (ok)
		ok = !weft_subnets_prove(x->s, &x->whole, &x->map, &p.proof,
					 &t->diag);
	if (ok)
		ok = tool_subnets_faults(t, x, &p.faults);
	tool_phase_end(t);
	if (ok) {
		write_page(&p, out);
		fine = p.proof.end[WEFT_WAY_ARRIVED] == p.proof.pairs &&
		       !p.proof.cyclic_vls;
		tool_subnets_faults_free(&p.faults);
	}
	weft_subnets_proof_free(&p.proof);
	weft_one_free(&p.one);
	free(p.streams);
	return !ok ? TOOL_FAILED : fine ? TOOL_FINE : TOOL_FOUND;
}
