// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Proves layers that share lanes; see folded.h. */
#include "proof/folded.h"

#include "graph/vls.h"

#include <weft/proof.h>

#include <stdlib.h>

int weft__folded_loops(const struct weft_fabric *f,
		       const struct weft_routes *routes, bool *loops,
		       struct weft_diag *diag)
{
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true, .credit_loops = true,
		.between_switches = true,
	};
	struct weft_routes folded = *routes;
	struct weft_proof proof;
	int err;

	*loops = false;
	folded.layers.sl2vl = NULL;
	err = weft__vls_fold(f, &folded.layers);
	if (err)
		return weft_no_memory(diag);
	if (!folded.layers.sl2vl)
		return 0;
	err = weft_proof_run(f, &folded, &spec, &proof, diag);
	free(folded.layers.sl2vl);
	if (err)
		return err;
	*loops = proof.cyclic_vls;
	weft_proof_free(&proof);
	return 0;
}
