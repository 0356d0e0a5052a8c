/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Synthetic fabrics from a description such as
 *   pgft:3;12,12,24;1,12,12;1,1,1   torus:4x4x4,hosts=4   deimos
 * The grammar and every family are in weft-gen(1).
 */
#ifndef WEFT_GEN_H
#define WEFT_GEN_H

#include <stdio.h>

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether text begins like a description (known family name, then the end,
 * ':' or ','). */
bool weft_gen_is_spec(const char *text);

/* The family that a text which begins like no description may have meant; or
 * NULL. */
const char *weft_gen_near(const char *text);

/*
 * Builds the fabric that spec describes.  LIDs are assigned.  -EINVAL with an
 * error that names the part of the description that is wrong, -ERANGE when the
 * fabric would not fit (LIDs, ports).
 */
int weft_gen(const char *spec, struct weft_fabric **out,
	     struct weft_diag *diag);

/* The description in canonical form: all defaults written out, options in a
 * fixed order.  weft_gen() of it yields the same fabric.  malloc()ed. */
int weft_gen_canonical(const char *spec, char **out, struct weft_diag *diag);

/* A family of fabrics: its name, what comes behind a colon, what it is. */
struct weft_gen_family {
	const char *name, *arguments, *summary;
};

/* An option of descriptions: how it is written, and its value where it is not
 * given. */
struct weft_gen_option {
	const char *name, *help;
	char syntax[80], preset[24];
};

/* The i-th of them; false where there are fewer. */
bool weft_gen_family(unsigned i, struct weft_gen_family *out);
bool weft_gen_option(unsigned i, struct weft_gen_option *out);
/* Whether descriptions of that family may have that option. */
bool weft_gen_family_has(unsigned family, unsigned option);

#ifdef __cplusplus
}
#endif
#endif
