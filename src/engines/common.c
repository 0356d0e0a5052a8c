// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What destination-based engines have in common. */
#include "engines/common.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t first_unreached(const struct weft_fabric *f,
				const uint16_t *hops)
{
	uint32_t s = 0;

	while (s < f->nsw && hops[s] != WEFT__FAR)
		s++;
	return s;
}

int weft__require_connected(const struct weft_fabric *f,
			    struct weft_diag *diag)
{
	uint16_t *hops = malloc((f->nsw + 1) * sizeof(*hops));
	uint32_t *order = malloc((f->nsw + 1) * sizeof(*order));
	uint32_t cut;
	int err = 0;

	if (!hops || !order) {
		err = weft_fail(diag, ENOMEM, "out of memory");
		goto free_all;
	}
	if (!f->nsw)
		goto free_all;
	weft__bfs(f, 0, hops, order);
	cut = first_unreached(f, hops);
	if (cut < f->nsw)
		err = weft_fail(diag, ENETUNREACH,
			"the fabric is in parts: no cable leads from switch "
			"0x%016" PRIx64 " (%s) to switch 0x%016" PRIx64
			" (%s)", f->sw[0].guid, f->sw[0].name,
			f->sw[cut].guid, f->sw[cut].name);
free_all:
	free(hops);
	free(order);
	return err;
}

int weft__named_switches(const struct weft_fabric *f, const char *option,
			 const char *text, uint8_t *member,
			 struct weft_diag *diag)
{
	static const char separators[] = " \t\n\r,+";

	for (text += strspn(text, separators); *text;
	     text += strspn(text, separators)) {
		char *end;
		uint64_t guid = strtoull(text, &end, 16);
		size_t length = strcspn(text, separators);
		uint32_t s = weft_fabric_switch_by_guid(f, guid);

		if (end != text + length || s == WEFT_NONE)
			return weft_fail(diag, EINVAL,
				"%s: '%.*s' is not the GUID of a switch of "
				"this fabric", option, (int)length, text);
		member[s] = 1;
		text += length;
	}
	return 0;
}
