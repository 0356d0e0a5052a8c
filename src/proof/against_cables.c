// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compares cables with those planned; see against.c. */
#include "proof/against.h"

#include <errno.h>
#include <stdlib.h>

/* A cable, with its ends in ascending order of devices and ports. */
struct link {
	struct weft_cable cable; /* in ids of its own fabric */
	struct weft_cable there; /* in ids of the fabric */
	uint32_t rate;
	bool done;
};

struct links {
	struct link *link;
	uint32_t n;
};

/* One end of a link that is not as planned. */
struct end {
	uint32_t device;
	uint8_t port, side;
	struct link *link;
};

struct ends {
	struct end *end;
	uint32_t n;
};

static void sort_ends(struct weft_cable *c)
{
	struct weft_cable x = *c;

	if (x.device[0] < x.device[1] ||
	    (x.device[0] == x.device[1] && x.port[0] <= x.port[1]))
		return;
	*c = (struct weft_cable){ { x.device[1], x.device[0] },
				  { x.port[1], x.port[0] } };
}

static int compare_ports(const struct weft_cable *a, const struct weft_cable *b)
{
	int order = a->port[0] - b->port[0];

	return order ? order : a->port[1] - b->port[1];
}

static int compare_devices(const struct weft_cable *a,
			   const struct weft_cable *b)
{
	for (unsigned i = 0; i < 2; i++)
		if (a->device[i] != b->device[i])
			return a->device[i] < b->device[i] ? -1 : 1;
	return 0;
}

static int by_devices(const void *x, const void *y)
{
	const struct link *a = x, *b = y;
	int order = compare_devices(&a->there, &b->there);

	return order ? order : compare_ports(&a->there, &b->there);
}

/* Adds a link, unless a device of it is in one fabric only. match: devices of
 * the fabric; NULL: they are its own. */
static void add_link(struct links *l, const uint32_t *match,
		     struct weft_cable cable, uint32_t rate)
{
	struct link *x = &l->link[l->n];

	*x = (struct link){ .cable = cable, .there = cable, .rate = rate };
	for (unsigned i = 0; match && i < 2; i++)
		x->there.device[i] = match[cable.device[i]];
	if (x->there.device[0] == WEFT_NONE || x->there.device[1] == WEFT_NONE)
		return;
	sort_ends(&x->there);
	l->n++;
}

/* Lists the links of a fabric.  known: devices that the other one has. */
static int list_links(const struct weft_fabric *f, const uint32_t *match,
		      const uint32_t *known, uint32_t *all, struct links *l)
{
	l->link = calloc(f->nlinks + 1ull, sizeof(*l->link));
	if (!l->link)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++) {
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p), to = f->peer[ch];
			struct weft_cable c = { { s, to },
						{ p, f->peer_port[ch] } };

			if (to == WEFT_NONE || to == s ||
			    (weft_is_switch(to) && to < s))
				continue;
			if (weft_is_endport(to))
				c.device[1] =
					f->nsw + f->ep[to & ~WEFT_ENDPORT].node;
			++*all;
			if (!known || (known[c.device[0]] != WEFT_NONE &&
				       known[c.device[1]] != WEFT_NONE))
				add_link(l, match, c, f->capacity[ch]);
		}
	}
	qsort(l->link, l->n, sizeof(*l->link), by_devices);
	return 0;
}

static void note_slower(struct weft__against *a, const struct link *plan,
			const struct link *found)
{
	struct weft_difference *d;

	if (!found->rate || found->rate >= plan->rate)
		return;
	d = weft__against_add(a, WEFT_LINK_SLOWER);
	d->planned[0] = plan->cable;
	d->found[0] = found->cable;
	d->planned_rate = plan->rate;
	d->found_rate = found->rate;
}

/* Takes away links that both lists have. */
static void match_links(struct weft__against *a, struct links *plan,
			struct links *found)
{
	for (uint32_t i = 0, k = 0; i < plan->n && k < found->n;) {
		struct link *p = &plan->link[i], *q = &found->link[k];
		int order = a->any_port ?
				    compare_devices(&p->there, &q->there) :
				    by_devices(p, q);

		if (!order) {
			p->done = q->done = true;
			a->out->equal++;
			note_slower(a, p, q);
		}
		i += order <= 0;
		k += order >= 0;
	}
}

/* Explains links between the same devices, by other ports. */
static void explain_moved(struct weft__against *a, struct links *plan,
			  struct links *found)
{
	for (uint32_t i = 0, k = 0; i < plan->n && k < found->n;) {
		struct link *p = &plan->link[i], *q = &found->link[k];
		int order = compare_devices(&p->there, &q->there);
		struct weft_difference *d;

		if (p->done || q->done) {
			/* Of what is left, both lists have the same order. */
			i += p->done;
			k += q->done;
			continue;
		}
		if (!order) {
			d = weft__against_add(a, WEFT_CABLE_MOVED);
			d->planned[0] = p->cable;
			d->found[0] = q->cable;
			p->done = q->done = true;
			note_slower(a, p, q);
		}
		i += order <= 0;
		k += order >= 0;
	}
}

