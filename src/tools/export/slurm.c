// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A fabric as Slurm sees it: a tree of switches with nodes at its leaves.
 *
 * A fabric is hardly ever such a tree.  What matters to Slurm is which nodes
 * are near each other, so that a switch of its tree stands for all that are
 * joined without going higher: a switch with its nodes; in trees the switches
 * that cables join up to a level; a dragonfly's group; and the whole.  Levels
 * that hold nothing together are left out.
 */
#include "tools/export/export.h"

#include "core/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct builder {
	struct tool *t;
	const struct weft_fabric *f;
	struct tool_slurm *out;
	struct weft_shape shape;
	uint32_t *top;		/* [nsw] the highest of out->sw[] so far over
				 * each switch, WEFT_NONE = no nodes there */
	uint32_t *part;		/* [nsw] switches that are joined, by the lowest
				 * of them */
	char **switch_name;	/* [nsw] */
	uint32_t *order;	/* [nsw] switches by name */
	char **host;		/* [nnodes] names, NULL = is none of Slurm's */
	uint32_t *home;		/* [nnodes] switch */
	const char *kind;	/* of the ports that count, NULL = any */
	struct tool_slurm_port *port;	/* [nports] on other switches */
	uint32_t nports;
};

/* Returns a copy of the first word of a name, or of a whole one, in which what
 * Slurm has no use for is a dash; NULL without memory. */
static char *plain_name(const char *text, bool whole)
{
	size_t n = whole ? strlen(text) : strcspn(text, " ");
	char *name = malloc(n + 1);

	if (!name)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = text[i];

		name[i] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
			(c >= 'a' && c <= 'z') || strchr("._-", c) ? c : '-';
	}
	name[n] = '\0';
	return name;
}

/* Whether a port is a host's, and of the kind that counts. */
static bool counts(const struct builder *b, const struct weft_endport *ep)
{
	return ep->kind == WEFT_HOST &&
	       (!b->kind || !strcmp(b->f->use_name[ep->use], b->kind));
}

/* Returns a node's first port that is cabled and counts, or WEFT_NONE. */
static uint32_t first_port(const struct builder *b, const struct weft_node *n)
{
	const struct weft_fabric *f = b->f;
	uint32_t best = WEFT_NONE;

	for (uint32_t i = 0; i < n->nendports; i++) {
		uint32_t e = f->node_endport[n->first_endport + i];

		if (counts(b, &f->ep[e]) &&
		    (best == WEFT_NONE || f->ep[e].port < f->ep[best].port))
			best = e;
	}
	return best;
}

struct named {
	const char *name;
	uint32_t node;
	uint32_t rank;		/* of the first port that counts among those of
				 * the machine; WEFT_NONE: none does */
	uint32_t first;		/* place of the node that stands for its host */
};

static int by_name(const void *x, const void *y)
{
	const struct named *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = (a->rank > b->rank) - (a->rank < b->rank);
	return order ? order : (a->node > b->node) - (a->node < b->node);
}

static bool same_word(const char *x, const char *y)
{
	size_t n = strcspn(x, " ");

	return n == strcspn(y, " ") && !strncmp(x, y, n);
}

/* Keeps a port for the comments. */
static bool keep_port(struct builder *b, uint32_t e, const char *host)
{
	const struct weft_node *node = &b->f->node[b->f->ep[e].node];
	const char *adapter = node->name + strcspn(node->name, " ");
	char number[16] = "";
	size_t size;
	char *label;

	if (node->nports > 1)
		snprintf(number, sizeof(number), " port %u", b->f->ep[e].port);
	size = strlen(adapter) + sizeof(number);
	if (weft__grow_one(&b->port, b->nports))
		return false;
	label = malloc(size);
	if (!label)
		return false;
	snprintf(label, size, "%s%s", adapter, number);
	for (char *p = label; *p; p++)
		if ((unsigned char)*p < ' ')	/* a comment is one line */
			*p = ' ';
	b->port[b->nports++] = (struct tool_slurm_port){
		.at = b->switch_name[b->f->ep[e].sw], .host = host,
		.label = label };
	return true;
}

/* Keeps the ports of a node that are on another switch than its host's home. */
static bool keep_ports(struct builder *b, uint32_t n, uint32_t home,
		       const char *host)
{
	const struct weft_node *node = &b->f->node[n];
	bool ok = true;

	for (uint32_t i = 0; i < node->nendports && ok; i++) {
		uint32_t e = b->f->node_endport[node->first_endport + i];

		if (b->f->ep[e].kind == WEFT_HOST && b->f->ep[e].sw != home)
			ok = keep_port(b, e, host);
	}
	return ok;
}

