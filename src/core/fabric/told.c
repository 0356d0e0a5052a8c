// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Machines that a site tells; see weft/machines.h. */
#include "core/fabric/machines.h"
#include "core/find_key.h"
#include "core/grow.h"

#include <weft/diag.h>
#include <weft/machines.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void weft_adapters_free(struct weft_adapters *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		free(a->adapter[i].machine);
	for (uint32_t i = 0; i < a->nfiles; i++)
		free(a->file[i]);
	free(a->adapter);
	free(a->file);
	*a = (struct weft_adapters){ .n = 0 };
}

/* The file of that name among those that are there. */
static const char *keep_file(struct weft_adapters *a, const char *file)
{
	char *copy;

	if (a->nfiles && !strcmp(a->file[a->nfiles - 1], file))
		return a->file[a->nfiles - 1];
	copy = strdup(file);
	if (!copy || weft__grow_one(&a->file, a->nfiles)) {
		free(copy);
		return NULL;
	}
	return a->file[a->nfiles++] = copy;
}

int weft_adapters_add(struct weft_adapters *a, uint64_t guid,
		      const char *machine, int numa, const char *file,
		      unsigned long line)
{
	struct weft_adapter new = {
		.guid = guid, .machine = strdup(machine), .numa = numa,
		.file = keep_file(a, file), .line = line,
	};

	if (!new.machine || !new.file ||
	    weft__grow_one(&a->adapter, a->n)) {
		free(new.machine);
		return -ENOMEM;
	}
	a->adapter[a->n++] = new;
	return 0;
}

/* --- GUIDs ---------------------------------------------------------------- */

/* A GUID that a node of hosts goes by. */
struct entry {
	uint64_t guid;
	uint32_t node;
};

struct index {
	struct entry *entry;	/* [n] ascending */
	size_t n;
};

