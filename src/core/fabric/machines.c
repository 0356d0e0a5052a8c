// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds which adapters are of one machine, and who is balanced with whom; see
 * weft/fabric.h.
 *
 * Node descriptions name the machine and the adapter, as "n001 HCA-2" or
 * "n001 mlx5_3" do.  Nodes with one machine's name are taken to be one machine
 * where the names of their adapters differ: hosts that are all called
 * "localhost HCA-1" stay apart.  So are nodes of one system image GUID, unless
 * as many have it as no machine has adapters.  What a site tells of a node goes
 * before both.
 *
 * A rail is the rank of an adapter's number among the numbers that machines of
 * several adapters have, by the kind of its name ("HCA-", "mlx5_"): it stays
 * the same where one adapter of a machine is missing.
 */
#include "core/fabric/machines.h"

#include "core/sets.h"
#include "core/text/number.h"

#include <weft/machines.h>

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST 32		/* adapters that a machine has at most */
#define MAX_GROUPS 255

/* What the name of an adapter says. */
struct adapter {
	const char *name;
	uint32_t base;		/* length of the machine's name */
	uint32_t kind;		/* length of "HCA-" behind it, blank included;
				 * 0: it names no adapter */
	uint64_t number;
};

/* An endport's place in its machine, as its name tells it. */
struct label {
	const struct adapter *adapter;
	uint32_t port;		/* rank among the ports of its node */
	uint32_t rail;
};

struct finder {
	struct weft_fabric *f;
	struct adapter *adapter;	/* [nnodes] */
	uint32_t *set;		/* [nnodes] nodes of one machine */
	uint32_t *slot;		/* [nslots] a hash table of nodes */
	uint32_t nslots;	/* a power of two */
	uint32_t *next;		/* [nnodes] the next node of its chain */
	struct label *label;	/* [nlabels] ascending */
	uint32_t nlabels;
};

/* Returns the id that the member of an endport at an offset holds. */
static uint32_t owner_of(const struct weft_fabric *f, uint32_t e, size_t offset)
{
	uint32_t owner;

	memcpy(&owner, (const char *)&f->ep[e] + offset, sizeof(owner));
	return owner;
}

bool weft__list_by_owner(struct weft_fabric *f, size_t owner, uint32_t n,
			 const uint32_t **first_out, const uint32_t **list_out)
{
	uint32_t *first = weft__arena_zalloc(f->arena, n + 2ull,
					     sizeof(*first));
	uint32_t *list = weft__arena_alloc(f->arena, f->nep, sizeof(*list));

	if (weft__arena_failed(f->arena))
		return false;
	for (uint32_t e = 0; e < f->nep; e++)
		first[owner_of(f, e, owner) + 2]++;
	for (uint32_t i = 2; i <= n; i++)
		first[i] += first[i - 1];
	for (uint32_t e = 0; e < f->nep; e++)
		list[first[owner_of(f, e, owner) + 1]++] = e;
	*first_out = first;
	*list_out = list;
	return true;
}

static const char *const words[] = {
	"HCA-", "HFI-", "mlx4_", "mlx5_", "mthca", "hfi1_", "qib", "ibp",
};

static struct adapter read_name(const char *name)
{
	struct adapter a = { .name = name, .base = strlen(name) };
	const char *end = name + a.base, *blank;

	while (end > name && end[-1] == ' ')
		end--;
	for (blank = end; blank > name && blank[-1] != ' ';)
		blank--;
	if (blank == name)
		return a;
	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t n = strlen(words[i]);

		if (strncmp(blank, words[i], n) ||
		    weft__number_digits(blank + n, end, UINT32_MAX,
					&a.number) != end)
			continue;
		a.base = blank - 1 - name;
		a.kind = n + 1;
	}
	return a;
}

/* Compares the kinds of two adapters' names. */
static int compare_kinds(const struct adapter *a, const struct adapter *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return memcmp(a->name + a->base, b->name + b->base, a->kind);
}

static bool same_machine(const struct adapter *a, const struct adapter *b)
{
	return a->base == b->base && !memcmp(a->name, b->name, a->base);
}

/* FNV-1a. */
static uint64_t hash(const void *data, size_t size)
{
	const unsigned char *p = data;
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < size; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h ^ h >> 32;
}

/* Joins the nodes that a chain leads to. */
static void join_chain(struct finder *w, uint32_t head)
{
	for (uint32_t n = w->next[head]; n != WEFT_NONE; n = w->next[n])
		weft__sets_join(w->set, head, n);
}

static uint32_t chain_length(const struct finder *w, uint32_t head)
{
	uint32_t n = 0;

	for (; head != WEFT_NONE; head = w->next[head])
		n++;
	return n;
}

