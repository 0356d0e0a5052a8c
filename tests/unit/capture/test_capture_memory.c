// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Memory runs out in a capture, or in what writes its files; nothing is left of
 * it then, nor after one that went well. */
#include "../core/memory_util.h"
#include "subnet_util.h"

static int write_files(const struct weft__capture *c, uint64_t *digest)
{
	const struct weft__capture_file *file = weft__capture_files;
	uint64_t all = *digest;
	int err = 0;

	for (; file->name && !err; file++) {
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		err = file->write(c, out);
		fclose(out);
		if (!err)
			add(&all, text, size);
		__real_free(text); /* which the library itself allocated */
	}
	if (!err)
		*digest = all;
	return err;
}

/* The job's number is that of pairs in a sample. */
static int run_capture(const struct job *job, uint64_t *digest)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c = NULL;
	uint64_t got = 0;
	int err;

	subnet_init();
	spec.paths = true;
	spec.sample = job->number;
	spec.journal = job->text;
	spec.fresh = true;
	err = weft__capture_run(&spec, &c, NULL);
	EXPECT_EQ(!c, err != 0);
	if (err) {
		EXPECT_EQ(subnet.released, subnet.opened);
		return err;
	}
	err = write_files(c, &got);
	weft__capture_missing(c, WEFT__KIND_SL2VL);
	weft__capture_free(c);
	EXPECT_EQ(subnet.released, subnet.opened);
	if (!err)
		*digest = got;
	return err;
}

TEST(memory)
{
	check(&(struct job){ .name = "capture", .run = run_capture });
	check(&(struct job){ .name = "capture of a sample", .number = 9,
			     .run = run_capture,
			     .text = file_with("", 0) });
}
