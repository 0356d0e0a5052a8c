// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Service levels in OpenSM: what it is told of paths, on any thread, and what
 * dumps say of them. */
#include "plugins/lanes/osm_layers.h"

#include "shim_fixture.h"

#include <weft/io.h>

#include <string.h>
#include <sys/stat.h>

/* --- path_sl ----------------------------------------------------------- */

TEST_WITH(test_unknown_lids, set_up, tear_down)
{
	struct fixture *x = suite_state;
	unsigned lid = x->f->ep[0].lid;

	ASSERT_EQ(path_sl(x, 9, lid, lid), 9);	/* before any sweep */
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(path_sl(x, 9, 0, lid), 9);
	ASSERT_EQ(path_sl(x, 9, lid, x->f->max_lid + 1), 9);
	ASSERT_EQ(path_sl(x, 9, lid, 0xc000), 9);
	ASSERT_EQ(path_sl(x, 9, 0xffff, lid), 9);
	ASSERT_EQ(path_sl(x, 0, lid, lid), 0);
}

/* OpenSM's SA asks for both directions of a path. */
TEST_WITH(test_symmetric, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(sweep(x), 0);
	for (unsigned a = 1; a <= x->f->max_lid; a++)
		for (unsigned b = 1; b <= x->f->max_lid; b++)
			ASSERT_EQ(path_sl(x, 0, a, b), path_sl(x, 0, b, a));
}

/* Readers on many threads while tables change: each answer is that of the one
 * or the other table, and none is read after it was freed (sanitizers). */
struct race {
	struct weft__current *current;
	atomic_bool stop;
	atomic_uint wrong, asked;
};

static struct weft__sm_paths *paths_with(const char *spec, unsigned sl)
{
	struct weft__sm_paths *p = calloc(1, sizeof(*p));

	p->held = weft__held_new();
	ASSERT(p->held);
	ASSERT_EQ(weft_gen(spec, &p->held->fabric, NULL), 0);
	p->fabric = p->held->fabric;
	p->lanes = (struct weft__lanes){ .lanes = 8, .levels = 1, .each = 8 };
	p->used = 8;
	p->layers = (struct weft_layers){
		.form = WEFT_SL_SWITCH_PAIR, .nsw = p->fabric->nsw, .nvl = 8,
		.table = malloc((size_t)p->fabric->nsw * p->fabric->nsw),
	};
	memset(p->layers.table, sl, (size_t)p->fabric->nsw * p->fabric->nsw);
	return p;
}

static void *ask(void *context)
{
	struct race *r = context;

	for (unsigned n = 0; !atomic_load(&r->stop); n++) {
		uint8_t sl = weft__path_sl(r->current, 3, cl_hton16(1 + n % 9),
					   cl_hton16(1 + n / 9 % 9));

		if (sl != 5 && sl != 7)
			atomic_fetch_add(&r->wrong, 1);
		atomic_fetch_add(&r->asked, 1);
	}
	return NULL;
}

TEST(test_threads)
{
	struct weft__current current = { .epoch = 0 };
	struct race r = { .current = &current };
	pthread_t thread[6];

	weft__publish(&current, paths_with("ring:5", 5));
	for (unsigned i = 0; i < 6; i++)
		ASSERT_EQ(pthread_create(&thread[i], NULL, ask, &r), 0);
	for (unsigned i = 0; i < 100 || atomic_load(&r.asked) < 20000; i++)
		weft__publish(&current, paths_with("ring:5", i % 2 ? 5 : 7));
	atomic_store(&r.stop, true);
	for (unsigned i = 0; i < 6; i++)
		pthread_join(thread[i], NULL);
	weft__publish(&current, NULL);
	ASSERT_EQ(r.wrong, 0);
	ASSERT_EQ(weft__path_sl(&current, 3, cl_hton16(1), cl_hton16(2)), 3);
}

/* --- dumps ------------------------------------------------------------- */

