/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Everything that the subcommands of weft share.
 *
 * A subcommand is a file or a folder with one struct tool_command, its help,
 * its table of options and run(), and a line in commands.def.  This folder is
 * what is common: reading the command line (args.c), inputs and what is to be
 * judged about them (cases.c, engines.c, tables.c, dump.c), messages and
 * progress (talk.c), outputs that are complete or absent (output.c), text for
 * people and JSON (text.c), records that are all of these (record.c, report.c).
 */
#ifndef WEFT_TOOLS_COMMON_TOOL_H
#define WEFT_TOOLS_COMMON_TOOL_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <weft/weft.h>

/* Exit status. */
enum tool_status {
	TOOL_FINE,
	TOOL_FOUND,	/* what was looked at is not as it should be */
	TOOL_FAILED,	/* bad input or usage, no memory, write error */
};

/* Arguments of one kind, in the order given; they point into argv. */
struct tool_list {
	const char **item;
	unsigned n;
};

enum tool_color { TOOL_COLOR_AUTO, TOOL_COLOR_ALWAYS, TOOL_COLOR_NEVER };

enum tool_hosts { TOOL_HOSTS_CA, TOOL_HOSTS_ALL };

/* The values of options that several subcommands have, or several files of
 * analyze. */
struct tool_args {
	struct tool_list input, table, engine, engine_option;
	struct tool_list rest;		/* what is no option */
	const char *output, *name_map, *kinds;
	int64_t hosts;			/* enum tool_hosts */
	int64_t color;			/* enum tool_color */
	int64_t seed, threads, count, lmc;
	/* analyze: what runs where, and what is reported of it */
	struct tool_list pattern, traffic, application, without;
	const char *host_file, *precision, *histogram, *links, *objective;
	const char *per_host, *groups, *jobs;
	const char *machines;		/* a rule, or a path of files */
	int64_t mapping;		/* enum weft_order, -1 = not given */
	int64_t subset, lids, precise;	/* enum weft_... */
	int64_t ranks, bins, hottest;
	bool endpoints, permutations, rings, mpi, worst, saturation;
	bool json, csv, spreadsheet, quiet, verbose, help, help_all, version;
	bool list, force;
	struct weft_options *parameters; /* of the command, or NULL */
	uint64_t given[2];		/* bit i: row i of the command's options
					 * was */
};

enum tool_value {
	TOOL_FLAG,	/* bool */
	TOOL_TEXT,	/* const char * */
	TOOL_LIST,	/* struct tool_list, may be repeated */
	TOOL_NUMBER,	/* int64_t, min..max */
	TOOL_CHOICE,	/* int64_t, position in choices */
	TOOL_PARAMETER,	/* an option of the table of the command's library part,
			 * which has its help, limits and words */
};

/* One option.  --help, the parser and the test of the manual read this. */
struct tool_option {
	const char *name;
	char letter;		/* 0 = none */
	const char *argument;	/* what its value is called; NULL = none */
	const char *help;
	enum tool_value type;
	bool optional;		/* TEXT: its value may be left out, "" then */
	bool own;		/* a value of this subcommand alone */
	size_t offset;		/* in struct tool_args, or in struct tool's own;
				 * lists are in the former */
	int64_t preset, min, max;
	const char *choices;	/* "a|b|c"; of TEXT and LIST: words that shells
				 * complete besides what its argument is */
};

struct tool;

struct tool_command {
	const char *name;
	const char *summary;	/* a few words, for the list of commands */
	const char *usage;	/* what follows "weft NAME" */
	const char *about;	/* a paragraph for --help */
	const struct tool_option *options;
	/* Names, with blanks between them, of those that --help prints, where
	 * there are too many for a screen; --help-all prints all.  NULL: all. */
	const char *basic;
	size_t own_size;	/* of the struct that holds its own values */
	/* The table of what it sets by rows of TOOL_PARAMETER, or NULL. */
	const struct weft_option *(*parameters)(void);
	enum tool_status (*run)(struct tool *t);
};

#define WEFT_COMMAND(name) extern const struct tool_command \
	tool_command_##name;
#include "tools/commands.def"
#undef WEFT_COMMAND

