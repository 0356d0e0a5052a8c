// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fabrics as graphs: GraphML, tables of nodes and of cables. */
#include "page/markup.h"
#include "tools/export/export.h"

#include <weft/rails.h>

#include <inttypes.h>

/* Calls for each cable once, by the channel of a switch. */
static void each_cable(const struct weft_fabric *f,
		       void (*call)(const struct weft_fabric *f, uint32_t s,
				    unsigned port, FILE *out),
		       FILE *out)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t c = weft_channel(f, s, p), peer = f->peer[c];

			if (peer == WEFT_NONE ||
			    (weft_is_switch(peer) &&
			     (peer < s || (peer == s && f->peer_port[c] < p))))
				continue;
			call(f, s, p, out);
		}
}

/* --- GraphML -------------------------------------------------------------- */

static const char *kind_name(uint8_t kind)
{
	return kind == WEFT_ROUTER ? "router" :
		kind == WEFT_AGGREGATION ? "aggregation" : "host";
}

static void graphml_node(const char *id, uint32_t n, const char *type,
			 uint64_t guid, const char *name, FILE *out)
{
	fprintf(out, "    <node id=\"%s%" PRIu32
		"\"><data key=\"type\">%s</data><data key=\"guid\">0x%016" PRIx64
		"</data><data key=\"name\">", id, n, type, guid);
	weft__put_markup(out, name);
	fputs("</data>", out);
}

static void graphml_edge(const struct weft_fabric *f, uint32_t s, unsigned port,
			 FILE *out)
{
	uint32_t c = weft_channel(f, s, port), peer = f->peer[c];
	bool sw = weft_is_switch(peer);
	uint32_t to = sw ? peer : f->ep[peer & ~WEFT_ENDPORT].node;

	fprintf(out, "    <edge source=\"s%" PRIu32 "\" target=\"%s%" PRIu32
		"\"><data key=\"source_port\">%u</data><data key=\"target_port\">%u</data><data key=\"width\">%u</data><data key=\"speed\">%s</data><data key=\"gbit\">%g</data></edge>\n",
		s,
		sw ? "s" : "n", to, port, f->peer_port[c], f->width[c],
		weft_speed_name(f->speed[c]), f->capacity[c] / 1e3);
}

void tool_export_graphml(const struct weft_fabric *f, FILE *out)
{
	static const struct { const char *id, *of, *type; } key[] = {
		{ "type", "node", "string" }, { "guid", "node", "string" },
		{ "name", "node", "string" }, { "lid", "node", "int" },
		{ "ports", "node", "int" }, { "source_port", "edge", "int" },
		{ "target_port", "edge", "int" }, { "width", "edge", "int" },
		{ "speed", "edge", "string" }, { "gbit", "edge", "double" },
	};

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
	      out);
	for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++)
		fprintf(out,
			"  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
			key[i].id, key[i].of,
			key[i].id, key[i].type);
	fputs("  <graph id=\"fabric\" edgedefault=\"undirected\">\n", out);
	for (uint32_t s = 0; s < f->nsw; s++) {
		graphml_node("s", s, "switch", f->sw[s].guid, f->sw[s].name,
			     out);
		fprintf(out,
			"<data key=\"lid\">%u</data><data key=\"ports\">%u</data></node>\n",
			f->sw[s].lid, f->sw[s].nports);
	}
	for (uint32_t n = 0; n < f->nnodes; n++) {
		uint32_t e = f->node_endport[f->node[n].first_endport];

		graphml_node("n", n, kind_name(f->node[n].kind),
			     f->node[n].guid, f->node[n].name, out);
		fprintf(out,
			"<data key=\"lid\">%u</data><data key=\"ports\">%u</data></node>\n",
			f->node[n].nendports ?
			f->ep[e].lid : 0, f->node[n].nports);
	}
	each_cable(f, graphml_edge, out);
	fputs("  </graph>\n</graphml>\n", out);
}

/* --- CSV ------------------------------------------------------------------ */

static void csv_end(const struct weft_fabric *f, uint32_t vertex, unsigned port,
		    FILE *out)
{
	fprintf(out, "%s,0x%016" PRIx64 ",", weft_is_switch(vertex) ? "switch" :
		kind_name(f->ep[vertex & ~WEFT_ENDPORT].kind),
		weft_is_switch(vertex) ? f->sw[vertex].guid :
		f->node[f->ep[vertex & ~WEFT_ENDPORT].node].guid);
	tool_text_csv(out, tool_vertex_name(f, vertex));
	fprintf(out, "%u,%u,", tool_vertex_lid(f, vertex), port);
}

static void csv_cable(const struct weft_fabric *f, uint32_t s, unsigned port,
		      FILE *out)
{
	uint32_t c = weft_channel(f, s, port);

	csv_end(f, s, port, out);
	csv_end(f, f->peer[c], f->peer_port[c], out);
	fprintf(out, "%u,%s,%g\n", f->width[c], weft_speed_name(f->speed[c]),
		f->capacity[c] / 1e3);
}

void tool_export_cables(const struct weft_fabric *f, FILE *out)
{
	fputs("type_a,guid_a,name_a,lid_a,port_a,type_b,guid_b,name_b,lid_b,port_b,width,speed,gbit\n",
	      out);
	each_cable(f, csv_cable, out);
}

void tool_export_nodes(const struct weft_fabric *f, FILE *out)
{
	fputs("type,guid,name,lid,lmc,port,ports,system_guid,machine,rail,kind\n", out);
	for (uint32_t s = 0; s < f->nsw; s++) {
		fprintf(out, "switch,0x%016" PRIx64 ",", f->sw[s].guid);
		tool_text_csv(out, f->sw[s].name);
		fprintf(out, "%u,%u,0,%u,0x%016" PRIx64 ",,,\n", f->sw[s].lid,
			f->sw[s].lmc, f->sw[s].nports, f->sw[s].system_guid);
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_node *n = &f->node[f->ep[e].node];
		char machine[160];

		fprintf(out, "%s,0x%016" PRIx64 ",", kind_name(n->kind),
			n->guid);
		tool_text_csv(out, n->name);
		fprintf(out, "%u,%u,%u,%u,0x%016" PRIx64 ",", f->ep[e].lid,
			f->ep[e].lmc, f->ep[e].port, n->nports,
			n->system_guid);
		tool_text_csv(out, weft_machine_name(f, f->ep[e].machine,
						     machine, sizeof(machine)));
		fprintf(out, "%u,%s\n", f->ep[e].rail,
			f->use_name[f->ep[e].use]);
	}
}
