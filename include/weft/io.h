/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reading and writing the field's files.  Formats: weft-formats(5).
 *
 * Readers return 0, or -errno after an error with file and line.  Defects that
 * real files commonly have and that leave the rest usable are warnings.
 * Writers return 0, or -errno (after an error) when the stream failed.
 */
#ifndef WEFT_IO_H
#define WEFT_IO_H

#include <stdio.h>

#include <weft/diag.h>
#include <weft/jobs.h>
#include <weft/options.h>
#include <weft/kinds.h>
#include <weft/machines.h>
#include <weft/measured.h>
#include <weft/multicast.h>
#include <weft/pattern.h>
#include <weft/routes.h>
#include <weft/worth.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of files, by what they tell. */
enum weft_file_kind {
	WEFT_FILE_TOPOLOGY,
	WEFT_FILE_TABLES,	/* forwarding tables */
	WEFT_FILE_SL2VL,	/* SL2VL tables */
	WEFT_FILE_SL,		/* service levels of pairs */
	WEFT_FILE_PATHS,	/* which LID each source sends to */
	WEFT_FILE_MULTICAST,	/* multicast tables, which are no routes */
	WEFT_FILE_KINDS
};

/*
 * From now on what comes from a pipe or the standard input is kept until the
 * process ends, so that it may be named several times: for programs that take
 * names of files from a command line.
 */
void weft_io_keep_streams(void);

/*
 * Has take() look at each line of a file ("-": the standard input), without
 * what ends it, until it returns other than 0; it may change the line, which
 * lives until it returns.  0, what take() returned, or -errno after an error:
 * a file that cannot be read, a line of WEFT_IO_LINE_MAX bytes or more, or with
 * a NUL byte.
 */
#define WEFT_IO_LINE_MAX 4096
int weft_io_each_line(const char *path,
		      int (*take)(void *context, char *line,
				  unsigned long number),
		      void *context, struct weft_diag *diag);

struct weft_format {
	const char *name;	/* of a file or program that everybody knows */
	enum weft_file_kind kind;
};

/* All formats of topologies and tables, NULL-terminated. */
const struct weft_format *const *weft_formats(void);

/* Finds the format of a file by its content (the first 64 KiB): one of
 * weft_formats(), or NULL.  -errno when it cannot be read. */
int weft_io_detect(const char *path, const struct weft_format **format,
		   struct weft_diag *diag);

/* A topology, of any format of that kind. */
int weft_io_read_fabric(const char *path, struct weft_fabric **out,
			struct weft_diag *diag);

/*
 * Forwarding tables, of any format of that kind.  Adds what the file holds to
 * *lft, which weft_io_lft_init() sized; switches are found by GUID, then LID.
 * Entries for switches that the fabric does not have are an error (-EINVAL) if
 * no switch matches, else a warning.
 */
int weft_io_read_lft(const char *path, const struct weft_fabric *fabric,
		     struct weft_lft *lft, struct weft_diag *diag);
int weft_io_lft_init(const struct weft_fabric *fabric, struct weft_lft *lft);

/* SL2VL tables into layers->sl2vl (per input port). */
int weft_io_read_sl2vl(const char *path, const struct weft_fabric *fabric,
		       struct weft_layers *layers, struct weft_diag *diag);
/* SLs of pairs into layers (form and table), whatever the tables. */
int weft_io_read_sl(const char *path, const struct weft_fabric *fabric,
		    struct weft_layers *layers, struct weft_diag *diag);

/* Which LID each source sends to, into routes->lid_offset.  -EINVAL: also a
 * dump that was written with other tables than those of the routes. */
int weft_io_read_paths(const char *path, const struct weft_fabric *fabric,
		       struct weft_routes *routes, struct weft_diag *diag);

/*
 * Adds what a file says to the part of the routes that its kind is about, which
 * is detected.  -EINVAL for a topology, for what nobody knows, and for a dump
 * that was written with other tables than those of the routes.
 */
int weft_io_add_tables(const char *path, const struct weft_fabric *fabric,
		       struct weft_routes *routes, struct weft_diag *diag);

/*
 * A pattern: pairs of ranks in rounds, or a communication matrix as
 * comma-separated values or in Matrix Market's format, detected.  *out is to be
 * freed.  -EINVAL: also a rank that is out of range or sends to itself, a pair
 * twice in a round, no pair at all.
 */
int weft_io_read_pattern(const char *path, struct weft_pair_list *out,
			 struct weft_diag *diag);
/*
 * The hosts of ranks, in their order: names or GUIDs one by one, a hostfile of
 * MPI, a rankfile, or Slurm's list expressions.  *endport, malloc()ed, has *n
 * ids; one that has several slots is there as often.  -EINVAL: also a host that
 * the fabric does not have, a rank twice or left out.
 */
int weft_io_read_hosts(const char *path, const struct weft_fabric *fabric,
		       uint32_t **endport, uint32_t *n,
		       struct weft_diag *diag);

