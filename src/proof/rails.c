// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: are adapters on their rails?
 *
 * In three steps, each on what those before it found: which machines are
 * expected to have which rails (classes; those with the most rails are looked
 * at), the rail of each leaf (a majority of these machines' adapters), and for
 * each leaf and rail the leaf on which most machines of the former have their
 * adapter of the latter (partner).  An adapter belongs where the partners of
 * its machine's other adapters agree.
 */
#include <weft/rails.h>

#include "core/arena.h"
#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RAILS 256

struct finder {
	const struct weft_fabric *f;
	struct weft_rails *out;
	uint32_t nrails;	/* that any machine has, and one more */
	uint8_t *expected;	/* [nmachines][nrails] */
	uint32_t *railed;	/* [nmachines] how many are expected, 0: it is
				 * not looked at */
	uint8_t *use;		/* [nmachines] kind of the adapters that are */
	uint32_t *partner;	/* [nsw][nrails] */
	uint32_t *votes;	/* [nsw] scratch */
	uint32_t *swept;	/* [nsw] scratch */
};

static const struct weft_endport *port_of(const struct weft_fabric *f,
					  uint32_t machine, uint32_t i)
{
	return &f->ep[f->machine_endport[f->machine_first[machine] + i]];
}

static uint32_t count_ports(const struct weft_fabric *f, uint32_t machine)
{
	return f->machine_first[machine + 1] - f->machine_first[machine];
}

/* Whether an adapter is expected to be on its rail. */
static bool looked_at(const struct finder *w, const struct weft_endport *ep)
{
	return w->railed[ep->machine] && ep->use == w->use[ep->machine];
}

static const char *name_of(const struct weft_fabric *f, uint32_t machine)
{
	return f->node[port_of(f, machine, 0)->node].name;
}

const char *weft_machine_name(const struct weft_fabric *f, uint32_t machine,
			      char *buf, size_t size)
{
	const char *name = name_of(f, machine);
	size_t n = strcspn(name, " ");

	n = n < size ? n : size - 1;
	memcpy(buf, name, n);
	buf[n] = '\0';
	return buf;
}

/* What machines are classed by: kind, then their names up to a digit. */
struct member {
	const char *name;
	size_t length;
	uint32_t machine;
	uint8_t use;
};

static int compare_class(const struct member *a, const struct member *b)
{
	if (a->use != b->use)
		return a->use < b->use ? -1 : 1;
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->name, b->name, a->length);
}

static int compare_members(const void *va, const void *vb)
{
	const struct member *a = va, *b = vb;
	int order = compare_class(a, b);

	return order ? order : (a->machine > b->machine) -
			       (a->machine < b->machine);
}

/* Expects of all machines of a class the rails that most of them have. */
static void expect(struct finder *w, const struct member *m, uint32_t n)
{
	const struct weft_fabric *f = w->f;
	uint32_t have[RAILS] = { 0 }, expected = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t ports = count_ports(f, m[i].machine);
		bool seen[RAILS] = { false };

		for (uint32_t k = 0; k < ports; k++) {
			const struct weft_endport *ep =
				port_of(f, m[i].machine, k);

			if (ep->use != m[i].use)
				continue;
			have[ep->rail] += !seen[ep->rail];
			seen[ep->rail] = true;
		}
	}
	for (uint32_t r = 0; r < w->nrails; r++)
		expected += 2 * have[r] > n;
	for (uint32_t i = 0; expected > 1 && i < n; i++) {
		uint8_t *row = w->expected + (size_t)m[i].machine * w->nrails;

		if (w->railed[m[i].machine] >= expected)
			continue;
		w->railed[m[i].machine] = expected;
		w->use[m[i].machine] = m[i].use;
		for (uint32_t r = 0; r < w->nrails; r++)
			row[r] = 2 * have[r] > n;
	}
}

/* Machines with fewer adapters than most have, as management and storage, are
 * on leaves of any rail. */
