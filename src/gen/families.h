/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The families of topologies, one constant each. */
#ifndef WEFT_GEN_FAMILIES_H
#define WEFT_GEN_FAMILIES_H

#include "gen/net.h"
#include "gen/spec.h"

extern const struct weft__gen_family weft__gen_pgft, weft__gen_xgft,
	weft__gen_rlft, weft__gen_kary, weft__gen_mport, weft__gen_gft;
extern const struct weft__gen_family weft__gen_torus, weft__gen_mesh,
	weft__gen_hyperx, weft__gen_hypercube, weft__gen_ring, weft__gen_chain,
	weft__gen_star, weft__gen_full;
extern const struct weft__gen_family weft__gen_random, weft__gen_jellyfish,
	weft__gen_xpander, weft__gen_dragonfly, weft__gen_dragonflyplus,
	weft__gen_megafly, weft__gen_slimfly;
extern const struct weft__gen_family weft__gen_switch648,
	weft__gen_switch3456, weft__gen_odin, weft__gen_chic,
	weft__gen_atlas, weft__gen_thunderbird,
	weft__gen_deimos, weft__gen_myrinet512;
extern const struct weft__gen_family weft__gen_rack648, weft__gen_rack432,
	weft__gen_rack216, weft__gen_rack144, weft__gen_juropa,
	weft__gen_dual4608,
	weft__gen_ranger;
extern const struct weft__gen_family weft__gen_rails;

#endif
