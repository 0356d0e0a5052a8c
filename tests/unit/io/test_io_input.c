// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The input of the tools: files, dump directories, descriptions. */
#include "io_topology_util.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- a directory to fill ------------------------------------------------ */

static char directory[64];

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int make_directory(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/weft-input-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	return nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	ASSERT(file);
	fputs(text, file);
	ASSERT_EQ(fclose(file), 0);
}

static struct weft_routes routes_of(const struct weft_fabric *f)
{
	const struct weft_engine *engine = weft_engine_find("minhop");
	struct weft_routes routes = { 0 };

	ASSERT(engine);
	ASSERT_EQ(engine->route(f, NULL, &routes, NULL), 0);
	return routes;
}

static char *lfts_text(const struct weft_fabric *f)
{
	struct weft_routes routes = routes_of(f);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ASSERT_EQ(weft_io_write_lfts(out, f, &routes.lft, NULL), 0);
	fclose(out);
	weft_routes_free(&routes);
	return text;
}

static char *sl_text(const struct weft_fabric *f)
{
	struct weft_routes routes = routes_of(f);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	routes.layers.sl = 3;
	ASSERT_EQ(weft_io_write_sl(out, f, &routes, NULL), 0);
	fclose(out);
	weft_routes_free(&routes);
	return text;
}

#define SL2VL \
	"Switch 0x0000000000000010, base LID 1, \"switch\"\n" \
	"#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n" \
	"#--------------------------------------------------------\n" \
	"0   1   : 0  1  1  1  1  1  1  1  1  1  1  1  1  1  1  1 \n" \
	"#--------------------------------------------------------\n\n"

static struct weft_input opened(const char *input, struct heard *heard)
{
	struct weft_input in;

	heard_init(heard);
	ASSERT_EQ(weft_input_open(input, false, &in, &heard->diag), 0);
	assert_heard_count(heard, heard->diag.count[WEFT_WARNING], 0);
	ASSERT_EQ(weft_fabric_check(in.fabric, NULL), 0);
	return in;
}

static void refused(const char *input, int err, const char *says)
{
	struct weft_input in = { .sources.file = { directory } };
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_input_open(input, false, &in, &heard.diag), err);
	assert_heard(&heard, WEFT_ERROR, 0, says);
	assert_heard_count(&heard, 0, 1);
	ASSERT(in.sources.file[WEFT_FILE_TOPOLOGY] == directory);	/* left alone */
}

/* --- tests -------------------------------------------------------------- */

TEST_WITH(test_file, make_directory, remove_directory)
{
	struct weft_input in;
	struct heard heard;

	put("f", TEXT);
	in = opened(path_of("f"), &heard);
	assert_text_counts(in.fabric);
	ASSERT_STR(in.sources.file[WEFT_FILE_TOPOLOGY], path_of("f"));
	ASSERT(!(in.sources.ntables || in.sources.file[WEFT_FILE_SL] ||
	       in.sources.file[WEFT_FILE_SL2VL]));
	ASSERT_EQ(in.routes.layers.nvl, 1);
	ASSERT(!in.routes.lft.port);
	ASSERT_EQ(heard.n, 0);
	weft_input_close(&in);
	weft_input_close(&in);	/* of a closed one is fine */
}

TEST_WITH(test_standard_input, make_directory, remove_directory)
{
	int saved = dup(STDIN_FILENO);
	struct weft_input in;
	struct heard heard;

	put("f", TEXT);
	ASSERT(freopen(path_of("f"), "r", stdin));
	in = opened("-", &heard);
	dup2(saved, STDIN_FILENO);
	close(saved);
	assert_text_counts(in.fabric);
	ASSERT_STR(in.sources.file[WEFT_FILE_TOPOLOGY], "-");
	weft_input_close(&in);
}

TEST_WITH(test_description, make_directory, remove_directory)
{
	struct weft_input in;
	struct heard heard;

	in = opened("ring:5,hosts=2", &heard);
	assert_counts(in.fabric, 5, 10, 10, 15);
	ASSERT_STR(in.sources.file[WEFT_FILE_TOPOLOGY], "ring:5,hosts=2");
	weft_input_close(&in);
}

TEST_WITH(test_no_such_input, make_directory, remove_directory)
{
	refused("rign:5", -EINVAL, "'rign' is no family");
	refused("ring:x", -EINVAL, "ring:x");
	refused("/nonexistent/ring:5", -ENOENT, "cannot open");
	refused("fabric", -ENOENT, "expected a topology file, a directory");
	refused("", -ENOENT, "cannot open");
	put("t", "0x0001 000 : (Switch portguid 0x1: 'a')\n");
	refused(path_of("t"), -EINVAL, "which holds tables and no topology");
}

