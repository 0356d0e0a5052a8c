// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* main() of tests that have nothing to do but run. */
#include "suite.h"

int main(void)
{
	return suite_run();
}
