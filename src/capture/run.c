// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A capture from beginning to end. */
#include "capture/inside.h"

#include <weft/diag.h>

#include <stdlib.h>
#include <unistd.h>

static void phase(struct weft__capture *c, const char *what)
{
	double now = weft__seconds_now();

	if (c->phase)
		weft_diag_say(c->diag, WEFT_NOTE, "%s: %.3f s", c->phase,
			      now - c->phase_began);
	c->phase = what;
	c->phase_began = now;
	if (what && c->spec.phase)
		c->spec.phase(c->spec.context, what);
}

static int no_memory(struct weft__capture *c)
{
	return weft_no_memory(c->diag);
}

static int open_journal(struct weft__capture *c)
{
	int err;

	if (!c->spec.journal)
		return 0;
	err = weft__journal_open(c->spec.journal, c->spec.fresh, &c->journal,
				 c->diag);
	if (!err && weft__journal_count(c->journal))
		weft_diag_at(
			c->diag, WEFT_WARNING, c->spec.journal, 0,
			"goes on with a capture that was not complete: %s, the last %.0f s old; --fresh asks for all anew",
			WEFT_COUNT(weft__journal_count(c->journal), "answer"),
			weft__journal_age(c->journal));
	return err;
}

static int read_counters(struct weft__capture *c, unsigned reading)
{
	size_t first = c->nitems;

	phase(c, reading == 1 ? "reading counters" : "reading counters again");
	if (weft__plan_counters(c, reading))
		return no_memory(c);
	return weft__ask_items(c, first);
}

static int ask_classes(struct weft__capture *c)
{
	size_t first = c->nitems;

	if (weft__plan_classes(c))
		return no_memory(c);
	return weft__ask_items(c, first);
}

static int ask_tables(struct weft__capture *c)
{
	size_t first = c->nitems;

	phase(c, "reading tables");
	if (weft__plan_tables(c))
		return no_memory(c);
	return weft__ask_items(c, first);
}

/* Counters first and last, so that what lies between is time well spent. */
static int ask_all(struct weft__capture *c)
{
	double since, left;
	int err = ask_classes(c);

	if (!err)
		err = read_counters(c, 1);
	since = weft__seconds_now();
	if (!err)
		err = ask_tables(c);
	if (!err)
		err = weft__fill_routes(c);
	/* All that is kept is in it; what follows is asked anew each time. */
	weft__journal_close(c->journal);
	c->journal = NULL;
	if (!err && c->spec.paths) {
		phase(c, "asking for paths");
		err = weft__ask_paths(c);
	}
	if (err)
		return err;
	left = c->spec.interval_ms / 1e3 - (weft__seconds_now() - since);
	if (left > 0) {
		phase(c, "waiting for the second reading");
		usleep((useconds_t)(left * 1e6));
	}
	return read_counters(c, 2);
}

int weft__capture_run(const struct weft__capture_spec *spec,
		      struct weft__capture **out, struct weft_diag *diag)
{
	struct weft__capture *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return weft_no_memory(diag);
	c->spec = *spec;
	c->diag = diag;
	c->began = weft__seconds_now();
	weft_layers_init(&c->routes.layers);
	phase(c, "discovering the fabric");
	err = weft__mads_open(&spec->mads, &c->mads, diag);
	if (!err)
		err = weft__discover(c);
	/* What libibnetdisc registered has to be registered anew. */
	if (!err) {
		weft__mads_close(c->mads);
		c->mads = NULL;
		err = weft__mads_open(&spec->mads, &c->mads, diag);
	}
	if (!err)
		err = open_journal(c);
	if (!err)
		err = ask_all(c);
	phase(c, NULL);
	weft__journal_close(c->journal);
	c->journal = NULL;
	if (err)
		weft__capture_free(c);
	else
		*out = c;
	return err;
}

void weft__capture_free(struct weft__capture *c)
{
	if (!c)
		return;
	weft__mads_close(c->mads);
	weft__journal_close(c->journal);
	weft_routes_free(&c->routes);
	weft_fabric_free(c->fabric);
	if (c->seen)
		ibnd_destroy_fabric(c->seen);
	free(c->node);
	free(c->item);
	free(c->store);
	free(c->silent);
	free(c->second);
	free(c->pair);
	free(c);
}

const struct weft_fabric *weft__capture_fabric(const struct weft__capture *c)
{
	return c->fabric;
}

const struct weft_routes *weft__capture_routes(const struct weft__capture *c)
{
	return &c->routes;
}

bool weft__capture_has_sl2vl(const struct weft__capture *c)
{
	return c->has_sl2vl;
}

bool weft__capture_has_sl(const struct weft__capture *c)
{
	return c->has_sl;
}

struct weft__missing weft__capture_missing(const struct weft__capture *c,
					   unsigned kind)
{
	struct weft__missing m = { .asked = c->paths_asked,
				   .silent = c->paths_silent,
				   .name = "" };
	bool *seen;

	if (kind >= WEFT__KINDS)
		return m;
	m = (struct weft__missing){ .kept = c->kept[kind], .name = "" };
	seen = calloc(c->nnodes + 1ull, sizeof(*seen));
	for (size_t i = 0; i < c->nitems; i++) {
		const struct weft__item *item = &c->item[i];

		if (item->kind != kind)
			continue;
		m.asked++;
		m.refused += item->answer == WEFT__REFUSED;
		if (item->answer != WEFT__SILENT)
			continue;
		if (!m.silent++) {
			m.name = c->node[item->node]->nodedesc;
			m.guid = c->node[item->node]->guid;
		}
		if (seen && !seen[item->node]) {
			seen[item->node] = true;
			m.nodes++;
		}
	}
	if (!seen && m.silent)
		m.nodes = 1;
	free(seen);
	return m;
}
