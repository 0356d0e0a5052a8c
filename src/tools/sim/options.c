// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Options of weft sim. */
#include "tools/sim/options.h"

#include <stdlib.h>
#include <string.h>

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

/* Reads a number of bytes, of which there are 1 to 2^40. */
static bool read_bytes(const char **at, uint64_t *out)
{
	return weft_number_uint_at(at, "-:,", 1ull << 40, out) && *out;
}

/* Reads "BYTES", "BYTES-BYTES", with ":WEIGHT" or without. */
static bool read_size(const char **at, struct weft_sim_sizes *out)
{
	uint64_t least, most, weight = 1;

	if (out->n == WEFT_SIM_SIZES || !read_bytes(at, &least))
		return false;
	most = least;
	if (**at == '-' && (++*at, !read_bytes(at, &most) || most < least))
		return false;
	if (**at == ':' && (++*at, !read_bytes(at, &weight)))
		return false;
	if (weight > UINT32_MAX || (**at && **at != ','))
		return false;
	out->entry[out->n].least = least;
	out->entry[out->n].most = most;
	out->entry[out->n++].weight = weight;
	return true;
}

static bool read_sizes(struct tool_sim_plan *p, const char *text)
{
	struct weft_sim_sizes *sizes = &p->spec.sizes;
	const char *at = text;

	while (text && (at == text || *at == ',')) {
		at += *at == ',';
		if (read_size(&at, sizes))
			continue;
		tool_usage(p->t,
			   "--sizes takes up to %d of BYTES or BYTES-BYTES, 1 to 2^40, each with :WEIGHT or without, and commas between them, not '%s'",
			   WEFT_SIM_SIZES, text);
		return false;
	}
	return true;
}

/* Reads "0:64,1:32", lanes and their weights. */
static bool read_vlarb(struct tool_sim_plan *p, const char *option,
		       const char *text, struct weft_sim_vlarb *out)
{
	const char *at = text;

	while (at && *at) {
		uint64_t vl, weight;

		if (out->n == 64 ||
		    !weft_number_uint_at(&at, ":", WEFT_MAX_LANES - 1, &vl) ||
		    !*at++ || !weft_number_uint_at(&at, ",", 255, &weight)) {
			tool_usage(p->t,
				   "--%s takes up to 64 of LANE:WEIGHT, lanes 0 to %d and weights 0 to 255, not '%s'",
				   option, WEFT_MAX_LANES - 1, text);
			return false;
		}
		out->entry[out->n].vl = vl;
		out->entry[out->n++].weight = weight;
		at += *at == ',';
	}
	return true;
}

/* Reads a percentage that is least to 100, or above 0; text NULL: there is
 * none. */
static bool read_percent(struct tool_sim_plan *p, const char *option,
			 const char *text, bool zero, double *share)
{
	double percent;

	if (!text)
		return true;
	if (weft_number_real(text, &percent) && percent <= 100 &&
	    (zero ? percent >= 0 : percent > 0)) {
		*share = percent / 100;
		return true;
	}
	tool_usage(p->t, "--%s takes a percentage%s, not '%s'", option,
		   zero ? ", 0 to 100" : " above 0, 100 at most", text);
	return false;
}

/* Reads "1", percent of the mean. */
static bool read_until(struct tool_sim_plan *p, const char *text)
{
	double percent;

	if (!text)
		return true;
	if (weft_number_real(text, &percent) && percent > 0 && percent < 100) {
		p->spec.until = percent / 100;
		return true;
	}
	tool_usage(p->t,
		   "--until takes a percentage, above 0 and below 100, not '%s'",
		   text);
	return false;
}

