// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Many names in few words; see fold.h. */
#include "tools/common/fold.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 80
#define MAX_DIGITS 9
#define LINE 70 /* characters of a line, about */
#define MORE " ... (--json lists all)"
#define PIECE 36 /* of one that is not broken, about */

/* A name: letters, the last digits in it, and what follows these. */
struct name {
	char head[MAX_NAME], tail[MAX_NAME];
	unsigned width; /* of the digits; 0: there are none */
	uint64_t number;
};

static void split(const char *text, struct name *out)
{
	const char *digits;
	size_t n = strcspn(text, " "), end, begin;

	n = n < MAX_NAME - 1 ? n : MAX_NAME - 1;
	for (end = n; end && !isdigit((unsigned char)text[end - 1]); end--)
		;
	for (begin = end; begin && end - begin < MAX_DIGITS &&
			  isdigit((unsigned char)text[begin - 1]);
	     begin--)
		;
	*out = (struct name){ .width = end - begin };
	if (end == begin)
		begin = end = n;
	memcpy(out->head, text, begin);
	memcpy(out->tail, text + end, n - end);
	digits = text + begin;
	out->number = 0;
	weft_number_uint_at(&digits, NULL, UINT64_MAX, &out->number);
}

static int by_name(const void *va, const void *vb)
{
	const struct name *a = va, *b = vb;
	int order = strcmp(a->head, b->head);

	order = order ? order : strcmp(a->tail, b->tail);
	if (order)
		return order;
	if (a->width != b->width)
		return a->width < b->width ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static bool same_form(const struct name *a, const struct name *b)
{
	return a->width && !strcmp(a->head, b->head) &&
	       !strcmp(a->tail, b->tail) && a->width == b->width;
}

/* Prints names first .. end - 1, which have one form, in pieces that fit into a
 * line. */
static void print_form(const struct name *name, uint32_t first, uint32_t end,
		       FILE *out)
{
	const struct name *a = &name[first];
	int width = a->width;
	const char *closing = end - first > 1 ? "]" : "";
	long begun = ftell(out);

	fprintf(out, "%s%s", a->head, width && end - first > 1 ? "[" : "");
	for (uint32_t i = first; width && i < end;) {
		uint32_t last = i;

		while (last + 1 < end &&
		       name[last + 1].number == name[last].number + 1)
			last++;
		if (i > first && ftell(out) - begun > PIECE) {
			fprintf(out, "%s%s, ", closing, a->tail);
			begun = ftell(out);
			fprintf(out, "%s[", a->head);
		} else if (i > first) {
			fputc(',', out);
		}
		fprintf(out, "%0*lu", width, name[i].number);
		if (last > i)
			fprintf(out, "-%0*lu", width, name[last].number);
		i = last + 1;
	}
	fprintf(out, "%s%s", width ? closing : "", a->tail);
}

static void print_names(const struct name *name, uint32_t n, FILE *out)
{
	for (uint32_t i = 0; i < n;) {
		uint32_t end = i + 1;

		while (end < n && same_form(&name[i], &name[end]))
			end++;
		if (i)
			fputs(", ", out);
		print_form(name, i, end, out);
		i = end;
	}
}

/* Sorts n names, drops those that come again, and prints them. */
static char *fold(struct name *name, uint32_t n)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	uint32_t kept = 0;

	if (!out)
		return NULL;
	qsort(name, n, sizeof(*name), by_name);
	for (uint32_t i = 0; i < n; i++)
		if (!kept || by_name(&name[kept - 1], &name[i]))
			name[kept++] = name[i];
	print_names(name, kept, out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

char *tool_fold_hosts(const struct weft_fabric *f, const uint32_t *endport,
		      uint32_t n)
{
	struct name *name = malloc((n + 1ull) * sizeof(*name));
	char *text;

	for (uint32_t i = 0; name && i < n; i++) {
		const char *said =
			tool_vertex_name(f, endport[i] | WEFT_ENDPORT);
		char guid[24], buf[256];

		snprintf(guid, sizeof(guid), "0x%016" PRIx64,
			 f->ep[endport[i]].guid);
		split(*said ? weft_diag_printable(buf, sizeof(buf), said) :
			      guid,
		      &name[i]);
		if (!*said) {
			name[i] = (struct name){ .width = 0 };
			memcpy(name[i].head, guid, strlen(guid) + 1);
		}
	}
	text = name ? fold(name, n) : NULL;
	free(name);
	return text;
}

char *tool_fold_names(const char *const *said, uint32_t n)
{
	struct name *name = malloc((n + 1ull) * sizeof(*name));
	char *text;

	for (uint32_t i = 0; name && i < n; i++) {
		split(said[i], &name[i]);
		if (!*name[i].tail)
			continue;
		name[i] = (struct name){ .width = 0 };
		memcpy(name[i].head, said[i], strnlen(said[i], MAX_NAME - 1));
	}
	text = name ? fold(name, n) : NULL;
	free(name);
	return text;
}

char *tool_fold_numbers(const uint32_t *number, uint32_t n)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (uint32_t i = 0; i < n;) {
		uint32_t last = i;

		while (last + 1 < n && number[last + 1] == number[last] + 1)
			last++;
		fprintf(out, "%s%" PRIu32, i ? ", " : "", number[i]);
		if (last > i)
			fprintf(out, "-%" PRIu32, number[last]);
		i = last + 1;
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

void tool_fold_print(FILE *out, int used, int indent, const char *text,
		     unsigned lines)
{
	size_t most = (size_t)lines * LINE;
	char *copy, *cut;

	if (strlen(text) <= most) {
		tool_text_wrap(out, used, indent, text);
		return;
	}
	copy = malloc(most + sizeof(MORE));
	if (!copy)
		return;
	memcpy(copy, text, most);
	cut = copy + most;
	while (cut > copy && cut[-1] != ',')
		cut--;
	memcpy(cut, MORE, sizeof(MORE));
	tool_text_wrap(out, used, indent, copy);
	free(copy);
}
