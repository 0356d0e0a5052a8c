// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists of nodes, in files and in options: entries that options of each kind
 * may have, or an error; whoever is found is of the fabric. */
#include "io/lists/list_read.h"
#include "tables_util.h"

#include <stdlib.h>

static const struct weft_option options[] = {
	{ .name = "roots", .type = WEFT_OPT_LIST },
	{ .name = "roles", .type = WEFT_OPT_LIST, .min = 1,
	  .choices = "leaf|middle|root|RANK" },
	{ .name = "active", .type = WEFT_OPT_LIST, .choices = "PORT" },
};

static void check_value(const struct weft_option *o, const char *value)
{
	struct weft__span span = { value, value ? strlen(value) : 0 };

	fuzz_require(value ? weft__list_takes(o, span) : !o->min);
}

static void check(const struct weft_option *o, struct weft_list *list)
{
	const struct weft_fabric *f = fuzz_fabric();
	uint32_t *vertex = malloc((list->n + 1ull) * sizeof(*vertex));

	fuzz_require(vertex != NULL);
	for (uint32_t i = 0; i < list->n; i++) {
		const char *name = list->entry[i].name;

		fuzz_require(!name || *name);
		check_value(o, list->entry[i].value);
	}
	for (unsigned kinds = 1; kinds < 4; kinds++) {
		list->lenient = kinds == 3;
		if (weft_list_find(list, f, kinds, vertex, NULL))
			continue;
		for (uint32_t i = 0; i < list->n; i++) {
			uint32_t v = vertex[i];

			fuzz_require(v == WEFT_NONE || (v & WEFT_ENDPORT ?
				     (v & ~WEFT_ENDPORT) < f->nep :
				     v < f->nsw));
		}
	}
	free(vertex);
	weft__list_free(list);
}

static void check_words(const struct weft_option *o, const uint8_t *data,
			size_t size)
{
	struct weft_diag diag = { 0 };
	struct weft_list *list;
	char *text = strndup(size ? (const char *)data : "", size);
	int err;

	fuzz_require(text != NULL);
	err = weft__list_words(o, text, &list, &diag);
	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	free(text);
	if (!err)
		check(o, list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weft__source source = fuzz_source(data, size);

	for (unsigned i = 0; i < 3; i++) {
		struct weft_diag diag = { 0 };
		struct weft_list *list;
		int err = weft__read_list(&source, &options[i], &list, &diag);

		fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
		fuzz_require(err || (list->n && !fuzz_has_nul(&source)));
		if (!err)
			check(&options[i], list);
		check_words(&options[i], data, size);
	}
	return 0;
}
