// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Nodes by the names that a text has for them; see named.h. */
#include "io/topology/named.h"

#include "core/grow.h"

int weft__named_compare(const char *a, size_t na, const char *b, size_t nb)
{
	size_t n = na < nb ? na : nb;
	int order = memcmp(a, b, n);

	return order ? order : (na > nb) - (na < nb);
}

static int by_name(const struct weft__named *a, const struct weft__named *b)
{
	return weft__named_compare(a->name, a->length, b->name, b->length);
}

static int compare_named(const void *pa, const void *pb)
{
	const struct weft__named *a = pa, *b = pb;
	int order = by_name(a, b);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

int weft__named_add(struct weft__by_name *names, struct weft__topology *t,
		    const struct weft__named *named)
{
	if (weft__grow(&names->named, &names->capacity, names->n + 1ull))
		return weft_no_memory(t->diag);
	names->named[names->n++] = *named;
	return 0;
}

void weft__named_free(struct weft__by_name *names)
{
	free(names->named);
}

static int refuse_twins(const struct weft__by_name *names,
			struct weft__topology *t)
{
	for (uint32_t i = 1; i < names->n; i++) {
		const struct weft__named *a = &names->named[i - 1], *b = a + 1;

		if (!by_name(a, b))
			return weft__topology_bad(t, b->line,
				"two nodes are called \"%.*s\", the other one in line %u: give one of them another name",
				(int)(b->length < 64 ? b->length : 64), b->name,
				a->line);
	}
	return 0;
}

const struct weft__named *weft__named_find(const struct weft__by_name *names,
					   const char *name, size_t length)
{
	uint32_t low = 0, high = names->n;

	while (low < high) {
		uint32_t i = low + (high - low) / 2;
		const struct weft__named *at = &names->named[i];
		int order = weft__named_compare(at->name, at->length, name,
						length);

		if (!order)
			return at;
		if (order < 0)
			low = i + 1;
		else
			high = i;
	}
	return NULL;
}

int weft__named_resolve(struct weft__by_name *names, struct weft__topology *t)
{
	int err;

	if (names->n)
		qsort(names->named, names->n, sizeof(*names->named),
		      compare_named);
	err = refuse_twins(names, t);
	for (uint32_t i = 0; i < t->nclaims && !err; i++) {
		struct weft__claim *c = &t->claim[i];
		const struct weft__named *peer = weft__named_find(
			names, c->peer_name, c->peer_name_length);
		const struct weft_node_spec *spec;

		if (!peer)
			return weft__topology_bad(t, c->line,
				"the node at the far end, \"%.*s\", is described nowhere: is its name right, or the file cut?",
				(int)(c->peer_name_length < 64 ?
				      c->peer_name_length : 64), c->peer_name);
		spec = weft_builder_spec(t->builder, peer->node);
		c->peer_guid = spec->guid;
		c->peer_type = spec->type;
		c->peer_name = NULL;
	}
	return err;
}
