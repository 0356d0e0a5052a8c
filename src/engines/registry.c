// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list of engines, taken from engines.def. */
#include "config.h"

#include <weft/engine.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* WEFT_HAS_<name> is 0 for engines that configure was told to leave out. */
#define WITH_0(name)
#define WITH_1(name) extern const struct weft_engine weft__engine_##name;
#define WITH(has, name) WITH_(has, name)
#define WITH_(has, name) WITH_##has(name)
#define WEFT_ENGINE(name) WITH(WEFT_HAS_##name, name)
#include "engines.def"
#undef WITH_1

#define WITH_1(name) &weft__engine_##name,
static const struct weft_engine *const engines[] = {
#include "engines.def"
	NULL
};

const struct weft_engine *const *weft_engines(void)
{
	return engines;
}

const struct weft_engine *weft_engine_find(const char *name)
{
	for (size_t i = 0; engines[i]; i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

const char *weft_engine_plugin(const struct weft_engine *engine, char *buf,
			       size_t size)
{
	snprintf(buf, size, "weft-%s",
		 engine->needs & WEFT_REFERENCE ? "all" : engine->name);
	return buf;
}
