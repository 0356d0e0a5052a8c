// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What tables shall be good at; see weft/worth.h. */
#include "worth/basket.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *pattern;
} basket_parts[] = {
	{ "bisect", "bisect" },
	{ "uniform", WEFT__UNIFORM },
	{ "shift", "shift" },
	{ "doubling", "recursive-doubling" },
	{ "stencil", "stencil" },
	{ "fragments", WEFT__FRAGMENTS },
};

const char *weft__objective_part_name(const char *pattern)
{
	for (size_t i = 0; i < sizeof(basket_parts) / sizeof(*basket_parts);
	     i++)
		if (!strcmp(basket_parts[i].pattern, pattern))
			return basket_parts[i].name;
	return pattern;
}

void weft_objective_free(struct weft_objective *o)
{
	for (unsigned i = 0; i < o->nparts; i++)
		free(o->part[i].pattern);
	weft_pair_list_free(&o->pairs);
	*o = (struct weft_objective){ .nparts = 0 };
}

static int add_to_objective(struct weft_objective *o, const char *pattern,
			    struct weft_diag *diag)
{
	struct weft_objective_part *p = &o->part[o->nparts++];

	p->weight = 1;
	p->pattern = strdup(pattern);
	return p->pattern ? 0 : weft_fail(diag, ENOMEM, "out of memory");
}

int weft_objective_parse(const char *text, struct weft_objective *out,
			 struct weft_diag *diag)
{
	unsigned n = sizeof(basket_parts) / sizeof(basket_parts[0]);
	struct weft_objective o = { .nparts = 0 };
	int err = 0;

	if (strcmp(text, "basket"))
		err = add_to_objective(&o, text, diag);
	else
		for (unsigned i = 0; i < n && !err; i++)
			err = add_to_objective(&o, basket_parts[i].pattern,
					       diag);
	if (err)
		weft_objective_free(&o);
	else
		*out = o;
	return err;
}
