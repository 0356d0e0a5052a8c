/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading of what machines have for adapters; see weft/machines.h. */
#ifndef WEFT_IO_MACHINES_READ_H
#define WEFT_IO_MACHINES_READ_H

#include "io/source.h"

#include <weft/machines.h>

/* A topology of one machine that hwloc or NCCL writes; host is its name unless
 * it tells one.  0, or -errno after an error. */
int weft__machines_xml(const struct weft__source *source, const char *host,
		       struct weft_adapters *out, struct weft_diag *diag);

/* The same of what is such a topology or a list. */
int weft__machines_source(const struct weft__source *source, const char *host,
			  struct weft_adapters *out, struct weft_diag *diag);

/* Adds the adapters of a list: lines of GUID, machine and NUMA node.  0, or
 * -errno after an error; some may have been added then. */
int weft__machines_list(const struct weft__source *source,
			struct weft_adapters *out, struct weft_diag *diag);

/* The same of a file, opened like that. */
int weft__machines_file(const char *path, weft__opener *open,
			struct weft_adapters *out, struct weft_diag *diag);

/* A GUID as "0x506b4b0300f0a1c2" or, as the kernel writes it,
 * "506b:4b03:00f0:a1c2"; false if it is none. */
bool weft__machines_guid(struct weft__line *line, uint64_t *guid);

#endif
