// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: compare, tables side by side
 *
 * Each row is judged when it is added, by the rounds that all others had, and
 * its tables are forgotten.  Where rows are compared (rank.c), the same rounds
 * tell how large a difference sampling explains.
 */
#include "worth/rank/comparison.h"

#include "core/grow.h"

#include <weft/diag.h>
#include <weft/proof.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 64 /* LIDs that one packet of a subnet manager sets */

int weft_comparison_new(const struct weft_comparison_spec *spec,
			const struct weft_fabric *fabric,
			struct weft_comparison **out, struct weft_diag *diag)
{
	struct weft_comparison *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return weft_no_memory(diag);
	c->spec = *spec;
	c->fabric = fabric;
	c->best = WEFT__COMPARE_NONE;
	err = weft_basket_new(fabric, &spec->basket, &c->basket, diag);
	if (err)
		free(c);
	else
		*out = c;
	return err;
}

static void free_row(struct weft_compared *r)
{
	free(r->label);
	free(r->engine);
	free(r->plugin);
	free(r->options);
	free(r->reason);
	free(r->least_host);
	weft_worth_free(&r->worth);
}

void weft_comparison_free(struct weft_comparison *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->nrows; i++)
		free_row(&c->row[i]);
	free(c->row);
	weft_basket_free(c->basket);
	free(c);
}

/* Counts what differs from the present tables, if these have the LIDs. */
static void count_changes(const struct weft_comparison *c,
			  const struct weft_candidate *k,
			  struct weft_compared *r)
{
	const struct weft_lft *a = &k->routes->lft, *b;

	if (!c->present)
		return;
	b = &c->present->lft;
	r->has_change =
		a->nsw == b->nsw && a->max_lid == b->max_lid &&
		!memcmp(k->fabric->lid_owner, c->present_fabric->lid_owner,
			(a->max_lid + 1) * sizeof(*k->fabric->lid_owner));
	for (uint32_t s = 0; r->has_change && s < a->nsw; s++) {
		unsigned last = 0;

		for (unsigned lid = 1; lid <= a->max_lid; lid++) {
			if (weft_lft_get(a, s, lid) == weft_lft_get(b, s, lid))
				continue;
			r->entries++;
			r->blocks += lid / BLOCK + 1 != last;
			last = lid / BLOCK + 1;
		}
	}
}

/* The name of an endport's node, or its GUID. */
static char *name_of(const struct weft_fabric *f, uint32_t endport)
{
	const struct weft_node *n = &f->node[f->ep[endport].node];
	char guid[24];

	snprintf(guid, sizeof(guid), "0x%016" PRIx64, n->guid);
	return strdup(*n->name ? n->name : guid);
}

static int prove(const struct weft_comparison *c,
		 const struct weft_candidate *k, struct weft_compared *r,
		 struct weft_diag *diag)
{
	const struct weft_proof_spec spec = {
		.all_hosts = c->spec.basket.all_hosts,
		.loads = true,
		.credit_loops = true,
	};
	struct weft_proof proof;
	int err = weft_proof_run(k->fabric, k->routes, &spec, &proof, diag);

	if (err)
		return err;
	r->index = proof.load_max;
	r->pairs = proof.pairs;
	r->unreachable = proof.unreachable - proof.apart;
	r->cyclic = proof.cyclic_vls;
	r->lanes = k->routes->layers.nvl ? k->routes->layers.nvl : 1;
	r->hidden_levels = k->hidden_levels && r->cyclic && c->spec.lanes > 1;
	r->lmc = weft_fabric_lmc(k->fabric);
	if (r->hidden_levels) {
		r->lanes = c->spec.lanes;
		r->cyclic = 0;
	}
	weft_proof_free(&proof);
	return 0;
}

static int find_slowest(const struct weft_comparison *c,
			const struct weft_candidate *k, struct weft_compared *r,
			struct weft_diag *diag)
{
	const struct weft_saturation_spec spec = {
		.all_hosts = c->spec.basket.all_hosts,
		.spread = c->spec.basket.spread,
	};
	struct weft_saturation s;
	int err = weft_saturation_run(k->fabric, k->routes, &spec, &s, diag);

	if (err)
		return err;
	r->least = s.least;
	r->least_host = name_of(k->fabric, s.least_endport);
	return r->least_host ? 0 : -ENOMEM;
}

