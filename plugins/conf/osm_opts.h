/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What becomes of the options of OpenSM that are about routing. */
#ifndef WEFT_PLUGINS_OSM_OPTS_H
#define WEFT_PLUGINS_OSM_OPTS_H

#include "plugins/osm_shim.h"

/* Whether an option does what it says. */
enum weft__effect {
	WEFT__HEEDED,		/* by us, or by OpenSM with any engine */
	WEFT__UNHEEDED,		/* it steers OpenSM's own engines */
	WEFT__IN_PART,		/* it does something, but not to our routes */
	WEFT__AS_ROOTS,		/* by engines with roots= where that is unset */
	WEFT__AS_SWITCHES,	/* by engines with switches= */
};

enum weft__field { WEFT__FLAG, WEFT__U8, WEFT__U16, WEFT__U32, WEFT__TEXT };

struct weft__osm_option {
	const char *name;		/* in opensm.conf */
	enum weft__effect effect;
	enum weft__field field;		/* type in osm_subn_opt_t */
	size_t offset;			/* place there */
	uint32_t preset;		/* OpenSM's default of a number */
	const char *text;		/* of a text; NULL: unset */
	const char *words;		/* why, or what to do instead; or NULL */
};

/* All options about routing, ended by one without name; at most 64. */
extern const struct weft__osm_option weft__osm_options[];

/*
 * Warns about options that are set to something else than their default but
 * have no effect on an engine with these options, once each: *told has a bit
 * for each one that was told of, and is kept from sweep to sweep.  One that is
 * back at its default may be told of again.
 */
void weft__tell_unheeded(const osm_subn_opt_t *opt,
			 const struct weft_options *options, uint64_t *told,
			 struct weft_diag *diag);

#endif
