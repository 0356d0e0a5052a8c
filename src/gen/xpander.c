// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Xpander (Valadarsky, Shahaf, Dinitz, Schapira, CoNEXT 2016): a random lift of
 * the complete graph of d + 1 nodes.  Each node becomes a group of as many
 * switches, and each edge a random perfect matching between two groups.
 */
#include "gen/families.h"

#include "core/sets.h"

#include <weft/rng.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Lifts of degree 3 and more are in one part nearly always. */
#define TRIES 1000

/* A permutation of lift numbers for each two groups i > j, at
 * partner + (i * (i - 1) / 2 + j) * lift: switch a of group i meets switch
 * partner[a] of group j. */
struct lift {
	uint32_t groups, size;
	uint32_t *partner;
};

static uint32_t met(const struct lift *l, uint32_t i, uint32_t j, uint32_t a)
{
	size_t pair = (size_t)i * (i - 1) / 2 + j;

	return j * l->size + l->partner[pair * l->size + a];
}

static void draw(struct lift *l, struct weft_rng *rng)
{
	size_t pairs = (size_t)l->groups * (l->groups - 1) / 2;

	for (size_t m = 0; m < pairs; m++) {
		uint32_t *partner = l->partner + m * l->size;

		for (uint32_t a = 0; a < l->size; a++)
			partner[a] = a;
		weft_rng_shuffle(rng, partner, l->size);
	}
}

static bool connected(const struct lift *l, uint32_t *root)
{
	uint32_t parts = l->groups * l->size;

	weft__sets_begin(root, parts);
	for (uint32_t i = 1; i < l->groups; i++)
		for (uint32_t j = 0; j < i; j++)
			for (uint32_t a = 0; a < l->size; a++)
				parts -= weft__sets_join(root, i * l->size + a,
							 met(l, i, j, a));
	return parts == 1;
}

static int add_lift(const struct weft__gen_spec *spec, struct weft__net *net,
		    struct weft_diag *diag)
{
	struct lift l = { .groups = spec->arg[0] + 1, .size = spec->arg[1] };
	uint32_t *root = malloc(net->nsw * sizeof(*root));
	struct weft_rng *rng = weft__net_rng(spec, WEFT__NET_GRAPH);
	int tries = TRIES, err = 0;

	l.partner = malloc(net->max_cables * sizeof(*l.partner));
	if (!l.partner || !root || !rng)
		err = weft_no_memory(diag);
	do {
		if (!err && !tries--)
			err = weft__gen_error(spec, diag, EINVAL,
				"none of %d lifts is in one part: take a larger degree or another seed=",
				TRIES);
		if (!err)
			draw(&l, rng);
	} while (!err && !connected(&l, root));
	for (uint32_t i = 1; !err && i < l.groups; i++)
		for (uint32_t j = 0; j < i; j++)
			for (uint32_t a = 0; a < l.size; a++)
				weft__net_cable(net, i * l.size + a,
						met(&l, i, j, a));
	free(l.partner);
	free(root);
	weft_rng_free(rng);
	return err;
}

static int xpander_build(const struct weft__gen_spec *spec,
			 struct weft__net *net, struct weft_diag *diag)
{
	uint64_t d = spec->arg[0], hosts = spec->arg[2], nsw;
	int err = weft__net_radix(spec, d + hosts, diag);

	if (err)
		return err;
	nsw = weft__net_mul(d + 1, spec->arg[1]);
	err = weft__net_reserve(net, spec, nsw,
				nsw <= WEFT_MAX_LID ? nsw * d / 2 : 0, diag);
	if (err)
		return err;
	for (uint32_t i = 0; i < nsw; i++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				d + hosts, "g%02" PRIu32 "-sw%02" PRIu32,
				i / spec->arg[1], i % spec->arg[1]), hosts);
	net->row = spec->arg[1];
	return add_lift(spec, net, diag);
}

static uint32_t xpander_hosts(const struct weft__gen_spec *spec)
{
	return spec->arg[2];
}

const struct weft__gen_family weft__gen_xpander = {
	.name = "xpander",
	.syntax = "D,L,H",
	.summary = "Xpander: D+1 groups of L switches of degree D, H hosts each",
	.args = (const struct weft__gen_arg[]){
		{ 0, "degree", 3 }, { ',', "L", 1 }, { ',', "H", 0 },
		{ 0, NULL, 0 } },
	.hosts_of = xpander_hosts,
	.build = xpander_build,
};
