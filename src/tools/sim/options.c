// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Options of weft sim. */
#include "tools/sim/options.h"

#define PRESET_TIME 1000000000 /* ps of a load */

/* Reads "10,50,100", percent of what links carry. */
static bool read_loads(struct tool_sim_plan *p, const char *text)
{
	const char *at = text;
	double percent;

	do {
		if (!weft_number_real_at(&at, ",", &percent) ||
		    !(percent > 0 && percent <= 100) ||
		    p->nloads == TOOL_SIM_LOADS) {
			tool_usage(p->t,
				   "--load takes up to %d percentages above 0, 100 at most, with commas between them, not '%s'",
				   TOOL_SIM_LOADS, text);
			return false;
		}
		p->load[p->nloads++] = percent / 100;
	} while (*at++);
	return true;
}

bool tool_sim_options_read(struct tool_sim_plan *p)
{
	const struct tool_sim_own *own = p->t->own;
	const struct weft_options *o = p->t->args.parameters;
	struct weft_sim_spec *s = &p->spec;
	bool to_end = tool_sim_to_end(p->t) || own->sweep >= 0;

	weft_sim_preset(s);
	s->bytes = to_end ? 1 << 20 : s->bytes;
	s->time = to_end || own->replay ? 0 : PRESET_TIME;
	s->parts = own->latencies || own->details;
	s->seed = p->t->args.seed;
	return (!weft_sim_set(s, o, &p->t->diag) || tool_hint(p->t)) &&
	       tool_sim_logp_read(p) &&
	       read_loads(p, own->load ? own->load : "100");
}

/* --- the table ------------------------------------------------------------ */

