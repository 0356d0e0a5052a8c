/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_PAGE_STYLE_H
#define WEFT_PAGE_STYLE_H

/* The style sheet of all pages. */
extern const char weft__page_style[];

#endif
