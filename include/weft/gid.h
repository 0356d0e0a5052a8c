/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* GIDs: the prefix of a subnet and the GUID of a port. */
#ifndef WEFT_GID_H
#define WEFT_GID_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_GID_SIZE 48

/* Text of a GID as of IPv6, "fec0::1:2:c903:1", into buf[WEFT_GID_SIZE], which
 * is returned. */
const char *weft_gid_text(uint64_t prefix, uint64_t guid, char *buf);
/* The other way round; 0 or -EINVAL. */
int weft_gid_parse(const char *text, uint64_t *prefix, uint64_t *guid);

#ifdef __cplusplus
}
#endif
#endif
