// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-churn [-elt] [-c CHANGES] [-n EVENTS] [-s SEED] [FABRIC [ENGINE]...]: what
 * changes in standing tables when parts of a fabric fail and come back, beside what
 * routing anew by the same engine changes, and what both are worth.  FABRIC: a
 * description, a file or a directory; ENGINE as weave:lanes=1.  Without one: the
 * families below, each with weave, eftree and psssp where they apply.
 *
 * -t: only times, of a cable that fails and comes back; without FABRIC in trees
 * of 3,456, 11,664 and 40,960 hosts.  What a subnet manager does while all is
 * well, weft_standing_prepare(), is counted apart.
 *
 * -e: that many events at random, one after the other (2,000 over all families
 * without FABRIC): what must not be, and how tables come home in the end.
 *
 * -l: only lists the cables that the first events take out.
 * -s: which events those at random are (36).
 * -c: entries that may change beyond those that must; 0: mending alone.
 *
 * A row for each kind of event, over all of its events: the entries that used
 * what failed; entries changed, mended and anew, and how often each that was
 * used; blocks; the worth in the basket, mended over anew, on average and
 * least; milliseconds for mending.  Then what must not be: entries of others
 * that a host changed, tables that did not come home, pairs without a way,
 * lanes with credit loops that the home tables had not, fabrics that had to be
 * routed anew.
 */
#include "churn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_EVENTS 1000
#define EVENTS 154	/* of each of the suite: 2,000 in all */

static unsigned seed = 36;

static const char *const suite[][4] = {
	{ "switch648", "weave:lanes=1", "eftree", "psssp" },
	{ "rack648", "weave:lanes=1", "eftree", "psssp" },
	{ "pgft:3;4,8,12;1,4,6;1,1,1", "weave:lanes=1", "eftree", "psssp" },
	{ "torus:4x4x4", "weave:lanes=8", NULL },
	{ "torus:6x6x6", "weave:lanes=8", NULL },
	{ "dragonfly:4,2,2,9", "weave:lanes=8", NULL },
	{ "slimfly:5", "weave:lanes=8", NULL },
};

static const char *const trees[] = {
	"pgft:3;12,12,24;1,12,12;1,1,1", "pgft:3;18,18,36;1,18,18;1,1,1",
	"pgft:3;32,40,32;1,32,20;1,1,1",
};

/* Sums over the events of a kind. */
struct sums {
	const char *kind;
	unsigned n, judged;
	uint64_t used, mended, anew, blocks, anew_blocks;
	double ratio, least_ratio, most_per_dead, ms, most_ms;
	unsigned holes, loops, wide, anew_wide, unmended, abroad;
	uint64_t others;
};

static bool same(const struct weft_lft *a, const struct weft_lft *b)
{
	struct weft_lft_diff d;

	weft_lft_compare(a, b, &d);
	return !d.entries;
}

/* Whether a switch has lost all of its cables: a subnet manager does not see
 * it. */
static bool is_gone(const struct weft_fabric *f, uint32_t s)
{
	return f->adj_first[s] == f->adj_first[s + 1];
}

/* Entries of LIDs that both fabrics have; the blocks that they are in. */
static uint64_t changed(const struct weft_fabric *f, const struct weft_lft *a,
			const struct weft_lft *b, uint64_t *blocks)
{
	uint64_t n = 0;

	*blocks = 0;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t last = WEFT_NONE;

		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint8_t was = weft_lft_get(a, s, lid);
			uint32_t owner = weft_lid_owner(f, lid);

			if (owner == WEFT_NONE || is_gone(f, s) ||
			    is_gone(f, weft_vertex_switch(f, owner)) ||
			    was == WEFT_NO_PORT ||
			    was == weft_lft_get(b, s, lid))
				continue;
			n++;
			*blocks += lid / WEFT_LFT_BLOCK != last;
			last = lid / WEFT_LFT_BLOCK;
		}
	}
	return n;
}

