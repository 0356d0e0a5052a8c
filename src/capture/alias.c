// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: aliases that keep the order
 *
 * Ids follow GUIDs, and what is drawn at random, or tied, goes by ids; engines
 * look at the order of names.  A hash in place of each GUID would leave another
 * fabric with other figures.  So the hashes of all GUIDs are sorted and handed
 * out in the order of the GUIDs: the set of aliases depends on the key and on
 * all GUIDs, which of them is whose on the order alone.  Names likewise.
 */
#include <weft/alias.h>

#include "core/fabric/fabric_build.h"
#include "core/siphash.h"
#include "core/text/names.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LETTERS 10
#define NAME_SIZE (8 + LETTERS)		     /* "switch-" and NUL */
#define NAME_CODES UINT64_C(141167095653376) /* 26^LETTERS */

/* An alias is told by its first byte: of a GUID that is locally made up, the
 * fabric's own in order, and others. */
#define GUID_BITS 56
#define OWN_GUID (UINT64_C(0x02) << GUID_BITS)
#define OTHER_GUID (UINT64_C(0x06) << GUID_BITS)

/* What a hash is of, so that nothing has the same for two reasons. */
enum subject { OF_GUID, OF_NAME, OF_LID, OF_CLASH };

enum class { SWITCHES, NODES, ROUTERS, CLASSES };

struct names {
	const char **old; /* [n] in their order, distinct */
	char (*alias)[NAME_SIZE];
	uint32_t n;
};

struct weft_aliases {
	const struct weft_fabric *f;
	struct weft_alias_key key;
	uint64_t *guid, *guid_alias; /* [nguids] ascending */
	uint32_t nguids;
	struct names names[CLASSES];
	uint16_t *lid; /* [max_lid + 1] */
};

struct weft_alias_key weft_alias_key_of(const void *text, size_t size)
{
	static const uint64_t first[2] = { 1, 0 }, second[2] = { 2, 0 };

	return (struct weft_alias_key){
		{ weft__siphash(first, text, size),
		  weft__siphash(second, text, size) },
	};
}

static uint64_t hash(const struct weft_aliases *a, enum subject subject,
		     const void *data, size_t size)
{
	uint64_t word[2] = { subject, 0 };

	word[1] = weft__siphash(a->key.word, data, size);
	return weft__siphash(a->key.word, word, sizeof(word));
}

static int by_value(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* Sorts n hashes below limit and gives those that are there twice others. */
static void settle(const struct weft_aliases *a, uint64_t *code, uint32_t n,
		   uint64_t limit)
{
	bool clash = true;

	while (clash) {
		clash = false;
		qsort(code, n, sizeof(*code), by_value);
		for (uint32_t i = 1; i < n; i++)
			if (code[i] == code[i - 1]) {
				code[i - 1] = hash(a, OF_CLASH, &code[i],
						   sizeof(code[i])) %
					      limit;
				clash = true;
			}
	}
}

/* --- GUIDs ------------------------------------------------------------ */

static int collect_guids(struct weft_aliases *a)
{
	const struct weft_fabric *f = a->f;
	uint64_t *g = malloc((3ull * f->nsw + f->nep + 2ull * f->nnodes + 1) *
			     sizeof(*g));
	uint32_t n = 0, distinct = 0;

	a->guid = g;
	if (!g)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->nsw; i++) {
		g[n++] = f->sw[i].guid;
		g[n++] = f->sw[i].port_guid;
		g[n++] = f->sw[i].system_guid;
	}
	for (uint32_t i = 0; i < f->nep; i++)
		g[n++] = f->ep[i].guid;
	for (uint32_t i = 0; i < f->nnodes; i++) {
		g[n++] = f->node[i].guid;
		g[n++] = f->node[i].system_guid;
	}
	qsort(g, n, sizeof(*g), by_value);
	for (uint32_t i = 0; i < n; i++)
		if (g[i] && (!distinct || g[i] != g[distinct - 1]))
			g[distinct++] = g[i];
	a->nguids = distinct;
	return 0;
}