/* Groups of hosts: jobs, racks, partitions. */
struct weft_host_group {
	char *name;
	uint32_t n;
	uint32_t *endport;	/* [n] ascending, each once */
};

struct weft_host_groups {
	uint32_t n;
	struct weft_host_group *group;	/* [n] as they come in the file */
};

/*
 * Groups with Slurm's lists of their hosts, a line each: "job17 node[001-016]",
 * or '=' or ':' between the two; a group that comes again has all of them.
 * Lines of slurm.conf, "PartitionName=... Nodes=...", are groups, too.
 * *out is to be freed.  -EINVAL: also a host that the fabric does not have, no
 * group at all.
 */
int weft_io_read_groups(const char *path, const struct weft_fabric *fabric,
			struct weft_host_groups *out, struct weft_diag *diag);
void weft_host_groups_free(struct weft_host_groups *groups);

/*
 * What pairs of hosts had on a machine, "FROM TO RATE" a line, with "round"
 * before each round; lines "bytes N" and "host NAME" are left aside.  A host is
 * its first adapter.  *out is to be freed.  -EINVAL: also a host that the
 * fabric does not have, a pair without a rate, none at all.
 */
int weft_io_read_measured(const char *path, const struct weft_fabric *fabric,
			  struct weft_measured *out, struct weft_diag *diag);

/*
 * Adapters of machines: lines "506b:4b03:00f0:a1c2 n001 0" of GUID, machine and
 * NUMA node, if that is known; what hwloc (lstopo --of xml) or NCCL
 * (NCCL_TOPO_DUMP_FILE) writes of a machine, which is called as hwloc says, or as
 * the file is; or a directory of such files.  *out is to be freed.  -EINVAL: also
 * a file without any.
 */
int weft_io_read_machines(const char *path, struct weft_adapters *out,
			  struct weft_diag *diag);

/*
 * Rules of kinds of hosts, a line each: "io*  storage", "0x506b4b0300f0a1c2
 * service"; they are added to kinds.  -EINVAL: also a file without any, and some
 * may have been added then.
 */
int weft_io_read_kinds(const char *path, struct weft_kinds *kinds,
		       struct weft_diag *diag);

/*
 * Jobs: what "scontrol show job" prints, or squeue with a header that has
 * NODELIST, or a line for each: "train: node[001-016]", or the list alone.  Jobs
 * that wait or are over have no hosts, and are left aside.  *out is to be freed.
 * -EINVAL: also a bracket that is not closed, and no job at all.
 */
int weft_io_read_jobs(const char *path, struct weft_job_list *out,
		      struct weft_diag *diag);

/*
 * Reads the files that options of the type WEFT_OPT_LIST name: a value that
 * begins with '/', './' or '../', or that is the name of a file.  All of the
 * lists become lenient or not, see weft/list.h.  0, or -errno after errors with
 * file and line; such an option is unset then.
 */
int weft_io_read_lists(struct weft_options *options, bool lenient,
		       struct weft_diag *diag);
/* One file for one option, whatever that says. */
int weft_io_read_list(struct weft_options *options, const char *name,
		      const char *path, bool lenient, struct weft_diag *diag);

/*
 * Reads what tables shall be good at: text is a pattern as of
 * weft_objective_parse() or, where there is none of that name, names a file of
 * patterns with their weights or of pairs of ranks.  *out, set on success only,
 * is to be freed.
 */
int weft_io_read_objective(const char *text, struct weft_objective *out,
			   struct weft_diag *diag);
/* Reads the objectives of all options of the type WEFT_OPT_OBJECTIVE, and the
 * jobs of those of the type WEFT_OPT_JOBS; one that cannot be read is unset. */
int weft_io_read_objectives(struct weft_options *options,
			    struct weft_diag *diag);

/*
 * The multicast tables of n files: opensm.mcfdbs, dump_fts -M, weft-multicast.csv.
 * *out is set on success only, and to be freed.  -EINVAL: also where no switch is
 * the fabric's.
 */
int weft_io_read_multicast(char *const *path, uint32_t n,
			   const struct weft_fabric *fabric,
			   struct weft_multicast *out, struct weft_diag *diag);

struct weft_sources;

/*
 * All tables of a fabric from a file of forwarding tables or from a directory,
 * of which the same files are read as by weft_input_open(), service levels and
 * SL2VL tables, too.  Warns of switches without an entry, of LIDs that are
 * routed and nobody's, and where other tables beside these disagree.  -EINVAL
 * where there are no forwarding tables; *out is set on success only, as is
 * *sources, which may be NULL.
 */
int weft_io_read_tables(const char *path, const struct weft_fabric *fabric,
			struct weft_routes *out, struct weft_sources *sources,
			struct weft_diag *diag);

/*
 * The LMCs that the same file or directory tells by the names of the ports in
 * its rows, as opensm-lfts.dump does: where ports have more LIDs there than in
 * the fabric, *out is a copy of the fabric that has them, too, and the tables
 * are to be read with it; else NULL.  weft_input_open() does so by itself.
 */