static void keep_largest(struct finder *w)
{
	uint32_t most = 0;

	for (uint32_t m = 0; m < w->f->nmachines; m++)
		if (w->railed[m] > most)
			most = w->railed[m];
	for (uint32_t m = 0; m < w->f->nmachines; m++)
		if (w->railed[m] < most)
			w->railed[m] = 0;
	w->out->nrails = most;
}

/* Adds a machine once for each kind of adapters that it has. */
static uint32_t add_members(const struct weft_fabric *f, uint32_t machine,
			    struct member *m, uint32_t n)
{
	uint32_t first = n;

	for (uint32_t k = 0; k < count_ports(f, machine); k++) {
		const struct weft_endport *ep = port_of(f, machine, k);
		const char *name = name_of(f, machine);
		uint32_t i = first;

		while (i < n && m[i].use != ep->use)
			i++;
		if (i < n || ep->kind != WEFT_HOST)
			continue;
		m[n++] = (struct member){
			.name = name, .length = strcspn(name, "0123456789 "),
			.machine = machine, .use = ep->use,
		};
	}
	return n;
}

static bool find_classes(struct finder *w)
{
	const struct weft_fabric *f = w->f;
	struct member *m = malloc((f->nep + 1ull) * sizeof(*m));
	uint32_t n = 0;

	if (!m)
		return false;
	for (uint32_t i = 0; i < f->nmachines; i++)
		n = add_members(f, i, m, n);
	qsort(m, n, sizeof(*m), compare_members);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !compare_class(&m[i], &m[end]);)
			end++;
		expect(w, m + i, end - i);
	}
	keep_largest(w);
	free(m);
	return true;
}

/* Finds the rail of a switch. */
static uint8_t find_rail(const struct finder *w, uint32_t sw)
{
	const struct weft_fabric *f = w->f;
	uint32_t have[RAILS] = { 0 }, all = 0;

	for (uint32_t i = f->sw_ep_first[sw]; i < f->sw_ep_first[sw + 1]; i++) {
		const struct weft_endport *ep = &f->ep[f->sw_endport[i]];

		if (!looked_at(w, ep))
			continue;
		have[ep->rail]++;
		all++;
	}
	for (uint32_t r = 0; r < w->nrails; r++)
		if (2 * have[r] > all)
			return r;
	return WEFT_NO_RAIL;
}

/* Whether an adapter is looked at and where its rail is. */
static bool on_rail(const struct finder *w, const struct weft_endport *ep)
{
	return looked_at(w, ep) && w->out->of_switch[ep->sw] == ep->rail;
}

/* Counts a vote; n are those counted before. */
static uint32_t vote(struct finder *w, uint32_t sw, uint32_t n)
{
	if (!w->votes[sw]++)
		w->swept[n++] = sw;
	return n;
}

/* The switch with more than half of all votes, WEFT_NONE; sweeps them away. */
static uint32_t count_votes(struct finder *w, uint32_t n)
{
	uint32_t best = WEFT_NONE, all = 0;

	for (uint32_t i = 0; i < n; i++)
		all += w->votes[w->swept[i]];
	for (uint32_t i = 0; i < n; i++) {
		if (2 * w->votes[w->swept[i]] > all)
			best = w->swept[i];
		w->votes[w->swept[i]] = 0;
	}
	return best;
}

/* The leaf on which most machines that have their adapters on sw have theirs
 * of rail r. */
static uint32_t find_partner(struct finder *w, uint32_t sw, uint32_t r)
{
	const struct weft_fabric *f = w->f;
	uint32_t n = 0;

	if (w->out->of_switch[sw] == r)
		return sw;
	for (uint32_t i = f->sw_ep_first[sw]; i < f->sw_ep_first[sw + 1]; i++) {
		const struct weft_endport *at = &f->ep[f->sw_endport[i]];

		for (uint32_t k = 0; on_rail(w, at) &&
		     k < count_ports(f, at->machine); k++) {
			const struct weft_endport *ep =
				port_of(f, at->machine, k);

			if (ep->rail == r && on_rail(w, ep))
				n = vote(w, ep->sw, n);
		}
	}
	return count_votes(w, n);
}

