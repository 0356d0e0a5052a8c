// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of HTML; see page.h. */
#include "page/page.h"

#include "page/markup.h"
#include "page/style.h"

#include <weft/diag.h>
#include <weft/version.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The day, in UTC; SOURCE_DATE_EPOCH sets it, so that pages can be equal. */
static const char *today(char text[16])
{
	const char *set = getenv("SOURCE_DATE_EPOCH");
	time_t now = set ? (time_t)strtoll(set, NULL, 10) : time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) || !strftime(text, 16, "%F", &tm))
		*text = '\0';
	return text;
}

static void begin(FILE *out, const char *title, const char *lead,
		  const char *scripts)
{
	char day[16];

	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'%s\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
		scripts);
	weft__put_markup(out, title);
	fprintf(out,
		"</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n",
		weft__page_style);
	weft__page_text(out, "h1", NULL, "%s", title);
	if (lead)
		weft__page_text(out, "p", "meaning", "%s", lead);
	weft__page_text(out, "p", NULL, "%s, weft " WEFT_VERSION, today(day));
	fputs("</header>\n<main>\n", out);
}

/* The policy forbids whatever the page does not hold itself, scripts, too. */
void weft__page_begin(FILE *out, const char *title, const char *lead)
{
	begin(out, title, lead, "");
}

void weft__page_begin_script(FILE *out, const char *title, const char *lead)
{
	begin(out, title, lead, "; script-src 'unsafe-inline'");
}

void weft__page_end(FILE *out, const char *foot)
{
	fputs("</main>\n<footer>\n", out);
	weft__page_text(out, "p", NULL, "%s", foot);
	fputs("</footer>\n</body>\n</html>\n", out);
}

void weft__page_section(FILE *out, const char *id, const char *heading,
			const char *meaning)
{
	fprintf(out,
		"<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">",
		id, id, id);
	weft__put_markup(out, heading);
	fputs("</h2>\n", out);
	weft__page_text(out, "p", "meaning", "%s", meaning);
}

void weft__page_section_end(FILE *out)
{
	fputs("</section>\n", out);
}

static void open_tag(FILE *out, const char *tag, const char *class)
{
	if (class)
		fprintf(out, "<%s class=\"%s\">", tag, class);
	else
		fprintf(out, "<%s>", tag);
}

void weft__page_text(FILE *out, const char *tag, const char *class,
		     const char *format, ...)
{
	va_list ap;

	open_tag(out, tag, class);
	va_start(ap, format);
	weft__vprint_markup(out, format, ap);
	va_end(ap);
	fprintf(out, "</%s>\n", tag);
}

void weft__page_lines(FILE *out, const char *lines)
{
	if (!*lines)
		return;
	fputs("<pre>", out);
	for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n') {
		weft__print_markup(out, "%.*s", (int)strcspn(lines, "\n"),
				   lines);
		fputc('\n', out);
	}
	fputs("</pre>\n", out);
}

void weft__page_facts(FILE *out)
{
	fputs("<dl class=\"facts\">\n", out);
}

void weft__page_fact(FILE *out, const char *name, const char *format, ...)
{
	va_list ap;

	fputs("<div><dt>", out);
	weft__put_markup(out, name);
	fputs("</dt><dd>", out);
	va_start(ap, format);
	weft__vprint_markup(out, format, ap);
	va_end(ap);
	fputs("</dd></div>\n", out);
}

void weft__page_count(FILE *out, const char *name, uint64_t n)
{
	weft__page_fact(out, name, "%s", WEFT_COUNT(n, NULL));
}

void weft__page_facts_end(FILE *out)
{
	fputs("</dl>\n", out);
}

/* --- tables --------------------------------------------------------------- */

/* The class of a column, and its head. */
static const char *class_of(const char *column)
{
	return *column == '#' ? "number" : *column == '@' ? "name" :
	       *column == '=' ? "bars" : "text";
}

static const char *head_of(const char *column)
{
	return column + (*column && strchr("#@=", *column));
}

/* Whether a phone shows each row as a block: there are too many columns for it,
 * bars left aside, which are as wide as there is room. */
static bool stacks(const char *const *column)
{
	unsigned wide = 0;

	for (; *column; column++)
		wide += **column != '=';
	return wide > 3;
}

/* One that scrolls can be reached by keyboard, and then has a name. */
void weft__table_begin(struct weft__table *t, FILE *out, const char *caption,
		       const char *const *column)
{
	*t = (struct weft__table){ .out = out, .column = column };
	fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"",
	      out);
	weft__put_markup(out, caption);
	fprintf(out, "\">\n<table%s>\n",
		stacks(column) ? " class=\"stack\"" : "");
	weft__page_text(out, "caption", NULL, "%s", caption);
	fputs("<thead><tr>", out);
	for (; *column; column++) {
		fprintf(out, "<th scope=\"col\" class=\"%s\">",
			class_of(*column));
		weft__put_markup(out, head_of(*column));
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

static void begin_cell(struct weft__table *t)
{
	const char *column = t->column[t->at];

	if (!t->at)
		fputs("<tr>", t->out);
	fprintf(t->out, "<td class=\"%s\" data-label=\"",
		class_of(column));
	weft__put_markup(t->out, head_of(column));
	fputs("\">", t->out);
}

static void end_cell(struct weft__table *t)
{
	fputs("</td>", t->out);
	if (t->column[++t->at])
		return;
	t->at = 0;
	fputs("</tr>\n", t->out);
}

void weft__table_cell(struct weft__table *t, const char *format, ...)
{
	va_list ap;

	begin_cell(t);
	va_start(ap, format);
	weft__vprint_markup(t->out, format, ap);
	va_end(ap);
	end_cell(t);
}

void weft__table_count(struct weft__table *t, uint64_t n)
{
	weft__table_cell(t, "%s", WEFT_COUNT(n, NULL));
}

void weft__table_bar(struct weft__table *t, double share)
{
	begin_cell(t);
	if (share > 0)
		fprintf(t->out,
			"<span class=\"bar\" style=\"width:%.1f%%\"></span>",
			share < 1 ? 100 * share : 100.);
	end_cell(t);
}

void weft__table_end(struct weft__table *t)
{
	fputs("</tbody>\n</table>\n</div>\n", t->out);
}