int weft_io_read_lmc(const char *path, const struct weft_fabric *fabric,
		     struct weft_fabric **out, struct weft_diag *diag);

/* Which file each kind was read from, malloc()ed; NULL = there was none. */
struct weft_sources {
	char *file[WEFT_FILE_KINDS];	/* for TABLES the first of them, not for
					 * MULTICAST */
	uint32_t ntables;		/* files of tables */
	char **multicast;		/* [nmulticast] files of multicast
					 * tables; they are not read yet */
	uint32_t nmulticast;
};
void weft_sources_free(struct weft_sources *sources);	/* zeroed is fine */

/*
 * The one input of every tool: a topology file, a dump directory (topology,
 * tables, SLs, as many as are there) or a synthetic description.
 */
struct weft_input {
	struct weft_fabric *fabric;
	struct weft_routes routes;
	struct weft_sources sources;	/* for a synthetic topology its
					 * description; no file of a kind: the
					 * routes have nothing of it */
};
/* fabric_only: tables are not looked at.  -EINVAL also where a file has the
 * name of a dump that is wanted, but not its content. */
int weft_input_open(const char *input, bool fabric_only,
		    struct weft_input *out, struct weft_diag *diag);
void weft_input_close(struct weft_input *in);

/*
 * Gives the nodes of a fabric that nobody else uses yet the names that a node
 * name map has for their GUIDs: lines 0xGUID "name", as infiniband-diags and
 * OpenSM read them.  Lines of another form are left out with a warning.  0, or
 * -errno after an error; O((nodes + lines) log lines).
 */
int weft_io_name_nodes(const char *path, struct weft_fabric *fabric,
		       struct weft_diag *diag);

/* ibnetdiscover's classic layout; ibsim loads it. */
int weft_io_write_ibnetdiscover(FILE *out, const struct weft_fabric *fabric,
				struct weft_diag *diag);
/* opensm-lfts.dump; OpenSM's "file" engine loads it. */
int weft_io_write_lfts(FILE *out, const struct weft_fabric *fabric,
		       const struct weft_lft *lft, struct weft_diag *diag);
/* opensm-sl2vl.dump, with rows for cabled ports of switches only. */
int weft_io_write_sl2vl(FILE *out, const struct weft_fabric *fabric,
			const struct weft_layers *layers,
			struct weft_diag *diag);
/* weft-sl.dump: run-length coded SL of each (source, destination LID).  Names
 * the forwarding tables, unless these are empty: it is not read with others. */
int weft_io_write_sl(FILE *out, const struct weft_fabric *fabric,
		     const struct weft_routes *routes, struct weft_diag *diag);
/* Service levels for ibdmchk: a line for each (source node, destination LID);
 * none if all SLs are 0. */
int weft_io_write_psl(FILE *out, const struct weft_fabric *fabric,
		      const struct weft_layers *layers, struct weft_diag *diag);
/* weft-paths.dump: the offset of the LID that each source sends to; names the
 * forwarding tables, too. */
int weft_io_write_paths(FILE *out, const struct weft_fabric *fabric,
			const struct weft_routes *routes,
			struct weft_diag *diag);
/* Graphviz; endports = false draws switches only. */
int weft_io_write_dot(FILE *out, const struct weft_fabric *fabric,
		      bool endports, struct weft_diag *diag);
/* A field of comma-separated values in quotes (RFC 4180), with control
 * characters as \xNN. */
void weft_io_csv_quoted(FILE *out, const char *text);
/*
 * Lets texts in comma-separated values that the library writes from now on
 * begin with ' where a spreadsheet would take them for formulas: those that
 * begin with =, +, - or @.  Of the whole process; call it before anything is
 * written.
 */
void weft_io_csv_for_spreadsheets(void);
/* {"switches": [...], "endports": [...], "links": [...]} */
int weft_io_write_fabric_json(FILE *out, const struct weft_fabric *fabric,
			      struct weft_diag *diag);
/* One row for each channel: those between switches, as
 * weft_io_write_links_csv(), then both directions of each endport's cable. */
int weft_io_write_channels_csv(FILE *out, const struct weft_fabric *fabric,
			       struct weft_diag *diag);
/* One row for each channel between switches. */
int weft_io_write_links_csv(FILE *out, const struct weft_fabric *fabric,
			    const uint64_t *load, struct weft_diag *diag);

/*
 * The list of cables by racks, each cable once.  per_rack: switches in a rack,
 * in the order of GUIDs; 0: those whose names have the same beginning, as
 * groups, boxes and rows of descriptions do.  Hosts are in the rack of their
 * switch.
 */
enum weft_cabling_format {
	WEFT_CABLING_TEXT, WEFT_CABLING_CSV, WEFT_CABLING_JSON,
};
int weft_io_write_cabling(FILE *out, const struct weft_fabric *fabric,
			  unsigned per_rack, enum weft_cabling_format format,
			  struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
