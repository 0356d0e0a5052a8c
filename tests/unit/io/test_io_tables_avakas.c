// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The tables of a real machine, one ibroute dump for each of its 25 switches:
 * every route is walked and counted here, without any of the library's proofs.
 * Needs the capture "avakas" in $WEFT_FABRICS.
 */
#include "io_tables_util.h"

#include <stdio.h>
#include <unistd.h>

#define SWITCHES 25

struct count {
	unsigned pairs, delivered, loops;
	unsigned hops[4];	/* pairs by switches visited */
	unsigned *load;		/* [nch] */
};

static void read_tables(const char *dir, const struct weft_fabric *f,
			struct weft_lft *lft, struct heard *heard)
{
	char path[512];

	ASSERT_EQ(weft_io_lft_init(f, lft), 0);
	for (unsigned i = 1; i <= SWITCHES; i++) {
		snprintf(path, sizeof(path), "%s/ibroutes/ibroute-%u.txt",
			 dir, i);
		ASSERT_EQ(weft_io_read_lft(path, f, lft, &heard->diag), 0);
	}
}

static void walk(const struct weft_fabric *f, const struct weft_lft *lft,
		 uint32_t from, uint32_t to, struct count *count)
{
	uint32_t channel[SWITCHES + 1];
	size_t n;
	enum weft_walk_end end = weft_lft_walk(
		f, lft, f->ep[from].sw, f->ep[to].lid,
		(struct weft_walk_path){ channel, SWITCHES + 1 }, &n);

	count->pairs++;
	count->delivered += end == WEFT_ARRIVED;
	count->loops += end == WEFT_LOOP;
	if (end != WEFT_ARRIVED)
		return;
	count->hops[n < 4 ? n : 0]++;
	for (size_t i = 0; i < n; i++)
		count->load[channel[i]]++;
}

static char dir[400];

TEST(delivered_pairs)
{
	struct count count = { 0 };
	unsigned low = ~0u, high = 0, used = 0;
	struct weft_fabric *f;
	struct weft_lft lft;
	struct heard heard;
	char path[512];

	heard_init(&heard);
	snprintf(path, sizeof(path), "%s/ib-subnet-fe80.txt", dir);
	ASSERT_EQ(weft_io_read_fabric(path, &f, NULL), 0);
	ASSERT_EQ(f->nsw, SWITCHES);
	read_tables(dir, f, &lft, &heard);
	/* Each dump ends with ibroute's failure to read on. */
	assert_heard_count(&heard, SWITCHES, 0);

	count.load = calloc(f->nch, sizeof(*count.load));
	for (uint32_t a = 0; a < f->nep; a++)
		for (uint32_t b = 0; b < f->nep; b++)
			if (a != b)
				walk(f, &lft, a, b, &count);
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		unsigned load = count.load[f->adj[i]];

		low = load < low ? load : low;
		high = load > high ? load : high;
		used++;
	}
	ASSERT_EQ(count.pairs, 281 * 280);
	ASSERT_EQ(count.delivered, 78680);
	ASSERT_EQ(count.loops, 0);
	ASSERT_EQ(count.hops[1], 4660);
	ASSERT_EQ(count.hops[3], 74020);
	ASSERT_EQ(used, 2 * 288);
	ASSERT_EQ(low, 177);
	ASSERT_EQ(high, 332);
	free(count.load);
	weft_lft_free(&lft);
	weft_fabric_free(f);
}

int main(void)
{
	const char *fabrics = getenv("WEFT_FABRICS");
	snprintf(dir, sizeof(dir), "%s/avakas", fabrics ? fabrics : ".");
	if (access(dir, R_OK)) {
		printf("skipped: no %s\n", dir);
		return 77;
	}
	return suite_run();
}
