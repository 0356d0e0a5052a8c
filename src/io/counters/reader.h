/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Readers of counters.
 *
 *   read.c    paths, and what weft capture writes
 *   tools.c   what ibqueryerrors, perfquery and ibdiagnet print
 */
#ifndef WEFT_IO_COUNTERS_READER_H
#define WEFT_IO_COUNTERS_READER_H

#include "io/notice.h"
#include "io/source.h"

#include <weft/counters.h>

/* The port of a switch, or of a node, by GUID of either or of the port, as a
 * channel that it sends on; WEFT_NONE if there is none.  Notes where there is
 * no such node either. */
uint32_t weft__counters_port(const struct weft_fabric *fabric, uint64_t guid,
			     uint64_t port, struct weft__notice *notice,
			     unsigned long line);

/*
 * Reads what one of these tools prints about ports.  A port may be there
 * several times: what is told last holds, as nobody tells when it was counted.
 * 0; -ENOENT, without a message, where it is something else; or -errno after an
 * error.
 */
int weft__counters_read_printed(const struct weft__source *source,
				const struct weft_fabric *fabric,
				struct weft_counters *out,
				struct weft_diag *diag);

#endif
