// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads options by tables; see weft/options.h. */
#include "core/options.h"

#include "core/list.h"
#include "core/siphash.h"

#include <weft/diag.h>
#include <weft/number.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An object made of the text of an option. */
struct kept {
	unsigned holders;	/* values that share it */
	uint64_t digest;	/* of what it says */
	void *object;
	void (*release)(void *object);
};

struct value {
	char *text;
	long integer;
	double real;
	struct weft_list *list;	/* NULL: unset, or the text is not a list */
	struct kept *kept;	/* NULL: none */
	bool given;
};

struct weft_options {
	const struct weft_option *table;
	unsigned n;
	struct value value[];
};

static const struct weft_option empty_table[] = { { .type = WEFT_OPT_END } };

static unsigned table_size(const struct weft_option *table)
{
	unsigned n = 0;

	while (table[n].type != WEFT_OPT_END)
		n++;
	return n;
}

static int find_option(const struct weft_options *o, const char *name)
{
	for (unsigned i = 0; i < o->n; i++)
		if (!strcmp(o->table[i].name, name))
			return (int)i;
	return -1;
}

static bool parse_bool(const char *text, long *out)
{
	static const char *const words[] = {
		"no", "yes", "false", "true", "off", "on", "0", "1",
	};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcasecmp(text, words[i])) {
			*out = i & 1;
			return true;
		}
	}
	return false;
}

/* Finds text in "a|b|c"; *out is its position.  Returns false if it is not
 * there. */
static bool parse_enum(const char *choices, const char *text, long *out)
{
	size_t length = strlen(text);
	long i = 0;

	for (const char *p = choices; ; p++, i++) {
		size_t n = strcspn(p, "|");

		if (n == length && !memcmp(p, text, n)) {
			*out = i;
			return true;
		}
		p += n;
		if (!*p)
			return false;
	}
}

static bool parse_value(const struct weft_option *opt, const char *text,
			struct value *v)
{
	int64_t integer;

	switch (opt->type) {
	case WEFT_OPT_INT:
		if (!weft_number_int(text, opt->min, opt->max, &integer))
			return false;
		v->integer = integer;
		return true;
	case WEFT_OPT_BOOL:
		return parse_bool(text, &v->integer);
	case WEFT_OPT_REAL:
		return weft_number_real(text, &v->real);
	case WEFT_OPT_ENUM:
		return parse_enum(opt->choices, text, &v->integer);
	case WEFT_OPT_LIST:
		/* A text that is not a list may be a file; see
		 * weft_options_list(). */
		if (weft__list_words(opt, text, &v->list, NULL))
			v->list = NULL;
		break;
	case WEFT_OPT_STRING:
	case WEFT_OPT_OBJECTIVE:
	case WEFT_OPT_JOBS:
	case WEFT_OPT_END:
		break;
	}
	return true;
}

static void release_kept(struct value *v)
{
	if (v->kept && !--v->kept->holders) {
		v->kept->release(v->kept->object);
		free(v->kept);
	}
	v->kept = NULL;
}

static void clear_value(struct value *v)
{
	release_kept(v);
	free(v->text);
	weft__list_free(v->list);
	*v = (struct value){ .text = NULL };
}

static int store_value(struct weft_options *o, unsigned i, const char *text)
{
	struct value v = { 0 };

	if (!parse_value(&o->table[i], text, &v))
		return -EINVAL;
	v.text = strdup(text);
	if (!v.text) {
		weft__list_free(v.list);
		return -ENOMEM;
	}
	clear_value(&o->value[i]);
	o->value[i] = v;
	return 0;
}

int weft_options_new(struct weft_options **out,
		     const struct weft_option *table)
{
	struct weft_options *o;
	unsigned n;

	if (!table)
		table = empty_table;
	n = table_size(table);
	o = calloc(1, sizeof(*o) + n * sizeof(o->value[0]));
	if (!o)
		return -ENOMEM;
	o->table = table;
	o->n = n;
	for (unsigned i = 0; i < n; i++) {
		int err = table[i].preset ? store_value(o, i, table[i].preset) :
					    0;

		if (err) {
			weft_options_free(o);
			return err;
		}
	}
	*out = o;
	return 0;
}