bool tool_sim_options_read(struct tool_sim_plan *p)
{
	const struct tool_sim_own *own = p->t->own;
	struct weft_sim_spec *s = &p->spec;

	weft_sim_preset(s);
	s->mtu = own->mtu;
	s->header = own->header;
	s->buffer = own->buffer;
	s->cable = own->cable * 1000;
	s->relay = own->relay * 1000;
	s->inject = own->inject;
	s->drain = own->drain;
	s->outstanding = own->outstanding;
	s->lossy = own->lossy;
	s->arbitration = own->arbitration;
	s->queues = own->queues;
	s->paths = own->paths;
	s->lids = own->lids;
	s->routes = own->routes;
	s->bias = own->bias;
	s->patience = own->patience * 1000;
	s->flowlet = own->flowlet * 1000;
	s->hoq = own->hoq * 1000;
	s->cc = (struct weft_sim_cc){
		.on = own->cc,
		.threshold = own->cc_threshold,
		.marking_rate = own->cc_rate,
		.ccti_increase = own->cc_increase,
		.ccti_limit = own->cc_limit,
		.ccti_min = own->cc_min,
		.ccti_timer = own->cc_timer,
		.shift = own->cc_shift,
	};
	s->parts = own->latencies || own->details;
	s->limit = own->limit;
	s->time = own->time * 1000000;
	if ((tool_sim_to_end(p->t) || own->replay || own->sweep >= 0) &&
	    !tool_args_given(p->t, "time"))
		s->time = 0;
	if (own->warmup >= 0)
		s->warmup = own->warmup * 1000000;
	s->bytes = own->bytes;
	if ((tool_sim_to_end(p->t) || own->sweep >= 0) &&
	    !tool_args_given(p->t, "bytes"))
		s->bytes = 1 << 20;
	s->hot_spots = own->hot_spots;
	s->seed = p->t->args.seed;
	s->switch_mbps = own->switch_mbps;
	s->host_sl = own->host_sl;
	s->switch_sl = own->switch_sl;
	s->router_relay = own->router_relay * 1000;
	s->router_buffer = own->router_buffer;
	s->packet_least = own->packet_least;
	return read_percent(p, "hot-share", own->hot_share, true,
			    &s->hot_share) &&
	       read_percent(p, "isp", own->isp, true, &s->leave) &&
	       read_until(p, own->until) &&
	       read_percent(p, "switches", own->switches, false,
			    &s->switch_load) &&
	       read_vlarb(p, "vlarb-high", own->high, &s->high) &&
	       read_vlarb(p, "vlarb-low", own->low, &s->low) &&
	       read_sizes(p, own->sizes) && tool_sim_logp_read(p) &&
	       read_loads(p, own->load ? own->load : "100");
}

/* --- the table ------------------------------------------------------------ */

