// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fat trees.  Every kind is a PGFT with its own way to write the parameters.
 *
 * A switch of level l is known by the subtree it belongs to (the digits
 * a_h .. a_l+1, counted as one number T) and by its place there (the digits
 * b_1 .. b_l, one number B); it is number T * (w_1 ... w_l) + B of its level.
 * It is cabled to the w_l+1 switches of level l+1 whose subtree is
 * T / m_l+1 and whose place is B * w_l+1 + b.  Among its upward ports, cable k
 * to parent b is number b + w * k; among the downward ports of the parent,
 * cable k to child a is number a + m * k.
 */
#include "gen/families.h"

#include <errno.h>
#include <inttypes.h>

/*
 * A parallel-ports generalized fat tree (Zahavi): a node of level i has m_i
 * children, w_i+1 parents and p_i+1 cables to each parent; level 0 are the
 * hosts.  Index 0 of the arrays is level 1.
 */
struct tree {
	uint32_t h;
	uint32_t m[WEFT__GEN_MAX_LEVELS];
	uint32_t w[WEFT__GEN_MAX_LEVELS];
	uint32_t p[WEFT__GEN_MAX_LEVELS];
};

/* Switches at level l, 1..h. */
static uint64_t level_size(const struct tree *t, unsigned l)
{
	uint64_t n = 1;

	for (unsigned i = 0; i < t->h; i++)
		n = weft__net_mul(n, i < l ? t->w[i] : t->m[i]);
	return n;
}

/* Places of one subtree at level l: w_1 ... w_l. */
static uint32_t places(const struct tree *t, unsigned l)
{
	uint32_t n = 1;

	for (unsigned i = 0; i < l; i++)
		n *= t->w[i];
	return n;
}

static uint64_t level_radix(const struct tree *t, unsigned l)
{
	uint64_t down = weft__net_mul(t->m[l - 1], t->p[l - 1]);
	uint64_t up = l < t->h ? weft__net_mul(t->w[l], t->p[l]) : 0;

	return down > UINT64_MAX - up ? UINT64_MAX : down + up;
}

static int check_size(const struct weft__gen_spec *spec,
		      const struct tree *t, struct weft__net *net,
		      struct weft_diag *diag)
{
	uint64_t nsw = 0, ncables = 0;
	int err = weft__net_radix(spec, weft__net_mul(t->w[0], t->p[0]), diag);

	for (unsigned l = 1; l <= t->h && !err; l++) {
		uint64_t size = level_size(t, l);

		err = weft__net_radix(spec, level_radix(t, l), diag);
		nsw = size > UINT64_MAX - nsw ? UINT64_MAX : nsw + size;
		if (l < t->h)
			ncables += weft__net_mul(size, t->w[l]) * t->p[l];
	}
	return err ? err : weft__net_reserve(net, spec, nsw, ncables, diag);
}

static void add_level(const struct tree *t, unsigned l,
		      struct weft__net *net)
{
	uint32_t n = level_size(t, l);
	unsigned radix = level_radix(t, l);

	for (uint32_t i = 0; i < n; i++) {
		if (l == 1)
			weft__net_leaf(net,
				weft__net_switch(net, WEFT_ROLE_LEAF, radix,
						 "leaf-%03" PRIu32, i),
				t->m[0] * t->p[0]);
		else if (l == t->h)
			weft__net_switch(net, WEFT_ROLE_ROOT, radix,
					 "spine-%02" PRIu32, i);
		else if (t->h == 3)
			weft__net_switch(net, WEFT_ROLE_MIDDLE, radix,
					 "mid-%03" PRIu32, i);
		else
			weft__net_switch(net, WEFT_ROLE_MIDDLE, radix,
					 "mid%u-%03" PRIu32, l, i);
	}
}

/* Cables level l, whose switches begin at number from, to level l + 1. */
static void cable_level(const struct tree *t, unsigned l, uint32_t from,
			struct weft__net *net)
{
	uint32_t n = level_size(t, l), here = places(t, l);
	uint32_t w = t->w[l], m = t->m[l], above = from + n;

