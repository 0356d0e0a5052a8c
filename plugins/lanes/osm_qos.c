// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The administrator's set-up for QoS, and the lanes that it leaves for layers.
 *
 * An SL that OpenSM would give to a path, because of a partition or a level of
 * the QoS policy, is the first of a level: a multiple of the stride.  The
 * qos_*sl2vl options say nothing, or what the levels say: SL s goes to VL
 * s / stride.
 *
 * Where that is not so, nothing of the administrator's is changed.  SLs that
 * are in use and that the options send to different lanes are levels, with the
 * lanes they have; those in the same lanes are one level.  Layers beside the
 * first get lanes that no such SL has, the same number in each level, and SLs
 * that are free: without an option, those that are not in use; with one, those
 * that it sends to the lane of the level, so that what an application sends by
 * an SL of its own choice stays in the level.  If there are none, routes have
 * to do with one lane, and SLs, SL2VL and VL arbitration are OpenSM's own.
 *
 * All that a packet's lane depends on is its SL, by tables that are alike at
 * all ports with lanes enough.
 */
#include "plugins/files/osm_files.h"
#include "plugins/lanes/osm_layers.h"

#include "core/text/words.h"

#include <opensm/osm_partition.h>
/* It declares functions as (). */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <opensm/osm_qos_policy.h>
#pragma GCC diagnostic pop

#include <stdlib.h>
#include <string.h>

#define MOST_LEVELS 8	/* of qos_levels */
#define LAST_SL 14	/* for layers: weft-sl.dump counts lanes to 15 */

/* --- what is in use ---------------------------------------------------- */

/* As OpenSM reads it: what is missing is VL 0. */
static void parse_sl2vl(const char *text, uint8_t vl[WEFT_NSL])
{
	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		char *end;

		vl[sl] = strtoul(text, &end, 0) & 0xf;
		text = *end ? end + 1 : end;
	}
}

/* The options, by kind of port; the first is for all that have none. */
enum { ALL, CA, PORT0, SWITCH, ROUTER, KINDS };

static const char *option_name(unsigned kind)
{
	static const char *const names[] = {
		[ALL] = "qos_sl2vl", [CA] = "qos_ca_sl2vl",
		[PORT0] = "qos_sw0_sl2vl", [SWITCH] = "qos_swe_sl2vl",
		[ROUTER] = "qos_rtr_sl2vl",
	};

	return names[kind];
}

static const char *option_text(const osm_subn_opt_t *opt, unsigned kind)
{
	const char *const texts[] = {
		[ALL] = opt->qos_options.sl2vl,
		[CA] = opt->qos_ca_options.sl2vl,
		[PORT0] = opt->qos_sw0_options.sl2vl,
		[SWITCH] = opt->qos_swe_options.sl2vl,
		[ROUTER] = opt->qos_rtr_options.sl2vl,
	};

	return texts[kind];
}

/* Cuts lanes to those that there are, as OpenSM does. */
static void cut(uint8_t vl[WEFT_NSL], unsigned lanes)
{
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		vl[sl] = weft__lane_cut(vl[sl], lanes);
}

/* Reads the table of a kind of port with that many lanes.  Returns true if it
 * is not the usual one. */
static bool read_table(const osm_subn_opt_t *opt, unsigned kind, unsigned lanes,
		       uint8_t vl[WEFT_NSL])
{
	const char *text = option_text(opt, kind);
	uint8_t usual[WEFT_NSL];

	if (!text)
		text = option_text(opt, ALL);
	parse_sl2vl(OSM_DEFAULT_QOS_SL2VL, usual);
	parse_sl2vl(text ? text : OSM_DEFAULT_QOS_SL2VL, vl);
	cut(usual, lanes);
	cut(vl, lanes);
	return memcmp(vl, usual, WEFT_NSL);
}

void weft__qos_table(const osm_subn_opt_t *opt, uint8_t vl[WEFT_NSL])
{
	read_table(opt, SWITCH, WEFT_MAX_LANES, vl);
}

bool weft__qos_keeps(const struct weft__own_sls *own, const osm_physp_t *port)
{
	switch (osm_node_get_type(port->p_node)) {
	case IB_NODE_TYPE_SWITCH:
		return !port->port_num && own->given >> PORT0 & 1;
	case IB_NODE_TYPE_ROUTER:
		return own->given >> ROUTER & 1;
	default:
		return own->given >> CA & 1;
	}
}

bool weft__qos_given(const struct weft__own_sls *own)
{
	return own->given >> SWITCH & 1;
}

/* Somebody who has an SL in use. */
struct user {
	const char *what, *name;
	unsigned sl;
};

/* Calls visit for all users, until it returns false. */
typedef bool visit_fn(void *context, const struct user *user);

static bool each_partition(const osm_subn_t *subnet, visit_fn *visit,
			   void *context)
{
	const cl_qmap_t *table = &subnet->prtn_pkey_tbl;

	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i)) {
		const osm_prtn_t *partition = (osm_prtn_t *)i;
		const struct user user = { "partition", partition->name,
					   partition->sl };

		if (!visit(context, &user))
			return false;
	}
	return true;
}

