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

static const char *string(const struct tool_field *field, const void *record)
{
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
	case TOOL_GUID:
		snprintf(buf, size, "0x%016" PRIx64, count(field, record));
		break;
	case TOOL_VERTEX:
		tool_text_vertex(v->f, v->id, buf, size);
		break;
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

/* --- CSV ------------------------------------------------------------------ */

void tool_record_keys(const struct tool_field *table, FILE *out)
{
	const char *gap = "";

	for (; table->key; table++) {
		if (table->kind == TOOL_TREE)
			continue;
		fprintf(out, "%s%s", gap,
			table->column ? table->column : table->key);
		gap = ",";
	}
}

static void put(const struct tool_field *field, const void *record, FILE *out)
{
	const struct tool_vertex *v = place(field, record);

	switch (field->kind) {
	case TOOL_COUNT:
	case TOOL_MIB:
		fprintf(out, "%" PRIu64, count(field, record));
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
	case TOOL_WORD:
		fputs(string(field, record), out);
		break;
	case TOOL_NAME:
		weft_io_csv_quoted(out, string(field, record));
		break;
	case TOOL_GUID:
		fprintf(out, "0x%016" PRIx64, count(field, record));
		break;
	case TOOL_VERTEX:
		weft_io_csv_quoted(out, tool_vertex_name(v->f, v->id));
		break;
	case TOOL_TREE:
		break;
	}
}

void tool_record_csv(const struct tool_field *table, const void *record,
		     FILE *out)
{
	const char *gap = "";

	for (; table->key; table++) {
		if (table->kind == TOOL_TREE)
			continue;
		fputs(gap, out);
		if (tool_field_known(table, record))
			put(table, record, out);
		else if (table->kind == TOOL_NAME || table->kind == TOOL_VERTEX)
			weft_io_csv_quoted(out, "");
		gap = ",";
	}
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
	case TOOL_REAL:
	case TOOL_SHARE:
		return json_real(real(field, record));
	case TOOL_YES:
		return json_boolean(*(const bool *)place(field, record));
	case TOOL_WORD:
	case TOOL_NAME:
		return tool_json_string(string(field, record));
	case TOOL_GUID:
		return json_string(words(field, record, 1, 0, guid,
					 sizeof(guid)));
	case TOOL_VERTEX:
		return tool_json_vertex(v->f, v->id, v->lid);
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
		json_t *into = within(object, &key);

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

/* --- cases ---------------------------------------------------------------- */

void tool_record_line(const struct tool_field *table,
		      const struct tool_case *c, const void *record,
		      bool header, FILE *out)
{
	if (header) {
		fputs("input,routes,", out);
		tool_record_keys(table, out);
		fputc('\n', out);
	}
	if (!record)
		return;
	tool_text_csv(out, c->input);
	tool_text_csv(out, c->label);
	tool_record_csv(table, record, out);
	fputc('\n', out);
}

static json_t *case_json(const struct tool_case *c,
			 const struct tool_field *table, const void *record)
{
	json_t *rest;

	if (c->refused)
		return tool_refused_json(c->input, c->label, c->refused);
	rest = json_pack("{s:n}", "refused");
	tool_record_json(table, record, rest);
	return tool_case_json(c->input, c->label, c->engine, rest);
}

static void case_csv(const struct tool_report *r, const struct tool_case *c,
		     const struct tool_field *table, const void *record)
{
	if (!r->n) {
		fputs("input,routes,by,", r->out);
		tool_record_keys(table, r->out);
		fputs(",refused\n", r->out);
	}
	tool_text_csv(r->out, c->input);
	tool_text_csv(r->out, c->label);
	fputs(c->engine ? "engine," : "tables,", r->out);
	tool_record_csv(table, c->refused ? NULL : record, r->out);
	tool_refused_csv(c->refused, r->out);
}

void tool_report_case(struct tool *t, struct tool_report *r,
		      const struct tool_case *c, const struct tool_field *table,
		      const void *record,
		      void (*print)(const void *record, FILE *out))
{
	if (r->cases) {
		json_array_append_new(r->cases, case_json(c, table, record));
	} else if (t->args.csv) {
		case_csv(r, c, table, record);
	} else {
		fputs(r->n ? "\n" : "", r->out);
		tool_case_head(c, r->out);
		if (c->refused)
			tool_refused_print(c->input, c->label, c->refused,
					   r->out);
		else
			print(record, r->out);
	}
	r->n++;
}
