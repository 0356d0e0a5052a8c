// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Text, JSON and CSV of a record; see record.h. */
#include "tools/common/record.h"

#include "tools/common/tool.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MIB 1048576.0
#define ROOM 160	/* for a figure in words */
#define KEY 64		/* for the name of an object */

static const void *place(const struct tool_field *field, const void *record)
{
	return (const char *)record + field->at;
}

static uint64_t count(const struct tool_field *field, const void *record)
{
	const void *p = place(field, record);

	return field->kind == TOOL_U32 ? *(const uint32_t *)p :
					 *(const uint64_t *)p;
}

static double real(const struct tool_field *field, const void *record)
{
	return *(const double *)place(field, record);
}

static const char *string(const struct tool_field *field, const void *record)
{
	return *(const char *const *)place(field, record);
}

static bool is_real(const struct tool_field *field)
{
	return field->kind == TOOL_REAL || field->kind == TOOL_SHARE;
}

bool tool_field_known(const struct tool_field *field, const void *record)
{
	if (field->when && !field->when(record))
		return false;
	if (is_real(field))
		return isfinite(real(field, record));
	return field->kind < TOOL_WORD || string(field, record);
}

/* --- for people ----------------------------------------------------------- */

static const char *words(const struct tool_field *field, const void *record,
			 double scale, int digits, char *buf, size_t size)
{
	switch (field->kind) {
	case TOOL_U32:
	case TOOL_U64:
		snprintf(buf, size, "%s",
			 WEFT_COUNT(count(field, record), NULL));
		break;
	case TOOL_REAL:
	case TOOL_SHARE:
		snprintf(buf, size, "%.*f", digits,
			 scale * real(field, record));
		break;
	case TOOL_MIB:
		snprintf(buf, size, "%.*f", digits,
			 count(field, record) / MIB);
		break;
	case TOOL_YES:
		snprintf(buf, size, "%s",
			 *(const bool *)place(field, record) ? "yes" : "no");
		break;
	case TOOL_WORD:
	case TOOL_NAME:
		weft_printable(buf, size, string(field, record));
		break;
	}
	return buf;
}

const char *tool_field_text(const struct tool_field *field, const void *record,
			    char *buf, size_t size)
{
	return !tool_field_known(field, record) ? "-" :
	       words(field, record, 1, field->digits, buf, size);
}

const char *tool_field_cell(const struct tool_field *field, const void *record,
			    char *buf, size_t size)
{
	bool share = field->kind == TOOL_SHARE;

	return !tool_field_known(field, record) ? "–" :
	       words(field, record, share ? 100 : 1,
		     share ? 1 : field->digits, buf, size);
}

void tool_record_heads(const struct tool_field *field, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++)
		if (field[i].words)
			fprintf(out, "%*s", field[i].width, field[i].words);
}

void tool_record_row(const struct tool_field *field, size_t n,
		     const void *record, FILE *out)
{
	char buf[ROOM];

	for (size_t i = 0; i < n; i++)
		if (field[i].words)
			fprintf(out, "%*s", field[i].width,
				tool_field_text(&field[i], record, buf,
						sizeof(buf)));
}

/* --- CSV ------------------------------------------------------------------ */

void tool_record_keys(const struct tool_field *field, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? "," : "", field[i].key);
}

static void put(const struct tool_field *field, const void *record, FILE *out)
{
	switch (field->kind) {
	case TOOL_U32:
	case TOOL_U64:
	case TOOL_MIB:
		fprintf(out, "%" PRIu64, count(field, record));
		break;
	case TOOL_REAL:
	case TOOL_SHARE:
		if (field->exact)
			fprintf(out, "%.*f", field->digits,
				real(field, record));
		else
			fprintf(out, "%.6g", real(field, record));
		break;
	case TOOL_YES:
		fputs(*(const bool *)place(field, record) ? "yes" : "no", out);
		break;
	case TOOL_WORD:
		fputs(string(field, record), out);
		break;
	case TOOL_NAME:
		weft_io_csv_quoted(out, string(field, record));
		break;
	}
}

void tool_record_csv(const struct tool_field *field, size_t n,
		     const void *record, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			fputc(',', out);
		if (tool_field_known(&field[i], record))
			put(&field[i], record, out);
		else if (field[i].kind == TOOL_NAME)
			weft_io_csv_quoted(out, "");
	}
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *value(const struct tool_field *field, const void *record)
{
	if (!tool_field_known(field, record))
		return json_null();
	switch (field->kind) {
	case TOOL_U32:
	case TOOL_U64:
	case TOOL_MIB:
		return json_integer((json_int_t)count(field, record));
	case TOOL_REAL:
	case TOOL_SHARE:
		return json_real(real(field, record));
	case TOOL_YES:
		return json_boolean(*(const bool *)place(field, record));
	case TOOL_WORD:
	case TOOL_NAME:
		return tool_json_string(string(field, record));
	}
	return json_null();
}

/* The object within one that a key leads to; moves *key behind its dots. */
static json_t *within(json_t *object, const char **key)
{
	const char *dot;

	while ((dot = strchr(*key, '.'))) {
		json_t *inner;
		char name[KEY];

		snprintf(name, sizeof(name), "%.*s", (int)(dot - *key), *key);
		inner = json_object_get(object, name);
		if (!inner) {
			inner = json_object();
			json_object_set_new(object, name, inner);
		}
		object = inner;
		*key = dot + 1;
	}
	return object;
}

void tool_record_json(const struct tool_field *field, size_t n,
		      const void *record, json_t *object)
{
	for (size_t i = 0; i < n; i++) {
		const char *key = field[i].key;
		json_t *into = within(object, &key);

		json_object_set_new(into, key, value(&field[i], record));
	}
}
