/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_DRAW_STYLE_H
#define WEFT_DRAW_STYLE_H

#include <stdio.h>

#define WEFT__DRAW_HEATS 8 /* classes h0 .. h7, cold to hot, and d0 .. d7, less to more */

/* The style of pictures, for both schemes, within <style>. */
void weft__draw_style(FILE *out);

#endif
