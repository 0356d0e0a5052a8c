// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tags of XML; see xml.h. */
#include "io/xml.h"

#include <errno.h>

struct weft__xml weft__xml_begin(const struct weft__source *source)
{
	return (struct weft__xml){ source->data, source->data + source->size,
				   1 };
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Goes to a place, and counts the lines on the way. */
static void go(struct weft__xml *x, const char *to)
{
	for (; x->p < to; x->p++)
		x->line += *x->p == '\n';
}

/* Steps over "<!--...-->", "<!...>" and "<?...>"; false if that has no end. */
static bool skip_other(struct weft__xml *x)
{
	size_t left = x->end - x->p;
	bool comment = left > 3 && !memcmp(x->p, "<!--", 4);
	const char *end = comment ? memmem(x->p, left, "-->", 3) :
				    memchr(x->p, '>', left);

	if (end)
		go(x, end + (comment ? 3 : 1));
	return end;
}

/* The '>' of the tag at the place, but for those in quotes. */
static const char *find_end(const struct weft__xml *x)
{
	char quote = 0;

	for (const char *p = x->p; p < x->end; p++) {
		if (quote)
			quote = *p == quote ? 0 : quote;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '>')
			return p;
	}
	return NULL;
}

bool weft__xml_next(struct weft__xml *x, struct weft__tag *tag, int *err)
{
	const char *p, *end;

	for (;;) {
		p = memchr(x->p, '<', x->end - x->p);
		if (!p)
			return false;
		go(x, p);
		if (x->end - p < 2 || (p[1] != '!' && p[1] != '?'))
			break;
		if (!skip_other(x)) {
			*err = -EINVAL;
			return false;
		}
	}
	end = find_end(x);
	if (!end) {
		*err = -EINVAL;
		return false;
	}
	*tag = (struct weft__tag){ .line = x->line, .opens = p[1] != '/',
				   .closes = p[1] == '/' || end[-1] == '/' };
	p += 1 + !tag->opens;
	tag->name = p;
	while (p < end && !is_space(*p) && *p != '/')
		p++;
	tag->length = p - tag->name;
	tag->p = p;
	tag->end = end - (tag->opens && tag->closes);
	go(x, end + 1);
	return true;
}

bool weft__tag_is(const struct weft__tag *tag, const char *name)
{
	return tag->length == strlen(name) &&
	       !memcmp(tag->name, name, tag->length);
}

/* The attribute at *p, which steps over it; false at the end. */
static bool next_attribute(const char **p, const char *end,
			   struct weft__line *name, struct weft__line *value)
{
	const char *q = *p, *close;

	while (q < end && is_space(*q))
		q++;
	name->p = q;
	while (q < end && *q != '=' && !is_space(*q))
		q++;
	name->end = q;
	while (q < end && (is_space(*q) || *q == '='))
		q++;
	if (q == end || (*q != '"' && *q != '\''))
		return false;
	close = memchr(q + 1, *q, end - q - 1);
	if (!close)
		return false;
	value->p = q + 1;
	value->end = close;
	*p = close + 1;
	return true;
}

bool weft__tag_value(const struct weft__tag *tag, const char *name,
		     struct weft__line *value)
{
	size_t length = strlen(name);
	struct weft__line key = { .p = NULL };

	*value = (struct weft__line){ .number = tag->line };
	for (const char *p = tag->p; next_attribute(&p, tag->end, &key, value);)
		if ((size_t)(key.end - key.p) == length &&
		    !memcmp(key.p, name, length))
			return true;
	return false;
}
