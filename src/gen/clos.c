// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Machines that are one or a few director switches.  weft-gen(1) says what of
 * them is published and what was chosen here.
 */
#include "gen/clos.h"

#include <inttypes.h>

void weft__clos_switches(struct weft__clos *c, enum weft_role role,
			 struct weft__net *net)
{
	c->first_leaf = net->nsw;
	for (uint32_t i = 0; i < c->leaves; i++)
		weft__net_switch(net, role, c->radix, "%sleaf-%02" PRIu32,
				 c->prefix, i);
	c->first_spine = net->nsw;
	for (uint32_t i = 0; i < c->spines; i++)
		weft__net_switch(net, WEFT_ROLE_ROOT, c->radix,
				 "%sspine-%02" PRIu32, c->prefix, i);
}

void weft__clos_cables(const struct weft__clos *c, struct weft__net *net)
{
	for (uint32_t k = 0; k < c->parallel; k++)
		for (uint32_t l = 0; l < c->leaves; l++)
			for (uint32_t s = 0; s < c->spines; s++)
				weft__net_cable(net, c->first_leaf + l,
						c->first_spine + s);
}

uint64_t weft__core_size(const struct weft__core *c)
{
	return WEFT__CORE_CHIPS * (2 * c->cards + c->spines);
}

uint64_t weft__core_ncables(const struct weft__core *c)
{
	return (uint64_t)c->cards * WEFT__CORE_CHIPS *
	       (WEFT__CORE_CHIPS + c->spines);
}

void weft__core_switches(struct weft__core *c, enum weft_role role,
			 struct weft__net *net)
{
	uint32_t chips = c->cards * WEFT__CORE_CHIPS;

	c->first_leaf = net->nsw;
	for (uint32_t i = 0; i < chips; i++)
		weft__net_switch(net, role, WEFT__CORE_RADIX,
				 "%sleaf-%03" PRIu32, c->prefix, i);
	c->first_middle = net->nsw;
	for (uint32_t i = 0; i < chips; i++)
		weft__net_switch(net, WEFT_ROLE_MIDDLE, WEFT__CORE_RADIX,
				 "%smid-%03" PRIu32, c->prefix, i);
	c->first_spine = net->nsw;
	for (uint32_t i = 0; i < WEFT__CORE_CHIPS * c->spines; i++)
		weft__net_switch(net, WEFT_ROLE_ROOT, WEFT__CORE_RADIX,
				 "%sspine-%03" PRIu32, c->prefix, i);
}

void weft__core_cables(const struct weft__core *c, struct weft__net *net)
{
	uint32_t chips = c->cards * WEFT__CORE_CHIPS;

	for (uint32_t i = 0; i < chips; i++)
		for (uint32_t j = 0; j < WEFT__CORE_CHIPS; j++)
			weft__net_cable(net, c->first_leaf + i,
					c->first_middle + j + i /
					WEFT__CORE_CHIPS * WEFT__CORE_CHIPS);
	for (uint32_t i = 0; i < chips; i++)
		for (uint32_t s = 0; s < c->spines; s++)
			weft__net_cable(net, c->first_middle + i,
					c->first_spine + s +
					i % WEFT__CORE_CHIPS * c->spines);
}

/* One chassis whose leaves take hosts on half of their ports. */
static int single(const struct weft__gen_spec *spec, struct weft__clos c,
		  struct weft__net *net, struct weft_diag *diag)
{
	int err;

	c.prefix = "";
	c.spines = weft__gen_shrink(spec, c.spines);
	err = weft__net_reserve(net, spec, weft__clos_size(&c),
				weft__clos_ncables(&c), diag);
	if (err)
		return err;
	weft__clos_switches(&c, WEFT_ROLE_LEAF, net);
	for (uint32_t i = 0; i < c.leaves; i++)
		weft__net_leaf(net, c.first_leaf + i, c.radix / 2);
	weft__clos_cables(&c, net);
	return 0;
}

static int switch648_build(const struct weft__gen_spec *spec,
			   struct weft__net *net, struct weft_diag *diag)
{
	return single(spec, (struct weft__clos){
		.leaves = 36, .spines = 18, .parallel = 1, .radix = 36 },
		net, diag);
}

static int myrinet512_build(const struct weft__gen_spec *spec,
			    struct weft__net *net, struct weft_diag *diag)
{
	return single(spec, (struct weft__clos){
		.leaves = 32, .spines = 16, .parallel = 1, .radix = 32 },
		net, diag);
}

