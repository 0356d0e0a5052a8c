// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Makes a fabric of a builder's nodes: sorts by GUID, numbers, cables, indexes.
 *
 * The steps run in this order, each on the results of those before it:
 * switches, nodes and endports (sorted), channels, adjacency, LIDs.
 */
#include "core/fabric/fabric_build.h"

#include "core/fabric/builder.h"
#include "core/fabric/machines.h"

#include <weft/diag.h>

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The state of one weft_builder_finish(). */
struct build {
	const struct weft_builder *b;
	struct weft_fabric *f;
	struct weft_diag *diag;
	uint32_t *id;		/* [handles] switch id or node id */
	uint32_t *ep_id;	/* [port indices] endport id */
};

struct sort_key {
	uint64_t guid, guid2;
	uint32_t ref;		/* handle or port index */
	uint16_t port;
	bool explicit;		/* the GUID was given, not made up */
};

static int compare_keys(const void *pa, const void *pb)
{
	const struct sort_key *a = pa, *b = pb;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->guid2 != b->guid2)
		return a->guid2 < b->guid2 ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return a->ref < b->ref ? -1 : a->ref > b->ref;
}

struct weft_fabric *weft__fabric_new(void)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft_fabric *f;

	if (!arena)
		return NULL;
	f = weft__arena_zalloc(arena, 1, sizeof(*f));
	if (!f) {
		weft__arena_free(arena);
		return NULL;
	}
	f->arena = arena;
	return f;
}

static int out_of_memory(struct weft_diag *diag)
{
	return weft_no_memory(diag);
}

static const char *copy_name(struct build *bd, const char *name)
{
	const char *copy = weft__arena_string(bd->f->arena, name, strlen(name));

	return copy ? copy : "";
}

static int check_unique(struct build *bd, const struct sort_key *key,
			uint32_t n, const char *what)
{
	for (uint32_t i = 1; i < n; i++) {
		const struct weft__builder_node *node = bd->b->node;

		if (key[i].guid != key[i - 1].guid)
			continue;
		weft_diag_at(bd->diag, WEFT_ERROR, bd->b->file,
			     node[key[i].ref].spec.line,
			     "two %s have the GUID 0x%016" PRIx64
			     " (the other one is in line %lu)", what,
			     key[i].guid, node[key[i - 1].ref].spec.line);
		return -EINVAL;
	}
	return 0;
}

/* Returns the handles of all switches, or of all other nodes, by GUID. */
static struct sort_key *sorted_nodes(struct build *bd, bool switches,
				     uint32_t *n)
{
	struct sort_key *key = malloc((bd->b->nnodes + 1) * sizeof(*key));

	*n = 0;
	for (uint32_t i = 0; key && i < bd->b->nnodes; i++) {
		const struct weft_node_spec *s = &bd->b->node[i].spec;

		if ((s->type == WEFT_NODE_SWITCH) == switches)
			key[(*n)++] = (struct sort_key){
				.guid = s->guid, .ref = i };
	}
	if (key)
		qsort(key, *n, sizeof(*key), compare_keys);
	return key;
}

static void fill_switch(struct build *bd, struct weft_switch *sw,
			uint32_t handle)
{
	const struct weft__builder_node *node = &bd->b->node[handle];
	const struct weft_port_spec *p0 = &bd->b->port[node->first_port];

	*sw = (struct weft_switch){
		.guid = node->spec.guid,
		.port_guid = p0->guid ? p0->guid : node->spec.guid,
		.system_guid = node->spec.system_guid,
		.name = copy_name(bd, node->spec.name),
		.lid = p0->lid <= WEFT_MAX_LID ? p0->lid : UINT16_MAX,
		.lmc = p0->lmc, .nports = node->spec.nports,
		.enhanced = node->spec.enhanced, .role = node->spec.role,
		.more_ports = node->spec.more_ports,
		.vendor = node->spec.vendor, .device = node->spec.device,
	};
}

