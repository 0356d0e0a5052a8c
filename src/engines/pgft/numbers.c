// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: numbers of hosts in fat trees
 *
 * D-mod-K has no contention if hosts are numbered in the order in which
 * programs count their ranks.  So leaves are numbered subtree by subtree here,
 * each by the lowest rank in it, and hosts run on without a gap where a leaf
 * has fewer than others; or, aligned, each leaf begins anew, and each subtree that
 * has hosts for all of its ways up.
 *
 * Each group of hosts is numbered by itself through the whole tree, so that
 * shifts of its ranks meet no contention either.  But where a leaf has some
 * hosts of each, two groups may take the same way up and leave others to
 * nobody.  So, level by level from the leaves, hosts of a subtree that share
 * their way so far are spread over the ways up from there: none of these serves
 * more than its part.  The larger groups keep their ways as far as that goes;
 * those of smaller ones take what is left, which leads on from leaf to leaf, as
 * the larger ones do.
 */
#include "engines/pgft/numbers.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

struct host {
	/* lowest ranks of its subtrees, from the top; then its own */
	uint32_t path[WEFT__PGFT_LEVELS + 1];
	uint32_t group, leaf, at; /* at: in the form's numbers */
};

/* A host among those of its subtree that share their way so far. */
struct mate {
	uint32_t subtree, way;
	uint32_t others;     /* hosts that are not of its group */
	uint32_t number, at; /* at: WEFT_NONE if it keeps its number */
};

/* Finds the lowest rank in each subtree of level l, from those of leaves. */
static void lowest_ranks(const struct weft__pgft_form *form, unsigned l,
			 uint32_t nleaves, const uint32_t *leaf,
			 uint32_t *lowest)
{
	memset(lowest, 0xff, nleaves * sizeof(*lowest));
	for (uint32_t i = 0; i < nleaves; i++) {
		uint32_t *low = &lowest[i / form->leaves[l]];

		*low = leaf[i] < *low ? leaf[i] : *low;
	}
}

static int by_path(const void *x, const void *y)
{
	const struct host *a = x, *b = y;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	for (unsigned l = 0; l < WEFT__PGFT_LEVELS + 1; l++)
		if (a->path[l] != b->path[l])
			return a->path[l] < b->path[l] ? -1 : 1;
	return 0;
}

/* Lists all hosts on leaves, group by group, in the order of their numbers to
 * be; returns how many there are.  leaf, lowest: [leaves] scratch. */
static uint32_t list_hosts(const struct weft_fabric *f,
			   const struct weft__pgft_form *form,
			   const uint32_t *rank, uint32_t *leaf,
			   uint32_t *lowest, struct host *host)
{
	uint32_t nleaves = form->leaves[form->h], n = 0;

	memset(leaf, 0xff, nleaves * sizeof(*leaf));
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t s = f->ep[e].sw;

		if (form->level[s] == 1 && rank[e] < leaf[form->subtree[s]])
			leaf[form->subtree[s]] = rank[e];
	}
	for (unsigned l = 1; l <= form->h; l++) {
		lowest_ranks(form, l, nleaves, leaf, lowest);
		n = 0;
		for (uint32_t e = 0; e < f->nep; e++) {
			uint32_t subtree = form->subtree[f->ep[e].sw];

			if (form->number[e] == WEFT_NONE ||
			    f->ep[e].kind != WEFT_HOST)
				continue;
			host[n].at = form->number[e];
			host[n].leaf = subtree;
			host[n].group = f->ep[e].group;
			host[n].path[WEFT__PGFT_LEVELS] = rank[e];
			host[n++].path[form->h - l] =
				lowest[subtree / form->leaves[l]];
		}
	}
	qsort(host, n, sizeof(*host), by_path);
	return n;
}

/* Returns how far groups begin from each other, as in the same place of two are the
 * ports of a machine: as far as can be in all, or on each level. */
static uint32_t apart(const struct weft__pgft_form *form, uint32_t ngroups,
		      bool separate)
{
	uint32_t unit = 1, all = 1, sum = 0;

	for (unsigned l = 1; l < form->h; l++) {
		uint32_t ways = form->w[l + 1] * form->p[l + 1];

		sum += (ways + ngroups / 2) / (ngroups + !ngroups) * unit;
		unit *= form->w[l + 1];
		all *= ways;
	}
	return separate ? sum : all / (ngroups + !ngroups);
}

