/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the tests of synthetic fabrics share: making, walking, writing out. */
#ifndef WEFT_TESTS_GEN_SUITE_H
#define WEFT_TESTS_GEN_SUITE_H

#include <weft/fabric.h>
#include <weft/gen.h>

#include "../suite.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* The fabric of a description; its invariants are tested as well.  NULL after
 * a failed assertion. */
static inline struct weft_fabric *gen_make(const char *spec)
{
	struct suite_words words = { 0 };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	struct weft_fabric *f = NULL;
	int err = weft_gen(spec, &f, &diag);

	EXPECT_EQ(err, 0);
	EXPECT_EQ(diag.count[WEFT_WARNING], 0);
	if (!err)
		err = weft_fabric_check(f, &diag);
	EXPECT_EQ(err, 0);
	if (err)
		fprintf(stderr, "%s: %s\n", spec, words.text);
	return f;
}

/* Cables between switches. */
static inline uint32_t gen_cables(const struct weft_fabric *f)
{
	return f->adj_first[f->nsw] / 2;
}

static inline uint32_t gen_degree(const struct weft_fabric *f, uint32_t sw)
{
	return f->adj_first[sw + 1] - f->adj_first[sw];
}

static inline uint32_t gen_hosts_on(const struct weft_fabric *f, uint32_t sw)
{
	return f->sw_ep_first[sw + 1] - f->sw_ep_first[sw];
}

/* Number of cables between two switches. */
static inline uint32_t gen_between(const struct weft_fabric *f, uint32_t a,
				   uint32_t b)
{
	uint32_t n = 0;

	for (uint32_t i = f->adj_first[a]; i < f->adj_first[a + 1]; i++)
		n += f->peer[f->adj[i]] == b;
	return n;
}

static inline uint32_t gen_named(const struct weft_fabric *f,
				 const char *name)
{
	for (uint32_t i = 0; i < f->nsw; i++)
		if (!strcmp(f->sw[i].name, name))
			return i;
	EXPECT_NEVER("no switch of that name");
	return 0;
}

/*
 * Hops from switch from to all others, WEFT_NONE where there is no way, and the
 * number of shortest ways (parallel cables are different ways); paths may be
 * NULL.  Returns the number of switches reached.
 */
static inline uint32_t gen_bfs(const struct weft_fabric *f, uint32_t from,
			       uint32_t *hops, uint64_t *paths)
{
	uint32_t *queue = malloc(f->nsw * sizeof(*queue));
	uint32_t head = 0, tail = 0;

	memset(hops, 0xff, f->nsw * sizeof(*hops));
	if (paths)
		memset(paths, 0, f->nsw * sizeof(*paths));
	if (!queue)
		return 0;
	queue[tail++] = from;
	hops[from] = 0;
	if (paths)
		paths[from] = 1;
	while (head < tail) {
		uint32_t s = queue[head++];

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t t = f->peer[f->adj[i]];

			if (hops[t] == WEFT_NONE) {
				hops[t] = hops[s] + 1;
				queue[tail++] = t;
			}
			if (paths && hops[t] == hops[s] + 1)
				paths[t] += paths[s];
		}
	}
	free(queue);
	return tail;
}

static inline bool gen_connected(const struct weft_fabric *f)
{
	uint32_t *hops = malloc(f->nsw * sizeof(*hops));
	bool all = hops && gen_bfs(f, 0, hops, NULL) == f->nsw;

	free(hops);
	return all;
}

/* Most hops between two switches that have hosts. */
static inline uint32_t gen_diameter(const struct weft_fabric *f)
{
	uint32_t *hops = malloc(f->nsw * sizeof(*hops));
	uint32_t most = 0;

	for (uint32_t s = 0; hops && s < f->nsw; s++) {
		if (!gen_hosts_on(f, s))
			continue;
		gen_bfs(f, s, hops, NULL);
		for (uint32_t t = 0; t < f->nsw; t++)
			if (gen_hosts_on(f, t) && hops[t] > most)
				most = hops[t];
	}
	free(hops);
	return most;
}

static inline int gen_compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the lines of text, in place in a fresh copy. */
static inline char *gen_sort_lines(const char *text)
{
	size_t n = 0, size = strlen(text) + 1, at = 0;
	char *copy = strdup(text), *out = malloc(size + 1);
	char **line = malloc((size + 1) * sizeof(*line));
	char *save = NULL;

	for (char *p = strtok_r(copy, "\n", &save); p;
	     p = strtok_r(NULL, "\n", &save))
		line[n++] = p;
	qsort(line, n, sizeof(*line), gen_compare_lines);
	out[0] = 0;
	for (size_t i = 0; i < n; i++)
		at += sprintf(out + at, "%s\n", line[i]);
	free(copy);
	free(line);
	return out;
}

/*
 * The fabric as text, a line for each end of each cable, sorted.  ids: with
 * GUIDs and LIDs; otherwise by names and ports alone, so that fabrics compare
 * that differ in identities only.  malloc()ed.
 */
static inline char *gen_text(const struct weft_fabric *f, bool ids)
{
	char *raw = NULL, *sorted;
	size_t size;
	FILE *out = open_memstream(&raw, &size);

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);
			uint32_t peer = f->peer[ch];
			const struct weft_endport *ep;

			if (peer == WEFT_NONE)
				continue;
			fprintf(out, "%s/%u", f->sw[s].name, p);
			if (ids)
				fprintf(out, " %" PRIx64 " %u",
					f->sw[s].guid, f->sw[s].lid);
			if (weft_is_switch(peer)) {
				fprintf(out, " - %s/%u\n", f->sw[peer].name,
					f->peer_port[ch]);
				continue;
			}
			ep = &f->ep[peer & ~WEFT_ENDPORT];
			fprintf(out, " - %s/%u", f->node[ep->node].name,
				ep->port);
			if (ids)
				fprintf(out, " %" PRIx64 " %u+%u", ep->guid,
					ep->lid, ep->lmc);
			putc('\n', out);
		}
	fclose(out);
	sorted = gen_sort_lines(raw);
	free(raw);
	return sorted;
}

/* gen_text() of a description. */
static inline char *gen_text_of(const char *spec, bool ids)
{
	struct weft_fabric *f = gen_make(spec);
	char *text = f ? gen_text(f, ids) : strdup("");

	weft_fabric_free(f);
	return text;
}

/* Whether two descriptions give the same fabric. */
static inline bool gen_same(const char *a, const char *b, bool ids)
{
	char *ta = gen_text_of(a, ids), *tb = gen_text_of(b, ids);
	bool same = !strcmp(ta, tb);

	free(ta);
	free(tb);
	return same;
}

#endif
