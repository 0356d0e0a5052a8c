// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dragonfly (Kim, Dally, Scott, Abts, ISCA 2008): g groups of a switches; each
 * switch has p hosts, a cable to every other switch of its group and h global
 * cables.  The a * h global ports of a group, switch by switch, go round the
 * other g - 1 groups as often as that divides; what is left over stays free.
 *
 * Dragonfly+ (Shpiner et al., HiPINEB 2017), or Megafly (Flajslik et al., ISC
 * 2018): a group is l leaves with p hosts and a spines with h global cables,
 * every leaf cabled to every spine.
 *
 * Port k of group i, with c = k mod (g - 1), leads
 *   palmtree:  to group i - c - 1 (mod g);
 *   absolute:  to group c, or c + 1 from group i = c on
 * (Camarero, Vallejo, Beivide, ACM TACO 11(4), 2014).
 */
#include "gen/families.h"

#include <errno.h>
#include <inttypes.h>

struct dragonfly {
	uint32_t leaves;	/* of a group; 0: its a switches have hosts */
	uint32_t a, p, h, g;
	uint32_t rounds;	/* cables between two groups */
	bool absolute;
};

static uint32_t peer_group(const struct dragonfly *d, uint32_t i, uint32_t c)
{
	if (d->absolute)
		return c < i ? c : c + 1;
	return (i + d->g - c - 1) % d->g;
}

/* Offset, among the ports of group j, that leads to group i. */
static uint32_t offset_to(const struct dragonfly *d, uint32_t j, uint32_t i)
{
	if (d->absolute)
		return i < j ? i : i - 1;
	return (j + d->g - i - 1) % d->g;
}

static int check(const struct weft__gen_spec *spec, struct dragonfly *d,
		 struct weft_diag *diag)
{
	uint64_t ports = (uint64_t)d->a * d->h;

	if (ports < d->g - 1)
		return weft__gen_error(spec, diag, EINVAL,
			"a group has a*h = %" PRIu64
			" global cables, which do not reach the %" PRIu32 " other groups", ports,
			d->g - 1);
	d->rounds = d->g > 1 ? ports / (d->g - 1) : 0;
	return weft__net_radix(spec, d->h + (d->leaves ? d->leaves :
					     (uint64_t)d->p + d->a - 1), diag);
}

static void add_leaves(const struct dragonfly *d, uint32_t group,
		       struct weft__net *net)
{
	uint32_t first = net->nsw;

	for (uint32_t s = 0; s < d->leaves; s++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				d->p + d->a, "g%02" PRIu32 "-leaf%02" PRIu32,
				group, s), d->p);
	for (uint32_t s = 0; s < d->a; s++)
		weft__net_switch(net, WEFT_ROLE_ROOT, d->leaves + d->h,
				 "g%02" PRIu32 "-spine%02" PRIu32, group, s);
	for (uint32_t s = 0; s < d->leaves; s++)
		for (uint32_t t = 0; t < d->a; t++)
			weft__net_cable(net, first + s,
					first + d->leaves + t);
}

static void add_group(const struct dragonfly *d, uint32_t group,
		      struct weft__net *net)
{
	uint32_t first = net->nsw;

	for (uint32_t s = 0; s < d->a; s++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				d->p + d->a - 1 + d->h,
				"g%02" PRIu32 "-sw%02" PRIu32, group, s),
			       d->p);
	for (uint32_t s = 0; s < d->a; s++)
		for (uint32_t t = s + 1; t < d->a; t++)
			weft__net_cable(net, first + s, first + t);
}

static void add_globals(const struct dragonfly *d, uint32_t i,
			struct weft__net *net)
{
	uint32_t round = d->g - 1, size = d->leaves + d->a;
	uint32_t first = d->leaves ? d->leaves + 1 : d->p + d->a;

