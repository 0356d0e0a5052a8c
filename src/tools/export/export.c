// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft export: a fabric as other programs read it. */
#include "tools/export/export.h"

#include <string.h>

enum format { SLURM_TREE, SLURM_BLOCK, SLURM_YAML, OMNETPP, GRAPHML, CABLES,
	      NODES, SIMGRID, NS3, SST, HTSIM };

struct own {
	int64_t format;		/* one of these, -1 = by the output's name */
	int64_t block_size;
	const char *name, *kind;
};

/* The last word of a path, which may end in slashes. */
static void base_name(const char *path, char *name, size_t size)
{
	size_t end = strlen(path), begin;

	while (end && path[end - 1] == '/')
		end--;
	for (begin = end; begin && path[begin - 1] != '/'; begin--)
		;
	snprintf(name, size, "%.*s", (int)(end - begin), path + begin);
}

/* What the name of the output says, unless -f does. */
static bool find_format(struct tool *t)
{
	static const struct { const char *end; enum format format; } names[] = {
		{ ".conf", SLURM_TREE }, { ".yaml", SLURM_YAML },
		{ ".yml", SLURM_YAML }, { ".graphml", GRAPHML },
		{ ".csv", CABLES },
	};
	struct own *own = t->own;

	for (size_t i = 0; own->format < 0 &&
	     i < sizeof(names) / sizeof(names[0]); i++)
		if (t->args.output && tool_output_ends(t, names[i].end))
			own->format = names[i].format;
	if (own->format < 0)
		tool_usage(t,
			   "which format? Give -f, or -o with a name such as topology.conf, topology.yaml or fabric.graphml");
	return own->format >= 0;
}

static bool write_slurm(struct tool *t, const struct weft_fabric *f, FILE *out)
{
	const struct own *own = t->own;
	struct tool_slurm s;
	bool ok;

	if (!tool_slurm_make(t, f, own->kind, &s))
		return false;
	tool_phase_end(t);
	if (own->format == SLURM_TREE)
		ok = tool_slurm_tree(&s, out);
	else if (own->format == SLURM_BLOCK)
		ok = tool_slurm_block(t, &s, own->block_size, out);
	else
		ok = tool_slurm_yaml(t, &s, own->block_size, out);
	tool_slurm_free(&s);
	return ok || tool_no_memory(t);
}

/* Formats of a fabric alone. */
static bool write_fabric(struct tool *t)
{
	const struct own *own = t->own;
	struct weft_input in;
	FILE *out = NULL;
	bool ok;

	tool_phase(t, "reading %s", t->args.input.item[0]);
	if (!tool_input_open(t, t->args.input.item[0], true, &in))
		return false;
	out = tool_output_open(t, t->args.output);
	ok = out;
	if (ok && own->format == GRAPHML)
		tool_export_graphml(in.fabric, out);
	else if (ok && own->format == CABLES)
		tool_export_cables(in.fabric, out);
	else if (ok && own->format == NODES)
		tool_export_nodes(in.fabric, out);
	else if (ok && own->format == NS3)
		ok = tool_export_ns3(t, in.fabric, out);
	else if (ok && own->format == SST)
		ok = tool_export_sst(t, in.fabric, out);
	else if (ok && own->format == HTSIM)
		ok = tool_export_htsim(t, in.fabric, out);
	else if (ok)
		ok = write_slurm(t, in.fabric, out);
	weft_input_close(&in);
	return ok;
}

/* Formats of a fabric with its tables. */
static bool write_tables(struct tool *t, const struct tool_case *c,
			 void *context)
{
	const struct own *own = t->own;
	unsigned *n = context;
	char name[200];
	FILE *out;

	if ((*n)++) {
		tool_usage(t, "one set of tables can be exported at a time");
		return false;
	}
	if (own->format == SIMGRID) {
		out = tool_output_open(t, t->args.output);
		return out && tool_export_simgrid(t, c, out);
	}
	base_name(t->args.output, name, sizeof(name));
	return tool_export_omnetpp(t, c, t->args.output, own->name ? own->name :
				   name);
}

static enum tool_status export_run(struct tool *t)
{
	struct own *own = t->own;
	unsigned n = 0;
	bool ok = tool_cases_inputs(t) && find_format(t);

	if (!ok)
		return TOOL_FAILED;
	if (t->args.input.n != 1)
		return tool_usage(t,
				  "one fabric is exported at a time, not %u",
				  t->args.input.n);
	if (own->block_size && own->format != SLURM_BLOCK &&
	    own->format != SLURM_YAML)
		return tool_usage(t,
				  "--block-size goes with -f slurm-block and slurm-yaml");
	if (own->kind && own->format > SLURM_YAML)
		return tool_usage(t,
				  "--kind goes with -f slurm-tree, slurm-block and slurm-yaml");
	if (own->name && own->format != OMNETPP)
		return tool_usage(t, "--name goes with -f omnetpp");
	if (own->format != OMNETPP && own->format != SIMGRID) {
		if (t->args.table.n + t->args.engine.n)
			return tool_usage(t,
					  "-t and -e go with -f omnetpp and simgrid, which have tables");
		return write_fabric(t) ? TOOL_FINE : TOOL_FAILED;
	}
	if (own->format == OMNETPP &&
	    (!t->args.output || !strcmp(t->args.output, "-")))
		return tool_usage(t,
				  "-f omnetpp writes three files: -o names their directory");
	t->planes = TOOL_PLANES_FIRST;
	return tool_cases_each(t, write_tables, &n) ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option export_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OWN(TOOL_CHOICE, struct own, format, "format", 'f', "FORMAT",
		 "slurm-tree or slurm-block (topology.conf), slurm-yaml (topology.yaml, both), omnetpp (.ned and tables), simgrid (a platform with tables), ns3 (also ASTRA-sim's), sst (merlin), htsim, graphml, csv (cables) or csv-nodes; default: "
		 "as the output is named",
		 .preset = -1,
		 .choices = "slurm-tree|slurm-block|slurm-yaml|omnetpp|graphml|csv|csv-nodes|simgrid|ns3|sst|htsim"),
	TOOL_OWN(TOOL_TEXT, struct own, kind, "kind", 0, "KIND",
		 "for Slurm: hosts with a port of that kind, such as compute, at the switch of the first of these (default: of any port)"),
	TOOL_OWN(TOOL_NUMBER, struct own, block_size, "block-size", 0, "N",
		 "nodes in one of Slurm's blocks (default: as many as most switches have)",
		 .min = 1, .max = 1000000),
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OWN(TOOL_TEXT, struct own, name, "name", 0, "NAME",
		 "with omnetpp: what the network and its files are called (default: as the directory is)"),
	TOOL_OPT_SPREADSHEET,
	TOOL_OPT_OUTPUT("write to FILE; with omnetpp, into that directory"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_export = {
	.name = "export",
	.summary = "write a fabric for Slurm, simulators or graph programs",
	.usage = "[OPTION]... INPUT",
	.about = "Writes a fabric as other programs read it: "
		 "Slurm's topology.conf and topology.yaml, the InfiniBand model of OMNeT++ and SimGrid with tables, ns-3's RDMA model and ASTRA-sim, SST, htsim, GraphML, comma-separated values.",
	.options = export_options,
	.own_size = sizeof(struct own),
	.run = export_run,
};
