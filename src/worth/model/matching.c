// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds largest matchings; see matching.h.
 *
 * Each destination is matched to the first of its groups that has a member
 * left.  For those that find none, a breadth-first search looks for a chain:
 * one of their groups gives up a destination, which another group takes, and so
 * on until a group has a member left.  Groups that a search met without success
 * can never be part of a chain again: all groups that they lead to are full as
 * well.
 */
#include "worth/model/matching.h"

#include <weft/fabric.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEAD UINT32_MAX		/* seen[] */

int weft__matching_init(struct weft__matching *m, uint32_t ngroups,
			const uint32_t *size, uint32_t max_dests)
{
	size_t groups = ngroups + 1ull, dests = max_dests + 1ull;

	*m = (struct weft__matching){
		.ngroups = ngroups, .size = size, .capacity = max_dests,
		.left = malloc(groups * sizeof(*m->left)),
		.seen = malloc(groups * sizeof(*m->seen)),
		.from = malloc(groups * sizeof(*m->from)),
		.head = malloc(groups * sizeof(*m->head)),
		.queue = malloc(groups * sizeof(*m->queue)),
		.first = malloc((dests + 1) * sizeof(*m->first)),
		.dest = malloc(dests * sizeof(*m->dest)),
		.group = malloc(dests * sizeof(*m->group)),
		.next = malloc(dests * sizeof(*m->next)),
	};
	if (m->left && m->seen && m->from && m->head && m->queue && m->first &&
	    m->dest && m->group && m->next)
		return 0;
	weft__matching_free(m);
	return -ENOMEM;
}

void weft__matching_free(struct weft__matching *m)
{
	free(m->left);
	free(m->seen);
	free(m->from);
	free(m->head);
	free(m->queue);
	free(m->first);
	free(m->dest);
	free(m->group);
	free(m->next);
	*m = (struct weft__matching){ 0 };
}

static void index_dests(struct weft__matching *m, uint64_t n)
{
	m->ndest = 0;
	for (uint64_t i = 0; i < n; i++) {
		if (m->ndest && m->dest[m->ndest - 1] == m->reach[i].dest)
			continue;
		m->first[m->ndest] = i;
		m->dest[m->ndest++] = m->reach[i].dest;
	}
	m->first[m->ndest] = n;
}

static void assign_dest(struct weft__matching *m, uint32_t d, uint32_t g)
{
	m->group[d] = g;
	m->next[d] = m->head[g];
	m->head[g] = d;
}

/* Removes destination d from its group. */
static void remove_dest(struct weft__matching *m, uint32_t d)
{
	uint32_t *link = &m->head[m->group[d]];

	while (*link != d)
		link = &m->next[*link];
	*link = m->next[d];
}

/* Matches d to a group that has a member left.  Returns false if there is
 * none. */
static bool match_at_once(struct weft__matching *m, uint32_t d)
{
	for (uint64_t i = m->first[d]; i < m->first[d + 1]; i++) {
		uint32_t g = m->reach[i].group;

		if (!m->left[g])
			continue;
		m->left[g]--;
		assign_dest(m, d, g);
		return true;
	}
	return false;
}

/* Moves each destination on the chain that ends at group g to the group that it
 * led to; the first destination is new. */
static void move_chain(struct weft__matching *m, uint32_t g)
{
	m->left[g]--;
	while (true) {
		uint32_t d = m->from[g], old = m->group[d];

		if (old != WEFT_NONE)
			remove_dest(m, d);
		assign_dest(m, d, g);
		if (old == WEFT_NONE)
			return;
		g = old;
	}
}

/* Appends the groups that destination d leads to to the queue. */
static uint32_t queue_groups(struct weft__matching *m, uint32_t d,
			     uint32_t search, uint32_t tail)
{
	for (uint64_t i = m->first[d]; i < m->first[d + 1]; i++) {
		uint32_t g = m->reach[i].group;

		if (m->seen[g] == search || m->seen[g] == DEAD)
			continue;
		m->seen[g] = search;
		m->from[g] = d;
		m->queue[tail++] = g;
	}
	return tail;
}

static bool match_by_chain(struct weft__matching *m, uint32_t start)
{
	uint32_t search = start + 1, head = 0;
	uint32_t tail = queue_groups(m, start, search, 0);

	for (; head < tail; head++) {
		uint32_t g = m->queue[head];

		if (m->left[g]) {
			move_chain(m, g);
			return true;
		}
		for (uint32_t d = m->head[g]; d != WEFT_NONE; d = m->next[d])
			tail = queue_groups(m, d, search, tail);
	}
	while (tail)
		m->seen[m->queue[--tail]] = DEAD;
	return false;
}

uint32_t weft__matching_run(struct weft__matching *m,
			    const struct weft__reach *reach, uint64_t n,
			    uint32_t enough)
{
	uint32_t matched = 0;

	m->reach = reach;
	index_dests(m, n);
	memcpy(m->left, m->size, m->ngroups * sizeof(*m->left));
	memset(m->seen, 0, m->ngroups * sizeof(*m->seen));
	memset(m->head, 0xff, m->ngroups * sizeof(*m->head));
	memset(m->group, 0xff, m->ndest * sizeof(*m->group));
	for (uint32_t d = 0; d < m->ndest && matched < enough; d++)
		matched += match_at_once(m, d);
	for (uint32_t d = 0; d < m->ndest && matched < enough; d++)
		if (m->group[d] == WEFT_NONE)
			matched += match_by_chain(m, d);
	return matched;
}
