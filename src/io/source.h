/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Input text: a file mapped into memory, its lines, and the tokens in a line.
 * Nothing is copied: a line is a pointer and a length into the mapping, and may
 * hold any byte but NUL.
 */
#ifndef WEFT_IO_SOURCE_H
#define WEFT_IO_SOURCE_H

#include "core/text/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/types.h>

struct weft_diag;

struct weft__source {
	const char *name;	/* for messages; lives as long as the path that
				 * open() was given */
	const char *data;	/* never NULL; not NUL-terminated */
	size_t size;
	bool mapped, kept;	/* else allocated */
};

/*
 * Maps path, or reads it where it cannot be mapped (pipes; "-" is the standard
 * input), and tells diag that it was opened.  0, or -errno after an error (a
 * directory: -EISDIR; a pipe of more than 4 GiB: -EFBIG).  *source is set on
 * success only.
 */
int weft__source_open(const char *path, struct weft__source *source,
		      struct weft_diag *diag);
void weft__source_close(struct weft__source *source);

/*
 * The same for a program that must go on whatever a name stands for: plain
 * files only, directly or by a symbolic link, of less than limit bytes.  Nothing
 * is waited for, no device is touched, and the text is a copy, so that a file
 * that is cut meanwhile does no harm.  -EINVAL, -EFBIG, or -errno after an error
 * with the file.
 */
int weft__source_open_plain(const char *path, size_t limit,
			    struct weft__source *source,
			    struct weft_diag *diag);

/* How a file is opened, for functions that may read for such a program. */
typedef int weft__opener(const char *path, struct weft__source *source,
			 struct weft_diag *diag);

/* Returns what is no plain file in words, "a pipe"; NULL for one that is. */
const char *weft__no_file(mode_t mode);

/* Whether text begins like a path, or is the name of a file that is there. */
bool weft__names_file(const char *text);

/*
 * Says that the text before upto was read and is not needed soon, so that a big
 * mapped file does not fill the memory.  Nothing happens until some megabytes
 * have gathered; the text stays readable.  *released counts the bytes given
 * back: 0 at first.
 */
void weft__source_release(const struct weft__source *source, const char *upto,
			  size_t *released);

/* Text that is in memory already; closing it is not necessary. */
static inline struct weft__source weft__source_text(const char *name,
						    const char *data,
						    size_t size)
{
	return (struct weft__source){ .name = name, .data = data,
				      .size = size, .mapped = false };
}

/*
 * A line, and a place in it: parsers move p towards end.  Neither the newline
 * nor a carriage return before it is part of the line.
 */
struct weft__line {
	const char *p, *end;
	unsigned long number;	/* 1-based */
	bool complete;		/* false: the file ends without a newline */
	const char *expected;	/* at p, for messages; NULL = nothing */
};

struct weft__lines {
	const char *next, *end;
	const char *looked;	/* up to here, NUL bytes are looked for */
	unsigned long number;
	const char *name;	/* of the source */
	struct weft_diag *diag;	/* NULL: nobody wants to hear of errors */
};

/* Begins at the first line, after a byte-order mark. */
static inline struct weft__lines
weft__lines_begin(const struct weft__source *source, struct weft_diag *diag)
{
	struct weft__lines lines = { .next = source->data,
				     .end = source->data + source->size,
				     .looked = source->data,
				     .name = source->name, .diag = diag };

	if (source->size >= 3 && !memcmp(lines.next, "\xef\xbb\xbf", 3))
		lines.next += 3;
	return lines;
}

/* Looks for NUL bytes before end and some way further.  0, or -EINVAL after an
 * error if there is one before end, which is the end of the next line. */
int weft__lines_look(struct weft__lines *lines, const char *end);

/*
 * The next line; false at the end, and where *err is set: a line with a NUL
 * byte is an error, as functions that take strings would see half of it.
 * O(length).
 */
static inline bool weft__lines_next(struct weft__lines *lines,
				    struct weft__line *line, int *err)
{
	const char *newline;

	if (lines->next == lines->end)
		return false;
	newline = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
	line->p = lines->next;
	line->end = newline ? newline : lines->end;
	line->number = ++lines->number;
	line->complete = newline != NULL;
	line->expected = NULL;
	if (line->end > lines->looked) {
		*err = weft__lines_look(lines, line->end);
		if (*err)
			return false;
	}
	lines->next = newline ? newline + 1 : lines->end;
	while (line->end > line->p && line->end[-1] == '\r')
		line->end--;
	return true;
}

/* 0, or -EINVAL after an error with the line if there is a NUL byte: for those
 * who do not read line by line.  O(size). */
int weft__source_check(const struct weft__source *source,
		       struct weft_diag *diag);

/*
 * Tokens.  Each looks at the text from line->p on; those that return bool step
 * over what they recognised, or return false and leave the place as it was.
 */

static inline bool weft__at_end(const struct weft__line *line)
{
	return line->p == line->end;
}

static inline bool weft__is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Takes away a comment, '#' after a blank, and blanks at the end of what begins
 * at from, which is no '#'. */
