/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The two grades of tables: are they safe, and are they good? */
#ifndef WEFT_REPORT_GRADE_H
#define WEFT_REPORT_GRADE_H

#include "report/report.h"

/* Of what the best engine gives. */
#define WEFT__GREEN_SHARE 0.95
#define WEFT__AMBER_SHARE 0.80

enum weft__colour { WEFT__UNGRADED, WEFT__GREEN, WEFT__AMBER, WEFT__RED };

struct weft__grade {
	enum weft__colour safe;
	enum weft__colour good;	/* ungraded: nothing to compare with */
	double share;		/* of the best, 0..1; 0 where ungraded */
	const struct weft_compared *best; /* NULL: no safe one */
};

struct weft__grade weft__report_grade(const struct weft__report *r);
const char *weft__colour_name(enum weft__colour colour);

#endif