static int build_switches(struct build *bd)
{
	struct weft_fabric *f = bd->f;
	struct weft_switch *sw;
	uint32_t *first;
	struct sort_key *key = sorted_nodes(bd, true, &f->nsw);
	int err = -ENOMEM;

	if (!key)
		return out_of_memory(bd->diag);
	err = check_unique(bd, key, f->nsw, "switches");
	if (err)
		goto free_key;
	sw = weft__arena_zalloc(f->arena, f->nsw, sizeof(*sw));
	first = weft__arena_alloc(f->arena, f->nsw + 1, sizeof(*first));
	if (weft__arena_failed(f->arena)) {
		err = out_of_memory(bd->diag);
		goto free_key;
	}
	first[0] = 0;
	for (uint32_t i = 0; i < f->nsw; i++) {
		fill_switch(bd, &sw[i], key[i].ref);
		bd->id[key[i].ref] = i;
		first[i + 1] = first[i] + sw[i].nports + 1;
	}
	f->sw = sw;
	f->first_channel = first;
	f->first_injection = first[f->nsw];
free_key:
	free(key);
	return err;
}

static uint8_t kind_of(const struct weft_node_spec *s)
{
	if (s->type == WEFT_NODE_ROUTER)
		return WEFT_ROUTER;
	if (s->aggregation || strcasestr(s->name, "aggregation node"))
		return WEFT_AGGREGATION;
	return WEFT_HOST;
}

static int build_nodes(struct build *bd)
{
	struct weft_fabric *f = bd->f;
	struct sort_key *key = sorted_nodes(bd, false, &f->nnodes);
	struct weft_node *node;
	int err;

	if (!key)
		return out_of_memory(bd->diag);
	err = check_unique(bd, key, f->nnodes, "nodes");
	if (err)
		goto free_key;
	node = weft__arena_zalloc(f->arena, f->nnodes, sizeof(*node));
	if (!node) {
		err = out_of_memory(bd->diag);
		goto free_key;
	}
	for (uint32_t i = 0; i < f->nnodes; i++) {
		const struct weft_node_spec *s =
			&bd->b->node[key[i].ref].spec;

		node[i] = (struct weft_node){
			.guid = s->guid, .system_guid = s->system_guid,
			.name = copy_name(bd, s->name), .kind = kind_of(s),
			.nports = s->nports ? s->nports : 1,
			.vendor = s->vendor, .device = s->device,
			.told = s->told, .numa = s->numa,
		};
		bd->id[key[i].ref] = i;
	}
	f->node = node;
free_key:
	free(key);
	return err;
}

/* Returns the key of a CA's port that is cabled to a switch. */
static struct sort_key port_key(const struct weft__builder_node *node,
				const struct weft_port_spec *p, uint32_t index)
{
	uint64_t guid = node->spec.guid;
	uint16_t port = index - node->first_port;

	/* Old tools print no port GUIDs: adapters derive them like this. */
	if (!p->guid && node->spec.nports > 1)
		guid += port;
	return (struct sort_key){
		.guid = p->guid ? p->guid : guid, .guid2 = node->spec.guid,
		.ref = index, .port = port, .explicit = p->guid,
	};
}

/* Tells of ports of adapters that lead to no switch: of the first one by name, of the
 * others how many there are. */
static void warn_of_aside(const struct build *bd, uint32_t node, uint32_t index,
			  uint32_t aside)
{
	const struct weft_builder *b = bd->b;
	char more[WEFT_COUNT_SIZE + 8] = " is";

	if (aside > 1)
		snprintf(more, sizeof(more), " and %s are",
			 WEFT_COUNT(aside - 1, "other port"));
	weft_diag_at(bd->diag, WEFT_WARNING, b->file, b->port[index].line,
		     "%s port %u%s not cabled to a switch: left out",
		     b->node[node].spec.name,
		     (unsigned)(index - b->node[node].first_port), more);
}

/* Collects the keys of all endports into key[].  Returns their number. */
static uint32_t collect_endports(struct build *bd, struct sort_key *key)
{
	const struct weft_builder *b = bd->b;
	uint32_t n = 0, aside = 0, first = 0, whose = 0;

	for (uint32_t i = 0; i < b->nnodes; i++) {
		const struct weft__builder_node *node = &b->node[i];

		if (node->spec.type == WEFT_NODE_SWITCH)
			continue;
		for (unsigned p = 1; p <= node->spec.nports; p++) {
			uint32_t index = node->first_port + p;
			const struct weft_port_spec *ps = &b->port[index];

			if (ps->peer == WEFT_NONE)
				continue;
			if (b->node[ps->peer].spec.type == WEFT_NODE_SWITCH) {
				key[n++] = port_key(node, ps, index);
			} else if (!aside++) {
				whose = i;
				first = index;
			}
		}
	}
	if (aside)
		warn_of_aside(bd, whose, first, aside);
	return n;
}