/* Finds the ports of hosts that are elsewhere: all[] holds the adapters of a
 * host side by side.  *count: hosts that have such ports. */
static bool find_others(struct builder *b, const struct named *all, uint32_t n,
			uint32_t *count)
{
	uint32_t counted = WEFT_NONE;

	*count = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = all[all[i].first].node, before = b->nports;

		if (!b->host[first])
			continue;
		if (!keep_ports(b, all[i].node, b->home[first], b->host[first]))
			return false;
		if (b->nports > before && counted != first) {
			counted = first;
			++*count;
		}
	}
	return true;
}

/* Of adapters with one name the first stands for their host; two that nothing
 * tells apart are an error. */
static bool merge_adapters(struct builder *b, struct named *all, uint32_t n)
{
	const struct weft_fabric *f = b->f;
	uint32_t first = 0;

	qsort(all, n, sizeof(*all), by_name);
	for (uint32_t i = 0; i < n; i++) {
		const struct weft_node *x = &f->node[all[first].node];
		const struct weft_node *y = &f->node[all[i].node];

		all[i].first = first;
		if (i == first)
			continue;
		if (strcmp(all[first].name, all[i].name)) {
			all[i].first = first = i;
			continue;
		}
		if (!same_word(x->name, y->name) ||
		    (!strcmp(x->name, y->name) &&
		     (!x->system_guid || x->system_guid != y->system_guid))) {
			weft_diag_say(&b->t->diag, WEFT_ERROR,
				      "two nodes are called '%s' (0x%016" PRIx64 " and 0x%016" PRIx64
				      "): give them names of their own with --node-name-map",
				      all[i].name,
				      x->guid, y->guid);
			return false;
		}
		free(b->host[all[i].node]);
		b->host[all[i].node] = NULL;
	}
	return true;
}

/* Leaves hosts without a port that counts out, and says how many. */
static void leave_out(struct builder *b, const struct named *all, uint32_t n)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = all[i].node;

		if (all[i].first != i || b->home[node] != WEFT_NONE)
			continue;
		free(b->host[node]);
		b->host[node] = NULL;
		left++;
	}
	if (left)
		weft_diag_say(&b->t->diag, WEFT_NOTE,
			      "%s without a port of kind %s: left out",
			      WEFT_COUNT(left, "host"), b->kind);
}

static bool list_hosts(struct builder *b, struct named *all, uint32_t *n)
{
	const struct weft_fabric *f = b->f;
	uint32_t unnamed = 0;

	for (uint32_t i = 0; i < f->nnodes; i++) {
		uint32_t e = first_port(b, &f->node[i]);

		b->home[i] = e == WEFT_NONE ? WEFT_NONE : f->ep[e].sw;
		if (f->node[i].kind != WEFT_HOST || !f->node[i].nendports)
			continue;
		if (!strcspn(f->node[i].name, " ")) {
			unnamed++;
			continue;
		}
		b->host[i] = plain_name(f->node[i].name, false);
		if (!b->host[i])
			return tool_no_memory(b->t);
		all[(*n)++] = (struct named){
			.name = b->host[i], .node = i,
			.rank = e == WEFT_NONE ? WEFT_NONE : f->ep[e].rail };
	}
	if (unnamed)
		weft_diag_say(&b->t->diag, WEFT_WARNING,
			      "%s without a name: left out (--node-name-map gives names)",
			      WEFT_COUNT(unnamed, "host"));
	return true;
}

static bool find_hosts(struct builder *b)
{
	struct named *all = malloc((b->f->nnodes + 1ull) * sizeof(*all));
	uint32_t n = 0, spread = 0;
	bool ok = (all || tool_no_memory(b->t)) && list_hosts(b, all, &n) &&
		  merge_adapters(b, all, n);

	if (ok) {
		leave_out(b, all, n);
		ok = (find_others(b, all, n, &spread) &&
		      tool_slurm_others(b->out, b->port, b->nports)) ||
		     tool_no_memory(b->t);
	}
	if (ok && spread)
		weft_diag_say(&b->t->diag, WEFT_WARNING,
			      "%s with ports on several switches: Slurm's tree holds a node once, at the switch of its first port%s%s; comments tell of the others",
			      WEFT_COUNT(spread, "host"),
			      b->kind ? " of kind " : "",
			      b->kind ? b->kind : "");
	free(all);
	return ok;
}

