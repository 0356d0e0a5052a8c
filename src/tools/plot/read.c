// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cases from what analyze and compare have written, JSON or CSV. */
#include "tools/plot/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_COLUMNS 64

static bool fail(struct tool *t, const char *input, const char *why)
{
	weft_diag_at(&t->diag, WEFT_ERROR, input, 0, "cannot be read: %s", why);
	return false;
}

/*
 * The standard input as a file that can be read again, by whoever it turns out
 * to be for.
 */
static bool spool_stdin(struct tool *t)
{
	char buffer[16384];
	FILE *file = tmpfile();
	ssize_t n = 0;
	bool ok = file;

	while (ok && (n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
		ok = fwrite(buffer, 1, n, file) == (size_t)n;
	ok = ok && !n && !fflush(file) &&
	     dup2(fileno(file), STDIN_FILENO) >= 0 &&
	     !lseek(STDIN_FILENO, 0, SEEK_SET);
	if (!ok)
		fail(t, "-", strerror(errno));
	if (file)
		fclose(file);
	return ok;
}

/* All of a stream, with a NUL behind it; NULL without memory. */
static char *read_all(FILE *file, size_t *size)
{
	char *text = NULL, buffer[16384];
	FILE *copy = open_memstream(&text, size);
	size_t n;

	if (!copy)
		return NULL;
	while ((n = fread(buffer, 1, sizeof(buffer), file)))
		fwrite(buffer, 1, n, copy);
	if (!fclose(copy))
		return text;
	free(text);
	return NULL;
}

/* --- comma-separated values ----------------------------------------------- */

/* A row: the text of its fields, quotes undone. */
struct row {
	char *field[MOST_COLUMNS];
	unsigned n;
};

/* Takes the row at *text apart, in place, and moves past it. */
static void take_row(char **text, struct row *row)
{
	char *from = *text, *to = from;
	bool quoted = false;

	row->n = 0;
	row->field[row->n++] = to;
	for (; *from && (quoted || *from != '\n'); from++) {
		if (*from == '"' && quoted && from[1] == '"') {
			*to++ = *from++;
		} else if (*from == '"') {
			quoted = !quoted;
		} else if (*from == ',' && !quoted && row->n < MOST_COLUMNS) {
			*to++ = '\0';
			row->field[row->n++] = to;
		} else if (*from != '\r' || quoted) {
			*to++ = *from;
		}
	}
	*text = *from ? from + 1 : from;
	*to = '\0';
}

/* Whether a column is a part of the basket: they stand before the worth. */
static bool is_part(const struct row *head, unsigned column)
{
	static const char *const others[] = { "input", "routes", "by", "origin",
					      "objective", "hosts" };
	unsigned worth = 0;

	while (worth < head->n && strcmp(head->field[worth], "worth"))
		worth++;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(head->field[column], others[i]))
			return false;
	return column < worth && worth < head->n;
}

/* A case as the object that --json would have had. */
static json_t *row_json(const struct row *head, const struct row *row)
{
	json_t *one = json_object(), *parts = json_object();

	for (unsigned i = 0; i < head->n && i < row->n; i++) {
		const char *name = head->field[i], *text = row->field[i];
		double value;
		bool is_number = weft_number_real(text, &value);

		if (is_number && is_part(head, i))
			json_object_set_new(parts, name,
					    json_pack("{s:f, s:f}", "share",
						      value, "error", 0.));
		else
			json_object_set_new(one, name,
					    is_number ? json_real(value) :
							tool_json_string(text));
	}
	if (json_object_get(one, "worth"))
		json_object_set(one, "parts", parts);
	json_decref(parts);
	return one;
}

static void read_csv(char *text, json_t *cases)
{
	struct row head, row;

	take_row(&text, &head);
	while (*text) {
		take_row(&text, &row);
		json_array_append_new(cases, row_json(&head, &row));
	}
}

/* --- JSON ----------------------------------------------------------------- */

/* Adds what a comparison has rows of, or the object itself. */
static void add_object(json_t *object, json_t *cases)
{
	json_t *rows = json_object_get(object, "rows"), *row;
	size_t i;

	if (!json_is_array(rows)) {
		json_array_append(cases, object);
		return;
	}
	json_array_foreach(rows, i, row)
		json_object_set(row, "input", json_object_get(object, "input"));
	json_array_extend(cases, rows);
}

static bool read_json(struct tool *t, const char *input, const char *text,
		      size_t size, json_t *cases)
{
	json_error_t error;
	json_t *root = json_loadb(text, size, 0, &error), *object;
	size_t i;

	if (!root) {
		weft_diag_at(&t->diag, WEFT_ERROR, input, error.line,
			     "no JSON as weft writes it: %s", error.text);
		return false;
	}
	if (json_is_array(root))
		json_array_foreach(root, i, object) add_object(object, cases);
	else
		add_object(root, cases);
	json_decref(root);
	return true;
}

bool tool_plot_read(struct tool *t, const char *input, json_t *cases, bool *met)
{
	bool standard = !strcmp(input, "-"), ok = true;
	char *text, *first;
	struct stat st;
	FILE *file;
	size_t size;

	*met = false;
	if (standard && !spool_stdin(t))
		return false;
	if (!standard && (stat(input, &st) || S_ISDIR(st.st_mode)))
		return true;
	file = standard ? fdopen(dup(STDIN_FILENO), "r") : fopen(input, "r");
	text = file ? read_all(file, &size) : NULL;
	if (!text)
		ok = fail(t, input, strerror(errno));
	if (file)
		fclose(file);
	if (standard)
		lseek(STDIN_FILENO, 0, SEEK_SET);
	first = text ? text + strspn(text, " \t\r\n") : "";
	*met = *first == '[' || *first == '{' || !strncmp(first, "input,", 6);
	if (ok && *met && *first == 'i')
		read_csv(first, cases);
	else if (ok && *met)
		ok = read_json(t, input, text, size, cases);
	if (ok && *met)
		tool_output_input(NULL, input);
	free(text);
	return ok;
}
