/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What benchmarks measure with. */
#ifndef WEFT_TESTS_BENCH_H
#define WEFT_TESTS_BENCH_H

#include <sys/resource.h>
#include <time.h>

/* Seconds since some moment in the past. */
static inline double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Seconds that this process has computed; other processes do not count. */
static inline double bench_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Seconds that processes that have ended computed for this one. */
static inline double bench_children(void)
{
	struct rusage use;

	getrusage(RUSAGE_CHILDREN, &use);
	return use.ru_utime.tv_sec + use.ru_utime.tv_usec * 1e-6;
}

/* Most memory this process has had resident so far, MB. */
static inline long bench_peak_mb(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss / 1024;
}

#endif
