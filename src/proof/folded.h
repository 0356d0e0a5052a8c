/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Layers that share lanes on cables with fewer of them (graph/vls.h): do they
 * close a credit loop? */
#ifndef WEFT_PROOF_FOLDED_H
#define WEFT_PROOF_FOLDED_H

#include <weft/diag.h>
#include <weft/routes.h>

/*
 * Tells in *loops if layers that close no credit loop by themselves close one
 * together, all traffic included.  Proves nothing, and says no, where no cable
 * has fewer lanes than there are layers.  Returns 0, or -errno after an error.
 */
int weft__folded_loops(const struct weft_fabric *fabric,
		       const struct weft_routes *routes, bool *loops,
		       struct weft_diag *diag);

#endif
