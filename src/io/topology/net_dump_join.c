// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From the rows of ibdiagnet2.net_dump to nodes and claims; see net_dump.h. */
#include "io/topology/net_dump.h"

#include "io/topology/topology.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- nodes ------------------------------------------------------------ */

/* Switches are added first: the handle of a block's is its index. */
static int add_switch(struct weft__net_dump *d, uint32_t i)
{
	const struct weft__dump_block *b = &d->block[i];
	struct weft_node_spec spec = { .guid = b->guid, .line = b->line,
				       .type = WEFT_NODE_SWITCH };
	struct weft__port_facts facts = { .guid = b->guid, .lid = b->lid,
					  .line = b->line };
	uint32_t node;
	bool again;
	int err;

	for (uint32_t row = b->first; row < b[1].first; row++)
		if (d->row[row].port > spec.nports)
			spec.nports = d->row[row].port;
	if (!spec.nports)
		return weft__topology_bad(d->t, b->line,
			"a switch without ports: was the file cut?");
	err = weft__topology_node(d->t, &spec, &node, &again);
	if (!err && again)
		err = weft__topology_bad(d->t, b->line, "the switch 0x%016" PRIx64 " has a heading already, in line %lu", b->guid,
			weft_builder_spec(d->t->builder, node)->line);
	if (err)
		return err;
	weft__topology_name(d->t, node, b->name.p, b->name.length);
	return weft__topology_port(d->t, node, 0, &facts);
}

static int compare_adapters(const void *pa, const void *pb)
{
	const struct weft__dump_row *a = *(struct weft__dump_row *const *)pa;
	const struct weft__dump_row *b = *(struct weft__dump_row *const *)pb;

	if (a->far_guid != b->far_guid)
		return a->far_guid < b->far_guid ? -1 : 1;
	if (a->far_port != b->far_port)
		return a->far_port - b->far_port;
	return (a->line > b->line) - (a->line < b->line);
}

/* Ports with one number are the planes of one port: they share GUID and LID,
 * and get numbers of their own. */
static bool number_planes(struct weft__dump_row **row, uint32_t n)
{
	bool planes = false;

	for (uint32_t i = 1; i < n; i++)
		planes |= row[i]->far_port == row[i - 1]->far_port;
	for (uint32_t i = 0; i < n && planes; i++)
		row[i]->far_port = (uint8_t)(i < WEFT_MAX_PORTS ? i + 1 : 0);
	return planes;
}

/* The adapter that n rows, sorted, lead to. */
static int add_adapter(struct weft__net_dump *d, struct weft__dump_row **row,
		       uint32_t n)
{
	bool planes = number_planes(row, n), again;
	struct weft_node_spec spec = {
		.guid = row[0]->far_guid, .type = WEFT_NODE_CA,
		.nports = row[n - 1]->far_port, .line = row[0]->line,
	};
	uint32_t node;
	int err = weft__topology_node(d->t, &spec, &node, &again);

	if (err)
		return err;
	weft__topology_name(d->t, node, row[0]->far_name.p,
			    row[0]->far_name.length);
	for (uint32_t i = 0; i < n && !err; i++) {
		struct weft__port_facts facts = {
			.guid = planes ? spec.guid : 0, .lid = row[i]->far_lid,
			.line = row[i]->line,
		};

		if (!row[i]->far_port)
			return weft__net_dump_bad_label(d, row[i],
				"the number of a port");
		row[i]->far_node = node;
		err = weft__topology_port(d->t, node, row[i]->far_port,
					  &facts);
	}
	return err;
}

static int add_adapters(struct weft__net_dump *d)
{
	struct weft__dump_row **row = malloc((d->nrows + 1ull) * sizeof(*row));
	uint32_t n = 0, next;
	int err = 0;

	if (!row)
		return weft_no_memory(d->t->diag);
	for (uint32_t i = 0; i < d->nrows; i++) {
		struct weft__dump_row *a = &d->row[i];

		a->far_node = weft_builder_find(d->t->builder, a->far_guid);
		if (a->far_guid && a->far_node == WEFT_NONE)
			row[n++] = a;
	}
	qsort(row, n, sizeof(*row), compare_adapters);
	for (uint32_t i = 0; i < n && !err; i = next) {
		for (next = i + 1; next < n &&
		     row[next]->far_guid == row[i]->far_guid;)
			next++;
		err = add_adapter(d, row + i, next - i);
	}
	free(row);
	return err;
}

/* --- cables ----------------------------------------------------------- */

/* The port of a switch that has that label; 0 = none. */
static uint8_t port_labelled(const struct weft__net_dump *d, uint32_t block,
			     const struct weft__dump_text *label)
{
	for (uint32_t i = d->block[block].first;
	     i < d->block[block + 1].first; i++) {
		const struct weft__dump_row *row = &d->row[i];

		if (row->label.length == label->length &&
		    !memcmp(row->label.p, label->p, label->length))
			return row->port;
	}
	return 0;
}

static int add_claims(struct weft__net_dump *d, uint32_t block,
		      struct weft__dump_row *row)
{
	bool adapter = row->far_node >= d->nblocks;
	struct weft__claim claim = {
		.node = block, .port = row->port, .line = row->line,
		.peer_guid = row->far_guid, .peer_lid = row->far_lid,
		.peer_type = adapter ? WEFT_NODE_CA : WEFT_NODE_SWITCH,
		.width = row->width, .speed = row->speed,
	}, back;
	int err;

	if (!adapter)
		row->far_port = port_labelled(d, row->far_node,
					      &row->far_label);
	if (!row->far_port)
		return weft__net_dump_bad_label(d, row,
			"the label of a port of that switch");
	claim.peer_port = row->far_port;
	err = weft__topology_claim(d->t, &claim);
	if (err || !adapter)
		return err;
	back = claim;
	back.node = row->far_node;
	back.port = row->far_port;
	back.peer_guid = d->block[block].guid;
	back.peer_lid = d->block[block].lid;
	back.peer_type = WEFT_NODE_SWITCH;
	back.peer_port = row->port;
	return weft__topology_claim(d->t, &back);
}

int weft__net_dump_finish(struct weft__net_dump *d)
{
	int err = 0;

	if (!d->nblocks)
		return weft__topology_bad(d->t, 0,
			"no switch is described: is the file cut?");
	d->block[d->nblocks].first = d->nrows;
	for (uint32_t i = 0; i < d->nblocks && !err; i++)
		err = add_switch(d, i);
	if (!err)
		err = add_adapters(d);
	for (uint32_t b = 0; b < d->nblocks; b++)
		for (uint32_t i = d->block[b].first;
		     i < d->block[b + 1].first && !err; i++)
			if (d->row[i].far_guid)
				err = add_claims(d, b, &d->row[i]);
	return err;
}
