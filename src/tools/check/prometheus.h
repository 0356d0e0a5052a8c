/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * weft check --prometheus: figures for the textfile collector of Prometheus'
 * node_exporter.  Names of metrics and labels are a promise: see
 * weft-check(1).
 */
#ifndef WEFT_TOOLS_CHECK_PROMETHEUS_H
#define WEFT_TOOLS_CHECK_PROMETHEUS_H

#include "tools/check/multicast.h"
#include "tools/common/figures.h"

struct tool_metrics_row;

/* Cases whose figures are to be written; zeroed is none. */
struct tool_metrics {
	struct tool_metrics_row *row;
	unsigned n;
};

/* Adds a case with its figures, and finds bandwidth and single points of
 * failure.  sl: of all traffic, or -1.  False after an error message. */
bool tool_metrics_add(struct tool *t, struct tool_metrics *m,
		      const struct tool_case *c, const struct tool_figures *f,
		      const struct tool_multicast *multicast, bool fine,
		      int64_t sl);
/* Writes all, metric by metric as the format wants it. */
void tool_metrics_write(const struct tool_metrics *m, FILE *out);
void tool_metrics_free(struct tool_metrics *m);

#endif
