// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* OpenSM's options about routing: each has an effect, or the log says once that
 * it has none; and there are no others in the opensm that is installed. */
#include "shim_fixture.h"

#include "plugins/conf/osm_opts.h"

#include <errno.h>
#include <string.h>

/* What opensm.conf has besides: not about routes. */
static const char *const others[] = {
	/* keys, identity, other subnet managers */
	"guid", "m_key", "m_key_lease_period", "m_key_protection_level",
	"m_key_lookup", "sm_key", "sa_key", "subnet_prefix", "sm_priority",
	"ignore_other_sm", "sminfo_polling_timeout", "polling_retry_number",
	"honor_guid2lid_file", "sm_assigned_guid", "reassign_lids",
	"sm_inactive", "fsync_high_avail_files",
	/* ports as such */
	"packet_life_time", "vl_stall_count", "leaf_vl_stall_count",
	"head_of_queue_lifetime", "leaf_head_of_queue_lifetime",
	"force_link_speed", "force_link_speed_ext", "force_link_width",
	"subnet_timeout", "local_phy_errors_threshold",
	"overrun_errors_threshold", "use_mfttop", "enable_quirks",
	"max_rate_enum",
	/* partitions, clients */
	"no_partition_enforcement", "part_enforce", "allow_both_pkeys",
	"keep_pkey_indexes", "drop_event_subscriptions",
	"ipoib_mcgroup_creation_validation", "mcgroup_join_validation",
	"use_original_extended_sa_rates_only", "no_clients_rereg",
	"consolidate_ipv6_snm_req", "sa_db_file", "sa_db_dump",
	/* sweeps, MADs, threads */
	"sweep_interval", "force_heavy_sweep", "sweep_on_trap",
	"max_wire_smps", "max_wire_smps2", "max_smps_timeout",
	"transaction_timeout", "transaction_retries",
	"long_transaction_timeout", "max_msg_fifo_timeout", "single_thread",
	"daemon", "babbling_port_policy", "exit_on_fatal",
	/* logs, files, consoles */
	"node_name_map_name", "log_flags", "force_log_flush", "log_file",
	"log_max_size", "accum_log_file", "per_module_logging_file",
	"dump_files_dir", "console", "console_port", "log_prefix",
	"event_db_dump_file",
	/* how SL2VL tables are sent, not what is in them */
	"use_optimized_slvl", "suppress_sl2vl_mad_status_errors",
};

/* Whole families: the performance manager, congestion control, and the lanes of
 * QoS, which osm_qos.c goes by. */
static const char *const families[] = { "perfmgr", "cc_", "congestion_",
					"qos_" };

static const struct weft__osm_option *find(const char *name)
{
	const struct weft__osm_option *o = weft__osm_options;

	while (o->name && strcmp(o->name, name))
		o++;
	return o->name ? o : NULL;
}

static bool is_other(const char *name)
{
	for (unsigned i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i]))
			return true;
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (!strncmp(name, families[i], strlen(families[i])))
			return true;
	return false;
}

static void *member(const struct fixture *x, const struct weft__osm_option *o)
{
	return (char *)options(x) + o->offset;
}

/* Sets an option to something that is not its default, or back to that. */
static void set(const struct fixture *x, const struct weft__osm_option *o,
		bool other)
{
	uint32_t number = o->preset + (other ? o->preset ? 3 : 1 : 0);

	switch (o->field) {
	case WEFT__FLAG:
		*(boolean_t *)member(x, o) = (boolean_t)number;
		break;
	case WEFT__U8:
		*(uint8_t *)member(x, o) = number;
		break;
	case WEFT__U16:
		*(uint16_t *)member(x, o) = number;
		break;
	case WEFT__U32:
		*(uint32_t *)member(x, o) = number;
		break;
	case WEFT__TEXT:
		*(const char **)member(x, o) = other ? "/no/file" : o->text;
		break;
	}
}

static unsigned count(const char *words)
{
	unsigned n = 0;

	for (const char *p = shim_log; (p = strstr(p, words)); p++)
		n++;
	return n;
}

static int set_up_engine(void **state, const char *engine)
{
	struct fixture *x;

	set_up(state);
	x = *state;
	x->re.destroy(x->re.context);
	x->re.context = (void *)weft_engine_find(engine);
	for (const struct weft__osm_option *o = weft__osm_options; o->name; o++)
		if (o->effect != WEFT__HEEDED)
			set(x, o, false);
	shim_log_clear();
	return weft__shim_setup(&x->re, x->s->osm);
}

static int set_up_psssp(void **state)
{
	return set_up_engine(state, "psssp");
}

static int set_up_eftree(void **state)
{
	int err = set_up_engine(state, "eftree");

	ASSERT_EQ(err, 0);
	return 0;
}

/* True if psssp goes without it. */
static bool is_unheeded(const struct weft__osm_option *o)
{
	return o->effect != WEFT__HEEDED && o->effect != WEFT__AS_SWITCHES;
}

/* Each one that has no effect is told of, once, with a reason; once it was at
 * its default in between, again. */
