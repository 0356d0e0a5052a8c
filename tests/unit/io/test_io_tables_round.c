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
	ASSERT_EQ(weft_io_lft_init(f, lft), 0);
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

	ASSERT_EQ(weft_io_write_lfts(out, f, lft, &heard->diag), 0);
	fclose(out);
	return path;
}

TEST(lfts)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	printf("seed %u\n", SEED);
	for (unsigned i = 0; i < FABRICS; i++) {
		struct weft_fabric *f = random_named_fabric(rng, i % 4);
		struct weft_lft written, read;
		struct weft_lft_diff diff;
		struct heard heard;

		heard_init(&heard);
		random_tables(rng, f, &written);
		ASSERT_EQ(weft_io_lft_init(f, &read), 0);
		ASSERT_EQ(weft_io_read_lft(written_lfts(f, &written, &heard), f,
			  &read, &heard.diag), 0);
		weft_lft_compare(&written, &read, &diff);
		ASSERT_EQ(diff.entries, 0);
		assert_heard_count(&heard, 0, 0);
		weft_lft_free(&written);
		weft_lft_free(&read);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* A row in the layout of ibroute (0), "ibroute -a -n" (1), .fdbs (2). */
static void print_row(FILE *out, int layout, unsigned lid, unsigned port)
{
	bool route = port != WEFT_NO_PORT;

	if (layout == 0 && route)
		fprintf(out, "0x%04x %03u : (Switch portguid 0x1: 'a')\n",
			lid, port);
	else if (layout == 1)
		fprintf(out, "0x%04x %03u \r\n", lid, port);
	else if (layout == 2 && route)
		fprintf(out, "0x%04X : %03u  : 02   : yes\n", lid, port);
	else if (layout == 2)
		fprintf(out, "0x%04X : UNREACHABLE\n", lid);
}

static void print_tables(FILE *out, int layout, const struct weft_fabric *f,
			 const struct weft_lft *lft)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned long long guid = f->sw[s].guid;

		if (layout == 2)
			fprintf(out, "dump_ucast_routes: Switch 0x%016llx\n",
				guid);
		else
			fprintf(out,
				"Unicast lids [0x0-0x0] of switch DR path slid 0; dlid 0; 0,1 guid 0x%016llx (%s):\n",
				guid, f->sw[s].name);
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			print_row(out, layout, lid, weft_lft_get(lft, s, lid));
	}
}