/* Refuses two ports with one GUID, unless they are of one node: the planes of
 * an adapter share theirs. */
static int check_port_guids(struct build *bd, const struct sort_key *key,
			    uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		if (key[i].guid != key[i - 1].guid ||
		    key[i].guid2 == key[i - 1].guid2 || !key[i].explicit ||
		    !key[i - 1].explicit)
			continue;
		weft_diag_at(bd->diag, WEFT_ERROR, bd->b->file,
			     bd->b->port[key[i].ref].line,
			     "two ports have the GUID 0x%016" PRIx64
			     " (the other one is in line %lu)", key[i].guid,
			     bd->b->port[key[i - 1].ref].line);
		return -EINVAL;
	}
	return 0;
}

/* Returns the builder node that a port index belongs to. */
static uint32_t node_of_port(const struct weft_builder *b, uint32_t index)
{
	uint32_t lo = 0, hi = b->nnodes;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (b->node[mid].first_port <= index)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static void fill_endport(struct build *bd, struct weft_endport *ep,
			 const struct sort_key *key)
{
	const struct weft_port_spec *p = &bd->b->port[key->ref];
	uint32_t node = bd->id[node_of_port(bd->b, key->ref)];

	*ep = (struct weft_endport){
		.guid = key->guid, .node = node, .sw = bd->id[p->peer],
		.lid = p->lid <= WEFT_MAX_LID ? p->lid : UINT16_MAX,
		.lmc = p->lmc, .port = key->port, .sw_port = p->peer_port,
		.kind = bd->f->node[node].kind,
		.weight = p->weight ? p->weight : 1,
		.use = p->use < bd->b->nuses ? p->use : 0,
	};
}

/* A node's endports by port, whatever their GUIDs: the first is that of the
 * first port.  O(n^2) for the few that there are. */
static void order_by_port(const struct weft_fabric *f, uint32_t *list,
			  uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		uint32_t e = list[i], at = i;

		for (; at && f->ep[list[at - 1]].port > f->ep[e].port; at--)
			list[at] = list[at - 1];
		list[at] = e;
	}
}

static int index_endports(struct build *bd)
{
	struct weft_fabric *f = bd->f;
	struct weft_node *node = WEFT_WRITABLE(struct weft_node, f->node);
	const uint32_t *first;

	if (!weft__list_by_owner(f, offsetof(struct weft_endport, sw), f->nsw,
				 &f->sw_ep_first, &f->sw_endport) ||
	    !weft__list_by_owner(f, offsetof(struct weft_endport, node),
				 f->nnodes, &first, &f->node_endport))
		return out_of_memory(bd->diag);
	for (uint32_t i = 0; i < f->nnodes; i++) {
		node[i].first_endport = first[i];
		node[i].nendports = first[i + 1] - first[i];
		order_by_port(f, WEFT_WRITABLE(uint32_t, f->node_endport) +
			      first[i], node[i].nendports);
	}
	return 0;
}

static int find_groups(struct build *bd)
{
	static const char *const compute[] = { "compute" };
	const struct weft_builder *b = bd->b;
	int err = weft__copy_uses(bd->f, b->nuses ? b->use_name : compute,
				  b->nuses ? b->nuses : 1);

	return err ? err : weft__find_groups(bd->f);
}