/* Adds a switch of Slurm's, and takes over the name. */
static bool add(struct builder *b, char *name, char *nodes, uint32_t nnodes)
{
	struct tool_slurm *s = b->out;

	if (!name || weft__grow_one(&s->sw, s->n)) {
		free(name);
		free(nodes);
		return tool_no_memory(b->t);
	}
	s->sw[s->n++] = (struct tool_slurm_switch){ name, WEFT_NONE, nodes,
						    nnodes };
	return true;
}

/* Names the switches: one whose name another has, too, or that has none, by its
 * GUID. */
static bool name_switches(struct builder *b)
{
	const struct weft_fabric *f = b->f;
	struct named *all = malloc((f->nsw + 1ull) * sizeof(*all));
	bool ok = all;

	for (uint32_t s = 0; ok && s < f->nsw; s++) {
		b->switch_name[s] = plain_name(f->sw[s].name, true);
		all[s] = (struct named){ .name = b->switch_name[s], .node = s };
		ok = b->switch_name[s];
	}
	if (ok)
		qsort(all, f->nsw, sizeof(*all), by_name);
	for (uint32_t i = 0; ok && i < f->nsw; i++)
		b->order[i] = all[i].node;
	for (uint32_t i = 0, end; ok && i < f->nsw; i = end) {
		for (end = i + 1; end < f->nsw; end++)
			if (strcmp(all[i].name, all[end].name))
				break;
		if (end == i + 1 && *all[i].name)
			continue;
		for (uint32_t k = end; ok && k-- > i;) {
			uint32_t s = all[k].node;
			char guid[32];

			snprintf(guid, sizeof(guid), "switch-%016" PRIx64,
				 f->sw[s].guid);
			free(b->switch_name[s]);
			b->switch_name[s] = strdup(guid);
			ok = b->switch_name[s];
		}
	}
	free(all);
	return ok || tool_no_memory(b->t);
}

/* Switches with nodes. */
static bool add_leaves(struct builder *b)
{
	const struct weft_fabric *f = b->f;
	const char **name = malloc((f->nnodes + 1ull) * sizeof(*name));
	bool ok = name || tool_no_memory(b->t);

	for (uint32_t at = 0; ok && at < f->nsw; at++) {
		uint32_t s = b->order[at], n = 0;
		char *nodes;

		b->top[s] = WEFT_NONE;
		for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1];
		     i++) {
			uint32_t node = f->ep[f->sw_endport[i]].node;

			/* Ports of a node come one after the other. */
			if (b->host[node] && b->home[node] == s &&
			    (!n || name[n - 1] != b->host[node]))
				name[n++] = b->host[node];
		}
		if (!n)
			continue;
		nodes = tool_slurm_fold(name, n);
		ok = (nodes || tool_no_memory(b->t)) &&
			add(b, strdup(b->switch_name[s]), nodes, n);
		b->top[s] = b->out->n - 1;
	}
	free(name);
	return ok;
}

static uint32_t root_of(uint32_t *part, uint32_t s)
{
	while (part[s] != s) {
		part[s] = part[part[s]];
		s = part[s];
	}
	return s;
}

/* Joins switches whose cables stay on levels up to that one, or in a group. */
static void join(struct builder *b, unsigned level, bool groups, bool all)
{
	const struct weft_fabric *f = b->f;
	const struct weft_shape *x = &b->shape;

	for (uint32_t s = 0; s < f->nsw; s++)
		b->part[s] = s;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t to = f->peer[f->adj[i]], p, q;
			bool near = groups ? x->group[s] != WEFT_NONE &&
						x->group[s] == x->group[to] :
				x->level[s] <= level && x->level[to] <= level;

			if (!all && !near)
				continue;
			p = root_of(b->part, s);
			q = root_of(b->part, to);
			b->part[p > q ? p : q] = p > q ? q : p;
		}
}

/* Returns word-number, with as many dashes as no other switch has. */
static char *level_name(const struct tool_slurm *s, const char *word,
			uint32_t number)
{
	char name[64], dashes[24] = "-";
	uint32_t i = 0;

	do {
		snprintf(name, sizeof(name), "%s%s%" PRIu32, word, dashes,
			 number);
		for (i = 0; i < s->n && strcmp(s->sw[i].name, name); i++)
			;
		if (strlen(dashes) + 1 < sizeof(dashes))
			strcat(dashes, "-");
	} while (i < s->n);
	return strdup(name);
}

/* Puts a switch of Slurm's over what is joined, where that is more than one
 * thing; numbered by the names of switches.  What was joined before is one
 * thing when it is met again. */