/* What is made of the planes of a case. */
enum tool_planes {
	TOOL_PLANES_EACH,	/* a case each */
	TOOL_PLANES_JOINED,	/* one case, the whole fabric */
	TOOL_PLANES_FIRST,	/* the first stands for all, with a warning */
};

/* One run of one command. */
struct tool {
	const struct tool_command *command;
	struct tool_args args;
	void *own;		/* values of own options, [command->own_size] */
	struct weft_diag diag;
	char program[32];	/* "weft route" */
	struct tool_talk *talk;
	struct tool_settings *settings;	/* see settings.h */
	struct weft_crew crew;	/* of --mpi */
	bool bears_refusals;	/* an engine that refuses is a case, too */
	enum tool_planes planes;
	const char *spare_engine;	/* routes inputs that hold no tables;
					 * NULL = that is an error */
	bool tells_objective;	/* engines that nobody chose are told what they are
				 * judged by, but for the first nchosen ones */
	unsigned nchosen;
	unsigned judged, refused;	/* cases */
};

/* --- args.c --------------------------------------------------------------- */

/* A row: type, field of struct tool_args, name, letter, what the value is
 * called, help, and what else its type needs. */
#define TOOL_OPT(kind, field, long_name, short_name, value, ...) { \
	.type = kind, .offset = offsetof(struct tool_args, field), \
	.name = long_name, .letter = short_name, .argument = value, \
	.help = __VA_ARGS__ }
/* A row that stands for an option of the command's parameters. */
#define TOOL_OPT_PARAMETER(long_name, value) { \
	.type = TOOL_PARAMETER, .name = long_name, .argument = value }
/* A row whose value is a field of the subcommand's own structure. */
#define TOOL_OWN(kind, structure, field, long_name, short_name, value, ...) { \
	.type = kind, .own = true, .offset = offsetof(structure, field), \
	.name = long_name, .letter = short_name, .argument = value, \
	.help = __VA_ARGS__ }

/* Rows that several commands have. */
#define TOOL_OPT_INPUT TOOL_OPT(TOOL_LIST, input, "input", 'i', "INPUT", \
	"fabric: a file, a dump directory or a description (weft-gen(1))")
#define TOOL_OPT_NAME_MAP TOOL_OPT(TOOL_TEXT, name_map, "node-name-map", 0, \
	"FILE", "names of nodes by GUID, as infiniband-diags has them")
#define TOOL_OPT_KINDS TOOL_OPT(TOOL_TEXT, kinds, "kinds", 0, "FILE", \
	"what hosts are for, a line each: 'io* storage'")
#define TOOL_OPT_MACHINES TOOL_OPT(TOOL_TEXT, machines, "hosts-by", 0, \
	"RULE", "adapters of one host: auto, name, system, node, or files of " \
	"hwloc, NCCL or a list")
#define TOOL_OPT_TABLE TOOL_OPT(TOOL_LIST, table, "tables", 't', "PATH", \
	"forwarding tables: a file, or a directory of them")
#define TOOL_OPT_ENGINE TOOL_OPT(TOOL_LIST, engine, "engine", 'e', "ENGINE", \
	"route with NAME or NAME:OPTION=VALUE,...")
#define TOOL_OPT_ENGINE_OPTION \
	TOOL_OPT(TOOL_LIST, engine_option, "option", 'O', "NAME=VALUE", \
	"set an option of the engines that have it")
#define TOOL_OPT_HOSTS TOOL_OPT(TOOL_CHOICE, hosts, "hosts", 0, "ca|all", \
	"what counts as a host: channel adapters, or aggregation nodes and " \
	"routers, too (default ca)", .choices = "ca|all")
#define TOOL_OPT_SEED TOOL_OPT(TOOL_NUMBER, seed, "seed", 0, "N", \
	"seed of the random numbers", .preset = 1, .max = UINT32_MAX)
#define TOOL_OPT_COLOR TOOL_OPT(TOOL_CHOICE, color, "color", 0, "WHEN", \
	"colours: auto (on a terminal, the default), always or never", \
	.choices = "auto|always|never")
