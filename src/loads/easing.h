/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Moves of entries by price, one LID at a time: what engines ease tables with
 * (ease.c), and what standing tables are relieved with, where entries cost
 * something, too.
 */
#ifndef WEFT_LOADS_EASING_H
#define WEFT_LOADS_EASING_H

#include "loads/blocks.h"
#include "loads/loads.h"

#define WEFT__EASE_DOUBLINGS 6	/* the price is the load to the power of two to
				 * that many */
#define WEFT__EASE_LONGER 1	/* cables that a way may have more than the
				 * shortest, unless told otherwise */
#define WEFT__EASE_TRIES 8	/* ways that are tried where lanes refuse some */

/* What entries cost that move. */
struct weft__ease_costs {
	struct weft__blocks *changed;	/* those that change anyway cost next
					 * to nothing, and others in their
					 * blocks far less than the rest */
	uint64_t entries;	/* that may change beside these */
	double block;		/* what it costs more if its block is not sent
				 * yet */
};

struct weft__easing {
	const struct weft_fabric *f;
	struct weft_routes *routes;	/* whose pairs may change lanes */
	struct weft_lft *lft;
	struct weft__loads *loads;
	const struct weft__ease_costs *costs;	/* NULL: nothing */
	struct weft__column column;
	uint16_t *shortest;	/* [nsw] cables to the root, at least */
	uint32_t *queue;	/* [nsw] scratch */
	uint32_t known;		/* root that shortest[] is for */
	uint16_t *own;		/* [nsw] lanes that switches send in, */
	bool own_known, passed;	/* for this column; and what passes them */
	uint8_t *cheap;		/* [nsw] port that a switch sends by, or one that
				 * carries nothing would best send by */
	double *price;		/* [nsw] of the way from there by these */
	double *channel_price;	/* [nch] */
	double *worst;		/* [nsw] highest load of the way from there */
	uint16_t *longer;	/* [nsw] cables that ways through there have more
				 * than the shortest, at most, */
	bool longer_known;	/* if it was asked for */
	unsigned most_longer;	/* how many more a way may have */
	double *saves;		/* [nsw] what leaving the way saves up to there */
	uint32_t *mark;		/* [nsw] look in which it was on the way */
	uint32_t look;
	uint32_t *turned;	/* [nsw] survey in which cheap[] was found where
				 * that is done when it is asked for */
	uint32_t nsurveys;
	uint32_t refused[WEFT__EASE_TRIES];	/* [nrefused] channels that an
						 * entry may not take */
	unsigned nrefused;
	double level;		/* share of the peak from which on channels are
				 * hot */
	uint32_t *hot;		/* [nhot] channels that were hot when the round
				 * began, or became so where entries cost
				 * something */
	uint32_t nhot;
	bool *is_hot;		/* [nch] */
	double unit;		/* 1 / peak */
	struct weft__was {
		uint32_t sw, root;
		uint16_t lid;
		uint8_t port;
		uint8_t level;	/* of the pair of switches, if it changed lanes;
				 * else WEFT__NO_LEVEL */
		bool fresh;	/* whoever counts changes: it had not changed */
	} *was;			/* [nwas] entries that moved, what they were */
	size_t nwas, room;
	unsigned lanes;		/* that pairs may change to; 0: they stay */
	int err;
	uint64_t looked;	/* at what, in units of trees/balance.h */
};

/* An entry that leaves by another channel; switches on its way from there that
 * carry nothing send by their cheapest ways then. */
struct weft__ease_move {
	double worth;		/* what it saves, for each entry that it costs */
	uint32_t sw, channel;	/* WEFT_NONE: there is none */
};

/* The load of a channel as a share of the peak, with that much more. */
static inline double weft__ease_share(const struct weft__easing *z,
				      uint32_t channel, uint64_t more)
{
	return (double)(z->loads->load[channel] + more) *
	       z->loads->scale[channel] * z->unit;
}

/* The price of a channel with so much more load. */
static inline double weft__ease_price(const struct weft__easing *z,
				      uint32_t channel, uint64_t more)
{
	double p = weft__ease_share(z, channel, more);

	for (unsigned i = 0; i < WEFT__EASE_DOUBLINGS; i++)
		p *= p;
	return p;
}

