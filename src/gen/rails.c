// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Clusters of machines with several adapters: adapter i of each machine of a
 * scalable unit hangs on leaf i of that unit, and the leaves i of all units
 * are rail i.
 *
 * The leaves hang on spines: all on the same ones, or those of each rail on
 * spines of their own, which core switches join, or nothing.  A set of spines
 * and the leaves on it are a plane here.  Every leaf of a plane has the same
 * number of cables to each of its spines; spine s of each plane has the same
 * number to each core switch of group s.
 */
#include "gen/families.h"

#include <errno.h>
#include <inttypes.h>

struct rails {
	uint32_t gpus, hosts, radix, unit, units;
	uint32_t planes;	/* 1, or a plane for each rail */
	uint32_t leaves;	/* of a plane */
	uint32_t up;		/* cables that a leaf wants to spines */
	uint32_t down;		/* ports of a spine for leaves */
	bool core;
	uint32_t spines;	/* of a plane; 0: there is one leaf */
	uint32_t each;		/* cables from a leaf to each spine */
	uint32_t cores;		/* of a group */
	uint32_t core_each;	/* cables from a spine to each of these */
};

/* The fewest parts of want that are equal and no larger than most. */
static uint32_t equal_parts(uint32_t want, uint32_t most)
{
	uint32_t n = (want + most - 1) / most;

	while (want % n)
		n++;
	return n;
}

static int set_unit(struct weft__gen_spec *spec, struct rails *r,
		    struct weft_diag *diag)
{
	if (!weft__gen_given(spec, WEFT__GEN_UNIT))
		spec->option[WEFT__GEN_UNIT].a = r->radix / 2;
	r->unit = weft__gen_get(spec, WEFT__GEN_UNIT);
	if (!weft__gen_given(spec, WEFT__GEN_HOSTS))
		spec->option[WEFT__GEN_HOSTS] =
			(struct weft__gen_value){ r->unit, r->unit };
	r->hosts = weft__gen_get(spec, WEFT__GEN_HOSTS);
	if (!r->hosts || r->hosts != spec->option[WEFT__GEN_HOSTS].b)
		return weft__gen_error(spec, diag, EINVAL,
			"hosts= is the number of machines, one at least");
	if (r->hosts > WEFT_MAX_LID)
		return weft__gen_error(spec, diag, ERANGE,
				       "%" PRIu32
				       " machines are too many: LIDs end at %u",
				       r->hosts, WEFT_MAX_LID);
	if (r->unit > r->radix)
		return weft__gen_error(spec, diag, ERANGE,
				       "a unit of %" PRIu32
				       " machines needs leaves of as many ports, and they have %" PRIu32,
				       r->unit, r->radix);
	r->units = (r->hosts + r->unit - 1) / r->unit;
	return 0;
}

/* What joins the rails: spines as long as these have a port for each leaf. */
static void set_planes(struct weft__gen_spec *spec, struct rails *r)
{
	uint32_t leaves = r->units * r->gpus, between;

	if (!weft__gen_given(spec, WEFT__GEN_BETWEEN))
		spec->option[WEFT__GEN_BETWEEN].a = leaves <= r->radix ?
			WEFT__GEN_BY_SPINES : WEFT__GEN_BY_CORE;
	between = weft__gen_get(spec, WEFT__GEN_BETWEEN);
	r->core = between == WEFT__GEN_BY_CORE && r->gpus > 1;
	r->planes = between == WEFT__GEN_BY_SPINES ? 1 : r->gpus;
	r->leaves = leaves / r->planes;
	r->down = r->core ? r->radix / 2 : r->radix;
	r->up = r->hosts < r->unit ? r->hosts : r->unit;
	if (r->up > r->radix - r->unit)
		r->up = r->radix - r->unit;
	if (!r->core)
		r->up = weft__gen_shrink(spec, r->up);
}

static int set_spines(struct weft__gen_spec *spec, struct rails *r,
		      struct weft_diag *diag)
{
	uint32_t most = r->down / r->leaves;

	if (r->leaves == 1 && !r->core) {
		if (weft__gen_get(spec, WEFT__GEN_SPINES))
			return weft__gen_error(spec, diag, EINVAL,
				"spines=: a rail of one leaf has none");
		return 0;
	}
	if (r->unit == r->radix)
		return weft__gen_error(spec, diag, ERANGE,
			"units of %" PRIu32
			" machines leave leaves of %" PRIu32
			" ports none for spines: a smaller unit= does",
			r->unit, r->radix);
	if (!most)
		return weft__gen_error(spec, diag, ERANGE,
			"%" PRIu32
			" leaves do not fit below spines that have %" PRIu32
			" ports for them: %sa larger radix= or unit= may do",
			r->leaves, r->down, r->planes == 1 && r->gpus > 1 ?
			"between=core, " : "");
	if (!weft__gen_given(spec, WEFT__GEN_SPINES))
		spec->option[WEFT__GEN_SPINES].a = equal_parts(r->up, most);
	r->spines = weft__gen_get(spec, WEFT__GEN_SPINES);
	r->each = r->spines ? r->up / r->spines : 0;
	if (!r->each)
		return weft__gen_error(spec, diag, ERANGE,
			"%" PRIu32 " spines: a leaf has %" PRIu32
			" cables upward, and one at least to each of them",
			r->spines, r->up);
	if (r->each > most)
		r->each = most;
	return 0;
}

