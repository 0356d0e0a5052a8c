// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* LMCs that tables tell where the topology does not. */
#include "io_topology_util.h"

#include <stdio.h>
#include <unistd.h>

static char directory[64];

static int make_directory(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/weft-lmc-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(path_of("topology"));
	unlink(path_of("opensm-lfts.dump"));
	return rmdir(directory);
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	ASSERT(file);
	fputs(text, file);
	ASSERT_EQ(fclose(file), 0);
}

static char *lfts_of(const struct weft_fabric *f, struct weft_routes *routes)
{
	const struct weft_engine *engine = weft_engine_find("minhop");
	FILE *out;
	char *text;
	size_t size;

	*routes = (struct weft_routes){ 0 };
	ASSERT_EQ(engine->route(f, NULL, routes, NULL), 0);
	out = open_memstream(&text, &size);
	ASSERT_EQ(weft_io_write_lfts(out, f, &routes->lft, NULL), 0);
	fclose(out);
	return text;
}

/* A fabric whose ports have these LMCs, that has forgotten them. */
struct lost {
	struct weft_fabric *whole, *bare;
	struct weft_routes routes;
	char *topology, *lfts;
};

static void lose(struct lost *l, const char *text)
{
	struct heard heard;

	l->whole = load_text(text, &heard);
	l->lfts = lfts_of(l->whole, &l->routes);
	l->topology = replaced(text, "lmc 2", "lmc 0");
	l->bare = load_text(l->topology, &heard);
	heard_init(&heard);
}

static void release(struct lost *l)
{
	weft_fabric_free(l->whole);
	weft_fabric_free(l->bare);
	weft_routes_free(&l->routes);
	free(l->topology);
	free(l->lfts);
}

/* The fabric after a look at tables; NULL if these tell nothing new. */
static struct weft_fabric *told(const struct weft_fabric *f, const char *lfts,
				struct heard *heard)
{
	struct weft_fabric *out;

	heard_init(heard);
	ASSERT_EQ(weft_io_read_lmc(file_with(lfts, strlen(lfts)), f, &out,
		  &heard->diag), 0);
	if (out)
		ASSERT_EQ(weft_fabric_check(out, NULL), 0);
	return out;
}

TEST_WITH(test_told, make_directory, remove_directory)
{
	struct weft_fabric *f;
	struct heard heard;
	struct lost l;

	lose(&l, TEXT);
	f = told(l.bare, l.lfts, &heard);
	ASSERT(f);
	assert_same_fabric(f, l.whole);
	assert_heard(&heard, WEFT_NOTE, 0,
		     "it tells the LMC, which the topology does not: 2 on 3 ports");
	assert_heard_count(&heard, 0, 0);
	/* there is nothing more to tell */
	ASSERT(!told(f, l.lfts, &heard));
	ASSERT_EQ(heard.n, 0);
	weft_fabric_free(f);
	release(&l);
}

/* Ports differ, and an enhanced port 0 goes by the GUID of the port. */
TEST_WITH(test_unequal, make_directory, remove_directory)
{
	char *one = replaced(TEXT, "lid 8 lmc 2", "lid 8 lmc 1");
	char *zero = replaced(one, "lid 12 lmc 2", "lid 12 lmc 0");
	char *text = replaced(zero, "lid 1 lmc 0", "lid 16 lmc 2");
	struct weft_fabric *f;
	struct heard heard;
	struct lost l;
	char *bare;

	lose(&l, text);
	bare = replaced(l.topology, "lmc 1", "lmc 0");
	weft_fabric_free(l.bare);
	l.bare = load_text(bare, &heard);
	f = told(l.bare, l.lfts, &heard);
	ASSERT(f);
	assert_same_fabric(f, l.whole);
	assert_heard(&heard, WEFT_NOTE, 0, "1 to 2 on 3 ports");
	weft_fabric_free(f);
	free(bare);
	free(one);
	free(zero);
	free(text);
	release(&l);
}

