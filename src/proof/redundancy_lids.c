// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What all LIDs of a destination depend on; see weft/redundancy.h. */
#include <weft/redundancy.h>

#include <string.h>

enum { MAX_HOPS = 64 };

/* What all routes looked at so far pass: channels between switches, and
 * switches between the first and the last one. */
struct common {
	uint32_t channel[MAX_HOPS], sw[MAX_HOPS];
	uint32_t nchannels, nsw;
	bool any;		/* a route arrived */
};

static bool contains(const uint32_t *list, uint32_t n, uint32_t x)
{
	for (uint32_t i = 0; i < n; i++)
		if (list[i] == x)
			return true;
	return false;
}

/* Keeps of list[] what is in other[], too.  Returns how many are left. */
static uint32_t intersect(uint32_t *list, uint32_t n, const uint32_t *other,
			  uint32_t m)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < n; i++)
		if (contains(other, m, list[i]))
			list[left++] = list[i];
	return left;
}

static void add_route(struct common *c, const struct weft_fabric *f,
		      const uint32_t *path, uint32_t hops)
{
	uint32_t between[MAX_HOPS], n = hops ? hops - 1 : 0;

	/* The last channel leads to the endport, that before to its switch. */
	for (uint32_t i = 0; i + 1 < n; i++)
		between[i] = f->peer[path[i]];
	if (!c->any) {
		memcpy(c->channel, path, n * sizeof(*path));
		memcpy(c->sw, between, (n ? n - 1 : 0) * sizeof(*between));
		c->nchannels = n;
		c->nsw = n ? n - 1 : 0;
		c->any = true;
		return;
	}
	c->nchannels = intersect(c->channel, c->nchannels, path, n);
	c->nsw = intersect(c->sw, c->nsw, between, n ? n - 1 : 0);
}

static void look_at(const struct weft_fabric *f, const struct weft_lft *lft,
		    uint32_t s, const struct weft_endport *to,
		    struct weft_lid_redundancy *out)
{
	uint32_t from = f->sw_ep_first[s], hosts = 0;
	struct common c = { .any = false };

	for (uint32_t i = from; i < f->sw_ep_first[s + 1]; i++)
		hosts += f->ep[f->sw_endport[i]].kind == WEFT_HOST;
	if (!hosts)
		return;
	for (unsigned o = 0; o < 1u << to->lmc; o++) {
		uint32_t path[MAX_HOPS];
		size_t hops;

		if (weft_lft_walk(f, lft, s, to->lid + o,
				  (struct weft_walk_path){ path, MAX_HOPS },
				  &hops) == WEFT_ARRIVED)
			add_route(&c, f, path, hops);
	}
	out->pairs += hosts;
	out->cable += !c.any || c.nchannels ? hosts : 0;
	out->sw += !c.any || c.nsw ? hosts : 0;
}

void weft_redundancy_lids(const struct weft_fabric *f,
			  const struct weft_lft *lft,
			  struct weft_lid_redundancy *out)
{
	*out = (struct weft_lid_redundancy){ 0 };
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *to = &f->ep[e];

		if (!to->lmc || to->kind != WEFT_HOST)
			continue;
		for (uint32_t s = 0; s < f->nsw; s++)
			if (s != to->sw)
				look_at(f, lft, s, to, out);
	}
}
