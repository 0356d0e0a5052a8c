// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Descriptions of synthetic fabrics: what is accepted has a canonical form
 * that is its own, and both make valid fabrics of one size.
 */
#include <weft/diag.h>
#include <weft/fabric.h>
#include <weft/gen.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Larger ones take their time and find nothing else. */
#define SWITCHES_MAX 3000
#define TEXT_MAX 300

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* The fabric, or NULL when it is refused. */
static struct weft_fabric *make(const char *text)
{
	struct weft_diag diag = { 0 };
	struct weft_fabric *fabric = NULL;
	int err = weft_gen(text, &fabric, &diag);

	require(!err == !!fabric && diag.count[WEFT_ERROR] == !!err);
	if (fabric)
		require(!weft_fabric_check(fabric, NULL));
	return fabric;
}

static void compare(const char *text, const char *canonical)
{
	struct weft_fabric *a = make(text), *b = make(canonical);

	require(!a == !b);
	if (a)
		require(a->nsw == b->nsw && a->nep == b->nep &&
			a->nlinks == b->nlinks && a->max_lid == b->max_lid);
	weft_fabric_free(a);
	weft_fabric_free(b);
}

/* Whether some number is too large for a quick test. */
static bool large(const char *text)
{
	unsigned long product = 1;

	for (char *end; *text; text = end) {
		size_t digits = strspn(text, "0123456789");
		unsigned long n = digits ? strtoul(text, &end, 10) : 1;

		if (!digits)
			end = (char *)text + 1;
		if (digits > 5 || n > SWITCHES_MAX)
			return true;
		product *= n ? n : 1;
		if (product > 100ul * SWITCHES_MAX)
			return true;
		if (*end == ',' && end[1] >= 'a')
			break;
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[TEXT_MAX], *once, *twice;

	if (size >= sizeof(text))
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	if (weft_gen_canonical(text, &once, NULL))
		return 0;
	require(weft_gen_is_spec(text));
	require(!weft_gen_canonical(once, &twice, NULL));
	require(!strcmp(once, twice));
	if (!large(text))
		compare(text, once);
	free(once);
	free(twice);
	return 0;
}