	for (uint32_t k = 0; k < t->p[l]; k++)
		for (uint32_t i = 0; i < n; i++) {
			uint32_t subtree = i / here / m, place = i % here;

			for (uint32_t b = 0; b < w; b++)
				weft__net_cable(net, from + i, above +
						subtree * here * w +
						place * w + b);
		}
}

static int tree_build(const struct weft__gen_spec *spec,
		      const struct tree *tree, struct weft__net *net,
		      struct weft_diag *diag)
{
	struct tree t = *tree;
	uint32_t from = 0;
	int err;

	if (t.h > 1) {
		uint32_t *top = t.w[t.h - 1] > 1 ? &t.w[t.h - 1] :
						   &t.p[t.h - 1];

		*top = weft__gen_shrink(spec, *top);
	} else if (weft__gen_get(spec, WEFT__GEN_OVERSUB) != 1000) {
		return weft__gen_error(spec, diag, EINVAL,
			"oversub= needs a tree of two levels or more");
	}
	if (weft__gen_get(spec, WEFT__GEN_ONE_PORT) == WEFT__GEN_YES &&
	    (t.w[0] == 1 || t.p[0] > 1))
		return weft__gen_error(spec, diag, EINVAL,
			"one-port=yes: hosts need one cable to each of several planes, w1 > 1 and p1 = 1");
	err = check_size(spec, &t, net, diag);
	if (err)
		return err;
	for (unsigned l = 1; l <= t.h; l++)
		add_level(&t, l, net);
	for (unsigned l = 1; l < t.h; l++) {
		cable_level(&t, l, from, net);
		from += level_size(&t, l);
	}
	if (t.w[0] > 1)
		weft_diag_say(diag, WEFT_NOTE, "w1 = %" PRIu32
			      ": as many planes, which meet in the hosts only",
			      t.w[0]);
	net->unit = t.w[0];
	net->multi = t.w[0] * t.p[0] > 1 ? t.p[0] : 0;
	return 0;
}

/* pgft and xgft: h;m1,..,mh;w1,..,wh[;p1,..,ph] */

static int parse_list(struct weft__gen_spec *spec, struct weft__scan *in,
		      char name, struct weft_diag *diag)
{
	uint32_t h = spec->arg[0];
	char what[24];

	for (uint32_t i = 1; i <= h; i++) {
		char before = i == 1 ? ';' : ',';
		int err;

		snprintf(what, sizeof(what), "%c%" PRIu32, name, i);
		if (in->p < in->end && !weft__scan_char(in, before))
			return weft__gen_error(spec, diag, EINVAL,
				"'%c' is expected before %s, not '%.1s'",
				before, what, in->p);
		err = weft__scan_arg(spec, in, what, 1, diag);
		if (err)
			return err;
	}
	return 0;
}

static int parse_lists(struct weft__gen_spec *spec, struct weft__scan *in,
		       const char *names, struct weft_diag *diag)
{
	int err = weft__scan_arg(spec, in, "number of levels", 1, diag);

	if (!err && spec->arg[0] > WEFT__GEN_MAX_LEVELS)
		return weft__gen_error(spec, diag, EINVAL,
			"a tree has 1 to %d levels, not %" PRIu32,
			WEFT__GEN_MAX_LEVELS, spec->arg[0]);
	for (; *names && !err; names++)
		err = parse_list(spec, in, *names, diag);
	return err;
}

static int pgft_parse(struct weft__gen_spec *spec, struct weft__scan *in,
		      struct weft_diag *diag)
{
	return parse_lists(spec, in, "mwp", diag);
}

static int xgft_parse(struct weft__gen_spec *spec, struct weft__scan *in,
		      struct weft_diag *diag)
{
	return parse_lists(spec, in, "mw", diag);
}

