// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writing weft-paths.dump: which LID each source sends to. */
#include <weft/io.h>

#include "io/tables/mark.h"
#include "io/tables/paths_dump.h"
#include "io/text.h"

#include <errno.h>
#include <inttypes.h>

int weft_io_write_paths(FILE *out, const struct weft_fabric *fabric,
			const struct weft_routes *routes,
			struct weft_diag *diag)
{
	char name[WEFT__NAME_SIZE];
	int err;

	errno = 0;
	fprintf(out, WEFT__PATHS_MAGIC "%d\n", WEFT__PATHS_VERSION);
	err = weft__mark_write(out, fabric, &routes->lft);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	for (uint32_t e = 0; e < fabric->nep; e++) {
		const struct weft_endport *ep = &fabric->ep[e];

		fprintf(out, "0x%016" PRIx64 " 0x%04x %u # %s\n", ep->guid,
			ep->lid, routes->lid_offset ? routes->lid_offset[e] : 0,
			weft__clean_name(fabric->node[ep->node].name, name));
	}
	fprintf(out, "end\n");
	return weft__finish_output(out, diag);
}