static bool visit_level(const osm_qos_level_t *level, visit_fn *visit,
			void *context)
{
	const struct user user = {
		"QoS policy level", level && level->name ? level->name : "",
		level ? level->sl : 0,
	};

	return !level || !level->sl_set || visit(context, &user);
}

/* The levels that are named, and those that qos-ulps bring along. */
static bool each_policy(const osm_qos_policy_t *policy, visit_fn *visit,
			void *context)
{
	const cl_list_t *levels = &policy->qos_levels;
	const cl_list_t *rules = &policy->qos_match_rules;

	if (!visit_level(policy->p_default_qos_level, visit, context))
		return false;
	for (cl_list_iterator_t i = cl_list_head(levels);
	     i != cl_list_end(levels); i = cl_list_next(i))
		if (!visit_level(cl_list_obj(i), visit, context))
			return false;
	for (cl_list_iterator_t i = cl_list_head(rules);
	     i != cl_list_end(rules); i = cl_list_next(i)) {
		const osm_qos_match_rule_t *rule = cl_list_obj(i);

		if (!visit_level(rule->p_qos_level, visit, context))
			return false;
	}
	return true;
}

static bool each_user(osm_subn_t *subnet, visit_fn *visit, void *context)
{
	const struct user sm = { "option", "sm_sl", subnet->opt.sm_sl };
	const char *file = subnet->opt.qos_policy_file;

	if (sm.sl && !visit(context, &sm))
		return false;
	if (!each_partition(subnet, visit, context))
		return false;
	/* OpenSM reads the file after routing: in the first sweep, too late.
	 * It calls it an error that there is none; once is enough.  And it
	 * would wait for the other end of a pipe. */
	if (!subnet->p_qos_policy && file && weft__file_is_plain(file))
		osm_qos_parse_policy_file(subnet);
	return !subnet->p_qos_policy ||
	       each_policy(subnet->p_qos_policy, visit, context);
}

/* --- levels by strides ------------------------------------------------- */

/* True if an option sends SLs where the levels would; else says why not. */
static bool option_fits(const osm_subn_opt_t *opt, unsigned kind,
			struct weft__lanes *l)
{
	unsigned stride = weft__stride(l);
	uint8_t vl[WEFT_NSL];

	if (!option_text(opt, kind) || !read_table(opt, kind, l->lanes, vl))
		return true;
	for (unsigned sl = 0; sl < stride * l->levels; sl++) {
		if (vl[sl] == sl / stride ||
		    (vl[sl] == WEFT_VL_DROP && sl % stride >= l->each))
			continue;
		snprintf(l->why, sizeof(l->why),
			 "option %s sends SL %u to VL %u",
			 option_name(kind), sl, vl[sl]);
		snprintf(l->remedy, sizeof(l->remedy),
			 "leave out %s, or set qos_levels = N in weft.conf and have it send SL s to VL s / (16 / N)",
			 option_name(kind));
		return false;
	}
	return true;
}

/* The users whose SLs are not the first of a level. */
struct misfits {
	const struct weft__lanes *lanes;
	struct weft__words words;
};

static bool look_at_user(void *context, const struct user *user)
{
	struct misfits *m = context;
	unsigned stride = weft__stride(m->lanes);
	char text[160];

	if (user->sl % stride == 0 && user->sl / stride < m->lanes->levels)
		return true;
	snprintf(text, sizeof(text), "%s '%.80s' has SL %u", user->what,
		 user->name, user->sl);
	/* Several rules may name a level. */
	if (!strstr(m->words.buf, text))
		weft__words_add(&m->words, "%s%s", m->words.used ? ", " : "",
				text);
	return true;
}

/* True if all users' SLs are the first of a level; else says which are not. */
static bool users_fit(osm_subn_t *subnet, struct weft__lanes *l)
{
	struct misfits m = {
		l, { .buf = l->why, .size = sizeof(l->why) },
	};

	each_user(subnet, look_at_user, &m);
	weft__words_end(&m.words);
	return !m.words.used && !m.words.cut;
}

static bool strides_fit(osm_subn_t *subnet, struct weft__lanes *l)
{
	if (l->lanes < l->levels) {
		snprintf(l->why, sizeof(l->why),
			 "qos_levels = %u in weft.conf are more than the %s that there are",
			 l->levels,
			 WEFT_COUNT(l->lanes, "lane"));
		snprintf(l->remedy, sizeof(l->remedy),
			 "set qos_levels = %u, or raise max_op_vls in opensm.conf if ports have more lanes",
			 l->lanes);
		return false;
	}
	for (unsigned kind = ALL; kind < KINDS; kind++)
		if (!option_fits(&subnet->opt, kind, l))
			return false;
	return users_fit(subnet, l);
}

/* --- levels of the administrator's own --------------------------------- */

struct planning {
	uint16_t used;			/* SLs in use, a bit each */
	uint8_t given;			/* tables that are not the usual ones,
					 * a bit for each kind of port */
	uint8_t vl[KINDS][WEFT_NSL];	/* as there are lanes for it */
};

