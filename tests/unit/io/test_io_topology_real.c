// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Captures of real machines, which are not part of the project: looked for in
 * $WEFT_FABRICS; without them the test is skipped.
 */
#include "io_topology_util.h"

#include <errno.h>
#include <unistd.h>

#define SEED 20261

static const struct capture {
	const char *name;
	unsigned switches, nodes, endports, links;
	unsigned aggregation, warnings;
} capture[] = {
	{ "avakas/ib-subnet-fe80.txt", 25, 281, 281, 569, 0, 0 },
	{ "selene-compute.ibnetdiscover", 666, 4341, 4341, 12852, 666, 0 },
	{ "ndr-pod.ibnetdiscover", 40, 582, 582, 1114, 40, 0 },
	{ "mixed-fdr10.ibnetdiscover", 8, 144, 145, 192, 0, 0 },
	{ "x5-hash-names.ibnetdiscover", 11, 89, 89, 159, 0, 0 },
	{ "ufm-lab.ibnetdiscover", 2, 13, 13, 16, 1, 0 },
	{ "small/1.topo", 2, 4, 5, 7, 0, 1 },	/* ends differ in width */
	{ "small/2.topo", 1, 2, 2, 2, 0, 0 },
	{ "small/3.topo", 2, 6, 6, 10, 0, 1 },	/* a line from stderr */
	{ "small/4.topo", 1, 1, 1, 1, 0, 0 },
	{ "small/rows-p-test.out", 4, 3, 3, 4, 0, 3 },	/* excerpts */
	{ "small/rows-p-test2.out", 5, 2, 2, 2, 1, 5 },
};

static const char *path_of(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", getenv("WEFT_FABRICS"), name);
	return path;
}

static struct weft_fabric *load_capture(const struct capture *c)
{
	struct weft_fabric *f = NULL;
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_fabric(path_of(c->name), &f, &heard.diag), 0);
	assert_heard_count(&heard, c->warnings, 0);
	return f;
}

TEST(test_counts)
{
	for (size_t i = 0; i < sizeof(capture) / sizeof(*capture); i++) {
		const struct capture *c = &capture[i];
		struct weft_fabric *f = load_capture(c);

		printf("%s\n", c->name);
		assert_counts(f, c->switches, c->nodes, c->endports, c->links);
		ASSERT_EQ(f->nhosts, c->endports - c->aggregation);
		weft_fabric_free(f);
	}
}

TEST(test_malformed)
{
	struct weft_fabric *f = NULL;
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_fabric(path_of("small/rows-p-test3.out"), &f,
		  &heard.diag), -EINVAL);
	assert_heard(&heard, WEFT_ERROR, 1, "a row that cannot be read");
	ASSERT(!f);
}

/* What is written reads back as the same fabric. */
TEST(test_round_trip)
{
	for (size_t i = 0; i < sizeof(capture) / sizeof(*capture); i++) {
		struct weft_fabric *f = load_capture(&capture[i]), *again;
		struct heard heard;
		char *text = written(f);

		again = load_text(text, &heard);
		assert_counts(again, f->nsw, f->nnodes, f->nep, f->nlinks);
		assert_same_fabric(f, again);
		weft_fabric_free(f);
		weft_fabric_free(again);
		free(text);
	}
}

/* The capture with its sections in another order gives the same fabric. */
TEST(test_order_of_sections)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	printf("seed %u\n", SEED);
	for (size_t i = 1; i < 6; i++) {
		char *text = file_content(path_of(capture[i].name), NULL);
		char **section = malloc(6000 * sizeof(*section)), *shuffled;
		uint32_t *order = malloc(6000 * sizeof(*order)), n;
		struct weft_fabric *f = load_capture(&capture[i]), *again;
		struct heard heard;

		n = split_sections(text, section, 6000);
		for (uint32_t s = 0; s < n; s++)
			order[s] = s;
		weft_rng_shuffle(rng, order, n);
		shuffled = join_sections(section, order, n);
		again = load_text(shuffled, &heard);
		assert_same_fabric(f, again);
		weft_fabric_free(f);
		weft_fabric_free(again);
		free(shuffled);
		free(section);
		free(order);
		free(text);
	}
	weft_rng_free(rng);
}

/* The same text through a pipe. */
TEST(test_pipe)
{
	struct weft_fabric *f = NULL, *again;
	char command[8192], path[64];
	struct heard heard;
	FILE *pipe;

	snprintf(command, sizeof(command), "cat '%s'",
		 path_of("mixed-fdr10.ibnetdiscover"));
	pipe = popen(command, "r");
	ASSERT(pipe);
	snprintf(path, sizeof(path), "/dev/fd/%d", fileno(pipe));
	heard_init(&heard);
	ASSERT_EQ(weft_io_read_fabric(path, &f, &heard.diag), 0);
	pclose(pipe);
	again = load_capture(&capture[3]);
	assert_same_fabric(f, again);
	weft_fabric_free(f);
	weft_fabric_free(again);
}

int main(void)
{
	if (!getenv("WEFT_FABRICS") || access(path_of(capture[0].name), R_OK)) {
		printf("no captures in $WEFT_FABRICS: skipped\n");
		return 77;
	}
	return suite_run();
}
