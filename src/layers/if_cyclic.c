// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Gives lanes to tables that need them; see weft/layering.h. */
#include <weft/layering.h>
#include <weft/proof.h>

int weft_layering_if_cyclic(const struct weft_fabric *f,
			    struct weft_routes *routes, unsigned lanes,
			    bool *mended, struct weft_diag *diag)
{
	static const struct weft_proof_spec all = {
		.all_hosts = true, .switches = true, .credit_loops = true,
	};
	const struct weft_layering_spec how = { .lanes = lanes };
	struct weft_layering outcome;
	struct weft_proof proof;
	unsigned cyclic;
	int err = weft_proof_run(f, routes, &all, &proof, diag);

	if (err)
		return err;
	cyclic = proof.cyclic_vls;
	weft_proof_free(&proof);
	if (cyclic)
		err = weft_layering_run(f, routes, &how, &outcome, diag);
	if (!err && mended)
		*mended = cyclic;
	return err;
}
