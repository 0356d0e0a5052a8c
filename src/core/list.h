/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of nodes under construction; see weft/list.h. */
#ifndef WEFT_CORE_LIST_H
#define WEFT_CORE_LIST_H

#include <weft/list.h>
#include <weft/options.h>

#include <stddef.h>

struct weft__span {
	const char *text;	/* NULL: there is none */
	size_t length;
};

/* Makes an empty list. file may be NULL.  Returns NULL without memory. */
struct weft_list *weft__list_new(const struct weft_option *option,
				 const char *file);
struct weft_list *weft__list_copy(const struct weft_list *list);
void weft__list_free(struct weft_list *list);	/* NULL is fine */
/* A hash of what a list says, in its order; 0 for NULL. */
uint64_t weft__list_digest(const struct weft_list *list);

/* Reads 0x and 1 to 16 hexadecimal digits, or 16 digits without 0x. */
bool weft__list_guid(struct weft__span text, uint64_t *guid);

/* Returns true if an entry of that option may have this value: one of its
 * choices, of which one in capitals stands for a number. */
bool weft__list_takes(const struct weft_option *option,
		      struct weft__span value);

/*
 * Adds a node, with a value if it has one.  Returns -EINVAL, without a message,
 * if the node begins like a GUID but is none, or if the value does not fit or
 * is missing. -ENOMEM.
 */
int weft__list_add(struct weft_list *list, const struct weft_option *option,
		   struct weft__span node, struct weft__span value, bool quoted,
		   unsigned long line);

/*
 * Reads a list as it stands in an option: NODE or NODE=VALUE, separated by
 * blanks, commas or '+'. NODE in double quotes may hold any of these. *out is
 * set on success only. -EINVAL after an error.
 */
int weft__list_words(const struct weft_option *option, const char *text,
		     struct weft_list **out, struct weft_diag *diag);

/* Makes list the value of an option, which then owns it.  NULL unsets it. */
void weft__options_keep_list(struct weft_options *o, const char *name,
			     struct weft_list *list);

/* A hash of all options that are not at their default, what stands in files
 * included. */
uint64_t weft__options_digest(const struct weft_options *o);

/* Copies all options for a part of the fabric.  Lists in the copy do not
 * complain about nodes that are missing. 0 or -ENOMEM. */
int weft__options_quiet(const struct weft_options *o,
			struct weft_options **out);

/* Says what an entry must be, "a GUID or name, then ...", for messages. */
const char *weft__list_form(const struct weft_option *option, char buffer[128]);

#endif