/* Numbers the hosts of each group one after the other without a gap. */
static void count_off(const struct host *host, uint32_t n, uint32_t apart,
		      uint32_t *number)
{
	for (uint32_t i = 0, first = 0; i < n; i++) {
		if (host[i].group != host[first].group)
			first = i;
		number[host[i].at] = i - first + host[i].group * apart;
	}
}

bool weft__hosts_fill_ways(const struct weft__pgft_form *form, uint32_t hosts,
			   unsigned level)
{
	double ways = form->p[level + 1];

	for (unsigned l = 1; l <= level; l++)
		ways *= form->w[l + 1];
	return (double)hosts * form->leaves[level] >=
	       ways * form->leaves[form->h];
}

/* How many hosts of a subtree of a level came by each way so far.  A cable among
 * parallel ones fixes a part of the number that tells the way from there. */
struct turns {
	uint32_t *turn;	/* [ways * rests] */
	uint32_t ways;	/* up to the level */
	uint32_t rests;	/* different parts that cables of a way fix */
	uint32_t next;	/* numbers that tell ways from there, a multiple of
			 * rests */
	bool anew;	/* each subtree begins anew */
};

/* Returns the counters of all levels, [h], or NULL without memory. */
static struct turns *make_turns(const struct weft__pgft_form *form,
				uint32_t hosts, struct weft_arena *arena)
{
	struct turns *t = weft__arena_alloc(arena, form->h + 1ull, sizeof(*t));
	uint32_t ways = 1, rests = 1;

	for (unsigned l = 1; t && l < form->h; l++) {
		uint32_t next = form->w[l + 1] * form->p[l + 1];

		while (next % rests)
			next += form->w[l + 1] * form->p[l + 1];
		t[l] = (struct turns){
			.turn = weft__arena_zalloc(arena, (size_t)ways * rests,
						   sizeof(*t->turn)),
			.ways = ways, .rests = rests, .next = next,
			.anew = l == 1 || weft__hosts_fill_ways(form, hosts, l),
		};
		if (!t[l].turn)
			return NULL;
		ways *= form->w[l + 1];
		rests = next / form->w[l + 1];
	}
	return t;
}

/* Returns the number of the next host, the first one in its subtrees of level
 * "anew" and below: in each of these, hosts that share their way so far take the
 * ways from there in turns. */
static uint32_t next_aligned(const struct weft__pgft_form *form, unsigned anew,
			     const struct turns *turns)
{
	uint32_t number = 0, rest = 0, ways = 1;

	for (unsigned l = 1; l < form->h; l++) {
		const struct turns *t = &turns[l];
		uint32_t w = form->w[l + 1];

		if (l <= anew && t->anew)
			memset(t->turn, 0, (size_t)t->ways * t->rests *
					   sizeof(*t->turn));
		rest += t->rests * t->turn[number + ways * rest]++;
		rest %= t->next;
		number += rest % w * ways;
		rest /= w;
		ways *= w;
	}
	return number + ways * rest;
}

/* Has each subtree begin with its first way up instead; above leaves only where
 * there are hosts for all ways, as else the last ones serve nobody.  Returns false
 * without memory; *in_a_row: whether hosts are in a row even so. */
static bool align(const struct weft__pgft_form *form, const struct host *host,
		  uint32_t n, struct weft_arena *arena, uint32_t *number,
		  bool *in_a_row)
{
	const struct turns *turns = make_turns(form, n, arena);
	uint32_t all = 1;

	for (unsigned l = 1; turns && l < form->h; l++)
		all = turns[l].ways * turns[l].next;
	*in_a_row = true;
	for (uint32_t i = 0; turns && i < n; i++) {
		unsigned anew = 0;

		if (i && host[i].group != host[i - 1].group)
			anew = form->h;
		while (i && anew < form->h &&
		       host[i].leaf / form->leaves[anew + 1] !=
		       host[i - 1].leaf / form->leaves[anew + 1])
			anew++;
		number[host[i].at] = next_aligned(form, anew, turns);
		*in_a_row &= number[host[i].at] == i % all;
	}
	return turns;
}

