/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tags of XML as programs write it, one after the other; what stands between
 * them is left aside.  Nothing is copied, and no entity is undone. */
#ifndef WEFT_IO_XML_H
#define WEFT_IO_XML_H

#include "io/source.h"

struct weft__xml {
	const char *p, *end;
	unsigned long line;
};

struct weft__tag {
	const char *name;	/* not NUL-terminated */
	size_t length;
	const char *p, *end;	/* its attributes */
	bool opens, closes;	/* both: "<a/>" */
	unsigned long line;
};

struct weft__xml weft__xml_begin(const struct weft__source *source);

/* The next tag; false at the end, and after an error in *err: a tag that does
 * not end. */
bool weft__xml_next(struct weft__xml *xml, struct weft__tag *tag, int *err);

bool weft__tag_is(const struct weft__tag *tag, const char *name);

/* The value of an attribute, between its quotes; false if there is none. */
bool weft__tag_value(const struct weft__tag *tag, const char *name,
		     struct weft__line *value);

#endif
