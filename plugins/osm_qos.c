// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The administrator's set-up for QoS: do layers leave it whole?
 *
 * An SL that OpenSM would give to a path, because of a partition or a level of
 * the QoS policy, is the first of a level: a multiple of the stride.  The
 * qos_*sl2vl options may say nothing, or what the levels say: SL s goes to
 * VL s / stride.  Anything else is refused: tables that silently merge what the
 * administrator keeps apart are worse than none.
 */
#include "osm_files.h"
#include "osm_layers.h"

#include <opensm/osm_partition.h>
/* It declares functions as (). */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <opensm/osm_qos_policy.h>
#pragma GCC diagnostic pop

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As OpenSM reads it: what is missing is VL 0. */
static void parse_sl2vl(const char *text, uint8_t vl[WEFT_NSL])
{
	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		char *end;

		vl[sl] = strtoul(text, &end, 0) & 0xf;
		text = *end ? end + 1 : end;
	}
}

static int check_sl2vl(const char *option, const char *text,
		       const struct weft__lanes *lanes, unsigned used,
		       struct weft_diag *diag)
{
	unsigned stride = weft__stride(lanes);
	uint8_t vl[WEFT_NSL], usual[WEFT_NSL];

	parse_sl2vl(text, vl);
	parse_sl2vl(OSM_DEFAULT_QOS_SL2VL, usual);
	if (!memcmp(vl, usual, sizeof(vl)))
		return 0;
	for (unsigned sl = 0; sl < stride * lanes->levels; sl++) {
		if (vl[sl] == sl / stride ||
		    (vl[sl] == WEFT_VL_DROP && sl % stride >= used))
			continue;
		return weft_fail(diag, ENOTSUP,
				 "option %s sends SL %u to VL %u; with "
				 "qos_levels = %u in weft.conf the level of "
				 "SL %u is %u: set the one or the other, or "
				 "leave out %s", option, sl, vl[sl],
				 lanes->levels, sl, sl / stride, option);
	}
	return 0;
}

static int check_options(const osm_subn_opt_t *opt,
			 const struct weft__lanes *lanes, unsigned used,
			 struct weft_diag *diag)
{
	const struct {
		const char *name, *text;
	} sets[] = {
		{ "qos_sl2vl", opt->qos_options.sl2vl },
		{ "qos_ca_sl2vl", opt->qos_ca_options.sl2vl },
		{ "qos_sw0_sl2vl", opt->qos_sw0_options.sl2vl },
		{ "qos_swe_sl2vl", opt->qos_swe_options.sl2vl },
		{ "qos_rtr_sl2vl", opt->qos_rtr_options.sl2vl },
	};
	int err = 0;

	for (unsigned i = 0; i < sizeof(sets) / sizeof(*sets) && !err; i++)
		if (sets[i].text)
			err = check_sl2vl(sets[i].name, sets[i].text, lanes,
					  used, diag);
	return err;
}

static int check_sl(unsigned sl, const char *what, const char *name,
		    const struct weft__lanes *lanes, struct weft_diag *diag)
{
	unsigned stride = weft__stride(lanes);

	if (sl % stride == 0 && sl / stride < lanes->levels)
		return 0;
	return weft_fail(diag, ENOTSUP,
			 "%s '%s' has SL %u; with qos_levels = %u in weft.conf "
			 "an SL has to be a multiple of %u below %u", what,
			 name, sl, lanes->levels, stride,
			 stride * lanes->levels);
}

static int check_partitions(const osm_subn_t *subnet,
			    const struct weft__lanes *lanes,
			    struct weft_diag *diag)
{
	const cl_qmap_t *table = &subnet->prtn_pkey_tbl;
	int err = 0;

	for (cl_map_item_t *i = cl_qmap_head(table);
	     i != cl_qmap_end(table) && !err; i = cl_qmap_next(i)) {
		const osm_prtn_t *partition = (osm_prtn_t *)i;

		err = check_sl(partition->sl, "partition", partition->name,
			       lanes, diag);
	}
	return err;
}

static int check_level(const osm_qos_level_t *level,
		       const struct weft__lanes *lanes, struct weft_diag *diag)
{
	if (!level || !level->sl_set)
		return 0;
	return check_sl(level->sl, "QoS policy level",
			level->name ? level->name : "", lanes, diag);
}

/* The levels that are named, and those that qos-ulps bring along. */
static int check_policy(const osm_qos_policy_t *policy,
			const struct weft__lanes *lanes,
			struct weft_diag *diag)
{
	const cl_list_t *levels = &policy->qos_levels;
	const cl_list_t *rules = &policy->qos_match_rules;
	int err = check_level(policy->p_default_qos_level, lanes, diag);

	for (cl_list_iterator_t i = cl_list_head(levels);
	     i != cl_list_end(levels) && !err; i = cl_list_next(i))
		err = check_level(cl_list_obj(i), lanes, diag);
	for (cl_list_iterator_t i = cl_list_head(rules);
	     i != cl_list_end(rules) && !err; i = cl_list_next(i)) {
		const osm_qos_match_rule_t *rule = cl_list_obj(i);

		err = check_level(rule->p_qos_level, lanes, diag);
	}
	return err;
}

int weft__qos_check(osm_subn_t *subnet, const struct weft__lanes *lanes,
		    unsigned used, struct weft_diag *diag)
{
	const char *file = subnet->opt.qos_policy_file;
	int err = check_options(&subnet->opt, lanes, used, diag);

	if (!err)
		err = check_partitions(subnet, lanes, diag);
	if (err)
		return err;
	/* OpenSM reads the file after routing: in the first sweep, too late.
	 * It calls it an error that there is none; once is enough.  And it
	 * would wait for the other end of a pipe. */
	if (!subnet->p_qos_policy && file && weft__file_is_plain(file))
		osm_qos_parse_policy_file(subnet);
	return subnet->p_qos_policy ?
		check_policy(subnet->p_qos_policy, lanes, diag) : 0;
}