static int by_end(const void *x, const void *y)
{
	const struct end *a = x, *b = y;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->port - b->port;
}

/* Lists the ends of links that are not explained yet. */
static int list_ends(const struct links *l, struct ends *out)
{
	out->end = calloc(2ull * l->n + 1, sizeof(*out->end));
	if (!out->end)
		return -ENOMEM;
	for (uint32_t i = 0; i < l->n; i++)
		for (unsigned side = 0; side < 2 && !l->link[i].done; side++)
			out->end[out->n++] = (struct end){
				.device = l->link[i].there.device[side],
				.port = l->link[i].there.port[side],
				.side = side,
				.link = &l->link[i],
			};
	qsort(out->end, out->n, sizeof(*out->end), by_end);
	return 0;
}

/* Returns the other end of the unexplained link at the end of a cable; *link is
 * NULL if there is none. */
static struct end other_end(const struct ends *ends, uint32_t device,
			    uint8_t port)
{
	const struct end key = { .device = device, .port = port };
	const struct end *e =
		bsearch(&key, ends->end, ends->n, sizeof(*ends->end), by_end);
	const struct weft_cable *c;

	if (!e || e->link->done)
		return (struct end){ .link = NULL };
	c = &e->link->there;
	return (struct end){
		.device = c->device[!e->side],
		.port = c->port[!e->side],
		.side = !e->side,
		.link = e->link,
	};
}

/* Explains cable p, a to b, if it and another one, c to d, are found as a to d
 * and c to b. */
static void explain_swap(struct weft__against *a, struct link *p, unsigned side,
			 const struct ends *plan, const struct ends *found)
{
	const struct weft_cable *c = &p->there;
	struct end there = other_end(found, c->device[side], c->port[side]);
	struct end second, back;
	struct weft_difference *d;

	if (!there.link)
		return;
	second = other_end(plan, there.device, there.port);
	if (!second.link || second.link == p)
		return;
	back = other_end(found, second.device, second.port);
	if (!back.link || back.device != c->device[!side] ||
	    back.port != c->port[!side])
		return;
	d = weft__against_add(a, WEFT_CABLES_SWAPPED);
	d->planned[0] = p->cable;
	d->planned[1] = second.link->cable;
	d->found[0] = there.link->cable;
	d->found[1] = back.link->cable;
	p->done = second.link->done = there.link->done = true;
	back.link->done = true;
}

static void explain_wrong(struct weft__against *a, struct link *p,
			  unsigned side, const struct ends *found)
{
	struct end there =
		other_end(found, p->there.device[side], p->there.port[side]);
	struct weft_difference *d;

	if (!there.link)
		return;
	d = weft__against_add(a, WEFT_CABLE_WRONG);
	d->planned[0] = p->cable;
	d->found[0] = there.link->cable;
	p->done = there.link->done = true;
}

/* Explains links by what else is at their ends: those that have changed places,
 * then those that were moved, then those with one end that is right. */
static int explain_ends(struct weft__against *a, struct links *plan,
			struct links *found)
{
	struct ends planned = { .n = 0 }, there = { .n = 0 };
	int err = list_ends(plan, &planned);

	if (!err)
		err = list_ends(found, &there);
	for (unsigned k = 0; !err && k < 4; k++) {
		if (k == 2)
			explain_moved(a, plan, found);
		for (uint32_t i = 0; i < plan->n; i++) {
			struct link *p = &plan->link[i];

			if (!p->done && k < 2)
				explain_swap(a, p, k, &planned, &there);
			else if (!p->done)
				explain_wrong(a, p, k - 2, &there);
		}
	}
	free(planned.end);
	free(there.end);
	return err;
}

static void list_rest(struct weft__against *a, const struct links *plan,
		      const struct links *found)
{
	for (uint32_t i = 0; i < plan->n; i++)
		if (!plan->link[i].done)
			weft__against_add(a, WEFT_CABLE_MISSING)->planned[0] =
				plan->link[i].cable;
	for (uint32_t i = 0; i < found->n; i++)
		if (!found->link[i].done)
			weft__against_add(a, WEFT_CABLE_EXTRA)->found[0] =
				found->link[i].cable;
}

int weft__against_cables(struct weft__against *a)
{
	struct links plan = { .n = 0 }, found = { .n = 0 };
	int err =
		list_links(a->plan, a->to_fabric, NULL, &a->out->cables, &plan);

	if (!err)
		err = list_links(a->fabric, NULL, a->to_plan,
				 &a->out->found_cables, &found);
	if (!err) {
		match_links(a, &plan, &found);
		err = a->any_port ? 0 : explain_ends(a, &plan, &found);
	}
	if (!err)
		list_rest(a, &plan, &found);
	free(plan.link);
	free(found.link);
	return err;
}
