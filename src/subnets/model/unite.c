// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes nodes one router where a file says so; see unite.h. */
#include "subnets/model/unite.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Finds the node of a port.  -EINVAL after a message. */
static int find_node(const struct weft_subnets *s,
		     const struct weft_subnets_ini *ini,
		     const struct weft_router_input *p, uint64_t *node,
		     struct weft_diag *diag)
{
	const struct weft_fabric *f;
	uint32_t i = 0, ep;

	while (i < s->n && strcmp(s->subnet[i].name, p->subnet))
		i++;
	if (i == s->n)
		return weft_fail_at(diag, EINVAL, ini->path, p->line,
				    "'%s' is no section of a subnet",
				    p->subnet);
	f = s->subnet[i].fabric;
	ep = weft_fabric_endport_by_guid(f, p->guid);
	if (ep == WEFT_NONE)
		return weft_fail_at(diag, EINVAL, ini->path, p->line,
				    "port 0x%016" PRIx64 " is not in subnet %s",
				    p->guid, p->subnet);
	if (f->ep[ep].kind != WEFT_ROUTER)
		return weft_fail_at(diag, EINVAL, ini->path, p->line,
				    "port 0x%016" PRIx64
				    " of subnet %s is no router's",
				    p->guid, p->subnet);
	*node = f->node[f->ep[ep].node].guid;
	return 0;
}

/* Looks for a node that is two routers. */
static int check_twice(const struct weft_subnets_ini *ini, const uint64_t *node,
		       struct weft_diag *diag)
{
	for (uint32_t i = 0; i < ini->nports; i++)
		for (uint32_t j = 0; j < i; j++)
			if (node[i] == node[j] &&
			    strcmp(ini->port[i].router, ini->port[j].router))
				return weft_fail_at(
					diag, EINVAL, ini->path,
					ini->port[i].line,
					"port 0x%016" PRIx64
					" is of a node that is router %s by line %lu",
					ini->port[i].guid, ini->port[j].router,
					ini->port[j].line);
	return 0;
}

/* Returns the GUID of the router that a node is. */
static uint64_t router_of(const struct weft_subnets_ini *ini,
			  const uint64_t *node, uint64_t guid)
{
	uint64_t least = guid;
	uint32_t k = 0;

	while (k < ini->nports && node[k] != guid)
		k++;
	for (uint32_t j = 0; k < ini->nports && j < ini->nports; j++)
		if (!strcmp(ini->port[j].router, ini->port[k].router) &&
		    node[j] < least)
			least = node[j];
	return least;
}

int weft__unite_routers(const struct weft_subnets *s,
			const struct weft_subnets_ini *ini,
			struct weft__found *all, uint32_t n,
			struct weft_diag *diag)
{
	uint64_t *node = calloc(ini->nports + 1ull, sizeof(*node));
	int err = 0;

	if (!node)
		return weft_no_memory(diag);
	for (uint32_t k = 0; k < ini->nports && !err; k++)
		err = find_node(s, ini, &ini->port[k], &node[k], diag);
	if (!err)
		err = check_twice(ini, node, diag);
	for (uint32_t i = 0; i < n && !err; i++)
		all[i].guid = router_of(ini, node, all[i].node);
	free(node);
	return err;
}