static int build_endports(struct build *bd)
{
	struct weft_fabric *f = bd->f;
	struct sort_key *key = malloc((bd->b->nports + 1) * sizeof(*key));
	struct weft_endport *ep;
	int err;

	if (!key)
		return out_of_memory(bd->diag);
	f->nep = collect_endports(bd, key);
	qsort(key, f->nep, sizeof(*key), compare_keys);
	err = check_port_guids(bd, key, f->nep);
	if (err)
		goto free_key;
	ep = weft__arena_zalloc(f->arena, f->nep, sizeof(*ep));
	if (!ep) {
		err = out_of_memory(bd->diag);
		goto free_key;
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		fill_endport(bd, &ep[e], &key[e]);
		bd->ep_id[key[e].ref] = e;
		f->nhosts += ep[e].kind == WEFT_HOST;
	}
	f->ep = ep;
	err = index_endports(bd);
	f->machines_by = bd->b->machines_by;
	if (!err && (weft__find_machines(f) || find_groups(bd)))
		err = out_of_memory(bd->diag);
free_key:
	free(key);
	return err;
}

/* The channel arrays while they are written. */
struct channels {
	uint32_t *peer, *reverse, *capacity;
	uint8_t *peer_port, *width, *speed;
};

static int alloc_channels(struct build *bd, struct channels *c)
{
	struct weft_fabric *f = bd->f;
	size_t n = f->nch = f->first_injection + f->nep;

	c->peer = weft__arena_alloc(f->arena, n, sizeof(*c->peer));
	c->reverse = weft__arena_alloc(f->arena, n, sizeof(*c->reverse));
	c->capacity = weft__arena_zalloc(f->arena, n, sizeof(*c->capacity));
	c->peer_port = weft__arena_zalloc(f->arena, n, 1);
	c->width = weft__arena_zalloc(f->arena, n, 1);
	c->speed = weft__arena_zalloc(f->arena, n, 1);
	if (weft__arena_failed(f->arena))
		return out_of_memory(bd->diag);
	memset(c->peer, 0xff, n * sizeof(*c->peer));
	memset(c->reverse, 0xff, n * sizeof(*c->reverse));
	f->peer = c->peer;
	f->reverse = c->reverse;
	f->capacity = c->capacity;
	f->peer_port = c->peer_port;
	f->width = c->width;
	f->speed = c->speed;
	return 0;
}

/* Fills in both channels of the cable at a switch's port. */
static void cable_port(struct build *bd, struct channels *c, uint32_t sw,
		       unsigned port, const struct weft_port_spec *p)
{
	struct weft_fabric *f = bd->f;
	const struct weft__builder_node *far = &bd->b->node[p->peer];
	uint32_t ch = weft_channel(f, sw, port);
	uint32_t back;

	c->width[ch] = p->width;
	c->speed[ch] = p->speed;
	c->peer_port[ch] = p->peer_port;
	if (far->spec.type == WEFT_NODE_SWITCH) {
		uint32_t t = bd->id[p->peer];

		c->peer[ch] = t;
		c->reverse[ch] = weft_channel(f, t, p->peer_port);
		f->nlinks += c->reverse[ch] > ch;
		return;
	}
	back = f->first_injection + bd->ep_id[far->first_port + p->peer_port];
	c->peer[ch] = (back - f->first_injection) | WEFT_ENDPORT;
	c->reverse[ch] = back;
	c->peer[back] = sw;
	c->reverse[back] = ch;
	c->peer_port[back] = port;
	c->width[back] = p->width;
	c->speed[back] = p->speed;
	f->nlinks++;
}

/* Fills in capacities.  Links of unknown rate count as the slowest known
 * one. */
static void fill_capacity(struct weft_fabric *f, struct channels *c)
{
	uint32_t slowest = UINT32_MAX;

	for (uint32_t ch = 0; ch < f->nch; ch++) {
		c->capacity[ch] = c->peer[ch] == WEFT_NONE ? 0 :
			weft_speed_capacity(c->width[ch], c->speed[ch]);
		if (c->capacity[ch] && c->capacity[ch] < slowest)
			slowest = c->capacity[ch];
	}
	if (slowest == UINT32_MAX)
		slowest = weft_speed_capacity(4, WEFT_SDR);
	for (uint32_t ch = 0; ch < f->nch; ch++)
		if (!c->capacity[ch] && c->peer[ch] != WEFT_NONE)
			c->capacity[ch] = slowest;
}

