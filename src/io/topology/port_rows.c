// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From rows of ports to nodes and claims; see port_rows.h. */
#include "io/topology/port_rows.h"

#include "core/grow.h"
#include "io/topology/topology.h"

#include <inttypes.h>
#include <stdlib.h>

void weft__port_rows_free(struct weft__port_rows *r)
{
	free(r->row);
	free(r->end);
}

static bool room_for_row(struct weft__port_rows *r)
{
	size_t capacity = weft__roomier(r->capacity, r->n + 1ull);

	if (capacity == r->capacity)
		return true;
	if (r->n >= WEFT_ENDPORT - 1u || weft__resize(&r->row, capacity) ||
	    weft__resize(&r->end, 2ull * capacity))
		return false;
	r->capacity = capacity;
	return true;
}

int weft__port_rows_add(struct weft__port_rows *r,
			const struct weft__port_row *row,
			const struct weft__port_end *own,
			const struct weft__port_end *far)
{
	if (!room_for_row(r))
		return weft_no_memory(r->t->diag);
	r->row[r->n] = *row;
	r->end[2 * r->n] = *own;
	r->end[2 * r->n++ + 1] = *far;
	return 0;
}

/* --- ends with one GUID ----------------------------------------------- */

static int compare_guids(const void *pa, const void *pb)
{
	const struct weft__port_end *a = *(struct weft__port_end *const *)pa;
	const struct weft__port_end *b = *(struct weft__port_end *const *)pb;

	if (a->type != b->type)
		return a->type - b->type;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return b->own - a->own;
}

/* Better: of a row with two plain names; else the longer one, as a row is split
 * at the first place possible. */
static bool better_name(const struct weft__port_end *a,
			const struct weft__port_end *b)
{
	if (a->unsure != b->unsure)
		return b->unsure;
	return a->unsure && a->name_length > b->name_length;
}

/* Settles what n ends with one GUID have in common. */
static void settle(struct weft__port_end *const *end, uint32_t n)
{
	const struct weft__port_end *best = end[0];
	unsigned port = best->port;

	for (uint32_t i = 1; i < n; i++) {
		if (better_name(end[i], best))
			best = end[i];
		if (end[i]->port < port)
			port = end[i]->port;
	}
	for (uint32_t i = 0; i < n; i++) {
		end[i]->name = best->name;
		end[i]->name_length = best->name_length;
		end[i]->base = best->type == WEFT_NODE_SWITCH ? best->guid :
							best->guid - port;
	}
}

static void settle_all(struct weft__port_end **end, uint32_t n)
{
	uint32_t next;

	qsort(end, n, sizeof(*end), compare_guids);
	for (uint32_t i = 0; i < n; i = next) {
		for (next = i + 1; next < n &&
		     end[next]->type == end[i]->type &&
		     end[next]->guid == end[i]->guid;)
			next++;
		settle(end + i, next - i);
	}
}

/* --- nodes ------------------------------------------------------------ */

static int compare_names(const struct weft__port_end *a,
			 const struct weft__port_end *b)
{
	uint32_t n = a->name_length < b->name_length ? a->name_length :
						       b->name_length;
	int order = memcmp(a->name, b->name, n);

	return order ? order : (a->name_length > b->name_length) -
			       (a->name_length < b->name_length);
}

/* The ends of one node follow each other; within it by port, own rows first. */
static int compare_ends(const void *pa, const void *pb)
{
	const struct weft__port_end *a = *(struct weft__port_end *const *)pa;
	const struct weft__port_end *b = *(struct weft__port_end *const *)pb;
	int order;

	if (a->type != b->type)
		return a->type - b->type;
	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	order = a->type == WEFT_NODE_SWITCH ? 0 : compare_names(a, b);
	if (order)
		return order;
	if (a->port != b->port)
		return a->port - b->port;
	if (a->own != b->own)
		return b->own - a->own;
	return (a->line > b->line) - (a->line < b->line);
}

static bool same_node(const struct weft__port_end *a,
		      const struct weft__port_end *b)
{
	return a->type == b->type && a->base == b->base &&
	       (a->type == WEFT_NODE_SWITCH || !compare_names(a, b));
}

/* One that states its own LID if there is any: prefer it over the others. */
static const struct weft__port_end *spokesman(struct weft__port_end *const *end,
					      uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (end[i]->own)
			return end[i];
	return end[0];
}

