// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Whether entries of multicast groups are trees; see weft/multicast.h. */
#include <weft/multicast.h>

#include "core/sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weft_multicast_free(struct weft_multicast *multicast)
{
	free(multicast->entry);
	*multicast = (struct weft_multicast){ 0 };
}

void weft_multicast_verdict_free(struct weft_multicast_verdict *verdict)
{
	free(verdict->group);
	free(verdict->load);
	*verdict = (struct weft_multicast_verdict){ 0 };
}

/* --- the order of entries --------------------------------------------- */

static int compare(const void *pa, const void *pb)
{
	const struct weft_multicast_entry *a = pa, *b = pb;

	if (a->mlid != b->mlid)
		return a->mlid < b->mlid ? -1 : 1;
	return (a->sw > b->sw) - (a->sw < b->sw);
}

static bool is_empty(const struct weft_multicast_entry *e)
{
	return !(e->ports[0] | e->ports[1] | e->ports[2] | e->ports[3]);
}

void weft_multicast_sort(struct weft_multicast *m)
{
	uint32_t n = 0;

	if (m->n)
		qsort(m->entry, m->n, sizeof(*m->entry), compare);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct weft_multicast_entry e = m->entry[i];

		if (is_empty(&e))
			continue;
		if (n && !compare(&m->entry[n - 1], &e))
			for (int k = 0; k < 4; k++)
				m->entry[n - 1].ports[k] |= e.ports[k];
		else
			m->entry[n++] = e;
	}
	m->n = n;
}

/* --- a group ---------------------------------------------------------- */

struct judge {
	const struct weft_fabric *f;
	struct weft_multicast_verdict *out;
	const struct weft_multicast_entry *entry;	/* of the group, [n] */
	uint32_t n;
	uint32_t *at;		/* [nsw] which entry is a switch's; others:
				 * anything */
	uint32_t *piece;	/* [n] sets of entries (core/sets.h) */
	uint32_t *members;	/* [n] of the entry, then of its piece */
};

/* The entry of a switch, WEFT_NONE if the group has none there. */
static uint32_t entry_of(const struct judge *j, uint32_t sw)
{
	uint32_t i = j->at[sw];

	return i < j->n && j->entry[i].sw == sw ? i : WEFT_NONE;
}

/* A port to another switch, or to the same one. */
static void add_cable(struct judge *j, uint32_t i, uint32_t ch,
		      struct weft_multicast_group *g)
{
	const struct weft_fabric *f = j->f;
	uint32_t there = entry_of(j, f->peer[ch]);

	j->out->load[ch]++;
	if (there == WEFT_NONE ||
	    !weft_multicast_has(&j->entry[there], f->peer_port[ch])) {
		if (!g->one_way++ && g->channel == WEFT_NONE)
			g->channel = ch;
		return;
	}
	if (f->reverse[ch] < ch)	/* the other end has told of it */
		return;
	if (!weft__sets_join(j->piece, i, there) && !g->circles++)
		g->channel = ch;
}

static void add_entry(struct judge *j, uint32_t i,
		      struct weft_multicast_group *g)
{
	const struct weft_multicast_entry *e = &j->entry[i];

	for (unsigned p = 0; p <= j->f->sw[e->sw].nports; p++) {
		uint32_t ch = weft_channel(j->f, e->sw, p);

		if (!weft_multicast_has(e, p))
			continue;
		if (p && j->f->peer[ch] == WEFT_NONE)
			g->nowhere++;
		else if (!p || !weft_is_switch(j->f->peer[ch]))
			j->members[i]++;
		else
			add_cable(j, i, ch, g);
	}
	g->members += j->members[i];
}

static void count_pieces(struct judge *j, struct weft_multicast_group *g)
{
	uint64_t met = 0;

	for (uint32_t i = 0; i < j->n; i++) {
		uint32_t piece = weft__sets_find(j->piece, i);

		if (piece == i)
			continue;
		j->members[piece] += j->members[i];
		j->members[i] = 0;
	}
	for (uint32_t i = 0; i < j->n; i++) {
		uint64_t m = j->members[i];

		g->trees += m > 0;
		met += m * m;
	}
	g->lost = (uint64_t)g->members * g->members - met;
}

static void judge_group(struct judge *j, struct weft_multicast_group *g)
{
	*g = (struct weft_multicast_group){
		.mlid = j->entry[0].mlid,
		.switches = j->n,
		.channel = WEFT_NONE,
	};
	weft__sets_begin(j->piece, j->n);
	for (uint32_t i = 0; i < j->n; i++) {
		j->at[j->entry[i].sw] = i;
		j->members[i] = 0;
	}
	for (uint32_t i = 0; i < j->n; i++)
		add_entry(j, i, g);
	count_pieces(j, g);
	j->out->broken += !weft_multicast_holds(g);
}

static void find_highest(const struct weft_fabric *f,
			 struct weft_multicast_verdict *out)
{
	out->max_channel = WEFT_NONE;
	for (uint32_t ch = 0; ch < f->nch; ch++) {
		out->used += out->load[ch] > 0;
		if (out->load[ch] <= out->max_load)
			continue;
		out->max_load = out->load[ch];
		out->max_channel = ch;
	}
}

static uint32_t count_groups(const struct weft_multicast *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n; i++)
		n += !i || m->entry[i].mlid != m->entry[i - 1].mlid;
	return n;
}

int weft_multicast_judge(const struct weft_fabric *f,
			 const struct weft_multicast *m,
			 struct weft_multicast_verdict *out)
{
	struct weft_multicast_verdict v = { .n = count_groups(m) };
	struct judge j = { .f = f, .out = &v };
	uint32_t next, n = 0;
	int err = -ENOMEM;

	v.group = calloc(v.n + 1ull, sizeof(*v.group));
	v.load = calloc(f->nch + 1ull, sizeof(*v.load));
	j.at = calloc(f->nsw + 1ull, sizeof(*j.at));
	j.piece = calloc(f->nsw + 1ull, sizeof(*j.piece));
	j.members = calloc(f->nsw + 1ull, sizeof(*j.members));
	if (!v.group || !v.load || !j.at || !j.piece || !j.members)
		goto out;
	for (uint32_t i = 0; i < m->n; i = next) {
		for (next = i + 1; next < m->n &&
				   m->entry[next].mlid == m->entry[i].mlid;)
			next++;
		j.entry = m->entry + i;
		j.n = next - i;
		judge_group(&j, &v.group[n++]);
	}
	find_highest(f, &v);
	*out = v;
	err = 0;
out:
	free(j.at);
	free(j.piece);
	free(j.members);
	if (err)
		weft_multicast_verdict_free(&v);
	return err;
}
