// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dragonfly (Kim, Dally, Scott, Abts, ISCA 2008): g groups of a switches; each
 * switch has p hosts, a cable to every other switch of its group and h global
 * cables.  The a * h global ports of a group, switch by switch, go round the
 * other g - 1 groups as often as that divides; what is left over stays free.
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
			"a group has a*h = %" PRIu64 " global cables, which "
			"do not reach the %" PRIu32 " other groups", ports,
			d->g - 1);
	d->rounds = d->g > 1 ? ports / (d->g - 1) : 0;
	return weft__net_radix(spec, (uint64_t)d->p + d->a - 1 + d->h, diag);
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
	uint32_t round = d->g - 1, first = d->p + d->a;

	for (uint32_t k = 0; k < d->rounds * round; k++) {
		uint32_t c = k % round, j = peer_group(d, i, c);
		uint32_t there = k - c + offset_to(d, j, i);

		if (i < j)
			weft__net_cable_ports(net, i * d->a + k / d->h,
					      first + k % d->h,
					      j * d->a + there / d->h,
					      first + there % d->h);
	}
}

static int dragonfly_build(const struct weft__gen_spec *spec,
			   struct weft__net *net, struct weft_diag *diag)
{
	struct dragonfly d = {
		.a = spec->arg[0], .p = spec->arg[1],
		.h = spec->arg[2], .g = spec->arg[3],
		.absolute = weft__gen_get(spec, WEFT__GEN_GLOBAL) ==
			    WEFT__GEN_ABSOLUTE,
	};
	uint64_t local, global;
	int err = check(spec, &d, diag);

	if (err)
		return err;
	local = (uint64_t)d.g * d.a * (d.a - 1) / 2;
	global = (uint64_t)d.g * (d.g - 1) / 2 * d.rounds;
	err = weft__net_reserve(net, spec, weft__net_mul(d.g, d.a),
				local + global, diag);
	if (err)
		return err;
	for (uint32_t i = 0; i < d.g; i++)
		add_group(&d, i, net);
	for (uint32_t i = 0; i < d.g; i++)
		add_globals(&d, i, net);
	net->row = d.a;
	return 0;
}

static uint32_t second_arg(const struct weft__gen_spec *spec)
{
	return spec->arg[1];
}

const struct weft__gen_family weft__gen_dragonfly = {
	.name = "dragonfly",
	.syntax = "a,p,h,g",
	.summary = "dragonfly: p hosts, h global cables, g groups of a "
		   "switches",
	.options = 1u << WEFT__GEN_GLOBAL,
	.args = (const struct weft__gen_arg[]){
		{ 0, "a", 1 }, { ',', "p", 0 }, { ',', "h", 0 },
		{ ',', "g", 1 }, { 0, NULL, 0 } },
	.hosts_of = second_arg,
	.build = dragonfly_build,
};
