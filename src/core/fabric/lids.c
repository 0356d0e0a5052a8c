// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Maps LIDs to their owners, and gives LIDs to ports that have none. */
#include "core/fabric/fabric_build.h"
#include "core/fabric/lid_room.h"
#include "core/fabric/machines.h"

#include <weft/diag.h>
#include <weft/planes.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LMC 7

/* The LIDs of one port, wherever they are stored. */
struct holder {
	uint16_t *lid;
	uint8_t *lmc;
	uint64_t guid;
	uint32_t vertex;
};

static struct holder holder_at(struct weft_fabric *f, uint32_t i)
{
	struct weft_switch *sw = WEFT_WRITABLE(struct weft_switch, f->sw);
	struct weft_endport *ep = WEFT_WRITABLE(struct weft_endport, f->ep);

	if (i < f->nsw)
		return (struct holder){ &sw[i].lid, &sw[i].lmc, sw[i].guid, i };
	i -= f->nsw;
	return (struct holder){ &ep[i].lid, &ep[i].lmc, ep[i].guid,
				i | WEFT_ENDPORT };
}

static const char *vertex_name(const struct weft_fabric *f, uint32_t vertex)
{
	if (weft_is_switch(vertex))
		return f->sw[vertex].name;
	return f->node[f->ep[vertex & ~WEFT_ENDPORT].node].name;
}

static bool in_range(unsigned lid, unsigned lmc)
{
	return lid && lmc <= MAX_LMC && lid + (1u << lmc) - 1 <= WEFT_MAX_LID;
}

static uint32_t first_taken(const uint32_t *owner, unsigned lid, unsigned lmc)
{
	for (unsigned i = 0; i < 1u << lmc; i++)
		if (owner[lid + i] != WEFT_NONE)
			return owner[lid + i];
	return WEFT_NONE;
}

static void claim_range(uint32_t *owner, const struct holder *h)
{
	for (unsigned i = 0; i < 1u << *h->lmc; i++)
		owner[*h->lid + i] = h->vertex;
}

/* Whether a port shares the LID that it claims with another plane of it. */
static bool is_shared(const struct weft_fabric *f, const struct holder *h,
		      uint32_t other)
{
	uint32_t a = h->vertex & ~WEFT_ENDPORT, b = other & ~WEFT_ENDPORT;

	return weft_is_endport(h->vertex) && weft_is_endport(other) &&
	       weft_planes_same_port(f, a, b) && f->ep[a].lid == f->ep[b].lid &&
	       f->ep[a].lmc == f->ep[b].lmc;
}

/* Fills in owner[WEFT_MAX_LID + 1], and removes LIDs that are impossible. */
static void claim_all(struct weft_fabric *f, uint32_t *owner,
		      const char *file, struct weft_diag *diag)
{
	for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
		struct holder h = holder_at(f, i);
		uint32_t other;

		if (!*h.lid)
			continue;
		if (!in_range(*h.lid, *h.lmc)) {
			weft_diag_at(diag, WEFT_WARNING, file, 0,
				     "0x%016" PRIx64
				     " (%s) has a LID that is no unicast LID: treated as without LID",
				     h.guid, vertex_name(f, h.vertex));
			*h.lid = 0;
			continue;
		}
		other = first_taken(owner, *h.lid, *h.lmc);
		if (other != WEFT_NONE && is_shared(f, &h, other)) {
			*h.lid = 0;	/* see weft/planes.h */
			continue;
		}
		if (other != WEFT_NONE) {
			weft_diag_at(diag, WEFT_WARNING, file, 0,
				     "LID %u of 0x%016" PRIx64
				     " (%s) belongs to '%s' already: treated as without LID",
				     *h.lid, h.guid, vertex_name(f, h.vertex),
				     vertex_name(f, other));
			*h.lid = 0;
			continue;
		}
		claim_range(owner, &h);
	}
}

static int store_owners(struct weft_fabric *f, const uint32_t *owner,
			struct weft_diag *diag)
{
	uint32_t *map;
	uint32_t max = WEFT_MAX_LID;

	while (max && owner[max] == WEFT_NONE)
		max--;
	map = weft__arena_alloc(f->arena, max + 1ull, sizeof(*map));
	if (!map)
		return weft_no_memory(diag);
	memcpy(map, owner, (max + 1ull) * sizeof(*map));
	f->max_lid = max;
	f->lid_owner = map;
	return 0;
}