TEST(other_layouts)
{
	struct weft_rng *rng = weft_rng_new(SEED + 1);

	for (int i = 0; i < FABRICS; i++) {
		struct weft_fabric *f = random_named_fabric(rng, 0);
		const char *path = file_with("", 0);
		FILE *out = fopen(path, "w");
		struct weft_lft written, read;
		struct weft_lft_diff diff;
		struct heard heard;

		heard_init(&heard);
		random_tables(rng, f, &written);
		print_tables(out, i % 3, f, &written);
		fclose(out);
		ASSERT_EQ(weft_io_lft_init(f, &read), 0);
		ASSERT_EQ(weft_io_read_lft(path, f, &read, &heard.diag), 0);
		weft_lft_compare(&written, &read, &diff);
		ASSERT_EQ(diff.entries, 0);
		assert_heard_count(&heard, 0, 0);
		weft_lft_free(&written);
		weft_lft_free(&read);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* The layout to the letter, and what cannot be written is told. */
TEST(lfts_layout)
{
	struct weft_fabric *f = small_fabric();
	struct weft_lft lft;
	struct heard heard;
	char *text;

	heard_init(&heard);
	weft_io_lft_init(f, &lft);
	weft_lft_row(&lft, 0)[1] = 0;
	weft_lft_row(&lft, 0)[2] = 2;
	weft_lft_row(&lft, 0)[5] = 4;
	weft_lft_row(&lft, 0)[6] = 5;
	weft_lft_row(&lft, 1)[6] = 200;
	text = file_content(written_lfts(f, &lft, &heard), NULL);
	ASSERT_STR(text,
		   "Unicast lids [0-6] of switch Lid 1 guid 0x0000000000000010 ('switch'):\n"
		   "0x0001 000 # Switch portguid 0x0000000000000010: 'switch'\n"
		   "0x0002 002 # Switch portguid 0x0000000000001020: 'switch'\n"
		   "0x0005 004 # Channel Adapter portguid 0x00000000000000b1: 'host 'x' (#1)'\n"
		   "6 lids dumped\n"
		   "Unicast lids [0-6] of switch Lid 2 guid 0x0000000000000020 ('switch'):\n"
		   "6 lids dumped\n"
		   "Unicast lids [0-6] of switch Lid 3 guid 0x0000000000000030 ('switch'):\n"
		   "6 lids dumped\n");
	assert_heard(&heard, WEFT_WARNING, 0, "2 entries with ports that");
	free(text);
	weft_lft_free(&lft);
	weft_fabric_free(f);
}

TEST(full_disk)
{
	struct weft_fabric *f = small_fabric();
	FILE *out = fopen("/dev/full", "w");
	struct weft_layers layers;
	struct weft_lft lft;
	struct heard heard;

	heard_init(&heard);
	weft_io_lft_init(f, &lft);
	weft_layers_init(&layers);
	if (!out)
		suite_skip();
	ASSERT_EQ(weft_io_write_lfts(out, f, &lft, &heard.diag), -ENOSPC);
	assert_heard(&heard, WEFT_ERROR, 0, "cannot write");
	fclose(out);
	out = fopen("/dev/full", "w");
	ASSERT_EQ(weft_io_write_psl(out, f, &layers, &heard.diag), -ENOSPC);
	assert_heard(&heard, WEFT_ERROR, 0, "cannot write service levels");
	assert_heard_count(&heard, 0, 2);
	fclose(out);
	weft_lft_free(&lft);
	weft_fabric_free(f);
}

/* The SL as weft/layers.h defines it. */
static unsigned sl_of(const struct weft_layers *l, const struct weft_fabric *f,
		      uint32_t source, unsigned lid)
{
	uint32_t owner = f->lid_owner[lid];
	size_t row = source & ~WEFT_ENDPORT;

	switch (l->form) {
	case WEFT_SL_DESTINATION:
		return l->table[lid];
	case WEFT_SL_SWITCH_PAIR:
		return l->table[weft_vertex_switch(f, source) * f->nsw +
				weft_vertex_switch(f, owner)];
	case WEFT_SL_ENDPORT_LID:
		return weft_is_switch(source) ? l->sl :
			l->table[row * (f->max_lid + 1) + lid];
	default:
		return l->sl;
	}
}

/* SLs in runs, equal rows among them. */
static void random_layers(struct weft_rng *rng, const struct weft_fabric *f,
			  enum weft_sl_form form, struct weft_layers *l)
{
	size_t lids = f->max_lid + 1;
	size_t columns = form == WEFT_SL_SWITCH_PAIR ? f->nsw : lids;
	size_t rows = form == WEFT_SL_DESTINATION ? 1 :
		form == WEFT_SL_SWITCH_PAIR ? f->nsw : f->nep;

	weft_layers_init(l);
	l->form = form;
	l->sl = (uint8_t)weft_rng_below(rng, WEFT_NSL);
	l->nvl = (uint8_t)(1 + weft_rng_below(rng, WEFT_VL_DROP));
	l->nsw = f->nsw;
	l->nep = f->nep;
	l->max_lid = f->max_lid;
	if (form == WEFT_SL_ONE)
		return;
	l->table = malloc(rows * columns);
	for (size_t r = 0; r < rows; r++) {
		uint8_t *row = l->table + r * columns, sl = 0;

		if (r && weft_rng_below(rng, 2)) {
			memcpy(row, l->table + columns *
			       weft_rng_below(rng, (uint32_t)r), columns);
			continue;
		}
		for (size_t i = 0; i < columns; i++) {
			if (!weft_rng_below(rng, 4))
				sl = (uint8_t)weft_rng_below(rng, WEFT_NSL);
			row[i] = sl;
		}
	}
}

static char *written_sl(const struct weft_fabric *f,
			const struct weft_layers *layers)
{
	const struct weft_routes routes = { .layers = *layers };
	const char *path = file_with("", 0);
	FILE *out = fopen(path, "w");

	ASSERT_EQ(weft_io_write_sl(out, f, &routes, NULL), 0);
	fclose(out);
	return file_content(path, NULL);
}

static void assert_same_sls(const struct weft_fabric *f,
			    const struct weft_layers *a,
			    const struct weft_layers *b)
{
	ASSERT_EQ(a->form, b->form);
	ASSERT_EQ(a->sl, b->sl);
	ASSERT_EQ(a->nvl, b->nvl);
	for (uint32_t v = 0; v < f->nsw + f->nep; v++) {
		uint32_t source = v < f->nsw ? v :
			WEFT_ENDPORT | (v - f->nsw);

		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			if (f->lid_owner[lid] != WEFT_NONE)
				ASSERT_EQ(sl_of(a, f, source, lid),
					  sl_of(b, f, source, lid));
	}
}

TEST(sl)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < FABRICS; i++) {
		struct weft_fabric *f = random_named_fabric(rng, i / 4 % 4);
		struct weft_layers written, read;
		struct heard heard;
		char *text, *again;

		heard_init(&heard);
		random_layers(rng, f, (enum weft_sl_form)(i % 4), &written);
		weft_layers_init(&read);
		text = written_sl(f, &written);
		ASSERT_EQ(weft_io_read_sl(file_with(text, strlen(text)), f,
			  &read, &heard.diag), 0);
		ASSERT_EQ(heard.n, 0);
		assert_same_sls(f, &written, &read);
		again = written_sl(f, &read);
		ASSERT_STR(text, again);
		free(text);
		free(again);
		weft_layers_free(&written);
		weft_layers_free(&read);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* A line for each endport and switch, and LID; none where all is SL 0. */
static char *expected_psl(const struct weft_fabric *f,
			  const struct weft_layers *l)
{
	bool rows = l->form != WEFT_SL_ONE || l->sl;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "# node guid, destination lid, sl%s\n",
		rows ? "" : "; all are 0");
	for (uint32_t v = 0; rows && v < f->nep + f->nsw; v++) {
		uint32_t source = v < f->nep ? WEFT_ENDPORT | v : v - f->nep;
		unsigned long long guid = v < f->nep ?
			f->node[f->ep[v].node].guid : f->sw[source].guid;

		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			if (f->lid_owner[lid] != WEFT_NONE)
				fprintf(out, "0x%016llx %u %u\n", guid, lid,
					sl_of(l, f, source, lid));
	}
	fclose(out);
	return text;
}

TEST(psl)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 32; i++) {
		struct weft_fabric *f = random_named_fabric(rng, i / 4 % 4);
		struct weft_layers layers;
		char *text, *expected;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		random_layers(rng, f, (enum weft_sl_form)(i % 4), &layers);
		if (i < 8)
			layers.sl = i < 4 ? 0 : 3;
		ASSERT_EQ(weft_io_write_psl(out, f, &layers, NULL), 0);
		fclose(out);
		expected = expected_psl(f, &layers);
		ASSERT_STR(text, expected);
		free(expected);
		free(text);
		weft_layers_free(&layers);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}
