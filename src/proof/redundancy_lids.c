// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What all LIDs of a destination depend on; see weft/redundancy.h. */
#include <weft/redundancy.h>

#include <errno.h>
#include <stdlib.h>

#define STEP 256	/* more than the LIDs of a port */

struct search {
	const struct weft_fabric *f;
	const struct weft_lft *lft;
	uint32_t *path;		/* [nsw + 1] channels of one route */
	/* Base + how many of the pair's routes so far have passed it; what is
	 * not above the base is of pairs before. */
	uint64_t *cable;	/* [nch] of the lower of its two channels */
	uint64_t *sw;		/* [nsw] */
	uint64_t base;		/* of the pair */
};

/* Counts one more route at a mark.  Returns whether those before it all passed
 * there, too. */
static bool pass(const struct search *w, uint64_t *mark, unsigned before)
{
	if (before && *mark != w->base + before)
		return false;
	*mark = w->base + before + 1;
	return true;
}

/* Which kinds of things all routes of a pair share. */
struct shared {
	bool cable, sw;
};

/* Both directions of a cable fail together. */
static struct shared add_route(struct search *w, size_t hops, unsigned before)
{
	struct shared all = { .cable = false };

	/* The last channel leads to the endport, that before to its switch. */
	for (size_t i = 0; i + 1 < hops; i++) {
		uint32_t ch = w->path[i], back = w->f->reverse[ch];

		all.cable |= pass(w, &w->cable[ch < back ? ch : back], before);
		if (i + 2 < hops)
			all.sw |= pass(w, &w->sw[w->f->peer[ch]], before);
	}
	return all;
}

static struct shared look_at(struct search *w, uint32_t s,
			     const struct weft_endport *to)
{
	struct shared all = { true, true };
	unsigned arrived = 0;

	w->base += STEP;
	for (unsigned o = 0; o < 1u << to->lmc; o++) {
		size_t hops;

		if (weft_lft_walk(w->f, w->lft, s, to->lid + o,
				  (struct weft_walk_path){ w->path, w->f->nsw },
				  &hops) == WEFT_ARRIVED)
			all = add_route(w, hops, arrived++);
	}
	return all;
}

static uint32_t hosts_on(const struct weft_fabric *f, uint32_t s)
{
	uint32_t hosts = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		hosts += f->ep[f->sw_endport[i]].kind == WEFT_HOST;
	return hosts;
}

static void look_at_all(struct search *w, struct weft_lid_redundancy *out)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t hosts = hosts_on(f, s);

		for (uint32_t e = 0; e < f->nep && hosts; e++) {
			const struct weft_endport *to = &f->ep[e];
			struct shared all;

			if (!to->lmc || !to->lid || to->kind != WEFT_HOST ||
			    to->sw == s)
				continue;
			all = look_at(w, s, to);
			out->pairs += hosts;
			out->cable += all.cable ? hosts : 0;
			out->sw += all.sw ? hosts : 0;
		}
	}
}

int weft_redundancy_lids(const struct weft_fabric *f,
			 const struct weft_lft *lft,
			 struct weft_lid_redundancy *out)
{
	struct search w = {
		.f = f, .lft = lft,
		.path = malloc((f->nsw + 1ull) * sizeof(*w.path)),
		.cable = calloc(f->nch + 1ull, sizeof(*w.cable)),
		.sw = calloc(f->nsw + 1ull, sizeof(*w.sw)),
	};
	bool good = w.path && w.cable && w.sw;

	if (good) {
		*out = (struct weft_lid_redundancy){ 0 };
		look_at_all(&w, out);
	}
	free(w.path);
	free(w.cable);
	free(w.sw);
	return good ? 0 : -ENOMEM;
}
