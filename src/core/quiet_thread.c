// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Threads that no signal wakes; see quiet_thread.h. */
#include "core/quiet_thread.h"

#include <signal.h>

bool weft__thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
	sigset_t all, before;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = !pthread_create(thread, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}
