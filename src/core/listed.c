// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the nodes of a fabric that an option lists. */
#include "core/listed.h"

#include <weft/diag.h>

#include <stdlib.h>

int weft__look_up(const struct weft_fabric *f,
		  const struct weft_options *options, const char *option,
		  unsigned kinds, struct weft__listed *out,
		  struct weft_diag *diag)
{
	int err = weft_options_list(options, option, &out->list, diag);

	out->vertex = NULL;
	if (err || !out->list)
		return err;
	out->vertex = malloc((out->list->n + (size_t)1) * sizeof(*out->vertex));
	if (!out->vertex)
		return weft_no_memory(diag);
	err = weft_list_find(out->list, f, kinds, out->vertex, diag);
	if (err) {
		free(out->vertex);
		out->vertex = NULL;
	}
	return err;
}

int weft__listed_switches(const struct weft_fabric *f,
			  const struct weft_options *options,
			  const char *option, uint8_t *member, bool *any,
			  struct weft_diag *diag)
{
	struct weft__listed at;
	int err = weft__look_up(f, options, option, WEFT_LIST_SWITCHES, &at,
				diag);

	*any = false;
	if (err || !at.list)
		return err;
	for (uint32_t i = 0; i < at.list->n; i++) {
		if (at.vertex[i] == WEFT_NONE)
			continue;
		member[at.vertex[i]] = 1;
		*any = true;
	}
	free(at.vertex);
	return 0;
}
