// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: opt, least worst-case congestion on two-level fat trees
 *
 * Idea (Nienaber, Mahapatra, Yuan: Improving Performance of Deterministic
 * Single-path Routing on 2-Level Generalized Fat-trees, sections III.B and IV):
 * T(n+m,r) has r leaves with n hosts each and m top switches.  The hosts of
 * each leaf are put into groups of at most B = ceil(n / k), k = floor(sqrt(m)),
 * and a route goes over the top switch that belongs to (group of the source,
 * group of the destination).  Then a link upwards carries routes from at most B
 * hosts, one downwards routes to at most B, and no permutation puts more than B
 * streams on any link.  No single-path routing can do better where sqrt(m) is
 * whole and divides n (theorem 1).
 *
 * balance=no is figure 2 of the paper: groups of B, top switch k i + j for
 * groups i and j; where k^2 < m or k does not divide n, some top switches stay
 * unused.  balance=yes gives them their share and keeps the bound: there are a
 * = ceil(n / B) groups of sources, as even as can be; the m top switches are
 * dealt out among them, b_i >= a to group i; and the destinations of a leaf are
 * put into b_i groups of at most ceil(n / b_i) <= B for routes from group i.
 * Where n / b_i is not whole, the larger groups fall to another top switch on
 * each leaf in turn.  Where sqrt(m) is whole and divides n, both are the same.
 *
 * Forwarding tables do not see the source, but with LMC they see which of the
 * destination's LIDs it chose: group i sends to offset i, so 2^LMC >= a is
 * needed (without balance, the number of groups).  The offsets are part of the
 * result.  Further offsets repeat the ways of the groups, modulo their number.
 *
 * Parallel cables to a top switch count as that many top switches.
 *
 * Structures: the form of the tree (shapes/pgft.h); struct opt says how the top
 * switches are dealt out.
 * Deadlock: routes climb, then descend, so that they are free of credit loops
 * in one lane.
 * Complexity: O(switches x LIDs) time.
 * Limits: refuses all but trees of two levels in which every leaf has equally
 * many cables to every top switch.
 */
#include "engines/pgft/tables.h"

#include "graph/entries.h"

#include <errno.h>
#include <inttypes.h>

#define MAX_GROUPS 128

struct opt {
	bool balance;
	uint32_t n;		/* hosts of a leaf */
	uint32_t groups;	/* of sources */
	uint32_t size;		/* largest size of a group */
	/* Group i has the top switches first[i] .. first[i + 1] - 1. */
	uint32_t first[MAX_GROUPS + 1];
};

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return (a + b - 1) / b;
}

static uint32_t root_of(uint32_t m)
{
	uint32_t k = 1;

	while ((k + 1) * (k + 1) <= m)
		k++;
	return k;
}

/* Returns the group of the source at that position on its leaf. */
static uint32_t source_group(const struct opt *o, uint32_t position)
{
	return o->balance ? position * o->groups / o->n : position / o->size;
}

/*
 * Deals the top switches out as evenly as can be, to groups of more sources
 * first.  These are the groups whose share of position * groups / n falls
 * behind.
 */
static void deal_top_switches(struct opt *o, uint32_t m)
{
	uint32_t members[MAX_GROUPS] = { 0 }, give[MAX_GROUPS];
	uint32_t most = divide_up(o->n, o->groups), left = m % o->groups;

	for (uint32_t x = 0; x < o->n; x++)
		members[source_group(o, x)]++;
	for (uint32_t i = 0; i < o->groups; i++)
		give[i] = m / o->groups;
	for (uint32_t large = 1; left > 0; large ^= 1)
		for (uint32_t i = 0; i < o->groups && left; i++)
			if ((members[i] == most) == large) {
				give[i]++;
				left--;
			}
	o->first[0] = 0;
	for (uint32_t i = 0; i < o->groups; i++)
		o->first[i + 1] = o->first[i] + give[i];
}

/* Refuses a tree of one level or of more than two. */
static int refuse_levels(const struct weft_fabric *f,
			 const struct weft__pgft_form *form,
			 struct weft_diag *diag)
{
	uint32_t s = 0;

	while (form->h > 1 && form->level[s] != 3)
		s++;
	return weft_fail(diag, ENOTSUP,
			 "no T(n+m,r), which is a fat tree of two levels: switch 0x%016" PRIx64 " (%s) %s",
			 f->sw[s].guid, f->sw[s].name, form->h == 1 ?
			 "is the only one" : "is on a third one");
}

/* Counts the leaves that have all n hosts. */
static uint32_t full_leaves(const struct weft_fabric *f,
			    const struct weft__pgft_form *form)
{
	uint32_t r = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		r += form->level[s] == 1 &&
		     weft__hosts_on(f, s, false) == form->n;
	return r;
}

