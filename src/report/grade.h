/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The two grades of tables: are they safe, and are they good? */
#ifndef WEFT_REPORT_GRADE_H
#define WEFT_REPORT_GRADE_H

#include <stdbool.h>
#include <stddef.h>

/* Of what the best engine gives. */
#define WEFT__GREEN_SHARE 0.95
#define WEFT__AMBER_SHARE 0.80
#define WEFT__NOTED_SHARE 0.995	/* with more, the rest is not worth a word */

/* The rules, for people. */
#define WEFT__SAFE_RULE                                                        \
	"Green: all hosts reach each other, without credit loop, and so do switches. Amber: only hosts do. Red: some do not, or there is a credit loop."
#define WEFT__GOOD_RULE                                                        \
	"Green: 95 % or more of what the best safe engine compared gives; where none is, uniform traffic gets 95 % or more of what is possible. Amber: 80 % or more. Red: less."

enum weft__colour { WEFT__UNGRADED, WEFT__GREEN, WEFT__AMBER, WEFT__RED };

/* What is graded. */
struct weft__graded {
	bool fine;		/* between hosts */
	bool fine_with_switches;
	double worth;		/* 0..1; < 0: not known */
	double best;		/* what the best safe tables are worth, which
				 * may be less; < 0: there are none */
	double of_bound;	/* what uniform traffic gets of what any tables
				 * allow, 0..1; NAN: not known */
};

struct weft__grade {
	enum weft__colour safe;
	enum weft__colour good;	/* ungraded: nothing to compare with */
	double share;		/* of the best, 0..1; 0 where ungraded */
	bool by_bound;		/* of what is possible instead */
};

struct weft__grade weft__grade(const struct weft__graded *of);
const char *weft__colour_name(enum weft__colour colour);

#endif
