// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* GIDs as text. */
#include <weft/gid.h>

#include <arpa/inet.h>
#include <errno.h>

const char *weft_gid_text(uint64_t prefix, uint64_t guid, char *buf)
{
	struct in6_addr gid;

	for (int i = 0; i < 8; i++) {
		gid.s6_addr[i] = prefix >> (56 - 8 * i);
		gid.s6_addr[8 + i] = guid >> (56 - 8 * i);
	}
	return inet_ntop(AF_INET6, &gid, buf, WEFT_GID_SIZE);
}

int weft_gid_parse(const char *text, uint64_t *prefix, uint64_t *guid)
{
	struct in6_addr gid;

	if (inet_pton(AF_INET6, text, &gid) != 1)
		return -EINVAL;
	*prefix = *guid = 0;
	for (int i = 0; i < 8; i++) {
		*prefix = *prefix << 8 | gid.s6_addr[i];
		*guid = *guid << 8 | gid.s6_addr[8 + i];
	}
	return 0;
}
