// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What destination-based engines have in common. */
#include "engines/common.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

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

int weft__look_up(const struct weft_fabric *f,
		  const struct weft_options *options, const char *option,
		  unsigned kinds, const struct weft_list **list,
		  uint32_t **vertex, struct weft_diag *diag)
{
	int err = weft_options_list(options, option, list, diag);

	*vertex = NULL;
	if (err || !*list)
		return err;
	*vertex = malloc(((*list)->n + (size_t)1) * sizeof(**vertex));
	if (!*vertex)
		return weft_fail(diag, ENOMEM, "out of memory");
	err = weft_list_find(*list, f, kinds, *vertex, diag);
	if (err) {
		free(*vertex);
		*vertex = NULL;
	}
	return err;
}

int weft__listed_switches(const struct weft_fabric *f,
			  const struct weft_options *options,
			  const char *option, uint8_t *member, bool *any,
			  struct weft_diag *diag)
{
	const struct weft_list *list;
	uint32_t *sw;
	int err = weft__look_up(f, options, option, WEFT_LIST_SWITCHES, &list,
				&sw, diag);

	*any = false;
	if (err || !list)
		return err;
	for (uint32_t i = 0; i < list->n; i++) {
		if (sw[i] == WEFT_NONE)
			continue;
		member[sw[i]] = 1;
		*any = true;
	}
	free(sw);
	return 0;
}
