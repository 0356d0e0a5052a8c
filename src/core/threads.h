/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How many threads there are, and which one runs; one where OpenMP is not. */
#ifndef WEFT_CORE_THREADS_H
#define WEFT_CORE_THREADS_H

#ifdef _OPENMP
#include <omp.h>
#endif

/* As many as were asked for; 0: as many as there are. */
static inline unsigned weft__count_threads(unsigned asked)
{
#ifdef _OPENMP
	return asked ? asked : (unsigned)omp_get_max_threads();
#else
	(void)asked;
	return 1;
#endif
}

static inline unsigned weft__this_thread(void)
{
#ifdef _OPENMP
	return (unsigned)omp_get_thread_num();
#else
	return 0;
#endif
}

#endif