void weft__trim(struct weft__line *line, const char *from);

/* Whether a line has no control characters, and at most that many bytes. */
bool weft__is_text(const struct weft__line *line, size_t most);

static inline void weft__skip_blanks(struct weft__line *line)
{
	while (line->p < line->end && (*line->p == ' ' || *line->p == '\t'))
		line->p++;
}

static inline bool weft__skip_char(struct weft__line *line, char c)
{
	if (line->p == line->end || *line->p != c)
		return false;
	line->p++;
	return true;
}

/*
 * Says what field should be at the place, for the message about a line that
 * cannot be read (weft__misread()): "the LID, a decimal number".  True.
 */
static inline bool weft__expect(struct weft__line *line, const char *field)
{
	line->expected = field;
	return true;
}

/* A literal text, as it stands. */
static inline bool weft__skip_text(struct weft__line *line, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(line->end - line->p) < length ||
	    memcmp(line->p, text, length))
		return false;
	line->p += length;
	return true;
}

/*
 * Numbers.  The place behind one must not go on as a word does ("12abc",
 * "0x1fg", "1.5"): such a text is another one than the number, and is left where
 * it is.
 */

/* Decimal digits, 0 to 2^64 - 1, and whatever follows: a unit. */
static inline bool weft__skip_digits(struct weft__line *line, uint64_t *value)
{
	const char *p = weft__number_digits(line->p, line->end, UINT64_MAX,
					    value);

	line->p = p ? p : line->p;
	return p;
}

/* Decimal digits, at most max. */
static inline bool weft__skip_uint(struct weft__line *line, uint64_t max,
				   uint64_t *value)
{
	uint64_t v;
	const char *p = weft__number_digits(line->p, line->end, max, &v);

	if (!p || !weft__number_ends(p, line->end))
		return false;
	line->p = p;
	*value = v;
	return true;
}

/* Decimal digits, at most 2^32 - 1. */
static inline bool weft__skip_decimal(struct weft__line *line, uint32_t *value)
{
	uint64_t v;

	if (!weft__skip_uint(line, UINT32_MAX, &v))
		return false;
	*value = (uint32_t)v;
	return true;
}

/* 1 to 16 hexadecimal digits without a prefix. */
static inline bool weft__skip_hex(struct weft__line *line, uint64_t *value)
{
	uint64_t v;
	const char *p = weft__number_hex(line->p, line->end, &v);

	if (!p || !weft__number_ends(p, line->end))
		return false;
	line->p = p;
	*value = v;
	return true;
}

/* A real number as of weft/number.h. */
static inline bool weft__skip_real(struct weft__line *line, double *value)
{
	double v;
	const char *p = weft__number_real(line->p, line->end, &v);

	if (!p || !weft__number_ends(p, line->end))
		return false;
	line->p = p;
	*value = v;
	return true;
}

/* weft__skip_hex() after "0x". */
static inline bool weft__skip_0x(struct weft__line *line, uint64_t *value)
{
	const char *start = line->p;

	if (weft__skip_text(line, "0x") && weft__skip_hex(line, value))
		return true;
	line->p = start;
	return false;
}

/* Blanks, then decimal digits; the place stays behind the blanks if not. */
static inline bool weft__skip_number(struct weft__line *line)
{
	uint32_t value;

	weft__skip_blanks(line);
	return weft__skip_decimal(line, &value);
}

/* Blanks, then a number after "0x", likewise. */
static inline bool weft__skip_guid(struct weft__line *line)
{
	uint64_t value;

	weft__skip_blanks(line);
	return weft__skip_0x(line, &value);
}

/* Blanks, then the word that *begin points to, up to the next blank.  Its
 * length, 0 at the end. */
static inline size_t weft__skip_word(struct weft__line *line,
				     const char **begin)
{
	weft__skip_blanks(line);
	*begin = line->p;
	while (line->p < line->end && *line->p != ' ' && *line->p != '\t')
		line->p++;
	return (size_t)(line->p - *begin);
}

/* Takes the word at the place and the blanks behind it; returns the word. */
static inline struct weft__line weft__next_word(struct weft__line *line)
{
	struct weft__line word = *line;

	while (line->p < line->end && !weft__is_blank(*line->p))
		line->p++;
	word.end = line->p;
	weft__skip_blanks(line);
	return word;
}

/* First c at or after the place, NULL if there is none. */
static inline const char *weft__find_char(const struct weft__line *line,
					  char c)
{
	return memchr(line->p, c, (size_t)(line->end - line->p));
}

/* First occurrence of a text, NULL if there is none; O(length). */
const char *weft__find_text(const struct weft__line *line, const char *text);

/*
 * The beginning of a line for a message: at most 60 bytes, control and
 * non-ASCII bytes as '?'.  Returns buffer.
 */
#define WEFT__EXCERPT_SIZE 64
const char *weft__excerpt(const struct weft__line *line,
			  char buffer[WEFT__EXCERPT_SIZE]);

#endif
