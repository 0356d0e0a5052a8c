// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: parts, an engine for each kind of hosts
 *
 * Idea: hosts of one kind may be best served by another engine than those of the
 * next, as storage by D-mod-K and compute nodes by weave.  Each engine that is
 * named routes the whole fabric, and a destination has the entries of the engine
 * of its kind.  Whatever way a packet goes is then one of that engine's, from
 * anywhere, so that everybody is reached.  Kinds that are not named and switches
 * have the first engine's.
 *
 * Deadlock: engines without a credit loop can have one together.  So service
 * levels of the engines are left aside, and the tables are proven, and lanes
 * laid, as those of any engine that promises nothing.
 * Complexity: that of all engines together.
 */
#include "graph/bfs.h"

#include <weft/engine.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PARTS 16

struct part {
	char kind[32];
	const struct weft_engine *engine;
	struct weft_routes routes;
	bool routed;
};

struct parts {
	struct part part[MAX_PARTS];
	unsigned n;
	struct weft_diag *diag;
};

static int misread(const struct parts *p, const char *text)
{
	return weft_fail(p->diag, EINVAL,
			 "parts: engines=%.80s: not KIND=ENGINE, and others behind '+', as in storage=dmodk+compute=weave",
			 text);
}

/* Reads one KIND=ENGINE, or ENGINE for all kinds that are not named. */
static int read_part(struct parts *p, const char *text, size_t length)
{
	const char *equals = memchr(text, '=', length);
	size_t kind = equals ? (size_t)(equals - text) : 0;
	size_t name = length - (equals ? kind + 1 : 0);
	struct part *one = &p->part[p->n];
	char engine[32];

	if (p->n == MAX_PARTS || kind >= sizeof(one->kind) || !name ||
	    name >= sizeof(engine) || (equals && !kind))
		return misread(p, text);
	memcpy(one->kind, text, kind);
	memcpy(engine, text + length - name, name);
	engine[name] = '\0';
	one->engine = weft_engine_find(engine);
	if (!one->engine || !strcmp(engine, "parts"))
		return weft_fail(p->diag, EINVAL,
				 "parts: engines: there is no engine %s for a part",
				 engine);
	p->n++;
	return 0;
}

static int read_parts(struct parts *p, const char *text)
{
	int err = 0;

	while (!err && *text) {
		size_t n = strcspn(text, "+"), used = n;

		while (n && text[n - 1] == ' ')
			n--;
		err = read_part(p, text, n);
		text += used + (text[used] == '+');
		while (*text == ' ')
			text++;
	}
	return err ? err : p->n ? 0 : misread(p, text);
}

/* Routes the fabric by the engine of a part, unless one before has done so. */
static int route_part(struct parts *p, struct part *one,
		      const struct weft_fabric *f)
{
	struct weft_options *options = NULL;
	int err;

	for (struct part *before = p->part; before < one; before++)
		if (before->engine == one->engine) {
			one->routes = before->routes;
			return 0;
		}
	err = weft_options_new(&options, one->engine->options);
	if (err)
		return weft_no_memory(p->diag);
	err = one->engine->route(f, options, &one->routes, p->diag);
	one->routed = !err;
	weft_options_free(options);
	return err;
}

/* Returns the part that a destination is routed by. */
static const struct part *part_of(const struct parts *p,
				  const struct weft_fabric *f, uint32_t owner)
{
	const char *kind;

	if (owner == WEFT_NONE || weft_is_switch(owner))
		return &p->part[0];
	kind = f->use_name[f->ep[owner & ~WEFT_ENDPORT].use];
	for (unsigned i = 0; i < p->n; i++)
		if (!strcmp(p->part[i].kind, kind))
			return &p->part[i];
	for (unsigned i = 0; i < p->n; i++)
		if (!*p->part[i].kind)
			return &p->part[i];
	return &p->part[0];
}

/* A kind that no host is of is likely to be a slip of the pen. */
static void warn_idle(const struct parts *p, const struct weft_fabric *f)
{
	for (unsigned i = 0; i < p->n; i++) {
		const char *kind = p->part[i].kind;
		bool any = !*kind;

		for (uint32_t e = 0; e < f->nep && !any; e++)
			any = !strcmp(f->use_name[f->ep[e].use], kind);
		if (!any)
			weft_diag_say(p->diag, WEFT_WARNING,
				      "parts: no host is of the kind %s, which %s was to route",
				      kind, p->part[i].engine->name);
	}
}

static int join(const struct parts *p, const struct weft_fabric *f,
		struct weft_lft *lft)
{
	if (weft_lft_init(lft, f->nsw, f->max_lid))
		return weft_no_memory(p->diag);
	for (uint32_t lid = 1; lid <= f->max_lid; lid++) {
		const struct weft_lft *from =
			&part_of(p, f, f->lid_owner[lid])->routes.lft;

		for (uint32_t s = 0; s < f->nsw; s++)
			weft_lft_row(lft, s)[lid] = weft_lft_get(from, s, lid);
	}
	return 0;
}

static int parts_route(const struct weft_fabric *f,
		       const struct weft_options *options,
		       struct weft_routes *out, struct weft_diag *diag)
{
	struct parts *p = calloc(1, sizeof(*p));
	struct weft_lft lft;
	int err = p ? weft__require_connected(f, diag) : weft_no_memory(diag);

	if (!err) {
		p->diag = diag;
		err = read_parts(p, weft_options_text(options, "engines"));
	}
	for (unsigned i = 0; !err && i < p->n; i++)
		err = route_part(p, &p->part[i], f);
	if (!err) {
		warn_idle(p, f);
		err = join(p, f, &lft);
	}
	for (unsigned i = 0; p && i < p->n; i++)
		if (p->part[i].routed)
			weft_routes_free(&p->part[i].routes);
	free(p);
	if (err)
		return err;
	out->lft = lft;
	weft_layers_init(&out->layers);
	return 0;
}

static const struct weft_option parts_options[] = {
	{ .name = "engines", .type = WEFT_OPT_STRING, .preset = "psssp",
	  .help = "KIND=ENGINE, and others behind '+'; an engine alone routes the other kinds" },
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_parts = {
	.name = "parts",
	.summary = "an engine for each kind of hosts, proven together",
	.options = parts_options,
	.route = parts_route,
};
