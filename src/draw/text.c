// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "draw/text.h"

#include "core/text/utf8.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LETTER 6.9 /* width of one, about */
#define SMALL_LETTER 5.4
#define LEAST 2u	 /* letters of a label, */
#define WITH_ELLIPSIS 5u /* and of one with something left out */

const char *weft__draw_name(const struct weft_fabric *f, uint32_t s,
			    char buf[WEFT__DRAW_NAME])
{
	const char *name = f->sw[s].name;
	size_t n = 0, one;

	if (!*name) {
		snprintf(buf, WEFT__DRAW_NAME, "0x%016" PRIx64, f->sw[s].guid);
		return buf;
	}
	/* No character is cut in two. */
	for (; name[n]; n += one) {
		one = weft__utf8_length(name + n);
		one = one ? one : 1;
		if (n + one >= WEFT__DRAW_NAME)
			break;
		memcpy(buf + n, name + n, one);
	}
	buf[n] = '\0';
	return buf;
}

/* Shortens a trim to what one name has in common with another. */
static void compare(const char *first, const char *name, struct weft__trim *t)
{
	size_t n = strlen(name), length = strlen(first), same = 0;

	while (same < t->head && name[same] == first[same])
		same++;
	t->head = same;
	for (same = 0; same < t->tail && same < n &&
		       name[n - 1 - same] == first[length - 1 - same];)
		same++;
	t->tail = same;
}

/* Of the switches of one level, or of all. */
static struct weft__trim find_trim(const struct weft_fabric *f,
				   const uint16_t *of, int level)
{
	const char *first = NULL;
	struct weft__trim t = { 0, 0 };
	size_t shortest = 0, n;

	for (uint32_t s = 0; s < f->nsw; s++) {
		const char *name = f->sw[s].name;

		if (level >= 0 && of[s] != level)
			continue;
		n = strlen(name);
		if (!first) {
			first = name;
			t.head = t.tail = shortest = n;
		}
		shortest = n < shortest ? n : shortest;
		compare(first, name, &t);
	}
	while (t.head && isalnum((unsigned char)first[t.head - 1]))
		t.head--;
	n = first ? strlen(first) : 0;
	while (t.tail && isalnum((unsigned char)first[n - t.tail]))
		t.tail--;
	return t.head + t.tail < shortest ? t : (struct weft__trim){ 0, 0 };
}

void weft__draw_trims(const struct weft_fabric *f,
		      const struct weft_shape *shape, struct weft__trims *out)
{
	out->of = shape->level;
	out->ends = shape->nparts && shape->part[0].kind == WEFT_SHAPE_TREE;
	out->all = find_trim(f, shape->level, -1);
	for (int level = 0; level < WEFT_SHAPE_LEVELS; level++)
		out->level[level] = find_trim(f, shape->level, level);
}

/* Counts characters; a byte that is none counts as the four that tell it. */
static size_t count_letters(const char *text)
{
	size_t n = 0;

	while (*text) {
		size_t one = weft__utf8_length(text);
		bool plain = one && (unsigned char)*text >= ' ';

		n += plain ? 1 : 4;
		text += one ? one : 1;
	}
	return n;
}

/* A name without what is alike in all. */
static void cut(const struct weft_fabric *f, uint32_t s, struct weft__trim trim,
		char name[WEFT__DRAW_NAME])
{
	size_t n;

	weft__draw_name(f, s, name);
	n = strlen(name);
	if (n <= trim.head + trim.tail || !*f->sw[s].name)
		return;
	name[n - trim.tail] = '\0';
	memmove(name, name + trim.head, n - trim.head - trim.tail + 1);
}

static size_t letters_in(double room)
{
	return room <= 0	     ? 0 :
	       room < WEFT__DRAW_SMALL ? room / SMALL_LETTER :
					 room / LETTER;
}

bool weft__draw_is_wide(const char *text, double room)
{
	return room < WEFT__DRAW_SMALL && count_letters(text) * LETTER > room;
}

/* By how much letters of a text are wider than others: capitals are. */
static double broader(const char *text)
{
	size_t n = strlen(text), capitals = 0;

	for (size_t i = 0; i < n; i++)
		capitals += isupper((unsigned char)text[i]) != 0;
	return n ? 1 + .25 * capitals / n : 1;
}

void weft__draw_fit(const char *text, const char *shorter, double room,
		    char buf[WEFT__DRAW_NAME])
{
	size_t letters = letters_in(room);

	snprintf(buf, WEFT__DRAW_NAME, "%s",
		 strlen(text) <= letters    ? text :
		 strlen(shorter) <= letters ? shorter :
					      "");
}

bool weft__draw_label(const struct weft_fabric *f, uint32_t s,
		      const struct weft__trims *trims, double room,
		      char buf[WEFT__DRAW_NAME])
{
	size_t letters, n, left, right;
	unsigned level = trims->of[s];
	char name[WEFT__DRAW_NAME];

	cut(f, s, trims->all, buf);
	letters = letters_in(room / broader(buf));
	if (letters < LEAST)
		return false;
	if (count_letters(buf) <= letters)
		return true;
	cut(f, s, trims->level[level < WEFT_SHAPE_LEVELS ? level : 0], name);
	memcpy(buf, name, sizeof(name));
	n = strlen(name);
	if (count_letters(name) <= letters)
		return true;
	if (n <= letters)
		return false;
	if (letters < WITH_ELLIPSIS && !trims->ends)
		return false;
	if (letters < WITH_ELLIPSIS) {
		memcpy(buf, name + n - letters, letters + 1);
		return count_letters(buf) <= letters;
	}
	/* Names are told apart by their ends.  Bytes of a character that is cut
	 * would be told as such. */
	left = (letters - 1) / 3;
	right = n - (letters - 1 - left);
	while (left && ((unsigned char)name[left] & 0xc0) == 0x80)
		left--;
	while (((unsigned char)name[right] & 0xc0) == 0x80)
		right++;
	snprintf(buf, WEFT__DRAW_NAME, "%.*s…%s", (int)left, name,
		 name + right);
	return count_letters(buf) <= letters;
}