static int set_cores(const struct weft__gen_spec *spec, struct rails *r,
		     struct weft_diag *diag)
{
	uint32_t up, most = r->radix / r->planes;

	if (!r->core)
		return 0;
	if (!most)
		return weft__gen_error(spec, diag, ERANGE,
			"core switches of %" PRIu32
			" ports cannot join %" PRIu32 " rails", r->radix,
			r->planes);
	up = weft__gen_shrink(spec, r->leaves * r->each);
	r->cores = equal_parts(up, most);
	r->core_each = up / r->cores;
	return 0;
}

static int set_all(struct weft__gen_spec *spec, struct rails *r,
		   struct weft_diag *diag)
{
	int err;

	*r = (struct rails){ .gpus = weft__gen_get(spec, WEFT__GEN_GPUS),
			     .radix = weft__gen_get(spec, WEFT__GEN_RADIX) };
	err = set_unit(spec, r, diag);
	if (err)
		return err;
	set_planes(spec, r);
	err = set_spines(spec, r, diag);
	return err ? err : set_cores(spec, r, diag);
}

static int rails_complete(struct weft__gen_spec *spec, struct weft_diag *diag)
{
	struct rails r;

	return set_all(spec, &r, diag);
}

static void add_leaves(const struct rails *r, struct weft__net *net)
{
	for (uint32_t u = 0; u < r->units; u++)
		for (uint32_t i = 0; i < r->gpus; i++)
			weft__net_leaf(net, weft__net_switch(net,
					WEFT_ROLE_LEAF, r->radix,
					"su%02" PRIu32 "-rail%" PRIu32, u + 1,
					i), r->unit);
	net->unit = r->gpus;
	net->adapters = r->gpus;
	net->machines = r->hosts;
}

static void add_spines(const struct rails *r, struct weft__net *net)
{
	enum weft_role role = r->core ? WEFT_ROLE_MIDDLE : WEFT_ROLE_ROOT;

	for (uint32_t p = 0; p < r->planes; p++)
		for (uint32_t s = 0; s < r->spines; s++)
			if (r->planes == 1)
				weft__net_switch(net, role, r->radix,
						 "spine-%02" PRIu32, s + 1);
			else
				weft__net_switch(net, role, r->radix,
						 "spine%02" PRIu32
						 "-rail%" PRIu32, s + 1, p);
	for (uint32_t i = 0; i < r->spines * r->cores; i++)
		weft__net_switch(net, WEFT_ROLE_ROOT, r->radix,
				 "core-%02" PRIu32, i + 1);
}

static void cable_leaves(const struct rails *r, struct weft__net *net)
{
	uint32_t nleaves = r->units * r->gpus;

	for (uint32_t k = 0; k < r->each; k++)
		for (uint32_t l = 0; l < nleaves; l++)
			for (uint32_t s = 0; s < r->spines; s++)
				weft__net_cable(net, l, nleaves + s +
						l % r->planes * r->spines);
}

static void cable_cores(const struct rails *r, struct weft__net *net)
{
	uint32_t first = r->units * r->gpus;
	uint32_t core = first + r->planes * r->spines;

	for (uint32_t k = 0; k < r->core_each; k++)
		for (uint32_t i = 0; i < r->planes * r->spines; i++)
			for (uint32_t c = 0; c < r->cores; c++)
				weft__net_cable(net, first + i, core + c +
						i % r->spines * r->cores);
}

static int rails_build(const struct weft__gen_spec *spec,
		       struct weft__net *net, struct weft_diag *diag)
{
	struct weft__gen_spec copy = *spec;
	struct rails r;
	uint64_t leaves, spines;
	int err = set_all(&copy, &r, diag);

	if (err)
		return err;
	leaves = (uint64_t)r.units * r.gpus;
	spines = (uint64_t)r.planes * r.spines;
	err = weft__net_reserve(net, spec,
				leaves + spines + (uint64_t)r.spines * r.cores,
				leaves * r.spines * r.each +
				spines * r.cores * r.core_each, diag);
	if (err)
		return err;
	add_leaves(&r, net);
	add_spines(&r, net);
	cable_leaves(&r, net);
	cable_cores(&r, net);
	if (r.planes > 1 && !r.core)
		weft_diag_say(diag, WEFT_NOTE, "between=no: %" PRIu32
			      " rails, which meet in the machines only",
			      r.planes);
	return 0;
}

const struct weft__gen_family weft__gen_rails = {
	.name = "rails",
	.syntax = "gpus=G,hosts=H,radix=R",
	.summary = "H machines of G adapters, a rail each, in scalable units",
	.named = true,
	.options = 1u << WEFT__GEN_GPUS | 1u << WEFT__GEN_RADIX |
		   1u << WEFT__GEN_UNIT | 1u << WEFT__GEN_BETWEEN |
		   1u << WEFT__GEN_SPINES | 1u << WEFT__GEN_OVERSUB |
		   1u << WEFT__GEN_SWAP | 1u << WEFT__GEN_MISSING,
	.without = 1u << WEFT__GEN_TOTAL | 1u << WEFT__GEN_DUAL,
	.complete = rails_complete,
	.build = rails_build,
};
