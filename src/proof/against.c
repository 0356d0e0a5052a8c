// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: against, a fabric and its plan
 *
 * Devices are matched by names that are unique on both sides, the others by
 * GUIDs.  Cables of devices on both sides are listed with ids of the fabric;
 * those on one side only are then explained in pairs, the most telling way
 * first: two cables that have changed places at one end; moved to other ports
 * of the same two devices; one end at a wrong place; missing and extra.
 */
#include "proof/against.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *weft_device_name(const struct weft_fabric *f, uint32_t device)
{
	return device < f->nsw ? f->sw[device].name :
				 f->node[device - f->nsw].name;
}

uint64_t weft_device_guid(const struct weft_fabric *f, uint32_t device)
{
	return device < f->nsw ? f->sw[device].guid :
				 f->node[device - f->nsw].guid;
}

const char *weft_difference_name(enum weft_difference_kind kind)
{
	static const char *const names[] = {
		[WEFT_NODE_MISSING] = "missing nodes",
		[WEFT_NODE_EXTRA] = "extra nodes",
		[WEFT_NODE_PORTS] = "nodes with other ports",
		[WEFT_CABLES_SWAPPED] = "swapped cables",
		[WEFT_CABLE_MOVED] = "cables on other ports",
		[WEFT_CABLE_WRONG] = "wrong cables",
		[WEFT_CABLE_MISSING] = "missing cables",
		[WEFT_CABLE_EXTRA] = "extra cables",
		[WEFT_LINK_SLOWER] = "slower cables",
	};

	return names[kind];
}

/* A device by what it is matched by. */
struct key {
	const char *name;
	uint64_t guid;
	uint32_t device;
};

static int by_name(const void *x, const void *y)
{
	const struct key *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order :
		       (a->device > b->device) - (a->device < b->device);
}

static int by_guid(const void *x, const void *y)
{
	const struct key *a = x, *b = y;

	return (a->guid > b->guid) - (a->guid < b->guid);
}

static uint32_t count_devices(const struct weft_fabric *f)
{
	return f->nsw + f->nnodes;
}

/* Lists the devices that are not matched yet. */
static uint32_t list_keys(const struct weft_fabric *f, const uint32_t *match,
			  struct key *key)
{
	uint32_t n = 0;

	for (uint32_t d = 0; d < count_devices(f); d++)
		if (match[d] == WEFT_NONE)
			key[n++] = (struct key){ weft_device_name(f, d),
						 weft_device_guid(f, d), d };
	return n;
}

/* True if the i-th of n keys has a name, which no other one has. */
static bool has_own_name(const struct key *key, uint32_t n, uint32_t i)
{
	return *key[i].name &&
	       (!i || strcmp(key[i - 1].name, key[i].name) != 0) &&
	       (i + 1 == n || strcmp(key[i + 1].name, key[i].name) != 0);
}

/* Matches devices of two sorted lists. */
static void match_keys(struct weft__against *a, const struct key *plan,
		       uint32_t n, const struct key *found, uint32_t m,
		       bool names)
{
	for (uint32_t i = 0, k = 0; i < n && k < m;) {
		int order = names ? strcmp(plan[i].name, found[k].name) :
				    by_guid(&plan[i], &found[k]);

		if (!order && (!names || (has_own_name(plan, n, i) &&
					  has_own_name(found, m, k)))) {
			a->to_fabric[plan[i].device] = found[k].device;
			a->to_plan[found[k].device] = plan[i].device;
			a->out->matched++;
		}
		i += order <= 0;
		k += order > 0 || (!order && !names);
	}
}

static int match_devices(struct weft__against *a)
{
	uint32_t n = count_devices(a->plan), m = count_devices(a->fabric);
	struct key *plan = calloc(n + 1, sizeof(*plan));
	struct key *found = calloc(m + 1, sizeof(*found));
	bool ok = plan && found;

	for (unsigned names = 2; ok && names--;) {
		uint32_t p = list_keys(a->plan, a->to_fabric, plan);
		uint32_t q = list_keys(a->fabric, a->to_plan, found);

		qsort(plan, p, sizeof(*plan), names ? by_name : by_guid);
		qsort(found, q, sizeof(*found), names ? by_name : by_guid);
		match_keys(a, plan, p, found, q, names);
	}
	free(plan);
	free(found);
	return ok ? 0 : -ENOMEM;
}

struct weft_difference *weft__against_add(struct weft__against *a,
					  enum weft_difference_kind kind)
{
	struct weft_difference *d = &a->out->difference[a->out->n++];

	a->out->count[kind]++;
	*d = (struct weft_difference){ .kind = kind, .device = WEFT_NONE };
	return d;
}

