// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Has columns go home, and mends them; see run.h. */
#include "standing/newcomers.h"
#include "standing/run.h"
#include "standing/settled.h"

#include <string.h>

static bool is_owned(const struct weft__run *r, unsigned lid)
{
	return weft_lid_owner(r->f, lid) != WEFT_NONE;
}

/* Has entries of a column, which was surveyed and is so afterwards, return
 * home, unless that might close a credit loop.  Returns whether some do. */
static bool go_home(struct weft__run *r)
{
	struct weft__column *c = &r->column;
	uint32_t n;

	weft__loads_add(&r->loads, c, -1);
	n = weft__home_return(&r->home, c);
	if (n) {
		weft__column_survey(c);
		weft__loads_spread_lanes(&r->loads, c);
	}
	if (n && !weft__loads_allow_column(&r->loads, c)) {
		memcpy(c->port, r->before, r->f->nsw);
		weft__column_survey(c);
		n = 0;
	}
	weft__loads_add(&r->loads, c, 1);
	memcpy(r->returned, c->port, r->f->nsw);
	r->any_returned |= n > 0;
	return n > 0;
}

/* The entry of a switch in the tables in force, WEFT_NO_PORT if it is new. */
static uint8_t standing_port(const struct weft__run *r, uint32_t s, unsigned lid)
{
	uint32_t was = r->now.match.sw[s];

	return was == WEFT_NONE ? WEFT_NO_PORT :
		weft_lft_get(&r->spec.standing.routes->lft, was, lid);
}

/* Counts an entry that was carried over; home: it has returned there. */
static void count_change(struct weft__run *r, uint32_t s, unsigned lid,
			 uint8_t was, uint8_t now, bool home)
{
	bool none = was == WEFT_NO_PORT;

	if (was == now)
		r->out.kept++;
	else if (home && (!none || standing_port(r, s, lid) == WEFT_NO_PORT))
		r->out.returned++;
	else if (none)
		r->out.fresh++;		/* those that are dead, too, as yet */
	else
		r->out.given_way++;
}

/* Counts a LID of which an entry has changed, if it had none before. */
static void count_lid(struct weft__run *r, unsigned lid)
{
	r->out.lids += !weft__lid_set_has(&r->changed, lid);
}

/* Counts those of the column, which is not written yet; home: some may have
 * returned. */
static void count_changes(struct weft__run *r, bool home)
{
	const struct weft__column *c = &r->column;
	uint64_t kept = r->out.kept;

	/* who reads a column knows the entry of its LID's switch */
	r->before[c->root] = weft_lft_get(&r->now.routes.lft, c->root, c->lid);
	for (uint32_t s = 0; s < r->f->nsw; s++)
		count_change(r, s, c->lid, r->before[s], c->port[s],
			     home && s != c->root &&
				     r->returned[s] != r->before[s] &&
				     r->returned[s] == c->port[s]);
	if (r->out.kept - kept < r->f->nsw)
		count_lid(r, c->lid);
}

/* Notes that a block has to be sent if an entry of the column is not what it
 * was in the tables in force. */
static void mark_block(struct weft__run *r, uint32_t s)
{
	const struct weft__column *c = &r->column;

	if (r->now.match.sw[s] == WEFT_NONE ||
	    c->port[s] != standing_port(r, s, c->lid))
		weft__blocks_put(&r->blocks, s, c->lid);
}

static void mark_blocks(struct weft__run *r)
{
	for (uint32_t s = 0; s < r->f->nsw; s++)
		mark_block(r, s);
}

/* Has a column take the tree of another endport on its switch. */
static bool take_tree(struct weft__run *r)
{
	struct weft__column *c = &r->column;

	weft__loads_add(&r->loads, c, -1);
	if (weft__take_tree(&r->loads, &r->now.routes.lft,
			    &r->now.routes.layers, c, &r->other))
		weft__column_survey(c);
	weft__loads_add(&r->loads, c, 1);
	return !c->nlost;
}