/* Whether a hot channel carries a LID, which the switch it leaves sends there. */
static inline bool weft__ease_sends_hot(const struct weft__easing *z,
					uint32_t i, unsigned lid, uint32_t *sw)
{
	const struct weft_fabric *f = z->f;

	*sw = f->peer[f->reverse[z->hot[i]]];
	return weft_lft_get(z->lft, *sw, lid) ==
	       z->hot[i] - f->first_channel[*sw];
}

/* What passes a switch of the column. */
static inline uint64_t weft__ease_passes(const struct weft__easing *z,
					 uint32_t s)
{
	return z->loads->through[s] *
	       weft__loads_weight(z->loads, &z->column);
}

/* Makes room, where f and loads are known.  0 or -ENOMEM. */
int weft__ease_init(struct weft__easing *z, struct weft_arena *arena);

/* Begins a round: prices are in relation to the peak, and channels are hot from
 * this share of it on.  O(channels). */
void weft__ease_begin(struct weft__easing *z, uint64_t peak, double level);

/* Finds out whether no ways at all, of tables that are whole, make the peak
 * lower.  0 or -ENOMEM.  O(switches with endports x cables) at worst. */
int weft__ease_is_least(const struct weft__easing *z, uint64_t peak,
			bool *is_least);

/* --- ease_ways.c: one column ---------------------------------------------- */

/* Finds the prices of the way from s, whose loads have changed. */
void weft__ease_reprice(struct weft__easing *z, uint32_t s);
/* Takes a LID's column out of the tables. */
void weft__ease_read(struct weft__easing *z, unsigned lid);
/* Finds how far switches are from its root, if that is not known: looks do
 * where they need it. */
void weft__ease_shortest(struct weft__easing *z);
/* Finds the order of a column that was read or changed, its loads and prices.
 * O(switches). */
void weft__ease_survey(struct weft__easing *z);
/* Finds what it saves to leave the way from s, up to each switch on it.  Returns
 * what leaving all of it does. */
double weft__ease_leave(struct weft__easing *z, uint32_t s, uint64_t passes);
/* Has *best be the move of the entry at s that is worth most, if one is worth
 * more. */
void weft__ease_look(struct weft__easing *z, uint32_t s,
		     struct weft__ease_move *best);
/* Whether something that passes s is on a hot channel from there on. */
static inline bool weft__ease_is_hot(const struct weft__easing *z, uint32_t s)
{
	return z->worst[s] >= z->level && z->loads->through[s];
}

/* Whether a channel was refused to the entry that is to move. */
static inline bool weft__ease_is_refused(const struct weft__easing *z,
					 uint32_t channel)
{
	for (unsigned i = 0; i < z->nrefused; i++)
		if (z->refused[i] == channel)
			return true;
	return false;
}

/* --- ease_moves.c --------------------------------------------------------- */

/* Whether no switch sends by s in the column. */
bool weft__ease_is_last(const struct weft__easing *z, uint32_t s);

/* Has the entry at s of a column that was surveyed, and spread, send by a port.
 * Returns false, and leaves it, if that closes a cycle. */
bool weft__ease_try(struct weft__easing *z, uint32_t s, uint8_t port);

/* Moves entries of a LID, those farthest from its owner first, as least passes
 * them.  It ends when so much was looked at; *moved_at is how much was when an
 * entry moved last. */
void weft__ease_lid(struct weft__easing *z, unsigned lid, uint64_t work,
		    uint64_t *moved_at);

/* Finds the move of a LID's entries that is worth most.  Returns false if none
 * saves anything. */
bool weft__ease_best(struct weft__easing *z, unsigned lid,
		     struct weft__ease_move *best);
/* Makes the move that was found just now, if it closes no cycle; else nothing
 * changes. */
bool weft__ease_make(struct weft__easing *z, const struct weft__ease_move *m);

/* The highest load now, of channels that are hot.  O(hot channels). */
uint64_t weft__ease_peak(const struct weft__easing *z);

/* Moves entries back, all but the first n; loads stay what they are. */
void weft__ease_back(struct weft__easing *z, size_t n);

/* The same, but loads follow.  O(switches) for each entry. */
void weft__ease_undo(struct weft__easing *z, size_t n);

#endif
