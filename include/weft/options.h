/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Option tables: one row {name, type, default, help} feeds the command line,
 * the plugin's weft.conf, --help and the manual.
 *
 * Threads: any number may read one struct weft_options as long as none sets
 * anything.  A table has to outlive the options that were made from it.
 */
#ifndef WEFT_OPTIONS_H
#define WEFT_OPTIONS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;
struct weft_list;

enum weft_option_type {
	WEFT_OPT_END,		/* terminates a table */
	WEFT_OPT_INT,		/* decimal, min..max */
	WEFT_OPT_BOOL,		/* yes/no, true/false, on/off, 1/0 */
	WEFT_OPT_REAL,		/* a finite decimal fraction */
	WEFT_OPT_STRING,
	WEFT_OPT_ENUM,		/* one of choices, "a|b|c" */
	WEFT_OPT_LIST,		/* nodes, or a file of them: weft/list.h */
	WEFT_OPT_OBJECTIVE,	/* patterns, or a file of them: weft/worth.h */
	WEFT_OPT_JOBS,		/* a job, or a file of them: weft/jobs.h */
};

struct weft_option {
	const char *name;	/* lower case, digits, '-' or '_' */
	enum weft_option_type type;
	const char *preset;	/* the default, as text; NULL = unset */
	const char *help;	/* one line, no full stop */
	long min, max;		/* WEFT_OPT_INT */
	const char *choices;	/* WEFT_OPT_ENUM; WEFT_OPT_LIST: what may be
				 * said about each node, in capitals for any
				 * number; NULL = nothing; min 1: has to be */
};

/* Values over one table.  Owns copies of its strings. */
struct weft_options;

/* Values set to the defaults.  table may be NULL (no options). */
int weft_options_new(struct weft_options **out,
		     const struct weft_option *table);
void weft_options_free(struct weft_options *o);

/*
 * Sets one option.  -ENOENT: no such option (the error lists what there is);
 * -EINVAL: the value does not parse or is out of range (the error says what is
 * accepted).  where_file/where_line may be NULL/0.
 */
int weft_options_set(struct weft_options *o, const char *name,
		     const char *value, const char *where_file,
		     unsigned long where_line, struct weft_diag *diag);
/* "name=value" or, for booleans, "name". */
int weft_options_parse(struct weft_options *o, const char *assignment,
		       struct weft_diag *diag);

/* Reading an option that is not in the table is a bug and aborts. */
long weft_options_int(const struct weft_options *o, const char *name);
bool weft_options_bool(const struct weft_options *o, const char *name);
double weft_options_real(const struct weft_options *o, const char *name);
/* String or choice; NULL when unset.  Owned by o. */
const char *weft_options_text(const struct weft_options *o, const char *name);
/*
 * A list of nodes; NULL in *list when unset.  Owned by o.  Where nobody has
 * read the files that options name (weft_io_read_lists()) their names count as
 * those of nodes.  -EINVAL after an error: no list at all.
 */
int weft_options_list(const struct weft_options *o, const char *name,
		      const struct weft_list **list, struct weft_diag *diag);
/* Sets an option to what another table has under the same name, lists and what
 * was read included; 0 or -ENOMEM. */
int weft_options_copy(struct weft_options *to, const struct weft_options *from,
		      const char *name);
/* Whether the table has an option. */
bool weft_options_has(const struct weft_options *o, const char *name);
/* Whether a value was set explicitly, not by default. */
bool weft_options_given(const struct weft_options *o, const char *name);
const struct weft_option *weft_options_table(const struct weft_options *o);

#ifdef __cplusplus
}
#endif
#endif