static struct weft__mending mending_of(struct weft__run *r)
{
	return (struct weft__mending){
		.loads = &r->loads, .routes = &r->now.routes,
		.column = &r->column, .behind = r->behind, .added = r->added,
		.all = r->all, .was = r->was, .strict = true,
		.forward = r->ordered,
	};
}

/* Some way could not be mended: next time this LID comes first.  After the first
 * attempt so do those of who is lost, which may be as hard to find a way back; later
 * on that only brings back what failed. */
static void give_up(struct weft__run *r, unsigned lid)
{
	const struct weft_fabric *f = r->f;
	const struct weft__column *c = &r->column;

	r->out.unmended += c->nlost;
	r->failed[lid] = true;
	for (uint32_t i = 0; !r->again && i < c->nlost; i++) {
		uint32_t s = c->lost[i];

		for (uint32_t k = f->sw_ep_first[s]; k < f->sw_ep_first[s + 1];
		     k++)
			r->failed[f->ep[f->sw_endport[k]].lid] = true;
	}
}

/* Where a column, which was mended, has lost switches still: it takes the tree of
 * another endport there.  Else what switches send and get may close credit loops,
 * unless other lanes may serve in the next attempt. */
static void mend_otherwise(struct weft__run *r, struct weft__mending *mending)
{
	bool again = r->loads.nlanes > 1 && !r->again;

	weft__column_survey(&r->column);
	if (take_tree(r))
		return;
	mending->strict = false;
	if (again || weft__mend(mending))
		give_up(r, r->column.lid);
}

/* Where branches are not mended, the whole column is read after all, with what
 * was. */
static void finish_whole(struct weft__run *r, struct weft__mending *mending,
			 const uint32_t *sw, uint32_t n)
{
	struct weft__column *c = &r->column;

	for (uint32_t i = 0; i < n; i++)
		r->all[i] = c->port[sw[i]];
	weft__column_read(c, &r->now.routes.lft, c->lid);
	memcpy(r->before, c->port, r->f->nsw);
	for (uint32_t i = 0; i < n; i++)
		c->port[sw[i]] = r->all[i];
	mend_otherwise(r, mending);
	r->out.pairs += mending->pairs;
	count_changes(r, false);
	mark_blocks(r);
	weft__column_write(c, &r->now.routes.lft);
}

/* Writes entries of a column whose other ones are what they were. */
static void write_some(struct weft__run *r, const uint32_t *sw, uint32_t n)
{
	const struct weft__column *c = &r->column;

	for (uint32_t i = 0; i < n; i++) {
		uint8_t *entry = &weft_lft_row(&r->now.routes.lft,
					       sw[i])[c->lid];

		count_change(r, sw[i], c->lid, *entry, c->port[sw[i]], false);
		mark_block(r, sw[i]);
		*entry = c->port[sw[i]];
	}
	r->out.kept += r->f->nsw - n;
	count_lid(r, c->lid);
}

/* Mends a column of which branches are lost; the rest of it is not read. */
static void mend_branches(struct weft__run *r, unsigned lid)
{
	struct weft__branches *b = &r->survey.branches;
	struct weft__column *c = &r->column;
	struct weft__mending mending = mending_of(r);
	const uint32_t *sw = b->sw + b->first[lid];
	uint32_t n = b->n[lid], left;

	weft__branches_read(b, c, lid);
	/* nobody can tell who waits for whom */
	if (!r->loads.map.uniform)
		r->out.unmended += n;
	left = weft__mend(&mending);
	if (left) {
		finish_whole(r, &mending, sw, n);
		return;
	}
	r->out.pairs += mending.pairs;
	write_some(r, sw, n);
}

/* Has all switches of a column find ways again, by their old ports if they can,
 * that serve for whatever passes them. */