static int make_guids(struct weft_aliases *a)
{
	int err = collect_guids(a);

	if (err)
		return err;
	a->guid_alias = malloc((a->nguids + 1ull) * sizeof(*a->guid_alias));
	if (!a->guid_alias)
		return -ENOMEM;
	for (uint32_t i = 0; i < a->nguids; i++)
		a->guid_alias[i] =
			hash(a, OF_GUID, &a->guid[i], sizeof(a->guid[i])) >>
			(64 - GUID_BITS);
	settle(a, a->guid_alias, a->nguids, UINT64_C(1) << GUID_BITS);
	return 0;
}

uint64_t weft_alias_guid(const struct weft_aliases *a, uint64_t guid)
{
	const uint64_t *at = a->nguids ? bsearch(&guid, a->guid, a->nguids,
						 sizeof(*at), by_value) :
					 NULL;

	if (!guid)
		return 0;
	if (at)
		return OWN_GUID | a->guid_alias[at - a->guid];
	return OTHER_GUID |
	       hash(a, OF_GUID, &guid, sizeof(guid)) >> (64 - GUID_BITS);
}

/* --- names ------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
	return weft__compare_names(*(const char *const *)a,
				   *(const char *const *)b);
}

static enum class class_of(const struct weft_node *node) {
	return node->kind == WEFT_ROUTER ? ROUTERS : NODES;
}

/* A name that says nothing, or by which aggregation nodes are known. */
static bool is_kept(const char *name)
{
	return !*name || strcasestr(name, "aggregation node");
}

static void collect_names(const struct weft_fabric *f, enum class class,
			  struct names *names)
{
	uint32_t n = 0, distinct = 0;

	for (uint32_t i = 0; class == SWITCHES && i < f->nsw; i++)
		if (!is_kept(f->sw[i].name))
			names->old[n++] = f->sw[i].name;
	for (uint32_t i = 0; class != SWITCHES && i < f->nnodes; i++)
		if (class_of(&f->node[i]) == class && !is_kept(f->node[i].name))
			names->old[n++] = f->node[i].name;
	qsort(names->old, n, sizeof(*names->old), by_name);
	for (uint32_t i = 0; i < n; i++)
		if (!distinct ||
		    strcmp(names->old[i], names->old[distinct - 1]))
			names->old[distinct++] = names->old[i];
	names->n = distinct;
}

/* Letters alone, as many for each: their order is that of the codes. */
static void spell(char *alias, enum class class, uint64_t code)
{
	static const char *const prefix[CLASSES] = {
		[SWITCHES] = "switch-",
		[NODES] = "host-",
		[ROUTERS] = "router-",
	};
	size_t n = strlen(prefix[class]);

	memcpy(alias, prefix[class], n);
	alias[n + LETTERS] = '\0';
	for (unsigned i = LETTERS; i-- > 0; code /= 26)
		alias[n + i] = (char)('a' + code % 26);
}

static int make_names(struct weft_aliases *a, enum class class)
{
	const struct weft_fabric *f = a->f;
	struct names *names = &a->names[class];
	uint64_t *code = NULL;

	names->old = malloc((f->nsw + f->nnodes + 1ull) * sizeof(*names->old));
	if (!names->old)
		return -ENOMEM;
	collect_names(f, class, names);
	names->alias = malloc((names->n + 1ull) * sizeof(*names->alias));
	code = malloc((names->n + 1ull) * sizeof(*code));
	if (!names->alias || !code) {
		free(code);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < names->n; i++)
		code[i] =
			hash(a, OF_NAME, names->old[i], strlen(names->old[i])) %
			NAME_CODES;
	settle(a, code, names->n, NAME_CODES);
	for (uint32_t i = 0; i < names->n; i++)
		spell(names->alias[i], class, code[i]);
	free(code);
	return 0;
}

static const char *alias_name(const struct weft_aliases *a, enum class class,
			      const char *name)
{
	const struct names *names = &a->names[class];
	const char *const *at = is_kept(name) || !names->n ?
					NULL :
					bsearch(&name, names->old, names->n,
						sizeof(*at), by_name);

	return at ? names->alias[at - names->old] : name;
}

/* --- LIDs ------------------------------------------------------------- */

struct base {
	uint64_t hash;
	uint16_t lid;
	uint8_t lmc;
};

static int by_base(const void *x, const void *y)
{
	const struct base *a = x, *b = y;

	return a->lmc != b->lmc ? a->lmc - b->lmc : a->lid - b->lid;
}

