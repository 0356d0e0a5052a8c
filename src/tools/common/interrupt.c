// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ctrl-C for what can end early; see interrupt.h. */
#include "tools/common/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

/* Batch systems send SIGTERM when a job has to end. */
static const int signals[] = { SIGINT, SIGTERM };
static struct sigaction before[2]; /* what these did */
static volatile sig_atomic_t interrupted;
static time_t interrupted_at;

/* Not at once at the second one: timeout(1) sends two. */
static void on_interrupt(int number)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (interrupted && now.tv_sec > interrupted_at + 1) {
		sigaction(number, &before[number == SIGTERM], NULL);
		raise(number);
	}
	if (!interrupted)
		interrupted_at = now.tv_sec;
	interrupted = 1;
}

void tool_interrupt_catch(void)
{
	struct sigaction act = { .sa_handler = on_interrupt };

	sigemptyset(&act.sa_mask);
	for (unsigned i = 0; i < 2; i++)
		if (!sigaction(signals[i], NULL, &before[i]) &&
		    before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
}

void tool_interrupt_leave(void)
{
	for (unsigned i = 0; i < 2; i++)
		sigaction(signals[i], &before[i], NULL);
}

bool tool_interrupted(void)
{
	return interrupted;
}
