// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Machines and teams of ranks; see teams.h. */
#include "worth/model/pattern.h"

#include <stdlib.h>
#include <string.h>

/* --- machines ------------------------------------------------------------- */

/* Copies where ranks are, or counts size ranks to a machine.  Storage without
 * other hosts is as good as any. */
static int take_seats(struct weft_traffic *t, uint32_t size,
		      struct weft_diag *diag)
{
	struct weft_seat *seat = calloc(t->nranks + 1ull, sizeof(*seat));
	uint32_t storage = 0;

	if (!seat)
		return weft_no_memory(diag);
	t->machines.seat = seat;
	if (t->given)
		memcpy(seat, t->given, t->nranks * sizeof(*seat));
	for (uint32_t i = 0; i < t->nranks; i++) {
		storage += seat[i].storage;
		if (!size)
			continue;
		seat[i].machine = i / size;
		seat[i].rail = i % size;
	}
	t->machines.storage = storage && storage < t->nranks;
	for (uint32_t i = 0; i < t->nranks; i++)
		seat[i].storage &= t->machines.storage;
	return 0;
}

/* Finds the rank at each adapter of each machine, the first of several. */
static int find_adapters(struct weft_traffic *t, struct weft_diag *diag)
{
	struct weft__machines *m = &t->machines;
	size_t places;

	for (uint32_t i = 0; i < t->nranks; i++) {
		if (m->seat[i].machine >= m->n)
			m->n = m->seat[i].machine + 1;
		if (m->seat[i].rail >= m->rails)
			m->rails = m->seat[i].rail + 1;
	}
	places = (size_t)m->n * m->rails;
	m->at = malloc((places + 1) * sizeof(*m->at));
	if (!m->at)
		return weft_no_memory(diag);
	memset(m->at, 0xff, places * sizeof(*m->at));
	for (uint32_t i = t->nranks; i-- > 0;)
		m->at[(size_t)m->seat[i].machine * m->rails +
		      m->seat[i].rail] = i;
	return 0;
}

int weft__machines_prepare(struct weft_traffic *t, const struct weft_options *o,
			   struct weft_diag *diag)
{
	uint32_t size = weft_options_int(o, "machine");
	int err;

	t->seated = true;
	if (!size && !t->given)
		return 0;
	err = take_seats(t, size, diag);
	return err ? err : find_adapters(t, diag);
}

void weft__machines_free(struct weft__machines *m)
{
	free(m->seat);
	free(m->at);
}

/* --- teams ---------------------------------------------------------------- */

static uint32_t by_rail(const struct weft_seat *seat)
{
	return seat->rail;
}

static uint32_t by_machine(const struct weft_seat *seat)
{
	return seat->machine;
}

static uint32_t together(const struct weft_seat *seat)
{
	(void)seat;
	return 0;
}

static void find_most(struct weft__teams *teams)
{
	teams->most = 0;
	for (uint32_t i = 0; i < teams->n; i++) {
		uint32_t size = teams->first[i + 1] - teams->first[i];

		teams->most = size > teams->most ? size : teams->most;
	}
}

int weft__teams_row(struct weft__teams *teams, uint32_t first, uint32_t end,
		    struct weft_diag *diag)
{
	teams->first = malloc(2 * sizeof(*teams->first));
	if (!teams->first)
		return weft_no_memory(diag);
	teams->first[0] = first;
	teams->first[1] = end;
	teams->most = end - first;
	teams->n = 1;
	return 0;
}

/* Makes n teams, each of all ranks whose key is its number, of those that are
 * storage hosts or of the others. */
static int gather(const struct weft_traffic *t, uint32_t n,
		  uint32_t (*key)(const struct weft_seat *), bool storage,
		  struct weft__teams *out, struct weft_diag *diag)
{
	const struct weft_seat *seat = t->machines.seat;
	uint32_t *first = calloc(n + 2ull, sizeof(*first));

	out->n = n;
	out->first = first;
	out->member = malloc((t->nranks + 1ull) * sizeof(*out->member));
	if (!first || !out->member)
		return weft_no_memory(diag);
	for (uint32_t i = 0; i < t->nranks; i++)
		if (seat[i].storage == storage)
			first[key(&seat[i]) + 2]++;
	for (uint32_t i = 2; i <= n; i++)
		first[i] += first[i - 1];
	for (uint32_t i = 0; i < t->nranks; i++)
		if (seat[i].storage == storage)
			out->member[first[key(&seat[i]) + 1]++] = i;
	find_most(out);
	return 0;
}

int weft__teams_of(const struct weft_traffic *t, bool rails, bool storage,
		   struct weft__teams *out, struct weft_diag *diag)
{
	if (!t->machines.seat)
		return weft__teams_row(out, 0, storage ? 0 : t->nranks, diag);
	return gather(t, rails ? t->machines.rails : 1,
		      rails ? by_rail : together, storage, out, diag);
}

