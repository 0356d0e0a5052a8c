// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Machines with a stage of rack switches below their director switches.
 * weft-gen(1) says what of them is published and what was chosen here.
 *
 * A rack unit of the first kind is two 36-port switches, a and b, joined by 12
 * cables; each has 12 hosts and 12 cables upward, in groups of three.
 */
#include "gen/clos.h"

#include <inttypes.h>

enum { RACK_PORTS = 12, GROUP = 3, GROUPS = RACK_PORTS / GROUP };

/* Units' switches a and b, as leaves of the net, units from 0 to units - 1. */
static void add_units(uint32_t units, struct weft__net *net)
{
	for (uint32_t i = 0; i < 2 * units; i++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				3 * RACK_PORTS, "rack-%03" PRIu32 "%c", i / 2,
				i % 2 ? 'b' : 'a'), RACK_PORTS);
	net->unit = 2;
}

static void cable_units(uint32_t units, struct weft__net *net)
{
	for (uint32_t u = 0; u < units; u++)
		weft__net_cables(net, 2 * u, 2 * u + 1, RACK_PORTS);
}

/*
 * One chassis of 4 * q leaves above 3 * q units: the leaves are taken as four
 * blocks of q, and both switches of unit u have a group of three cables to
 * leaf u mod q of each block.
 */
static int rack_build(const struct weft__gen_spec *spec, uint32_t q,
		      struct weft__net *net, struct weft_diag *diag)
{
	struct weft__clos c = { .prefix = "", .leaves = GROUPS * q,
		.spines = weft__gen_shrink(spec, 18), .parallel = 1,
		.radix = 36 };
	uint32_t units = 3 * q;
	int err = weft__net_reserve(net, spec, 2 * units + weft__clos_size(&c),
			3 * units * RACK_PORTS + weft__clos_ncables(&c), diag);

	if (err)
		return err;
	add_units(units, net);
	weft__clos_switches(&c, WEFT_ROLE_MIDDLE, net);
	cable_units(units, net);
	for (uint32_t i = 0; i < 2 * units; i++)
		for (uint32_t j = 0; j < GROUPS; j++)
			weft__net_cables(net, i, c.first_leaf + j * q +
					 i / 2 % q, GROUP);
	weft__clos_cables(&c, net);
	return 0;
}

static int rack648_build(const struct weft__gen_spec *spec,
			 struct weft__net *net, struct weft_diag *diag)
{
	return rack_build(spec, 9, net, diag);
}

static int rack432_build(const struct weft__gen_spec *spec,
			 struct weft__net *net, struct weft_diag *diag)
{
	return rack_build(spec, 6, net, diag);
}

static int rack216_build(const struct weft__gen_spec *spec,
			 struct weft__net *net, struct weft_diag *diag)
{
	return rack_build(spec, 3, net, diag);
}

static int rack144_build(const struct weft__gen_spec *spec,
			 struct weft__net *net, struct weft_diag *diag)
{
	return rack_build(spec, 2, net, diag);
}

/*
 * JuRoPA: eight 648-port switches above 216 units.  Switch a of a unit has a
 * group of three cables to each of the first four, switch b to each of the
 * others, always to leaf u mod 36; the cross-cables join the two halves.
 */
static int juropa_build(const struct weft__gen_spec *spec,
			struct weft__net *net, struct weft_diag *diag)
{
	enum { CHASSIS = 2 * GROUPS, UNITS = 216, LEAVES = 36 };
	char prefix[CHASSIS][16];
	struct weft__clos c[CHASSIS];
	int err;

