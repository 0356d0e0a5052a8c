// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Asking.  What the journal has is not asked again, and a node that leaves
 * questions of one kind without an answer is not asked for the rest of them,
 * each of which would take all its timeouts.
 */
#include "capture/inside.h"

#include "core/grow.h"

#include <weft/diag.h>
#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE 2		     /* questions of a kind without an answer */
#define PROGRESS 256		     /* answers between two reports */
#define MASK_DLID (UINT64_C(1) << 4) /* components of a PathRecord */
#define MASK_SLID (UINT64_C(1) << 5)
#define MASK_REVERSIBLE (UINT64_C(1) << 11)
#define MASK_NUMBER (UINT64_C(1) << 12)

/* --- nodes ------------------------------------------------------------ */

struct round {
	struct weft__capture *c;
	size_t next, first, done;
};

static struct weft__journal_key key_of(const struct weft__capture *c,
				       const struct weft__item *item)
{
	bool arbitration = item->kind == WEFT__KIND_VLARB;

	return (struct weft__journal_key){
		.guid = c->node[item->node]->guid,
		.kind = item->kind,
		/* which does not tell the ports of an adapter apart */
		.modifier = item->modifier |
			    (arbitration ? (uint32_t)item->port << 20 : 0),
		.size = (uint16_t)weft__kind_size(item->kind),
	};
}

static bool is_kept(const struct weft__item *item)
{
	return item->kind < WEFT__KIND_CLASS;
}

static int store(struct weft__capture *c, struct weft__item *item,
		 const uint8_t *data)
{
	unsigned size = weft__kind_size(item->kind);

	/* what is behind it begins at a multiple of 8 */
	if (weft__grow(&c->store, &c->capacity, c->used + (uint64_t)size + 7))
		return weft_no_memory(c->diag);
	memcpy(c->store + c->used, data, size);
	item->at = c->used;
	item->answer = WEFT__ANSWERED;
	c->used += (size + 7) / 8 * 8;
	return 0;
}

static void report(struct round *r)
{
	const struct weft__capture_spec *spec = &r->c->spec;

	if (spec->progress && r->done % PROGRESS == 0)
		spec->progress(spec->context, r->done, r->c->nitems - r->first);
	r->done++;
}

double weft__seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Whether the path from here leads to a node by that port. */
static bool is_on_path(ibnd_node_t *n, unsigned port)
{
	return weft__is_switch_node(n) ||
	       mad_get_field(n->info, 0, IB_NODE_LOCAL_PORT_F) == port;
}

static void word(const struct weft__capture *c, const struct weft__item *item,
		 struct weft__question *q)
{
	static const struct {
		int class;
		unsigned attribute;
	} what[WEFT__KINDS] = {
		[WEFT__KIND_LFT] = { IB_SMI_CLASS, IB_ATTR_LINEARFORWTBL },
		[WEFT__KIND_SL2VL] = { IB_SMI_CLASS, IB_ATTR_SLVL_TABLE },
		[WEFT__KIND_VLARB] = { IB_SMI_CLASS, IB_ATTR_VL_ARBITRATION },
		[WEFT__KIND_MULTICAST] = { IB_SMI_CLASS,
					   IB_ATTR_MULTICASTFORWTBL },
		[WEFT__KIND_SM] = { IB_SMI_CLASS, IB_ATTR_SMINFO },
		[WEFT__KIND_CLASS] = { IB_PERFORMANCE_CLASS, CLASS_PORT_INFO },
		[WEFT__KIND_COUNTERS] = { IB_PERFORMANCE_CLASS,
					  IB_GSI_PORT_COUNTERS },
		[WEFT__KIND_WIDE_COUNTERS] = { IB_PERFORMANCE_CLASS,
					       IB_GSI_PORT_COUNTERS_EXT },
	};
	ibnd_node_t *n = c->node[item->node];

