// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The mapping in force.  A sweep reads the file aside and then swaps, under the
 * lock that answers share, so that none sees half of one.
 */
#include "plugins/subnets/subnets.h"

#include "plugins/files/osm_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a port of a router by its GUID, if it is there and not down; else
 * NULL.  OpenSM's lock is held. */
static osm_port_t *router_port(const osm_subn_t *subnet, uint64_t guid)
{
	osm_alias_guid_t *alias =
		osm_get_alias_guid_by_guid(subnet, cl_hton64(guid));
	osm_port_t *port = alias ? alias->p_base_port : NULL;

	if (!port || osm_node_get_type(port->p_node) != IB_NODE_TYPE_ROUTER ||
	    !port->p_physp ||
	    osm_physp_get_port_state(port->p_physp) == IB_LINK_DOWN)
		return NULL;
	return port;
}

/* --- look-up ----------------------------------------------------------- */

/* Adds a port unless it is NULL or there already. */
static void add_port(struct weft__gateway *g, osm_port_t *port)
{
	unsigned i = 0;

	while (i < g->n && g->port[i] != port)
		i++;
	if (port && i == g->n && i < WEFT__GATEWAYS)
		g->port[g->n++] = port;
}

struct weft__gateway weft__subnets_find(struct weft__subnets_plugin *p,
					const ib_gid_t *gid)
{
	uint64_t prefix = cl_ntoh64(gid->unicast.prefix);
	uint64_t guid = cl_ntoh64(gid->unicast.interface_id);
	struct weft__gateway found = { .n = 0 };
	const struct weft__goal_level *level;

	pthread_rwlock_rdlock(&p->lock);
	for (int scope = WEFT__HOST; scope >= WEFT__EVERYBODY; scope--) {
		const struct weft__goal *g = weft__goals_find(
			&p->goals, (enum weft__scope)scope, prefix, guid);

		for (uint32_t i = 0; g && i < g->n; i++)
			add_port(&found,
				 router_port(&p->osm->subn,
					     p->goals.port[g->first + i]));
	}
	level = weft__goals_level(&p->goals, prefix);
	found.level = level;
	found.sl = level ? level->sl : 0;
	pthread_rwlock_unlock(&p->lock);
	return found;
}

/* --- router ports ------------------------------------------------------ */

static int by_guid(const void *x, const void *y)
{
	const struct weft__gate *a = x, *b = y;

	return a->guid < b->guid ? -1 : a->guid > b->guid;
}

/* Lists the router ports that a mapping names.  Returns NULL without memory. */
static struct weft__gate *list_gates(const struct weft__goals *g, size_t *n)
{
	struct weft__gate *gate = calloc(g->nports + 1, sizeof(*gate));
	size_t m = 0;

	if (!gate)
		return NULL;
	for (size_t i = 0; i < g->nports; i++)
		gate[i].guid = g->port[i];
	for (size_t i = 0; i < g->n; i++)
		gate[g->goal[i].first].first_of = 1;
	if (g->nports)
		qsort(gate, g->nports, sizeof(*gate), by_guid);
	for (size_t i = 0; i < g->nports; i++) {
		if (i && gate[i].guid == gate[m - 1].guid)
			gate[m - 1].first_of += gate[i].first_of;
		else
			gate[m++] = gate[i];
	}
	*n = m;
	return gate;
}

void weft__subnets_look(struct weft__subnets_plugin *p)
{
	struct weft__log log;
	struct weft_diag diag;

	weft__subnets_log(p, &log, &diag);
	pthread_rwlock_wrlock(&p->lock);
	for (size_t i = 0; i < p->ngates; i++) {
		struct weft__gate *g = &p->gate[i];
		const osm_port_t *port =
			router_port(&p->osm->subn, g->guid);

		if (g->up == (port != NULL))
			continue;
		g->up = port;
		if (port)
			osm_log(log.log, OSM_LOG_INFO,
				"%s: router port 0x%016" PRIx64
				" (%s) is there: %" PRIu32 " lines of the mapping begin with it\n",
				log.engine, g->guid,
				port->p_node->print_desc, g->first_of);
		else
			weft_diag_say(&diag, WEFT_WARNING,
				      "router port 0x%016" PRIx64
				      " is down: %" PRIu32 " lines of the mapping begin with it, their next ports are taken",
				      g->guid, g->first_of);
	}
	pthread_rwlock_unlock(&p->lock);
}

