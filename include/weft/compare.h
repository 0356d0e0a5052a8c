/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables side by side: what each is worth on one fabric, which are worth the
 * same as far as can be told, and which to take.
 */
#ifndef WEFT_COMPARE_H
#define WEFT_COMPARE_H

#include <weft/worth.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where tables come from. */
enum weft_compare_origin {
	WEFT_TABLES_PRESENT,	/* those that the fabric has */
	WEFT_TABLES_ENGINE,	/* an engine of weft */
	WEFT_TABLES_OPENSM,	/* an engine of OpenSM */
};

enum weft_compare_state {
	WEFT_COMPARED,
	WEFT_COMPARE_REFUSED,	/* the engine does not route the fabric */
	WEFT_COMPARE_LATE,	/* there was no time left for it */
};

struct weft_candidate {
	const char *label;	/* engine with options, or where tables are */
	const char *engine;	/* as routing_engine names it; NULL: none */
	const char *plugin;	/* that has it; NULL: OpenSM itself, or none
				 * has it, so that it is never advised */
	const char *options;	/* what is to stand in weft.conf, or "" */
	enum weft_compare_origin origin;
	enum weft_compare_state state;
	const char *reason;	/* why it is refused or late */
	/* of tables: */
	const struct weft_fabric *fabric;	/* with their LIDs */
	const struct weft_routes *routes;
	bool mended;		/* its tables had a credit loop and got service
				 * levels against it: the label says so */
	bool shown;		/* not present, but those that others are
				 * measured against in the advice */
	double seconds;		/* that the engine took; < 0: not known */
	uint64_t memory;	/* bytes that it took; 0: not known */
	bool hidden_levels;	/* it gives out service levels against credit
				 * loops that the routes do not tell: it is
				 * believed that there are none, and that it
				 * takes all lanes there are, if there are
				 * several */
};

struct weft_compared {
	char *label, *engine, *plugin, *options, *reason;	/* as above */
	enum weft_compare_origin origin;
	enum weft_compare_state state;
	bool mended, shown;
	double seconds;
	uint64_t memory;

	struct weft_worth worth;
	double least;		/* share of full bandwidth of the slowest host
				 * when all send to all, each at full load */
	char *least_host;	/* its name, GUID where it has none */
	uint64_t index;		/* edge-forwarding index */
	uint64_t pairs, unreachable;	/* but for those no cable joins */
	unsigned lanes;		/* that they need */
	unsigned cyclic;	/* lanes with a credit loop of hosts' traffic */
	bool hidden_levels;	/* these two are what is believed */
	unsigned lmc;		/* the largest of the fabric's endports */
	/* Entries other than the present ones and blocks of 64 LIDs to send for
	 * them; has_change: present tables with the same LIDs are known. */
	bool has_change;
	uint64_t entries, blocks;
	/* Means after failures: worth, < 0: not known, and entries that
	 * changed. */
	double failed, failed_least, failed_entries;

	/* Set by weft_comparison_rank(): */
	double behind, behind_error;	/* ln(best / this) of worth */
	bool sound;		/* all reached, no credit loop, lanes enough */
	bool tied;		/* sound, and as good as the best sound one as
				 * far as can be told, or within 0.5 % of it */
};

struct weft_comparison_spec {
	struct weft_basket_spec basket;
	unsigned lanes;		/* that there are */
};

struct weft_comparison;

/* The fabric, up to LIDs that of all candidates, and spec->basket.objective
 * must outlive the comparison.  Errors as of weft_basket_new(). */
int weft_comparison_new(const struct weft_comparison_spec *spec,
			const struct weft_fabric *fabric,
			struct weft_comparison **out, struct weft_diag *diag);
void weft_comparison_free(struct weft_comparison *c);	/* NULL is fine */

/*
 * Judges a candidate and adds it as a row.  Of the first one with
 * WEFT_TABLES_PRESENT the tables are remembered, so that it is added first and
 * its fabric and routes outlive the comparison.  Fabrics of all candidates are
 * one, up to LIDs.  -ENOMEM; -EINVAL: as weft_basket_new(), or tables of
 * another fabric.  O(one judgement and one proof).
 */
int weft_comparison_add(struct weft_comparison *c,
			const struct weft_candidate *candidate,
			struct weft_diag *diag);

/*
 * Judges tables for a fabric of which cables have failed, for the last row;
 * entries: of its tables, that differ from those of the row.  The means over
 * all calls for a row are its weft_compared.failed and failed_entries.
 */
int weft_comparison_fail(struct weft_comparison *c,
			 const struct weft_fabric *fabric,
			 const struct weft_routes *routes, uint64_t entries,
			 struct weft_diag *diag);

/* Finds the best row, ties, and what to take; rows may be added after it. */
void weft_comparison_rank(struct weft_comparison *c);

unsigned weft_comparison_rows(const struct weft_comparison *c);
const struct weft_compared *weft_comparison_row(const struct weft_comparison *c,
						unsigned row);
/* The sound row that is worth most; NULL: none is sound. */
const struct weft_compared *
weft_comparison_best(const struct weft_comparison *c);
/* The basket of the fabric, for names of parts. */
const struct weft_basket *
weft_comparison_basket(const struct weft_comparison *c);

/* All rows by worth, most first, those that have none behind them in the order
 * they came, and NULL.  free()d by the caller; NULL without memory. */
const struct weft_compared **
weft_comparison_sorted(const struct weft_comparison *c);

/* What to take, after weft_comparison_rank(). */
struct weft_advice {
	unsigned row;		/* UINT_MAX: none can be advised */
	char *why;		/* two sentences */
	char *opensm;		/* lines for opensm.conf; "" if nothing is to
				 * change */
	char *weft;		/* lines for weft.conf, or "" */
};
int weft_comparison_advise(const struct weft_comparison *c,
			   struct weft_advice *out);	/* 0 or -ENOMEM */
/* What a row of tables comes to in a few words: "advised", "credit loop", "as
 * good"; "" for what is worth less. */
const char *weft_advice_verdict(const struct weft_comparison *c,
				const struct weft_advice *advice,
				const struct weft_compared *row);
void weft_advice_free(struct weft_advice *advice);	/* zeroed is fine */

/*
 * Channels of n random cables between switches without which the fabric is
 * still in one part; fewer where there are fewer.  *out is [*found],
 * free()d by the caller.  -ENOMEM.  O(n x cables).
 */
int weft_comparison_failures(const struct weft_fabric *fabric, unsigned n,
			     uint32_t seed, uint32_t **out, uint32_t *found);

#ifdef __cplusplus
}
#endif
#endif
