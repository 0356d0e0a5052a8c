// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: patterns of training jobs, beside reductions
 *
 * Experts send tokens to each other, stages of a model their results to the
 * next one, and now and then all write to storage what has been learnt.
 */
#include "worth/model/pattern.h"

#define FEW 16	/* ranks to a receiver, unless told otherwise */

/* --- all to all ----------------------------------------------------------- */

static const struct weft_option alltoall_options[] = {
	{ .name = "groups", .type = WEFT_OPT_INT, .preset = "0",
	  .max = WEFT_MAX_RANKS,
	  .help = "ranks of a group, in which all send to all; 0: all of them" },
	{ .name = "strided", .type = WEFT_OPT_BOOL, .preset = "no",
	  .help = "ranks take turns in the groups, instead of groups in a row" },
	WEFT__VIA_OPTIONS("nearest"),
	{ .type = WEFT_OPT_END },
};

static int alltoall_prepare(struct weft_traffic *t,
			    const struct weft_options *o,
			    struct weft_diag *diag)
{
	uint32_t size = weft_options_int(o, "groups");
	int err = weft__teams_prepare(t, o, diag);

	if (size == 1)
		return weft_fail(diag, EINVAL,
				 "alltoall: groups=1 has nobody to send to");
	if (!err && size)
		err = weft__teams_cut(&t->team, size,
				      weft_options_bool(o, "strided"), diag);
	if (t->team.most > 1)
		t->nrounds = t->team.most - 1;
	return err;
}

static uint64_t shift(const struct weft_traffic *t, uint32_t n, uint64_t round,
		      struct weft_draw *draw, struct weft_pair *pair)
{
	(void)t;
	(void)draw;
	if (round + 1 >= n)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		pair[i] = (struct weft_pair){ i, (i + round + 1) % n };
	return n;
}

static uint64_t alltoall_round(const struct weft_traffic *t, uint64_t round,
			       struct weft_draw *draw, struct weft_pair *pair)
{
	return weft__teams_round(t, &t->team, shift, round, draw, pair);
}

const struct weft__pattern weft__pattern_alltoall = {
	.row = {
		.name = "alltoall",
		.summary = "all-to-all in groups, as of experts: a shift in each group, by each distance",
		.options = alltoall_options,
	},
	.prepare = alltoall_prepare,
	.round = alltoall_round,
};

/* --- pipeline ------------------------------------------------------------- */

static const struct weft_option pipeline_options[] = {
	{ .name = "chunks", .type = WEFT_OPT_INT, .preset = "8", .min = 1,
	  .max = WEFT_MAX_RANKS, .help = "pieces of the message" },
	{ .name = "stages", .type = WEFT_OPT_INT, .preset = "0",
	  .max = WEFT_MAX_RANKS,
	  .help = "stages of as many ranks each, all of which send to the next one at once; 0: each rank is one, filled piece by piece" },
	{ .name = "both", .type = WEFT_OPT_BOOL, .preset = "no",
	  .help = "stages send back as well, as gradients do" },
	WEFT__VIA_OPTIONS("none"),
	{ .type = WEFT_OPT_END },
};

static int pipeline_prepare(struct weft_traffic *t,
			    const struct weft_options *o,
			    struct weft_diag *diag)
{
	int err = weft__teams_prepare(t, o, diag);

	t->number = weft_options_int(o, "chunks");
	t->side[0] = weft_options_int(o, "stages");
	t->flag = weft_options_bool(o, "both");
	t->max_pairs = 2 * (uint64_t)t->nranks;
	if (!t->side[0] && t->team.most > 1)
		t->nrounds = (uint64_t)t->team.most - 2 + t->number;
	if (!err && t->side[0] == 1)
		err = weft_fail(diag, EINVAL,
				"pipeline: stages=1 has no next stage");
	return err;
}

/* Place i sends on piece p in round p + i. */
static uint64_t chain(const struct weft_traffic *t, uint32_t n, uint64_t round,
		      struct weft_draw *draw, struct weft_pair *pair)
{
	uint64_t used = 0, first = 0;

	(void)draw;
	if (round >= t->number)
		first = round - t->number + 1;
	for (uint64_t i = first; i <= round && i < n - 1; i++)
		pair[used++] = (struct weft_pair){ i, i + 1 };
	return used;
}

static uint64_t stages(const struct weft_traffic *t, uint32_t n, uint64_t round,
		       struct weft_draw *draw, struct weft_pair *pair)
{
	uint32_t size = ((uint64_t)n + t->side[0] - 1) / t->side[0];
	uint64_t used = 0;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i + size < n; i++) {
		pair[used++] = (struct weft_pair){ i, i + size };
		if (t->flag)
			pair[used++] = (struct weft_pair){ i + size, i };
	}
	return used;
}