/* True if all nodes of a chain are different adapters. */
static bool all_differ(const struct finder *w, uint32_t head)
{
	for (uint32_t a = head; a != WEFT_NONE; a = w->next[a])
		for (uint32_t b = w->next[a]; b != WEFT_NONE; b = w->next[b])
			if (w->adapter[a].number == w->adapter[b].number &&
			    !compare_kinds(&w->adapter[a], &w->adapter[b]))
				return false;
	return true;
}

/* What nodes are sorted by: the names of their machines or system GUIDs. */
struct key {
	uint64_t (*hash)(const struct finder *w, uint32_t node);
	bool (*has)(const struct finder *w, uint32_t node);
	bool (*same)(const struct finder *w, uint32_t a, uint32_t b);
	bool (*joins)(const struct finder *w, uint32_t head);
};

static uint64_t hash_name(const struct finder *w, uint32_t n)
{
	return hash(w->adapter[n].name, w->adapter[n].base);
}

static bool has_name(const struct finder *w, uint32_t n)
{
	return w->adapter[n].kind && !w->f->node[n].told;
}

static bool same_name(const struct finder *w, uint32_t a, uint32_t b)
{
	return same_machine(&w->adapter[a], &w->adapter[b]);
}

static uint64_t hash_system(const struct finder *w, uint32_t n)
{
	return hash(&w->f->node[n].system_guid, sizeof(uint64_t));
}

static bool has_system(const struct finder *w, uint32_t n)
{
	return w->f->node[n].system_guid && !w->f->node[n].told;
}

static bool same_system(const struct finder *w, uint32_t a, uint32_t b)
{
	return w->f->node[a].system_guid == w->f->node[b].system_guid;
}

static uint64_t hash_told(const struct finder *w, uint32_t n)
{
	return hash(&w->f->node[n].told, sizeof(uint32_t));
}

static bool is_told(const struct finder *w, uint32_t n)
{
	return w->f->node[n].told;
}

static bool same_told(const struct finder *w, uint32_t a, uint32_t b)
{
	return w->f->node[a].told == w->f->node[b].told;
}

static bool joins_always(const struct finder *w, uint32_t head)
{
	(void)w;
	(void)head;
	return true;
}

static const struct key by_told = {
	hash_told, is_told, same_told, joins_always,
};
static const struct key by_name = {
	hash_name, has_name, same_name, all_differ,
};
static const struct key by_system = {
	hash_system, has_system, same_system, joins_always,
};

/* Joins the nodes that have the same key. */
static void join_by(struct finder *w, const struct key *key)
{
	const struct weft_fabric *f = w->f;

	memset(w->slot, 0xff, w->nslots * sizeof(*w->slot));
	for (uint32_t n = f->nnodes; n-- > 0;) {
		uint32_t at;

		w->next[n] = WEFT_NONE;
		if (f->node[n].kind != WEFT_HOST || !key->has(w, n))
			continue;
		at = key->hash(w, n) & (w->nslots - 1);
		while (w->slot[at] != WEFT_NONE &&
		       !key->same(w, w->slot[at], n))
			at = (at + 1) & (w->nslots - 1);
		w->next[n] = w->slot[at];
		w->slot[at] = n;
	}
	for (uint32_t i = 0; i < w->nslots; i++)
		if (w->slot[i] != WEFT_NONE &&
		    chain_length(w, w->slot[i]) <= MOST &&
		    key->joins(w, w->slot[i]))
			join_chain(w, w->slot[i]);
}

/* Numbers the machines by their first nodes and lists their endports. */
static bool list_endports(struct finder *w)
{
	struct weft_fabric *f = w->f;
	struct weft_endport *ep = WEFT_WRITABLE(struct weft_endport, f->ep);
	uint32_t *number = w->next;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nnodes; i++) {
		uint32_t head = weft__sets_find(w->set, i);

		number[i] = head == i ? n++ : number[head];
	}
	for (uint32_t e = 0; e < f->nep; e++)
		ep[e].machine = number[ep[e].node];
	f->nmachines = n;
	return weft__list_by_owner(f, offsetof(struct weft_endport, machine), n,
				   &f->machine_first, &f->machine_endport);
}

static int compare_labels(const struct label *a, const struct label *b)
{
	int order = compare_kinds(a->adapter, b->adapter);

	if (order)
		return order;
	if (a->adapter->number != b->adapter->number)
		return a->adapter->number < b->adapter->number ? -1 : 1;
	return (a->port > b->port) - (a->port < b->port);
}