void weft_options_free(struct weft_options *o)
{
	if (!o)
		return;
	for (unsigned i = 0; i < o->n; i++)
		clear_value(&o->value[i]);
	free(o);
}

static void list_names(const struct weft_options *o, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < o->n && used < size; i++)
		used += snprintf(buf + used, size - used, "%s%s",
				 i ? ", " : "", o->table[i].name);
}

static void describe_type(const struct weft_option *opt, char *buf, size_t size)
{
	switch (opt->type) {
	case WEFT_OPT_INT:
		snprintf(buf, size, "a whole number from %ld to %ld",
			 opt->min, opt->max);
		break;
	case WEFT_OPT_BOOL:
		snprintf(buf, size, "yes or no");
		break;
	case WEFT_OPT_REAL:
		snprintf(buf, size, "a number");
		break;
	case WEFT_OPT_ENUM:
		snprintf(buf, size, "one of %s", opt->choices);
		break;
	default:
		snprintf(buf, size, "a text");
	}
}

static const char *suggest_option(const struct weft_options *o,
				  const char *name)
{
	const char *names[64];
	unsigned n = 0;

	for (; n < o->n && n < 63; n++)
		names[n] = o->table[n].name;
	names[n] = NULL;
	return weft_diag_suggest(name, names);
}

int weft_options_set(struct weft_options *o, const char *name,
		     const char *value, const char *where_file,
		     unsigned long where_line, struct weft_diag *diag)
{
	int i = find_option(o, name);
	char text[512];
	int err;

	if (i < 0) {
		const char *near = suggest_option(o, name);

		list_names(o, text, sizeof(text));
		if (near)
			weft_diag_at(diag, WEFT_ERROR, where_file, where_line,
				     "no option '%s'; did you mean '%s'?",
				     name, near);
		else if (o->n)
			weft_diag_at(diag, WEFT_ERROR, where_file, where_line,
				     "no option '%s'; there are: %s", name,
				     text);
		else
			weft_diag_at(diag, WEFT_ERROR, where_file, where_line,
				     "no option '%s'; there are none", name);
		return -ENOENT;
	}
	err = store_value(o, i, value);
	if (err == -EINVAL) {
		describe_type(&o->table[i], text, sizeof(text));
		weft_diag_at(diag, WEFT_ERROR, where_file, where_line,
			     "option %s takes %s, not '%s'", name, text,
			     value);
	} else if (err) {
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	} else {
		o->value[i].given = true;
	}
	return err;
}

int weft_options_parse(struct weft_options *o, const char *assignment,
		       struct weft_diag *diag)
{
	const char *eq = strchr(assignment, '=');
	char name[64];
	int i;

	if (eq && (size_t)(eq - assignment) < sizeof(name)) {
		memcpy(name, assignment, eq - assignment);
		name[eq - assignment] = '\0';
		return weft_options_set(o, name, eq + 1, NULL, 0, diag);
	}
	i = find_option(o, assignment);
	if (i >= 0 && o->table[i].type != WEFT_OPT_BOOL)
		return weft_fail(diag, EINVAL,
				 "option %s needs a value: %s=...",
				 assignment, assignment);
	return weft_options_set(o, assignment, "yes", NULL, 0, diag);
}

static int must_find(const struct weft_options *o, const char *name)
{
	int i = find_option(o, name);

	if (i < 0)
		abort();	/* a typing error in the program */
	return i;
}

static const struct value *get(const struct weft_options *o, const char *name)
{
	return &o->value[must_find(o, name)];
}

long weft_options_int(const struct weft_options *o, const char *name)
{
	return get(o, name)->integer;
}

