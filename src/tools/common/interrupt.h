/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ctrl-C for what can end early and tell what it knows. */
#ifndef WEFT_TOOLS_COMMON_INTERRUPT_H
#define WEFT_TOOLS_COMMON_INTERRUPT_H

#include <stdbool.h>

/*
 * From here on the first SIGINT or SIGTERM only sets a flag; one more, a second
 * later or after that, ends the program, as it would have before.  leave() has
 * all be as it was; the flag stays.
 */
void tool_interrupt_catch(void);
void tool_interrupt_leave(void);
/* Whether there was one.  Any thread may ask. */
bool tool_interrupted(void);

#endif
