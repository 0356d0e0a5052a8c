// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns and matrices: what is read keeps its promises, and reads as the same
 * when written out as pairs. */
#include "io/lists/pair_list.h"
#include "tables_util.h"

#include <stdio.h>
#include <stdlib.h>

static void check_list(const struct weft_pair_list *l)
{
	fuzz_require(l->nranks > 1 && l->nranks <= WEFT_MAX_RANKS);
	fuzz_require(l->nrounds && l->first[0] == 0);
	fuzz_require(l->first[l->nrounds] > 0);
	for (uint32_t r = 0; r < l->nrounds; r++)
		fuzz_require(l->first[r] <= l->first[r + 1]);
	for (uint64_t i = 0; i < l->first[l->nrounds]; i++) {
		fuzz_require(l->pair[i].from < l->nranks);
		fuzz_require(l->pair[i].to < l->nranks);
		fuzz_require(l->pair[i].from != l->pair[i].to);
		fuzz_require(!l->size || l->size[i] > 0);
	}
}

static char *write_pairs(const struct weft_pair_list *l, size_t *size)
{
	char *text;
	FILE *out = open_memstream(&text, size);

	fuzz_require(out);
	fprintf(out, "ranks %u\n", l->nranks);
	for (uint32_t r = 0; r < l->nrounds; r++) {
		fprintf(out, "round\n");
		for (uint64_t i = l->first[r]; i < l->first[r + 1]; i++)
			fprintf(out, "%u %u %.17g\n", l->pair[i].from,
				l->pair[i].to, l->size ? l->size[i] : 1);
	}
	fclose(out);
	return text;
}

static void read_back(const struct weft_pair_list *l)
{
	struct weft_pair_list again;
	struct weft__source source;
	uint64_t n = l->first[l->nrounds];
	size_t size;
	char *text = write_pairs(l, &size);

	source = weft__source_text("again", text, size);
	fuzz_require(!weft__read_pattern(&source, &again, NULL));
	fuzz_require(again.nranks == l->nranks && again.nrounds == l->nrounds);
	fuzz_require(!memcmp(again.first, l->first,
			     (l->nrounds + 1) * sizeof(*l->first)));
	fuzz_require(!memcmp(again.pair, l->pair, n * sizeof(*l->pair)));
	fuzz_require(!again.size == !l->size);
	fuzz_require(!l->size ||
		     !memcmp(again.size, l->size, n * sizeof(*l->size)));
	weft_pair_list_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_pair_list list;
	int err = weft__read_pattern(&source, &list, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (err)
		return 0;
	check_list(&list);
	read_back(&list);
	weft_pair_list_free(&list);
	return 0;
}
