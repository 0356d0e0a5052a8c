// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Routes a fabric without parts of it; see reroute.h. */
#include "faults/reroute.h"

#include "core/fabric/components.h"

#include <weft/layering.h>
#include <weft/standing.h>
#include <weft/worth.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keeps the last error. */
struct heard {
	char text[512];
};

static void hear(void *context, const struct weft_message *m)
{
	struct heard *h = context;

	if (m->severity == WEFT_ERROR)
		snprintf(h->text, sizeof(h->text), "%s", m->text);
}

/* Whether a switch has to get another entry; those for LIDs that are no more do
 * not count. */
static bool differs(const struct weft_fabric *left, const uint8_t *a,
		    const uint8_t *b, uint32_t lid)
{
	return a[lid] != b[lid] && left->lid_owner[lid] != WEFT_NONE;
}

static void compare(const struct weft__down *down,
		    const struct weft_routes *before,
		    const struct weft_fabric *left,
		    const struct weft_routes *after,
		    struct weft_fault_rerouted *out)
{
	uint32_t max = left->max_lid, to = 0;

	if (before->lft.max_lid < max)
		max = before->lft.max_lid;
	if (after->lft.max_lid < max)
		max = after->lft.max_lid;
	for (uint32_t s = 0; s < down->f->nsw; s++) {
		const uint8_t *a = weft_lft_row(&before->lft, s), *b;

		if (down->sw[s])
			continue;
		b = weft_lft_row(&after->lft, to++);
		for (uint32_t block = 0; block <= max;
		     block += WEFT_LFT_BLOCK) {
			uint32_t end = block + WEFT_LFT_BLOCK - 1, n = 0;

			end = end < max ? end : max;
			if (!memcmp(a + block, b + block, end - block + 1))
				continue;
			for (uint32_t lid = block; lid <= end; lid++)
				n += differs(left, a, b, lid);
			out->entries += n;
			out->blocks += n > 0;
		}
	}
}

static int judge(const struct weft__down *down,
		 const struct weft_routes *before,
		 const struct weft_fabric *left,
		 const struct weft_routes *after,
		 struct weft_fault_rerouted *out)
{
	const struct weft_saturation_spec spec = {
		.all_hosts = down->all_hosts,
	};
	struct weft_saturation s;
	int err = weft_saturation_run(left, after, &spec, &s, NULL);

	if (err)
		return err;
	out->broken = s.lost;
	out->bandwidth = (struct weft_fault_bandwidth){
		.least_endport = WEFT_NONE,
	};
	if (s.hosts > 1) {
		out->bandwidth = (struct weft_fault_bandwidth){
			s.even,
			s.mean,
			s.least,
			weft_fabric_endport_by_guid(
				down->f, left->ep[s.least_endport].guid),
		};
	}
	out->lanes = after->layers.nvl ? after->layers.nvl : 1;
	compare(down, before, left, after, out);
	return 0;
}

/* Mends the tables of the whole fabric. */
static int mend(const struct weft_fabric *whole,
		const struct weft_routes *before,
		const struct weft_fabric *left, struct weft_routes *routes,
		struct weft_diag *diag)
{
	const struct weft_standing_spec spec = {
		.standing = { whole, before },
		.changes = WEFT_STANDING_CHANGES,
	};
	struct weft_standing outcome;
	int err = weft_standing_run(left, &spec, routes, &outcome, diag);

	if (err || !outcome.unmended)
		return err;
	return weft_fail(diag, EINVAL,
			 "%s of a switch and a LID can no longer be joined without a credit loop",
			 WEFT_COUNT(outcome.unmended, "pair"));
}

int weft__reroute(const struct weft__down *down,
		  const struct weft_routes *before,
		  const struct weft_faults_spec *spec,
		  struct weft_fault_rerouted *out)
{
	struct weft_fault_rerouted r = { .refused = NULL };
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_fabric *left;
	struct heard heard = { .text = "it says nothing" };
	struct weft_diag diag = { .emit = hear, .context = &heard };
	int err = weft__fabric_less(down->f, down->sw, down->channel, &left);

	if (err)
		return err;
	err = spec->mend ? mend(down->f, before, left, &routes, &diag) :
			   weft_route(spec->engine, left, spec->options,
				      &routes, &diag);
	if (!err && spec->lanes)
		err = weft_layering_if_cyclic(left, &routes, spec->lanes,
					      NULL, &diag);
	if (!err) {
		err = judge(down, before, left, &routes, &r);
	} else if (err != -ENOMEM) {
		r.refused = strdup(heard.text);
		err = r.refused ? 0 : -ENOMEM;
	}
	weft_routes_free(&routes);
	weft_fabric_free(left);
	if (!err)
		*out = r;
	return err;
}
