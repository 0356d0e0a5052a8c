// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sizes of a load's messages: all alike, or drawn for each.  A load is what it
 * is asked to be on average: hosts make fewer messages of those that are
 * longer.
 */
#include "sim/host/host.h"
#include "sim/kernel/random.h"

#include <errno.h>

int weft__sizes_check(const struct weft_sim_spec *spec, struct weft_diag *diag)
{
	const struct weft_sim_sizes *sizes = &spec->sizes;

	if (sizes->n > WEFT_SIM_SIZES)
		return weft_fail(diag, EINVAL,
				 "%u sizes of messages: %d at most", sizes->n,
				 WEFT_SIM_SIZES);
	if (sizes->n && (spec->traffic || spec->schedule))
		return weft_fail(
			diag, EINVAL,
			"messages of random sizes are for loads, not for patterns");
	for (unsigned i = 0; i < sizes->n; i++)
		if (!sizes->entry[i].least || !sizes->entry[i].weight ||
		    sizes->entry[i].least > sizes->entry[i].most ||
		    sizes->entry[i].most > 1ull << 40)
			return weft_fail(
				diag, EINVAL,
				"messages have 1 byte to 1 TiB, the least before the most, and a weight");
	return 0;
}

static uint64_t all_weights(const struct weft_sim_sizes *sizes)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < sizes->n; i++)
		sum += sizes->entry[i].weight;
	return sum;
}

uint64_t weft__sizes_draw(const struct weft_sim_spec *spec, uint64_t *random)
{
	const struct weft_sim_sizes *sizes = &spec->sizes;
	uint64_t at, span;
	unsigned i = 0;

	if (!sizes->n)
		return spec->bytes;
	at = (unsigned __int128)weft__sim_random(random) * all_weights(sizes) >>
	     64;
	while (at >= sizes->entry[i].weight)
		at -= sizes->entry[i++].weight;
	span = sizes->entry[i].most - sizes->entry[i].least + 1;
	return sizes->entry[i].least +
	       (uint64_t)((unsigned __int128)weft__sim_random(random) * span >>
			  64);
}

/* Returns the packets of all messages of 1 to n bytes, cut into pieces. */
static double packets_up_to(uint64_t n, uint32_t cut)
{
	double whole = n / cut, rest = n % cut;

	return cut * whole * (whole + 1) / 2 + rest * (whole + 1);
}

double weft__sizes_wire(const struct weft_sim_spec *spec, uint32_t cut,
			double header)
{
	const struct weft_sim_sizes *sizes = &spec->sizes;
	double sum = 0;

	if (!sizes->n)
		return spec->bytes + (spec->bytes + cut - 1) / cut * header;
	for (unsigned i = 0; i < sizes->n; i++) {
		uint64_t a = sizes->entry[i].least, b = sizes->entry[i].most;
		double packets =
			packets_up_to(b, cut) - packets_up_to(a - 1, cut);

		sum += sizes->entry[i].weight *
		       ((a + b) / 2. + packets / (b - a + 1) * header);
	}
	return sum / all_weights(sizes);
}
