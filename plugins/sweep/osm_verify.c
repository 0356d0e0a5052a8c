// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Verify: the proof that stands between an engine and the switches.
 */
#include "plugins/osm_shim.h"

#include <errno.h>

#include <weft/proof.h>

#define LINE 2000	/* bytes of one message; OpenSM cuts lines at 4096 */

static int complain(const struct weft_fabric *fabric,
		    const struct weft_proof *proof, struct weft_diag *diag)
{
	char text[LINE] = "no example";

	for (uint32_t i = 0; i < proof->nfindings; i++)
		if (proof->finding[i].kind != WEFT_FIND_NO_LID &&
		    proof->finding[i].kind != WEFT_FIND_APART) {
			weft_finding_text(fabric, &proof->finding[i], text,
					  sizeof(text));
			break;
		}
	return weft_fail(diag, EINVAL,
			 "%" PRIu64 " of %" PRIu64
			 " pairs do not reach each other: %s",
			 proof->unreachable - proof->no_lid - proof->apart,
			 proof->pairs, text);
}

bool weft__hosts_wait_in_order(const struct weft_fabric *fabric,
			       const struct weft_routes *routes)
{
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .credit_loops = true,
	};
	struct weft_proof proof;
	bool ordered;

	if (weft_proof_run(fabric, routes, &spec, &proof, NULL))
		return false;
	ordered = !proof.cyclic_vls;
	weft_proof_free(&proof);
	return ordered;
}

int weft__verify(const struct weft_fabric *fabric,
		 const struct weft_routes *routes, struct weft__log *log,
		 struct weft_diag *diag, struct weft__verdict *out)
{
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true, .loads = true,
		.credit_loops = true, .max_examples = 1,
	};
	struct weft_proof proof;
	int err;

	log->code = WEFT__ERR_REACH;
	err = weft_proof_run(fabric, routes, &spec, &proof, diag);
	if (err)
		return err;
	if (proof.no_lid)
		weft_diag_say(diag, WEFT_WARNING,
			      "some ports have no LID and cannot be reached");
	if (proof.unreachable > proof.no_lid + proof.apart) {
		err = complain(fabric, &proof, diag);
	} else {
		out->forwarding_index = proof.load_max;
		out->max_hops = proof.max_hops;
		out->cycle[0] = '\0';
		if (proof.cyclic_vls)
			weft_cycle_text(fabric, &proof.cycle[0], out->cycle,
					sizeof(out->cycle));
	}
	weft_proof_free(&proof);
	return err;
}