static int by_guid(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static void add_entry(struct index *x, uint64_t guid, uint32_t node)
{
	if (guid)
		x->entry[x->n++] = (struct entry){ guid, node };
}

static bool index_init(struct index *x, const struct weft_fabric *f)
{
	size_t most = 2ull * f->nnodes + f->nep + 1;

	*x = (struct index){ .entry = malloc(most * sizeof(*x->entry)) };
	for (uint32_t i = 0; x->entry && i < f->nnodes; i++) {
		if (f->node[i].kind != WEFT_HOST)
			continue;
		add_entry(x, f->node[i].guid, i);
		add_entry(x, f->node[i].system_guid, i);
	}
	for (uint32_t e = 0; x->entry && e < f->nep; e++)
		if (f->ep[e].kind == WEFT_HOST)
			add_entry(x, f->ep[e].guid, f->ep[e].node);
	if (x->entry)
		qsort(x->entry, x->n, sizeof(*x->entry), by_guid);
	return x->entry;
}

/* The first entry of a GUID; x->n: none has it. */
static size_t find_guid(const struct index *x, uint64_t guid)
{
	return weft__find_key(x->entry, x->n, sizeof(*x->entry),
			      offsetof(struct entry, guid), guid);
}

/* --- machines ------------------------------------------------------------- */

static int by_machine(const void *x, const void *y)
{
	const struct weft_adapter *const *a = x, *const *b = y;

	return strcmp((*a)->machine, (*b)->machine);
}

struct teller {
	struct weft_fabric *f;
	struct index index;
	const struct weft_adapter **order;	/* [n] by machine */
	const struct weft_adapter **teller;	/* [nnodes] who told of it */
	struct weft_diag *diag;
};

/* Gives a node its machine and its NUMA node. */
static int tell_node(struct teller *t, uint32_t n, uint32_t machine,
		     const struct weft_adapter *a)
{
	struct weft_node *node = WEFT_WRITABLE(struct weft_node, t->f->node);
	const struct weft_adapter *before = t->teller[n];

	if (before && node[n].told != machine)
		return weft_fail_at(t->diag, EINVAL, a->file, a->line,
				    "adapter 0x%016" PRIx64 " is in machine '%s' here, and in '%s' by %s:%lu: say it once",
				    a->guid, a->machine, before->machine,
				    before->file, before->line);
	t->teller[n] = a;
	node[n].told = machine;
	if (a->numa >= 0 && a->numa < UINT8_MAX)
		node[n].numa = a->numa + 1;
	return 0;
}

/* Tells all nodes of a GUID, *found counts those adapters that have some. */
static int tell_adapter(struct teller *t, const struct weft_adapter *a,
			uint32_t machine, uint32_t *found)
{
	size_t at = find_guid(&t->index, a->guid);
	int err = 0;

	/* NCCL writes GUIDs as they lie in memory */
	if (at == t->index.n)
		at = find_guid(&t->index, __builtin_bswap64(a->guid));
	if (at == t->index.n)
		return 0;
	*found += 1;
	for (uint64_t guid = t->index.entry[at].guid;
	     !err && at < t->index.n && t->index.entry[at].guid == guid; at++)
		err = tell_node(t, t->index.entry[at].node, machine, a);
	return err;
}

/* Warns, once a file, of adapters that nobody has. */
static void warn_unknown(const struct teller *t, const struct weft_adapters *a)
{
	for (uint32_t i = 0; i < a->n;) {
		const struct weft_adapter *first = NULL, *begin;
		uint32_t unknown = 0, n = 0;

		for (begin = &a->adapter[i];
		     i < a->n && a->adapter[i].file == begin->file; i++, n++) {
			const struct weft_adapter *x = &a->adapter[i];

			if (find_guid(&t->index, x->guid) < t->index.n ||
			    find_guid(&t->index, __builtin_bswap64(x->guid)) <
				    t->index.n)
				continue;
			first = first ? first : x;
			unknown++;
		}
		if (unknown)
			weft_diag_at(t->diag, WEFT_WARNING, first->file,
				     first->line,
				     "of %s the fabric lacks %u, first of them 0x%016" PRIx64,
				     WEFT_COUNT(n, "adapter"), unknown,
				     first->guid);
	}
}

static int tell_all(struct teller *t, const struct weft_adapters *a)
{
	uint32_t machine = 0, found = 0;
	int err = 0;

	for (uint32_t i = 0; i < a->n; i++)
		t->order[i] = &a->adapter[i];
	qsort(t->order, a->n, sizeof(*t->order), by_machine);
	for (uint32_t i = 0; i < a->n && !err; i++) {
		machine += !i || by_machine(&t->order[i - 1], &t->order[i]);
		err = tell_adapter(t, t->order[i], machine, &found);
	}
	if (err)
		return err;
	if (!found)
		return weft_fail_at(t->diag, EINVAL,
				    a->n ? a->adapter[0].file : NULL, 0,
				    "none of these adapters is in the fabric");
	warn_unknown(t, a);
	return weft__find_machines(t->f) || weft__find_groups(t->f) ?
		weft_no_memory(t->diag) : 0;
}

/* Leaves the fabric as if nobody had told anything. */
static void forget_all(const struct teller *t)
{
	struct weft_node *node = WEFT_WRITABLE(struct weft_node, t->f->node);

	for (uint32_t i = 0; i < t->f->nnodes; i++)
		if (t->teller[i])
			node[i].told = node[i].numa = 0;
}

int weft_adapters_apply(const struct weft_adapters *a,
			struct weft_fabric *fabric, struct weft_diag *diag)
{
	struct teller t = {
		.f = fabric, .diag = diag,
		.order = malloc((a->n + 1ull) * sizeof(*t.order)),
		.teller = calloc(fabric->nnodes + 1ull, sizeof(*t.teller)),
	};
	int err = t.order && t.teller && index_init(&t.index, fabric) ?
		tell_all(&t, a) : weft_no_memory(diag);

	if (err && t.teller)
		forget_all(&t);
	free(t.order);
	free(t.teller);
	free(t.index.entry);
	return err;
}