	q->class = what[item->kind].class;
	q->attribute = what[item->kind].attribute;
	q->modifier = item->modifier;
	q->to = n->path_portid;
	q->to.lid = (int)weft__lid_of(n, item->port);
	if (!is_on_path(n, item->port))
		q->to.drpath.cnt = 0;
	if (q->class != IB_PERFORMANCE_CLASS) {
		if (item->kind == WEFT__KIND_SM)
			q->modifier = 0;
		return;
	}
	q->modifier = 0;
	q->to.qp = 1;
	q->to.qkey = IB_DEFAULT_QP1_QKEY;
	if (item->kind != WEFT__KIND_CLASS)
		mad_set_field(q->data, 0, IB_PC_PORT_SELECT_F, item->port);
}

static bool next(void *context, struct weft__question *q, uint32_t *number)
{
	struct round *r = context;
	struct weft__capture *c = r->c;

	for (; r->next < c->nitems; r->next++) {
		struct weft__item *item = &c->item[r->next];
		ibnd_node_t *n;

		if (item->answer != WEFT__UNASKED)
			continue;
		n = c->node[item->node];
		if (c->silent[item->node][item->kind] >= PATIENCE ||
		    (!weft__lid_of(n, item->port) &&
		     !is_on_path(n, item->port))) {
			item->answer = WEFT__SILENT;
			report(r);
			continue;
		}
		word(c, item, q);
		*number = (uint32_t)r->next++;
		return true;
	}
	return false;
}

static int answered(void *context, uint32_t number, enum weft__answer answer,
		    const uint8_t *data)
{
	struct round *r = context;
	struct weft__capture *c = r->c;
	struct weft__item *item = &c->item[number];
	uint8_t *silent = &c->silent[item->node][item->kind];
	struct weft__journal_key key;
	int err;

	report(r);
	item->answer = (uint8_t)answer;
	if (answer == WEFT__SILENT)
		*silent += *silent < PATIENCE;
	if (answer != WEFT__ANSWERED)
		return 0;
	*silent = 0;
	if (item->reading)
		c->second[item->node][item->reading - 1] = weft__seconds_now();
	err = store(c, item, data);
	if (err || !c->journal || !is_kept(item))
		return err;
	key = key_of(c, item);
	return weft__journal_add(c->journal, &key, data, c->diag);
}

/* Takes from the journal what it has. */
static int recall(struct weft__capture *c, size_t first)
{
	int err = 0;

	for (size_t i = first; i < c->nitems && !err; i++) {
		struct weft__item *item = &c->item[i];
		struct weft__journal_key key = key_of(c, item);
		const uint8_t *data =
			is_kept(item) ? weft__journal_find(c->journal, &key) :
					NULL;

		if (!data)
			continue;
		err = store(c, item, data);
		c->kept[item->kind]++;
	}
	return err;
}

int weft__ask_items(struct weft__capture *c, size_t first)
{
	struct round r = { .c = c, .next = first, .first = first };
	struct weft__asker asker = { next, answered, &r };
	int err = c->journal ? recall(c, first) : 0;

	return err ? err : weft__mads_ask(c->mads, &asker, c->diag);
}

/* --- the SA ----------------------------------------------------------- */

/* Pairs of all endports and all LIDs, or those that were drawn. */
struct paths {
	struct weft__capture *c;
	uint64_t next, done, total;
};

static struct weft__pair pair_at(const struct paths *p, uint64_t number)
{
	const struct weft_fabric *f = p->c->fabric;

	if (p->c->pair)
		return p->c->pair[number];
	return (struct weft__pair){
		.source = (uint32_t)(number / (f->max_lid + 1)),
		.dlid = (uint16_t)(number % (f->max_lid + 1)),
	};
}

static bool is_path(const struct weft_fabric *f, const struct weft__pair *pair)
{
	return f->ep[pair->source].lid &&
	       weft_lid_owner(f, pair->dlid) != WEFT_NONE;
}

