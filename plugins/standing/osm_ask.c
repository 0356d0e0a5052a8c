// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Asks switches for their tables; see osm_adopt.h. */
#include "plugins/standing/osm_adopt.h"

#include <complib/cl_passivelock.h>
#include <opensm/osm_sm.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK IB_SMP_DATA_SIZE

/* Answers come all the time; later than this after the one before somebody does
 * not answer. */
#define PATIENCE .1

/* Fills blocks that were asked for, until an answer does. */
#define MARK 0xfe

struct asking {
	osm_opensm_t *osm;
	osm_switch_t **sw;	/* [n] those that are asked */
	uint16_t *blocks;	/* [n] as many of each */
	uint32_t n;
	unsigned most;		/* blocks of any */
	double waited, most_waited;	/* seconds for who does not answer */
};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Returns the highest LID that a port has. */
static unsigned top_lid(const osm_subn_t *subnet)
{
	const cl_qmap_t *table = &subnet->port_guid_tbl;
	unsigned top = 0;

	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i)) {
		const osm_port_t *port = (const osm_port_t *)i;
		unsigned lid = cl_ntoh16(osm_port_get_base_lid(port));

		lid += lid ? (1u << osm_port_get_lmc(port)) - 1 : 0;
		if (lid > top && lid <= IB_LID_UCAST_END_HO)
			top = lid;
	}
	return top;
}

/* Blocks of a switch's table that say something; a switch that comes from a
 * power failure has none. */
static unsigned blocks_of(const osm_switch_t *sw, unsigned top)
{
	unsigned own = cl_ntoh16(sw->switch_info.lin_top);

	if (own < top)
		top = own;
	return top ? top / BLOCK + 1 : 0;
}

/* Empties what OpenSM knows of a switch's table, with marks in that many blocks.
 * Its size only ever grows, as OpenSM has it. */
static bool clear_table(osm_switch_t *sw, unsigned blocks)
{
	unsigned size = blocks * BLOCK;

	if (size > sw->lft_size) {
		free(sw->lft);
		sw->lft = malloc(size);
		sw->lft_size = sw->lft ? size : 0;
	}
	if (!sw->lft)
		return false;
	memset(sw->lft, OSM_NO_PATH, sw->lft_size);
	memset(sw->lft, MARK, size);
	return true;
}

static bool is_answered(const osm_switch_t *sw, unsigned block)
{
	const uint8_t *entry = sw->lft + block * BLOCK;

	for (unsigned i = 0; i < BLOCK; i++)
		if (entry[i] != MARK)
			return true;
	return false;
}

/* Finds out whom to ask, and for how much. */
static bool begin(struct asking *a)
{
	osm_subn_t *subnet = &a->osm->subn;
	const cl_qmap_t *table = &subnet->sw_guid_tbl;
	size_t n = cl_qmap_count(table) + 1;
	unsigned top = top_lid(subnet);

	a->sw = calloc(n, sizeof(*a->sw));
	a->blocks = calloc(n, sizeof(*a->blocks));
	if (!a->sw || !a->blocks)
		return false;
	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i)) {
		osm_switch_t *sw = (osm_switch_t *)i;
		unsigned blocks = blocks_of(sw, top);

		/* one that was not found this time is still here */
		if (!sw->p_node->discovery_count ||
		    !osm_node_get_physp_ptr(sw->p_node, 0) ||
		    !clear_table(sw, blocks) || !blocks)
			continue;
		a->sw[a->n] = sw;
		a->blocks[a->n++] = blocks;
		a->most = blocks > a->most ? blocks : a->most;
	}
	return true;
}

/* Waits until OpenSM has no request under way.  False: one that does not get an
 * answer has taken too long. */
static bool wait_for_answers(struct asking *a)
{
	static const struct timespec nap = { .tv_nsec = 500 * 1000 };
	const atomic32_t *under_way = &a->osm->stats.qp0_mads_outstanding;
	int32_t before = 0, left;
	double since = seconds();

	while ((left = __atomic_load_n(under_way, __ATOMIC_ACQUIRE)) > 0) {
		double now = seconds(), silence = now - since - PATIENCE;

		if (osm_exit_flag ||
		    a->waited + silence > a->most_waited)
			return false;
		if (left != before) {
			a->waited += silence > 0 ? silence : 0;
			since = now;
		}
		before = left;
		nanosleep(&nap, NULL);
	}
	return !osm_exit_flag;
}

static void ask(const struct asking *a, const osm_switch_t *sw, unsigned block)
{
	osm_physp_t *port = osm_node_get_physp_ptr(sw->p_node, 0);
	osm_madw_context_t context = { 0 };

	context.lft_context.node_guid = osm_node_get_node_guid(sw->p_node);
	context.lft_context.set_method = FALSE;
	osm_req_get(&a->osm->sm, osm_physp_get_dr_path_ptr(port),
		    IB_MAD_ATTR_LIN_FWD_TBL, cl_hton32(block), TRUE, 0, 0,
		    CL_DISP_MSGID_NONE, &context);
}

/* Asks for a block of all switches that have answered so far.  False: there is
 * no time left. */
static bool ask_all(struct asking *a, unsigned block)
{
	cl_plock_acquire(&a->osm->lock);
	for (uint32_t i = 0; i < a->n; i++)
		if (block < a->blocks[i] &&
		    (!block || is_answered(a->sw[i], block - 1)))
			ask(a, a->sw[i], block);
	cl_plock_release(&a->osm->lock);
	return wait_for_answers(a);
}

/* Takes the marks away.  Who answers later than this does so before OpenSM
 * routes, as it waits for all requests. */
static void finish(const struct asking *a, struct weft__asked *out)
{
	for (uint32_t i = 0; i < a->n; i++) {
		bool silent = false;

		for (unsigned block = 0; block < a->blocks[i]; block++) {
			if (is_answered(a->sw[i], block))
				continue;
			memset(a->sw[i]->lft + block * BLOCK, OSM_NO_PATH,
			       BLOCK);
			silent = true;
		}
		out->silent += silent;
	}
	out->switches = a->n;
}

void weft__ask_switches(osm_opensm_t *osm, unsigned most_waited,
			struct weft__asked *out)
{
	struct asking a = { .osm = osm, .most_waited = most_waited };
	double begun = seconds();
	bool go_on;

	*out = (struct weft__asked){ .switches = 0 };
	cl_plock_excl_acquire(&osm->lock);
	go_on = begin(&a);
	cl_plock_release(&osm->lock);
	for (unsigned block = 0; block < a.most && go_on; block++)
		go_on = ask_all(&a, block);
	cl_plock_excl_acquire(&osm->lock);
	finish(&a, out);
	cl_plock_release(&osm->lock);
	out->seconds = seconds() - begun;
	free(a.sw);
	free(a.blocks);
}