	for (int i = 0; i < CHASSIS; i++) {
		snprintf(prefix[i], sizeof(prefix[i]), "sw%d-", i);
		c[i] = (struct weft__clos){ .prefix = prefix[i],
			.leaves = LEAVES, .parallel = 1, .radix = 36,
			.spines = weft__gen_shrink(spec, 18) };
	}
	err = weft__net_reserve(net, spec,
			2 * UNITS + CHASSIS * weft__clos_size(c),
			3 * UNITS * RACK_PORTS +
			CHASSIS * weft__clos_ncables(c), diag);
	if (err)
		return err;
	add_units(UNITS, net);
	for (int i = 0; i < CHASSIS; i++)
		weft__clos_switches(&c[i], WEFT_ROLE_MIDDLE, net);
	cable_units(UNITS, net);
	for (uint32_t i = 0; i < 2 * UNITS; i++)
		for (uint32_t j = 0; j < GROUPS; j++) {
			uint32_t chassis = i % 2 * GROUPS + j;

			weft__net_cables(net, i, c[chassis].first_leaf +
					 i / 2 % LEAVES, GROUP);
		}
	for (int i = 0; i < CHASSIS; i++)
		weft__clos_cables(&c[i], net);
	return 0;
}

/*
 * Two 3456-port switches with 16 of their 24 line cards each, above 384 rack
 * switches of 24 ports.  A rack switch has 12 hosts and 6 cables to each core:
 * a group of three to leaf i / 4 of the first half of the leaves, another to
 * the same leaf of the second half.
 */
static int dual_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	enum { CORES = 2, CARDS = 16, RACKS = 384,
	       HALF = CARDS * WEFT__CORE_CHIPS / 2 };
	uint32_t spines = weft__gen_shrink(spec, WEFT__CORE_CHIPS);
	struct weft__core c[CORES] = {
		{ "core-a-", CARDS, spines, 0, 0, 0 },
		{ "core-b-", CARDS, spines, 0, 0, 0 },
	};
	int err = weft__net_reserve(net, spec,
			RACKS + CORES * weft__core_size(c),
			RACKS * RACK_PORTS + CORES * weft__core_ncables(c),
			diag);

	if (err)
		return err;
	for (uint32_t i = 0; i < RACKS; i++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				WEFT__CORE_RADIX, "rack-%03" PRIu32, i),
			       RACK_PORTS);
	for (int k = 0; k < CORES; k++)
		weft__core_switches(&c[k], WEFT_ROLE_MIDDLE, net);
	for (uint32_t i = 0; i < RACKS; i++)
		for (uint32_t j = 0; j < GROUPS; j++)
			weft__net_cables(net, i, c[j / 2].first_leaf +
					 j % 2 * HALF + i / 4, GROUP);
	for (int k = 0; k < CORES; k++)
		weft__core_cables(&c[k], net);
	return 0;
}

const struct weft__gen_family weft__gen_rack648 = {
	.name = "rack648",
	.syntax = "",
	.summary = "648 hosts in three stages with cross-linked rack switches",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 2 * RACK_PORTS,
	.build = rack648_build,
};

const struct weft__gen_family weft__gen_rack432 = {
	.name = "rack432",
	.syntax = "",
	.summary = "two thirds of rack648",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 2 * RACK_PORTS,
	.build = rack432_build,
};

const struct weft__gen_family weft__gen_rack216 = {
	.name = "rack216",
	.syntax = "",
	.summary = "one third of rack648",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 2 * RACK_PORTS,
	.build = rack216_build,
};

const struct weft__gen_family weft__gen_rack144 = {
	.name = "rack144",
	.syntax = "",
	.summary = "two ninths of rack648",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 2 * RACK_PORTS,
	.build = rack144_build,
};

const struct weft__gen_family weft__gen_juropa = {
	.name = "juropa",
	.syntax = "",
	.summary = "JuRoPA-like: 5184 hosts, racks below eight 648-port switches",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = 2 * RACK_PORTS,
	.build = juropa_build,
};

const struct weft__gen_family weft__gen_dual4608 = {
	.name = "dual4608",
	.syntax = "",
	.summary = "4608 hosts, rack switches below two 3456-port switches",
	.options = 1u << WEFT__GEN_OVERSUB,
	.hosts = RACK_PORTS,
	.build = dual_build,
};

const struct weft__gen_family weft__gen_ranger = {
	.name = "ranger",
	.syntax = "",
	.summary = "Ranger-like: dual4608 with 3936 hosts",
	.options = 1u << WEFT__GEN_OVERSUB,
	.total = 3936,
	.build = dual_build,
};
