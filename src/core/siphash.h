/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SipHash-2-4 (Aumasson, Bernstein 2012): a keyed hash of 64 bits. */
#ifndef WEFT_CORE_SIPHASH_H
#define WEFT_CORE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t weft__siphash(const uint64_t key[2], const void *data, size_t size);

#endif
