// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a report's tables are graded by; see judged.h. */
#include "report/judged.h"

#include <math.h>

const struct weft_compared *weft__report_best(const struct weft__report *r)
{
	return r->comparison ? weft_comparison_best(r->comparison) : NULL;
}

struct weft__grade weft__report_grade(const struct weft__report *r)
{
	const struct weft_compared *best = weft__report_best(r);
	const struct weft__graded of = {
		.fine = weft_proof_holds(&r->proof),
		.fine_with_switches = r->fine_with_switches,
		.worth = r->has_traffic ? r->worth.mean : -1,
		.best = best ? best->worth.mean : -1,
		.of_bound = r->comparison ?
			r->saturation.even / r->uniform_bound : NAN,
	};

	return weft__grade(&of);
}
