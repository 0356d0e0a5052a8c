// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the nodes of a fabric that an option lists. */
#include "core/listed.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>

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