/* --- reading ----------------------------------------------------------- */

static bool same(const struct weft__goals *a, const struct weft__goals *b)
{
	if (a->n != b->n || a->nports != b->nports || a->nlevels != b->nlevels)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct weft__goal *x = &a->goal[i], *y = &b->goal[i];

		if (x->scope != y->scope || x->prefix != y->prefix ||
		    x->guid != y->guid || x->first != y->first || x->n != y->n)
			return false;
	}
	for (size_t i = 0; i < a->nlevels; i++)
		if (a->level[i].prefix != b->level[i].prefix ||
		    a->level[i].sl != b->level[i].sl)
			return false;
	return !a->nports ||
	       !memcmp(a->port, b->port, a->nports * sizeof(*a->port));
}

/* Takes over what was known of router ports of the old mapping. */
static void keep_known(const struct weft__subnets_plugin *p,
		       struct weft__gate *gate, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct weft__gate *old =
			p->ngates ? bsearch(&gate[i], p->gate, p->ngates,
					    sizeof(*gate), by_guid) : NULL;

		/* One that is new counts as there until it is looked at. */
		gate[i].up = !old || old->up;
	}
}

/* Puts a mapping in force, which takes over goals. */
static void put_in_force(struct weft__subnets_plugin *p,
			 struct weft__goals *goals, struct weft_diag *diag)
{
	struct weft__goals old_goals;
	struct weft__gate *old_gate, *gate;
	size_t n;

	gate = list_gates(goals, &n);
	if (!gate) {
		weft_diag_say(diag, WEFT_ERROR,
			      "out of memory: the mapping read before stays in force");
		weft__goals_free(goals);
		return;
	}
	keep_known(p, gate, n);
	pthread_rwlock_wrlock(&p->lock);
	old_goals = p->goals;
	old_gate = p->gate;
	p->goals = *goals;
	p->gate = gate;
	p->ngates = n;
	pthread_rwlock_unlock(&p->lock);
	weft__goals_free(&old_goals);
	free(old_gate);
}

/* Takes down what is wrong with the file, instead of logging it. */
static void note_trouble(void *context, const struct weft_message *m)
{
	struct weft__trouble *t = context;

	if (m->severity != WEFT_ERROR)
		return;
	t->line = m->line;
	snprintf(t->text, sizeof(t->text), "%s", m->text);
}

/* Tells what is wrong with the file, unless it was the same in the sweep
 * before. */
static void tell(struct weft__subnets_plugin *p, const struct weft__trouble *t,
		 struct weft_diag *diag)
{
	if (t->line == p->trouble.line && !strcmp(t->text, p->trouble.text))
		return;
	p->trouble = *t;
	weft_diag_at(diag, WEFT_ERROR, p->path, t->line, "%s", t->text);
	weft_diag_say(diag, WEFT_WARNING,
		      p->goals.n ? "the mapping read before stays in force" :
				   "no mapping: all queries are OpenSM's");
}

void weft__subnets_reread(struct weft__subnets_plugin *p)
{
	struct weft__trouble trouble = { .text = "it cannot be read" };
	struct weft_diag reading = {
		.emit = note_trouble, .context = &trouble,
	};
	struct weft__goals goals;
	struct weft__log log;
	struct weft_diag diag;
	bool mended;

	weft__subnets_log(p, &log, &diag);
	if (weft__goals_read(p->path, weft__file_open_list, &goals,
			     &reading)) {
		tell(p, &trouble, &diag);
		return;
	}
	mended = *p->trouble.text;
	p->trouble = (struct weft__trouble){ .line = 0 };
	if (p->gate && !mended && same(&p->goals, &goals)) {
		weft__goals_free(&goals);
		return;
	}
	put_in_force(p, &goals, &diag);
	osm_log(log.log, OSM_LOG_INFO,
		"%s: %s: %zu lines, %zu router ports\n", log.engine, p->path,
		p->goals.n, p->ngates);
}