/* A directory: its tables fit, whether they are read or not. */
TEST_WITH(test_directory, make_directory, remove_directory)
{
	struct weft_lft_diff diff;
	struct weft_input in;
	struct heard heard;
	struct lost l;

	lose(&l, TEXT);
	put("topology", l.topology);
	put("opensm-lfts.dump", l.lfts);
	for (int fabric_only = 0; fabric_only < 2; fabric_only++) {
		heard_init(&heard);
		ASSERT_EQ(weft_input_open(directory, fabric_only, &in,
			  &heard.diag), 0);
		assert_heard_count(&heard, 0, 0);
		assert_heard(&heard, WEFT_NOTE, 0, "2 on 3 ports");
		assert_same_fabric(in.fabric, l.whole);
		if (!fabric_only) {
			weft_lft_compare(&in.routes.lft, &l.routes.lft, &diff);
			ASSERT_EQ(diff.entries, 0);
		}
		weft_input_close(&in);
	}
	release(&l);
}

/* Tables without comments: LIDs that nobody has are told. */
TEST_WITH(test_untold, make_directory, remove_directory)
{
	struct weft_input in;
	struct heard heard;
	struct lost l;
	char *silent, *fewer;

	lose(&l, TEXT);
	silent = replaced(l.lfts, "portguid", "guid");
	ASSERT(!told(l.bare, silent, &heard));
	put("topology", l.topology);
	put("opensm-lfts.dump", silent);
	heard_init(&heard);
	ASSERT_EQ(weft_input_open(directory, false, &in, &heard.diag), 0);
	/* 5 to 7, 9 to 11; 13 to 15 are above all LIDs of the topology */
	assert_heard(&heard, WEFT_WARNING, 0,
		     "6 LIDs are routed and belong to nobody in the topology (the first is 0x0005)");
	assert_heard(&heard, WEFT_WARNING, 0, "those of LMC 2");
	weft_input_close(&in);

	/* a row less, and they are no longer those of an LMC */
	fewer = replaced(silent, "0x0006 ", "#");
	put("opensm-lfts.dump", fewer);
	heard_init(&heard);
	ASSERT_EQ(weft_input_open(directory, false, &in, &heard.diag), 0);
	assert_heard(&heard, WEFT_WARNING, 0, "5 LIDs are routed");
	assert_heard(&heard, WEFT_WARNING, 0, "those of LMC 1");
	weft_input_close(&in);
	free(silent);
	free(fewer);
	release(&l);
}

/* Rows that do not go with the topology. */
TEST_WITH(test_unfit, make_directory, remove_directory)
{
	struct weft_fabric *f;
	struct heard heard;
	struct lost l;
	char *text;

	lose(&l, TEXT);
	/* a LID of one port is another's: neither has a range any longer */
	text = replaced(l.lfts,
			"0x0006 001 # Channel Adapter portguid 0x00000000000000b1",
			"0x0006 001 # Channel Adapter portguid 0x00000000000000a1");
	f = told(l.bare, text, &heard);
	assert_heard(&heard, WEFT_WARNING, 0, "no range that an LMC makes");
	ASSERT(f);
	ASSERT_EQ(f->ep[weft_fabric_endport_by_guid(f, 0xb1)].lmc, 0);
	ASSERT_EQ(f->ep[weft_fabric_endport_by_guid(f, 0xd1)].lmc, 2);
	weft_fabric_free(f);
	free(text);

	/* a port that the topology has by another LID */
	text = replaced(l.topology, "lid 12 ", "lid 44 ");
	weft_fabric_free(l.bare);
	l.bare = load_text(text, &heard);
	f = told(l.bare, l.lfts, &heard);
	assert_heard(&heard, WEFT_WARNING, 12,
		     "which has LID 0x002c in the topology: are the files of one time?");
	ASSERT(f);
	ASSERT_EQ(f->ep[weft_fabric_endport_by_guid(f, 0xd2)].lmc, 0);
	weft_fabric_free(f);
	free(text);
	release(&l);
}
