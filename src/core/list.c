// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes lists of nodes; see list.h. */
#include "core/list.h"

#include "core/grow.h"
#include "core/siphash.h"
#include "core/text/number.h"

#include <weft/diag.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char separators[] = " \t\r\n,+";

struct weft_list *weft__list_new(const struct weft_option *option,
				 const char *file)
{
	struct weft_list *list = calloc(1, sizeof(*list));

	if (!list)
		return NULL;
	list->option = option->name;
	list->file = file ? strdup(file) : NULL;
	if (!file || list->file)
		return list;
	free(list);
	return NULL;
}

void weft__list_free(struct weft_list *list)
{
	if (!list)
		return;
	for (uint32_t i = 0; i < list->n; i++) {
		free(list->entry[i].name);
		free(list->entry[i].value);
	}
	free(list->entry);
	free(list->file);
	free(list);
}

/* Goes on with a text, or NULL, which is none of them. */
static uint64_t add_text(uint64_t sum, const char *text)
{
	const uint64_t key[2] = { sum, text != NULL };

	return weft__siphash(key, text, text ? strlen(text) : 0);
}

uint64_t weft__list_digest(const struct weft_list *list)
{
	uint64_t sum = list ? list->n : 0;

	for (uint32_t i = 0; list && i < list->n; i++) {
		const struct weft_list_entry *e = &list->entry[i];

		sum = add_text(add_text(sum ^ e->guid, e->name), e->value);
	}
	return sum;
}

bool weft__list_guid(struct weft__span s, uint64_t *guid)
{
	bool prefix = s.length > 2 && !memcmp(s.text, "0x", 2);
	const char *end = s.text + s.length;

	return (prefix || s.length == 16) &&
	       weft__number_hex(s.text + 2 * prefix, end, guid) == end;
}

static bool is_number(struct weft__span s)
{
	for (size_t i = 0; i < s.length; i++)
		if (!isdigit((unsigned char)s.text[i]))
			return false;
	return s.length > 0 && s.length < 4;
}

bool weft__list_takes(const struct weft_option *option,
		      struct weft__span value)
{
	const char *p = option->choices;

	while (p && *p) {
		size_t n = strcspn(p, "|");

		if (isupper((unsigned char)*p) ? is_number(value) :
		    n == value.length && !memcmp(p, value.text, n))
			return true;
		p += n + (p[n] == '|');
	}
	return false;
}

const char *weft__list_form(const struct weft_option *option, char buffer[128])
{
	snprintf(buffer, 128, "the GUID (0x...) or name of a node%s%s%s",
		 !option->choices ? "" : option->min ? ", then " :
		 ", then perhaps ", option->choices ? option->choices : "",
		 option->choices ? " (a number)" : "");
	return buffer;
}

static bool copy_span(char **to, struct weft__span s)
{
	*to = s.text ? strndup(s.text, s.length) : NULL;
	return !s.text || *to;
}

static struct weft_list_entry *new_entry(struct weft_list *list)
{
	if (weft__grow_one(&list->entry, list->n))
		return NULL;
	list->entry[list->n] = (struct weft_list_entry){ .name = NULL };
	return &list->entry[list->n++];
}

int weft__list_add(struct weft_list *list, const struct weft_option *option,
		   struct weft__span node, struct weft__span value, bool quoted,
		   unsigned long line)
{
	struct weft_list_entry *entry;
	uint64_t guid = 0;
	bool by_guid = !quoted && weft__list_guid(node, &guid);

	if (!node.length || (!quoted && !by_guid && node.length > 1 &&
			     !memcmp(node.text, "0x", 2)))
		return -EINVAL;
	if (value.text ? !weft__list_takes(option, value) : option->min)
		return -EINVAL;
	entry = new_entry(list);
	if (!entry)
		return -ENOMEM;
	entry->guid = guid;
	entry->line = line;
	if (by_guid)
		node.text = NULL;
	if (!copy_span(&entry->name, node) || !copy_span(&entry->value, value))
		return -ENOMEM;
	return 0;
}

struct weft_list *weft__list_copy(const struct weft_list *list)
{
	const struct weft_option any = { .name = list->option };
	struct weft_list *copy = weft__list_new(&any, list->file);
	bool good = copy;

	if (copy)
		copy->lenient = list->lenient;
	for (uint32_t i = 0; i < list->n && good; i++) {
		const struct weft_list_entry *from = &list->entry[i];
		struct weft_list_entry *to = new_entry(copy);

		if (to)
			*to = (struct weft_list_entry){ .guid = from->guid,
							.line = from->line };
		good = to &&
		       (!from->name || (to->name = strdup(from->name))) &&
		       (!from->value || (to->value = strdup(from->value)));
	}
	if (good)
		return copy;
	weft__list_free(copy);
	return NULL;
}

/* Reads NODE or "NODE", perhaps with =VALUE, and moves *text behind it. */
static int add_word(struct weft_list *list, const struct weft_option *option,
		    const char **text)
{
	struct weft__span node = { *text, 0 }, value = { NULL, 0 };
	bool quoted = *node.text == '"';
	const char *end;

	if (quoted) {
		node.text++;
		node.length = strcspn(node.text, "\"");
		end = node.text + node.length + 1;
		if (!end[-1] || !strchr(option->choices ?
					" \t\r\n,+=" : separators, *end))
			return -EINVAL;
	} else {
		node.length = strcspn(node.text, separators);
		end = node.text + node.length;
	}
	if (option->choices && quoted && *end == '=')
		value = (struct weft__span){ end + 1,
					     strcspn(end + 1, separators) };
	if (option->choices && !quoted) {
		const char *equals = memrchr(node.text, '=', node.length);

		if (equals) {
			value = (struct weft__span){ equals + 1,
						     end - equals - 1 };
			node.length = equals - node.text;
		}
	}
	*text = value.text ? value.text + value.length : end;
	return weft__list_add(list, option, node, value, quoted, 0);
}

int weft__list_words(const struct weft_option *option, const char *text,
		     struct weft_list **out, struct weft_diag *diag)
{
	struct weft_list *list = weft__list_new(option, NULL);
	int err = list ? 0 : -ENOMEM;

	while (!err && *(text += strspn(text, separators))) {
		const char *word = text;
		char form[128];

		err = add_word(list, option, &text);
		if (err == -EINVAL)
			weft_diag_say(diag, WEFT_ERROR,
				"%s: '%.*s' is neither %s%s, nor the name of a file",
				option->name,
				(int)strcspn(word, separators), word,
				weft__list_form(option, form),
				option->choices ? " after a '='" : "");
	}
	if (!err) {
		*out = list;
		return 0;
	}
	weft__list_free(list);
	return err == -ENOMEM ? weft_no_memory(diag) : err;
}
