// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables that stand: whatever is read is a fabric with tables that fit it, and
 * reads as the same when written out. */
#include "tables_util.h"

#include "../unit/stored/stored_util.h"

#include <stdlib.h>

static void read_back(const struct weft_stored *s)
{
	struct weft__source source;
	struct weft_stored again;
	struct weft_lft_diff diff;
	char *bytes = NULL;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	fuzz_require(out && !weft_stored_write(out, s, NULL));
	fclose(out);
	source = weft__source_text("again", bytes, size);
	fuzz_require(!weft__stored_parse(&source, &again, NULL));
	weft_lft_compare(&s->now.routes.lft, &again.now.routes.lft, &diff);
	fuzz_require(!diff.entries && s->told == again.told);
	fuzz_require(s->now.fabric->nch == again.now.fabric->nch);
	weft_stored_free(&again);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weft_diag diag = { 0 };
	struct weft__source source;
	struct weft_stored s;
	uint8_t *copy = malloc(size + 1);
	int err;

	fuzz_require(copy != NULL);
	memcpy(copy, data, size);
	stored_seal(copy, size);
	source = weft__source_text("input", (const char *)copy, size);
	err = weft__stored_parse(&source, &s, &diag);
	fuzz_require(err <= 0 && diag.count[WEFT_ERROR] == (err != 0));
	if (!err) {
		fuzz_require(!weft_fabric_check(s.now.fabric, NULL));
		fuzz_require(!weft__stored_misfit(&s.now));
		fuzz_require(!s.home.fabric ||
			     !weft_fabric_check(s.home.fabric, NULL));
		read_back(&s);
		weft_stored_free(&s);
	}
	free(copy);
	return 0;
}
