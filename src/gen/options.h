/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Options of a description: the table, reading and printing them. */
#ifndef WEFT_GEN_OPTIONS_H
#define WEFT_GEN_OPTIONS_H

#include "gen/spec.h"

/* Options that every family has. */
#define WEFT__GEN_COMMON \
	(1u << WEFT__GEN_HOSTS | 1u << WEFT__GEN_TOTAL | \
	 1u << WEFT__GEN_DUAL | 1u << WEFT__GEN_FAIL_SWITCHES | \
	 1u << WEFT__GEN_FAIL_LINKS | 1u << WEFT__GEN_CONNECTED | \
	 1u << WEFT__GEN_GUIDS | 1u << WEFT__GEN_LIDS | 1u << WEFT__GEN_LMC | \
	 1u << WEFT__GEN_SPEED | 1u << WEFT__GEN_WIDTH | \
	 1u << WEFT__GEN_NAMES | 1u << WEFT__GEN_SEED)

static inline unsigned
weft__gen_options_of(const struct weft__gen_family *family)
{
	return (WEFT__GEN_COMMON & ~family->without) | family->options;
}

/* Reads "name=value,name=value"; 0 or -EINVAL with an error. */
int weft__gen_options_parse(struct weft__gen_spec *spec,
			    struct weft__scan *in, struct weft_diag *diag);
/* Prints ",name=value" for each option that the family has; the first after
 * a colon where they are its arguments. */
void weft__gen_options_print(const struct weft__gen_spec *spec, FILE *out);

#endif
