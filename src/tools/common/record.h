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

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum tool_kind {
	TOOL_U32,	/* uint32_t, unsigned */
	TOOL_U64,
	TOOL_REAL,	/* double; one that is not finite is not known */
	TOOL_SHARE,	/* the same, a share of one: per cent on a page */
	TOOL_MIB,	/* uint64_t bytes, which people read in MiB */
	TOOL_YES,	/* bool: yes or no in CSV */
	TOOL_WORD,	/* const char *, one of ours: not quoted in CSV */
	TOOL_NAME,	/* const char *, any text; NULL is not known */
};

struct tool_field {
	const char *key;	/* in JSON and CSV; "a.b": b of the object a */
	const char *words;	/* for people, above a column; NULL: it has
				 * none */
	enum tool_kind kind;
	size_t at;		/* in the record */
	int digits;		/* of a real figure for people; in CSV if it
				 * is exact, else %.6g */
	int width;		/* of a column of text */
	bool exact;
	bool (*when)(const void *record);	/* it is known; NULL: always */
};

/* A row of a table: the structure, the member, the kind without TOOL_, the
 * key. */
#define TOOL_FIELD(structure, member, type, name, ...) { .key = name, \
	.kind = TOOL_##type, .at = offsetof(structure, member), __VA_ARGS__ }

/* Whether a record has that figure. */
bool tool_field_known(const struct tool_field *field, const void *record);

/* The figure for people, in buf; "-" where it is not known. */
const char *tool_field_text(const struct tool_field *field, const void *record,
			    char *buf, size_t size);
/* The same for a page: shares in per cent. */
const char *tool_field_cell(const struct tool_field *field, const void *record,
			    char *buf, size_t size);

/* The keys, or the figures, with commas between them, no end of line. */
void tool_record_keys(const struct tool_field *field, size_t n, FILE *out);
void tool_record_csv(const struct tool_field *field, size_t n,
		     const void *record, FILE *out);

/* Sets the figures in an object; what is not known is null. */
void tool_record_json(const struct tool_field *field, size_t n,
		      const void *record, json_t *object);

/* A line of text with what columns are called, or with the figures, right
 * aligned, without its end. */
void tool_record_heads(const struct tool_field *field, size_t n, FILE *out);
void tool_record_row(const struct tool_field *field, size_t n,
		     const void *record, FILE *out);

#endif