/* Counts the cables of a device; loops do not count. */
static uint32_t count_cables(const struct weft_fabric *f, uint32_t device)
{
	uint32_t n = 0;

	if (device >= f->nsw)
		return f->node[device - f->nsw].nendports;
	for (unsigned p = 1; p <= f->sw[device].nports; p++) {
		uint32_t peer = f->peer[weft_channel(f, device, p)];

		n += peer != WEFT_NONE && peer != device;
	}
	return n;
}

/* A plan may tell no more than that there are at least that many. */
static bool other_ports(const struct weft_switch *plan,
			const struct weft_switch *found)
{
	return plan->more_ports ? plan->nports > found->nports :
				  plan->nports != found->nports;
}

static void compare_nodes(struct weft__against *a)
{
	for (uint32_t d = 0; d < count_devices(a->plan); d++) {
		struct weft_difference *x;
		uint32_t there = a->to_fabric[d];

		if (there == WEFT_NONE) {
			x = weft__against_add(a, WEFT_NODE_MISSING);
			x->device = d;
			x->cables = count_cables(a->plan, d);
		} else if (d < a->plan->nsw && there < a->fabric->nsw &&
			   other_ports(&a->plan->sw[d],
				       &a->fabric->sw[there])) {
			x = weft__against_add(a, WEFT_NODE_PORTS);
			x->device = there;
			x->planned_rate = a->plan->sw[d].nports;
			x->found_rate = a->fabric->sw[there].nports;
		}
	}
	for (uint32_t d = 0; d < count_devices(a->fabric); d++) {
		struct weft_difference *x;

		if (a->to_plan[d] != WEFT_NONE)
			continue;
		x = weft__against_add(a, WEFT_NODE_EXTRA);
		x->device = d;
		x->cables = count_cables(a->fabric, d);
	}
}

static int compare_differences(const void *x, const void *y)
{
	const struct weft_difference *a = x, *b = y;
	const uint32_t *p = a->planned[0].device, *q = b->planned[0].device;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	for (unsigned i = 0; i < 2; i++) {
		if (p[i] != q[i])
			return p[i] < q[i] ? -1 : 1;
		if (a->planned[0].port[i] != b->planned[0].port[i])
			return a->planned[0].port[i] - b->planned[0].port[i];
	}
	p = a->found[0].device;
	q = b->found[0].device;
	for (unsigned i = 0; i < 2; i++) {
		if (p[i] != q[i])
			return p[i] < q[i] ? -1 : 1;
		if (a->found[0].port[i] != b->found[0].port[i])
			return a->found[0].port[i] - b->found[0].port[i];
	}
	return 0;
}

static uint32_t *no_match(uint32_t n)
{
	uint32_t *match = malloc((n + 1ull) * sizeof(*match));

	if (match)
		memset(match, 0xff, (n + 1ull) * sizeof(*match));
	return match;
}

static int compare(struct weft__against *a, struct weft_diag *diag)
{
	struct weft_against *out = a->out;
	int err;

	out->nodes = count_devices(a->plan);
	out->found_nodes = count_devices(a->fabric);
	/* No device and no cable of either side is in two differences. */
	out->difference =
		calloc(out->nodes + out->found_nodes + 2ull * a->plan->nlinks +
			       a->fabric->nlinks + 1,
		       sizeof(*out->difference));
	if (!a->to_fabric || !a->to_plan || !out->difference)
		return -ENOMEM;
	err = match_devices(a);
	if (err)
		return err;
	if (!out->matched)
		return weft_fail(diag, EINVAL,
				 "no node of the fabric has the name or the GUID of a planned one: give names to its nodes (--node-name-map)");
	compare_nodes(a);
	err = weft__against_cables(a);
	qsort(out->difference, out->n, sizeof(*out->difference),
	      compare_differences);
	return err;
}

int weft_against_run(const struct weft_fabric *plan,
		     const struct weft_fabric *fabric, bool any_port,
		     struct weft_against *out, struct weft_diag *diag)
{
	struct weft_against found = { .nodes = 0 };
	struct weft__against a = {
		.plan = plan,
		.fabric = fabric,
		.any_port = any_port,
		.out = &found,
		.to_fabric = no_match(count_devices(plan)),
		.to_plan = no_match(count_devices(fabric)),
	};
	int err = compare(&a, diag);

	free(a.to_fabric);
	free(a.to_plan);
	if (err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	if (err)
		weft_against_free(&found);
	else
		*out = found;
	return err;
}

void weft_against_free(struct weft_against *against)
{
	free(against->difference);
	*against = (struct weft_against){ .nodes = 0 };
}