static bool note_user(void *context, const struct user *user)
{
	struct planning *p = context;

	p->used |= 1u << (user->sl & 0xf);
	return true;
}

static void read_tables(struct planning *p, const osm_subn_opt_t *opt,
			unsigned lanes)
{
	for (unsigned kind = CA; kind < KINDS; kind++)
		p->given |= read_table(opt, kind, lanes, p->vl[kind]) << kind;
}

/* Whether two SLs are in the same lanes everywhere. */
static bool alike(const struct planning *p, unsigned a, unsigned b)
{
	unsigned kind = CA;

	while (kind < KINDS && p->vl[kind][a] == p->vl[kind][b])
		kind++;
	return kind == KINDS;
}

static bool is_dropped(const struct planning *p, unsigned sl)
{
	return p->vl[SWITCH][sl] == WEFT_VL_DROP;
}

/* The level that an SL is in the lanes of, or l->levels. */
static unsigned level_like(const struct planning *p,
			   const struct weft__lanes *l, unsigned sl)
{
	unsigned level = 0;

	while (level < l->levels && !alike(p, l->own_sls.sl[level][0], sl))
		level++;
	return level;
}

/* Makes levels of the SLs in use. */
static void find_levels(const struct planning *p, struct weft__lanes *l)
{
	struct weft__own_sls *own = &l->own_sls;

	*own = (struct weft__own_sls){ .given = p->given };
	memset(own->layer, WEFT__NO_LAYER, sizeof(own->layer));
	l->levels = 0;
	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		unsigned level = level_like(p, l, sl);

		if (!is_dropped(p, sl) &&
		    (weft__qos_given(own) || p->used >> sl & 1))
			own->taken |= 1u << p->vl[SWITCH][sl];
		if (!(p->used >> sl & 1) || is_dropped(p, sl))
			continue;
		if (level == l->levels) {
			own->sl[level][0] = sl;
			own->vl[level] = p->vl[SWITCH][sl];
			l->levels++;
		}
		own->layer[sl] = 0;
	}
	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		unsigned level = level_like(p, l, sl);

		own->level[sl] = level < l->levels &&
				 (weft__qos_given(own) || !own->layer[sl]) ?
			level : 0;
	}
}

/* The next SL for a layer of a level, or WEFT_NSL. */
static unsigned next_sl(const struct planning *p, const struct weft__lanes *l,
			unsigned level)
{
	unsigned sl = 0;

	while (sl <= LAST_SL &&
	       (l->own_sls.layer[sl] != WEFT__NO_LAYER ||
		(weft__qos_given(&l->own_sls) &&
		 p->vl[SWITCH][sl] != l->own_sls.vl[level])))
		sl++;
	return sl <= LAST_SL ? sl : WEFT_NSL;
}

/* Gives each level one layer more, if there are SLs for it. */
static bool add_layer(const struct planning *p, struct weft__lanes *l)
{
	struct weft__own_sls own = l->own_sls;

	for (unsigned level = 0; level < l->levels; level++) {
		unsigned sl = next_sl(p, l, level);

		if (sl == WEFT_NSL) {
			l->own_sls = own;
			return false;
		}
		l->own_sls.layer[sl] = l->each;
		l->own_sls.level[sl] = level;
		l->own_sls.sl[level][l->each] = sl;
	}
	return true;
}

static void plan_own(osm_subn_t *subnet, struct weft__lanes *l)
{
	struct planning p = { .used = 0 };
	unsigned most;

	each_user(subnet, note_user, &p);
	if (!p.used)
		p.used = 1;
	read_tables(&p, &subnet->opt, l->lanes);
	find_levels(&p, l);
	l->own = true;
	l->each = WEFT_MAX_LANES;
	most = l->levels && l->own_sls.sl[0][0] <= LAST_SL ?
		weft__lanes_room(l, l->lanes) : 1;
	for (l->each = 1; l->each < most && add_layer(&p, l);)
		l->each++;
}

/* Says how to get lanes back that the SLs in use have taken, if they have
 * taken any; asked: levels that weft.conf asks for. */
static void find_remedy(struct weft__lanes *l, unsigned asked)
{
	unsigned each = l->levels && l->levels <= MOST_LEVELS ?
		l->lanes / l->levels : 0;

	if (l->each == l->lanes && asked <= l->lanes)
		l->why[0] = '\0';
	if (*l->remedy)
		return;
	if (each > l->each)
		snprintf(l->remedy, sizeof(l->remedy),
			 "qos_levels = %u in weft.conf and SLs that are multiples of %u would leave %u",
			 l->levels, WEFT_NSL / l->levels, each);
	else
		snprintf(l->remedy, sizeof(l->remedy),
			 "one SL for all paths would leave %u", l->lanes);
}

void weft__qos_plan(osm_subn_t *subnet, unsigned levels, struct weft__lanes *l)
{
	l->own = false;
	l->levels = levels;
	l->each = l->lanes / levels;
	l->why[0] = l->remedy[0] = '\0';
	if (strides_fit(subnet, l))
		return;
	plan_own(subnet, l);
	find_remedy(l, levels);
	if (l->each > 1)
		return;
	l->own = false;
	l->levels = 1;
}
