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
	TOOL_REAL,	/* double; one that is not finite is not known */
	TOOL_SHARE,	/* the same, a share of one: per cent on a page */
	TOOL_MIB,	/* uint64_t bytes, which people read in MiB */
	TOOL_YES,	/* bool: yes or no in CSV */
	TOOL_WORD,	/* const char *, one of ours: not quoted in CSV */
	TOOL_NAME,	/* const char *, any text; NULL is not known */
	TOOL_GUID,	/* uint64_t */
	TOOL_VERTEX,	/* struct tool_vertex; its name in CSV */
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
	const char *column;	/* in CSV, NULL: the key */
	const char *words;	/* for people, above a column; NULL: it has
				 * none */
	enum tool_kind kind;
	size_t at, size;	/* in the record */
	int digits;		/* of a real figure for people; in CSV if it
				 * is exact, else %.6g */
	int width;		/* of a column of text */
	bool exact;
	bool (*when)(const void *record);	/* it is known; NULL: always */
	json_t *(*tree)(const void *record);
};

/* A row of a table: the structure, the member, the kind without TOOL_, the
 * key.  A table ends with TOOL_FIELDS_END. */
#define TOOL_FIELD(structure, member, type, name, ...) { .key = name, \
	.kind = TOOL_##type, .at = offsetof(structure, member), \
	.size = sizeof(((structure *)NULL)->member), __VA_ARGS__ }
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

/* The keys, or the figures, with commas between them, no end of line. */
void tool_record_keys(const struct tool_field *table, FILE *out);
void tool_record_csv(const struct tool_field *table, const void *record,
		     FILE *out);

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

/* What a report tells of a case, a record each: JSON, CSV, or what print()
 * writes below the name of the case.  Counts the case. */
void tool_report_case(struct tool *t, struct tool_report *r,
		      const struct tool_case *c, const struct tool_field *table,
		      const void *record,
		      void (*print)(const void *record, FILE *out));

/* A line of text with what columns are called, or with the figures, right
 * aligned, without its end. */
void tool_record_heads(const struct tool_field *table, FILE *out);
void tool_record_row(const struct tool_field *table, const void *record,
		     FILE *out);

#endif