static bool next_path(void *context, struct weft__question *q, uint32_t *number)
{
	struct paths *p = context;
	const struct weft_fabric *f = p->c->fabric;
	struct weft__mads_port local = weft__mads_port(p->c->mads);
	struct weft__pair pair;

	for (; p->next < p->total; p->next++, p->done++) {
		pair = pair_at(p, p->next);
		if (!is_path(f, &pair))
			continue;
		q->class = IB_SA_CLASS;
		q->attribute = IB_SA_ATTR_PATHRECORD;
		q->mask = MASK_DLID | MASK_SLID | MASK_REVERSIBLE | MASK_NUMBER;
		q->to.lid = (int)local.sm_lid;
		q->to.sl = (uint8_t)local.sm_sl;
		q->to.qp = 1;
		q->to.qkey = IB_DEFAULT_QP1_QKEY;
		mad_set_field(q->data, 0, IB_SA_PR_DLID_F, pair.dlid);
		mad_set_field(q->data, 0, IB_SA_PR_SLID_F,
			      f->ep[pair.source].lid);
		mad_set_field(q->data, 0, IB_SA_PR_NPATH_F, 1);
		*number = (uint32_t)p->next++;
		return true;
	}
	return false;
}

static void set_sl(struct weft__capture *c, const struct weft__pair *pair,
		   uint8_t sl)
{
	struct weft_layers *layers = &c->routes.layers;
	size_t row = pair->source * (size_t)(c->fabric->max_lid + 1);

	layers->table[row + pair->dlid] = sl;
	if (sl >= layers->nvl)
		layers->nvl = sl < WEFT_MAX_LANES ? sl + 1 : WEFT_MAX_LANES;
}

static int path_answered(void *context, uint32_t number,
			 enum weft__answer answer, const uint8_t *data)
{
	struct paths *p = context;
	struct weft__capture *c = p->c;
	struct weft__pair pair = pair_at(p, number);
	uint8_t sl = data ? mad_get_field((void *)data, 0, IB_SA_PR_SL_F) : 0;

	c->paths_asked++;
	c->paths_silent += answer != WEFT__ANSWERED;
	if (c->pair) {
		c->pair[number].sl = sl;
		c->pair[number].answer = (uint8_t)answer;
	} else {
		set_sl(c, &pair, sl);
	}
	if (c->spec.progress && p->done++ % PROGRESS == 0)
		c->spec.progress(c->spec.context, p->done, p->total);
	return 0;
}

static int draw_pairs(struct weft__capture *c)
{
	struct weft_rng *rng = weft_rng_new((uint32_t)c->spec.seed);

	c->pair = calloc(c->spec.sample, sizeof(*c->pair));
	if (!rng || !c->pair) {
		weft_rng_free(rng);
		return -ENOMEM;
	}
	c->npairs = c->spec.sample;
	for (uint64_t i = 0; i < c->npairs; i++) {
		uint32_t to = weft_rng_below(rng, c->fabric->nep);

		c->pair[i].source = weft_rng_below(rng, c->fabric->nep);
		c->pair[i].dlid = c->fabric->ep[to].lid;
		c->pair[i].answer = WEFT__SILENT;
	}
	weft_rng_free(rng);
	return 0;
}

static int prepare_all(struct weft__capture *c)
{
	struct weft_layers *layers = &c->routes.layers;
	const struct weft_fabric *f = c->fabric;

	layers->form = WEFT_SL_ENDPORT_LID;
	layers->nsw = f->nsw;
	layers->nep = f->nep;
	layers->max_lid = f->max_lid;
	layers->table = calloc(f->nep + 1ull, f->max_lid + 1ull);
	return layers->table ? 0 : -ENOMEM;
}

int weft__ask_paths(struct weft__capture *c)
{
	struct paths p = { .c = c };
	struct weft__asker asker = { next_path, path_answered, &p };
	int err = 0;

	if (!c->fabric->nep)
		return 0;
	if (!weft__mads_port(c->mads).sm_lid)
		return weft_fail(
			c->diag, EHOSTUNREACH,
			"no subnet manager to ask for paths (--paths): this port knows none");
	err = c->spec.sample ? draw_pairs(c) : prepare_all(c);
	if (err)
		return weft_no_memory(c->diag);
	p.total = c->pair ? c->npairs :
			    c->fabric->nep * (c->fabric->max_lid + 1ull);
	if (p.total > UINT32_MAX)
		return weft_fail(c->diag, EFBIG,
				 "too many pairs to ask for each: give --paths a number");
	err = weft__mads_ask(c->mads, &asker, c->diag);
	c->has_sl = !c->pair && c->paths_silent < c->paths_asked;
	return err;
}
