// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: fabrics in parts
 *
 * After an uplink has failed, or with two subnets in one dump, no cable joins
 * the parts of the fabric that an engine is to route.  Engines know nothing of
 * that: each part becomes a fabric that is routed by itself, so that it gets
 * the same tables as without the others, and the tables are put together.  No
 * switch then has an entry for a LID in another part.
 *
 * Lists of nodes in options are first looked up in the whole fabric, which is
 * when messages about them are reported; each part then uses those that are in
 * it.
 *
 * Engines make no SL2VL tables, so these need not be put together.  Where cables
 * have fewer lanes than the routes need, layers share them, and the tables that
 * say so are made here.
 */
#include "core/fabric/split.h"
#include "core/list.h"
#include "core/listed.h"
#include "engines/idle.h"
#include "graph/vls.h"

#include <weft/engine.h>
#include <weft/planes.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_NAMED 4		/* most parts that the warning describes */

/* Writes "10 switches with 24 hosts, such as 0x... (leaf-000) and
 * host-0000". */
static int describe_part(const struct weft__part *part, char *text, size_t size)
{
	const struct weft_fabric *f = part->fabric;
	const char *host = f->nep ? f->node[f->ep[0].node].name : "";

	return snprintf(text, size, "%" PRIu32 " switch%s with %" PRIu32
			" host%s, such as 0x%016" PRIx64 " (%.64s)%s%.64s",
			f->nsw, f->nsw == 1 ? "" : "es", f->nhosts,
			f->nhosts == 1 ? "" : "s", f->sw[0].guid, f->sw[0].name,
			*host ? " and " : "", host);
}

/* Whether each part is a plane, which is how things should be. */
static bool is_planes(const struct weft__split *p)
{
	struct weft_planes planes;
	bool yes = !weft_planes_find(p->f, NULL, &planes) && planes.n == p->n;

	weft_planes_free(&planes);
	return yes;
}

static void warn_parts(const struct weft__split *p, struct weft_diag *diag)
{
	char text[1500];
	size_t n = 0;

	for (uint32_t i = 0; i < p->n && i < MAX_NAMED; i++) {
		n += snprintf(text + n, sizeof(text) - n, "%s", i ? "; " : "");
		n += describe_part(&p->part[i], text + n, sizeof(text) - n);
	}
	if (p->n > MAX_NAMED)
		snprintf(text + n, sizeof(text) - n, "; and %" PRIu32 " more",
			 p->n - MAX_NAMED);
	if (is_planes(p))
		weft_diag_say(diag, WEFT_NOTE, "the fabric has %" PRIu32
			      " planes, and each is routed by itself: %s",
			      p->n, text);
	else
		weft_diag_say(diag, WEFT_WARNING, "the fabric is in %" PRIu32
			      " parts that no cable joins, and each is routed by itself: %s",
			      p->n, text);
}

static int route_part(struct weft__split *p, uint32_t i,
		      const struct weft_engine *engine,
		      const struct weft_options *options,
		      struct weft_diag *diag)
{
	struct weft__part *part = &p->part[i];
	char text[400];

	if (weft_diag_explains(diag)) {
		describe_part(part, text, sizeof(text));
		weft_diag_explain(diag, "part %" PRIu32 " of %" PRIu32 ": %s",
				  i + 1, p->n, text);
	}
	return engine->route(part->fabric, options, &part->routes, diag);
}

/* Reports all messages about the options' lists. */
static int check_lists(const struct weft__split *p,
		       const struct weft_options *options,
		       struct weft_diag *diag)
{
	const struct weft_option *row = weft_options_table(options);
	int err = 0;

	for (; row->type != WEFT_OPT_END && !err; row++) {
		struct weft__listed at;

		if (row->type != WEFT_OPT_LIST)
			continue;
		err = weft__look_up(p->f, options, row->name,
				    WEFT_LIST_SWITCHES | WEFT_LIST_ENDPORTS,
				    &at, diag);
		free(at.vertex);
	}
	return err;
}

/* Routes each part by itself, and joins the tables. */
static int route_parts(struct weft__split *p, const struct weft_engine *engine,
		       const struct weft_options *options,
		       struct weft_routes *out, struct weft_diag *diag)
{
	struct weft_options *quiet = NULL;
	int err;

	if (!weft__split_make(p))
		return weft_no_memory(diag);
	warn_parts(p, diag);
	err = options ? check_lists(p, options, diag) : 0;
	if (!err && options && weft__options_quiet(options, &quiet))
		err = weft_no_memory(diag);
	for (uint32_t i = 0; i < p->n && !err; i++)
		err = route_part(p, i, engine, quiet, diag);
	weft_options_free(quiet);
	if (!err && weft__split_join(p, out))
		err = weft_no_memory(diag);
	return err;
}

int weft_route(const struct weft_engine *engine, const struct weft_fabric *f,
	       const struct weft_options *options, struct weft_routes *out,
	       struct weft_diag *diag)
{
	struct weft__split p;
	int err = weft__split_init(&p, f);

	if (err)
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	else if (p.n > 1)
		err = route_parts(&p, engine, options, out, diag);
	else
		err = engine->route(f, options, out, diag);
	weft__split_free(&p);
	if (!err && weft__vls_fold(f, &out->layers)) {
		weft_routes_free(out);
		*out = (struct weft_routes){ 0 };
		err = weft_no_memory(diag);
	}
	if (!err)
		weft__tell_idle(f, options, out, diag);
	return err;
}
