// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "proof_random.h"

#include <stdlib.h>
#include <string.h>

/* One in n. */
static bool chance(struct weft_rng *rng, uint32_t n)
{
	return !weft_rng_below(rng, n);
}

/* Any port of the node that has no cable yet; 0 = none is left. */
static unsigned free_port(struct weft_rng *rng, struct weft_builder *b,
			  uint32_t node)
{
	unsigned nports = weft_builder_spec(b, node)->nports;
	unsigned start = weft_rng_below(rng, nports);

	for (unsigned i = 0; i < nports; i++) {
		unsigned port = 1 + (start + i) % nports;

		if (weft_builder_port(b, node, port)->peer == WEFT_NONE)
			return port;
	}
	return 0;
}

static void cable(struct weft_rng *rng, struct weft_builder *b, uint32_t x,
		  uint32_t y)
{
	unsigned px = free_port(rng, b, x), py;

	do {
		py = free_port(rng, b, y);
	} while (x == y && px == py);
	if (px && py &&
	    weft_builder_link(b, x, px, y, py,
			      (struct weft_rate){ 4, WEFT_EDR }))
		abort();
}

static void cable_shape(struct weft_rng *rng, struct weft_builder *b,
			enum random_shape shape, uint32_t n)
{
	uint32_t side = 1 + weft_rng_below(rng, n), cut = n / 2;

	for (uint32_t s = 0; s < n; s++) {
		if (shape == SHAPE_TREE && s)
			cable(rng, b, s, s < 3 ? 0 : 1 + s % 2);
		if (shape == SHAPE_TREE && s > 2)
			cable(rng, b, s, 2 - s % 2);
		if (shape == SHAPE_GRAPH && s)
			cable(rng, b, s, weft_rng_below(rng, s));
		if (shape == SHAPE_GRAPH)
			cable(rng, b, s, (s + 1 + weft_rng_below(rng, n)) % n);
		if ((shape == SHAPE_LINE || shape == SHAPE_RING ||
		     (shape == SHAPE_PARTS && s != cut)) && s)
			cable(rng, b, s, s - 1);
		if (shape == SHAPE_TORUS && n > 1 && (s + 1) % n != s)
			cable(rng, b, s, (s + 1) % n);
		if (shape == SHAPE_TORUS && (s + side) % n != s)
			cable(rng, b, s, (s + side) % n);
		if (chance(rng, 8))
			cable(rng, b, s, s ? s - 1 : s);
		if (chance(rng, 10))
			cable(rng, b, s, s);
	}
	if (shape == SHAPE_RING && n > 2)
		cable(rng, b, n - 1, 0);
}

/* LIDs in random order, each range aligned to its LMC. */
static void set_lids(struct weft_rng *rng, struct weft_builder *b)
{
	uint32_t n = weft_builder_count(b);
	uint32_t *slot = need(malloc(n * sizeof(*slot)));

	for (uint32_t i = 0; i < n; i++)
		slot[i] = 4 * (i + 1);
	weft_rng_shuffle(rng, slot, n);
	for (uint32_t i = 0; i < n; i++) {
		bool is_switch = weft_builder_spec(b, i)->type ==
			WEFT_NODE_SWITCH;
		struct weft_port_spec *p = weft_builder_port(b, i, !is_switch);

		p->lid = chance(rng, 12) ? 0 : slot[i];
		p->lmc = is_switch ? 0 : weft_rng_below(rng, 3);
		if (!p->lmc)
			p->lid += p->lid ? weft_rng_below(rng, 4) : 0;
	}
	free(slot);
}

static struct weft_fabric *finish(struct weft_builder *b)
{
	struct weft_fabric *f = NULL;

	if (weft_builder_finish(b, &f, NULL) || weft_fabric_check(f, NULL))
		abort();
	weft_builder_free(b);
	return f;
}

struct weft_fabric *random_fabric(struct weft_rng *rng,
				  enum random_shape shape, uint32_t nsw)
{
	struct weft_builder *b = need(weft_builder_new());
	uint32_t *guid = need(malloc(nsw * sizeof(*guid)));
	unsigned next = 0;

	for (uint32_t s = 0; s < nsw; s++)
		guid[s] = s;
	weft_rng_shuffle(rng, guid, nsw);
	for (uint32_t s = 0; s < nsw; s++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x1000 + guid[s],
				  chance(rng, 4) ? 70 : 12);
	cable_shape(rng, b, shape, nsw);
	for (uint32_t s = 0; s < nsw; s++) {
		for (unsigned i = weft_rng_below(rng, 4); i; i--) {
			bool router = chance(rng, 8);
			uint32_t e = weft_builder_node(b, router ?
				WEFT_NODE_ROUTER : WEFT_NODE_CA,
				0x2000 + next++, 1);

			weft_builder_spec(b, e)->aggregation = !router &&
				chance(rng, 8);
			cable(rng, b, e, s);
		}
	}
	set_lids(rng, b);
	free(guid);
	return finish(b);
}

