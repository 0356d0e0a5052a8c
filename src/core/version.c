// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <weft/version.h>

const char *weft_version(void)
{
	return WEFT_VERSION;
}
