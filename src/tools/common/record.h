/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a record tells, described once: text, JSON, CSV and cells of a page come
 * of one table, so that none of them can lack a figure or give it another name.
 *
 * A record is any structure.  A table has a row for each of its figures: where
 * it is, what it is called by programs and by people, and when it is known.
 */
#ifndef WEFT_TOOLS_COMMON_RECORD_H
#define WEFT_TOOLS_COMMON_RECORD_H

#include <weft/fabric.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct tool;
struct tool_case;
struct tool_report;

enum tool_kind {
	TOOL_COUNT,	/* an unsigned integer of any size */
	TOOL_LONG,	/* long */
	TOOL_ONE_OF,	/* an enum, its names among names */
	TOOL_REAL,	/* double; one that is not finite is not known */
	TOOL_SHARE,	/* the same, a share of one: per cent on a page */
	TOOL_MIB,	/* uint64_t bytes, which people read in MiB */
	TOOL_YES,	/* bool: yes or no in CSV */
	TOOL_WORD,	/* const char *, one of ours: not quoted in CSV */
	TOOL_NAME,	/* const char *, any text; NULL is not known */
	TOOL_CHARS,	/* the same, an array of char */
	TOOL_GUID,	/* uint64_t */
	TOOL_VERTEX,	/* struct tool_vertex; its name in CSV */
	TOOL_PART,	/* a record within this one, of the table part: its
			 * figures are "key.a" in CSV, an object in JSON */
	TOOL_ROWS,	/* a pointer to records of the table part: an array of
			 * objects in JSON, in CSV a line for each of them, or
			 * one without; a table has one such at most */
	TOOL_TREE,	/* what tree() makes of the record: JSON has it, the
			 * rest leaves it out */
};

/* A switch or an endport with the LID that is told; f NULL or WEFT_NONE: not
 * known. */
struct tool_vertex {
	const struct weft_fabric *f;
	uint32_t id;
	unsigned lid;
};
/* The same with its base LID. */
struct tool_vertex tool_vertex(const struct weft_fabric *f, uint32_t id);

struct tool_field {
	const char *key;	/* in JSON and CSV; "a.b": b of the object a */
	const char *column;	/* in CSV, NULL: the key, "": it has none */
	const char *words;	/* for people, above a column or before a
				 * line; NULL: it has none */
	const char *unit;	/* behind the figures of a line */
	enum tool_kind kind;
	size_t at, size;	/* in the record */
	int digits;		/* of a real figure for people; in CSV if it
				 * is exact, else %.6g */
	int width;		/* of a column of text */
	bool exact;
	bool left_out;		/* of JSON, not null, where when() says no */
	bool (*when)(const void *record);	/* it is known; NULL: always */
	const char *const *names;
	const struct tool_field *part;
	size_t n_at, stride;	/* of rows: where their number is, a uint32_t,
				 * and how far they are apart */
	json_t *(*tree)(const void *record);
};

/* A row of a table: the structure, the member, the kind without TOOL_, the
 * key.  A table ends with TOOL_FIELDS_END. */
#define TOOL_FIELD(structure, member, type, name, ...) { .key = name, \
	.kind = TOOL_##type, .at = offsetof(structure, member), \
	.size = sizeof(((structure *)NULL)->member), __VA_ARGS__ }
#define TOOL_PART_OF(structure, member, table, name, ...) { .key = name, \
	.kind = TOOL_PART, .at = offsetof(structure, member), .part = table, \
	__VA_ARGS__ }
#define TOOL_ROWS_OF(structure, member, number, table, name) { .key = name, \
	.kind = TOOL_ROWS, .at = offsetof(structure, member), .part = table, \
	.n_at = offsetof(structure, number), \
	.stride = sizeof(*((structure *)NULL)->member) }
#define TOOL_TREE_OF(name, make, ...) { .key = name, .kind = TOOL_TREE, \
	.tree = make, __VA_ARGS__ }
#define TOOL_FIELDS_END { .key = NULL }

/* The row of that key, NULL for none. */
const struct tool_field *tool_field_find(const struct tool_field *table,
					 const char *key);
/* Whether a record has that figure; none, NULL, has nothing. */
bool tool_field_known(const struct tool_field *field, const void *record);

/* The figure of a count or of a real one; NAN where it is not known. */
double tool_field_number(const struct tool_field *field, const void *record);

/* The figure for people, in buf; "-" where it is not known. */
const char *tool_field_text(const struct tool_field *field, const void *record,
			    char *buf, size_t size);
/* The same for a page: shares in per cent. */
const char *tool_field_cell(const struct tool_field *field, const void *record,
			    char *buf, size_t size);

/* The keys, or the figures, with commas between them, no end of line; of rows
 * the first. */
void tool_record_keys(const struct tool_field *table, FILE *out);
void tool_record_csv(const struct tool_field *table, const void *record,
		     FILE *out);
/* How many lines a record takes, and the row-th of them. */
uint32_t tool_record_csv_rows(const struct tool_field *table,
			      const void *record);
void tool_record_csv_row(const struct tool_field *table, const void *record,
			 uint32_t row, FILE *out);

/* Sets the figures in an object, or makes one of them; what is not known is
 * null. */
void tool_record_json(const struct tool_field *table, const void *record,
		      json_t *object);
json_t *tool_record_object(const struct tool_field *table, const void *record);
/* An object of each of n records of that size. */
json_t *tool_record_array(const struct tool_field *table, const void *record,
			  size_t n, size_t size);

/* A line that begins with the input and the label of a case; header: that of
 * the keys comes before it.  record NULL: nothing but that. */
void tool_record_line(const struct tool_field *table,
		      const struct tool_case *c, const void *record,
		      bool header, FILE *out);

/* What a report tells of a case, a record each, as JSON or CSV; false where it
 * is text that is asked for.  Counts the case. */
bool tool_report_record(struct tool *t, struct tool_report *r,
			const struct tool_case *c,
			const struct tool_field *table, const void *record);
/* The same, and as text what print() writes below the name of the case. */
void tool_report_case(struct tool *t, struct tool_report *r,
		      const struct tool_case *c, const struct tool_field *table,
		      const void *record,
		      void (*print)(const void *record, FILE *out));

/* What is one record: JSON, or CSV with a line of keys before it, as --json or
 * --csv ask for.  False where neither does: nothing is written then. */
bool tool_record_print(const struct tool *t, const struct tool_field *table,
		       const void *record, FILE *out);
/* The same of a list of records of that size. */
bool tool_records_print(const struct tool *t, const struct tool_field *table,
			const void *record, size_t n, size_t size, FILE *out);

/* A line of text with what columns are called, or with the figures, right
 * aligned, without its end. */
void tool_record_heads(const struct tool_field *table, FILE *out);
void tool_record_row(const struct tool_field *table, const void *record,
		     FILE *out);
/* A line for each figure that one of n records has: its words, its figure in
 * each of them, its unit. */
void tool_record_lines(const struct tool_field *table,
		       const void *const *record, unsigned n, FILE *out);

#endif