static int by_hash(const void *x, const void *y)
{
	const struct base *a = x, *b = y;

	if (a->lmc != b->lmc)
		return a->lmc - b->lmc;
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->lid - b->lid;
}

static struct base base_of(const struct weft_aliases *a, uint16_t lid,
			   uint8_t lmc)
{
	return (struct base){ hash(a, OF_LID, &lid, sizeof(lid)), lid, lmc };
}

static int make_lids(struct weft_aliases *a)
{
	const struct weft_fabric *f = a->f;
	size_t most = (size_t)f->nsw + f->nep, n = 0;
	struct base *from = malloc((most + 1) * sizeof(*from));
	struct base *to = malloc((most + 1) * sizeof(*to));

	a->lid = malloc((f->max_lid + 1ull) * sizeof(*a->lid));
	if (!from || !to || !a->lid) {
		free(from);
		free(to);
		return -ENOMEM;
	}
	for (uint32_t lid = 0; lid <= f->max_lid; lid++)
		a->lid[lid] = (uint16_t)lid;
	for (uint32_t i = 0; i < f->nsw; i++)
		if (f->sw[i].lid)
			from[n++] = base_of(a, f->sw[i].lid, f->sw[i].lmc);
	for (uint32_t i = 0; i < f->nep; i++)
		if (f->ep[i].lid)
			from[n++] = base_of(a, f->ep[i].lid, f->ep[i].lmc);
	memcpy(to, from, n * sizeof(*to));
	qsort(from, n, sizeof(*from), by_hash);
	qsort(to, n, sizeof(*to), by_base);
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 1u << from[i].lmc; k++)
			a->lid[from[i].lid + k] = (uint16_t)(to[i].lid + k);
	free(from);
	free(to);
	return 0;
}

unsigned weft_alias_lid(const struct weft_aliases *a, unsigned lid)
{
	return lid <= a->f->max_lid ? a->lid[lid] : lid;
}

/* --- the whole -------------------------------------------------------- */

int weft_aliases_new(const struct weft_fabric *fabric,
		     struct weft_alias_key key, struct weft_aliases **out,
		     struct weft_diag *diag)
{
	struct weft_aliases *a = calloc(1, sizeof(*a));
	int err = a ? 0 : -ENOMEM;

	if (!err) {
		a->f = fabric;
		a->key = key;
		err = make_guids(a);
	}
	for (int class = 0; class < CLASSES && !err; class ++)
		err = make_names(a, class);
	if (!err)
		err = make_lids(a);
	if (!err) {
		*out = a;
		return 0;
	}
	weft_aliases_free(a);
	return weft_no_memory(diag);
}

void weft_aliases_free(struct weft_aliases *a)
{
	if (!a)
		return;
	for (int class = 0; class < CLASSES; class ++) {
		free(a->names[class].old);
		free(a->names[class].alias);
	}
	free(a->guid);
	free(a->guid_alias);
	free(a->lid);
	free(a);
}

static const char *copy_name(struct weft_fabric *f, const char *name)
{
	return weft__arena_string(f->arena, name, strlen(name));
}

static bool alias_switches(const struct weft_aliases *a, struct weft_fabric *f)
{
	struct weft_switch *sw = WEFT_WRITABLE(struct weft_switch, f->sw);

	for (uint32_t i = 0; i < f->nsw; i++) {
		sw[i].guid = weft_alias_guid(a, sw[i].guid);
		sw[i].port_guid = weft_alias_guid(a, sw[i].port_guid);
		sw[i].system_guid = weft_alias_guid(a, sw[i].system_guid);
		sw[i].lid = (uint16_t)weft_alias_lid(a, sw[i].lid);
		sw[i].name = copy_name(f, alias_name(a, SWITCHES, sw[i].name));
		if (!sw[i].name)
			return false;
	}
	return true;
}

