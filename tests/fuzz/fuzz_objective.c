// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What tables shall be good at: patterns that there are with weights, or pairs,
 * which a basket can be made of; patterns read as the same when written out. */
#include "io/lists/objective_read.h"
#include "tables_util.h"

#include <stdio.h>
#include <stdlib.h>

static void check(const struct weft_objective *o)
{
	struct weft_objective one;

	fuzz_require(o->nparts <= WEFT_WORTH_PARTS);
	fuzz_require(!o->nparts == (o->pairs.nrounds > 0));
	for (unsigned i = 0; i < o->nparts; i++) {
		fuzz_require(o->part[i].weight > 0);
		fuzz_require(!weft_objective_parse(o->part[i].pattern, &one,
						   NULL));
		fuzz_require(one.nparts == 1);
		weft_objective_free(&one);
	}
}

static void read_back(const struct weft_objective *o)
{
	struct weft_objective again;
	struct weft__source source;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_require(out != NULL);
	for (unsigned i = 0; i < o->nparts; i++)
		fprintf(out, "%.17g %s\n", o->part[i].weight,
			o->part[i].pattern);
	fclose(out);
	source = weft__source_text("again", text, size);
	fuzz_require(!weft__read_objective(&source, &again, NULL));
	fuzz_require(again.nparts == o->nparts);
	for (unsigned i = 0; i < o->nparts; i++) {
		fuzz_require(again.part[i].weight == o->part[i].weight);
		fuzz_require(!strcmp(again.part[i].pattern,
				     o->part[i].pattern));
	}
	weft_objective_free(&again);
	free(text);
}

/* A basket of it, or an error. */
static void make_basket(const struct weft_objective *o)
{
	const struct weft_basket_spec spec = { .objective = o, .rounds = 3 };
	struct weft_diag diag = { 0 };
	struct weft_basket *basket;
	int err = weft_basket_new(fuzz_fabric(), &spec, &basket, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	if (!err)
		weft_basket_free(basket);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_objective o;
	int err = weft__read_objective(&source, &o, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (err)
		return 0;
	check(&o);
	if (o.nparts)
		read_back(&o);
	make_basket(&o);
	weft_objective_free(&o);
	return 0;
}