/* Port 0 of a switch, or one port of an adapter: what its n ends say. */
static int add_port(struct weft__topology *t, struct weft__port_end *const *end,
		    uint32_t n, uint32_t node)
{
	const struct weft__port_end *e = spokesman(end, n);
	struct weft__port_facts facts = { .guid = e->guid, .lid = e->lid,
					  .line = e->line };

	for (uint32_t i = 0; i < n; i++)
		if (end[i]->lid != e->lid)
			weft__topology_note(t, WEFT__LID_MISMATCH,
					    end[i]->line);
	return weft__topology_port(t, node, e->type == WEFT_NODE_SWITCH ?
				   0 : e->port, &facts);
}

/* The node that n ends, sorted, belong to. */
static int add_node(struct weft__topology *t, struct weft__port_end *const *end,
		    uint32_t n)
{
	const struct weft__port_end *e = spokesman(end, n);
	struct weft_node_spec spec = { .guid = end[0]->guid, .type = e->type,
				       .nports = end[n - 1]->port,
				       .line = e->line };
	uint32_t node;
	bool again;
	int err = weft__topology_node(t, &spec, &node, &again);

	if (!err && again)
		err = weft__topology_bad(t, e->line, "the GUID 0x%016" PRIx64
			" belongs to another node in line %lu", spec.guid,
			weft_builder_spec(t->builder, node)->line);
	if (err)
		return err;
	weft__topology_name(t, node, e->name, e->name_length);
	if (spec.type == WEFT_NODE_SWITCH) {
		if (!e->own)
			weft__topology_note(t, WEFT__NO_ROWS, e->line);
		err = add_port(t, end, n, node);
	}
	for (uint32_t i = 0, next; i < n && !err; i = next) {
		for (next = i; next < n && end[next]->port == end[i]->port;)
			end[next++]->node = node;
		if (spec.type != WEFT_NODE_SWITCH)
			err = add_port(t, end + i, next - i, node);
	}
	return err;
}

static int add_nodes(struct weft__port_rows *r)
{
	struct weft__port_end **end = malloc((2ull * r->n + 1) * sizeof(*end));
	uint32_t n = 0, next;
	int err = 0;

	if (!end)
		return weft_no_memory(r->t->diag);
	for (uint32_t i = 0; i < r->n; i++) {
		end[n++] = &r->end[2 * i];
		if (r->row[i].cabled)
			end[n++] = &r->end[2 * i + 1];
	}
	settle_all(end, n);
	qsort(end, n, sizeof(*end), compare_ends);
	for (uint32_t i = 0; i < n && !err; i = next) {
		for (next = i + 1; next < n && same_node(end[i], end[next]);)
			next++;
		err = add_node(r->t, end + i, next - i);
	}
	free(end);
	return err;
}

/* --- cables ----------------------------------------------------------- */

/* A row of the end that has none where only switches have any. */
static int add_far_claim(struct weft__port_rows *r,
			 const struct weft__claim *claim, uint32_t row)
{
	const struct weft__port_end *own = &r->end[2 * row], *far = own + 1;
	struct weft__claim back = *claim;

	back.node = far->node;
	back.port = far->port;
	back.peer_guid = weft_builder_spec(r->t->builder, own->node)->guid;
	back.peer_type = own->type;
	back.peer_port = own->port;
	back.peer_port_guid = own->guid;
	return weft__topology_claim(r->t, &back);
}

static int add_claim(struct weft__port_rows *r, uint32_t row, bool both)
{
	const struct weft__port_end *own = &r->end[2 * row], *far = own + 1;
	struct weft__claim claim = {
		.node = own->node, .port = own->port, .line = own->line,
		.peer_guid = weft_builder_spec(r->t->builder, far->node)->guid,
		.peer_type = far->type, .peer_port = far->port,
		.peer_port_guid = far->guid,
		.peer_lid = WEFT__UNSAID,	/* compared already */
		.width = r->row[row].width, .speed = r->row[row].speed,
	};
	int err = weft__topology_claim(r->t, &claim);

	if (err || !both || far->type == WEFT_NODE_SWITCH)
		return err;
	return add_far_claim(r, &claim, row);
}

static int add_claims(struct weft__port_rows *r)
{
	bool switches_only = r->may_be_switches_only;
	int err = 0;

	for (uint32_t i = 0; i < r->n; i++)
		switches_only &= r->end[2 * i].type == WEFT_NODE_SWITCH;
	for (uint32_t i = 0; i < r->n && !err; i++)
		if (r->row[i].cabled)
			err = add_claim(r, i, switches_only);
	return err;
}

int weft__port_rows_finish(struct weft__port_rows *r)
{
	int err = add_nodes(r);

	return err ? err : add_claims(r);
}