/* The inode of a dump, once the thread that writes it is done; 0 = none. */
static ino_t inode_of(const struct fixture *x, const char *name)
{
	char path[128];
	struct stat st;

	weft__shim_idle(x->re.context);
	path_in(x, name, path);
	return stat(path, &st) ? 0 : st.st_ino;
}

/* Takes a cable between switches out of the subnet, or puts it back. */
static void set_cable(const struct fixture *x, bool up)
{
	osm_physp_t *port = port_of(x, 0, x->f->adj[0] -
				    x->f->first_channel[0]);

	ib_port_info_set_port_state(&port->port_info,
				    up ? IB_LINK_INIT : IB_LINK_DOWN);
}

static void expect_dumped(const struct fixture *x)
{
	struct weft_layers read;
	char path[128];

	weft_layers_init(&read);
	path_in(x, "weft-sl.dump", path);
	ASSERT_EQ(weft_io_read_sl(path, x->f, &read, NULL), 0);
	for (uint32_t e = 0; e < x->f->nep; e++)
		for (unsigned lid = 1; lid <= x->f->max_lid; lid++)
			ASSERT_EQ(weft_layers_sl(&read, x->f, WEFT_ENDPORT | e,
				  lid), path_sl(x, 0, x->f->ep[e].lid, lid));
	weft_layers_free(&read);
}

TEST_WITH(test_dump, set_up, tear_down)
{
	struct fixture *x = suite_state;
	ino_t first, second;

	write_conf(x, "[weft]\ndeadlock = keep\n");
	ASSERT_EQ(sweep(x), 0);
	first = inode_of(x, "weft-sl.dump");
	ASSERT_NE(first, 0);
	expect_dumped(x);
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(inode_of(x, "weft-sl.dump"), first);
	set_cable(x, false);
	ASSERT_EQ(sweep(x), 0);
	second = inode_of(x, "weft-sl.dump");
	ASSERT_NE(second, first);
	ASSERT_NE(second, 0);
	expect_dumped(x);
	set_cable(x, true);
	write_conf(x, "[weft]\ndeadlock = refuse\n");
	ASSERT_EQ(sweep(x), -1);
	ASSERT_EQ(inode_of(x, "weft-sl.dump"), 0);
	write_conf(x, "[weft]\nsl_dump = none\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(inode_of(x, "weft-sl.dump"), 0);
	options(x)->dump_files_dir = (char *)"/nonexistent";
	write_conf(x, "");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(inode_of(x, "weft-sl.dump"), 0);
	shim_expect_log("WARNING: /nonexistent/weft-sl.dump was not written: No such");
}

/* ibdmchk's form: the node GUIDs, all LIDs, the same SLs. */
TEST_WITH(test_psl, set_up, tear_down)
{
	struct fixture *x = suite_state;
	unsigned long long guid;
	unsigned lid, sl, rows = 0;
	char path[128], line[128];
	FILE *file;

	ASSERT_EQ(sweep(x), 0);
	ASSERT_NE(inode_of(x, "weft-sl.dump"), 0);
	write_conf(x, "[weft]\nsl_dump = psl\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(inode_of(x, "weft-sl.dump"), 0);
	path_in(x, "weft-sl.psl", path);
	file = fopen(path, "r");
	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		uint32_t e = 0;

		if (*line == '#')
			continue;
		rows++;
		ASSERT_EQ(sscanf(line, "0x%llx %u %u", &guid, &lid, &sl), 3);
		while (e < x->f->nep &&
		       x->f->node[x->f->ep[e].node].guid != guid)
			e++;
		if (e < x->f->nep)
			ASSERT_EQ(path_sl(x, 0, x->f->ep[e].lid, lid), sl);
		else
			ASSERT_NE(weft_fabric_switch_by_guid(x->f, guid),
				  WEFT_NONE);
	}
	fclose(file);
	ASSERT_EQ(rows, (x->f->nep + x->f->nsw) * (x->f->nep + x->f->nsw));
}
