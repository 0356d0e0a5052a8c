// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Has tables stand from one sweep to the next; see osm_standing.h. */
#include "plugins/standing/osm_standing.h"

#include "core/list.h"
#include "core/siphash.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

/* Sweeps in a row that may leave entries for the next one. */
#define MAX_WAITS 8

static uint32_t cables(const struct weft_fabric *f)
{
	return f->adj_first[f->nsw] / 2;
}

/* Where most is new, nobody minds what changes for it. */
static bool grew(uint32_t now, uint32_t was)
{
	return now > 2 * was;
}

static bool has_grown(const struct weft_fabric *f,
		      const struct weft_fabric *home)
{
	return grew(f->nsw, home->nsw) || grew(f->nhosts, home->nhosts) ||
	       grew(cables(f), cables(home));
}

/* A hash of what an engine is told: its options, and what else is heeded. */
static uint64_t told_now(const struct weft__settling *s)
{
	const uint64_t key[2] = { weft__options_digest(s->conf->options), 0 };
	const uint64_t said[] = {
		s->conf->deadlock, s->conf->keep_routes,
		s->conf->router_weights, s->conf->qos_levels,
		s->subnet->opt.lmc, s->subnet->opt.qos,
		s->subnet->opt.max_op_vls,
	};

	return weft__siphash(key, said, sizeof(said));
}

/* Finds out why the engine has to be asked, if it has to be. */
static bool must_ask(const struct weft__stood *stood,
		     const struct weft__known *known,
		     const struct weft__settling *s, char why[200])
{
	const char *text = NULL;

	if (!stood->home)
		return false;
	if (known && known->wrong)
		text = "the tables in force do not hold as a whole";
	else if (stood->told != told_now(s))
		text = "options have changed";
	else if (has_grown(s->snapshot->fabric, stood->home->fabric))
		text = "the fabric has grown to more than twice its size";
	else if (s->conf->rebalance.when == WEFT__JUMP &&
		 s->conf->rebalance.word != stood->jump)
		text = "rebalance=jump says so";
	if (text)
		snprintf(why, 200, "%s", text);
	return text;
}

unsigned weft__standing_lanes(const struct weft__settling *s,
			      struct weft__layered *layered)
{
	unsigned most;

	if (!layered->lanes.levels &&
	    weft__lanes_find(s->subnet, s->snapshot, s->conf, &layered->lanes,
			     s->diag))
		return 0;
	most = s->conf->deadlock == WEFT__LAYERS ? layered->lanes.each : 1;
	return s->conf->lanes && s->conf->lanes < most ? s->conf->lanes : most;
}

/* Returns what is known, if it is of the tables that stand; or NULL. */
static const struct weft__known *known_of(const struct weft__stood *stood,
					  const struct weft__known *known)
{
	return known && known->found && known->held == stood->now ? known :
								    NULL;
}

static int mend(const struct weft__stood *stood,
		const struct weft__known *known, struct weft__later *later,
		const struct weft__settling *s, unsigned lanes,
		enum weft_standing_order order, struct weft__stay *out)
{
	struct weft_routes now, home;
	int err;
	struct weft_standing_spec spec = {
		.standing = weft__side_of(stood->now, &now),
		.changes = WEFT_STANDING_CHANGES,
		.lanes = lanes,
		.base = known && known->lanes == lanes ? known->base : NULL,
		.order = order,
		.were = stood->before ? stood->before->fabric : NULL,
	};
	struct weft__terms terms = {
		.when = WEFT__BALANCE_NOW, .more = later ? later->owed : 0,
	};

	if (stood->home && !stood->moving)
		spec.home = stood->home == stood->now ? spec.standing :
			weft__side_of(stood->home, &home);
	/* without a base it takes its time in any case */
	if (later && spec.base && !stood->moving)
		terms.when = s->conf->balance;
	err = weft__standing_run(s->snapshot->fabric, &spec, &terms,
				 s->routes, &out->what, NULL);
	if (later)
		later->left = terms.owed;
	if (terms.rest) {
		later->rest = terms.rest;
		out->later = terms.rest->changes;
	}
	return err;
}

static void say_no_error(void *context, const struct weft_message *message)
{
	if (message->severity < WEFT_ERROR)
		weft__log_emit(context, message);
}

/* Proves them; what does not hold is no error, since there is another way. */
static int prove(const struct weft__stood *stood,
		 const struct weft__known *known,
		 const struct weft__settling *s, struct weft__verdict *verdict,
		 struct weft__layered *layered)
{
	struct weft_diag diag = { .emit = say_no_error, .context = s->log };
	struct weft__settling quiet = *s;
	struct weft__layered granted = *layered;
	int err;

	quiet.diag = &diag;
	quiet.proven = known ? &known->proven : NULL;
	err = weft__settle_as_they_are(&quiet, verdict, layered);
	if (err != -EDEADLK || !stood->adopted)
		return err;
	*layered = granted;
	quiet.proven = NULL;
	return weft__settle_keeping(&quiet, verdict, layered);
}