#define SIM_NUMBER(field, name, value, help, from, least, most)                \
	TOOL_OWN(TOOL_NUMBER, struct tool_sim_own, field, name, 0, value,      \
		 help, .preset = from, .min = least, .max = most)

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
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, hot_share, "hot-share", 0,
		 "PERCENT", "share of a load that goes to hot spots"),
	SIM_NUMBER(hot_spots, "hot-spots", "N",
		   "how many there are: the first rank of each N-th of the ranks, for these",
		   1, 1, WEFT_MAX_RANKS),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, switches, "switches", 0,
		 "PERCENT",
		 "port 0 of switches sends to that of others, too, at that share of what it carries"),
	SIM_NUMBER(switch_mbps, "switch-speed", "MBPS",
		   "what that is, either way (default 2000, 1x SDR)", 2000, 1,
		   UINT32_MAX),
	SIM_NUMBER(host_sl, "host-sl", "SL",
		   "service level of all that hosts send, and its lane where the tables have one (default as the tables)",
		   -1, 0, WEFT_MAX_LANES - 1),
	SIM_NUMBER(switch_sl, "switch-sl", "SL", "likewise of switches", -1, 0,
		   WEFT_MAX_LANES - 1),
	SIM_NUMBER(bytes, "bytes", "N",
		   "payload of a message (default 2048 under load, 1048576 of a pattern)",
		   2048, 1, (int64_t)1 << 40),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, sizes, "sizes", 0,
		 "BYTES[-BYTES][:WEIGHT],...",
		 "instead, a load's messages have these sizes, or any between two, as often as their weights say"),
	SIM_NUMBER(time, "time", "US",
		   "microseconds that a load lasts; of patterns, at most (default 1000, no end)",
		   1000, 1, 1000000000),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, until, "until", 0, "PERCENT",
		 "a load ends before --time when the throughput is known so well: half width of its 99 % interval"),
	SIM_NUMBER(warmup, "warmup", "US",
		   "microseconds that are not measured (default as the data say, MSER)",
		   -1, 0, 1000000000),
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
	SIM_NUMBER(hop_limit, "hop-limit", "N",
		   "routers that a packet may pass", WEFT_HOP_LIMIT, 1,
		   WEFT_HOP_LIMIT),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, isp, "isp", 0, "PERCENT",
		 "share of a load's messages that leave their subnet (default others are drawn from all)"),
	SIM_NUMBER(router_relay, "router-relay", "NS",
		   "delay of a router, header in to header out",
		   300, 0, 100000),
	SIM_NUMBER(router_buffer, "router-buffer", "N",
		   "bytes of buffer for each lane of a router's port",
		   16384, 0, 1 << 24),
	SIM_NUMBER(packet_least, "packet-least", "N",
		   "payload of a load's packets is drawn from N to the MTU (default 0, the MTU)",
		   0, 0, 4096),
	SIM_NUMBER(mtu, "mtu", "N",
		   "payload of a packet: 256, 512, 1024, 2048 or 4096",
		   2048, 1, 65536),
	SIM_NUMBER(header, "header", "N",
		   "bytes of headers and checks of a packet (default 26, with a GRH 66)",
		   26, 1, 512),
	SIM_NUMBER(buffer, "buffer", "N",
		   "bytes of buffer for each lane of a port",
		   16384, 0, 1 << 24),
	SIM_NUMBER(cable, "cable", "NS",
		   "delay of a cable", 20, 0, 100000),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, cables, "cables", 0,
		 "WHICH=NS,...",
		 "instead, of cables of hosts, switches, level1, level2, ... or between groups, in NS or METRESm, the last that fits; or a file with a cable and its delay in each line, or a plan"),
	SIM_NUMBER(relay, "relay", "NS",
		   "delay of a switch, header in to header out",
		   100, 0, 100000),
	SIM_NUMBER(inject, "inject", "MBPS",
		   "Mbit/s that a host can send, as by its PCIe; 0 = its cable",
		   0, 0, UINT32_MAX),
	SIM_NUMBER(drain, "drain", "MBPS",
		   "Mbit/s that a host can receive, likewise", 0, 0,
		   UINT32_MAX),
	SIM_NUMBER(outstanding, "outstanding", "N",
		   "messages that a host under load sends at a time",
		   1, 1, 65536),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, lossy, "host-queues", 0,
		 "fifo|lane",
		 "messages of a load wait in one queue, or up to --outstanding in one for each lane, and others are refused (default fifo)",
		 .choices = "fifo|lane"),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, arbitration, "arbitration",
		 0, "round-robin|age",
		 "inputs of a switch take turns, or the oldest packet goes first",
		 .choices = "round-robin|age"),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, queues, "queues", 0,
		 "fifo|voq",
		 "buffers of switches are one queue, or one for each output (default fifo)",
		 .choices = "fifo|voq"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, events, "events", 0, "FILE",
		 "cables and switches that fail and come back, and tables that are written, at times"),
	SIM_NUMBER(hoq, "hoq", "NS",
		   "packets that are first in their queue for longer are dropped; 0 = never (default)",
		   0, 0, 1000000000),
	TOOL_OWN(TOOL_FLAG, struct tool_sim_own, cc, "cc", 0, NULL,
		 "congestion control: switches mark packets, hosts slow down"),
	SIM_NUMBER(cc_threshold, "cc-threshold", "N",
		   "from which switches mark: 1 a full buffer, 15 a sixteenth of it",
		   15, 1, 15),
	SIM_NUMBER(cc_rate, "cc-marking-rate", "N",
		   "packets between two that are marked", 0, 0, 65535),
	SIM_NUMBER(cc_increase, "cc-increase", "N",
		   "entries of the table that a mark takes a host on",
		   1, 1, 16383),
	SIM_NUMBER(cc_limit, "cc-limit", "N",
		   "highest entry", 127, 0, 16383),
	SIM_NUMBER(cc_min, "cc-min", "N",
		   "least entry", 0, 0, 16383),
	SIM_NUMBER(cc_timer, "cc-timer", "N",
		   "units of 1.024 us after which a host goes back an entry",
		   150, 1, 65535),
	SIM_NUMBER(cc_shift, "cc-shift", "N",
		   "entry i is a pause of i packets divided by two to the power of this",
		   0, 0, 3),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, paths, "paths", 0, "WHO",
		 "the tables choose where packets go, switches among ports that are as near (least, random, flowlet), or hosts among routes by these (oblivious, adaptive, probing); or switches send over third groups of a dragonfly, always or by what waits (nonminimal)",
		 .choices = "tables|least|random|flowlet|oblivious|adaptive|probing|nonminimal=valiant|nonminimal=ugal-l|nonminimal=ugal-g|nonminimal=par"),
	SIM_NUMBER(bias, "bias", "N",
		   "packets that a short way may have more before UGAL and PAR leave it",
		   3, 0, 1000000),
	TOOL_OWN(TOOL_CHOICE, struct tool_sim_own, lids, "lids", 0, "RULE",
		 "which of a destination's LIDs: "
		 "what the routes say, first, one drawn for each pair of hosts or for each message (random), or in turn message by message (round-robin) or packet by packet (all)",
		 .choices = "routes|first|pair|random|round-robin|all"),
	SIM_NUMBER(routes, "routes", "N",
		   "routes that a host has to each other one",
		   16, 1, 255),
	SIM_NUMBER(patience, "patience", "NS",
		   "waiting after which a host takes another route",
		   1000, 0, 1000000),
	SIM_NUMBER(flowlet, "flowlet", "NS",
		   "pause after which a flow may take another port",
		   1000, 0, 1000000),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, high, "vlarb-high", 0,
		 "VL:WEIGHT,...",
		 "table of lanes of high priority (default none)"),
	TOOL_OWN(TOOL_TEXT, struct tool_sim_own, low, "vlarb-low", 0,
		 "VL:WEIGHT,...",
		 "table of lanes of low priority (default all in turn)"),
	SIM_NUMBER(limit, "vlarb-limit", "N",
		   "units of 4096 bytes of high priority before low priority has its turn; 255 = no limit (default 0, one packet)",
		   0, 0, 255),
	TOOL_OPT_SEED,
	SIM_NUMBER(seeds, "seeds", "N",
		   "runs of each load, with seeds from --seed on",
		   1, 1, 1000),
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