/* The leaf on which a machine's adapter of rail r belongs. */
static uint32_t find_place(struct finder *w, uint32_t machine, uint32_t r)
{
	const struct weft_fabric *f = w->f;
	uint32_t n = 0;

	for (uint32_t k = 0; k < count_ports(f, machine); k++) {
		const struct weft_endport *ep = port_of(f, machine, k);
		uint32_t partner = w->partner[(size_t)ep->sw * w->nrails + r];

		if (ep->rail != r && on_rail(w, ep) && partner != WEFT_NONE)
			n = vote(w, partner, n);
	}
	return count_votes(w, n);
}

static bool add(struct finder *w, const struct weft_rail_finding *x)
{
	struct weft_rails *out = w->out;

	if (weft__grow_one(&out->finding, out->n))
		return false;
	out->finding[out->n++] = *x;
	out->count[x->kind]++;
	return true;
}

static bool check_adapter(struct finder *w, uint32_t e)
{
	const struct weft_endport *ep = &w->f->ep[e];
	bool right = on_rail(w, ep);
	uint8_t of_leaf = w->out->of_switch[ep->sw];
	struct weft_rail_finding x = {
		.kind = right ? WEFT_RAIL_UNIT : WEFT_RAIL_OTHER,
		.machine = ep->machine, .endport = e, .sw = ep->sw,
		.rail = ep->rail, .of_leaf = of_leaf,
		.belongs = find_place(w, ep->machine, ep->rail),
		.swap = WEFT_NONE,
	};

	w->out->adapters++;
	w->out->right += right;
	if (of_leaf == WEFT_NO_RAIL)	/* the leaf is a finding by itself */
		return true;
	if (right && (x.belongs == WEFT_NONE || x.belongs == ep->sw))
		return true;
	return add(w, &x);
}

static bool check_machine(struct finder *w, uint32_t machine)
{
	const struct weft_fabric *f = w->f;
	const uint8_t *expected = w->expected + (size_t)machine * w->nrails;
	bool there[RAILS] = { false }, ok = true;

	if (!w->railed[machine])
		return true;
	w->out->machines++;
	for (uint32_t k = 0; k < count_ports(f, machine) && ok; k++) {
		uint32_t e = f->machine_endport[f->machine_first[machine] + k];

		if (!looked_at(w, &f->ep[e]))
			continue;
		there[f->ep[e].rail] = true;
		ok = check_adapter(w, e);
	}
	for (uint32_t r = 0; r < w->nrails && ok; r++)
		if (expected[r] && !there[r])
			ok = add(w, &(struct weft_rail_finding){
				.kind = WEFT_RAIL_MISSING, .machine = machine,
				.endport = WEFT_NONE, .sw = WEFT_NONE,
				.rail = r, .of_leaf = WEFT_NO_RAIL,
				.belongs = find_place(w, machine, r),
				.swap = WEFT_NONE });
	return ok;
}

/* Leaves with adapters of several rails, none of which prevails. */
static bool check_leaf(struct finder *w, uint32_t sw)
{
	const struct weft_fabric *f = w->f;
	bool any = false;

	for (uint32_t i = f->sw_ep_first[sw]; i < f->sw_ep_first[sw + 1]; i++)
		any |= looked_at(w, &f->ep[f->sw_endport[i]]);
	if (!any || w->out->of_switch[sw] != WEFT_NO_RAIL)
		return true;
	return add(w, &(struct weft_rail_finding){
		.kind = WEFT_RAIL_MIXED, .machine = WEFT_NONE,
		.endport = WEFT_NONE, .sw = sw, .rail = WEFT_NO_RAIL,
		.of_leaf = WEFT_NO_RAIL, .belongs = WEFT_NONE,
		.swap = WEFT_NONE });
}

static int compare_findings(const void *va, const void *vb)
{
	const struct weft_rail_finding *a = va, *b = vb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->machine != b->machine)
		return a->machine < b->machine ? -1 : 1;
	if (a->rail != b->rail)
		return a->rail < b->rail ? -1 : 1;
	return (a->sw > b->sw) - (a->sw < b->sw);
}