static void mend_whole(struct weft__run *r, unsigned lid)
{
	struct weft__column *c = &r->column;
	struct weft__mending mending = mending_of(r);

	weft__column_read(c, &r->now.routes.lft, lid);
	weft__column_survey(c);
	weft__loads_add(&r->loads, c, -1);
	memcpy(r->before, c->port, r->f->nsw);
	for (uint32_t s = 0; s < r->f->nsw; s++) {
		if (s != c->root)
			c->port[s] = WEFT_NO_PORT;
		mending.passing |= weft__loads_own_lanes(&r->loads, c, s);
	}
	weft__column_survey(c);
	for (uint32_t i = 0; i < c->nlost; i++)
		c->port[c->lost[i]] = r->before[c->lost[i]];
	if (weft__mend(&mending))
		mend_otherwise(r, &mending);
	r->out.pairs += mending.pairs;
	count_changes(r, false);
	mark_blocks(r);
	weft__column_write(c, &r->now.routes.lft);
}

/* Whether other columns may go by the one that was mended, where searches are to be
 * brief: those of endports have the same lanes. */
static bool is_model(const struct weft__run *r)
{
	enum weft_sl_form form = r->now.routes.layers.form;

	return r->terms->brief && weft_is_endport(r->column.owner) &&
	       r->loads.map.uniform &&
	       (form == WEFT_SL_ONE || form == WEFT_SL_SWITCH_PAIR);
}

/* Whether the column of a LID, of another endport on the same switch, is what that of
 * the model was before it was mended. */
static bool is_twin(const struct weft__run *r, unsigned lid)
{
	const struct weft_lft *lft = &r->now.routes.lft;
	uint32_t owner = weft_lid_owner(r->f, lid), root = r->column.root;

	if (!r->model || !weft_is_endport(owner) ||
	    weft_vertex_switch(r->f, owner) != root)
		return false;
	for (uint32_t s = 0; s < r->f->nsw; s++)
		if (weft_lft_row(lft, s)[lid] != r->before[s] && s != root)
			return false;
	return true;
}

/* Has a twin take the ways that the model has found. */
static void follow_model(struct weft__run *r, unsigned lid)
{
	struct weft__column *c = &r->column;
	uint64_t weight;

	weft__column_begin(c, lid);
	weight = weft__loads_weight(&r->loads, c);
	for (uint32_t i = 0; i < r->nall; i++)
		weft__loads_add_way(&r->loads, c, r->all[i],
				    weight * r->loads.hosts[r->all[i]]);
	write_some(r, r->all, r->nall);
}

/* Has the lost switches of a column find ways. */
static void mend_lost(struct weft__run *r, struct weft__mending *mending)
{
	r->nall = r->column.nlost;
	if (weft__mend(mending))
		mend_otherwise(r, mending);
	else
		r->model = is_model(r);
	r->out.pairs += mending->pairs;
}

static void mend_column(struct weft__run *r, unsigned lid)
{
	struct weft__column *c = &r->column;
	struct weft__mending mending = mending_of(r);
	bool differs = weft__home_differs(&r->home, lid), home = false;

	/* to home only what lost its way can return, if nothing is back */
	if (!r->survey.lost[lid] && (!differs || !r->home.back)) {
		r->out.kept += r->f->nsw;
		return;
	}
	if (!differs && r->survey.branches.n[lid]) {
		mend_branches(r, lid);
		return;
	}
	if (is_twin(r, lid)) {
		follow_model(r, lid);
		return;
	}
	r->model = false;
	weft__column_read(c, &r->now.routes.lft, lid);
	weft__column_survey(c);
	memcpy(r->before, c->port, r->f->nsw);
	if (differs)
		home = go_home(r);
	mending.home = weft__home_ports(&r->home, c);
	/* nobody can tell who waits for whom */
	if (!r->loads.map.uniform)
		r->out.unmended += c->nlost;
	if (c->nlost + 1 < c->njoined || !c->nlost || !take_tree(r))
		mend_lost(r, &mending);
	count_changes(r, home);
	mark_blocks(r);
	weft__column_write(c, &r->now.routes.lft);
}

#define ANY (-1)

/* Mends the columns that lost as many, or any, but for those that came first. */
static void mend_columns(struct weft__run *r, bool switches, int bits)
{
	for (unsigned lid = 1; lid <= r->f->max_lid && !weft__is_hopeless(r);
	     lid++)
		if ((bits == ANY || r->survey.lost[lid] == bits) &&
		    is_owned(r, lid) && !r->hard[lid] &&
		    weft_is_switch(weft_lid_owner(r->f, lid)) == switches)
			mend_column(r, lid);
}

