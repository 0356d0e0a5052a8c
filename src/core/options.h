/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What others make of the text of an option, kept with it. */
#ifndef WEFT_CORE_OPTIONS_H
#define WEFT_CORE_OPTIONS_H
#include <weft/options.h>

/*
 * Keeps what the text of an option stands for until that is set anew; copies of
 * the options share it.  Takes object over in any case.  0 or -ENOMEM.
 */
int weft__options_keep(struct weft_options *o, const char *name, void *object,
		       void (*release)(void *object));
/* NULL: nothing was kept. */
const void *weft__options_kept(const struct weft_options *o, const char *name);
/* Takes the value away, and the default. */
void weft__options_unset(struct weft_options *o, const char *name);

#endif
