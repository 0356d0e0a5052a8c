// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What people call pods, groups and racks, by the names of the switches in them.
 * A group is called what its switches' names begin with alike, up to the end of
 * a word; of a tree's pods only leaves are asked, as spines may be called
 * anything.  Names that several groups would have are none's.
 */
#include "shapes/shape.h"

#include "core/arena.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What programs put around names: "MF0;name:MQM8700/U1". */
static size_t begin_of(const char *name)
{
	const char *semicolon = strchr(name, ';');
	size_t n = semicolon ? (size_t)(semicolon - name) : 0;

	return n && n <= 4 ? n + 1 : 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Whether a word ends in front of text[n]. */
static bool is_end(const char *text, size_t n)
{
	char a = text[n - 1], b = text[n];

	if (!is_word(a) || !is_word(b))
		return true;
	return isdigit((unsigned char)a) && !isdigit((unsigned char)b);
}

static size_t trimmed(const char *text, size_t n)
{
	while (n && !is_word(text[n - 1]))
		n--;
	return n;
}

/* The first name of a group, and how much of it others have, too. */
struct prefix {
	const char *name;
	size_t n;
	bool several;
};

static void compare(struct prefix *p, const char *name)
{
	size_t same = 0;

	if (!p->name) {
		p->name = name;
		p->n = strlen(name);
		return;
	}
	p->several = true;
	while (same < p->n && name[same] == p->name[same])
		same++;
	while (same && !(is_end(name, same) && is_end(p->name, same)))
		same--;
	p->n = same;
}

static bool is_asked(const struct weft_shape *shape, uint32_t s)
{
	bool tree = shape->part[shape->part_of[s]].kind == WEFT_SHAPE_TREE;

	return shape->group[s] != WEFT_NONE && (!tree || !shape->level[s]);
}

static void number(const struct weft_shape *shape, uint32_t part,
		   uint32_t ordinal, char name[WEFT_SHAPE_GROUP_NAME])
{
	bool tree = shape->part[part].kind == WEFT_SHAPE_TREE;

	snprintf(name, WEFT_SHAPE_GROUP_NAME, "%s %u", tree ? "pod" : "group",
		 ordinal);
}

/* Groups whose names are another one's too, or nothing, get their numbers. */
static void make_distinct(const struct weft_shape *shape,
			  const struct prefix *p, const uint32_t *part,
			  uint32_t n, char (*name)[WEFT_SHAPE_GROUP_NAME])
{
	uint32_t ordinal = 0;
	bool distinct = true;

	for (uint32_t i = 0; i < n; i++) {
		distinct &= p[i].n && p[i].several;
		for (uint32_t k = 0; k < i && distinct; k++)
			distinct = strcmp(name[i], name[k]);
	}
	for (uint32_t i = 0; i < n && !distinct; i++) {
		ordinal = i && part[i] == part[i - 1] ? ordinal + 1 : 1;
		number(shape, part[i], ordinal, name[i]);
	}
}

int weft_shape_group_names(const struct weft_fabric *f,
			   const struct weft_shape *shape, uint32_t *n,
			   char (**out)[WEFT_SHAPE_GROUP_NAME])
{
	char (*name)[WEFT_SHAPE_GROUP_NAME];
	struct prefix *p;
	uint32_t *part;

	*n = 0;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (shape->group[s] != WEFT_NONE && shape->group[s] >= *n)
			*n = shape->group[s] + 1;
	p = calloc(*n + 1ull, sizeof(*p));
	part = calloc(*n + 1ull, sizeof(*part));
	name = calloc(*n + 1ull, sizeof(*name));
	if (!p || !part || !name) {
		free(p);
		free(part);
		free(name);
		return -ENOMEM;
	}
	for (uint32_t s = 0; s < f->nsw; s++) {
		const char *text = f->sw[s].name;

		if (shape->group[s] != WEFT_NONE)
			part[shape->group[s]] = shape->part_of[s];
		if (is_asked(shape, s))
			compare(&p[shape->group[s]], text + begin_of(text));
	}
	for (uint32_t i = 0; i < *n; i++) {
		p[i].n = p[i].name ? trimmed(p[i].name, p[i].n) : 0;
		if (p[i].n >= WEFT_SHAPE_GROUP_NAME)
			p[i].n = 0;
		if (p[i].n)
			memcpy(name[i], p[i].name, p[i].n);
	}
	make_distinct(shape, p, part, *n, name);
	free(p);
	free(part);
	*out = name;
	return 0;
}

/* "A09-P1-LEAF-01-02:MQM9701/U1" and "leaf-12": what is before the last number
 * of what is before a colon. */
void weft_shape_rack_name(const char *switch_name,
			  char name[WEFT_SHAPE_GROUP_NAME])
{
	const char *text = switch_name + begin_of(switch_name);
	size_t n = strcspn(text, ":");

	while (n && !isdigit((unsigned char)text[n - 1]))
		n--;
	while (n && isdigit((unsigned char)text[n - 1]))
		n--;
	n = trimmed(text, n);
	n = n < WEFT_SHAPE_GROUP_NAME ? n : 0;
	memcpy(name, text, n);
	name[n] = '\0';
}
