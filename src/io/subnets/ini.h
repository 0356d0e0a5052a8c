/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a file of subnets says; see weft-formats(5). */
#ifndef WEFT_SUBNETS_INI_H
#define WEFT_SUBNETS_INI_H

#include "io/source.h"

#include <weft/subnets.h>

/* weft_subnets_ini_read() of a text that is in memory; its name is the path
 * that those in it are relative to. */
int weft__subnets_ini_parse(const struct weft__source *source,
			    struct weft_subnets_ini *out,
			    struct weft_diag *diag);

#endif
