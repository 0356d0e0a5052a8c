/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a set of failures does while the tables stay as they are. */
#ifndef WEFT_FAULTS_LOSS_H
#define WEFT_FAULTS_LOSS_H

#include "faults/flows.h"

/* Parts that have failed, and what that leaves in pieces. */
struct weft__down {
	const struct weft_fabric *f;
	bool all_hosts;
	bool *sw;	/* [nsw] */
	bool *channel;	/* [nch] */
	uint32_t *list; /* [n] the channels, both directions */
	uint32_t n;
	uint32_t nsw;	/* switches that have failed */
	uint32_t *home; /* [nsw] part of the fabric before */
	uint32_t nhomes;
	uint32_t *piece;      /* [nsw] what a switch is in, NONE if failed */
	uint32_t *queue;      /* [nsw] */
	uint32_t *size;	      /* [nsw] hosts in each piece */
	uint32_t *piece_home; /* [nsw] the part that a piece was of */
	uint32_t *kept;	      /* [nhomes] the largest piece of each part */
	uint32_t *sum;	      /* [nhomes] hosts left in a part */
};

/* 0 or -ENOMEM; must be freed in any case. */
int weft__down_init(struct weft__down *d, const struct weft_fabric *fabric,
		    bool all_hosts);
void weft__down_free(struct weft__down *d);
/* Has parts fail, and has all work again. */
void weft__down_take(struct weft__down *d, const uint32_t *part, uint32_t n);
void weft__down_restore(struct weft__down *d);
/* Fills in loss->cut, cut_node and apart.  Sets cut[node] of each that is cut
 * off, unless cut is NULL.  O(switches + cables + nodes). */
void weft__down_cut(struct weft__down *d, struct weft_fault_loss *loss,
		    bool *cut);

/* One who judges; each thread has its own. */
struct weft__judge {
	const struct weft__flows *w;
	struct weft__down down;
	uint32_t *stamp; /* [flows] epoch + 1: looked at, epoch: gone */
	uint32_t epoch;
	uint64_t *less; /* [first_injection] Mbit/s that a channel
			 * carries no more */
	bool *met;	/* [first_injection] it is in touched */
	uint32_t *touched, ntouched;
	bool *gone;	/* [hosts] their own cable has failed */
	uint32_t *host; /* [ngone] these */
	uint32_t ngone;
	double *change; /* [hosts] of weft__flows.got, and */
	double *source; /* [nsrc] of that of all hosts of a source */
};

/* 0 or -ENOMEM; must be freed in any case. */
int weft__judge_init(struct weft__judge *j, const struct weft__flows *w,
		     bool all_hosts);
void weft__judge_free(struct weft__judge *j);

/* Judges a set of parts, which are down until weft__down_restore(). */
void weft__judge_loss(struct weft__judge *j, const uint32_t *part, uint32_t n,
		      struct weft_fault_loss *out);

#endif