static int odin_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	return single(spec, (struct weft__clos){
		.leaves = 12, .spines = 6, .parallel = 2, .radix = 24 },
		net, diag);
}

static int switch3456_build(const struct weft__gen_spec *spec,
			    struct weft__net *net, struct weft_diag *diag)
{
	struct weft__core c = {
		.prefix = "", .cards = 24,
		.spines = weft__gen_shrink(spec, WEFT__CORE_CHIPS),
	};
	int err = weft__net_reserve(net, spec, weft__core_size(&c),
				    weft__core_ncables(&c), diag);

	if (err)
		return err;
	weft__core_switches(&c, WEFT_ROLE_LEAF, net);
	for (uint32_t i = 0; i < c.cards * WEFT__CORE_CHIPS; i++)
		weft__net_leaf(net, c.first_leaf + i, WEFT__CORE_RADIX / 2);
	weft__core_cables(&c, net);
	return 0;
}

/* Leaves of 24 ports below some 288-port switches, 24 chips with 12 ports
 * each. */
struct edges {
	uint32_t leaves, hosts;		/* hosts: ports of a leaf for them */
	uint32_t tops;			/* 288-port switches, up to MAX_TOPS */
	uint32_t up;			/* cables of a leaf to each of them, a
					 * divisor of 12 */
};

enum { MAX_TOPS = 8, TOP_CHIPS = 24, TOP_PORTS = 12 };

/* Cables leaf after leaf to neighbouring ports of one chip of each top. */
static int edges_build(const struct weft__gen_spec *spec,
		       const struct edges *e, struct weft__net *net,
		       struct weft_diag *diag)
{
	static const char *const prefix[MAX_TOPS] = {
		"top-a-", "top-b-", "top-c-", "top-d-",
		"top-e-", "top-f-", "top-g-", "top-h-",
	};
	struct weft__clos top[MAX_TOPS];
	int err;

	for (uint32_t t = 0; t < e->tops; t++)
		top[t] = (struct weft__clos){ .prefix = prefix[t],
			.leaves = TOP_CHIPS, .parallel = 1, .radix = 24,
			.spines = weft__gen_shrink(spec, 12) };
	err = weft__net_reserve(net, spec,
			e->leaves + e->tops * weft__clos_size(top),
			(uint64_t)e->leaves * e->tops * e->up +
			e->tops * weft__clos_ncables(top), diag);
	if (err)
		return err;
	for (uint32_t i = 0; i < e->leaves; i++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF, 24,
				"leaf-%0*" PRIu32, e->leaves > 100 ? 3 : 2,
				i), e->hosts);
	for (uint32_t t = 0; t < e->tops; t++)
		weft__clos_switches(&top[t], WEFT_ROLE_MIDDLE, net);
	for (uint32_t i = 0; i < e->leaves; i++)
		for (uint32_t t = 0; t < e->tops; t++)
			weft__net_cables(net, i, top[t].first_leaf +
					 i * e->up / TOP_PORTS, e->up);
	for (uint32_t t = 0; t < e->tops; t++)
		weft__clos_cables(&top[t], net);
	return 0;
}

static int chic_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	static const struct edges chic = { 44, 12, 2, 6 };

	return edges_build(spec, &chic, net, diag);
}

static int atlas_build(const struct weft__gen_spec *spec,
		       struct weft__net *net, struct weft_diag *diag)
{
	static const struct edges atlas = { 96, 12, 4, 3 };

	return edges_build(spec, &atlas, net, diag);
}

static int thunderbird_build(const struct weft__gen_spec *spec,
			     struct weft__net *net, struct weft_diag *diag)
{
	static const struct edges thunderbird = { 280, 16, 8, 1 };

	return edges_build(spec, &thunderbird, net, diag);
}

/*
 * Deimos: three 288-port switches in a chain, 30 cables from each to the next.
 * Cable i of a hop hangs on leaf i mod 24 of both; those of the second hop
 * begin at leaf 6 of the middle switch, behind the leaves that have two cables
 * of the first.
 */
enum { DEIMOS_BOXES = 3, DEIMOS_LEAVES = 24, DEIMOS_HOP = 30 };

/* The leaf of a box that cable i of a hop hangs on. */
static uint32_t deimos_leaf(int box, int hop, uint32_t i)
{
	return (box == 1 && hop == 1 ? i + 6 : i) % DEIMOS_LEAVES;
}