static bool add_level(struct builder *b, const char *word)
{
	const struct weft_fabric *f = b->f;
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t r = root_of(b->part, b->order[i]), above;
		uint32_t first = WEFT_NONE;
		bool several = false;

		for (uint32_t s = 0; s < f->nsw; s++) {
			if (root_of(b->part, s) != r || b->top[s] == WEFT_NONE)
				continue;
			several |= first != WEFT_NONE && b->top[s] != first;
			first = b->top[s];
		}
		if (!several)
			continue;
		above = b->out->n;
		if (!add(b, level_name(b->out, word, ++count), NULL, 0))
			return false;
		for (uint32_t s = 0; s < f->nsw; s++)
			if (root_of(b->part, s) == r &&
			    b->top[s] != WEFT_NONE) {
				b->out->sw[b->top[s]].parent = above;
				b->top[s] = above;
			}
	}
	return true;
}

static bool add_levels(struct builder *b)
{
	const struct weft_shape *x = &b->shape;
	bool tree = false, groups = false;
	unsigned levels = 0;
	char word[32];

	for (uint32_t i = 0; i < x->nparts; i++) {
		tree |= x->part[i].kind == WEFT_SHAPE_TREE;
		groups |= x->part[i].kind == WEFT_SHAPE_GROUPS;
		if (x->part[i].nlevels > levels)
			levels = x->part[i].nlevels;
	}
	for (unsigned l = 1; tree && l + 1 < levels; l++) {
		snprintf(word, sizeof(word), "level%u", l + 1);
		join(b, l, false, false);
		if (!add_level(b, word))
			return false;
	}
	if (groups) {
		join(b, 0, true, false);
		if (!add_level(b, "group"))
			return false;
	}
	join(b, 0, false, true);
	return add_level(b, "fabric");
}

/* Whether the fabric has hosts of that kind; false after an error message. */
static bool is_kind(struct tool *t, const struct weft_fabric *f,
		    const char *kind)
{
	char known[512] = "";
	size_t n = 0;

	for (uint32_t e = 0; kind && e < f->nep; e++)
		if (f->ep[e].kind == WEFT_HOST &&
		    !strcmp(f->use_name[f->ep[e].use], kind))
			return true;
	for (uint32_t i = 0; kind && i < f->nuses && n < sizeof(known); i++)
		n += snprintf(known + n, sizeof(known) - n, "%s%s",
			      i ? ", " : "", f->use_name[i]);
	if (kind)
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "--kind: no host is of the kind '%s'; there are: %s",
			      kind, known);
	return !kind;
}

bool tool_slurm_make(struct tool *t, const struct weft_fabric *f,
		     const char *kind, struct tool_slurm *out)
{
	struct builder b = {
		.t = t, .f = f, .out = out, .kind = kind,
		.top = malloc((f->nsw + 1ull) * sizeof(*b.top)),
		.part = malloc((f->nsw + 1ull) * sizeof(*b.part)),
		.order = malloc((f->nsw + 1ull) * sizeof(*b.order)),
		.switch_name = calloc(f->nsw + 1ull, sizeof(char *)),
		.host = calloc(f->nnodes + 1ull, sizeof(*b.host)),
		.home = malloc((f->nnodes + 1ull) * sizeof(*b.home)),
	};
	bool ok = (b.top && b.part && b.order && b.switch_name && b.host &&
		   b.home) || tool_no_memory(t);

	*out = (struct tool_slurm){ .n = 0 };
	ok = ok && is_kind(t, f, kind) &&
		!weft_shape_find(f, &b.shape, &t->diag) && name_switches(&b) &&
		find_hosts(&b) && add_leaves(&b) && add_levels(&b);
	if (ok && !out->n) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "no host has a name that Slurm could know it by");
		ok = false;
	}
	weft_shape_free(&b.shape);
	for (uint32_t i = 0; b.host && i < f->nnodes; i++)
		free(b.host[i]);
	for (uint32_t s = 0; b.switch_name && s < f->nsw; s++)
		free(b.switch_name[s]);
	for (uint32_t i = 0; i < b.nports; i++)
		free(b.port[i].label);
	free(b.port);
	free(b.switch_name);
	free(b.order);
	free(b.top);
	free(b.part);
	free(b.host);
	free(b.home);
	if (!ok)
		tool_slurm_free(out);
	return ok;
}

void tool_slurm_free(struct tool_slurm *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		free(s->sw[i].name);
		free(s->sw[i].nodes);
	}
	free(s->sw);
	for (uint32_t i = 0; i < s->nothers; i++)
		free(s->other[i]);
	free(s->other);
	*s = (struct tool_slurm){ .n = 0 };
}
