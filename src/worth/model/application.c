// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Estimates the cost of congestion to applications; see weft/model.h. */
#include <weft/model.h>

double weft_model_application_time(const struct weft_communication *part,
				   unsigned n)
{
	double time = 1;

	for (unsigned i = 0; i < n; i++)
		time -= part[i].share * (1 - part[i].bandwidth);
	return time;
}