#define TOOL_OPT_BISECTIONS TOOL_OPT(TOOL_NUMBER, count, "bisections", 'n', \
	"N", "how many random bisections to draw", .preset = 1000, .min = 1, \
	.max = INT64_MAX)
#define TOOL_OPT_THREADS TOOL_OPT(TOOL_NUMBER, threads, "threads", 0, "N", \
	"threads to use, 0 = one per processor; results are the same", \
	.max = 1024)
#define TOOL_OPT_MPI(what) TOOL_OPT(TOOL_FLAG, mpi, "mpi", 0, NULL, \
	"share the " what " with the other processes of mpirun")
#define TOOL_OPT_JSON TOOL_OPT(TOOL_FLAG, json, "json", 0, NULL, "print JSON")
#define TOOL_OPT_OBJECTIVE TOOL_OPT(TOOL_TEXT, objective, "objective", 0, \
	"WHAT", "judge by this basket (hpc or ai), this pattern, or by those " \
	"in a file with weights, instead of hpc")
#define TOOL_OPT_CSV TOOL_OPT(TOOL_FLAG, csv, "csv", 0, NULL, \
	"print comma-separated values"), \
	TOOL_OPT_SPREADSHEET
#define TOOL_OPT_SPREADSHEET \
	TOOL_OPT(TOOL_FLAG, spreadsheet, "spreadsheet", 0, NULL, \
	"in comma-separated values, ' before names that look like formulas")
#define TOOL_OPT_OUTPUT(what) \
	TOOL_OPT(TOOL_TEXT, output, "output", 'o', "FILE", what)
#define TOOL_OPT_FORCE TOOL_OPT(TOOL_FLAG, force, "force", 0, NULL, \
	"replace the tables of another run in the directory of -o")
#define TOOL_OPT_LAST \
	TOOL_OPT(TOOL_FLAG, quiet, "quiet", 'q', NULL, \
		 "no warnings and no progress bar"), \
	TOOL_OPT(TOOL_FLAG, verbose, "verbose", 'v', NULL, \
		 "notes, too, and all warnings, however many"), \
	TOOL_OPT(TOOL_FLAG, help, "help", 'h', NULL, "print this help"), \
	TOOL_OPT(TOOL_FLAG, help_all, "help-all", 0, NULL, \
		 "print the help of all options"), \
	TOOL_OPT(TOOL_FLAG, version, "version", 'V', NULL, \
		 "print the version"), \
	{ .name = NULL }

/* Fills in t->args and t->own.  Says what is wrong and returns false. */
bool tool_args_parse(struct tool *t, int argc, char **argv);
void tool_args_free(struct tool_args *args);
/* Takes settings for options that were not given.  False after an error
 * message. */
bool tool_args_settings(struct tool *t);
/* What a row of TOOL_PARAMETER stands for. */
const struct weft_option *tool_parameter(const struct tool_command *command,
					 const struct tool_option *o);
/* Whether that option was given, by its long name. */
bool tool_args_given(const struct tool *t, const char *name);
/* Reads what --objective asks for, which must be traffic; nothing without it.
 * *out is to be freed.  False after an error message. */
bool tool_objective_read(struct tool *t, struct weft_objective *out);
/* What --objective asks for, or what is judged by without it. */
const char *tool_objective_name(const struct tool *t);
void tool_list_add(struct tool_list *list, const char *item);

/* Prints the help of one command; 80 columns.  all: every option. */
void tool_help(const struct tool_command *command, bool all, FILE *out);

/* A share, "80%" or "0.8", at *at, which moves behind it, to one of the
 * characters of ends or the end. */
bool tool_share_at(const char **at, const char *ends, double *out);

