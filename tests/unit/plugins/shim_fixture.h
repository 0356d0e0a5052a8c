/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An engine of weft in a stand-in for OpenSM, with a weft.conf and a directory
 * for dumps. */
#ifndef WEFT_TESTS_SHIM_FIXTURE_H
#define WEFT_TESTS_SHIM_FIXTURE_H

#include "shim_util.h"

#include <weft/gen.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct fixture {
	struct weft_fabric *f;
	struct shim_subnet *s;
	struct osm_routing_engine re;
	char dir[64];		/* weft.conf and dumps */
	char words[100];	/* event_plugin_options */
};

static inline void path_in(const struct fixture *x, const char *name,
			   char *path)
{
	snprintf(path, 128, "%s/%s", x->dir, name);
}

static inline void write_conf(const struct fixture *x, const char *text)
{
	char path[128];
	FILE *file;

	path_in(x, "weft.conf", path);
	file = fopen(path, "w");
	ASSERT(file);
	fputs(text, file);
	fclose(file);
}

static inline osm_subn_opt_t *options(const struct fixture *x)
{
	return &x->s->osm->subn.opt;
}

static inline void open_engine(struct fixture *x, const char *spec,
			       const char *engine)
{
	*x = (struct fixture){ .f = NULL };
	ASSERT_EQ(weft_gen(spec, &x->f, NULL), 0);
	x->s = shim_subnet_new(x->f);
	snprintf(x->dir, sizeof(x->dir), "/tmp/weft-test-layers.XXXXXX");
	ASSERT(mkdtemp(x->dir));
	snprintf(x->words, sizeof(x->words), "weft.conf=%s/weft.conf", x->dir);
	write_conf(x, "");
	options(x)->event_plugin_options = x->words;
	options(x)->dump_files_dir = x->dir;
	options(x)->qos = TRUE;
	x->re.context = (void *)weft_engine_find(engine);
	shim_policy_level = NULL;
	shim_log_clear();
	ASSERT_EQ(weft__shim_setup(&x->re, x->s->osm), 0);
}

static inline void open_fixture(struct fixture *x, const char *spec)
{
	open_engine(x, spec, "psssp");
}

static inline void close_fixture(struct fixture *x)
{
	static const char *const names[] = {
		"weft.conf", "weft-sl.dump", "weft-sl.psl",
		"weft-sweeps.jsonl",
	};
	char path[128];

	x->re.destroy(x->re.context);
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		path_in(x, names[i], path);
		unlink(path);
	}
	ASSERT_EQ(rmdir(x->dir), 0);
	shim_subnet_free(x->s);
	weft_fabric_free(x->f);
}

static inline int set_up(void **state)
{
	static struct fixture x;

	open_fixture(&x, "torus:4x4,hosts=2");
	*state = &x;
	return 0;
}

static inline int tear_down(void **state)
{
	close_fixture(*state);
	return 0;
}

static inline int sweep(struct fixture *x)
{
	return shim_sweep(x->s, &x->re);
}

static inline uint8_t path_sl(const struct fixture *x, unsigned hint,
			      unsigned slid, unsigned dlid)
{
	return x->re.path_sl(x->re.context, hint, cl_hton16(slid),
			     cl_hton16(dlid));
}

static inline osm_physp_t *port_of(const struct fixture *x, uint32_t sw,
				   unsigned port)
{
	return &shim_switch(x->s, x->f->sw[sw].guid)->p_node->
		physp_table[port];
}

#endif
