// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The builder collects nodes, ports and cables in the order in which they are
 * met. weft_builder_finish() (fabric_build.c) makes a fabric of them.
 */
#include "core/fabric/builder.h"

#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct weft_builder *weft_builder_new(void)
{
	struct weft_builder *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->strings = weft__arena_new();
	if (!b->strings) {
		free(b);
		return NULL;
	}
	return b;
}

void weft_builder_free(struct weft_builder *b)
{
	if (!b)
		return;
	weft__arena_free(b->strings);
	free(b->node);
	free(b->port);
	free(b->slot);
	free(b->entry);
	free(b);
}

void weft_builder_file(struct weft_builder *b, const char *file)
{
	b->file = file ? weft__arena_string(b->strings, file, strlen(file)) :
			 NULL;
	b->no_memory |= file && !b->file;
}

/*
 * Finds the slot of a GUID in the index of handles: open addressing, at most
 * half full; slots hold handle + 1.
 */
static uint32_t *find_slot(const struct weft_builder *b, uint64_t guid)
{
	uint32_t mask = b->nslots - 1;
	uint32_t i = (guid * 0x9e3779b97f4a7c15u) >> 32;

	for (;; i++) {
		uint32_t *slot = &b->slot[i & mask];

		if (!*slot || b->node[*slot - 1].spec.guid == guid)
			return slot;
	}
}

static bool grow_index(struct weft_builder *b)
{
	uint32_t n = b->nslots ? 2 * b->nslots : 256;
	uint32_t *slot;

	if (2 * (uint64_t)b->nnodes < b->nslots)
		return true;
	slot = calloc(n, sizeof(*slot));
	if (!slot)
		return false;
	free(b->slot);
	b->slot = slot;
	b->nslots = n;
	for (uint32_t i = 0; i < b->nnodes; i++) {
		slot = find_slot(b, b->node[i].spec.guid);
		if (!*slot)
			*slot = i + 1;
	}
	return true;
}

uint32_t weft_builder_node(struct weft_builder *b, enum weft_node_type type,
			   uint64_t guid, unsigned nports)
{
	uint64_t ports_end = (uint64_t)b->nports + nports + 1;
	struct weft__builder_node *node;
	uint32_t *slot;

	if (nports > WEFT_MAX_PORTS)
		return WEFT_NONE;
	if (ports_end >= WEFT_ENDPORT || b->nnodes + 1ull >= WEFT_ENDPORT ||
	    weft__grow(&b->node, &b->node_capacity, b->nnodes + 1ull) ||
	    weft__grow(&b->port, &b->port_capacity, ports_end) ||
	    !grow_index(b)) {
		b->no_memory = true;
		return WEFT_NONE;
	}
	node = &b->node[b->nnodes];
	*node = (struct weft__builder_node){
		.spec = { .guid = guid, .name = "", .type = type,
			  .nports = nports },
		.first_port = b->nports,
	};
	for (; b->nports < ports_end; b->nports++)
		b->port[b->nports] = (struct weft_port_spec){
			.peer = WEFT_NONE };
	slot = find_slot(b, guid);
	b->nnodes++;
	if (!*slot)	/* of two nodes with one GUID the first is found */
		*slot = b->nnodes;
	return b->nnodes - 1;
}

uint32_t weft_builder_find(const struct weft_builder *b, uint64_t guid)
{
	return b->nslots ? *find_slot(b, guid) - 1 : WEFT_NONE;
}

uint32_t weft_builder_count(const struct weft_builder *b)
{
	return b->nnodes;
}

struct weft_node_spec *weft_builder_spec(struct weft_builder *b, uint32_t node)
{
	return &b->node[node].spec;
}

struct weft_port_spec *weft_builder_port(struct weft_builder *b, uint32_t node,
					 unsigned port)
{
	const struct weft__builder_node *n = &b->node[node];

	if (port > n->spec.nports ||
	    (!port && n->spec.type != WEFT_NODE_SWITCH))
		return NULL;
	return &b->port[n->first_port + port];
}

void weft_builder_name(struct weft_builder *b, uint32_t node,
		       const char *name, size_t length)
{
	char *copy = weft__arena_string(b->strings, name, length);

	if (copy)
		b->node[node].spec.name = copy;
	else
		b->no_memory = true;
}

static bool cabled_elsewhere(const struct weft_port_spec *p, uint32_t node,
			     unsigned port)
{
	return p->peer != WEFT_NONE &&
	       (p->peer != node || p->peer_port != port);
}

int weft_builder_link(struct weft_builder *b, uint32_t node_a, unsigned port_a,
		      uint32_t node_b, unsigned port_b, struct weft_rate rate)
{
	struct weft_port_spec *pa = weft_builder_port(b, node_a, port_a);
	struct weft_port_spec *pb = weft_builder_port(b, node_b, port_b);

	if (!pa || !pb || !port_a || !port_b || pa == pb)
		return -EINVAL;
	if (cabled_elsewhere(pa, node_b, port_b) ||
	    cabled_elsewhere(pb, node_a, port_a))
		return -EEXIST;
	pa->peer = node_b;
	pa->peer_port = port_b;
	pb->peer = node_a;
	pb->peer_port = port_a;
	if (rate.width)
		pa->width = pb->width = rate.width;
	if (rate.speed)
		pa->speed = pb->speed = rate.speed;
	return 0;
}

void weft_builder_prefix(struct weft_builder *b, uint64_t prefix)
{
	b->prefix = prefix;
}

void weft_builder_uses(struct weft_builder *b, const char *const *name,
		       uint32_t n)
{
	b->use_name = weft__arena_alloc(b->strings, n, sizeof(*b->use_name));
	for (uint32_t i = 0; b->use_name && i < n; i++)
		b->use_name[i] = weft__arena_string(b->strings, name[i],
						    strlen(name[i]));
	b->nuses = n;
	b->no_memory |= weft__arena_failed(b->strings);
}

void weft_builder_machines(struct weft_builder *b, enum weft_machines_by by)
{
	b->machines_by = by;
}

void weft_builder_router_entry(struct weft_builder *b,
			       const struct weft_router_entry *entry)
{
	if (weft__grow_one(&b->entry, b->nentries)) {
		b->no_memory = true;
		return;
	}
	b->entry[b->nentries++] = *entry;
}
