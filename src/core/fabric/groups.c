// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Groups of endports, by what hosts are used for and by rail; see weft/fabric.h. */
#include "core/fabric/machines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_GROUPS 256		/* as many as weft_endport.group tells apart */
#define RAILS 256

int weft__find_groups(struct weft_fabric *f)
{
	struct weft_endport *ep = WEFT_WRITABLE(struct weft_endport, f->ep);
	struct weft_group *group = weft__arena_zalloc(f->arena, MAX_GROUPS,
						      sizeof(*group));
	/* [kind][rail] endports, and then the number of their group */
	uint32_t *of = calloc((size_t)f->nuses * RAILS, sizeof(*of)), n = 0;

	if (!group || !of) {
		free(of);
		return -ENOMEM;
	}
	for (uint32_t e = 0; e < f->nep; e++)
		of[ep[e].use * RAILS + ep[e].rail]++;
	for (uint32_t i = 0; i < f->nuses * RAILS; i++) {
		if (!of[i])
			continue;
		/* What is beyond the last number shares it. */
		if (n < MAX_GROUPS)
			group[n++] = (struct weft_group){
				.kind = f->use_name[i / RAILS],
				.rail = i % RAILS,
			};
		group[n - 1].nendports += of[i];
		of[i] = n - 1;
	}
	for (uint32_t e = 0; e < f->nep; e++)
		ep[e].group = of[ep[e].use * RAILS + ep[e].rail];
	f->group = group;
	f->ngroups = n;
	free(of);
	return 0;
}

int weft__copy_uses(struct weft_fabric *f, const char *const *name, uint32_t n)
{
	const char **copy = weft__arena_alloc(f->arena, n, sizeof(*copy));

	for (uint32_t i = 0; i < n && copy; i++)
		copy[i] = weft__arena_string(f->arena, name[i],
					     strlen(name[i]));
	if (weft__arena_failed(f->arena))
		return -ENOMEM;
	f->use_name = copy;
	f->nuses = n;
	return 0;
}

int weft_fabric_use(struct weft_fabric *f, const uint8_t *use,
		    const char *const *name, uint32_t n)
{
	struct weft_endport *ep = WEFT_WRITABLE(struct weft_endport, f->ep);

	if (weft__copy_uses(f, name, n))
		return -ENOMEM;
	for (uint32_t e = 0; e < f->nep; e++)
		ep[e].use = use[e];
	return weft__find_groups(f);
}
