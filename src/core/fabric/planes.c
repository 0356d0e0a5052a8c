// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Takes fabrics apart by planes; see weft/planes.h. */
#include <weft/planes.h>

#include "core/fabric/components.h"
#include "core/fabric/split.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PLANES 256	/* a node has fewer ports */

/* Takes the planes of one port: they follow each other.  Returns the first. */
static uint32_t find_siblings(const struct weft_fabric *f, uint32_t e,
			      uint32_t *end)
{
	uint32_t first = e;

	while (first && weft_planes_same_port(f, first - 1, e))
		first--;
	*end = e + 1;
	while (*end < f->nep && weft_planes_same_port(f, *end, e))
		++*end;
	return first;
}

static bool has_planes(const struct weft_fabric *f)
{
	for (uint32_t e = 0; e < f->nep; e++)
		if (weft_is_plane(f, e))
			return true;
	return false;
}

/* Marks the planes of parts before this one that share a port with a switch of
 * it. */
static void mark_used(const struct weft_fabric *f, const uint32_t *part,
		      const uint32_t *plane, uint32_t sw, bool used[PLANES])
{
	for (uint32_t k = f->sw_ep_first[sw]; k < f->sw_ep_first[sw + 1]; k++) {
		uint32_t end;
		uint32_t i = find_siblings(f, f->sw_endport[k], &end);

		for (; i < end; i++) {
			uint32_t other = part[f->ep[i].sw];

			if (other < part[sw])
				used[plane[other]] = true;
		}
	}
}

/* Gives each part the first plane that no part has with which it shares a
 * port.  list[] are the switches part by part.  Returns how many planes. */
static uint32_t number_planes(const struct weft_fabric *f, const uint32_t *part,
			      const uint32_t *list, uint32_t *plane)
{
	bool used[PLANES] = { false };
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t at = 0;

		mark_used(f, part, plane, list[i], used);
		if (i + 1 < f->nsw && part[list[i + 1]] == part[list[i]])
			continue;
		while (at + 1 < PLANES && used[at])
			at++;
		plane[part[list[i]]] = at;
		n = at >= n ? at + 1 : n;
		memset(used, 0, sizeof(used));
	}
	return n;
}

static void list_by_part(const struct weft_fabric *f, const uint32_t *part,
			 uint32_t nparts, uint32_t *first, uint32_t *list)
{
	memset(first, 0, (nparts + 2ull) * sizeof(*first));
	for (uint32_t s = 0; s < f->nsw; s++)
		first[part[s] + 2]++;
	for (uint32_t i = 2; i <= nparts; i++)
		first[i] += first[i - 1];
	for (uint32_t s = 0; s < f->nsw; s++)
		list[first[part[s] + 1]++] = s;
}

uint32_t weft__planes(const struct weft_fabric *f, uint32_t *of_switch)
{
	size_t n = f->nsw + (size_t)2;
	uint32_t *part, *list, *plane, planes = 0;

	if (!has_planes(f)) {
		memset(of_switch, 0, f->nsw * sizeof(*of_switch));
		return 1;
	}
	part = malloc(n * sizeof(*part));
	list = malloc(n * sizeof(*list));
	plane = malloc(n * sizeof(*plane));
	if (part && list && plane) {
		list_by_part(f, part, weft__components(f, part, list), plane,
			     list);
		planes = number_planes(f, part, list, plane);
		for (uint32_t s = 0; s < f->nsw; s++)
			of_switch[s] = plane[part[s]];
	}
	free(plane);
	free(list);
	free(part);
	return planes;
}

/* Endports that are another plane, but in the one of their port's LID. */
static uint32_t count_joined(const struct weft_fabric *f,
			     const uint32_t *of_switch)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t first = weft_plane_first(f, e);

		n += first != e && of_switch[f->ep[first].sw] ==
				   of_switch[f->ep[e].sw];
	}
	return n;
}

/* Hands the parts' fabrics and routes over. */
static int take_parts(struct weft__split *split, struct weft_planes *out)
{
	out->plane = calloc(split->n, sizeof(*out->plane));
	if (!out->plane)
		return -ENOMEM;
	out->n = split->n;
	for (uint32_t i = 0; i < split->n; i++) {
		struct weft__part *part = &split->part[i];

		out->plane[i].fabric = part->fabric;
		out->plane[i].routes = part->routes;
		part->fabric = NULL;
		part->routes = (struct weft_routes){ 0 };
	}
	return 0;
}

int weft_planes_find(const struct weft_fabric *f,
		     const struct weft_routes *routes, struct weft_planes *out)
{
	struct weft__split split = { .f = f, .as_numbered = true };
	int err = -ENOMEM;

	*out = (struct weft_planes){ 0 };
	if (!has_planes(f))
		return 0;
	split.of_switch = malloc((f->nsw + 1ull) * sizeof(*split.of_switch));
	if (!split.of_switch)
		return -ENOMEM;
	split.n = weft__planes(f, split.of_switch);
	if (split.n) {
		err = 0;
		out->joined = count_joined(f, split.of_switch);
	}
	if (split.n > 1) {
		err = weft__split_make(&split) ? 0 : -ENOMEM;
		if (!err && routes)
			err = weft__split_cut(&split, routes);
		if (!err)
			err = take_parts(&split, out);
	}
	weft__split_free(&split);
	return err;
}

void weft_planes_free(struct weft_planes *planes)
{
	for (uint32_t i = 0; i < planes->n; i++) {
		weft_routes_free(&planes->plane[i].routes);
		weft_fabric_free(planes->plane[i].fabric);
	}
	free(planes->plane);
	*planes = (struct weft_planes){ 0 };
}
