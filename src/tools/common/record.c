// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Text, JSON and CSV of a record; see record.h. */
#include "tools/common/record.h"

#include "tools/common/tool.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MIB 1048576.0
#define ROOM 160	/* for a figure in words */
#define WORDS 24	/* columns of the words of a line */
#define KEY 64		/* for the name of an object */

static const void *place(const struct tool_field *field, const void *record)
{
	return (const char *)record + field->at;
}

static uint64_t count(const struct tool_field *field, const void *record)
{
	const void *p = place(field, record);

	switch (field->size) {
	case sizeof(uint8_t):
		return *(const uint8_t *)p;
	case sizeof(uint16_t):
		return *(const uint16_t *)p;
	case sizeof(uint32_t):
		return *(const uint32_t *)p;
	default:
		return *(const uint64_t *)p;
	}
}

static double real(const struct tool_field *field, const void *record)
{
	return *(const double *)place(field, record);
}

static long integer(const struct tool_field *field, const void *record)
{
	return *(const long *)place(field, record);
}

static const char *string(const struct tool_field *field, const void *record)
{
	if (field->names)
		return field->names[count(field, record)];
	if (field->kind == TOOL_CHARS)
		return place(field, record);
	return *(const char *const *)place(field, record);
}

struct tool_vertex tool_vertex(const struct weft_fabric *f, uint32_t id)
{
	return (struct tool_vertex){
		f, id, id == WEFT_NONE ? 0 : tool_vertex_lid(f, id)
	};
}

static bool is_real(const struct tool_field *field)
{
	return field->kind == TOOL_REAL || field->kind == TOOL_SHARE;
}

const struct tool_field *tool_field_find(const struct tool_field *table,
					 const char *key)
{
	while (table->key && strcmp(table->key, key))
		table++;
	return table->key ? table : NULL;
}

bool tool_field_known(const struct tool_field *field, const void *record)
{
	if (!record || (field->when && !field->when(record)))
		return false;
	if (is_real(field))
		return isfinite(real(field, record));
	if (field->kind == TOOL_VERTEX) {
		const struct tool_vertex *v = place(field, record);

		return v->f && v->id != WEFT_NONE;
	}
	return (field->kind != TOOL_WORD && field->kind != TOOL_NAME) ||
	       string(field, record);
}

static uint32_t nrows(const struct tool_field *field, const void *record)
{
	return *(const uint32_t *)((const char *)record + field->n_at);
}

static const char *rows(const struct tool_field *field, const void *record)
{
	return *(const char *const *)place(field, record);
}

/* The record within one, of rows the row-th; NULL where it is not known. */
static const void *part(const struct tool_field *field, const void *record,
			uint32_t row)
{
	if (!tool_field_known(field, record))
		return NULL;
	if (field->kind == TOOL_PART)
		return place(field, record);
	return row >= nrows(field, record) ? NULL :
	       rows(field, record) + row * field->stride;
}

double tool_field_number(const struct tool_field *field, const void *record)
{
	if (!tool_field_known(field, record))
		return NAN;
	return is_real(field) ? real(field, record) : count(field, record);
}

/* --- for people ----------------------------------------------------------- */