	for (uint32_t k = 0; k < d->rounds * round; k++) {
		uint32_t c = k % round, j = peer_group(d, i, c);
		uint32_t there = k - c + offset_to(d, j, i);

		if (i < j)
			weft__net_cable_ports(net, i * size + d->leaves +
					      k / d->h, first + k % d->h,
					      j * size + d->leaves +
					      there / d->h,
					      first + there % d->h);
	}
}

static int groups_build(const struct weft__gen_spec *spec, struct dragonfly d,
			struct weft__net *net, struct weft_diag *diag)
{
	uint64_t local, global;
	int err;

	d.absolute = weft__gen_get(spec, WEFT__GEN_GLOBAL) ==
		     WEFT__GEN_ABSOLUTE;
	err = check(spec, &d, diag);
	if (err)
		return err;
	local = d.leaves ? (uint64_t)d.leaves * d.a :
			   (uint64_t)d.a * (d.a - 1) / 2;
	global = (uint64_t)d.g * (d.g - 1) / 2 * d.rounds;
	err = weft__net_reserve(net, spec,
				weft__net_mul(d.g, (uint64_t)d.leaves + d.a),
				d.g * local + global, diag);
	if (err)
		return err;
	for (uint32_t i = 0; i < d.g; i++)
		if (d.leaves)
			add_leaves(&d, i, net);
		else
			add_group(&d, i, net);
	for (uint32_t i = 0; i < d.g; i++)
		add_globals(&d, i, net);
	net->row = d.leaves ? d.leaves : d.a;
	return 0;
}

static int dragonfly_build(const struct weft__gen_spec *spec,
			   struct weft__net *net, struct weft_diag *diag)
{
	const uint32_t *arg = spec->arg;

	return groups_build(spec, (struct dragonfly){
		.a = arg[0], .p = arg[1], .h = arg[2], .g = arg[3] },
		net, diag);
}

static int megafly_build(const struct weft__gen_spec *spec,
			 struct weft__net *net, struct weft_diag *diag)
{
	const uint32_t *arg = spec->arg;
	int err = weft__net_radix(spec, (uint64_t)arg[1] + arg[2], diag);

	return err ? err : groups_build(spec, (struct dragonfly){
		.leaves = arg[0], .p = arg[1], .a = arg[2], .h = arg[3],
		.g = arg[4] }, net, diag);
}

static uint32_t second_arg(const struct weft__gen_spec *spec)
{
	return spec->arg[1];
}

const struct weft__gen_family weft__gen_dragonfly = {
	.name = "dragonfly",
	.syntax = "a,p,h,g",
	.summary = "dragonfly: p hosts, h global cables, g groups of a switches",
	.options = 1u << WEFT__GEN_GLOBAL,
	.args = (const struct weft__gen_arg[]){
		{ 0, "a", 1 }, { ',', "p", 0 }, { ',', "h", 0 },
		{ ',', "g", 1 }, { 0, NULL, 0 } },
	.hosts_of = second_arg,
	.build = dragonfly_build,
};

static const struct weft__gen_arg megafly_args[] = {
	{ 0, "l", 1 }, { ',', "p", 0 }, { ',', "a", 1 }, { ',', "h", 0 },
	{ ',', "g", 1 }, { 0, NULL, 0 }
};

const struct weft__gen_family weft__gen_megafly = {
	.name = "megafly",
	.syntax = "l,p,a,h,g",
	.summary = "g groups of l leaves (p hosts) and a spines (h global cables)",
	.options = 1u << WEFT__GEN_GLOBAL,
	.args = megafly_args,
	.hosts_of = second_arg,
	.build = megafly_build,
};

const struct weft__gen_family weft__gen_dragonflyplus = {
	.name = "dragonfly+",
	.syntax = "l,p,a,h,g",
	.summary = "the same by its other name",
	.options = 1u << WEFT__GEN_GLOBAL,
	.args = megafly_args,
	.hosts_of = second_arg,
	.build = megafly_build,
};
