/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The grades of a report's tables, and the tables that they are measured by. */
#ifndef WEFT_REPORT_JUDGED_H
#define WEFT_REPORT_JUDGED_H

#include "report/grade.h"
#include "report/report.h"

/* The safe tables of the comparison that are worth most; NULL: there are
 * none. */
const struct weft_compared *weft__report_best(const struct weft__report *r);
struct weft__grade weft__report_grade(const struct weft__report *r);

#endif