static uint64_t pipeline_round(const struct weft_traffic *t, uint64_t round,
			       struct weft_draw *draw, struct weft_pair *pair)
{
	return weft__teams_round(t, &t->team, t->side[0] ? stages : chain,
				 round, draw, pair);
}

const struct weft__pattern weft__pattern_pipeline = {
	.row = {
		.name = "pipeline",
		.summary = "a chain from rank to rank, filled with the pieces of a message, or stages of a model, each to the next one",
		.options = pipeline_options,
	},
	.prepare = pipeline_prepare,
	.round = pipeline_round,
};

/* --- incast --------------------------------------------------------------- */

static const struct weft_option incast_options[] = {
	{ .name = "to", .type = WEFT_OPT_INT, .preset = "0",
	  .max = WEFT_MAX_RANKS,
	  .help = "the last ranks, so many, receive; 0: storage hosts, if there are any, else one rank in 16" },
	WEFT__VIA_OPTIONS("rail"),
	{ .type = WEFT_OPT_END },
};

/* Marks the last ranks as those that store. */
static void appoint(struct weft_traffic *t, uint32_t last)
{
	for (uint32_t i = 0; i < t->nranks; i++)
		t->machines.seat[i].storage = i >= t->nranks - last;
}

/* Has those who send and those who receive as teams, on each rail or not. */
static int take_sides(struct weft_traffic *t, bool rails,
		      struct weft_diag *diag)
{
	int err;

	weft__teams_free(&t->team);
	weft__teams_free(&t->inside);
	err = weft__teams_of(t, rails, false, &t->team, diag);
	return err ? err : weft__teams_of(t, rails, true, &t->inside, diag);
}

/* Whether whoever sends on a rail finds a receiver there. */
static bool rails_served(const struct weft_traffic *t)
{
	const struct weft__teams *from = &t->team, *to = &t->inside;

	for (uint32_t i = 0; i < from->n; i++)
		if (from->first[i + 1] > from->first[i] &&
		    to->first[i + 1] == to->first[i])
			return false;
	return true;
}

static int find_sides(struct weft_traffic *t, uint32_t last, bool told,
		      enum weft__via via, struct weft_diag *diag)
{
	int err;

	if (!t->machines.seat) {
		err = weft__teams_row(&t->team, 0, t->nranks - last, diag);
		return err ? err : weft__teams_row(&t->inside, t->nranks - last,
						   t->nranks, diag);
	}
	if (told || !t->machines.storage)
		appoint(t, last);
	err = take_sides(t, via == WEFT__VIA_RAIL, diag);
	if (!err && !rails_served(t))
		err = take_sides(t, false, diag);
	t->team.nearest = via == WEFT__VIA_NEAREST;
	return err;
}

static int incast_prepare(struct weft_traffic *t, const struct weft_options *o,
			  struct weft_diag *diag)
{
	enum weft__via via = weft_options_int(o, "via");
	uint32_t to = weft_options_int(o, "to"), last = to;
	int err = 0;

	if (!last)
		last = t->nranks > FEW ? t->nranks / FEW : 1;
	if (last >= t->nranks)
		return weft_fail(diag, EINVAL,
				 "incast: to=%u leaves nobody to send, of %u ranks",
				 to, t->nranks);
	if (via != WEFT__VIA_NONE)
		err = weft__machines_prepare(t, o, diag);
	if (!err)
		err = find_sides(t, last, to, via, diag);
	t->nrounds = t->inside.most;
	return err;
}

/* Everybody sends to the next receiver in each round. */
static uint64_t incast_round(const struct weft_traffic *t, uint64_t round,
			     struct weft_draw *draw, struct weft_pair *pair)
{
	const struct weft__teams *from = &t->team, *to = &t->inside;
	uint64_t used = 0;

	(void)draw;
	for (uint32_t team = 0; team < from->n; team++) {
		uint32_t n = from->first[team + 1] - from->first[team];
		uint32_t few = to->first[team + 1] - to->first[team];

		for (uint32_t i = 0; i < n; i++)
			used = weft__teams_add(
				t, from, pair, used,
				weft__team_rank(from, team, i),
				weft__team_rank(to, team, (i + round) % few));
	}
	return used;
}

const struct weft__pattern weft__pattern_incast = {
	.row = {
		.name = "incast",
		.summary = "many send to few, as checkpoints to storage: each to one after the other",
		.options = incast_options,
	},
	.stores = true,
	.prepare = incast_prepare,
	.round = incast_round,
};
