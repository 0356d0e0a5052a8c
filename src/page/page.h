/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A page of HTML that needs nothing else: no network, no script, no other file.
 * It fits a phone and paper, and follows the reader's choice of light or dark.
 *
 * Colours are the style sheet's (page.c): drawings name them as var(--ink),
 * --soft (text that matters less), --line (rules, cables), --paper, --card,
 * --good, --bad, --warn, --bar and --bar2.
 *
 * All text is escaped here.  What a stream could not take is its owner's to
 * find out (ferror).
 */
#ifndef WEFT_PAGE_PAGE_H
#define WEFT_PAGE_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Head, style and title, which is the input; lead stands below it, NULL =
 * nothing, and then the day and the version. */
void weft__page_begin(FILE *out, const char *title, const char *lead);
/* The same, of a page with a script of its own. */
void weft__page_begin_script(FILE *out, const char *title, const char *lead);
/* foot stands at the end. */
void weft__page_end(FILE *out, const char *foot);

/* A section with a heading and a sentence that says what it means to somebody
 * who is no expert.  id: for links, a word of the caller's own. */
void weft__page_section(FILE *out, const char *id, const char *heading,
			const char *meaning);
void weft__page_section_end(FILE *out);

/* <tag class="class">text</tag> of what the format makes; class NULL = none. */
void weft__page_text(FILE *out, const char *tag, const char *class,
		     const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Lines as they are to stand in a file; nothing of none. */
void weft__page_lines(FILE *out, const char *lines);

/* Key figures side by side: begin, each, end. */
void weft__page_facts(FILE *out);
void weft__page_fact(FILE *out, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void weft__page_count(FILE *out, const char *name, uint64_t n);
void weft__page_facts_end(FILE *out);

/*
 * A table; one that is wider than the page scrolls within itself.  column: heads
 * up to NULL, each with a sign before it: '#' of numbers, to the right, '@' of
 * names, which may be broken anywhere, '=' of bars, none of text.  After begin()
 * come the cells, row by row; the caller keeps the heads.
 */
struct weft__table {
	FILE *out;
	const char *const *column;
	unsigned at;	/* column of the next cell */
};
void weft__table_begin(struct weft__table *t, FILE *out, const char *caption,
		       const char *const *column);
void weft__table_cell(struct weft__table *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void weft__table_count(struct weft__table *t, uint64_t n);
/* A cell with a bar of share (0..1). */
void weft__table_bar(struct weft__table *t, double share);
void weft__table_end(struct weft__table *t);

#endif