TEST_WITH(test_file_named_like_a_description, make_directory, remove_directory)
{
	char *before = getcwd(NULL, 0);
	struct weft_input in;
	struct heard heard;

	put("ring:5", TEXT);
	ASSERT_EQ(chdir(directory), 0);
	in = opened("ring:5", &heard);
	ASSERT_EQ(chdir(before), 0);
	assert_heard(&heard, WEFT_NOTE, 0, "a file of this name");
	assert_text_counts(in.fabric);
	weft_input_close(&in);
	free(before);
}

TEST_WITH(test_dump, make_directory, remove_directory)
{
	struct weft_fabric *f = small_fabric();
	char *topology = written(f), *lfts = lfts_text(f), *sl = sl_text(f);
	struct weft_routes routes = routes_of(f);
	struct weft_input in;
	struct weft_lft_diff diff;
	struct heard heard;

	put("fabric.topo", topology);
	put("opensm-lfts.dump", lfts);
	put("opensm-sl2vl.dump", SL2VL);
	put("weft-sl.dump", sl);
	put("opensm.log", "nothing\n");
	put("README", lfts);
	put(".hidden", TEXT);
	in = opened(directory, &heard);
	assert_same_fabric(in.fabric, f);
	ASSERT(in.sources.ntables && in.sources.file[WEFT_FILE_SL] &&
	       in.sources.file[WEFT_FILE_SL2VL]);
	weft_lft_compare(&in.routes.lft, &routes.lft, &diff);
	ASSERT_EQ(diff.entries, 0);
	ASSERT_EQ(weft_layers_sl(&in.routes.layers, in.fabric, WEFT_ENDPORT, 5),
		  3);
	ASSERT_EQ(weft_layers_vl(&in.routes.layers, in.fabric, 0, 0, 1, 3), 1);
	assert_heard(&heard, WEFT_NOTE, 0, "read as the topology");
	assert_heard(&heard, WEFT_NOTE, 0, "read as the forwarding tables");
	assert_heard(&heard, WEFT_NOTE, 0, "read as the SL2VL tables");
	assert_heard(&heard, WEFT_NOTE, 0, "read as the service levels");
	ASSERT_STR(in.sources.file[WEFT_FILE_TOPOLOGY], path_of("fabric.topo"));
	weft_input_close(&in);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	free(topology);
	free(lfts);
	free(sl);
}

/* One file for each switch, in a directory of their own. */
static void put_tables(const char *lfts, const char *sub)
{
	char name[64], *copy = strdup(lfts), *next = copy;

	mkdir(path_of(sub), 0700);
	for (unsigned n = 0; next; n++) {
		char *begin = next;

		next = strstr(begin + 1, "Unicast lids");
		snprintf(name, sizeof(name), "%s/ibroute-%u.txt", sub, n);
		if (next)
			next[-1] = '\0';
		put(name, begin);
	}
	free(copy);
}

/* What ibdiagnet leaves behind: tables by their names first, multicast tables
 * never, and a word about what is not read. */
TEST_WITH(test_ibdiagnet, make_directory, remove_directory)
{
	struct weft_fabric *f = small_fabric();
	char *topology = written(f);
	struct weft_input in;
	struct heard heard;

	put("ibdiagnet2.ibnetdiscover", topology);
	put("ibdiagnet2.ar", "dump_ar: 0x10\n0x0001 : 003  : x\n");
	put("ibdiagnet2.fdbs",
	    "osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000000010\n"
	    "LID    : Port : Hops : Optimal\n"
	    "0x0001 : 000  : 00   : yes\n");
	put("ibdiagnet2.mcfdbs", "Switch 0x0000000000000010\n"
	    "LID    : Out Port(s)\n0xC000 : 0x001 0x002\n");
	put("ibdiagnet2.vl2vl", "Switch 0x0000000000000010 ?\n");
	in = opened(directory, &heard);
	ASSERT_STR(in.sources.file[WEFT_FILE_TABLES],
		   path_of("ibdiagnet2.fdbs"));
	ASSERT_EQ(weft_lft_get(&in.routes.lft, 0, 1), 0);
	assert_heard(&heard, WEFT_WARNING, 0,
		     "not read: where switches choose lanes by the lane that a packet came in");
	assert_heard_count(&heard, 2, 0);	/* the other switches' tables */
	weft_input_close(&in);
	unlink(path_of("ibdiagnet2.fdbs"));
	unlink(path_of("ibdiagnet2.ar"));
	put("ibdiagnet2.vl2vl", "# no switch does\n");
	put("ibdiagnet2.far", "dump_far: Switch 0x0000000000000010\n");
	put("ibdiagnet2.slvl", "Switch 0x0000000000000010 ?\n");
	in = opened(directory, &heard);
	assert_heard(&heard, WEFT_WARNING, 0, "no SL2VL tables in a known");
	assert_heard(&heard, WEFT_WARNING, 0, "verdicts are of static routes");
	assert_heard_count(&heard, 2, 0);
	ASSERT(!in.sources.file[WEFT_FILE_TABLES]);
	weft_input_close(&in);
	weft_fabric_free(f);
	free(topology);
}

