// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Causes: what has taken lanes from routes.
 *
 * Lanes that nobody misses are no loss.  Tables for one lane that lead
 * everybody the shortest way need no more, nor do tables that leave lanes
 * unused.  Who has several lanes in use, or longer ways, might have done better
 * with more.
 */
#include "plugins/lanes/osm_layers.h"

#include "core/text/words.h"

#include <weft/proof.h>

#define CAUSE 600	/* bytes of one */

/* Warns about a cause and what follows of it; one that nobody misses lanes for
 * is worth a note. */
static void tell(const char *cause, const char *rest, bool missed,
		 struct weft_diag *diag)
{
	if (*cause && missed)
		weft_diag_say(diag, WEFT_WARNING, "%s%s", cause, rest);
	else if (*cause)
		weft_diag_say(diag, WEFT_NOTE, "%s", cause);
}

static void add_cost(struct weft__words *w, double longer)
{
	if (longer > 0)
		weft__words_add(w,
				"; %.1f %% of routes are longer than the shortest ways",
				100 * longer);
}

static void tell_levels(const struct weft__lanes *l, bool missed, double longer,
			struct weft_diag *diag)
{
	char cause[CAUSE] = "", rest[400] = "";
	struct weft__words w = { .buf = cause, .size = sizeof(cause) };
	struct weft__words r = { .buf = rest, .size = sizeof(rest) };

	if (*l->why) {
		weft__words_add(&w,
				"%s: that leaves %u of %s against credit loops",
				l->why, l->each,
				WEFT_COUNT(l->lanes, "lane"));
		add_cost(&r, longer);
		weft__words_add(&r, "; %s", l->remedy);
	}
	weft__words_end(&w);
	weft__words_end(&r);
	tell(cause, rest, missed, diag);
}

static void tell_cables(const struct weft__lanes *l,
			const struct weft_fabric *f, bool missed, double longer,
			struct weft_diag *diag)
{
	char cause[CAUSE] = "", rest[400] = "";
	struct weft__words w = { .buf = cause, .size = sizeof(cause) };
	struct weft__words r = { .buf = rest, .size = sizeof(rest) };

	if (l->nfewer) {
		weft__words_add(&w, "%s with fewer than %u lanes: ",
				WEFT_COUNT(l->nfewer, "cable"), l->lanes);
		weft__words_cable(&w, f, weft_channel(f, l->narrow_sw,
						      l->narrow_port));
		weft__words_add(&w, " has %u", l->narrow_lanes);
		weft__words_add(&r, "; layers share them there, or keep away");
		add_cost(&r, longer);
		weft__words_add(&r,
				"; see what VLCap and OperationalVLs its two ends report (smpquery portinfo)");
	}
	weft__words_end(&w);
	weft__words_end(&r);
	tell(cause, rest, missed, diag);
}

/* The share of routes between endports that are longer than they had to be. */
static double find_longer(const struct weft_fabric *f,
			  const struct weft_routes *routes)
{
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .minimal = true,
	};
	struct weft_proof proof;
	double longer = 0;

	if (weft_proof_run(f, routes, &spec, &proof, NULL))
		return 0;
	if (proof.reached)
		longer = (double)proof.nonminimal / (double)proof.reached;
	weft_proof_free(&proof);
	return longer;
}

void weft__causes_tell(const struct weft__layered *y,
		       const struct weft_fabric *f,
		       const struct weft_routes *routes, bool stand,
		       double *longer, struct weft_diag *diag)
{
	const struct weft__lanes *l = &y->lanes;
	unsigned used = routes->layers.nvl > 1 ? routes->layers.nvl : 1;
	bool needed = used > 1 || (y->ran && y->layering.rerouted);

	if (!stand)
		*longer = *l->why || l->nfewer ? find_longer(f, routes) : 0;
	needed |= *longer > 0;
	tell_levels(l, needed && (used >= l->each || l->each == l->lanes),
		    *longer, diag);
	tell_cables(l, f, needed && (used == 1 || used > l->narrow_lanes),
		    *longer, diag);
}