/* Makes the basket of a fabric, or takes the one there is. */
static int get_basket(const struct weft_comparison *c,
		      const struct weft_fabric *f, struct weft_basket **out,
		      struct weft_diag *diag)
{
	*out = c->basket;
	return c->fabric == f ? 0 :
				weft_basket_new(f, &c->spec.basket, out, diag);
}

static void put_basket(const struct weft_comparison *c,
		       struct weft_basket *basket)
{
	if (basket != c->basket)
		weft_basket_free(basket);
}

static int judge(struct weft_comparison *c, const struct weft_fabric *f,
		 const struct weft_routes *routes, struct weft_worth *out,
		 struct weft_diag *diag)
{
	struct weft_basket *basket;
	int err = get_basket(c, f, &basket, diag);

	if (!err)
		err = weft_basket_judge(basket, routes, out);
	put_basket(c, basket);
	return err;
}

static int judge_row(struct weft_comparison *c, const struct weft_candidate *k,
		     struct weft_compared *r, struct weft_diag *diag)
{
	int err = judge(c, k->fabric, k->routes, &r->worth, diag);

	if (!err)
		err = prove(c, k, r, diag);
	if (!err)
		err = find_slowest(c, k, r, diag);
	if (!err && k->origin == WEFT_TABLES_PRESENT && !c->present) {
		c->present = k->routes;
		c->present_fabric = k->fabric;
	}
	if (!err)
		count_changes(c, k, r);
	return err;
}

static char *copy_of(const char *text)
{
	return strdup(text ? text : "");
}

/* Tables that were mended are not those of the engine alone, and are called
 * otherwise. */
static char *label_of(const struct weft_candidate *k)
{
	static const char added[] = " + layers";
	size_t n = k->label ? strlen(k->label) : 0;
	char *label = malloc(n + sizeof(added));

	if (label)
		snprintf(label, n + sizeof(added), "%s%s",
			 k->label ? k->label : "", k->mended ? added : "");
	return label;
}

int weft_comparison_add(struct weft_comparison *c,
			const struct weft_candidate *k, struct weft_diag *diag)
{
	struct weft_compared r = {
		.origin = k->origin,
		.state = k->state,
		.mended = k->mended,
		.shown = k->shown,
		.seconds = k->seconds,
		.memory = k->memory,
		.failed = -1,
		.failed_least = -1,
		.label = label_of(k),
		.engine = copy_of(k->engine),
		.plugin = copy_of(k->plugin),
		.options = copy_of(k->options),
		.reason = copy_of(k->reason),
	};
	bool ok = r.label && r.engine && r.plugin && r.options && r.reason;
	int err = ok ? 0 : -ENOMEM;

	if (!err && k->state == WEFT_COMPARED)
		err = judge_row(c, k, &r, diag);
	if (!err)
		err = weft__grow_one(&c->row, c->nrows);
	if (err) {
		free_row(&r);
		return err == -EINVAL ?
			       err :
			       weft_no_memory(diag);
	}
	c->row[c->nrows++] = r;
	c->failures = 0;
	c->failures_sum = 0;
	c->failed_entries = 0;
	return 0;
}

int weft_comparison_fail(struct weft_comparison *c,
			 const struct weft_fabric *fabric,
			 const struct weft_routes *routes, uint64_t entries,
			 struct weft_diag *diag)
{
	struct weft_compared *r = &c->row[c->nrows - 1];
	struct weft_worth worth = { .mean = 0 };
	int err = judge(c, fabric, routes, &worth, diag);

	if (err)
		return err;
	c->failures_sum += worth.mean;
	c->failed_entries += entries;
	if (!c->failures++ || worth.mean < r->failed_least)
		r->failed_least = worth.mean;
	r->failed = c->failures_sum / c->failures;
	r->failed_entries = (double)c->failed_entries / c->failures;
	weft_worth_free(&worth);
	return 0;
}

unsigned weft_comparison_rows(const struct weft_comparison *c)
{
	return c->nrows;
}

const struct weft_compared *weft_comparison_row(const struct weft_comparison *c,
						unsigned row)
{
	return &c->row[row];
}

const struct weft_basket *
weft_comparison_basket(const struct weft_comparison *c)
{
	return c->basket;
}
