// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the sample of weft.conf that make install puts among the examples. */
#include "plugins/conf/osm_options.h"

int main(void)
{
	return weft__conf_sample(stdout) || fflush(stdout) ? 1 : 0;
}