static void lists_print(const struct weft__gen_spec *spec, FILE *out)
{
	uint32_t h = spec->arg[0];

	fprintf(out, "%" PRIu32, h);
	for (unsigned i = 1; i < spec->nargs; i++)
		fprintf(out, "%c%" PRIu32, (i - 1) % h ? ',' : ';',
			spec->arg[i]);
}

static uint32_t m1_hosts(const struct weft__gen_spec *spec)
{
	return spec->arg[1];
}

static int pgft_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	uint32_t h = spec->arg[0];
	struct tree t = { .h = h };

	for (uint32_t i = 0; i < h; i++) {
		t.m[i] = spec->arg[1 + i];
		t.w[i] = spec->arg[1 + h + i];
		t.p[i] = spec->nargs > 1 + 2 * h ? spec->arg[1 + 2 * h + i] :
						   1;
	}
	return tree_build(spec, &t, net, diag);
}

const struct weft__gen_family weft__gen_pgft = {
	.name = "pgft",
	.syntax = "h;m1,..,mh;w1,..,wh;p1,..,ph",
	.summary = "parallel-ports generalized fat tree",
	.options = 1u << WEFT__GEN_OVERSUB | 1u << WEFT__GEN_ONE_PORT,
	.parse = pgft_parse,
	.print = lists_print,
	.hosts_of = m1_hosts,
	.build = pgft_build,
};

const struct weft__gen_family weft__gen_xgft = {
	.name = "xgft",
	.syntax = "h;m1,..,mh;w1,..,wh",
	.summary = "extended generalized fat tree, no parallel cables",
	.options = 1u << WEFT__GEN_OVERSUB | 1u << WEFT__GEN_ONE_PORT,
	.parse = xgft_parse,
	.print = lists_print,
	.hosts_of = m1_hosts,
	.build = pgft_build,
};

/* Trees of one radix: h levels, half of the ports down and half up. */

static int uniform_build(const struct weft__gen_spec *spec, uint32_t half,
			 const uint32_t top[3], struct weft__net *net,
			 struct weft_diag *diag)
{
	struct tree t = { .h = spec->arg[1] };

	if (t.h > WEFT__GEN_MAX_LEVELS)
		return weft__gen_error(spec, diag, EINVAL,
			"a tree has 1 to %d levels, not %" PRIu32,
			WEFT__GEN_MAX_LEVELS, t.h);
	for (uint32_t i = 0; i < t.h; i++) {
		t.m[i] = half;
		t.w[i] = i ? half : 1;
		t.p[i] = 1;
	}
	t.m[t.h - 1] = top[0];
	if (t.h > 1) {
		t.w[t.h - 1] = top[1];
		t.p[t.h - 1] = top[2];
	}
	return tree_build(spec, &t, net, diag);
}

static uint32_t half_hosts(const struct weft__gen_spec *spec)
{
	return spec->arg[1] > 1 ? spec->arg[0] / 2 : spec->arg[0];
}

static int check_even(const struct weft__gen_spec *spec,
		      struct weft_diag *diag)
{
	return spec->arg[0] % 2 == 0 ? 0 :
		weft__gen_error(spec, diag, EINVAL,
			"a radix of %" PRIu32
			" cannot be halved: an even one is needed",
			spec->arg[0]);
}

static int mport_build(const struct weft__gen_spec *spec,
		       struct weft__net *net, struct weft_diag *diag)
{
	uint32_t half = spec->arg[0] / 2;
	int err = check_even(spec, diag);

	return err ? err : uniform_build(spec, half, (const uint32_t[]){
			spec->arg[0], half, 1 }, net, diag);
}

static int kary_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	uint32_t k = spec->arg[0];

	return uniform_build(spec, k, (const uint32_t[]){ k, k, 1 }, net,
			     diag);
}

static uint32_t first_arg_hosts(const struct weft__gen_spec *spec)
{
	return spec->arg[0];
}

/* rlft: the third argument, the number of subtrees below the top switches,
 * may be left out; it is then the radix. */