static bool alias_nodes(const struct weft_aliases *a, struct weft_fabric *f)
{
	struct weft_node *node = WEFT_WRITABLE(struct weft_node, f->node);
	struct weft_endport *ep = WEFT_WRITABLE(struct weft_endport, f->ep);

	for (uint32_t i = 0; i < f->nnodes; i++) {
		node[i].guid = weft_alias_guid(a, node[i].guid);
		node[i].system_guid = weft_alias_guid(a, node[i].system_guid);
		node[i].name = copy_name(
			f, alias_name(a, class_of(&node[i]), node[i].name));
		if (!node[i].name)
			return false;
	}
	for (uint32_t i = 0; i < f->nep; i++) {
		ep[i].guid = weft_alias_guid(a, ep[i].guid);
		ep[i].lid = (uint16_t)weft_alias_lid(a, ep[i].lid);
	}
	return true;
}

int weft_alias_fabric(const struct weft_aliases *a, struct weft_fabric **out,
		      struct weft_diag *diag)
{
	struct weft_fabric *f = weft__fabric_copy(a->f);
	int err;

	if (!f || !alias_switches(a, f) || !alias_nodes(a, f)) {
		weft_fabric_free(f);
		return weft_no_memory(diag);
	}
	err = weft__fabric_map_lids(f, NULL, diag);
	if (err)
		weft_fabric_free(f);
	else
		*out = f;
	return err;
}

/* --- routes ----------------------------------------------------------- */

static void *copy_bytes(const void *from, size_t size, bool *ok)
{
	void *to = from && *ok ? malloc(size + 1) : NULL;

	if (to)
		memcpy(to, from, size);
	else if (from)
		*ok = false;
	return to;
}

/* A row by LID with the columns in their new places. */
static void move_lids(const struct weft_aliases *a, const uint8_t *from,
		      uint8_t *to, uint32_t max_lid)
{
	for (uint32_t lid = 0; lid <= max_lid; lid++)
		if (weft_alias_lid(a, lid) <= max_lid)
			to[weft_alias_lid(a, lid)] = from[lid];
}

static int alias_lft(const struct weft_aliases *a, const struct weft_lft *from,
		     struct weft_lft *to)
{
	int err;

	if (!from->port)
		return 0;
	err = weft_lft_init(to, from->nsw, from->max_lid);
	for (uint32_t s = 0; s < from->nsw && !err; s++)
		move_lids(a, weft_lft_row(from, s), weft_lft_row(to, s),
			  from->max_lid);
	return err;
}

/* Bytes of the SL2VL tables. */
static size_t sl2vl_size(const struct weft_fabric *f,
			 const struct weft_layers *layers)
{
	uint64_t rows = f->first_injection, ports;

	if (layers->base && f->nsw) {
		ports = f->sw[f->nsw - 1].nports + 1u;
		rows = layers->base[f->nsw - 1] + ports * ports;
	}
	return rows * WEFT_NSL;
}

static int alias_layers(const struct weft_aliases *a,
			const struct weft_layers *from, struct weft_layers *to)
{
	size_t lids = (size_t)from->max_lid + 1, rows = 1, pairs;
	bool ok = true;

	*to = *from;
	pairs = (size_t)from->nsw * from->nsw;
	if (from->form == WEFT_SL_ENDPORT_LID)
		rows = from->nep;
	to->sl2vl = copy_bytes(from->sl2vl, sl2vl_size(a->f, from), &ok);
	to->base = copy_bytes(from->base, a->f->nsw * sizeof(*to->base), &ok);
	to->table = copy_bytes(
		from->table,
		from->form == WEFT_SL_SWITCH_PAIR ? pairs : rows * lids, &ok);
	if (to->table && from->form != WEFT_SL_SWITCH_PAIR)
		for (size_t i = 0; i < rows; i++)
			move_lids(a, from->table + i * lids,
				  to->table + i * lids, from->max_lid);
	return ok ? 0 : -ENOMEM;
}

int weft_alias_routes(const struct weft_aliases *a,
		      const struct weft_routes *routes, struct weft_routes *out,
		      struct weft_diag *diag)
{
	struct weft_routes to = { 0 };
	bool ok = true;
	int err;

	memcpy(to.how, routes->how, sizeof(to.how));
	err = alias_layers(a, &routes->layers, &to.layers);
	if (!err)
		err = alias_lft(a, &routes->lft, &to.lft);
	to.lid_offset = copy_bytes(routes->lid_offset, a->f->nep, &ok);
	if (!err && ok) {
		*out = to;
		return 0;
	}
	weft_routes_free(&to);
	return weft_no_memory(diag);
}
