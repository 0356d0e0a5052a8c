// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Machines and rails of ranks; see weft/mapping.h. */
#include <weft/diag.h>
#include <weft/kinds.h>
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
			.numa = fabric->node[ep->node].numa,
			.storage = weft_kind_stores(fabric->use_name[ep->use]),
		};
	}
	free(number);
	return 0;
}

int weft_traffic_placed(const char *description,
			const struct weft_fabric *fabric,
			const uint32_t *endport, uint32_t n,
			struct weft_traffic **out, struct weft_diag *diag)
{
	struct weft_seat *seat;
	int err;

	if (!endport)
		return weft_traffic_new(description, n, out, diag);
	seat = malloc((n + 1ull) * sizeof(*seat));
	err = seat && !weft_seats_find(fabric, endport, n, seat) ?
		weft_traffic_seated(description, n, seat, out, diag) :
		weft_no_memory(diag);
	free(seat);
	return err;
}
