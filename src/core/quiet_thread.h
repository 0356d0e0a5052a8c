/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Threads of the library and of the plugins.  Signals are blocked in them: they
 * are meant for threads that the program has made itself, which sleep until one
 * comes.
 */
#ifndef WEFT_CORE_QUIET_THREAD_H
#define WEFT_CORE_QUIET_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread, to be joined.  Returns false if there is none. */
bool weft__thread_start(pthread_t *thread, void *(*run)(void *), void *context);

#endif