bool weft_options_bool(const struct weft_options *o, const char *name)
{
	return get(o, name)->integer;
}

double weft_options_real(const struct weft_options *o, const char *name)
{
	return get(o, name)->real;
}

const char *weft_options_text(const struct weft_options *o, const char *name)
{
	return get(o, name)->text;
}

int weft_options_list(const struct weft_options *o, const char *name,
		      const struct weft_list **list, struct weft_diag *diag)
{
	int i = must_find(o, name);
	struct weft_list *said;

	*list = o->value[i].list;
	if (*list || !o->value[i].text)
		return 0;
	return weft__list_words(&o->table[i], o->value[i].text, &said, diag);
}

void weft__options_keep_list(struct weft_options *o, const char *name,
			     struct weft_list *list)
{
	struct value *v = &o->value[must_find(o, name)];

	weft__list_free(v->list);
	v->list = list;
	if (!list)
		clear_value(v);
}

int weft__options_keep(struct weft_options *o, const char *name, void *object,
		       void (*release)(void *object), uint64_t digest)
{
	struct value *v = &o->value[must_find(o, name)];
	struct kept *kept = malloc(sizeof(*kept));

	if (!kept) {
		release(object);
		return -ENOMEM;
	}
	*kept = (struct kept){ 1, digest, object, release };
	release_kept(v);
	v->kept = kept;
	return 0;
}

const void *weft__options_kept(const struct weft_options *o, const char *name)
{
	const struct kept *kept = get(o, name)->kept;

	return kept ? kept->object : NULL;
}

void weft__options_unset(struct weft_options *o, const char *name)
{
	clear_value(&o->value[must_find(o, name)]);
}

int weft_options_copy(struct weft_options *to, const struct weft_options *from,
		      const char *name)
{
	const struct value *v = get(from, name);
	int i = must_find(to, name);
	int err = v->text ? store_value(to, i, v->text) : 0;

	if (!err && v->kept) {
		release_kept(&to->value[i]);
		to->value[i].kept = v->kept;
		v->kept->holders++;
	}
	if (err || !v->list)
		return err;
	weft__list_free(to->value[i].list);
	to->value[i].list = weft__list_copy(v->list);
	return to->value[i].list ? 0 : -ENOMEM;
}

int weft__options_quiet(const struct weft_options *o,
			struct weft_options **out)
{
	struct weft_options *copy;
	int err = weft_options_new(&copy, o->table);

	if (err)
		return err;
	for (unsigned i = 0; i < o->n && !err; i++) {
		err = weft_options_copy(copy, o, o->table[i].name);
		copy->value[i].given = o->value[i].given;
		if (!err && copy->value[i].list)
			copy->value[i].list->quiet = true;
	}
	if (err)
		weft_options_free(copy);
	else
		*out = copy;
	return err;
}

static bool is_preset(const struct weft_option *option, const struct value *v)
{
	return !v->list && !v->kept &&
	       (v->text && option->preset ? !strcmp(v->text, option->preset) :
					    v->text == option->preset);
}

uint64_t weft__options_digest(const struct weft_options *o)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < o->n; i++) {
		const struct value *v = &o->value[i];
		const char *text = v->text ? v->text : "";
		const uint64_t key[2] = {
			sum, v->kept ? v->kept->digest : 0,
		};

		if (is_preset(&o->table[i], v))
			continue;
		sum = weft__siphash(key, o->table[i].name,
				    strlen(o->table[i].name));
		sum = weft__siphash((uint64_t[2]){ sum,
						   weft__list_digest(v->list) },
				    text, strlen(text));
	}
	return sum;
}

bool weft_options_has(const struct weft_options *o, const char *name)
{
	return find_option(o, name) >= 0;
}

bool weft_options_given(const struct weft_options *o, const char *name)
{
	return get(o, name)->given;
}

const struct weft_option *weft_options_table(const struct weft_options *o)
{
	return o->table;
}
