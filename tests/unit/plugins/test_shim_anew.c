// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Better tables in steps: the thread that finds them, and the sweeps that make
 * them. */
#include "shim_fixture.h"

#include <stdatomic.h>
#include <string.h>

#include <weft/rng.h>

#define CABLES 4
#define WAIT 2000		/* hundredths of a second */

/* Waits until the plugin asks for a sweep, and makes it.  False: it does not. */
static bool next_step(struct fixture *x, unsigned *asked, unsigned long *blocks)
{
	for (unsigned i = 0; i < WAIT && shim_asked == *asked; i++)
		usleep(10000);
	if (shim_asked == *asked)
		return false;
	*asked = shim_asked;
	ASSERT_EQ(sweep(x), 0);
	*blocks = shim_send(x->s);
	return true;
}

/* A plugin whose subnet manager is the master. */
static void open_master(struct fixture *x, const char *spec, const char *engine)
{
	open_engine(x, spec, engine);
	x->s->osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
}

/* Makes the sweeps that the plugin asks for, until nothing is left; they change
 * nine blocks at most.  Returns how many they were. */
static unsigned count_steps(struct fixture *x, unsigned asked)
{
	unsigned long blocks;
	unsigned steps = 0;

	while (next_step(x, &asked, &blocks)) {
		shim_expect_log("a step to better tables");
		ASSERT_WITHIN(blocks, 1, 9);
		steps++;
		if (strstr(shim_log, " 0 are left"))
			break;
	}
	return steps;
}

/* Waits until tables were found that are as good as any. */
static void wait_for_debt(void)
{
	for (unsigned i = 0; i < WAIT && !strstr(shim_log, "debt: "); i++)
		usleep(10000);
	shim_expect_log("debt: ");
}

TEST(test_steps)
{
	static const char conf[] = "[weft]\nrebalance_pause = 0\nchanges = 9\n";
	struct weft_rng *rng = weft_rng_new(20261125);
	unsigned asked = shim_asked;
	struct fixture x;

	open_master(&x, "pgft:3;4,4,6;1,4,3;1,1,1", "weave");
	write_conf(&x, conf);
	ASSERT_EQ(sweep(&x), 0);
	shim_send(x.s);
	for (unsigned i = 0; i < CABLES; i++) {
		uint32_t e = weft_rng_below(rng, x.f->adj_first[x.f->nsw]);

		shim_set_cable(x.s, x.f, x.f->adj[e], false);
		ASSERT_EQ(sweep(&x), 0);
		shim_expect_log("tables stand");
		shim_send(x.s);
	}
	write_conf(&x, "[weft]\nrebalance_pause = 0\nchanges = 9\n"
		   "rebalance = now\n");
	ASSERT_EQ(sweep(&x), 0);
	ASSERT_EQ(shim_send(x.s), 0);
	ASSERT_WITHIN(count_steps(&x, asked), 3, 1000);
	/* these stand now */
	ASSERT_EQ(sweep(&x), 0);
	ASSERT_EQ(shim_send(x.s), 0);
	close_fixture(&x);
	weft_rng_free(rng);
}

/* A sweep that changes nothing itself is followed by steps, not more than most. */
static void go_in_steps(struct fixture *x, unsigned most)
{
	unsigned asked = shim_asked;

	ASSERT_EQ(sweep(x), 0);
	shim_expect_log("tables stand");
	ASSERT_EQ(shim_send(x->s), 0);
	ASSERT_WITHIN(count_steps(x, asked), 1, most);
}

enum { JOBS = 12, HOSTS = 96 };

/* Host i is in the job that job_of() says, weft.conf has more to say. */
static void say_jobs(const struct fixture *x, const char *path,
		     unsigned (*job_of)(unsigned host), const char *more)
{
	FILE *out = fopen(path, "w");
	char conf[256];

	ASSERT(out);
	for (unsigned j = 0; j < JOBS; j++) {
		const char *before = "";

		fprintf(out, "j%u ", j);
		for (unsigned i = 0; i < HOSTS; i++)
			if (job_of(i) == j) {
				fprintf(out, "%shost-%04u", before, i);
				before = ",";
			}
		fputc('\n', out);
	}
	fclose(out);
	snprintf(conf, sizeof(conf),
		 "[weft]\nrebalance_pause = 0\nchanges = 9\n%s[weave]\njobs = %s\n",
		 more, path);
	write_conf(x, conf);
}

static unsigned in_a_row(unsigned host)
{
	return host / (HOSTS / JOBS);
}

static unsigned far_apart(unsigned host)
{
	return host * 7 / 5 % JOBS;
}

/* Other jobs change nothing at once: the thread looks what would serve them, and
 * tables go there in steps. */
TEST(test_jobs)
{
	struct fixture x;
	char path[128];

	open_master(&x, "pgft:3;4,4,6;1,4,3;1,1,1", "weave");
	path_in(&x, "jobs", path);
	say_jobs(&x, path, in_a_row, "");
	ASSERT_EQ(sweep(&x), 0);
	shim_send(x.s);
	wait_for_debt();
	say_jobs(&x, path, far_apart, "rebalance = now\n");
	go_in_steps(&x, 1000);
	unlink(path);
	close_fixture(&x);
}

/* So do other kinds of hosts. */
TEST(test_kinds)
{
	static const char some[] = "[weft]\nrebalance_pause = 0\nchanges = 9\n";
	char path[128], conf[256];
	struct fixture x;
	FILE *out;

	open_master(&x, "pgft:2;5,8;1,4;1,1", "psssp");
	write_conf(&x, some);
	ASSERT_EQ(sweep(&x), 0);
	shim_send(x.s);
	wait_for_debt();
	path_in(&x, "kinds", path);
	out = fopen(path, "w");
	ASSERT(out);
	fputs("host-*[49] storage\n", out);
	fclose(out);
	snprintf(conf, sizeof(conf), "%srebalance = now\nkinds = %s\n", some,
		 path);
	write_conf(&x, conf);
	go_in_steps(&x, 100);
	unlink(path);
	close_fixture(&x);
}

static atomic_bool go_on, routing, routed;

/* Routes as psssp does, at once before anything is in force, later when it may. */
static int slow_route(const struct weft_fabric *f,
		      const struct weft_options *options,
		      struct weft_routes *out, struct weft_diag *diag)
{
	static unsigned calls;
	int err;

	if (!calls++)
		return weft_engine_find("psssp")->route(f, options, out, diag);
	routing = true;
	for (unsigned i = 0; i < WAIT && !go_on; i++)
		usleep(10000);
	err = weft_engine_find("psssp")->route(f, options, out, diag);
	routed = true;
	return err;
}

/* OpenSM ends while the thread routes: nobody waits for that, and it says and
 * stores nothing any more. */
TEST(test_end)
{
	struct weft_engine slow = *weft_engine_find("psssp");
	struct fixture x;

	slow.route = slow_route;
	open_master(&x, "pgft:2;5,8;1,4;1,1", "psssp");
	x.re.destroy(x.re.context);
	x.re.context = &slow;
	ASSERT_EQ(weft__shim_setup(&x.re, x.s->osm), 0);
	ASSERT_EQ(sweep(&x), 0);
	shim_send(x.s);
	for (unsigned i = 0; i < WAIT && !routing; i++)
		usleep(10000);
	ASSERT(routing);
	shim_log_clear();
	close_fixture(&x);
	EXPECT(!routed);
	go_on = true;
	for (unsigned i = 0; i < WAIT && !routed; i++)
		usleep(10000);
	usleep(200000);
	EXPECT(routed);
	EXPECT(!strstr(shim_log, "debt"));
}
