// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The bound of uniform traffic where it takes no more than seconds. */
#include <weft/bound.h>

#include <math.h>

#define MOST_EDGES UINT64_C(40000000)	/* of one round over all goals */
#define WORK UINT64_C(20000000)

double weft_bound_of_uniform(const struct weft_fabric *f, bool all_hosts)
{
	const struct weft_bound_spec spec = {
		.all_hosts = all_hosts, .rounds = 1, .gap = .01, .work = WORK,
	};
	uint64_t goals = 0;
	struct weft_bound b;

	for (uint32_t s = 0; s < f->nsw; s++)
		goals += f->sw_ep_first[s] < f->sw_ep_first[s + 1];
	if (goals * f->adj_first[f->nsw] > MOST_EDGES ||
	    weft_bound_uniform(f, &spec, &b))
		return NAN;
	return b.most;
}
