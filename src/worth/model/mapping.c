// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Maps ranks onto hosts; see weft/mapping.h. */
#include <weft/mapping.h>

#include "core/text/names.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_id(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_name(const void *x, const void *y, void *fabric)
{
	const struct weft_fabric *f = fabric;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = weft__compare_names(f->node[f->ep[a].node].name,
				  f->node[f->ep[b].node].name);

	return order ? order : by_id(a, b);
}

static int by_leaf(const void *x, const void *y, void *fabric)
{
	const struct weft_fabric *f = fabric;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = by_id(f->ep[a].sw, f->ep[b].sw);

	return order ? order : by_id(f->ep[a].sw_port, f->ep[b].sw_port);
}

/* Orders the first ports of all nodes before the second ones. */
static int by_port(const void *x, const void *y, void *fabric)
{
	const struct weft_fabric *f = fabric;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = by_id(f->ep[a].port, f->ep[b].port);

	return order ? order : by_name(x, y, fabric);
}

/* Orders by id, as ids of endports ascend with the GUID. */
static int by_guid(const void *x, const void *y, void *fabric)
{
	(void)fabric;
	return by_id(*(const uint32_t *)x, *(const uint32_t *)y);
}

/* Lists all hosts, ascending, or those given. */
static bool collect_hosts(struct weft_mapping *m, const struct weft_fabric *f,
			  const struct weft_mapping_spec *spec)
{
	uint32_t n = spec->given ? spec->ngiven : f->nep;

	m->endport = malloc(((size_t)n + 1) * sizeof(*m->endport));
	if (!m->endport)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (spec->given)
			m->endport[m->nslots++] = spec->given[i];
		else if (weft_endport_is_host(&f->ep[i], spec->all_hosts))
			m->endport[m->nslots++] = i;
	return true;
}

static void sort_hosts(struct weft_mapping *m, const struct weft_fabric *f,
		       enum weft_order order)
{
	int (*compare)(const void *, const void *, void *) = by_guid;

	if (order == WEFT_ORDER_GIVEN)
		return;
	if (order == WEFT_ORDER_NAME)
		compare = by_name;
	else if (order == WEFT_ORDER_LEAF)
		compare = by_leaf;
	else if (order == WEFT_ORDER_PORT)
		compare = by_port;
	qsort_r(m->endport, m->nslots, sizeof(*m->endport), compare, (void *)f);
}

int weft_mapping_init(struct weft_mapping *mapping,
		      const struct weft_fabric *fabric,
		      const struct weft_mapping_spec *spec,
		      struct weft_diag *diag)
{
	struct weft_mapping m = {
		.random_order = spec->order == WEFT_ORDER_RANDOM,
	};

	if (!collect_hosts(&m, fabric, spec)) {
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
		return -ENOMEM;
	}
	m.nranks = spec->ranks ? spec->ranks : m.nslots;
	if (!m.nslots || m.nranks > m.nslots) {
		free(m.endport);
		if (!m.nslots)
			return weft_fail(diag, EINVAL,
					 "no hosts to place ranks on");
		return weft_fail(diag, EINVAL,
				 "%u ranks, but only %u hosts to place them on",
				 m.nranks, m.nslots);
	}
	m.random_subset = spec->random_subset && m.nranks < m.nslots;
	sort_hosts(&m, fabric, spec->order);
	*mapping = m;
	return 0;
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Tells in *differ if all nodes with hosts have different names. */
static int names_differ(const struct weft_fabric *f,
			const struct weft_mapping *m, bool *differ)
{
	const char **name = malloc(m->nslots * sizeof(*name));
	uint32_t n = 0;

	if (!name)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->nslots; i++) {
		const struct weft_node *node =
			&f->node[f->ep[m->endport[i]].node];

		if (m->endport[i] == f->node_endport[node->first_endport])
			name[n++] = node->name;
	}
	qsort(name, n, sizeof(*name), compare_text);
	*differ = true;
	for (uint32_t i = 1; i < n && *differ; i++)
		*differ = strcmp(name[i - 1], name[i]);
	free(name);
	return 0;
}

int weft_mapping_natural(const struct weft_fabric *f, bool all_hosts,
			 struct weft_mapping *mapping, bool *by_name,
			 struct weft_diag *diag)
{
	struct weft_mapping_spec spec = {
		.order = WEFT_ORDER_LEAF,
		.all_hosts = all_hosts || !f->nhosts,
	};
	struct weft_mapping m;
	int err = weft_mapping_init(&m, f, &spec, diag);

	if (err)
		return err;
	if (names_differ(f, &m, by_name)) {
		weft_mapping_free(&m);
		return weft_no_memory(diag);
	}
	if (*by_name)
		sort_hosts(&m, f, WEFT_ORDER_NAME);
	*mapping = m;
	return 0;
}

void weft_mapping_free(struct weft_mapping *mapping)
{
	free(mapping->endport);
	*mapping = (struct weft_mapping){ 0 };
}