/* Points at --help; false, for "return tool_hint(t);". */
bool tool_hint(const struct tool *t);
/* Says that the command line is wrong, points at --help; TOOL_FAILED. */
enum tool_status tool_usage(struct tool *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* --- talk.c --------------------------------------------------------------- */

/* Starts t->diag; false without memory. */
bool tool_talk_start(struct tool *t);
/* Follows --quiet and --verbose; starts the progress bar if stderr is a
 * terminal. */
void tool_talk_options(struct tool *t);
void tool_talk_stop(struct tool *t);

/* Says so; false, for "return tool_no_memory(t);". */
bool tool_no_memory(struct tool *t);

/* Sets what the progress bar says that the program does; it appears once the
 * program has run for a second. */
void tool_phase(struct tool *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The phases that follow are the stage-th, from 0, of stages that are alike, as
 * engines are: the bar tells how many of these there are still, and how long
 * all of them take. */
void tool_stage(struct tool *t, unsigned stage, unsigned stages);
/* Results are about to be printed: takes the bar away. */
void tool_phase_end(struct tool *t);
/* Messages that name no file are about this one; NULL: about none. */
void tool_talk_about(struct tool *t, const char *file);
/* A weft_ebb_spec.progress; context is the struct tool. */
void tool_progress(void *context, uint64_t done, uint64_t total);
/* A few words beside the bar, until the next phase. */
void tool_progress_note(struct tool *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* --- crew.c --------------------------------------------------------------- */

/* Joins the processes that mpirun started: sets t->crew; all but the first
 * become silent.  False after an error message. */
bool tool_crew_start(struct tool *t);
/* Closes the outputs and leaves them; one that failed ends all.  Returns the
 * status, TOOL_FAILED where an output could not be written.  Nothing to do
 * unless started. */
enum tool_status tool_crew_stop(struct tool *t, enum tool_status status);
/* From one process to another, in the order that they are sent in; the main
 * thread alone may.  0 or -errno; *bytes, malloc()ed, are set on success
 * only. */
int tool_crew_send(unsigned to, const void *bytes, size_t n);
int tool_crew_receive(unsigned from, void **bytes, size_t *n);

/* --- output.c ------------------------------------------------------------- */

/*
 * Files appear complete or not at all: each is written beside its final name,
 * as NAME.XXXXXX, and all of a run are renamed by tool_output_close(), when
 * each of them was written without an error.  An error, a signal that ends the
 * program and a fault of its own remove what was begun, directories too.  What
 * is not a plain file (a device, a pipe) is written directly.
 */

/*
 * Nothing is written over a file, nor into a directory, that was read as an
 * input, whichever name it is called by: tool_output_input() is told of each,
 * as weft_diag.opened, which may be after the output was opened.
 */
void tool_output_input(void *context, const char *path);

/* Whether -o names a file with that at its end. */
bool tool_output_ends(const struct tool *t, const char *end);
/* A report is JSON or CSV if -o names such a file and no option says which. */
void tool_output_by_name(struct tool *t);
/* path NULL or "-": standard output.  NULL after an error message. */
FILE *tool_output_open(struct tool *t, const char *path);
/* Makes a directory, unless there is one.  False after an error message. */
bool tool_output_directory(struct tool *t, const char *directory);
/* A file within a directory, which is made if needed. */
FILE *tool_output_open_in(struct tool *t, const char *directory,
			  const char *name);
/* Removes a file of a directory when the outputs are committed. */
bool tool_output_drop(struct tool *t, const char *directory, const char *name);
/*
 * Makes an output the key to all that are committed with it: without that file,
 * none of the others is read.  It is removed before they take the place of old
 * ones, and comes last, so that no moment leaves a mixture of old and new.
 */
void tool_output_key(const FILE *stream);
/* Closes the files that were opened so far, for a run with many of them; they
 * get their names with the others.  False after an error message. */
bool tool_output_seal(struct tool *t);
/* Name of an output for messages; valid until it is closed. */
const char *tool_output_name(const FILE *stream);
/*
 * Ends all outputs: flushes them and, if keep is set, moves them to their
 * names.  False after an error message.
 */
bool tool_output_close(struct tool *t, bool keep);
/* To be called once, first thing: closed descriptors, signals. */
void tool_output_prepare(void);

/* --- dump.c --------------------------------------------------------------- */

/*
 * Whether a path is, or shall become, a directory.  An existing one is what it
 * is; a new name is a directory unless it has an extension ("out", but
 * "out.lfts"); one with a '/' at its end always is.
 */
bool tool_dump_is_directory(const char *path);
/* Writes the file of that kind; out may be NULL: false.
 * False after an error message. */
bool tool_dump_write_file(struct tool *t, FILE *out, enum weft_file_kind kind,
			  const struct weft_fabric *f,
			  const struct weft_routes *routes);
/* Whether -o is no directory with tables of another run, or --force was given;
 * to be asked before anything is computed.  False after an error message. */
bool tool_dump_may_write(struct tool *t);
/* All into a directory, SL2VL tables if they are needed. */
bool tool_dump_write(struct tool *t, const char *path,
		     const struct weft_fabric *f,
		     const struct weft_routes *routes);

/* --- cases.c -------------------------------------------------------------- */

/* Seconds of a clock that only goes forward. */
double tool_clock(void);
/* Tables of a fabric, to be judged. */
struct tool_case {
	const char *input;	/* as given */
	const char *label;	/* engine with options, or file of tables */
	const char *engine;	/* the same, NULL unless made by one */
	bool spare;		/* by t->spare_engine: the input has none */
	const struct weft_fabric *fabric;
	const struct weft_routes *routes;	/* NULL where it refused */
	const char *refused;	/* why the engine did, or NULL */
	const char *topology;	/* file it came from, or description */
	const struct weft_sources *sources;	/* of the tables, NULL with an
						 * engine */
	double seconds;		/* that the engine took */
	uint32_t plane, planes;	/* which of how many, from 1; 0: there are no
				 * planes */
};

/*
 * Calls visit() for each combination of inputs and their tables: each -t, then
 * each -e; the input's own tables when there is neither.  Where ports of hosts
 * are cabled to several planes at once (weft/planes.h), each plane is a case.  Stops when visit()
 * returns false.  An engine that refuses a fabric is the end, or one of several
 * cases if t->bears_refusals; not all may.  False after an error message.
 */
bool tool_cases_each(struct tool *t,
		     bool (*visit)(struct tool *t, const struct tool_case *c,
				   void *context),
		     void *context);
/* Visits a case, or each plane of it; see planes.c. */
bool tool_planes_each(struct tool *t, const struct tool_case *c,
		      bool (*visit)(struct tool *t, const struct tool_case *c,
				    void *context),
		      void *context);
/* Says that the first of n planes is looked at. */
void tool_planes_warn(struct tool *t, const char *input, uint32_t n);
/* A report case by case: text and CSV as they come, JSON in the end. */
struct tool_report {
	FILE *out;
	json_t *cases;		/* NULL: not with --json */
	unsigned n;		/* cases before this one */
};
/* Opens its output, unless that is open; false after an error message. */
bool tool_report_open(struct tool *t, struct tool_report *r);
/* Prints what there is of JSON, if all went well; returns ok. */
bool tool_report_close(struct tool_report *r, bool ok);
/* Visits all cases with a report, context, to write to. */
enum tool_status tool_report_cases(struct tool *t,
				   bool (*visit)(struct tool *t,
						 const struct tool_case *c,
						 void *context));
/* The engine that routes inputs without tables: the setting, else
 * t->spare_engine; NULL: none does. */
const char *tool_spare_engine(const struct tool *t);
/* TOOL_FOUND where engines refused, TOOL_FAILED if not ok. */
enum tool_status tool_cases_status(const struct tool *t, bool ok);
/* The object of a case, as all commands have it: input, routes (the label), by
 * (engine or tables), and what else there is to tell, which is taken over. */
json_t *tool_case_json(const char *input, const char *label, const char *engine,
		       json_t *rest);
/* A line with the input and the engine of a case. */
void tool_case_head(const struct tool_case *c, FILE *out);
/* The same with the label, where that is something else; its end is left
 * open. */
void tool_case_line(const struct tool_case *c, FILE *out);
/* What stands for the figures of an engine that refused: a line of text, the
 * object of the case; and the end of any row of CSV, reason NULL: of
 * figures. */
void tool_refused_print(const char *input, const char *engine,
			const char *reason, FILE *out);
json_t *tool_refused_json(const char *input, const char *engine,
			  const char *reason);
void tool_refused_csv(const char *reason, FILE *out);
/* weft_input_open() with the names of the node name map, that of
 * --node-name-map or the one at its usual place.  False after an error
 * message. */
bool tool_input_open(struct tool *t, const char *input, bool fabric_only,
		     struct weft_input *out);
/* Adds what is no option to the inputs; false (said why) if none is left. */
bool tool_cases_inputs(struct tool *t);
/*
 * *out: the fabric with LIDs where they were missing, and with --lmc; NULL if
 * f will do.  False after an error message.
 */
bool tool_assign_lids(struct tool *t, const char *input,
		      const struct weft_fabric *f, struct weft_fabric **out);

/* --- tables.c ------------------------------------------------------------- */

/*
 * Reads the set of tables that begins with the *next-th -t, a file or a
 * directory, with the files of SLs and SL2VL tables that follow; moves *next
 * past them.  False after an error message.
 */
bool tool_tables_read(struct tool *t, unsigned *next,
		      const struct weft_fabric *f, struct weft_routes *out,
		      struct weft_sources *sources);

/* How many sets of tables the -t are.  False after an error message. */
bool tool_tables_count(struct tool *t, unsigned *n);

/* --- sources.c ------------------------------------------------------------ */

/* The files of the directory that tables were read from, for a line of text,
 * malloc()ed; or an object of all files of a case.  NULL without memory. */
char *tool_sources_text(const struct tool_case *c);
json_t *tool_sources_json(const struct tool_case *c);

/* --- text.c --------------------------------------------------------------- */

/* Name, GUID and base LID of a switch or of an endport's node and port. */
const char *tool_vertex_name(const struct weft_fabric *f, uint32_t vertex);
uint64_t tool_vertex_guid(const struct weft_fabric *f, uint32_t vertex);
unsigned tool_vertex_lid(const struct weft_fabric *f, uint32_t vertex);
/* Name of a vertex for people: with GUID and LID behind it where the fabric has
 * that name several times, its GUID if it has none.  O(vertices). */
const char *tool_text_vertex(const struct weft_fabric *f, uint32_t vertex,
			     char *buf, size_t size);
/* "leaf:13 -> spine:2", a channel of a switch or the link of an endport. */
const char *tool_text_channel(const struct weft_fabric *f, uint32_t channel,
			      char *buf, size_t size);
/* Columns of the terminal that out is, or that $COLUMNS says; else 80. */
unsigned tool_text_width(FILE *out);
/* How many columns of that width fit behind what stands on the left; >= 1. */
unsigned tool_text_fit(FILE *out, int left, int width);
/* Prints text in lines of at most 80 columns, broken at blanks, all but the
 * first indented; the first one starts at column used, or where little room is
 * left on a line of its own. */
void tool_text_wrap(FILE *out, int used, int indent, const char *text);
/* Two blanks and a bar of share (0..1) of width columns; nothing for none. */
void tool_text_bar(FILE *out, double share, int width);
/* Colours what is printed up to tool_color_end(), "green", "amber" or "red",
 * where out is a terminal and NO_COLOR is unset, or as --color says. */
void tool_color_by(const struct tool *t);
void tool_color(FILE *out, const char *color);
void tool_color_end(FILE *out);
/* A field of comma-separated values in quotes, with a comma behind it. */
void tool_text_csv(FILE *out, const char *text);
/* A JSON string of any bytes: what is not UTF-8 is taken for Latin-1. */
json_t *tool_json_string(const char *text);
/* Name, GUID and that LID of a vertex; null for WEFT_NONE. */
json_t *tool_json_vertex(const struct weft_fabric *f, uint32_t vertex,
			 unsigned lid);
/* The same with its base LID. */
json_t *tool_json_node(const struct weft_fabric *f, uint32_t vertex);
/* Both ends of a channel of a switch: switch, port, peer, peer_port. */
json_t *tool_json_channel(const struct weft_fabric *f, uint32_t channel);
json_t *tool_json_guid(uint64_t guid);
/* Prints and frees root. */
void tool_json_print(FILE *out, json_t *root);
/* Prints and frees an array of objects as comma-separated values: a column for
 * each of their figures that is in no list, "a.b" for b of the object a. */
void tool_json_csv(FILE *out, json_t *cases);

#endif