TEST_WITH(test_each, set_up_psssp, tear_down)
{
	struct fixture *x = suite_state;
	unsigned n = 0;

	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(count("no effect"), 0);
	for (const struct weft__osm_option *o = weft__osm_options; o->name;
	     o++) {
		char words[80];

		if (!is_unheeded(o))
			continue;
		printf("%s\n", o->name);
		snprintf(words, sizeof(words),
			 "psssp: WARNING: OpenSM's option %s has no effect on ",
			 o->name);
		for (unsigned round = 0; round < 2; round++) {
			set(x, o, true);
			ASSERT(sweep(x) >= 0);
			ASSERT_EQ(count(words), 1);
			ASSERT_EQ(count("no effect"), 1);
			ASSERT(sweep(x) >= 0);
			ASSERT_EQ(count("no effect"), 0);
			set(x, o, false);
			ASSERT(sweep(x) >= 0);
			ASSERT_EQ(count("no effect"), 0);
		}
		n++;
	}
	ASSERT_WITHIN(n, 19, 63);
}

/* All at once, more than a sweep has warnings otherwise. */
TEST_WITH(test_all, set_up_psssp, tear_down)
{
	struct fixture *x = suite_state;
	unsigned n = 0;

	for (const struct weft__osm_option *o = weft__osm_options; o->name; o++)
		if (is_unheeded(o)) {
			set(x, o, true);
			n++;
		}
	x->re.destroy(x->re.context);
	x->re.context = (void *)weft_engine_find("psssp");
	shim_log_clear();
	ASSERT_EQ(weft__shim_setup(&x->re, x->s->osm), 0);
	ASSERT_EQ(count("no effect"), n);
	ASSERT(sweep(x) >= 0);
	ASSERT_EQ(count("no effect"), 0);
	shim_log_clear();
}

/* One that takes roots takes OpenSM's list, unless it has one of its own. */
TEST_WITH(test_roots, set_up_eftree, tear_down)
{
	struct fixture *x = suite_state;
	char path[128];

	path_in(x, "weft-sl.dump", path);
	write_conf(x, "");
	options(x)->root_guid_file = path;
	sweep(x);
	ASSERT_EQ(count("no effect"), 0);
	write_conf(x, "[eftree]\nroots = 0x1\n");
	sweep(x);
	ASSERT_EQ(count("OpenSM's option root_guid_file has no effect on this engine: roots= in weft.conf"),
		  1);
	options(x)->root_guid_file = NULL;
	sweep(x);
}

static void write_list(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ASSERT(file);
	fputs(text, file);
	fclose(file);
}

/* What is wrong with a list is told once, until it is something else. */
TEST_WITH(test_list_once, set_up_eftree, tear_down)
{
	struct fixture *x = suite_state;
	char path[128];

	path_in(x, "roots", path);
	write_list(path, "0x1\nspine-1\n");
	write_conf(x, "");
	options(x)->root_guid_file = path;
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(count("eftree: ERR 5701: "), 1);
	ASSERT_EQ(count(":2: root_guid_file: 'spine-1' is not the GUID"), 1);
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(count("ERR"), 0);
	ASSERT_EQ(count("WARNING"), 0);
	write_list(path, "0x1z\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(count("eftree: ERR 5701: "), 1);
	write_list(path, "0xdead\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(count(":1: the fabric has no switch"), 1);
	ASSERT_EQ(count("roots: nothing in this list is a switch"), 1);
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(count("WARNING"), 0);
	/* It was right in between: it is news again. */
	write_list(path, "0x1z\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(count("ERR"), 1);
	options(x)->root_guid_file = NULL;
	unlink(path);
}

/* Compares a line of the opensm.conf that opensm writes with the table. */
static void check_line(const char *name, const char *value)
{
	const struct weft__osm_option *o = find(name);

	if (!o && !is_other(name))
		ASSERT_NEVER("%s: is it about routing?", name);
	if (!o || o->effect == WEFT__HEEDED)
		return;
	printf("%s = %s\n", name, value);
	if (o->field == WEFT__TEXT)
		ASSERT_STR(value, o->text ? o->text : "(null)");
	else if (o->field == WEFT__FLAG)
		ASSERT_STR(value, o->preset ? "TRUE" : "FALSE");
	else
		ASSERT_EQ(strtoul(value, NULL, 0), o->preset);
}

/* No option of the installed opensm is forgotten, and none of the table has
 * another name or default there. */
TEST(test_installed)
{
	char dir[] = "/tmp/weft-test-options.XXXXXX", path[64], line[1024];
	char command[256];
	unsigned seen = 0;
	FILE *file;

	ASSERT(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/opensm.conf", dir);
	snprintf(command, sizeof(command),
		 "PATH=$PATH:/usr/sbin:/sbin; command -v opensm >/dev/null || exit 77; opensm -c %s >/dev/null 2>&1",
		 path);
	if (system(command)) {
		rmdir(dir);
		suite_skip();
	}
	file = fopen(path, "r");
	ASSERT(file);
	while (fgets(line, sizeof(line), file)) {
		char *name = strtok(line, " \t\n"), *value;

		value = name ? strtok(NULL, "\n") : NULL;
		if (!value || *name == '#')
			continue;
		check_line(name, value);
		seen += find(name) != NULL;
	}
	fclose(file);
	unlink(path);
	rmdir(dir);
	for (const struct weft__osm_option *o = weft__osm_options; o->name; o++)
		seen--;
	ASSERT_EQ(seen, 0);
}
