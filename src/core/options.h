/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Objects made of the text of an option, and kept with it. */
#ifndef WEFT_CORE_OPTIONS_H
#define WEFT_CORE_OPTIONS_H

#include <weft/options.h>

#include <stdint.h>

/*
 * Keeps an object that the text of an option stands for until the option is set
 * anew.  Copies of the options share it.  digest: a hash of what it says, for
 * weft__options_digest().  Takes the object over in any case.  0 or -ENOMEM.
 */
int weft__options_keep(struct weft_options *o, const char *name, void *object,
		       void (*release)(void *object), uint64_t digest);
/* Returns the object, or NULL if none was kept. */
const void *weft__options_kept(const struct weft_options *o, const char *name);
/* Removes the value, and the default. */
void weft__options_unset(struct weft_options *o, const char *name);

#endif