struct weft_fabric *plain_fabric(uint32_t nsw, uint32_t nhosts,
				 const unsigned (*cables)[2], unsigned n)
{
	struct weft_builder *b = need(weft_builder_new());
	uint8_t *used = need(calloc(nsw + 1, 1));
	char name[32];

	for (uint32_t i = 0; i < nsw + nhosts; i++) {
		bool is_switch = i < nsw;

		snprintf(name, sizeof(name), is_switch ? "sw%u" : "host%u",
			 is_switch ? i : i - nsw);
		weft_builder_node(b, is_switch ? WEFT_NODE_SWITCH :
				  WEFT_NODE_CA, 0x100 + i, is_switch ? 12 : 1);
		weft_builder_name(b, i, name, strlen(name));
		weft_builder_port(b, i, !is_switch)->lid = i + 1;
		if (!is_switch)
			weft_builder_link(b, i, 1, i - nsw, ++used[i - nsw],
					  (struct weft_rate){ 4, WEFT_EDR });
	}
	for (unsigned i = 0; i < n; i++) {
		unsigned x = cables[i][0], y = cables[i][1];
		unsigned px = ++used[x], py = ++used[y];

		if (weft_builder_link(b, x, px, y, py,
				      (struct weft_rate){ 4, WEFT_EDR }))
			abort();
	}
	free(used);
	return finish(b);
}

/* Hops to goal by relaxing until nothing changes; over a random spanning tree
 * only when parent is given. */
static void relax(const struct weft_fabric *f, const uint32_t *parent,
		  uint32_t goal, uint32_t *hops)
{
	bool changed = true;

	memset(hops, 0xff, f->nsw * sizeof(*hops));
	hops[goal] = 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
			uint32_t t = f->peer[f->adj[i]];
			uint32_t s = f->peer[f->reverse[f->adj[i]]];

			if (parent && parent[s] != t && parent[t] != s)
				continue;
			if (hops[t] != WEFT_NONE && hops[t] + 1 < hops[s]) {
				hops[s] = hops[t] + 1;
				changed = true;
			}
		}
	}
}

/* Each switch's way to switch 0, lowest ids first; enough of a tree. */
static void span(const struct weft_fabric *f, uint32_t *hops,
		 uint32_t *parent)
{
	relax(f, NULL, 0, hops);
	for (uint32_t s = 0; s < f->nsw; s++) {
		parent[s] = WEFT_NONE;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t t = f->peer[f->adj[i]];

			if (hops[s] != WEFT_NONE && hops[t] + 1 == hops[s])
				parent[s] = t;
		}
	}
}

static uint8_t good_port(struct weft_rng *rng, const struct weft_fabric *f,
			 const uint32_t *parent, const uint32_t *hops,
			 uint32_t s, uint32_t owner)
{
	uint8_t port = WEFT_NO_PORT;
	unsigned seen = 0;

	if (!hops[s])
		return weft_is_switch(owner) ? 0 :
			f->ep[owner & ~WEFT_ENDPORT].sw_port;
	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t t = f->peer[f->adj[i]];

		if (hops[s] == WEFT_NONE || hops[t] + 1 != hops[s] ||
		    (parent && parent[s] != t && parent[t] != s))
			continue;
		if (chance(rng, ++seen))
			port = f->adj[i] - f->first_channel[s];
	}
	return port;
}

static uint8_t bad_port(struct weft_rng *rng, const struct weft_fabric *f,
			uint32_t s)
{
	if (chance(rng, 5))
		return WEFT_NO_PORT;
	if (chance(rng, 10))
		return weft_rng_below(rng, 256);
	if (chance(rng, 2) && f->adj_first[s] < f->adj_first[s + 1]) {
		uint32_t n = f->adj_first[s + 1] - f->adj_first[s];

		return f->adj[f->adj_first[s] + weft_rng_below(rng, n)] -
			f->first_channel[s];
	}
	return weft_rng_below(rng, f->sw[s].nports + 1u);
}

void random_routes(struct weft_rng *rng, const struct weft_fabric *f,
		   enum random_tables tables, struct weft_routes *routes)
{
	uint32_t *hops = need(malloc((f->nsw + 1) * sizeof(*hops)));
	uint32_t *parent = need(malloc((f->nsw + 1) * sizeof(*parent)));
	uint32_t max = tables == TABLES_SHORT ? f->max_lid / 2 : f->max_lid;

