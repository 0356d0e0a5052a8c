// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Nets: room, switches, cables; see net.h. */
#include "gen/net.h"

#include <weft/rng.h>

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

int weft__net_reserve(struct weft__net *net, const struct weft__gen_spec *spec,
		      uint64_t nsw, uint64_t ncables, struct weft_diag *diag)
{
	if (nsw > WEFT_MAX_LID)
		return weft__gen_error(spec, diag, ERANGE,
			"%" PRIu64
			"%s switches are too many: each needs a LID and LIDs end at %u",
			nsw,
			nsw == UINT64_MAX ? " or more" : "", WEFT_MAX_LID);
	/* Ports of switches bound this; families check their radix first. */
	assert(ncables <= (uint64_t)WEFT_MAX_LID * WEFT_MAX_PORTS / 2);
	net->sw = calloc(nsw + 1, sizeof(*net->sw));
	net->leaf = calloc(nsw + 1, sizeof(*net->leaf));
	net->cable = calloc(ncables + 1, sizeof(*net->cable));
	if (!net->sw || !net->leaf || !net->cable)
		return weft_no_memory(diag);
	net->max_sw = nsw;
	net->max_cables = ncables;
	net->unit = 1;
	net->row = UINT32_MAX;
	return 0;
}

void weft__net_free(struct weft__net *net)
{
	free(net->sw);
	free(net->cable);
	free(net->leaf);
	free(net->port);
}

int weft__net_radix(const struct weft__gen_spec *spec, uint64_t nports,
		    struct weft_diag *diag)
{
	if (nports <= WEFT_MAX_PORTS)
		return 0;
	return weft__gen_error(spec, diag, ERANGE,
			       "a switch would need %" PRIu64
			       "%s ports, %u is the most", nports,
			       nports == UINT64_MAX ? " or more" : "",
			       WEFT_MAX_PORTS);
}

uint32_t weft__net_switch(struct weft__net *net, enum weft_role role,
			  unsigned nports, const char *format, ...)
{
	struct weft__net_switch *sw = &net->sw[net->nsw];
	va_list ap;

	assert(net->nsw < net->max_sw && nports <= WEFT_MAX_PORTS);
	sw->role = role;
	sw->nports = nports;
	va_start(ap, format);
	vsnprintf(sw->name, sizeof(sw->name), format, ap);
	va_end(ap);
	return net->nsw++;
}

void weft__net_leaf(struct weft__net *net, uint32_t sw, unsigned capacity)
{
	assert(!net->sw[sw].used && capacity <= net->sw[sw].nports);
	net->sw[sw].used = capacity;
	net->leaf[net->nleaves].sw = sw;
	net->leaf[net->nleaves].capacity = capacity;
	net->nleaves++;
}

void weft__net_cable_ports(struct weft__net *net, uint32_t a, unsigned port_a,
			   uint32_t b, unsigned port_b)
{
	assert(net->ncables < net->max_cables);
	assert(port_a <= net->sw[a].nports && port_b <= net->sw[b].nports);
	net->cable[net->ncables++] = (struct weft__net_cable){
		.a = a, .b = b, .port_a = port_a, .port_b = port_b };
}

static uint8_t next_port(struct weft__net_switch *sw)
{
	assert(sw->used < sw->nports);
	return ++sw->used;
}

void weft__net_cable(struct weft__net *net, uint32_t a, uint32_t b)
{
	unsigned port_a = next_port(&net->sw[a]);

	weft__net_cable_ports(net, a, port_a, b, next_port(&net->sw[b]));
}

void weft__net_cables(struct weft__net *net, uint32_t a, uint32_t b,
		      uint32_t n)
{
	while (n--)
		weft__net_cable(net, a, b);
}

struct weft_rng *weft__net_rng(const struct weft__gen_spec *spec,
			       enum weft__net_purpose purpose)
{
	struct weft_rng *rng = weft_rng_new(0);

	if (rng)
		weft_rng_seed_sample(rng, weft__gen_get(spec, WEFT__GEN_SEED),
				     purpose);
	return rng;
}
