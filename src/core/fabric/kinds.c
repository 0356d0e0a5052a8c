// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rules that say which hosts are of which kind; see weft/kinds.h. */
#include <weft/kinds.h>

#include "core/grow.h"

#include <weft/diag.h>
#include <weft/number.h>

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#define MAX_WORD 31

struct rule {
	char *who;		/* NULL: the GUID counts */
	uint64_t guid;
	unsigned kind;		/* position in name[] */
	uint32_t file;		/* position in file[] */
	unsigned long line;
};

struct weft_kinds {
	struct rule *rule;
	size_t room, n;
	char *name[WEFT_MAX_USES];
	unsigned nnames;
	char **file;
	size_t nfiles;
};

struct weft_kinds *weft_kinds_new(void)
{
	struct weft_kinds *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->name[k->nnames++] = strdup("compute");
	if (!k->name[0]) {
		free(k);
		return NULL;
	}
	return k;
}

void weft_kinds_free(struct weft_kinds *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->n; i++)
		free(k->rule[i].who);
	for (unsigned i = 0; i < k->nnames; i++)
		free(k->name[i]);
	for (size_t i = 0; i < k->nfiles; i++)
		free(k->file[i]);
	free(k->rule);
	free(k->file);
	free(k);
}

static bool is_word(const char *text)
{
	size_t n = 0;

	while ((text[n] >= 'a' && text[n] <= 'z') ||
	       (text[n] >= 'A' && text[n] <= 'Z') ||
	       (text[n] >= '0' && text[n] <= '9') ||
	       text[n] == '-' || text[n] == '_')
		n++;
	return n && n <= MAX_WORD && !text[n];
}

/* Finds the number of a kind, a new one if need be. */
static int find_kind(struct weft_kinds *k, const char *kind, unsigned *number)
{
	for (*number = 0; *number < k->nnames; ++*number)
		if (!strcmp(k->name[*number], kind))
			return 0;
	if (*number == WEFT_MAX_USES)
		return -ENOSPC;
	k->name[*number] = strdup(kind);
	k->nnames += k->name[*number] != NULL;
	return k->name[*number] ? 0 : -ENOMEM;
}

/* Finds the number of a file, most likely that of the rule before. */
static int find_file(struct weft_kinds *k, const char *file, uint32_t *number)
{
	if (k->nfiles && !strcmp(k->file[k->nfiles - 1], file)) {
		*number = k->nfiles - 1;
		return 0;
	}
	if (weft__grow_one(&k->file, k->nfiles))
		return -ENOMEM;
	k->file[k->nfiles] = strdup(file);
	if (!k->file[k->nfiles])
		return -ENOMEM;
	*number = k->nfiles++;
	return 0;
}

int weft_kinds_add(struct weft_kinds *k, const char *who, const char *kind,
		   const char *file, unsigned long line, struct weft_diag *diag)
{
	struct rule rule = { .line = line };
	int err;

	if (!is_word(kind))
		return weft_fail_at(diag, EINVAL, file, line,
			"'%.40s' is no kind of hosts: a word of at most %d letters, digits, '-' and '_'",
			kind, MAX_WORD);
	err = find_kind(k, kind, &rule.kind);
	if (err == -ENOSPC)
		return weft_fail_at(diag, EINVAL, file, line,
				    "'%s' is one kind of hosts too many: there are at most %d",
				    kind, WEFT_MAX_USES);
	if (!err)
		err = find_file(k, file, &rule.file);
	if (!err && !weft_number_0x(who, &rule.guid)) {
		rule.who = strdup(who);
		err = rule.who ? 0 : -ENOMEM;
	}
	if (!err)
		err = weft__grow(&k->rule, &k->room, k->n + 1);
	if (err) {
		free(rule.who);
		return weft_no_memory(diag);
	}
	k->rule[k->n++] = rule;
	return 0;
}

/* --- hosts ---------------------------------------------------------------- */

#define UNTOLD UINT8_MAX

struct giving {
	const struct weft_kinds *k;
	const struct weft_fabric *f;
	struct weft_diag *diag;
	uint8_t *use;		/* [nep] */
	uint32_t *by;		/* [nep] the rule */
	uint32_t strangers;	/* GUIDs that nobody has */
	const struct rule *first_stranger;
};

