// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * From claims to cables; the policy is in topology.h.
 *
 * Every port has a slot for the claim its own node made about it.  A claim
 * whose far end has no claim of its own takes that slot, too, so that a second
 * claim to the same port is noticed.
 */
#include "io/topology/topology.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define NO_CLAIM UINT32_MAX

struct join {
	struct weft__topology *t;
	uint32_t *first;	/* [nodes + 1]: port p has slot first[] + p */
	uint32_t *slot;		/* claim, or NO_CLAIM */
};

static int out_of_memory(struct weft__topology *t)
{
	return weft_no_memory(t->diag);
}

static bool is_adapter(const struct weft__claim *c)
{
	return c->peer_type != WEFT_NODE_SWITCH;
}

/* --- the nodes at the far ends ---------------------------------------- */

static int check_peer_type(struct weft__topology *t,
			   const struct weft__claim *c)
{
	const struct weft_node_spec *peer = weft_builder_spec(t->builder,
							      c->peer);
	char label[WEFT__LABEL_SIZE];

	if (peer->type == c->peer_type)
		return 0;
	return weft__topology_bad(t, c->line,
		"the far end is no such node but %s, described in line %lu",
		weft__topology_label(t, c->peer, label), peer->line);
}

static int compare_orphans(const void *pa, const void *pb)
{
	const struct weft__claim *a = *(struct weft__claim *const *)pa;
	const struct weft__claim *b = *(struct weft__claim *const *)pb;

	if (a->peer_guid != b->peer_guid)
		return a->peer_guid < b->peer_guid ? -1 : 1;
	if (a->peer_port != b->peer_port)
		return a->peer_port > b->peer_port ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* Makes the adapters that only claims tell of.  Highest port comes first. */
static int adopt(struct weft__topology *t, struct weft__claim **orphan,
		 uint32_t n)
{
	qsort(orphan, n, sizeof(*orphan), compare_orphans);
	for (uint32_t i = 0; i < n; i++) {
		struct weft__claim *c = orphan[i];
		struct weft_node_spec spec = {
			.guid = c->peer_guid, .type = c->peer_type,
			.nports = c->peer_port, .line = c->line,
		};
		bool again = i && c->peer_guid == orphan[i - 1]->peer_guid;
		int err = 0;

		if (again)
			c->peer = orphan[i - 1]->peer;
		else
			err = weft__topology_node(t, &spec, &c->peer, &again);
		if (!err)
			err = check_peer_type(t, c);
		if (err)
			return err;
		if (c->peer_name)
			weft__topology_name(t, c->peer, c->peer_name,
					    c->peer_name_length);
		c->adopted = true;
	}
	return 0;
}

/* Switches cannot be adopted. */
static int refuse_switches(struct weft__topology *t,
			   const struct weft__claim *first, uint32_t count)
{
	if (count == 1)
		return weft__topology_bad(t, first->line,
			"the switch at the far end, 0x%016" PRIx64 ", is described nowhere: the file is incomplete",
			first->peer_guid);
	return weft__topology_bad(t, first->line,
		"the switch at the far end, 0x%016" PRIx64 ", is described nowhere (%u such lines): the file is incomplete",
		first->peer_guid, count);
}

static int resolve_peers(struct weft__topology *t)
{
	struct weft__claim **orphan = malloc((t->nclaims + 1ull) *
					     sizeof(struct weft__claim *));
	const struct weft__claim *lost = NULL;
	uint32_t norphans = 0, nlost = 0;
	int err = 0;

	if (!orphan)
		return out_of_memory(t);
	for (uint32_t i = 0; i < t->nclaims && !err; i++) {
		struct weft__claim *c = &t->claim[i];

		c->peer = weft_builder_find(t->builder, c->peer_guid);
		if (c->peer != WEFT_NONE) {
			err = check_peer_type(t, c);
		} else if (is_adapter(c)) {
			orphan[norphans++] = c;
		} else if (!nlost++) {
			lost = c;
		}
	}
	if (!err && lost)
		err = refuse_switches(t, lost, nlost);
	if (!err)
		err = adopt(t, orphan, norphans);
	free(orphan);
	return err;
}

/* --- slots ------------------------------------------------------------ */

static int init_slots(struct join *j)
{
	struct weft_builder *b = j->t->builder;
	uint32_t n = weft_builder_count(b), total = 0;

	j->first = malloc((n + 1ull) * sizeof(*j->first));
	if (!j->first)
		return out_of_memory(j->t);
	for (uint32_t i = 0; i < n; i++) {
		j->first[i] = total;
		total += weft_builder_spec(b, i)->nports + 1u;
	}
	j->first[n] = total;
	j->slot = malloc((total + 1ull) * sizeof(*j->slot));
	if (!j->slot)
		return out_of_memory(j->t);
	memset(j->slot, 0xff, total * sizeof(*j->slot));
	return 0;
}

static uint32_t *slot_of(struct join *j, uint32_t node, unsigned port)
{
	return &j->slot[j->first[node] + port];
}

static bool same_cable(const struct weft__claim *a, const struct weft__claim *b)
{
	return a->node == b->node && a->port == b->port &&
	       a->peer == b->peer && a->peer_port == b->peer_port;
}

static bool other_end(const struct weft__claim *a, const struct weft__claim *b)
{
	return a->node == b->peer && a->port == b->peer_port &&
	       a->peer == b->node && a->peer_port == b->port;
}

/* Two claims about one port that cannot both be true. */
static int contradiction(struct join *j, const struct weft__claim *c,
			 uint32_t node, unsigned port,
			 const struct weft__claim *other)
{
	char label[WEFT__LABEL_SIZE];

	if (j->t->drop_second_cable &&
	    weft_builder_spec(j->t->builder, node)->type != WEFT_NODE_SWITCH) {
		weft__topology_note(j->t, WEFT__TWO_PLACES, c->line);
		return 0;
	}
	return weft__topology_bad(j->t, c->line,
		"%s port %u is cabled to one port here and to another one in line %u",
		weft__topology_label(j->t, node, label), port,
		other->line);
}

/* Puts each claim into the slot of its own port. */
static int fill_slots(struct join *j)
{
	struct weft__topology *t = j->t;

	for (uint32_t i = 0; i < t->nclaims; i++) {
		struct weft__claim *c = &t->claim[i];
		uint32_t *slot = slot_of(j, c->node, c->port);
		int err = 0;

		if (*slot == NO_CLAIM)
			*slot = i;
		else if (!same_cable(c, &t->claim[*slot]))
			err = contradiction(j, c, c->node, c->port,
					    &t->claim[*slot]);
		if (err)
			return err;
	}
	return 0;
}

/* --- cables ----------------------------------------------------------- */

/* The rate that both ends tell; of two different rates the slower one. */
static void merge_rates(struct weft__topology *t, const struct weft__claim *a,
			const struct weft__claim *b, uint8_t *width,
			uint8_t *speed)
{
	uint32_t rate_a = weft_speed_capacity(a->width, a->speed);
	uint32_t rate_b = weft_speed_capacity(b->width, b->speed);
	const struct weft__claim *slower = rate_a <= rate_b ? a : b;

	*width = a->width ? a->width : b->width;
	*speed = a->speed ? a->speed : b->speed;
	if (!rate_a || !rate_b ||
	    (a->width == b->width && a->speed == b->speed))
		return;
	weft__topology_note(t, WEFT__RATE_MISMATCH, a->line);
	*width = slower->width;
	*speed = slower->speed;
}

/* Checks what a claim says of the port at its far end. */
static void check_far_end(struct weft__topology *t, const struct weft__claim *c)
{
	bool sw = c->peer_type == WEFT_NODE_SWITCH;
	struct weft_port_spec *p = weft_builder_port(t->builder, c->peer,
						     sw ? 0 : c->peer_port);
	uint32_t lid = c->peer_lid == WEFT__UNSAID ? 0 : c->peer_lid;

	if (!p->line) {		/* nothing is known of it otherwise */
		p->line = c->line;
		p->guid = sw ? 0 : c->peer_port_guid;
		p->lid = lid;
		return;
	}
	if (lid && p->lid && p->lid != lid)
		weft__topology_note(t, WEFT__LID_MISMATCH, c->line);
	if (!sw && c->peer_port_guid && p->guid &&
	    p->guid != c->peer_port_guid)
		weft__topology_note(t, WEFT__GUID_MISMATCH, c->line);
	if (!p->lid)
		p->lid = lid;
	if (!sw && !p->guid)
		p->guid = c->peer_port_guid;
}

static int add_cable(struct weft__topology *t, const struct weft__claim *c,
		     uint8_t width, uint8_t speed)
{
	int err = weft_builder_link(t->builder, c->node, c->port, c->peer,
				    c->peer_port,
				    (struct weft_rate){ width, speed });
	char label[WEFT__LABEL_SIZE];

	if (err == -EEXIST)
		return weft__topology_bad(t, c->line,
			"%s port %u or the far end is on another cable already",
			weft__topology_label(t, c->node, label), c->port);
	return err;
}

/* The claims a of one end and b of the other end of a cable. */
static int join_both(struct weft__topology *t, const struct weft__claim *a,
		     const struct weft__claim *b)
{
	uint8_t width, speed;

	check_far_end(t, a);
	check_far_end(t, b);
	merge_rates(t, a, b, &width, &speed);
	return add_cable(t, a, width, speed);
}

static int join_one(struct weft__topology *t, const struct weft__claim *c)
{
	check_far_end(t, c);
	weft__topology_note(t, c->adopted ? WEFT__ADOPTED : WEFT__ONE_SIDED,
			    c->line);
	return add_cable(t, c, c->width, c->speed);
}

static int check_peer_port(struct weft__topology *t,
			   const struct weft__claim *c)
{
	unsigned nports = weft_builder_spec(t->builder, c->peer)->nports;
	char label[WEFT__LABEL_SIZE];

	if (c->peer_port && c->peer_port <= nports)
		return 0;
	return weft__topology_bad(t, c->line,
		"the far end, %s, has no port %u: it has %u",
		weft__topology_label(t, c->peer, label),
		c->peer_port, nports);
}

static int join_claim(struct join *j, uint32_t i)
{
	struct weft__topology *t = j->t;
	const struct weft__claim *c = &t->claim[i], *far;
	uint32_t *slot = slot_of(j, c->peer, c->peer_port);

	if (c->peer == c->node && c->peer_port == c->port) {
		weft__topology_note(t, WEFT__TO_ITSELF, c->line);
		return 0;
	}
	if (*slot_of(j, c->node, c->port) != i)
		return 0;	/* a repetition */
	if (*slot == NO_CLAIM) {
		*slot = i;
		return join_one(t, c);
	}
	far = &t->claim[*slot];
	if (!other_end(c, far))
		return contradiction(j, c, c->peer, c->peer_port, far);
	return *slot > i ? join_both(t, c, far) : 0;
}

/* Discovery comes by a cable: a node without any is a sign of a cut file. */
static void note_uncabled(struct join *j)
{
	struct weft_builder *b = j->t->builder;

	for (uint32_t i = 0; i < weft_builder_count(b); i++) {
		const struct weft_node_spec *s = weft_builder_spec(b, i);
		unsigned port = 1;

		while (port <= s->nports && *slot_of(j, i, port) == NO_CLAIM)
			port++;
		if (port > s->nports)
			weft__topology_note(j->t, WEFT__UNCABLED, s->line);
	}
}

int weft__topology_join(struct weft__topology *t)
{
	struct join j = { .t = t };
	int err = resolve_peers(t);

	for (uint32_t i = 0; i < t->nclaims && !err; i++)
		err = check_peer_port(t, &t->claim[i]);
	if (!err)
		err = init_slots(&j);
	if (!err)
		err = fill_slots(&j);
	for (uint32_t i = 0; i < t->nclaims && !err; i++)
		err = join_claim(&j, i);
	if (!err)
		note_uncabled(&j);
	free(j.first);
	free(j.slot);
	return err;
}