void weft__mend_all(struct weft__run *r, bool switches)
{
	for (unsigned rank = r->again; rank; rank--)
		for (unsigned lid = 1; lid <= r->f->max_lid; lid++)
			if (r->hard[lid] == rank &&
			    weft_is_switch(weft_lid_owner(r->f, lid)) ==
				    switches)
				mend_whole(r, lid);
	if (!r->ordered)
		mend_columns(r, switches, ANY);
	for (int bits = WEFT__LOST_BITS; r->ordered && bits >= 0; bits--)
		mend_columns(r, switches, bits);
}

/* --- what is left --------------------------------------------------------- */

static bool may_settle(const struct weft__run *r)
{
	const struct weft_layers *y = &r->now.routes.layers;

	return r->loads.nlanes > 1 && r->loads.map.uniform && r->in_order &&
	       !y->one_way &&
	       (y->form == WEFT_SL_ONE || y->form == WEFT_SL_SWITCH_PAIR);
}

/* Takes the column of a LID from other tables, whose lanes the pairs have.
 * Returns whether what waits is in order. */
static bool take_column(struct weft__run *r, const struct weft_lft *lft,
			unsigned lid)
{
	struct weft__column *c = &r->column;
	bool ordered;

	weft__column_read(c, &r->now.routes.lft, lid);
	weft__column_survey(c);
	weft__loads_add(&r->loads, c, -1);
	weft__column_read(c, lft, lid);
	weft__column_survey(c);
	weft__loads_spread_lanes(&r->loads, c);
	ordered = weft__loads_allow_column(&r->loads, c);
	weft__loads_add(&r->loads, c, 1);
	mark_blocks(r);
	weft__column_write(c, &r->now.routes.lft);
	return ordered;
}

/* Counts anew what became of the entries of a switch. */
static void recount_switch(struct weft__run *r, uint32_t s,
			   struct weft__lid_set *lids, uint64_t *changed)
{
	const uint8_t *now = weft_lft_row(&r->now.routes.lft, s);

	for (unsigned lid = 1; lid <= r->f->max_lid; lid++) {
		uint8_t was;

		if (!is_owned(r, lid))
			continue;
		was = standing_port(r, s, lid);
		if (was == now[lid]) {
			r->out.kept++;
			continue;
		}
		weft__lid_set_add(lids, lid);
		r->out.fresh += was == WEFT_NO_PORT;
		*changed += was != WEFT_NO_PORT;
	}
}

/* The same of all. */
static void recount(struct weft__run *r)
{
	struct weft_standing *out = &r->out;
	struct weft__lid_set lids = r->changed;
	uint64_t changed = 0;

	out->kept = 0;
	out->fresh = out->dead;		/* as long as columns are mended */
	for (uint32_t s = 0; s < r->f->nsw; s++)
		recount_switch(r, s, &lids, &changed);
	out->lids = 0;
	for (unsigned lid = 1; lid <= r->f->max_lid; lid++)
		out->lids += weft__lid_set_has(&lids, lid);
	changed -= out->dead < changed ? out->dead : changed;
	if (out->returned > changed)
		out->returned = changed;
	out->given_way = changed - out->returned;
}

int weft__mend_left(struct weft__run *r)
{
	bool settled, ordered = true;
	struct weft__lid_set others;
	struct weft_lft_diff diff;
	struct weft_lft lft;
	int err;

	if (!may_settle(r))
		return 0;
	err = weft__settle_left(&r->loads, &r->now.routes, &lft, &settled);
	if (err || !settled)
		return err;
	weft__lft_differ(&r->now.routes.lft, &lft, &diff, &others);
	for (unsigned lid = 1; lid <= r->f->max_lid; lid++)
		if (is_owned(r, lid) && weft__lid_set_has(&others, lid))
			ordered &= take_column(r, &lft, lid);
	weft_lft_free(&lft);
	recount(r);
	if (ordered)
		r->out.unmended = 0;
	return 0;
}
