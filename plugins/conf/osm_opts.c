// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The options of OpenSM that are about routing: who goes by them.
 *
 * An option that is set and does nothing is a promise that is broken without a
 * word, so each one that our engines do not heed is told of.  The options of
 * opensm.conf that are not here have nothing to do with routing, as a test
 * knows.
 */
#include "plugins/conf/osm_opts.h"

#include <string.h>

/* The type of a member of osm_subn_opt_t. */
#define FIELD(member)                                                          \
	_Generic(((osm_subn_opt_t *)0)->member,                                \
		 boolean_t: WEFT__FLAG, uint8_t: WEFT__U8,                     \
		 uint16_t: WEFT__U16, uint32_t: WEFT__U32,                     \
		 char *: WEFT__TEXT)
#define MEMBER(member) FIELD(member), offsetof(osm_subn_opt_t, member)

#define HEEDED(member) { #member, WEFT__HEEDED, MEMBER(member), 0, NULL, NULL }
#define UNHEEDED(member, words)                                                \
	{ #member, WEFT__UNHEEDED, MEMBER(member), 0, NULL, words }

static const char by_ftree[] = "only OpenSM's ftree goes by it";
static const char by_lash[] = "only OpenSM's lash goes by it";
static const char by_file[] = "only OpenSM's engine file reads it";

const struct weft__osm_option weft__osm_options[] = {
	{ "routing_engine", WEFT__HEEDED, MEMBER(routing_engine_names), 0, NULL,
	  NULL },
	HEEDED(lmc),
	HEEDED(lmc_esp0),
	HEEDED(max_op_vls),
	HEEDED(qos),
	HEEDED(qos_policy_file),
	HEEDED(partition_config_file),
	HEEDED(sm_sl),
	HEEDED(avoid_throttled_links),
	HEEDED(fdr10),
	HEEDED(use_ucast_cache),
	HEEDED(disable_multicast),
	HEEDED(prefix_routes_file),
	HEEDED(event_plugin_name),
	HEEDED(event_plugin_options),
	{ "root_guid_file", WEFT__AS_ROOTS, MEMBER(root_guid_file), 0, NULL,
	  NULL },
	{ "hop_weights_file", WEFT__IN_PART, MEMBER(hop_weights_file), 0, NULL,
	  "unicast routes do not follow it, hop counts and multicast trees do"
	  },
	HEEDED(cn_guid_file),
	HEEDED(io_guid_file),
	UNHEEDED(max_reverse_hops, by_ftree),
	UNHEEDED(quasi_ftree_indexing, by_ftree),
	UNHEEDED(connect_roots, "all switches reach each other anyway"),
	UNHEEDED(ids_guid_file, "ties are broken by GUID"),
	UNHEEDED(guid_routing_order_file,
		 "routes to all destinations are balanced together"),
	UNHEEDED(guid_routing_order_no_scatter,
		 "routes to all destinations are balanced together"),
	UNHEEDED(scatter_ports, "the engine random scatters routes"),
	UNHEEDED(port_shifting,
		 "parallel cables are balanced by what goes over them"),
	UNHEEDED(port_search_ordering_file,
		 "dimensions are found in the cables"),
	UNHEEDED(port_prof_ignore_file, "all ports count in the balance"),
	{ "port_profile_switch_nodes", WEFT__AS_SWITCHES,
	  MEMBER(port_profile_switch_nodes), 0, NULL,
	  "it does not balance by the routes there are" },
	UNHEEDED(lid_matrix_dump_file, by_file),
	UNHEEDED(lfts_file, by_file),
	{ "torus_config", WEFT__UNHEEDED, MEMBER(torus_conf_file), 0,
	  OSM_DEFAULT_TORUS_CONF_FILE,
	  "only OpenSM's torus-2QoS reads it; weave finds tori by itself" },
	UNHEEDED(do_mesh_analysis, by_lash),
	UNHEEDED(lash_start_vl, by_lash),
	{ "nue_max_num_vls", WEFT__UNHEEDED, MEMBER(nue_max_num_vls), 1, NULL,
	  "only OpenSM's nue goes by it; max_op_vls limits lanes" },
	UNHEEDED(nue_include_switches, "only OpenSM's nue goes by it"),
	{ .name = NULL },
};

/* Whether an option is other than OpenSM presets it.  A text without preset
 * that is empty, or a preset one that is gone, names nothing. */
static bool is_set(const struct weft__osm_option *o, const osm_subn_opt_t *opt)
{
	const void *at = (const char *)opt + o->offset;
	const char *text;

	switch (o->field) {
	case WEFT__FLAG:
		return *(const boolean_t *)at != (boolean_t)o->preset;
	case WEFT__U8:
		return *(const uint8_t *)at != o->preset;
	case WEFT__U16:
		return *(const uint16_t *)at != o->preset;
	case WEFT__U32:
		return *(const uint32_t *)at != o->preset;
	case WEFT__TEXT:
		break;
	}
	text = *(char *const *)at;
	return text && *text && (!o->text || strcmp(text, o->text));
}

/* Why an option has no effect; "" = it says nothing about that, NULL = it has
 * one. */
static const char *reason(const struct weft__osm_option *o,
			  const struct weft_options *options)
{
	if (o->effect == WEFT__HEEDED ||
	    (o->effect == WEFT__AS_SWITCHES &&
	     weft_options_has(options, "switches")))
		return NULL;
	if (o->effect != WEFT__AS_ROOTS)
		return o->words;
	if (!weft_options_has(options, "roots"))
		return "it looks for no roots";
	return weft_options_given(options, "roots") ?
		"roots= in weft.conf goes before it" : NULL;
}

void weft__tell_unheeded(const osm_subn_opt_t *opt,
			 const struct weft_options *options, uint64_t *told,
			 struct weft_diag *diag)
{
	const struct weft__osm_option *o = weft__osm_options;
	uint64_t now = 0, bit = 1;

	for (; o->name; o++, bit <<= 1) {
		const char *why = reason(o, options);

		if (!why || !is_set(o, opt))
			continue;
		now |= bit;
		if (!(*told & bit))
			weft_diag_say(diag, WEFT_WARNING,
				      "OpenSM's option %s has no effect on %s: %s",
				      o->name,
				      o->effect == WEFT__IN_PART ?
				      "unicast" : "this engine", why);
	}
	*told = now;
}