static int by_way(const void *x, const void *y)
{
	const struct mate *a = x, *b = y;

	if (a->subtree != b->subtree)
		return a->subtree < b->subtree ? -1 : 1;
	if (a->way != b->way)
		return a->way < b->way ? -1 : 1;
	if (a->others != b->others)
		return a->others < b->others ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Has n hosts, the larger groups first, share ways up alike.  These are told by
 * number / unit; those that differ by step have the same cable farther down.
 * count: [ways] scratch. */
static void spread(struct mate *mate, uint32_t n, uint32_t unit, uint32_t ways,
		   uint32_t step, uint32_t *count, uint32_t *number)
{
	uint32_t most = (n + ways - 1) / ways;

	memset(count, 0, ways * sizeof(*count));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *c = &count[mate[i].number / unit % ways];

		if (*c < most) {
			++*c;
			mate[i].at = WEFT_NONE;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t old = mate[i].number / unit % ways, best = old;

		if (mate[i].at == WEFT_NONE)
			continue;
		for (uint32_t k = 0, way = old; k < ways;
		     k++, way = (way + step) % ways)
			best = count[way] < count[best] ? way : best;
		count[best]++;
		number[mate[i].at] += (best - old) * unit;
	}
}

/* Has all hosts of each subtree share its ways up alike.  others: [groups]. */
static bool even_out(const struct weft__pgft_form *form,
		     const struct host *host, uint32_t n,
		     const uint32_t *others, struct weft_arena *arena,
		     uint32_t *number)
{
	struct mate *mate = weft__arena_alloc(arena, n, sizeof(*mate));
	uint32_t unit = 1;

	for (unsigned l = 1; l < form->h && mate; l++) {
		uint32_t ways = form->w[l + 1] * form->p[l + 1];
		uint32_t *count =
			weft__arena_alloc(arena, ways, sizeof(*count));

		if (!count)
			return false;
		for (uint32_t i = 0; i < n; i++)
			mate[i] = (struct mate){
				.subtree = host[i].leaf / form->leaves[l],
				.way = number[host[i].at] % unit,
				.others = others[host[i].group],
				.number = number[host[i].at],
				.at = host[i].at,
			};
		qsort(mate, n, sizeof(*mate), by_way);
		for (uint32_t i = 0, end; i < n; i = end) {
			for (end = i + 1;
			     end < n && mate[end].subtree == mate[i].subtree &&
			     mate[end].way == mate[i].way;
			     end++)
				;
			spread(mate + i, end - i, unit, ways,
			       l > 1 ? form->p[l] : 1, count, number);
		}
		unit *= form->w[l + 1];
	}
	return mate;
}

bool weft__number_hosts(const struct weft_fabric *f,
			const struct weft__pgft_form *form,
			const struct weft__numbering *how,
			struct weft_arena *arena, uint32_t *number,
			bool *in_a_row)
{
	uint32_t nleaves = form->leaves[form->h], n;
	uint32_t *leaf = weft__arena_alloc(arena, nleaves, sizeof(*leaf));
	uint32_t *lowest = weft__arena_alloc(arena, nleaves, sizeof(*lowest));
	uint32_t *others =
		weft__arena_alloc(arena, f->ngroups + 1ull, sizeof(*others));
	struct host *host =
		weft__arena_zalloc(arena, f->nep + 1ull, sizeof(*host));

	if (weft__arena_failed(arena))
		return false;
	n = list_hosts(f, form, how->rank, leaf, lowest, host);
	*in_a_row = true;
	if (!how->aligned)
		count_off(host, n, apart(form, f->ngroups, how->separate), number);
	else if (!align(form, host, n, arena, number, in_a_row))
		return false;
	for (uint32_t g = 0; g <= f->ngroups; g++)
		others[g] = n;
	for (uint32_t i = 0; i < n; i++)
		others[host[i].group]--;
	return f->ngroups < 2 || even_out(form, host, n, others, arena, number);
}