/* Gives an endport its kind, if it has none yet. */
static bool give(struct giving *g, uint32_t e, const struct rule *r)
{
	if (g->use[e] != UNTOLD)
		return false;
	g->use[e] = r->kind;
	g->by[e] = r - g->k->rule;
	return true;
}

/* Says so if a rule's GUID has been told before. */
static void tell_twice(const struct giving *g, uint32_t e, const struct rule *r)
{
	const struct rule *before = &g->k->rule[g->by[e]];

	if (before->who || before->guid != r->guid)
		return;
	weft_diag_at(g->diag, WEFT_WARNING, g->k->file[r->file], r->line,
		     "0x%016" PRIx64 " is %s by line %lu of %s already%s",
		     r->guid, g->k->name[before->kind], before->line,
		     g->k->file[before->file],
		     before->kind == r->kind ? "" : ", and stays so");
}

static void give_by_guid(struct giving *g, const struct rule *r)
{
	const struct weft_fabric *f = g->f;
	uint32_t e = weft_fabric_endport_by_guid(f, r->guid);
	const struct weft_node *n;
	bool any = false;

	if (e == WEFT_NONE) {
		if (!g->strangers++)
			g->first_stranger = r;
		return;
	}
	n = &f->node[f->ep[e].node];
	if (f->ep[e].guid == r->guid)
		any = give(g, e, r);
	else
		for (uint32_t i = 0; i < n->nendports; i++)
			any |= give(g, f->node_endport[n->first_endport + i],
				    r);
	if (!any)
		tell_twice(g, e, r);
}

static bool fits(const char *pattern, const char *name)
{
	char word[65];
	size_t n = strcspn(name, " ");

	if (!fnmatch(pattern, name, 0))
		return true;
	if (n >= sizeof(word))
		return false;
	memcpy(word, name, n);
	word[n] = '\0';
	return !fnmatch(pattern, word, 0);
}

static void give_by_name(struct giving *g, const struct rule *r)
{
	const struct weft_fabric *f = g->f;
	bool any = false, given = false;

	for (uint32_t k = 0; k < f->nnodes; k++) {
		const struct weft_node *n = &f->node[k];

		if (!n->nendports || !fits(r->who, n->name))
			continue;
		any = true;
		for (uint32_t i = 0; i < n->nendports; i++)
			given |= give(g, f->node_endport[n->first_endport + i],
				      r);
	}
	if (!any)
		weft_diag_at(g->diag, WEFT_WARNING, g->k->file[r->file],
			     r->line, "'%.80s' fits the name of no host",
			     r->who);
	else if (!given && strcmp(r->who, "*"))	/* "*" are all others, or none */
		weft_diag_at(g->diag, WEFT_WARNING, g->k->file[r->file],
			     r->line,
			     "'%.80s' makes nobody %s: lines before it tell of all hosts that it fits",
			     r->who, g->k->name[r->kind]);
}

static void tell_strangers(const struct giving *g)
{
	const struct rule *r = g->first_stranger;

	if (g->strangers)
		weft_diag_at(g->diag, WEFT_WARNING, g->k->file[r->file],
			     r->line,
			     "0x%016" PRIx64
			     " is no port or node of the fabric%s%s", r->guid,
			     g->strangers > 1 ? ", and so are others: in all " :
						"",
			     g->strangers > 1 ? WEFT_COUNT(g->strangers,
							   NULL) : "");
}

int weft_kinds_apply(const struct weft_kinds *k, struct weft_fabric *f,
		     struct weft_diag *diag)
{
	struct giving g = {
		.k = k, .f = f, .diag = diag,
		.use = malloc(f->nep + 1ull),
		.by = calloc(f->nep + 1ull, sizeof(*g.by)),
	};
	int err = -ENOMEM;

	if (g.use && g.by) {
		memset(g.use, UNTOLD, f->nep);
		for (size_t i = 0; i < k->n; i++)
			if (k->rule[i].who)
				give_by_name(&g, &k->rule[i]);
			else
				give_by_guid(&g, &k->rule[i]);
		tell_strangers(&g);
		for (uint32_t e = 0; e < f->nep; e++)
			if (g.use[e] == UNTOLD)
				g.use[e] = 0;
		err = weft_fabric_use(f, g.use, (const char *const *)k->name,
				      k->nnames);
	}
	free(g.use);
	free(g.by);
	return err ? weft_no_memory(diag) : 0;
}
