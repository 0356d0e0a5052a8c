// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A fabric as JSON; the keys are described in weft-formats(5). */
#include <weft/io.h>

#include "io/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

/* JSON numbers are doubles to many readers: GUIDs are strings. */
static json_t *guid_json(uint64_t guid)
{
	return json_sprintf("0x%016" PRIx64, guid);
}

static json_t *name_json(const char *name)
{
	char *copy = weft__utf8_copy(name);
	json_t *json = copy ? json_string(copy) : NULL;

	free(copy);
	return json;
}

static json_t *switch_json(const struct weft_switch *sw)
{
	return json_pack("{so so so so si si si sb sI sI}",
			 "guid", guid_json(sw->guid),
			 "port_guid", guid_json(sw->port_guid),
			 "system_guid", guid_json(sw->system_guid),
			 "name", name_json(sw->name),
			 "lid", sw->lid, "lmc", sw->lmc, "ports", sw->nports,
			 "enhanced", sw->enhanced,
			 "vendor", (json_int_t)sw->vendor,
			 "device", (json_int_t)sw->device);
}

static json_t *endport_json(const struct weft_fabric *f, uint32_t e)
{
	static const char *const kind[] = {
		[WEFT_HOST] = "host", [WEFT_AGGREGATION] = "aggregation",
		[WEFT_ROUTER] = "router",
	};
	const struct weft_endport *ep = &f->ep[e];
	const struct weft_node *node = &f->node[ep->node];

	return json_pack("{so so so ss si si si so si}",
			 "guid", guid_json(ep->guid),
			 "node_guid", guid_json(node->guid),
			 "name", name_json(node->name),
			 "kind", kind[ep->kind], "port", ep->port,
			 "lid", ep->lid, "lmc", ep->lmc,
			 "switch", guid_json(f->sw[ep->sw].guid),
			 "switch_port", ep->sw_port);
}

/* A cable, told from the end of channel ch. */
static json_t *link_json(const struct weft_fabric *f, uint32_t sw,
			 unsigned port, uint32_t ch)
{
	uint32_t peer = f->peer[ch];
	uint64_t guid = weft_is_switch(peer) ? f->sw[peer].guid :
		f->ep[peer & ~WEFT_ENDPORT].guid;

	return json_pack("{so si so si si ss sI}",
			 "from", guid_json(f->sw[sw].guid), "from_port", port,
			 "to", guid_json(guid), "to_port", f->peer_port[ch],
			 "width", f->width[ch],
			 "speed", weft_speed_name(f->speed[ch]),
			 "mbps", (json_int_t)f->capacity[ch]);
}

static int append(json_t *array, json_t *item)
{
	return json_array_append_new(array, item);
}

static int add_links(json_t *links, const struct weft_fabric *f)
{
	int err = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);

			if (f->peer[ch] != WEFT_NONE && f->reverse[ch] > ch)
				err |= append(links, link_json(f, s, p, ch));
		}
	}
	return err;
}

/* NULL without memory. */
static json_t *fabric_json(const struct weft_fabric *f)
{
	json_t *switches = json_array(), *endports = json_array();
	json_t *links = json_array();
	json_t *root = json_pack("{so so so}", "switches", switches,
				 "endports", endports, "links", links);
	int err = root ? 0 : -1;

	for (uint32_t s = 0; s < f->nsw && !err; s++)
		err = append(switches, switch_json(&f->sw[s]));
	for (uint32_t e = 0; e < f->nep && !err; e++)
		err = append(endports, endport_json(f, e));
	if (!err)
		err = add_links(links, f);
	if (!err)
		return root;
	json_decref(root);
	return NULL;
}

int weft_io_write_fabric_json(FILE *out, const struct weft_fabric *fabric,
			      struct weft_diag *diag)
{
	json_t *root = fabric_json(fabric);

	if (!root)
		return weft_no_memory(diag);
	json_dumpf(root, out, JSON_INDENT(1));
	json_decref(root);
	putc('\n', out);
	return weft__finish_output(out, diag);
}
