// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See hostlist.h. */
#include "core/text/hostlist.h"

#include "core/text/number.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct expansion {
	char name[WEFT__HOST_NAME];
	int (*call)(void *context, const char *name, size_t length);
	void *context;
	const char **why;
};

static int refuse(const struct expansion *x, const char *why)
{
	*x->why = why;
	return -EINVAL;
}

static int expand(struct expansion *x, size_t used, const char *p,
		  const char *end);

/* All numbers of "017-021", at *p, each followed by what is behind the
 * brackets. */
static int expand_range(struct expansion *x, size_t used, const char **p,
			const char *close, const char *end)
{
	const char *start = *p;
	uint64_t low, high;
	int digits;

	*p = weft__number_digits(start, close, UINT32_MAX, &low);
	if (!*p)
		return refuse(x, "no number in the brackets");
	digits = *p - start;
	high = low;
	if (*p < close && **p == '-')
		*p = weft__number_digits(*p + 1, close, UINT32_MAX, &high);
	if (!*p || high < low || (*p < close && **p != ','))
		return refuse(x, "no range in the brackets");
	for (uint64_t i = low; i <= high; i++) {
		int n = snprintf(x->name + used, sizeof(x->name) - used,
				 "%0*u", digits, (uint32_t)i);
		int err;

		if (used + n >= sizeof(x->name))
			return refuse(x, "a name too long");
		err = expand(x, used + n, close + 1, end);
		if (err)
			return err;
	}
	return 0;
}

static int expand_brackets(struct expansion *x, size_t used, const char *open,
			   const char *end)
{
	const char *close = memchr(open, ']', end - open), *p = open + 1;
	int err;

	if (!close)
		return refuse(x, "a bracket is left open");
	do
		err = expand_range(x, used, &p, close, end);
	while (!err && p < close && *p++ == ',');
	return err;
}

/* What follows the first used characters of the name. */
static int expand(struct expansion *x, size_t used, const char *p,
		  const char *end)
{
	const char *open = memchr(p, '[', end - p);
	size_t plain = (open ? open : end) - p;

	if (memchr(p, ']', plain))
		return refuse(x, "a bracket is closed that was not open");
	if (used + plain >= sizeof(x->name))
		return refuse(x, "a name too long");
	memcpy(x->name + used, p, plain);
	used += plain;
	if (open)
		return expand_brackets(x, used, open, end);
	return used ? x->call(x->context, x->name, used) :
		      refuse(x, "no name between two commas");
}

/* The first comma outside of brackets, or the end. */
static const char *item_end(const char *p, const char *end)
{
	bool inside = false;

	for (; p < end && (*p != ',' || inside); p++) {
		inside |= *p == '[';
		inside &= *p != ']';
	}
	return p;
}

int weft__hostlist_each(const char *text, const char *end,
			int (*call)(void *context, const char *name,
				    size_t length),
			void *context, const char **why)
{
	struct expansion x = { .call = call, .context = context, .why = why };
	int err = 0;

	while (text < end && !err) {
		const char *stop = item_end(text, end);

		err = expand(&x, 0, text, stop);
		text = stop + (stop < end);
	}
	return err;
}