/* Adds the leaves; what the chain does not take is for hosts. */
static void deimos_leaves(const struct weft__clos *box, int b,
			  struct weft__net *net)
{
	uint32_t taken[DEIMOS_LEAVES] = { 0 };

	for (int hop = b ? b - 1 : 0; hop <= b && hop < DEIMOS_BOXES - 1;
	     hop++)
		for (uint32_t i = 0; i < DEIMOS_HOP; i++)
			taken[deimos_leaf(b, hop, i)]++;
	for (uint32_t i = 0; i < DEIMOS_LEAVES; i++)
		weft__net_leaf(net, box->first_leaf + i,
			       box->radix / 2 - taken[i]);
}

static int deimos_build(const struct weft__gen_spec *spec,
			struct weft__net *net, struct weft_diag *diag)
{
	static const char *const prefix[] = { "a-", "b-", "c-" };
	struct weft__clos box[DEIMOS_BOXES];
	int err;

	for (int b = 0; b < DEIMOS_BOXES; b++)
		box[b] = (struct weft__clos){ .prefix = prefix[b],
			.leaves = DEIMOS_LEAVES, .parallel = 1, .radix = 24,
			.spines = weft__gen_shrink(spec, 12) };
	err = weft__net_reserve(net, spec,
			DEIMOS_BOXES * weft__clos_size(box),
			DEIMOS_BOXES * weft__clos_ncables(box) +
			(DEIMOS_BOXES - 1) * DEIMOS_HOP, diag);
	if (err)
		return err;
	for (int b = 0; b < DEIMOS_BOXES; b++) {
		weft__clos_switches(&box[b], WEFT_ROLE_LEAF, net);
		deimos_leaves(&box[b], b, net);
	}
	for (int hop = 0; hop < DEIMOS_BOXES - 1; hop++)
		for (uint32_t i = 0; i < DEIMOS_HOP; i++)
			weft__net_cable(net, box[hop].first_leaf +
					deimos_leaf(hop, hop, i),
					box[hop + 1].first_leaf +
					deimos_leaf(hop + 1, hop, i));
	for (int b = 0; b < DEIMOS_BOXES; b++)
		weft__clos_cables(&box[b], net);
	net->row = DEIMOS_LEAVES;
	return 0;
}

const struct weft__gen_family weft__gen_switch648 = {
	.name = "switch648",
	.syntax = "",
	.summary = "648-port switch: 36 leaves and 18 spines of 36 ports",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 18,
	.build = switch648_build,
};

const struct weft__gen_family weft__gen_switch3456 = {
	.name = "switch3456",
	.syntax = "",
	.summary = "3456-port switch: 720 chips of 24 ports in three stages",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 12,
	.build = switch3456_build,
};

const struct weft__gen_family weft__gen_odin = {
	.name = "odin",
	.syntax = "",
	.summary = "Odin: 128 hosts on a 144-port switch",
	.options = 1u << WEFT__GEN_OVERSUB,
	.total = 128,
	.build = odin_build,
};

const struct weft__gen_family weft__gen_chic = {
	.name = "chic",
	.syntax = "",
	.summary = "CHiC: 528 hosts, 44 leaves below two 288-port switches",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 12,
	.build = chic_build,
};

const struct weft__gen_family weft__gen_atlas = {
	.name = "atlas",
	.syntax = "",
	.summary = "Atlas: 1142 hosts, 96 leaves below four 288-port switches",
	.options = 1u << WEFT__GEN_OVERSUB,
	.total = 1142,
	.build = atlas_build,
};

const struct weft__gen_family weft__gen_thunderbird = {
	.name = "thunderbird",
	.syntax = "",
	.summary = "Thunderbird: 4390 hosts, 280 leaves, half bisection",
	.options = 1u << WEFT__GEN_OVERSUB,
	.total = 4390,
	.build = thunderbird_build,
};

const struct weft__gen_family weft__gen_deimos = {
	.name = "deimos",
	.syntax = "",
	.summary = "Deimos: 724 hosts on a chain of three 288-port switches",
	.options = 1u << WEFT__GEN_OVERSUB,
	.total = 724,
	.build = deimos_build,
};

const struct weft__gen_family weft__gen_myrinet512 = {
	.name = "myrinet512",
	.syntax = "",
	.summary = "512-port Myrinet switch: a Clos network of 32-port chips",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 16,
	.build = myrinet512_build,
};