TEST_WITH(test_tables_by_switch, make_directory, remove_directory)
{
	struct weft_fabric *f = small_fabric();
	char *topology = written(f), *lfts = lfts_text(f);
	struct weft_routes routes = routes_of(f);
	struct weft_input in;
	struct weft_lft_diff diff;
	struct heard heard;

	put("ib-subnet-fe80.txt", topology);
	put_tables(lfts, "ibroutes-fe80");
	in = opened(directory, &heard);
	ASSERT(in.sources.ntables && !in.sources.file[WEFT_FILE_SL] &&
	       !in.sources.file[WEFT_FILE_SL2VL]);
	weft_lft_compare(&in.routes.lft, &routes.lft, &diff);
	ASSERT_EQ(diff.entries, 0);
	assert_heard(&heard, WEFT_NOTE, 0, "with 2 more files beside it");
	weft_input_close(&in);

	/* one is missing: said */
	unlink(path_of("ibroutes-fe80/ibroute-1.txt"));
	in = opened(directory, &heard);
	ASSERT_EQ(heard.diag.count[WEFT_WARNING], 1);
	weft_input_close(&in);

	/* a dump of all in the directory itself comes first */
	put("opensm-lfts.dump", lfts);
	in = opened(directory, &heard);
	weft_lft_compare(&in.routes.lft, &routes.lft, &diff);
	ASSERT_EQ(diff.entries, 0);
	assert_heard_count(&heard, 0, 0);
	assert_heard(&heard, WEFT_NOTE, 0, "2 other files of known formats");
	weft_input_close(&in);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	free(topology);
	free(lfts);
}

/* Tables alone: the same files as of an input, with or without a topology. */
TEST_WITH(test_tables_of_path, make_directory, remove_directory)
{
	struct weft_fabric *f = small_fabric();
	char *topology = written(f), *lfts = lfts_text(f), *sl = sl_text(f);
	struct weft_routes routes = routes_of(f), read;
	struct weft_lft_diff diff;
	struct heard heard;

	put_tables(lfts, "ibroutes-fe80");
	put("opensm-sl2vl.dump", SL2VL);
	put("weft-sl.dump", sl);
	put("README", TEXT);
	heard_init(&heard);
	for (int with = 0; with < 2; with++) {
		ASSERT_EQ(weft_io_read_tables(directory, f, &read, NULL,
			  &heard.diag), 0);
		weft_lft_compare(&read.lft, &routes.lft, &diff);
		ASSERT_EQ(diff.entries, 0);
		ASSERT_EQ(weft_layers_sl(&read.layers, f, WEFT_ENDPORT, 5), 3);
		ASSERT(read.layers.base);
		weft_routes_free(&read);
		put("fabric.topo", topology);
	}
	assert_heard_count(&heard, heard.diag.count[WEFT_WARNING], 0);

	/* switches without a table are told, of a file as of a directory */
	heard_init(&heard);
	ASSERT_EQ(weft_io_read_tables(path_of("ibroutes-fe80/ibroute-1.txt"), f,
		  &read, NULL, &heard.diag), 0);
	weft_routes_free(&read);
	assert_heard(&heard, WEFT_WARNING, 0, "no table for 2 of 3 switches");
	unlink(path_of("ibroutes-fe80/ibroute-1.txt"));
	heard_init(&heard);
	ASSERT_EQ(weft_io_read_tables(directory, f, &read, NULL, &heard.diag),
		  0);
	weft_routes_free(&read);
	assert_heard(&heard, WEFT_WARNING, 0, "no table for 1 of 3 switches");
	weft_routes_free(&routes);
	weft_fabric_free(f);
	free(topology);
	free(lfts);
	free(sl);
}

static void no_tables(const char *path, int err, const char *says)
{
	struct weft_fabric *f = small_fabric();
	struct weft_routes read = { .lft.nsw = 77 };
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_tables(path, f, &read, NULL, &heard.diag), err);
	assert_heard(&heard, WEFT_ERROR, 0, says);
	ASSERT_EQ(read.lft.nsw, 77);
	weft_fabric_free(f);
}