/* Finds for each adapter astray one that is in its place, and belongs where it
 * is; each is in one exchange. */
static bool find_swaps(struct finder *w)
{
	struct weft_rail_finding *x = w->out->finding;
	uint32_t n = w->out->n, *head = w->votes;
	uint32_t *next = malloc((n + 1ull) * sizeof(*next));

	if (!next)
		return false;
	memset(head, 0xff, w->f->nsw * sizeof(*head));
	for (uint32_t i = n; i-- > 0;) {
		if (x[i].endport == WEFT_NONE)
			continue;
		next[i] = head[x[i].sw];
		head[x[i].sw] = i;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k;

		if (x[i].endport == WEFT_NONE || x[i].swap != WEFT_NONE ||
		    x[i].belongs == WEFT_NONE)
			continue;
		for (k = head[x[i].belongs]; k != WEFT_NONE; k = next[k])
			if (k != i && x[k].swap == WEFT_NONE &&
			    x[k].belongs == x[i].sw)
				break;
		if (k == WEFT_NONE)
			continue;
		x[i].swap = x[k].endport;
		x[k].swap = x[i].endport;
	}
	free(next);
	return true;
}

static bool alloc(struct finder *w, struct weft_arena *a)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].rail >= w->nrails)
			w->nrails = f->ep[e].rail + 1;
	w->expected = weft__arena_zalloc(a, f->nmachines * (size_t)w->nrails, 1);
	w->railed = weft__arena_zalloc(a, f->nmachines, sizeof(*w->railed));
	w->use = weft__arena_zalloc(a, f->nmachines, 1);
	w->partner = weft__arena_alloc(a, f->nsw * (size_t)w->nrails,
				       sizeof(*w->partner));
	w->votes = weft__arena_zalloc(a, f->nsw, sizeof(*w->votes));
	w->swept = weft__arena_alloc(a, f->nsw, sizeof(*w->swept));
	w->out->of_switch = malloc(f->nsw + 1ull);
	return !weft__arena_failed(a) && w->out->of_switch;
}

static bool find_all(struct finder *w)
{
	const struct weft_fabric *f = w->f;
	bool ok = find_classes(w);

	for (uint32_t s = 0; s < f->nsw && ok; s++)
		w->out->of_switch[s] = find_rail(w, s);
	for (uint32_t s = 0; s < f->nsw && ok; s++)
		for (uint32_t r = 0; r < w->nrails; r++)
			w->partner[(size_t)s * w->nrails + r] =
				find_partner(w, s, r);
	for (uint32_t m = 0; m < f->nmachines && ok; m++)
		ok = check_machine(w, m);
	for (uint32_t s = 0; s < f->nsw && ok; s++)
		ok = check_leaf(w, s);
	if (!ok)
		return false;
	if (w->out->n)
		qsort(w->out->finding, w->out->n, sizeof(*w->out->finding),
		      compare_findings);
	return find_swaps(w);
}

int weft_rails_find(const struct weft_fabric *f, struct weft_rails *out)
{
	struct weft_arena *scratch = weft__arena_new();
	struct finder w = { .f = f, .out = out };
	bool ok;

	*out = (struct weft_rails){ 0 };
	if (!scratch)
		return -ENOMEM;
	ok = alloc(&w, scratch) && find_all(&w);
	weft__arena_free(scratch);
	return ok ? 0 : -ENOMEM;
}

void weft_rails_free(struct weft_rails *rails)
{
	free(rails->of_switch);
	free(rails->finding);
	*rails = (struct weft_rails){ 0 };
}

const char *weft_rail_finding_name(enum weft_rail_finding_kind kind)
{
	static const char *const names[WEFT_RAIL_KINDS] = {
		[WEFT_RAIL_OTHER] = "rail", [WEFT_RAIL_UNIT] = "unit",
		[WEFT_RAIL_MISSING] = "missing", [WEFT_RAIL_MIXED] = "mixed",
	};

	return names[kind];
}