	if (weft_lft_init(&routes->lft, f->nsw, max))
		abort();
	weft_layers_init(&routes->layers);
	span(f, hops, parent);
	for (unsigned lid = 1; lid <= max; lid++) {
		uint32_t owner = f->lid_owner[lid];
		const uint32_t *tree = tables == TABLES_SPANNING ? parent :
			NULL;

		if (owner != WEFT_NONE)
			relax(f, tree, weft_vertex_switch(f, owner), hops);
		for (uint32_t s = 0; s < f->nsw; s++) {
			bool bad = owner == WEFT_NONE ||
				tables == TABLES_GARBAGE ||
				(tables == TABLES_HOLED && chance(rng, 12));

			weft_lft_row(&routes->lft, s)[lid] =
				bad ? bad_port(rng, f, s) :
				good_port(rng, f, tree, hops, s, owner);
		}
	}
	free(hops);
	free(parent);
}

/* Gives every switch two kinds of input ports. */
static void make_alike(const struct weft_fabric *f, struct weft_layers *y)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		size_t row = (f->sw[s].nports + 1u) * WEFT_NSL;
		uint8_t *vl = y->sl2vl + y->base[s] * WEFT_NSL;

		for (unsigned in = 2; in <= f->sw[s].nports; in++)
			memcpy(vl + in * row, vl + in % 2 * row, row);
	}
}

/* n random bytes below limit, now and then VL 15. */
static uint8_t *random_bytes(struct weft_rng *rng, size_t n, uint32_t limit,
			     bool drops)
{
	uint8_t *bytes = need(malloc(n + 1));

	for (size_t i = 0; i < n; i++)
		bytes[i] = drops && chance(rng, 40) ? WEFT_VL_DROP :
			weft_rng_below(rng, limit);
	return bytes;
}

static void random_table(struct weft_rng *rng, const struct weft_fabric *f,
			 struct weft_layers *y, uint32_t nsl)
{
	size_t size = 0;

	y->sl = weft_rng_below(rng, nsl);
	y->nsw = f->nsw;
	y->nep = f->nep;
	y->max_lid = f->max_lid;
	if (y->form == WEFT_SL_DESTINATION)
		size = y->max_lid + 1;
	if (y->form == WEFT_SL_SWITCH_PAIR)
		size = y->nsw * y->nsw;
	if (y->form == WEFT_SL_ENDPORT_LID)
		size = y->nep * (y->max_lid + 1);
	if (y->form != WEFT_SL_ONE)
		y->table = random_bytes(rng, size, nsl, false);
}

void random_layers(struct weft_rng *rng, const struct weft_fabric *f,
		   enum weft_sl_form form, enum random_sl2vl sl2vl,
		   struct weft_layers *layers)
{
	bool drops = sl2vl == SL2VL_OUTPUT_DROPS || sl2vl == SL2VL_INPUT_DROPS;
	bool alike = sl2vl == SL2VL_INPUT_ALIKE;
	bool input = sl2vl == SL2VL_INPUT || sl2vl == SL2VL_INPUT_DROPS ||
		alike;
	size_t size = f->first_injection;

	*layers = (struct weft_layers){ .form = form };
	random_table(rng, f, layers, 1 + weft_rng_below(rng, WEFT_NSL));
	layers->nvl = weft_rng_below(rng, 5);
	if (sl2vl == SL2VL_NONE)
		return;
	if (input) {
		layers->base = need(malloc((f->nsw + 1) * sizeof(uint64_t)));
		size = 0;
		for (uint32_t s = 0; s < f->nsw; s++) {
			layers->base[s] = size;
			size += (f->sw[s].nports + 1u) *
				(f->sw[s].nports + 1u);
		}
	}
	layers->sl2vl = random_bytes(rng, size * WEFT_NSL,
				     1 + weft_rng_below(rng, 4),
				     drops || alike);
	if (alike)
		make_alike(f, layers);
	for (size_t i = WEFT_NSL; sl2vl == SL2VL_UNIFORM &&
	     i < size * WEFT_NSL; i++)
		layers->sl2vl[i] = layers->sl2vl[i % WEFT_NSL];
}

void random_any_layers(struct weft_rng *rng, const struct weft_fabric *f,
		       enum random_sl2vl kinds, struct weft_layers *layers)
{
	enum weft_sl_form form = weft_rng_below(rng, 4);
	enum random_sl2vl sl2vl = weft_rng_below(rng, kinds);

	random_layers(rng, f, form, sl2vl, layers);
}
