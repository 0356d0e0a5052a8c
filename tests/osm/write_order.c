// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* write_order FILE: the GUIDs of a topology's switches, a line each, in the
 * order in which weft takes OpenSM to write their tables. */
#include <weft/weft.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct weft_diag diag = { .emit = weft_diag_stderr,
				  .context = argv[0] };
	struct weft_fabric *f;
	uint32_t *order;

	if (argc != 2 || weft_io_read_fabric(argv[1], &f, &diag))
		return 1;
	order = malloc((f->nsw + 1ull) * sizeof(*order));
	if (!order)
		return 1;
	weft_transition_opensm_order(f, order);
	for (uint32_t i = 0; i < f->nsw; i++)
		printf("0x%016" PRIx64 "\n", f->sw[order[i]].guid);
	free(order);
	weft_fabric_free(f);
	return 0;
}
