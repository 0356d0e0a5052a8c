// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any bytes as a topology: compiled once for each format, -DFORMAT=...  It
 * either fails with an error that was told, or yields a fabric that keeps its
 * invariants and is the same after being written and read again.
 */
#include <weft/io.h>

#include <stdlib.h>
#include <string.h>

#include "io/formats.h"
#include "io/topology/topology.h"

#define MESSAGES_MAX 24		/* of one file, however broken */

#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

static struct weft_fabric *read_by(const struct weft__format *format,
				   const char *text, size_t size)
{
	struct weft__source source = weft__source_text("fuzz", text, size);
	struct weft_fabric *fabric = NULL;
	struct weft__topology topology;
	struct weft_diag diag = { 0 };
	int err = weft__topology_init(&topology, "fuzz", &diag);

	REQUIRE(!err);
	err = format->read_topology(&source, &topology);
	if (!err)
		err = weft__topology_finish(&topology, &fabric);
	weft__topology_free(&topology);
	REQUIRE(!err == !diag.count[WEFT_ERROR]);
	REQUIRE(!err == (fabric != NULL));
	REQUIRE(err || !memchr(text, 0, size));
	REQUIRE(diag.count[WEFT_WARNING] + diag.count[WEFT_NOTE] <
		MESSAGES_MAX);
	if (fabric)
		REQUIRE(!weft_fabric_check(fabric, NULL));
	return fabric;
}

static char *written(const struct weft_fabric *fabric, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	REQUIRE(out);
	REQUIRE(!weft_io_write_ibnetdiscover(out, fabric, NULL));
	fclose(out);
	return text;
}

/*
 * Port GUIDs that old captures leave out are derived; one that collides with a
 * GUID that is stated is tolerated, but cannot be told from it once written.
 */
static bool unique_guids(const struct weft_fabric *fabric)
{
	for (uint32_t e = 1; e < fabric->nep; e++)
		if (fabric->ep[e].guid == fabric->ep[e - 1].guid)
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weft_fabric *fabric, *again;
	size_t first_size, second_size;
	char *first, *second;

	fabric = read_by(&FORMAT, (const char *)data, size);
	if (!fabric)
		return 0;
	if (!unique_guids(fabric)) {
		weft_fabric_free(fabric);
		return 0;
	}
	first = written(fabric, &first_size);
	again = read_by(&weft__format_ibnetdiscover, first, first_size);
	REQUIRE(again);
	second = written(again, &second_size);
	REQUIRE(first_size == second_size &&
		!memcmp(first, second, first_size));
	REQUIRE(fabric->nlinks == again->nlinks && fabric->nep == again->nep);
	weft_fabric_free(fabric);
	weft_fabric_free(again);
	free(first);
	free(second);
	return 0;
}