static int rlft_parse(struct weft__gen_spec *spec, struct weft__scan *in,
		      struct weft_diag *diag)
{
	int err = weft__scan_arg(spec, in, "radix", 2, diag);

	if (!err && in->p < in->end && !weft__scan_char(in, ';'))
		return weft__gen_error(spec, diag, EINVAL,
				       "';' is expected after the radix");
	if (!err)
		err = weft__scan_arg(spec, in, "number of levels", 1, diag);
	if (err)
		return err;
	if (weft__scan_char(in, ';'))
		return weft__scan_arg(spec, in, "number of subtrees", 1, diag);
	spec->arg[spec->nargs++] = spec->arg[0];
	return 0;
}

static void rlft_print(const struct weft__gen_spec *spec, FILE *out)
{
	fprintf(out, "%" PRIu32 ";%" PRIu32 ";%" PRIu32, spec->arg[0],
		spec->arg[1], spec->arg[2]);
}

static int rlft_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	uint32_t radix = spec->arg[0], subtrees = spec->arg[2];
	uint32_t half = radix / 2, parallel = radix / subtrees;
	int err = check_even(spec, diag);

	if (err)
		return err;
	if (spec->arg[1] == 1 && subtrees != radix)
		return weft__gen_error(spec, diag, EINVAL,
			"one level has no subtrees: leave the %" PRIu32
			" away", subtrees);
	if (!parallel || radix % subtrees || half % parallel)
		return weft__gen_error(spec, diag, EINVAL,
			"%" PRIu32 " subtrees do not fill switches of %" PRIu32 " ports: %" PRIu32
			" divided by 1 or by a divisor of %" PRIu32 " would", subtrees, radix, radix,
			half);
	return uniform_build(spec, half, (const uint32_t[]){
			subtrees, half / parallel, parallel }, net, diag);
}

const struct weft__gen_family weft__gen_rlft = {
	.name = "rlft",
	.syntax = "radix;levels[;subtrees]",
	.summary = "real-life fat tree: one radix, full bandwidth",
	.options = 1u << WEFT__GEN_OVERSUB,
	.parse = rlft_parse,
	.print = rlft_print,
	.hosts_of = half_hosts,
	.build = rlft_build,
};

const struct weft__gen_family weft__gen_kary = {
	.name = "kary",
	.syntax = "k;n",
	.summary = "k-ary n-tree",
	.options = 1u << WEFT__GEN_OVERSUB,
	.args = (const struct weft__gen_arg[]){
		{ 0, "k", 1 }, { ';', "n", 1 }, { 0, NULL, 0 } },
	.hosts_of = first_arg_hosts,
	.build = kary_build,
};

const struct weft__gen_family weft__gen_mport = {
	.name = "mport",
	.syntax = "m;n",
	.summary = "m-port n-tree",
	.options = 1u << WEFT__GEN_OVERSUB,
	.args = (const struct weft__gen_arg[]){
		{ 0, "m", 2 }, { ';', "n", 1 }, { 0, NULL, 0 } },
	.hosts_of = half_hosts,
	.build = mport_build,
};

/* gft: T(n+m,r), r bottom switches with n hosts each, m top switches. */
static int gft_build(const struct weft__gen_spec *spec,
		     struct weft__net *net, struct weft_diag *diag)
{
	const struct tree t = {
		.h = 2,
		.m = { spec->arg[0], spec->arg[2] },
		.w = { 1, spec->arg[1] },
		.p = { 1, 1 },
	};

	return tree_build(spec, &t, net, diag);
}

const struct weft__gen_family weft__gen_gft = {
	.name = "gft",
	.syntax = "n+m,r",
	.summary = "2-level generalized fat tree T(n+m,r)",
	.options = 1u << WEFT__GEN_OVERSUB,
	.args = (const struct weft__gen_arg[]){
		{ 0, "n", 1 }, { '+', "m", 1 }, { ',', "r", 1 },
		{ 0, NULL, 0 } },
	.hosts_of = first_arg_hosts,
	.build = gft_build,
};
