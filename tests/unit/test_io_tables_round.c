// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is written is read back equal: random tables on random fabrics. */
#include "io_tables_util.h"

#include <errno.h>
#include <stdio.h>

#define SEED 20090704u
#define FABRICS 200

/* Every entry a port that exists, or none. */
static void random_tables(struct weft_rng *rng, const struct weft_fabric *f,
			  struct weft_lft *lft)
{
	assert_int_equal(weft_io_lft_init(f, lft), 0);
	for (uint32_t s = 0; s < f->nsw; s++) {
		weft_lft_row(lft, s)[1] = 0;	/* not empty altogether */
		for (uint32_t lid = 1; lid <= f->max_lid; lid++)
			if (weft_rng_below(rng, 8))
				weft_lft_row(lft, s)[lid] = (uint8_t)
					weft_rng_below(rng, 1 +
						       f->sw[s].nports);
	}
}

static const char *written_lfts(const struct weft_fabric *f,
				const struct weft_lft *lft,
				struct heard *heard)
{
	const char *path = file_with("", 0);
	FILE *out = fopen(path, "w");

	assert_int_equal(weft_io_write_lfts(out, f, lft, &heard->diag), 0);
	fclose(out);
	return path;
}

static void lfts(void **state)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	(void)state;
	print_message("seed %u\n", SEED);
	for (unsigned i = 0; i < FABRICS; i++) {
		struct weft_fabric *f = random_fabric(rng, i % 4);
		struct weft_lft written, read;
		struct weft_lft_diff diff;
		struct heard heard;

		heard_init(&heard);
		random_tables(rng, f, &written);
		assert_int_equal(weft_io_lft_init(f, &read), 0);
		assert_int_equal(weft_io_read_lft(
			written_lfts(f, &written, &heard), f, &read,
			&heard.diag), 0);
		weft_lft_compare(&written, &read, &diff);
		assert_int_equal(diff.entries, 0);
		assert_heard_count(&heard, 0, 0);
		weft_lft_free(&written);
		weft_lft_free(&read);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* The layout to the letter, and what cannot be written is told. */
static void lfts_layout(void **state)
{
	struct weft_fabric *f = small_fabric();
	struct weft_lft lft;
	struct heard heard;
	char *text;

	(void)state;
	heard_init(&heard);
	weft_io_lft_init(f, &lft);
	weft_lft_row(&lft, 0)[1] = 0;
	weft_lft_row(&lft, 0)[2] = 2;
	weft_lft_row(&lft, 0)[5] = 4;
	weft_lft_row(&lft, 0)[6] = 5;
	weft_lft_row(&lft, 1)[6] = 200;
	text = file_content(written_lfts(f, &lft, &heard), NULL);
	assert_string_equal(text,
		"Unicast lids [0-6] of switch Lid 1 guid 0x0000000000000010 "
		"('switch'):\n"
		"0x0001 000 # Switch portguid 0x0000000000000010: 'switch'\n"
		"0x0002 002 # Switch portguid 0x0000000000001020: 'switch'\n"
		"0x0005 004 # Channel Adapter portguid 0x00000000000000b1: "
		"'host 'x' (#1)'\n"
		"6 lids dumped\n"
		"Unicast lids [0-6] of switch Lid 2 guid 0x0000000000000020 "
		"('switch'):\n"
		"6 lids dumped\n"
		"Unicast lids [0-6] of switch Lid 3 guid 0x0000000000000030 "
		"('switch'):\n"
		"6 lids dumped\n");
	assert_heard(&heard, WEFT_WARNING, 0, "2 entries with ports that");
	free(text);
	weft_lft_free(&lft);
	weft_fabric_free(f);
}

static void full_disk(void **state)
{
	struct weft_fabric *f = small_fabric();
	FILE *out = fopen("/dev/full", "w");
	struct weft_lft lft;
	struct heard heard;

	(void)state;
	heard_init(&heard);
	weft_io_lft_init(f, &lft);
	if (!out)
		skip();
	assert_int_equal(weft_io_write_lfts(out, f, &lft, &heard.diag),
			 -ENOSPC);
	assert_heard(&heard, WEFT_ERROR, 0, "cannot write");
	fclose(out);
	weft_lft_free(&lft);
	weft_fabric_free(f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lfts),
		cmocka_unit_test(lfts_layout),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