/* Counts an event, and has the engine route the fabric anew for comparison. */
static void count(struct world *w, struct sums *x, const struct state *before,
		  const struct state *s, bool judge)
{
	const struct weft_standing *what = &s->what;
	uint64_t n, blocks, used = what->dead;
	struct weft_routes anew = { 0 };
	double ratio, per;
	bool holes;

	n = changed(s->fabric, &before->routes.lft, &s->routes.lft, &blocks);
	x->n++;
	x->ms += s->ms;
	x->most_ms = s->ms > x->most_ms ? s->ms : x->most_ms;
	x->used += used;
	x->loops += churn_prove(s->fabric, &s->routes, false, &holes) >
		    w->cyclic;
	x->wide += churn_prove(s->fabric, &s->routes, true, &holes) > w->wide;
	x->holes += holes && !what->unmended;
	x->unmended += what->unmended > 0;
	per = used ? (double)n / used : 0;
	x->most_per_dead = per > x->most_per_dead ? per : x->most_per_dead;
	if (!judge) {
		x->mended += n;
		x->blocks += blocks;
		return;
	}
	if (weft_route(w->engine, s->fabric, w->options, &anew, NULL)) {
		x->mended += n;
		x->blocks += blocks;
		return; /* the engine refuses what is left */
	}
	x->anew_wide += churn_prove(s->fabric, &anew, true, &holes) > w->wide;
	x->anew += changed(s->fabric, &before->routes.lft, &anew.lft, &blocks);
	x->anew_blocks += blocks;
	if (what->unmended) {
		n = changed(s->fabric, &before->routes.lft, &anew.lft, &blocks);
		ratio = 1;
	} else {
		n = changed(s->fabric, &before->routes.lft, &s->routes.lft,
			    &blocks);
		ratio = churn_worth(s->fabric, &s->routes) /
			churn_worth(s->fabric, &anew);
	}
	x->mended += n;
	x->blocks += blocks;
	x->ratio += ratio;
	x->least_ratio = !x->judged || ratio < x->least_ratio ?
		ratio : x->least_ratio;
	x->judged++;
	weft_routes_free(&anew);
}

static void print_sums(const struct sums *x)
{
	double n = x->n ? x->n : 1, used = x->used ? x->used : 1;

	printf("  %-20s %8.1f %9.1f %5.2f %5.2f %7.1f", x->kind, x->used / n,
	       x->mended / n, x->mended / used, x->most_per_dead,
	       x->blocks / n);
	if (x->judged)
		printf(" %9.1f %8.1f  %.4f  %.4f", x->anew / n,
		       x->anew_blocks / n, x->ratio / x->judged,
		       x->least_ratio);
	else
		printf(" %9s %8s  %6s  %6s", "", "", "", "");
	printf(" %8.2f %8.2f\n", x->ms / n, x->most_ms);
	if (x->others || x->abroad || x->holes || x->loops || x->wide ||
	    x->unmended || x->anew_wide)
		printf("  %-20s others' entries %llu, not home %u, holes %u, "
		       "credit loops %u, with switches' traffic %u (anew %u), "
		       "routed anew %u\n", "",
		       (unsigned long long)x->others, x->abroad, x->holes,
		       x->loops, x->wide, x->anew_wide, x->unmended);
	fflush(stdout);
}

/* --- events --------------------------------------------------------------- */

static uint32_t some_cable(struct world *w)
{
	const struct weft_fabric *f = w->home_fabric;

	return f->adj[weft_rng_below(w->rng, f->adj_first[f->nsw])];
}

/* From a state to one with all parts; counts where that is not home. */
static void come_home(struct world *w, struct sums *x, const struct state *s)
{
	struct state back = churn_follow(w, s, w->home_fabric);
	uint64_t blocks;

	x->n++;
	x->used += changed(w->home_fabric, &s->routes.lft, &w->home.lft,
			   &blocks);
	x->mended += changed(w->home_fabric, &s->routes.lft, &back.routes.lft,
			     &blocks);
	x->blocks += blocks;
	x->ms += back.ms;
	x->most_ms = back.ms > x->most_ms ? back.ms : x->most_ms;
	x->abroad += !same(&back.routes.lft, &w->home.lft);
	weft_routes_free(&back.routes);
}

/* Cables fail at once, and come back at once. */
static void out_and_back(struct world *w, const uint32_t *gone, uint32_t n,
			 bool judge, struct sums *out, struct sums *back)
{
	struct state home = churn_home(w), s;
	struct weft_fabric *f;

	churn_take_out(w->home_fabric, gone, n, &f);
	s = churn_follow(w, &home, f);
	count(w, out, &home, &s, judge);
	come_home(w, back, &s);
	churn_leave(w, &s);
}

static void cables(struct world *w, unsigned n)
{
	struct sums out = { .kind = "a cable out" }, back = { .kind = "back" };

	for (unsigned i = 0; i < n; i++) {
		uint32_t ch = some_cable(w);

		out_and_back(w, &ch, 1, true, &out, &back);
	}
	print_sums(&out);
	print_sums(&back);
}