static uint32_t *new_owners(void)
{
	uint32_t *owner = malloc((WEFT_MAX_LID + 1) * sizeof(*owner));

	if (owner)
		memset(owner, 0xff, (WEFT_MAX_LID + 1) * sizeof(*owner));
	return owner;
}

int weft__fabric_map_lids(struct weft_fabric *f, const char *file,
			  struct weft_diag *diag)
{
	uint32_t *owner = new_owners();
	int err;

	if (!owner)
		return weft_no_memory(diag);
	claim_all(f, owner, file, diag);
	err = store_owners(f, owner, diag);
	free(owner);
	return err;
}

static int no_room(const struct weft_fabric *f, unsigned lmc,
		   struct weft_diag *diag)
{
	char room[WEFT__LID_ROOM_SIZE];

	return weft_fail(diag, ENOSPC,
			 "%u switches and %u endports with LMC %u need more than the %u unicast LIDs: %s%s",
			 f->nsw,
			 f->nep, lmc, WEFT_MAX_LID,
			 weft__lid_room_text(f->nsw, f->nep, lmc, room),
			 weft__lid_room(f->nsw, lmc) < f->nep ? "" :
			 ", but LIDs that are taken already are in the way");
}

/* Whether a holder is another plane of a port, which has the LID. */
static bool is_plane(const struct weft_fabric *f, const struct holder *h)
{
	return weft_is_endport(h->vertex) &&
	       weft_is_plane(f, h->vertex & ~WEFT_ENDPORT);
}

/* Gives every holder without a LID the lowest free, aligned range. */
static int give_lids(struct weft_fabric *f, uint32_t *owner,
		     struct weft_diag *diag)
{
	unsigned from[MAX_LMC + 1] = { 0 };	/* by LMC: all below is taken */

	for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
		struct holder h = holder_at(f, i);
		unsigned step, lid;

		if (*h.lid || is_plane(f, &h))
			continue;
		if (*h.lmc > MAX_LMC)
			*h.lmc = 0;
		step = 1u << *h.lmc;
		lid = from[*h.lmc] ? from[*h.lmc] : step;
		while (in_range(lid, *h.lmc) &&
		       first_taken(owner, lid, *h.lmc) != WEFT_NONE)
			lid += step;
		if (!in_range(lid, *h.lmc))
			return no_room(f, *h.lmc, diag);
		*h.lid = lid;
		claim_range(owner, &h);
		from[*h.lmc] = lid + step;
	}
	return 0;
}

static void *copy_array(struct weft_arena *arena, const void *from,
			size_t n, size_t size)
{
	void *to = weft__arena_alloc(arena, n, size);

	if (to)
		memcpy(to, from, n * size);
	return to;
}

static bool copy_names(struct weft_fabric *f)
{
	struct weft_switch *sw = WEFT_WRITABLE(struct weft_switch, f->sw);
	struct weft_node *node = WEFT_WRITABLE(struct weft_node, f->node);
	bool ok = true;

	for (uint32_t i = 0; i < f->nsw && ok; i++)
		ok = (sw[i].name = weft__arena_string(f->arena, sw[i].name,
						strlen(sw[i].name))) != NULL;
	for (uint32_t i = 0; i < f->nnodes && ok; i++)
		ok = (node[i].name = weft__arena_string(f->arena, node[i].name,
						strlen(node[i].name))) != NULL;
	return ok && !weft__copy_uses(f, f->use_name, f->nuses) &&
	       !weft__find_groups(f);
}

struct weft_fabric *weft__fabric_copy(const struct weft_fabric *f)
{
	struct weft_fabric *c = weft__fabric_new();
	struct weft_arena *arena;
	bool ok = true;

