/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Everything libweft offers; weft(3) tells how its parts belong together, and
 * the rules of names, errors and ownership that all of it keeps.  The binary
 * interface is not stable before 1.0: see weft/version.h.
 */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <weft/against.h>
#include <weft/alias.h>
#include <weft/bound.h>
#include <weft/compare.h>
#include <weft/counters.h>
#include <weft/diag.h>
#include <weft/diff.h>
#include <weft/engine.h>
#include <weft/fabric.h>
#include <weft/faults.h>
#include <weft/gen.h>
#include <weft/gid.h>
#include <weft/io.h>
#include <weft/jobs.h>
#include <weft/kinds.h>
#include <weft/layering.h>
#include <weft/layers.h>
#include <weft/lft.h>
#include <weft/list.h>
#include <weft/machines.h>
#include <weft/mapping.h>
#include <weft/measured.h>
#include <weft/model.h>
#include <weft/multicast.h>
#include <weft/number.h>
#include <weft/options.h>
#include <weft/pattern.h>
#include <weft/place.h>
#include <weft/planes.h>
#include <weft/proof.h>
#include <weft/rails.h>
#include <weft/redundancy.h>
#include <weft/replay.h>
#include <weft/rng.h>
#include <weft/routes.h>
#include <weft/shape.h>
#include <weft/sim.h>
#include <weft/standing.h>
#include <weft/stored.h>
#include <weft/subnets.h>
#include <weft/transition.h>
#include <weft/version.h>
#include <weft/worst.h>
#include <weft/worth.h>

#endif
