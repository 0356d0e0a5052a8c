// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Channels: how load is spread over them, the hottest, and those without any. */
#include "report/write.h"

#include "page/chart.h"
#include "page/page.h"

#include <stdlib.h>

#define BINS 24
#define TELLING .1 /* share of routes that a leaf is named for */

/* Bins of that many whole numbers each, from the lowest load to the highest. */
static void draw_loads(const struct weft__report *r, FILE *out)
{
	const struct weft_fabric *f = r->spec->fabric;
	const struct weft_proof *p = &r->proof;
	uint64_t range = p->load_max - p->load_min + 1, count[BINS] = { 0 };
	uint64_t width = (range + BINS - 1) / BINS;
	unsigned n = (range + width - 1) / width;
	const struct weft__histogram h = {
		.id = "links-chart",
		.title = "How many channels between switches carry how many routes (each direction of a cable is a channel)",
		.x = "routes over a channel, when all send to all",
		.y = "channels",
		.whole = true,
		.low = p->load_min - .5,
		.high = p->load_min + n * width - .5,
		.count = count,
		.n = n,
		.mark_name = "mean",
		.mark = p->load_mean,
	};

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		count[(p->channel_load[f->adj[i]] - p->load_min) / width]++;
	weft__histogram_draw(&h, out);
}

/* Hosts that use a link, for a cell of the table. */
struct users {
	uint32_t n;
	const uint32_t *endport; /* the first WEFT__HOT_HOSTS */
	const struct weft__hot_switch *top;
	uint64_t routes;
};

/* By name where they are few; else how many, and on which leaves those are
 * that have a good part of the routes. */
static const char *users_text(const struct weft__report *r,
			      const struct users *u, char *buf, size_t size)
{
	bool few = u->n <= WEFT__HOT_HOSTS;
	const char *gap = few ? "" : ", most on ";
	size_t n = few ? 0 : snprintf(buf, size, "%s", WEFT_COUNT(u->n, NULL));

	*buf = few ? '\0' : *buf;
	for (uint32_t i = 0; few && i < u->n && n < size; i++, gap = ", ")
		n += snprintf(buf + n, size - n, "%s%s", gap,
			      WEFT__VERTEX(r, u->endport[i] | WEFT_ENDPORT));
	for (unsigned i = 0; !few && i < WEFT__HOT_SWITCHES && n < size; i++) {
		double share = weft__report_share(u->top[i].routes, u->routes);

		if (share < TELLING)
			break;
		if (share > .995)
			gap = ", all on ";
		n += snprintf(buf + n, size - n, "%s%s", gap,
			      WEFT__VERTEX(r, u->top[i].sw));
		if (share <= .995 && n < size)
			n += snprintf(buf + n, size - n, " (%.0f %%)",
				      100 * share);
		gap = ", ";
	}
	return buf;
}

static void write_hot(const struct weft__report *r, struct weft__table *t,
		      const struct weft__hot *hot)
{
	const struct users from = { hot->senders, hot->sender, hot->from,
				    hot->routes };
	const struct users to = { hot->receivers, hot->receiver, hot->to,
				  hot->routes };
	char text[WEFT__HOT_SWITCHES * WEFT__NAME];

	weft__table_cell(t, "%s", WEFT__CHANNEL(r, hot->channel));
	weft__table_count(t, hot->routes);
	weft__table_cell(
		t, "%.1f ×",
		r->proof.load_mean > 0 ? hot->routes / r->proof.load_mean : 0);
	weft__table_cell(t, "%.0f",
			 r->spec->fabric->capacity[hot->channel] / 1e3);
	weft__table_cell(t, "%s", users_text(r, &from, text, sizeof(text)));
	weft__table_cell(t, "%s", users_text(r, &to, text, sizeof(text)));
}

static void write_hottest(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = {
		"@Channel", "#Routes", "#of the mean", "#Gbit/s",
		"@Hosts that send", "@Hosts that receive", NULL
	};
	struct weft__table t;

	weft__table_begin(&t, out,
			  "The channels with the most routes for their speed, and who suffers when they are full",
			  column);
	for (uint32_t i = 0; i < r->hottest.n; i++)
		write_hot(r, &t, &r->hottest.hot[i]);
	weft__table_end(&t);
}

/* Channels that no route takes: bought, and idle. */
static void write_idle(const struct weft__report *r, FILE *out)
{
	const struct weft_fabric *f = r->spec->fabric;
	const struct weft_proof *p = &r->proof;
	uint32_t shown = 0;

	if (!p->load_zero)
		return;
	weft__page_text(out, "h3", NULL, "Channels without load");
	weft__page_text(out, "p", NULL,
			"No route of hosts takes %s of %s between switches.",
			WEFT_COUNT(p->load_zero, NULL),
			WEFT_COUNT(p->load_channels, "channel"));
	fputs("<ul>\n", out);
	for (uint32_t i = 0; i < f->adj_first[f->nsw] && shown < r->spec->most;
	     i++) {
		if (p->channel_load[f->adj[i]])
			continue;
		weft__page_text(out, "li", NULL, "%s",
				WEFT__CHANNEL(r, f->adj[i]));
		shown++;
	}
	fputs("</ul>\n", out);
	weft__report_more(out, p->load_zero, shown, "weft check --top");
}

void weft__report_links(const struct weft__report *r, FILE *out)
{
	const struct weft_proof *p = &r->proof;

	weft__page_section(out, "links", "Most loaded channels",
			   "The fullest channels decide how fast everybody is who uses them. The more alike the channels are loaded, the better.");
	if (!p->load_channels) {
		weft__page_text(out, "p", NULL,
				"There are no cables between switches.");
		weft__page_section_end(out);
		return;
	}
	draw_loads(r, out);
	weft__page_facts(out);
	weft__page_count(out, "Channels (directions of cables)", p->load_channels);
	weft__page_count(out, "Routes, mean", (uint64_t)(p->load_mean + .5));
	weft__page_count(out, "Most (forwarding index)", p->load_max);
	weft__page_count(out, "Least", p->load_min);
	weft__page_facts_end(out);
	if (r->hottest.n)
		write_hottest(r, out);
	write_idle(r, out);
	weft__page_section_end(out);
}
