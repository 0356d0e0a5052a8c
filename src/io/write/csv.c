// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The channels of a fabric as comma-separated values. */
#include <weft/io.h>

#include "io/text.h"

#include <inttypes.h>

static void put_end(FILE *out, uint64_t guid, const char *name, unsigned port)
{
	fprintf(out, "0x%016" PRIx64 ",", guid);
	weft__put_csv_field(out, name);
	fprintf(out, ",%u,", port);
}

/* An end of a channel: a switch, or the node of an endport. */
static void put_vertex(FILE *out, const struct weft_fabric *f, uint32_t vertex,
		       unsigned port)
{
	const struct weft_node *node;

	if (weft_is_switch(vertex)) {
		put_end(out, f->sw[vertex].guid, f->sw[vertex].name, port);
		return;
	}
	node = &f->node[f->ep[vertex & ~WEFT_ENDPORT].node];
	put_end(out, node->guid, node->name, port);
}

static void put_rate(FILE *out, const struct weft_fabric *f, uint32_t ch)
{
	fprintf(out, "%u,%s,%u", f->width[ch], weft_speed_name(f->speed[ch]),
		f->capacity[ch]);
}

/* The channel from a switch. */
static void put_channel(FILE *out, const struct weft_fabric *f, uint32_t s,
			uint32_t ch)
{
	put_vertex(out, f, s, ch - f->first_channel[s]);
	put_vertex(out, f, f->peer[ch], f->peer_port[ch]);
	put_rate(out, f, ch);
}

static const char *type_of(const struct weft_fabric *f, uint32_t vertex)
{
	static const char *const name[] = {
		[WEFT_HOST] = "host",
		[WEFT_AGGREGATION] = "aggregation",
		[WEFT_ROUTER] = "router",
	};

	return weft_is_switch(vertex) ?
		       "switch" :
		       name[f->ep[vertex & ~WEFT_ENDPORT].kind];
}

#define HEADER                                                                 \
	"from_guid,from_name,from_port,to_guid,to_name,to_port,width,speed,"   \
	"mbps"

int weft_io_write_links_csv(FILE *out, const struct weft_fabric *fabric,
			    const uint64_t *load, struct weft_diag *diag)
{
	const struct weft_fabric *f = fabric;

	fprintf(out, HEADER "%s\n", load ? ",load" : "");
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			put_channel(out, f, s, f->adj[i]);
			if (load)
				fprintf(out, ",%" PRIu64, load[f->adj[i]]);
			putc('\n', out);
		}
	return weft__finish_output(out, diag);
}

/* Both directions of an endport's cable. */
static void put_endport(FILE *out, const struct weft_fabric *f, uint32_t e)
{
	const struct weft_endport *ep = &f->ep[e];
	uint32_t down = weft_channel(f, ep->sw, ep->sw_port);
	const char *type = type_of(f, e | WEFT_ENDPORT);

	put_vertex(out, f, e | WEFT_ENDPORT, ep->port);
	put_vertex(out, f, ep->sw, ep->sw_port);
	put_rate(out, f, f->reverse[down]);
	fprintf(out, ",%s,switch\n", type);
	put_channel(out, f, ep->sw, down);
	fprintf(out, ",switch,%s\n", type);
}

int weft_io_write_channels_csv(FILE *out, const struct weft_fabric *fabric,
			       struct weft_diag *diag)
{
	const struct weft_fabric *f = fabric;

	fputs(HEADER ",from_type,to_type\n", out);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			put_channel(out, f, s, f->adj[i]);
			fputs(",switch,switch\n", out);
		}
	for (uint32_t e = 0; e < f->nep; e++)
		put_endport(out, f, e);
	return weft__finish_output(out, diag);
}
