// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What all-to-all traffic gets through; see weft/worth.h. */
#include "worth/model/uniform.h"

#include <weft/worth.h>

#include <errno.h>
#include <stdlib.h>

static void sum_up(const struct weft__paths *p, const double *got,
		   struct weft_saturation *out)
{
	out->least = 1;
	for (uint32_t h = 0; h < p->nhosts; h++) {
		out->mean += got[h] / p->nhosts;
		if (got[h] < out->least || !h) {
			out->least = got[h];
			out->least_endport = p->endport[h];
		}
	}
}

/* Tells of each endport what it gets, and what holds it back. */
static void tell_hosts(const struct weft_fabric *f,
		       const struct weft__paths *p, const double *got,
		       const uint32_t *blame, struct weft_saturation_host *host)
{
	for (uint32_t e = 0; e < f->nep; e++)
		host[e] = (struct weft_saturation_host){ -1, WEFT_NONE };
	for (uint32_t h = 0; h < p->nhosts; h++)
		host[p->endport[h]] = (struct weft_saturation_host){
			got[h], blame[p->sw[h]]
		};
}

int weft_saturation_hosts(const struct weft_fabric *fabric,
			  const struct weft_routes *routes,
			  const struct weft_saturation_spec *spec,
			  struct weft_saturation *out,
			  struct weft_saturation_host *tell,
			  struct weft_diag *diag)
{
	struct weft__paths paths = { 0 };
	uint32_t *host = malloc((fabric->nep + 1ull) * sizeof(*host)), n = 0;
	double *got = malloc((fabric->nep + 1ull) * sizeof(*got));
	uint32_t *blame = tell ? malloc((fabric->nsw + 1ull) * sizeof(*blame)) :
				 NULL;
	const uint8_t *offset = spec->spread ? NULL : routes->lid_offset;
	int err = host && got && (blame || !tell) ? 0 : -ENOMEM;

	*out = (struct weft_saturation){ 0 };
	for (uint32_t e = 0; !err && e < fabric->nep; e++)
		if (weft_endport_is_host(&fabric->ep[e], spec->all_hosts))
			host[n++] = e;
	if (!err)
		err = weft__paths_init(&paths, fabric, &routes->lft,
				       spec->spread ? WEFT__ROWS_SPREAD :
				       offset ? WEFT__ROWS_ALL : WEFT__ROWS_BASE,
				       host, n);
	if (!err)
		err = weft__uniform_hosts(&paths, offset, got, blame,
					  &out->even, &out->lost);
	if (!err) {
		out->hosts = n;
		sum_up(&paths, got, out);
		if (tell)
			tell_hosts(fabric, &paths, got, blame, tell);
	} else {
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	}
	weft__paths_free(&paths);
	free(host);
	free(got);
	free(blame);
	return err;
}

int weft_saturation_run(const struct weft_fabric *fabric,
			const struct weft_routes *routes,
			const struct weft_saturation_spec *spec,
			struct weft_saturation *out, struct weft_diag *diag)
{
	return weft_saturation_hosts(fabric, routes, spec, out, NULL, diag);
}