/* Returns the place of a label in the list, or where it would be. */
static uint32_t find_label(const struct finder *w, const struct label *label)
{
	uint32_t lo = 0, hi = w->nlabels;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (compare_labels(&w->label[mid], label) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct label label_of(const struct finder *w, uint32_t e)
{
	const struct weft_node *node = &w->f->node[w->f->ep[e].node];
	struct label l = { .adapter = &w->adapter[w->f->ep[e].node] };

	while (w->f->node_endport[node->first_endport + l.port] != e)
		l.port++;
	return l;
}

/* Collects the labels of machines with several endports. */
static void collect_labels(struct finder *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t m = f->ep[e].machine, at;
		struct label l;

		if (f->machine_first[m + 1] - f->machine_first[m] < 2)
			continue;
		l = label_of(w, e);
		at = find_label(w, &l);
		if (at < w->nlabels && !compare_labels(&w->label[at], &l))
			continue;
		if (w->nlabels == MAX_GROUPS)
			return;
		memmove(&w->label[at + 1], &w->label[at],
			(w->nlabels++ - at) * sizeof(l));
		w->label[at] = l;
	}
	for (uint32_t i = 1; i < w->nlabels; i++)
		w->label[i].rail = compare_kinds(w->label[i - 1].adapter,
						 w->label[i].adapter) ?
			0 : w->label[i - 1].rail + 1;
}

/* Sorts the endports of a machine as their labels, then nodes do, and gives
 * them their rails.  Endports whose labels are the same are counted. */
static void give_rails(const struct finder *w, uint32_t *list, uint32_t n)
{
	struct weft_endport *ep = WEFT_WRITABLE(struct weft_endport, w->f->ep);
	uint32_t rail = 0;

	for (uint32_t i = 1; i < n; i++) {
		uint32_t e = list[i], at = i;
		struct label mine = label_of(w, e);

		for (; at; at--) {
			struct label other = label_of(w, list[at - 1]);
			int order = compare_labels(&other, &mine);

			if (order < 0 || (!order && ep[list[at - 1]].node <=
						    ep[e].node))
				break;
			list[at] = list[at - 1];
		}
		list[at] = e;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct label mine = label_of(w, list[i]);
		uint32_t at = find_label(w, &mine);
		bool known = at < w->nlabels &&
			     !compare_labels(&w->label[at], &mine);

		if (known && w->label[at].rail > rail)
			rail = w->label[at].rail;
		ep[list[i]].rail = rail < UINT8_MAX ? rail : UINT8_MAX;
		rail += n > 1;
	}
}

int weft__find_machines(struct weft_fabric *f)
{
	struct weft_arena *scratch = weft__arena_new();
	struct finder w = { .f = f, .nslots = 1 };
	int err = -ENOMEM;

	while (w.nslots < 2 * f->nnodes + 1)
		w.nslots *= 2;
	w.adapter = weft__arena_alloc(scratch, f->nnodes, sizeof(*w.adapter));
	w.set = weft__arena_alloc(scratch, f->nnodes, sizeof(*w.set));
	w.slot = weft__arena_alloc(scratch, w.nslots, sizeof(*w.slot));
	w.next = weft__arena_alloc(scratch, f->nnodes, sizeof(*w.next));
	w.label = weft__arena_alloc(scratch, MAX_GROUPS + 1, sizeof(*w.label));
	if (weft__arena_failed(scratch))
		goto free_scratch;
	for (uint32_t n = 0; n < f->nnodes; n++)
		w.adapter[n] = read_name(f->node[n].name);
	weft__sets_begin(w.set, f->nnodes);
	join_by(&w, &by_told);
	if (f->machines_by == WEFT_MACHINES_AUTO ||
	    f->machines_by == WEFT_MACHINES_NAME)
		join_by(&w, &by_name);
	if (f->machines_by == WEFT_MACHINES_AUTO ||
	    f->machines_by == WEFT_MACHINES_SYSTEM)
		join_by(&w, &by_system);
	if (!list_endports(&w))
		goto free_scratch;
	collect_labels(&w);
	for (uint32_t m = 0; m < f->nmachines; m++)
		give_rails(&w, WEFT_WRITABLE(uint32_t, f->machine_endport) +
			   f->machine_first[m],
			   f->machine_first[m + 1] - f->machine_first[m]);
	err = 0;
free_scratch:
	weft__arena_free(scratch);
	return err;
}

bool weft_machines_rule(const char *word, enum weft_machines_by *by)
{
	static const char *const rules[] = {
		[WEFT_MACHINES_AUTO] = "auto",
		[WEFT_MACHINES_NAME] = "name",
		[WEFT_MACHINES_SYSTEM] = "system",
		[WEFT_MACHINES_NODE] = "node",
	};

	for (unsigned i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!strcmp(word, rules[i])) {
			*by = i;
			return true;
		}
	return false;
}

int weft_fabric_machines(struct weft_fabric *f, enum weft_machines_by by)
{
	f->machines_by = by;
	return weft__find_machines(f) || weft__find_groups(f) ? -ENOMEM : 0;
}