static const char *words(const struct tool_field *field, const void *record,
			 double scale, int digits, char *buf, size_t size)
{
	const struct tool_vertex *v = place(field, record);

	switch (field->kind) {
	case TOOL_COUNT:
		snprintf(buf, size, "%s",
			 WEFT_COUNT(count(field, record), NULL));
		break;
	case TOOL_LONG:
		snprintf(buf, size, "%ld", integer(field, record));
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
	case TOOL_ONE_OF:
	case TOOL_WORD:
	case TOOL_NAME:
	case TOOL_CHARS:
		weft_diag_printable(buf, size, string(field, record));
		break;
	case TOOL_GUID:
		snprintf(buf, size, "0x%016" PRIx64, count(field, record));
		break;
	case TOOL_VERTEX:
		tool_text_vertex(v->f, v->id, buf, size);
		break;
	case TOOL_PART:
	case TOOL_ROWS:
	case TOOL_TREE:
		*buf = '\0';
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

void tool_record_heads(const struct tool_field *table, FILE *out)
{
	for (; table->key; table++)
		if (table->words)
			fprintf(out, "%*s", table->width, table->words);
}

void tool_record_row(const struct tool_field *table, const void *record,
		     FILE *out)
{
	char buf[ROOM];

	for (; table->key; table++)
		if (table->words)
			fprintf(out, "%*s", table->width,
				tool_field_text(table, record, buf,
						sizeof(buf)));
}

static bool is_known(const struct tool_field *field, const void *const *record,
		     unsigned n)
{
	while (n && !tool_field_known(field, record[n - 1]))
		n--;
	return n;
}

void tool_record_lines(const struct tool_field *table,
		       const void *const *record, unsigned n, FILE *out)
{
	char buf[ROOM];

	for (; table->key; table++) {
		if (!table->words || !is_known(table, record, n))
			continue;
		fprintf(out, "  %-*s", WORDS, table->words);
		for (unsigned i = 0; i < n; i++)
			fprintf(out, "%*s%s", table->width,
				tool_field_text(table, record[i], buf,
						sizeof(buf)),
				i + 1 < n ? "     " : "");
		fprintf(out, "%s%s\n", table->unit ? "  " : "",
			table->unit ? table->unit : "");
	}
}

/* --- CSV ------------------------------------------------------------------ */

static bool has_column(const struct tool_field *field)
{
	return field->kind != TOOL_TREE && !(field->column && !*field->column);
}

/* The keys of a record within others, whose keys are before. */
static void keys(const struct tool_field *table, const char *before,
		 const char *gap, FILE *out)
{
	for (; table->key; table++) {
		const char *key = table->column ? table->column : table->key;
		char whole[KEY];

		if (!has_column(table))
			continue;
		snprintf(whole, sizeof(whole), "%s%s%s", before,
			 *before ? "." : "", key);
		if (table->part)
			keys(table->part, whole, gap, out);
		else
			fprintf(out, "%s%s", gap, whole);
		gap = ",";
	}
}

void tool_record_keys(const struct tool_field *table, FILE *out)
{
	keys(table, "", "", out);
}

static void put(const struct tool_field *field, const void *record, FILE *out)
{
	const struct tool_vertex *v = place(field, record);

	switch (field->kind) {
	case TOOL_COUNT:
	case TOOL_MIB:
		fprintf(out, "%" PRIu64, count(field, record));
		break;
	case TOOL_LONG:
		fprintf(out, "%ld", integer(field, record));
		break;
	case TOOL_REAL:
	case TOOL_SHARE:
		if (field->exact)
			fprintf(out, "%.*f", field->digits,
				real(field, record));
		else
			fprintf(out, "%.*g", field->digits > 6 ?
				field->digits : 6, real(field, record));
		break;
	case TOOL_YES:
		fputs(*(const bool *)place(field, record) ? "yes" : "no", out);
		break;
	case TOOL_ONE_OF:
	case TOOL_WORD:
		fputs(string(field, record), out);
		break;
	case TOOL_NAME:
	case TOOL_CHARS:
		weft_io_csv_quoted(out, string(field, record));
		break;
	case TOOL_GUID:
		fprintf(out, "0x%016" PRIx64, count(field, record));
		break;
	case TOOL_VERTEX:
		weft_io_csv_quoted(out, tool_vertex_name(v->f, v->id));
		break;
	case TOOL_PART:
	case TOOL_ROWS:
	case TOOL_TREE:
		break;
	}
}

static bool is_quoted(const struct tool_field *field)
{
	return field->kind == TOOL_NAME || field->kind == TOOL_CHARS ||
	       field->kind == TOOL_VERTEX;
}

void tool_record_csv_row(const struct tool_field *table, const void *record,
			 uint32_t row, FILE *out)
{
	const char *gap = "";

	for (; table->key; table++) {
		if (!has_column(table))
			continue;
		fputs(gap, out);
		gap = ",";
		if (table->part)
			tool_record_csv_row(table->part,
					    part(table, record, row), 0, out);
		else if (tool_field_known(table, record))
			put(table, record, out);
		else if (is_quoted(table))
			weft_io_csv_quoted(out, "");
	}
}

void tool_record_csv(const struct tool_field *table, const void *record,
		     FILE *out)
{
	tool_record_csv_row(table, record, 0, out);
}

uint32_t tool_record_csv_rows(const struct tool_field *table,
			      const void *record)
{
	while (table->key && table->kind != TOOL_ROWS)
		table++;
	return table->key && record && nrows(table, record) ?
		       nrows(table, record) : 1;
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *value(const struct tool_field *field, const void *record)
{
	const struct tool_vertex *v = place(field, record);
	char guid[ROOM];

	if (!tool_field_known(field, record))
		return json_null();
	switch (field->kind) {
	case TOOL_COUNT:
	case TOOL_MIB:
		return json_integer((json_int_t)count(field, record));
	case TOOL_LONG:
		return json_integer(integer(field, record));
	case TOOL_REAL:
	case TOOL_SHARE:
		return json_real(real(field, record));
	case TOOL_YES:
		return json_boolean(*(const bool *)place(field, record));
	case TOOL_ONE_OF:
	case TOOL_WORD:
	case TOOL_NAME:
	case TOOL_CHARS:
		return tool_json_string(string(field, record));
	case TOOL_GUID:
		return json_string(words(field, record, 1, 0, guid,
					 sizeof(guid)));
	case TOOL_VERTEX:
		return tool_json_vertex(v->f, v->id, v->lid);
	case TOOL_PART:
		return tool_record_object(field->part, place(field, record));
	case TOOL_ROWS:
		return tool_record_array(field->part, rows(field, record),
					 nrows(field, record), field->stride);
	case TOOL_TREE:
		return field->tree(record);
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

void tool_record_json(const struct tool_field *table, const void *record,
		      json_t *object)
{
	for (; table->key; table++) {
		const char *key = table->key;
		json_t *into;

		if (table->left_out && !table->when(record))
			continue;
		into = within(object, &key);
		json_object_set_new(into, key, value(table, record));
	}
}

json_t *tool_record_object(const struct tool_field *table, const void *record)
{
	json_t *object = json_object();

	tool_record_json(table, record, object);
	return object;
}

json_t *tool_record_array(const struct tool_field *table, const void *record,
			  size_t n, size_t size)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, tool_record_object(
			table, (const char *)record + i * size));
	return array;
}

bool tool_records_print(const struct tool *t, const struct tool_field *table,
			const void *record, size_t n, size_t size, FILE *out)
{
	const char *at = record;

	if (t->args.json)
		tool_json_print(out, tool_record_array(table, record, n, size));
	if (!t->args.csv)
		return t->args.json;
	tool_record_keys(table, out);
	fputc('\n', out);
	for (size_t i = 0; i < n; i++, at += size)
		for (uint32_t k = 0; k < tool_record_csv_rows(table, at); k++) {
			tool_record_csv_row(table, at, k, out);
			fputc('\n', out);
		}
	return true;
}

bool tool_record_print(const struct tool *t, const struct tool_field *table,
		       const void *record, FILE *out)
{
	if (!t->args.json)
		return tool_records_print(t, table, record, 1, 0, out);
	tool_json_print(out, tool_record_object(table, record));
	return true;
}