const struct tool_option tool_sim_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_NUMBER, lmc, "lmc", 0, "N",
		 "with -e, give every endport 2^N LIDs", .preset = -1,
		 .max = 7),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, load, "load", 0, "PERCENT,...",
		 "hosts send to random others at these shares of what their cables carry (default 100)"),
	TOOL_OPT(TOOL_LIST, pattern, "pattern", 'p', "PATTERN",
		 "instead, run a pattern to its end (weft analyze --list), or with --load have hosts send to their partners in it"),
	TOOL_OPT(TOOL_LIST, traffic, "traffic", 0, "FILE",
		 "a pattern from a file, as -p: pairs of ranks, or a matrix"),
	TOOL_OPT(TOOL_TEXT, groups, "groups", 0, "FILE",
		 "what groups of hosts sent and received: a name and Slurm's list of hosts in each line"),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, sync, "sync", 0, "WHEN",
		 "a rank begins the next round of a pattern when the round is done by all (barrier, the default), when all that it sends and receives in it is there (rank), or when what it sends is on the wire (send)",
		 .choices = "barrier|rank|send"),
	TOOL_OWN(TOOL_FLAG, struct tool_sim_own, back, "back", 0, NULL,
		 "with --sync rank or send, each round is followed by one with all messages the other way"),
	TOOL_OPT(TOOL_TEXT, jobs, "jobs", 0, "FILE",
		 "jobs run a pattern (-p) each on their hosts, alone and then all together: what they lose by that"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, passes, "passes", 0, "N,...",
		 "with --jobs, how often jobs go through their patterns: one number, or one for each (default 1)"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, flows, "flows", 0, "FILE",
		 "instead, or beside -p, --jobs and --replay, the pairs of ranks in FILE send without end"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, replay, "replay", 0, "FILE",
		 "instead, the messages of a trace, or a schedule of sends, receives and calculations, which wait for each other"),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, sweep, "sweep", 0,
		 "streams|sizes",
		 "instead, what a pair of hosts gets while others share the busiest cable: latency and bandwidth by their number, or by size of messages (up to --bytes), and LogGP of these",
		 .preset = -1, .choices = "streams|sizes"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, streams, "streams", 0,
		 "N,...",
		 "how many share it (default 16 numbers up to the most, or powers of two)"),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, sends, "sends", 0,
		 "order|shared",
		 "of --replay, messages of a host leave one after the other, or packet by packet in turn (default order in schedules, shared in traces)",
		 .preset = -1, .choices = "order|shared"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, loggops, "loggops", 0,
		 "NAME=NS,...",
		 "what messages of --replay and --sweep cost hosts: o and g each, O and G a byte; L to a neighbour at the same switch"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, flow_sls, "flow-sls", 0,
		 "SL,...",
		 "service levels of these flows in their order, and separate lanes where the tables have one"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, trace, "trace", 0,
		 "FROM,TO[,N]",
		 "follow the N-th packet (default 1) from one host to another through all queues"),
	TOOL_OPT_PARAMETER("hot-share", "PERCENT"),
	TOOL_OPT_PARAMETER("hot-spots", "N"),
	TOOL_OPT_PARAMETER("switches", "PERCENT"),
	TOOL_OPT_PARAMETER("switch-speed", "MBPS"),
	TOOL_OPT_PARAMETER("host-sl", "SL"),
	TOOL_OPT_PARAMETER("switch-sl", "SL"),
	TOOL_OPT_PARAMETER("bytes", "N"),
	TOOL_OPT_PARAMETER("sizes", "BYTES[-BYTES][:WEIGHT],..."),
	TOOL_OPT_PARAMETER("time", "US"),
	TOOL_OPT_PARAMETER("until", "PERCENT"),
	TOOL_OPT_PARAMETER("warmup", "US"),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, order, "mapping", 'm',
		 "ORDER",
		 "ranks on hosts by guid, name, leaf (switch and port) or port (default name where names tell nodes apart, else leaf)",
		 .preset = -1, .choices = "guid|name|leaf|port"),
	TOOL_OPT(TOOL_TEXT, host_file, "host-file", 0, "FILE",
		 "hosts of the ranks instead: names, a hostfile, a rankfile or Slurm's list"),
	TOOL_OWN(TOOL_FLAG, struct tool_sim_own, shuffle, "shuffle", 0, NULL,
		 "nodes change places in that order at random, each with all of its ports (--seed)"),
	TOOL_OPT(TOOL_NUMBER, ranks, "ranks", 0, "N",
		 "number of ranks, on the first hosts; 0 = all",
		 .max = WEFT_MAX_RANKS),
	TOOL_OWN(TOOL_FLAG, struct tool_sim_own, subnets, "subnets", 0, NULL,
		 "the inputs are subnets of one fabric, which routers join; so are subnets:N and an INI file, see weft-subnets(1)"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, routers, "routers", 0,
		 "PREFIX",
		 "cut one fabric into subnets: switches whose names begin like that become routers"),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, router_map, "router-map", 0,
		 "METHOD",
		 "which router port a source takes: static, crc32, issr, isfr (default), weave, or as files say",
		 .choices = "static|crc32|issr|isfr|weave|files", .preset = 3),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, router_hash, "router-hash",
		 0, "HASH",
		 "how a router chooses among ports: sum (default) or mix",
		 .choices = "sum|mix"),
	TOOL_OPT(TOOL_LIST, without, "without", 0, "ROUTER",
		 "as if this router, by its name, had failed; may be repeated"),
	TOOL_OWN(TOOL_NUMBER, struct tool_sim_own, hop_limit, "hop-limit", 0,
		 "N", "routers that a packet may pass",
		 .preset = WEFT_HOP_LIMIT, .min = 1, .max = WEFT_HOP_LIMIT),
	TOOL_OPT_PARAMETER("isp", "PERCENT"),
	TOOL_OPT_PARAMETER("router-relay", "NS"),
	TOOL_OPT_PARAMETER("router-buffer", "N"),
	TOOL_OPT_PARAMETER("packet-least", "N"),
	TOOL_OPT_PARAMETER("mtu", "N"),
	TOOL_OPT_PARAMETER("header", "N"),
	TOOL_OPT_PARAMETER("buffer", "N"),
	TOOL_OPT_PARAMETER("cable", "NS"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, cables, "cables", 0,
		 "WHICH=NS,...",
		 "instead, of cables of hosts, switches, level1, level2, ... or between groups, in NS or METRESm, the last that fits; or a file with a cable and its delay in each line, or a plan"),
	TOOL_OPT_PARAMETER("relay", "NS"),
	TOOL_OPT_PARAMETER("inject", "MBPS"),
	TOOL_OPT_PARAMETER("drain", "MBPS"),
	TOOL_OPT_PARAMETER("outstanding", "N"),
	TOOL_OPT_PARAMETER("host-queues", "fifo|lane"),
	TOOL_OPT_PARAMETER("arbitration", "round-robin|age"),
	TOOL_OPT_PARAMETER("queues", "fifo|voq"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, events, "events", 0, "FILE",
		 "cables and switches that fail and come back, and tables that are written, at times"),
	TOOL_OPT_PARAMETER("hoq", "NS"),
	TOOL_OPT_PARAMETER("cc", NULL),
	TOOL_OPT_PARAMETER("cc-threshold", "N"),
	TOOL_OPT_PARAMETER("cc-marking-rate", "N"),
	TOOL_OPT_PARAMETER("cc-increase", "N"),
	TOOL_OPT_PARAMETER("cc-limit", "N"),
	TOOL_OPT_PARAMETER("cc-min", "N"),
	TOOL_OPT_PARAMETER("cc-timer", "N"),
	TOOL_OPT_PARAMETER("cc-shift", "N"),
	TOOL_OPT_PARAMETER("paths", "WHO"),
	TOOL_OPT_PARAMETER("bias", "N"),
	TOOL_OPT_PARAMETER("lids", "RULE"),
	TOOL_OPT_PARAMETER("routes", "N"),
	TOOL_OPT_PARAMETER("patience", "NS"),
	TOOL_OPT_PARAMETER("flowlet", "NS"),
	TOOL_OPT_PARAMETER("vlarb-high", "VL:WEIGHT,..."),
	TOOL_OPT_PARAMETER("vlarb-low", "VL:WEIGHT,..."),
	TOOL_OPT_PARAMETER("vlarb-limit", "N"),
	TOOL_OPT_SEED,
	TOOL_OWN(TOOL_NUMBER, struct tool_sim_own, seeds, "seeds", 0, "N",
		 "runs of each load, with seeds from --seed on", .preset = 1,
		 .min = 1, .max = 1000),
	TOOL_OPT_THREADS,
	TOOL_OPT_MPI("runs"),
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OWN(TOOL_FLAG, struct tool_sim_own, latencies, "latencies", 0,
		 NULL,
		 "latencies of each host, flow and lane, and waiting for each channel: the worst in words, all in JSON"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, details, "details", 0, "FILE",
		 "CSV of hosts, flows, channels and lanes, latencies and intervals to FILE, a line for each figure"),
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};