int weft__teams_of_machines(const struct weft_traffic *t,
			    struct weft__teams *out, struct weft_diag *diag)
{
	out->inside = true;
	if (!t->machines.seat)
		return weft__teams_row(out, 0, 0, diag);
	return gather(t, t->machines.n, by_machine, false, out, diag);
}

int weft__teams_prepare(struct weft_traffic *t, const struct weft_options *o,
			struct weft_diag *diag)
{
	enum weft__via via = weft_options_int(o, "via");
	int err;

	if (via == WEFT__VIA_NONE)
		return weft__teams_row(&t->team, 0, t->nranks, diag);
	err = weft__machines_prepare(t, o, diag);
	if (err)
		return err;
	t->team.nearest = via == WEFT__VIA_NEAREST;
	return weft__teams_of(t, via == WEFT__VIA_RAIL, false, &t->team, diag);
}

/* Has the members of a team, n of them, take turns in its groups. */
static void deal(const struct weft__teams *teams, uint32_t team, uint32_t size,
		 uint32_t *member)
{
	uint32_t n = teams->first[team + 1] - teams->first[team];
	uint32_t groups = (n + size - 1) / size, used = 0;

	for (uint32_t g = 0; g < groups; g++)
		for (uint32_t i = g; i < n; i += groups)
			member[used++] = weft__team_rank(teams, team, i);
}

int weft__teams_cut(struct weft__teams *teams, uint32_t size, bool strided,
		    struct weft_diag *diag)
{
	uint32_t all = teams->first[teams->n];
	struct weft__teams cut = *teams;

	cut.n = 0;
	cut.first = calloc(all / size + teams->n + 2ull, sizeof(*cut.first));
	cut.member = strided ? malloc((all + 1ull) * sizeof(*cut.member)) :
			       teams->member;
	if (!cut.first || (strided && !cut.member)) {
		free(cut.first);
		return weft_no_memory(diag);
	}
	for (uint32_t i = 0; i < teams->n; i++) {
		uint32_t begin = teams->first[i];
		uint32_t n = teams->first[i + 1] - begin;
		uint32_t groups = ((uint64_t)n + size - 1) / size;

		if (strided)
			deal(teams, i, size, cut.member + begin);
		for (uint32_t g = 0; g < groups; g++) {
			uint32_t more = n % groups;

			begin += !strided ? size : n / groups + (g < more);
			cut.first[++cut.n] = begin;
		}
		cut.first[cut.n] = teams->first[i + 1];
	}
	if (strided)
		free(teams->member);
	free(teams->first);
	*teams = cut;
	find_most(teams);
	return 0;
}

void weft__teams_free(struct weft__teams *teams)
{
	free(teams->first);
	free(teams->member);
	teams->first = teams->member = NULL;
}

/* --- rounds --------------------------------------------------------------- */

/* Returns the rank of the sender's machine that is on the rail of the
 * destination; the sender if there is none, or none on its NUMA node. */
static uint32_t adapter(const struct weft__machines *m, uint32_t from,
			uint32_t to)
{
	const struct weft_seat *seat = m->seat;
	uint32_t rank = m->at[(size_t)seat[from].machine * m->rails +
			      seat[to].rail];

	if (rank == UINT32_MAX ||
	    (seat[from].numa && seat[rank].numa &&
	     seat[from].numa != seat[rank].numa))
		return from;
	return rank;
}

uint64_t weft__teams_add(const struct weft_traffic *t,
			 const struct weft__teams *teams,
			 struct weft_pair *pair, uint64_t n, uint32_t from,
			 uint32_t to)
{
	const struct weft__machines *m = &t->machines;

	if (m->seat && !teams->inside &&
	    m->seat[from].machine == m->seat[to].machine)
		return n;
	if (m->seat && teams->nearest)
		from = adapter(m, from, to);
	pair[n] = (struct weft_pair){ from, to };
	return n + 1;
}

/* Turns n places of a team into ranks, and returns how many pairs need the
 * network. */
static uint64_t settle(const struct weft_traffic *t,
		       const struct weft__teams *teams, uint32_t team,
		       struct weft_pair *pair, uint64_t n)
{
	uint64_t kept = 0;

	for (uint64_t i = 0; i < n; i++)
		kept = weft__teams_add(
			t, teams, pair, kept,
			weft__team_rank(teams, team, pair[i].from),
			weft__team_rank(teams, team, pair[i].to));
	return kept;
}

uint64_t weft__teams_round(const struct weft_traffic *t,
			   const struct weft__teams *teams,
			   weft__kernel *kernel, uint64_t round,
			   struct weft_draw *draw, struct weft_pair *pair)
{
	uint64_t used = 0;

	for (uint32_t i = 0; i < teams->n; i++) {
		uint32_t n = teams->first[i + 1] - teams->first[i];
		uint64_t more = n < 2 ? 0 : settle(
			t, teams, i, pair + used,
			kernel(t, n, round, draw, pair + used));
		double size = more && t->sized && teams->size ?
			teams->size(t, n, round) : 1;

		for (uint64_t k = 0; draw->size && k < more; k++)
			draw->size[used + k] = size;
		used += more;
	}
	return used;
}