	if (!c)
		return NULL;
	arena = c->arena;
	*c = *f;
	c->arena = arena;
#define COPY(member, n) \
	ok = ok && (c->member = copy_array(arena, f->member, n, \
					   sizeof(*f->member))) != NULL
	COPY(sw, f->nsw);
	COPY(ep, f->nep);
	COPY(node, f->nnodes);
	COPY(node_endport, f->nep);
	COPY(machine_first, f->nmachines + 1);
	COPY(machine_endport, f->nep);
	COPY(first_channel, f->nsw + 1);
	COPY(peer, f->nch);
	COPY(peer_port, f->nch);
	COPY(reverse, f->nch);
	COPY(capacity, f->nch);
	COPY(width, f->nch);
	COPY(speed, f->nch);
	if (f->vls)
		COPY(vls, f->nch);
	COPY(adj_first, f->nsw + 1);
	COPY(adj, f->adj_first[f->nsw]);
	COPY(sw_ep_first, f->nsw + 1);
	COPY(sw_endport, f->nep);
	COPY(router_entry, f->nrouter_entries);
#undef COPY
	if (!ok || !copy_names(c)) {
		weft_fabric_free(c);
		return NULL;
	}
	return c;
}

/* Sets the LMC of all endports.  Ranges that no longer fit are given up. */
static void set_lmc(struct weft_fabric *f, unsigned lmc)
{
	for (uint32_t i = f->nsw; i < f->nsw + f->nep; i++) {
		struct holder h = holder_at(f, i);

		if (*h.lmc < lmc && *h.lid)
			*h.lid = 0;
		*h.lmc = lmc;
	}
}

unsigned weft_fabric_lmc(const struct weft_fabric *f)
{
	unsigned lmc = 0;

	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].lmc > lmc)
			lmc = f->ep[e].lmc;
	return lmc;
}

int weft_fabric_assign_lids(const struct weft_fabric *fabric, int lmc,
			    struct weft_fabric **out, struct weft_diag *diag)
{
	struct weft_fabric *f;
	uint32_t *owner;
	int err;

	if (lmc > MAX_LMC)
		return weft_fail(diag, EINVAL, "the LMC is at most %d, not %d",
				 MAX_LMC, lmc);
	f = weft__fabric_copy(fabric);
	owner = new_owners();
	if (!f || !owner) {
		err = weft_no_memory(diag);
		goto free_all;
	}
	if (lmc >= 0)
		set_lmc(f, lmc);
	claim_all(f, owner, NULL, diag);
	err = give_lids(f, owner, diag);
	if (!err)
		err = store_owners(f, owner, diag);
free_all:
	free(owner);
	if (err)
		weft_fabric_free(f);
	else
		*out = f;
	return err;
}

/* Gives a port without a LID that of the same port elsewhere. */
static void take_lid(struct weft_fabric *f, uint32_t i,
		     const struct weft_fabric *from)
{
	struct holder h = holder_at(f, i);
	uint32_t was;

	if (*h.lid)
		return;
	if (i < f->nsw) {
		was = weft_fabric_switch_by_guid(from, f->sw[i].guid);
		if (was != WEFT_NONE) {
			*h.lid = from->sw[was].lid;
			*h.lmc = from->sw[was].lmc;
		}
		return;
	}
	was = weft_fabric_endport_by_guid(from, f->ep[i - f->nsw].guid);
	if (was != WEFT_NONE && from->ep[was].guid == f->ep[i - f->nsw].guid) {
		*h.lid = from->ep[was].lid;
		*h.lmc = from->ep[was].lmc;
	}
}

int weft_fabric_take_lids(const struct weft_fabric *fabric,
			  const struct weft_fabric *from,
			  struct weft_fabric **out, struct weft_diag *diag)
{
	struct weft_fabric *f = weft__fabric_copy(fabric);
	int err;

	if (!f)
		return weft_no_memory(diag);
	for (uint32_t i = 0; i < f->nsw + f->nep; i++)
		take_lid(f, i, from);
	err = weft__fabric_map_lids(f, NULL, diag);
	if (err)
		weft_fabric_free(f);
	else
		*out = f;
	return err;
}

int weft__fabric_with_lmc(const struct weft_fabric *fabric, const uint8_t *lmc,
			  struct weft_fabric **out, struct weft_diag *diag)
{
	struct weft_fabric *f = weft__fabric_copy(fabric);
	int err;

	if (!f)
		return weft_no_memory(diag);
	for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
		struct holder h = holder_at(f, i);

		if (*h.lmc < lmc[i])
			*h.lmc = lmc[i];
	}
	err = weft__fabric_map_lids(f, NULL, diag);
	if (err)
		weft_fabric_free(f);
	else
		*out = f;
	return err;
}