static uint64_t of_others(const struct weft_fabric *f, const struct weft_lft *a,
			  const struct weft_lft *b, unsigned lid)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned l = 1; l <= f->max_lid; l++)
			n += l != lid && weft_lid_owner(f, l) != WEFT_NONE &&
			     weft_lft_get(a, s, l) != weft_lft_get(b, s, l);
	return n;
}

static void hosts(struct world *w, unsigned n)
{
	struct sums out = { .kind = "a host out" }, back = { .kind = "back" };

	for (unsigned i = 0; i < n; i++) {
		struct weft_fabric *f = w->home_fabric;
		const struct weft_endport *e =
			&f->ep[weft_rng_below(w->rng, f->nep)];
		uint32_t ch = weft_channel(f, e->sw, e->sw_port);
		struct state home = churn_home(w), s;

		churn_take_out(f, &ch, 1, &f);
		s = churn_follow(w, &home, f);
		count(w, &out, &home, &s, false);
		out.others += of_others(f, &w->home.lft, &s.routes.lft, e->lid);
		come_home(w, &back, &s);
		churn_leave(w, &s);
	}
	print_sums(&out);
	print_sums(&back);
}

/* The cables of a switch that has no hosts, where there is one. */
static uint32_t of_switch(struct world *w, uint32_t *channel)
{
	const struct weft_fabric *f = w->home_fabric;
	uint32_t s, n = 0;

	for (unsigned i = 0; i < 100; i++) {
		s = weft_rng_below(w->rng, f->nsw);
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			break;
	}
	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		channel[n++] = f->adj[i];
	return n;
}

static void switches(struct world *w, unsigned n)
{
	struct sums out = { .kind = "a switch out" }, back = { .kind = "back" };

	for (unsigned i = 0; i < n; i++) {
		uint32_t gone[WEFT_MAX_PORTS], ngone = of_switch(w, gone);

		out_and_back(w, gone, ngone, true, &out, &back);
	}
	print_sums(&out);
	print_sums(&back);
}

/* Distinct cables, an end of each. */
static uint32_t draw_cables(struct world *w, uint32_t **list, double share)
{
	const struct weft_fabric *f = w->home_fabric;
	uint32_t n = 0, all = f->adj_first[f->nsw] / 2, want = share * all + 1;
	bool *drawn = calloc(f->nch + 1ull, 1);

	*list = calloc(want, sizeof(**list));
	if (!drawn || !*list)
		churn_die("no memory");
	while (n < want) {
		uint32_t ch = some_cable(w);

		if (drawn[ch] || drawn[f->reverse[ch]])
			continue;
		drawn[ch] = true;
		(*list)[n++] = ch;
	}
	free(drawn);
	return n;
}

/* Cables go one after another; what routing anew at the end changes is the
 * measure of the sum. */
static void one_by_one(struct world *w)
{
	struct sums x = { .kind = "5 % out, each" };
	struct sums last = { .kind = "their sum" };
	struct sums back = { .kind = "all back" };
	struct state s = churn_home(w), home = churn_home(w);
	uint32_t *gone, n = draw_cables(w, &gone, .05);

	for (uint32_t i = 0; i < n; i++) {
		struct weft_fabric *f;
		struct state next;

		churn_take_out(w->home_fabric, gone, i + 1, &f);
		next = churn_follow(w, &s, f);
		count(w, &x, &s, &next, false);
		churn_leave(w, &s);
		s = next;
		if (next.what.unmended)
			break;
	}
	count(w, &last, &home, &s, true);
	last.used = x.used;
	last.mended = x.mended;
	last.blocks = x.blocks;
	last.most_per_dead = last.ms = last.most_ms = 0;
	come_home(w, &back, &s);
	print_sums(&x);
	print_sums(&last);
	print_sums(&back);
	churn_leave(w, &s);
	free(gone);
}

static void at_once(struct world *w, unsigned n)
{
	struct sums out = { .kind = "20 % out" }, back = { .kind = "back" };

	for (unsigned i = 0; i < n; i++) {
		uint32_t *gone, ngone = draw_cables(w, &gone, .2);

		out_and_back(w, gone, ngone, false, &out, &back);
		free(gone);
	}
	print_sums(&out);
	print_sums(&back);
}

