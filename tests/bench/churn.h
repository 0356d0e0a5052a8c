/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A fabric whose parts fail and come back, and the tables that stand in it. */
#ifndef WEFT_TESTS_CHURN_H
#define WEFT_TESTS_CHURN_H

#include <weft/weft.h>

struct world {
	struct weft_fabric *home_fabric;	/* all is there */
	struct weft_routes home;
	const struct weft_engine *engine;
	struct weft_options *options;
	unsigned lanes;		/* that there are, as told to the engine */
	unsigned cyclic, wide;	/* lanes of home with a credit loop, of hosts'
				 * traffic and with that of switches */
	struct weft_rng *rng;
};

/* A state of the fabric with the tables that stand in it. */
struct state {
	struct weft_fabric *fabric;
	struct weft_routes routes;
	struct weft_standing what;
	double ms, prepared;	/* to mend, and before, while all was well */
};

/* Entries that may change beyond those that must. */
extern uint64_t churn_changes;

void churn_die(const char *what) __attribute__((noreturn));
struct weft_fabric *churn_fabric(const char *input);
/* engine: "weave:lanes=1" */
void churn_open(struct world *w, const char *input, const char *engine,
		unsigned seed);
void churn_close(struct world *w);

/* Lanes with a credit loop, of hosts' traffic or with that of switches; whether a
 * pair has no way. */
unsigned churn_prove(const struct weft_fabric *f, const struct weft_routes *r,
		     bool switches, bool *holes);
double churn_worth(const struct weft_fabric *f,
		   const struct weft_routes *routes);

/* The state with all parts, which nobody frees. */
struct state churn_home(const struct world *w);
/* Goes home from a state, which is freed. */
void churn_leave(const struct world *w, struct state *s);
/* The state that follows another one; f is its. */
struct state churn_follow(const struct world *w, const struct state *from,
			  struct weft_fabric *f);
void churn_take_out(struct weft_fabric *f, const uint32_t *channel, uint32_t n,
		    struct weft_fabric **out);

/* Whether hosts' traffic can wait in a circle on the routes of two states together,
 * those of the first as far as they still arrive.  O(hosts x hosts x hops). */
bool churn_waits_in_circle(const struct world *w, const struct state *was,
			   const struct state *now);

/* bench-churn -e: n events at random. */
void churn_events(const char *fabric, const char *engine, unsigned n);

#endif
