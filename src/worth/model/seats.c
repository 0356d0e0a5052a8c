// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Machines and rails of ranks; see weft/mapping.h. */
#include <weft/mapping.h>
#include <weft/pattern.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int weft_seats_find(const struct weft_fabric *fabric, const uint32_t *endport,
		    uint32_t n, struct weft_seat *seat)
{
	uint32_t *number = malloc((fabric->nmachines + 1ull) *
				  sizeof(*number));
	uint32_t machines = 0;

	if (!number)
		return -ENOMEM;
	memset(number, 0xff, fabric->nmachines * sizeof(*number));
	for (uint32_t i = 0; i < n; i++) {
		const struct weft_endport *ep = &fabric->ep[endport[i]];

		if (number[ep->machine] == WEFT_NONE)
			number[ep->machine] = machines++;
		seat[i] = (struct weft_seat){
			.machine = number[ep->machine], .rail = ep->rail,
			.storage = !strcmp(fabric->use_name[ep->use],
					   "storage"),
		};
	}
	free(number);
	return 0;
}