static int prove_in_time(const struct weft__stood *stood,
			 const struct weft__known *known,
			 const struct weft__settling *s,
			 struct weft__verdict *verdict,
			 struct weft__layered *layered, double *seconds)
{
	struct timespec clock;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &clock);
	err = prove(stood, known, s, verdict, layered);
	*seconds = weft__lap(&clock);
	return err;
}

static bool stand(const struct weft__stood *stood,
		  const struct weft__known *known, struct weft__later *later,
		  const struct weft__settling *s,
		  enum weft_standing_order order,
		  struct weft__verdict *verdict, struct weft__layered *layered,
		  struct weft__stay *out)
{
	struct weft__layered granted = *layered;
	unsigned lanes;

	*out = (struct weft__stay){ .stayed = false };
	if (!stood->now)
		return false;
	known = known_of(stood, known);
	lanes = weft__standing_lanes(s, layered);
	if (!lanes)
		return false;
	if (must_ask(stood, known, s, out->why))
		return false;
	out->away = true;
	if (mend(stood, known, later, s, lanes, order, out)) {
		snprintf(out->why, sizeof(out->why), "no memory to mend them");
		return false;
	}
	if (out->what.unmended)
		snprintf(out->why, sizeof(out->why), "%" PRIu64
			 " entr%s could not be mended without a credit loop",
			 out->what.unmended,
			 out->what.unmended == 1 ? "y" : "ies");
	else if (prove_in_time(stood, known, s, verdict, layered,
			       &out->proof))
		snprintf(out->why, sizeof(out->why),
			 "the lanes that there are do not do for them");
	else
		out->stayed = true;
	if (out->stayed)
		return true;
	if (later)
		weft__later_forget(later);
	out->later = 0;
	*layered = granted;
	weft_routes_free(s->routes);
	return false;
}

/* Old entries that wait and new ones may close a credit loop together, if many
 * return at once: then none waits. */
bool weft__stand(const struct weft__stood *stood,
		 const struct weft__known *known, struct weft__later *later,
		 const struct weft__settling *s, struct weft__verdict *verdict,
		 struct weft__layered *layered, struct weft__stay *out)
{
	enum weft_standing_order order = stood->waits < MAX_WAITS ?
					 s->conf->order : WEFT_STANDING_UNORDERED;

	return stand(stood, known, later, s, order, verdict, layered, out) ||
	       (out->what.waiting && stand(stood, known, later, s,
					   WEFT_STANDING_UNORDERED, verdict, layered,
					   out));
}

bool weft__stand_stepped(const struct weft__stood *stood,
			 const struct weft__known *known,
			 const struct weft__settling *s,
			 const struct weft_standing_move *moved, bool improved,
			 struct weft__verdict *verdict,
			 struct weft__layered *layered, struct weft__stay *out)
{
	struct weft__layered granted = *layered;

	*out = (struct weft__stay){
		.stayed = true, .step = !improved, .improved = improved,
		.left = moved->entries_left + moved->pairs_left,
		.what = { .moved = moved->entries, .pairs = moved->pairs },
	};
	known = known_of(stood, known);
	if (weft__standing_lanes(s, layered) &&
	    !must_ask(stood, known, s, out->why) &&
	    !prove_in_time(stood, known, s, verdict, layered, &out->proof))
		return true;
	*layered = granted;
	weft_routes_free(s->routes);
	*out = (struct weft__stay){ .stayed = false };
	return false;
}

/* Whether tables are those that stood before. */
static bool same_as_before(const struct weft__stay *stay)
{
	const struct weft_standing *w = &stay->what;

	return stay->stayed && !w->dead && !w->given_way && !w->returned &&
	       !w->moved && !w->fresh && !w->pairs;
}

void weft__stood_take(struct weft__stood *stood, struct weft__held *held,
		      const struct weft__stay *stay,
		      const struct weft__settling *s)
{
	bool same = same_as_before(stay), moved = stood->moving && !same;

	if (stay->what.waiting && !stood->before)
		stood->before = weft__hold(stood->now);
	if (!stay->what.waiting) {
		weft__let_go(stood->before);
		stood->before = NULL;
	}
	weft__let_go(stood->now);
	stood->now = weft__hold(held);
	stood->jump = s->conf->rebalance.word;
	stood->waits = stay->what.waiting ? stood->waits + 1 : 0;
	if (!same || stay->adopted.switches)
		stood->now_since = time(NULL);
	if (stay->step)
		stood->moving = stay->left;
	else if (moved)
		stood->moving = false;
	if (stood->moving || (stood->home && !stay->adopted.switches &&
			      !moved && (stay->stayed || stay->away)))
		return;
	weft__let_go(stood->home);
	stood->home = weft__hold(held);
	stood->home_since = stood->now_since;
	stood->told = told_now(s);
}

void weft__stood_forget(struct weft__stood *stood)
{
	weft__let_go(stood->now);
	weft__let_go(stood->home);
	weft__let_go(stood->before);
	*stood = (struct weft__stood){ .now = NULL };
}
