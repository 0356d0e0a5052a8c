// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pairs whose route or service level differs.
 *
 * A route has stayed if its switch has the same entry, the entry's port has the
 * same cable, and the route has stayed from there on; so that one pass over the
 * destination tree of B tells it of all sources.
 */
#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The entries of 64 LIDs, kept until others are asked for. */
struct columns {
	const struct weft_lft *lft;
	uint32_t nsw, block;
	uint8_t *entry;		/* [64][nsw] */
};

struct moved {
	const struct weft__match *m;
	const struct weft_layers *layers[2];
	struct columns columns[2];
	bool *cable;		/* [channels of B's switches] as in A */
	uint8_t *stayed;	/* [nsw] of a tree: 0 not known, 1 no, 2 yes */
	uint32_t *path;		/* [nsw] */
	uint32_t *hosts;	/* [nsw] of B, that are in both and have not
				 * moved */
	uint32_t *strangers;	/* [nsw] that are in both and have moved */
};

static bool is_host(const struct weft_fabric *f, uint32_t e)
{
	return weft_endport_is_host(&f->ep[e], false);
}

static const uint8_t *column_of(struct columns *c, unsigned lid)
{
	uint32_t block = lid / WEFT_LFT_BLOCK;

	if (c->block != block) {
		if (lid <= c->lft->max_lid)
			weft_lft_columns(c->lft, block, c->entry);
		else
			memset(c->entry, WEFT_NO_PORT,
			       (size_t)c->nsw * WEFT_LFT_BLOCK);
		c->block = block;
	}
	return c->entry + (size_t)(lid % WEFT_LFT_BLOCK) * c->nsw;
}

/* Finds for which switches the route to a destination has stayed. */
static void find_stayed(struct moved *v, const uint8_t *was, const uint8_t *is)
{
	const struct weft__match *m = v->m;
	const struct weft_fabric *f = m->b;

	memset(v->stayed, 0, f->nsw);
	for (uint32_t root = 0; root < f->nsw; root++) {
		uint32_t s = root, n = 0;
		uint8_t how = v->stayed[s];

		/* A circle in which no entry differs has stayed. */
		while (!how) {
			unsigned port = is[s];
			uint32_t old = m->sw[s], next;

			v->path[n++] = s;
			v->stayed[s] = 2;
			if (old == WEFT_NONE || was[old] != port) {
				how = 1;
				break;
			}
			how = 2;
			if (port > f->sw[s].nports)
				break;
			if (!v->cable[weft_channel(f, s, port)]) {
				how = 1;
				break;
			}
			next = f->peer[weft_channel(f, s, port)];
			if (!weft_is_switch(next))
				break;
			s = next;
			how = v->stayed[s];
		}
		while (n)
			v->stayed[v->path[--n]] = how;
	}
}

static void count_routes(struct moved *v, uint32_t dest, struct weft_diff *out)
{
	const struct weft_fabric *f = v->m->b;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t hosts = v->hosts[s], strangers = v->strangers[s];

		if (!hosts && !strangers)
			continue;
		if (f->ep[dest].sw == s) {
			uint32_t was = v->m->ep[dest];
			const struct weft_endport *a = &v->m->a->ep[was];

			/* It does not send to itself. */
			if (v->m->sw[s] == a->sw &&
			    a->sw_port == f->ep[dest].sw_port)
				hosts--;
			else
				strangers--;
		}
		out->pairs += hosts + strangers;
		out->routes += strangers +
			(v->stayed[s] == 1 ? hosts : 0);
	}
}

static void count_sls(struct moved *v, uint32_t dest, unsigned was, unsigned is,
		      struct weft_diff *out)
{
	const struct weft__match *m = v->m;

	for (uint32_t e = 0; e < m->b->nep; e++) {
		if (e == dest || m->ep[e] == WEFT_NONE || !is_host(m->b, e))
			continue;
		out->sls += weft_layers_sl(v->layers[0], m->a,
					   m->ep[e] | WEFT_ENDPORT, was) !=
			weft_layers_sl(v->layers[1], m->b, e | WEFT_ENDPORT,
				       is);
	}
}

static void count_pairs(struct moved *v, struct weft_diff *out)
{
	const struct weft__match *m = v->m;
	bool one = v->layers[0]->form == WEFT_SL_ONE &&
		v->layers[1]->form == WEFT_SL_ONE &&
		v->layers[0]->sl == v->layers[1]->sl;

	for (uint32_t e = 0; e < m->b->nep; e++) {
		const struct weft_endport *is = &m->b->ep[e], *was;
		unsigned lmc;

		if (m->ep[e] == WEFT_NONE || !is_host(m->b, e))
			continue;
		was = &m->a->ep[m->ep[e]];
		lmc = was->lmc < is->lmc ? was->lmc : is->lmc;
		for (unsigned i = 0; was->lid && is->lid && i < 1u << lmc;
		     i++) {
			find_stayed(v, column_of(&v->columns[0], was->lid + i),
				    column_of(&v->columns[1], is->lid + i));
			count_routes(v, e, out);
			if (!one)
				count_sls(v, e, was->lid + i, is->lid + i,
					  out);
		}
	}
}

static void prepare(struct moved *v)
{
	const struct weft__match *m = v->m;
	const struct weft_fabric *f = m->b;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 0; p <= f->sw[s].nports; p++)
			v->cable[weft_channel(f, s, p)] =
				!p || weft__match_cable(m, s, p);
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *is = &f->ep[e], *was;

		if (m->ep[e] == WEFT_NONE || !is_host(f, e))
			continue;
		was = &m->a->ep[m->ep[e]];
		if (m->sw[is->sw] == was->sw && is->sw_port == was->sw_port)
			v->hosts[is->sw]++;
		else
			v->strangers[is->sw]++;
	}
}

int weft__diff_pairs(const struct weft__match *m, const struct weft_routes *a,
		     const struct weft_routes *b, struct weft_diff *out)
{
	const struct weft_fabric *f = m->b;
	struct moved v = {
		.m = m,
		.layers = { &a->layers, &b->layers },
		.columns = { { &a->lft, m->a->nsw, WEFT_NONE, NULL },
			     { &b->lft, m->b->nsw, WEFT_NONE, NULL } },
		.cable = malloc(f->first_injection + 1ull),
		.stayed = malloc(f->nsw + 1ull),
		.path = malloc((f->nsw + 1ull) * sizeof(*v.path)),
		.hosts = calloc(f->nsw + 1ull, sizeof(*v.hosts)),
		.strangers = calloc(f->nsw + 1ull, sizeof(*v.strangers)),
	};
	int err = 0;

	for (unsigned k = 0; k < 2; k++)
		v.columns[k].entry = malloc((v.columns[k].nsw + 1ull) *
					    WEFT_LFT_BLOCK);
	if (!v.cable || !v.stayed || !v.path || !v.hosts || !v.strangers ||
	    !v.columns[0].entry || !v.columns[1].entry) {
		err = -ENOMEM;
	} else {
		prepare(&v);
		count_pairs(&v, out);
	}
	free(v.cable);
	free(v.stayed);
	free(v.path);
	free(v.hosts);
	free(v.strangers);
	free(v.columns[0].entry);
	free(v.columns[1].entry);
	return err;
}
