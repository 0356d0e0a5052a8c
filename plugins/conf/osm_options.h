/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What may stand in weft.conf.
 *
 * This needs nothing of OpenSM, so that the sample file can be made by a
 * program: it prints every option of these tables and of the engines' own.
 */
#ifndef WEFT_OSM_OPTIONS_H
#define WEFT_OSM_OPTIONS_H

#include <weft/options.h>

#include <stdio.h>

/* The section [weft]: what all engines have in common. */
extern const struct weft_option weft__conf_common[];

/*
 * Prints a weft.conf with a section for all engines and one for each that is a
 * plugin.  Every option is there, commented out, with its default in a subnet
 * manager, or with an example where it is not set by default: the file as it
 * is changes nothing.  0, or -ENOMEM with nothing said.
 */
int weft__conf_sample(FILE *out);

#endif
