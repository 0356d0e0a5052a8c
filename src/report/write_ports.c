// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What ports say of themselves: states, errors, waits; of captures alone. */
#include "report/write.h"

#include "page/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define TEXT 1024
#define WORD_BITS 32. /* of PortXmitData */

/* A port, by the channel it sends on, and what it is ranked by. */
struct ranked {
	uint32_t channel;
	double first, second;
};

static int most_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? 1 : -1;
	if (x->second != y->second)
		return x->second < y->second ? 1 : -1;
	return (x->channel > y->channel) - (x->channel < y->channel);
}

/* Errors: those that were added while the capture ran, then all. */
static struct ranked rank_errors(const struct weft_port_counters *p)
{
	struct ranked rank = { .first = 0 };

	for (unsigned i = 0; i < WEFT_COUNTERS; i++) {
		if (!weft_counter_is_error(i))
			continue;
		rank.first += p->grew >> i & 1 ? p->growth[i] : 0;
		rank.second += p->known >> i & 1 ? p->value[i] : 0;
	}
	return rank;
}

static struct ranked rank_waits(const struct weft_port_counters *p)
{
	double rate = weft_counter_rate(p, WEFT_XMIT_WAIT);

	return (struct ranked){ .first = isfinite(rate) ? rate : 0 };
}

/* Ports that are not as a cabled one should be. */
static struct ranked rank_states(const struct weft_port_counters *p)
{
	return (struct ranked){ .first = p->state &&
					 p->state < WEFT_PORT_ACTIVE };
}

/* The cabled ports that a rank is not 0 for, sorted; *n of them.  NULL without
 * memory. */
static struct ranked *
rank_all(const struct weft__report *r,
	 struct ranked (*rank)(const struct weft_port_counters *p), uint32_t *n)
{
	const struct weft_fabric *f = r->spec->fabric;
	struct ranked *all = malloc((f->nch + (size_t)1) * sizeof(*all));

	*n = 0;
	for (uint32_t ch = 0; all && ch < r->counters.nch; ch++) {
		struct ranked one = rank(&r->counters.port[ch]);

		one.channel = ch;
		if (f->peer[ch] != WEFT_NONE && (one.first || one.second))
			all[(*n)++] = one;
	}
	if (all)
		qsort(all, *n, sizeof(*all), most_first);
	return all;
}

/* "SymbolErrorCounter 12 (+3), LinkDownedCounter 1" */
static const char *errors_text(const struct weft_port_counters *p,
			       char buf[TEXT])
{
	size_t n = 0;

	*buf = '\0';
	for (unsigned i = 0; i < WEFT_COUNTERS && n < TEXT; i++) {
		if (!weft_counter_is_error(i) || !(p->known >> i & 1) ||
		    !p->value[i])
			continue;
		n += snprintf(buf + n, TEXT - n, "%s%s %" PRIu64, n ? ", " : "",
			      weft_counter_name(i), p->value[i]);
		if ((p->grew >> i & 1) && p->growth[i] && n < TEXT)
			n += snprintf(buf + n, TEXT - n, " (+%" PRIu64 ")",
				      p->growth[i]);
	}
	return buf;
}

static void write_errors(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = {
		"@Port that sends to", "@Errors", NULL
	};
	struct weft__table t;
	char text[TEXT];
	uint32_t n, i;
	struct ranked *all = rank_all(r, rank_errors, &n);

	if (!n) {
		weft__page_text(out, "p", "good", "No port counts an error.");
		free(all);
		return;
	}
	weft__table_begin(&t, out,
			  "Ports with errors, since counters were cleared; in brackets those that came while the capture ran",
			  column);
	for (i = 0; i < n && i < r->spec->most; i++) {
		weft__table_cell(&t, "%s", WEFT__CHANNEL(r, all[i].channel));
		weft__table_cell(
			&t, "%s",
			errors_text(&r->counters.port[all[i].channel], text));
	}
	weft__table_end(&t);
	weft__report_more(out, n, i, "weft-counters.csv");
	free(all);
}

static void write_wait(const struct weft__report *r, struct weft__table *t,
		       const struct ranked *one)
{
	const struct weft_port_counters *p = &r->counters.port[one->channel];
	double mbit = r->spec->fabric->capacity[one->channel];
	double sent = weft_counter_rate(p, WEFT_XMIT_DATA) * WORD_BITS / 1e6;

	weft__table_cell(t, "%s", WEFT__CHANNEL(r, one->channel));
	weft__table_count(t, (uint64_t)one->first);
	if (isfinite(sent))
		weft__table_cell(t, "%.2f", sent / 1e3);
	else
		weft__table_cell(t, "–");
	weft__table_bar(t, isfinite(sent) && mbit > 0 ? sent / mbit : 0);
}

static void write_waits(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = {
		"@Port that sends to", "#Waits, per second", "#Sent, Gbit/s",
		"=", NULL
	};
	struct weft__table t;
	uint32_t n;
	struct ranked *all = rank_all(r, rank_waits, &n);

	if (n) {
		weft__table_begin(&t, out,
				  "Ports that waited most for room at the other end (PortXmitWait), and what they sent of what their cable carries",
				  column);
		for (uint32_t i = 0; i < n && i < r->spec->most; i++)
			write_wait(r, &t, &all[i]);
		weft__table_end(&t);
	}
	free(all);
}

static void write_states(const struct weft__report *r, FILE *out)
{
	static const char *const name[] = {
		[WEFT_PORT_DOWN] = "down",
		[WEFT_PORT_INIT] = "initialised",
		[WEFT_PORT_ARMED] = "armed",
	};
	uint32_t n, i;
	struct ranked *all = rank_all(r, rank_states, &n);

	if (n) {
		weft__page_text(out, "p", "warn", "%s with a cable not active:",
				WEFT_COUNT(n, "port"));
		fputs("<ul>\n", out);
		for (i = 0; i < n && i < r->spec->most; i++)
			weft__page_text(
				out, "li", NULL, "%s: %s",
				WEFT__CHANNEL(r, all[i].channel),
				name[r->counters.port[all[i].channel].state]);
		fputs("</ul>\n", out);
		weft__report_more(out, n, i, "weft-ports.csv");
	}
	free(all);
}

void weft__report_ports(const struct weft__report *r, FILE *out)
{
	weft__page_section(out, "ports", "What ports count",
			   "Errors tell of bad cables and plugs; waits tell where traffic piles up in truth, not in a model.");
	write_states(r, out);
	if (r->counters.nread) {
		write_errors(r, out);
		write_waits(r, out);
	}
	weft__page_section_end(out);
}