/* Fills in data lanes, if any cable has a number of them. */
static int limit_channels(struct build *bd)
{
	const struct weft_builder *b = bd->b;
	int err = 0;

	for (uint32_t i = 0; i < b->nnodes && !err; i++) {
		const struct weft__builder_node *node = &b->node[i];
		const struct weft_port_spec *port = &b->port[node->first_port];

		if (node->spec.type != WEFT_NODE_SWITCH)
			continue;
		for (unsigned p = 1; p <= node->spec.nports && !err; p++)
			if (port[p].peer != WEFT_NONE && port[p].vls)
				err = weft_fabric_limit(
					bd->f, weft_channel(bd->f, bd->id[i], p),
					port[p].vls);
	}
	return err ? out_of_memory(bd->diag) : 0;
}

static int build_channels(struct build *bd)
{
	const struct weft_builder *b = bd->b;
	struct channels c;
	int err = alloc_channels(bd, &c);

	if (err)
		return err;
	for (uint32_t i = 0; i < b->nnodes; i++) {
		const struct weft__builder_node *node = &b->node[i];

		if (node->spec.type != WEFT_NODE_SWITCH)
			continue;
		for (unsigned p = 1; p <= node->spec.nports; p++) {
			const struct weft_port_spec *ps =
				&b->port[node->first_port + p];

			if (ps->peer != WEFT_NONE)
				cable_port(bd, &c, bd->id[i], p, ps);
		}
	}
	fill_capacity(bd->f, &c);
	return limit_channels(bd);
}

static void sort_adjacency(const struct weft_fabric *f, uint32_t *adj,
			   uint32_t n)
{
	/* Insertion sort: ports are mostly cabled in order already. */
	for (uint32_t i = 1; i < n; i++) {
		uint32_t ch = adj[i], j = i;

		for (; j && f->peer[adj[j - 1]] > f->peer[ch]; j--)
			adj[j] = adj[j - 1];
		adj[j] = ch;
	}
}

static int build_adjacency(struct build *bd)
{
	struct weft_fabric *f = bd->f;
	uint32_t *first = weft__arena_alloc(f->arena, f->nsw + 1ull,
					    sizeof(*first));
	uint32_t *adj = weft__arena_alloc(f->arena, f->first_injection,
					  sizeof(*adj));
	uint32_t n = 0;

	if (weft__arena_failed(f->arena))
		return out_of_memory(bd->diag);
	for (uint32_t s = 0; s < f->nsw; s++) {
		first[s] = n;
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);

			if (weft_is_switch(f->peer[ch]) && f->peer[ch] != s)
				adj[n++] = ch;
		}
		sort_adjacency(f, adj + first[s], n - first[s]);
	}
	first[f->nsw] = n;
	f->adj_first = first;
	f->adj = adj;
	return 0;
}

/* Takes over what is told of the subnet and its routers. */
static int build_subnet(struct build *bd)
{
	const struct weft_builder *b = bd->b;
	struct weft_router_entry *entry =
		weft__arena_alloc(bd->f->arena, b->nentries + 1ull,
				  sizeof(*entry));

	if (!entry)
		return out_of_memory(bd->diag);
	if (b->nentries)
		memcpy(entry, b->entry, b->nentries * sizeof(*entry));
	bd->f->prefix = b->prefix;
	bd->f->router_entry = entry;
	bd->f->nrouter_entries = b->nentries;
	return 0;
}

int weft_builder_finish(struct weft_builder *b, struct weft_fabric **out,
			struct weft_diag *diag)
{
	struct build bd = { .b = b, .diag = diag };
	int err;

	if (b->no_memory)
		return out_of_memory(diag);
	bd.f = weft__fabric_new();
	bd.id = malloc((b->nnodes + 1) * sizeof(*bd.id));
	bd.ep_id = malloc((b->nports + 1) * sizeof(*bd.ep_id));
	err = bd.f && bd.id && bd.ep_id ? 0 : out_of_memory(diag);
	if (!err)
		err = build_switches(&bd);
	if (!err)
		err = build_nodes(&bd);
	if (!err)
		err = build_endports(&bd);
	if (!err)
		err = build_channels(&bd);
	if (!err)
		err = build_adjacency(&bd);
	if (!err)
		err = build_subnet(&bd);
	if (!err)
		err = weft__fabric_map_lids(bd.f, b->file, diag);
	free(bd.id);
	free(bd.ep_id);
	if (err)
		weft_fabric_free(bd.f);
	else
		*out = bd.f;
	return err;
}