TEST_WITH(test_no_tables_of_path, make_directory, remove_directory)
{
	put("fabric.topo", TEXT);
	put("weft-sl.dump", "# weft-sl 1\n");
	no_tables(directory, -EINVAL, "no forwarding tables here");
	no_tables(path_of("weft-sl.dump"), -EINVAL,
		  "no forwarding tables here");
	no_tables(path_of("fabric.topo"), -EINVAL,
		  "no forwarding tables here");
	no_tables(path_of("absent"), -ENOENT, "");
}

/* Defects that repeat in each file are told once each. */
TEST_WITH(test_repeated_warnings, make_directory, remove_directory)
{
	struct weft_fabric *f = small_fabric();
	char *topology = written(f), *lfts = lfts_text(f), *cut;
	struct weft_input in;
	struct heard heard;

	put("x.topo", topology);
	cut = replaced(lfts, "0x0001", "noise\n0xbfff 001 : (\n0x0001");
	put_tables(cut, "routes");
	in = opened(directory, &heard);
	assert_heard_count(&heard, 1, 0);
	assert_heard(&heard, WEFT_NOTE, 0, "the same in 2 more places: LID");
	assert_heard(&heard, WEFT_NOTE, 0, "the same in 2 more places: left");
	assert_heard(&heard, WEFT_NOTE, 2, "left out: \"noise\"");
	ASSERT_EQ(heard.n, 6);
	weft_input_close(&in);
	weft_fabric_free(f);
	free(topology);
	free(lfts);
	free(cut);
}

static void expect_choice(const char *name, unsigned warnings)
{
	struct heard heard;
	struct weft_input in = opened(directory, &heard);

	ASSERT_STR(in.sources.file[WEFT_FILE_TOPOLOGY], path_of(name));
	assert_heard_count(&heard, warnings, 0);
	weft_input_close(&in);
}

TEST_WITH(test_order_of_preference, make_directory, remove_directory)
{
	struct weft_fabric *f = small_fabric();
	char *topology = written(f);

	mkdir(path_of("a"), 0700);
	put("a/fabric.ibnetdiscover", topology);
	expect_choice("a/fabric.ibnetdiscover", 0);
	put("capture", topology);
	expect_choice("capture", 0);
	put("opensm-subnet.lst",
	    "{ SW Ports:02 SystemGUID:0 NodeGUID:a PortGUID:a VenID:0 DevID:0 Rev:0 {x} LID:1 PN:1 } { SW Ports:02 SystemGUID:0 NodeGUID:a PortGUID:a VenID:0 DevID:0 Rev:0 {x} LID:1 PN:2 } PHY=4x LOG=ACT SPD=10\n");
	expect_choice("opensm-subnet.lst", 1);	/* that it is one-sided */
	put("ib-subnet-1.txt", topology);
	expect_choice("ib-subnet-1.txt", 0);
	put("z.topo", topology);
	expect_choice("z.topo", 1);	/* ib-subnet-1.txt would do as well */
	put("ibnetdiscover.out", topology);
	expect_choice("ibnetdiscover.out", 1);
	put("b.ibnetdiscover", topology);
	expect_choice("b.ibnetdiscover", 1);
	weft_fabric_free(f);
	free(topology);
}

TEST_WITH(test_bad_directories, make_directory, remove_directory)
{
	struct weft_fabric *f = small_fabric();
	struct weft_input in;
	struct heard heard;
	char *lfts, *a, *b;

	refused(directory, -EINVAL, "only 0 other files");
	put("zero", "");
	refused(directory, -EINVAL, "only 0 other files");
	put("a", "nothing\n");
	refused(directory, -EINVAL, "only 1 other file;");
	ASSERT_EQ(mkfifo(path_of("fifo"), 0600), 0);
	refused(directory, -EINVAL, "only 1 other file;");
	ASSERT_EQ(symlink(directory, path_of("loop")), 0);
	refused(directory, -EINVAL, "only 2 other files");

	/* tables of another fabric */
	lfts = lfts_text(f);
	put("opensm-lfts.dump", lfts);
	a = replaced(TEXT, "lid 1 ", "lid 101 ");
	b = replaced(a, "lid 2 ", "lid 102 ");
	put("x.topo", b);
	heard_init(&heard);
	ASSERT_EQ(weft_input_open(directory, false, &in, &heard.diag), -EINVAL);
	ASSERT_EQ(heard.diag.count[WEFT_ERROR], 1);
	weft_fabric_free(f);
	free(lfts);
	free(a);
	free(b);
}
