/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Planes: fabrics that no cable joins, and that one port of each adapter is
 * cabled to at once (multi-plane XDR).  Such a port is several endports with
 * one GUID on one node, and the first of them has the LID, which is the LID of
 * all: switches of each plane lead it to the endport that lies there.  So each
 * plane is judged as a fabric by itself.
 */
#ifndef WEFT_PLANES_H
#define WEFT_PLANES_H

#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether two endports have one GUID on one node.  O(1). */
bool weft_planes_same_port(const struct weft_fabric *fabric, uint32_t a,
			   uint32_t b);
/* The endport that has the LID of e: e, unless e is another plane of its port.
 * O(planes). */
uint32_t weft_plane_first(const struct weft_fabric *fabric, uint32_t e);
/* Whether e is another plane of a port that has a LID. */
static inline bool weft_is_plane(const struct weft_fabric *fabric, uint32_t e)
{
	return weft_plane_first(fabric, e) != e;
}

struct weft_plane {
	struct weft_fabric *fabric;	/* each of its endports has the LID */
	struct weft_routes routes;	/* its share of those for all */
};

struct weft_planes {
	struct weft_plane *plane;	/* [n] */
	uint32_t n;		/* 0: the fabric has no planes */
	uint32_t joined;	/* endports that are another plane of a port,
				 * but are cabled to the same part of the fabric
				 * as the one with its LID: no plane of theirs */
};

/*
 * Takes a fabric with routes (NULL: without) apart by planes.  Parts that share
 * no port are in one plane.  0; -ENOMEM.  *out is to be freed in both cases.
 * O(n log n) in nodes and ports where there are planes.
 */
int weft_planes_find(const struct weft_fabric *fabric,
		     const struct weft_routes *routes,
		     struct weft_planes *out);
void weft_planes_free(struct weft_planes *planes);	/* zeroed is fine */

#ifdef __cplusplus
}
#endif
#endif