/*
 * Theorem 1: with any routes, one for each pair, some permutation puts n /
 * sqrt(m) streams or more on a link, rounded down where that is not whole.
 * Returns 0 where its conditions do not hold, or where cables are parallel,
 * which it does not know.
 */
static uint32_t least_worst(const struct weft__pgft_form *form, uint64_t r)
{
	uint64_t n = form->n, m = form->w[2], bound = 1;

	if (form->p[2] > 1 || m >= n * n || r < n || (r - 1) * n <= 2 * m)
		return 0;
	while ((bound + 1) * (bound + 1) * m <= n * n)
		bound++;
	return bound;
}

static void explain_bounds(const struct weft_fabric *f,
			   const struct weft__pgft_form *form,
			   const struct opt *o, struct weft_diag *diag)
{
	uint32_t r = full_leaves(f, form), least = least_worst(form, r);

	weft_diag_explain(diag, "T(%" PRIu32 "+%" PRIu32 ",%" PRIu32
			  "): no permutation puts more than %s on a channel", o->n,
			  form->w[2] * form->p[2], r,
			  WEFT_COUNT(o->size, "stream"));
	if (!least)
		weft_diag_explain(diag,
				  "theorem 1, what the best routes could do, tells nothing here: it takes m < n^2, r >= n, (r - 1) n > 2 m and no parallel cables");
	else
		weft_diag_explain(diag,
				  "theorem 1: with any routes, one for each pair, some permutation puts %s or more on a channel%s",
				  WEFT_COUNT(least, "stream"),
				  least == o->size ? ", so that none are better" :
						"");
}

static void explain_groups(const struct opt *o, struct weft_diag *diag)
{
	for (uint32_t i = 0; i < o->groups; i++)
		weft_diag_explain(diag, "group %" PRIu32
				  " of the sources: top switches %" PRIu32 " to %" PRIu32, i,
				  o->first[i], o->first[i + 1] - 1);
}

/* Forms the groups of sources, and checks that LMC is enough for them. */
static int opt_prepare(const struct weft_fabric *f,
		       const struct weft__pgft_form *form, void *context,
		       struct weft_diag *diag)
{
	struct opt *o = context;
	uint32_t m = form->w[2] * form->p[2], k = root_of(m);
	int err;

	if (form->h != 2)
		return refuse_levels(f, form, diag);
	o->n = form->n;
	o->size = divide_up(o->n, k);
	o->groups = divide_up(o->n, o->size);
	err = weft__pgft_need_lmc(f, o->groups, diag);
	if (err)
		return err;
	if (o->balance)
		deal_top_switches(o, m);
	for (uint32_t i = 0; i <= o->groups && !o->balance; i++)
		o->first[i] = i * k;
	if (weft_diag_explains(diag)) {
		explain_bounds(f, form, o, diag);
		explain_groups(o, diag);
	}
	return 0;
}

static uint32_t opt_way(const void *context, uint32_t number, unsigned offset)
{
	const struct opt *o = context;
	uint32_t i = offset % o->groups, position = number % o->n, tops;

	if (!o->balance)
		return o->first[i] + position / o->size;
	tops = o->first[i + 1] - o->first[i];
	position = position * tops / o->n;
	if (o->n % tops)
		position = (position + number / o->n) % tops;
	return o->first[i] + position;
}

static uint8_t opt_offset(const void *context, uint32_t number)
{
	const struct opt *o = context;

	return source_group(o, number % o->n);
}

static int opt_route(const struct weft_fabric *f,
		     const struct weft_options *options,
		     struct weft_routes *out, struct weft_diag *diag)
{
	struct opt context = {
		.balance = weft_options_bool(options, "balance"),
	};
	const struct weft__pgft_rule rule = {
		.prepare = opt_prepare,
		.way = opt_way,
		.offset = opt_offset,
		.context = &context,
	};

	return weft__pgft_route(f, &rule, out, diag);
}

static const struct weft_option opt_options[] = {
	{ .name = "balance", .type = WEFT_OPT_BOOL, .preset = "yes",
	  .help = "use all top switches where sqrt(m) does not divide n" },
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_opt = {
	.name = "opt",
	.summary = "least worst-case congestion on two-level fat trees, by LMC (OPT)",
	.needs = WEFT_NEEDS_TREE | WEFT_NEEDS_LMC | WEFT_REFERENCE,
	.minimal = true,
	.loopfree = WEFT_LOOPFREE_HOSTS,
	.options = opt_options,
	.route = opt_route,
};