static void bench(const char *fabric, const char *engine, unsigned n)
{
	struct world w;
	bool holes;

	churn_open(&w, fabric, engine, seed);
	w.cyclic = churn_prove(w.home_fabric, &w.home, false, &holes);
	w.wide = churn_prove(w.home_fabric, &w.home, true, &holes);
	printf("%s, %s: %u hosts, %u switches, %u lanes, worth %.4f\n"
	       "  %-20s %8s %9s %5s %5s %7s %9s %8s  %6s  %6s %8s %8s\n",
	       fabric, engine, w.home_fabric->nhosts, w.home_fabric->nsw,
	       w.home.layers.nvl, churn_worth(w.home_fabric, &w.home), "event",
	       "used", "changed", "ratio", "most", "blocks", "anew", "blocks",
	       "worth", "least", "ms", "most");
	cables(&w, n);
	hosts(&w, n);
	switches(&w, n);
	one_by_one(&w);
	at_once(&w, n < 5 ? n : 5);
	churn_close(&w);
}

/* The cables that the first events take out, an end of each: "S-..."[port], as
 * in descriptions of fabrics. */
static void list_cables(const char *fabric, const char *engine, unsigned n)
{
	struct world w;

	(void)engine;
	w.rng = weft_rng_new(seed);
	w.home_fabric = churn_fabric(fabric);
	for (unsigned i = 0; i < n; i++) {
		const struct weft_fabric *f = w.home_fabric;
		uint32_t ch = some_cable(&w), s = f->peer[f->reverse[ch]];

		printf("\"S-%016llx\"[%u]\n",
		       (unsigned long long)f->sw[s].guid,
		       ch - f->first_channel[s]);
	}
	weft_fabric_free(w.home_fabric);
	weft_rng_free(w.rng);
}

static void print_times(struct world *w, unsigned n, bool back)
{
	double sum = 0, most = 0, prepared = 0;
	uint64_t changed = 0;

	for (unsigned i = 0; i < n; i++) {
		uint32_t ch = some_cable(w);
		struct state home = churn_home(w), s, last;
		struct weft_fabric *f;

		churn_take_out(w->home_fabric, &ch, 1, &f);
		s = last = churn_follow(w, &home, f);
		if (back)
			last = churn_follow(w, &s, w->home_fabric);
		sum += last.ms;
		prepared += last.prepared;
		most = last.ms > most ? last.ms : most;
		changed += last.what.dead + last.what.given_way +
			   last.what.returned + last.what.moved;
		if (back)
			weft_routes_free(&last.routes);
		churn_leave(w, &s);
	}
	printf("  %-12s %8.1f entries changed, %8.2f ms, most %8.2f; "
	       "prepared in %8.2f ms\n", back ? "back" : "a cable out",
	       (double)changed / n, sum / n, most, prepared / n);
	fflush(stdout);
}

static void times(const char *fabric, const char *engine, unsigned n)
{
	struct world w;

	churn_open(&w, fabric, engine, seed);
	printf("%s, %s: %u hosts, %u switches\n", fabric, engine,
	       w.home_fabric->nhosts, w.home_fabric->nsw);
	print_times(&w, n, false);
	print_times(&w, n, true);
	churn_close(&w);
}

int main(int argc, char **argv)
{
	void (*run)(const char *, const char *, unsigned) = bench;
	unsigned n = 30;
	int option;

	while ((option = getopt(argc, argv, "etln:c:s:")) != -1) {
		if (option == 't')
			run = times;
		else if (option == 'e')
			run = churn_events;
		else if (option == 'l')
			run = list_cables;
		else if (option == 'c')
			churn_changes = strtoull(optarg, NULL, 0);
		else if (option == 's')
			seed = strtoul(optarg, NULL, 0);
		else if (option != 'n' || !(n = atoi(optarg)) || n > MAX_EVENTS)
			churn_die("usage: bench-churn [-elt] [-c CHANGES] [-n EVENTS] [-s SEED] [FABRIC [ENGINE]...]");
	}
	for (int i = optind + 1; i < argc; i++)
		run(argv[optind], argv[i], n);
	if (optind + 1 == argc)
		run(argv[optind], "weave:lanes=1", n);
	if (optind < argc)
		return 0;
	for (size_t i = 0; run == times && i < 3; i++)
		times(trees[i], "eftree", n);
	for (size_t i = 0; run != times && i < sizeof(suite) / sizeof(*suite);
	     i++)
		for (unsigned k = 1; k < 4 && suite[i][k]; k++)
			run(suite[i][0], suite[i][k],
			    run == churn_events ? EVENTS : n);
	return 0;
}
