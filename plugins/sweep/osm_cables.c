// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cables between switches that are worse than they should be: a last resort.
 *
 * A cable that runs below what it could, that comes and goes (osm_flaps.h),
 * that OpenSM has found to babble, or that recovers from errors right now is
 * not worth a route while there are others.  But it carries packets, or will in
 * a moment, and where it alone leads somewhere a slow way is better than none.
 * What stays weighs what it carries: engines see its real rate.
 *
 * Links of adapters are never left out: they have only the one.
 */
#include "plugins/osm_shim.h"
#include "plugins/standing/osm_flaps.h"

#include "core/fabric/components.h"
#include "core/fabric/resort.h"
#include "core/text/words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAMED 3		/* cables in a message, at most */

/* How unwelcome a cable is. */
enum resort { GOOD, THROTTLED, FLAPPING, UNHEALTHY, UNTRAINED };

static const char *const reason[] = {
	[THROTTLED] = "throttled",
	[FLAPPING] = "flapping",
	[UNHEALTHY] = "unhealthy",
	[UNTRAINED] = "not trained",
};

static bool is_trained(const osm_physp_t *port)
{
	return ib_port_info_get_port_phys_state(&port->port_info) ==
	       IB_PORT_PHYS_STATE_LINKUP;
}

/* OpenSM does not know of the newest speeds, and takes cables that run at the
 * best that is enabled for throttled ones. */
static bool is_throttled(const osm_subn_t *subnet, osm_physp_t *port)
{
	struct weft_rate best = weft__rate_enabled(port);
	struct weft_rate here = weft__rate_of(port);
	struct weft_rate there = weft__rate_of(port->p_remote_physp);
	uint32_t most = weft_speed_capacity(best.width, best.speed);

	if (most && weft_speed_capacity(here.width, here.speed) >= most &&
	    weft_speed_capacity(there.width, there.speed) >= most)
		return false;
	return osm_link_is_throttled(port, subnet->opt.fdr10);
}

static enum resort judge(const osm_subn_t *subnet, osm_physp_t *port,
			 bool flaps)
{
	if (!is_trained(port) || !is_trained(port->p_remote_physp))
		return UNTRAINED;
	if (!osm_link_is_healthy(port))
		return UNHEALTHY;
	if (flaps)
		return FLAPPING;
	if (subnet->opt.avoid_throttled_links && is_throttled(subnet, port))
		return THROTTLED;
	return GOOD;
}

/* Judges all cables between switches; returns whether one is not good. */
static bool judge_all(const osm_subn_t *subnet, const struct weft__flaps *flaps,
		      const struct weft__snapshot *snapshot, uint8_t *resort)
{
	const struct weft_fabric *f = snapshot->fabric;
	bool any = false;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);
			enum resort kind;

			if (!weft_is_switch(f->peer[ch]))
				continue;
			kind = judge(subnet, osm_node_get_physp_ptr(
						     snapshot->sw[s]->p_node,
						     p),
				     flaps && weft__flaps_out(flaps, f, ch));
			if (kind <= resort[ch])
				continue;
			resort[ch] = resort[f->reverse[ch]] = kind;
			any = true;
		}
	return any;
}

/* Warns about the cables that are not good: those that stay, or that go. */
static void tell(const struct weft_fabric *f, const uint8_t *resort,
		 const bool *gone, bool gone_ones, struct weft_diag *diag)
{
	char text[1200];
	struct weft__words w = { .buf = text, .size = sizeof(text) };
	uint32_t n = 0;

	for (uint32_t ch = 0; ch < f->first_injection; ch++) {
		if (!resort[ch] || gone[ch] != gone_ones ||
		    f->reverse[ch] < ch || n++ >= NAMED)
			continue;
		weft__words_add(&w, n > 1 ? "; " : ": ");
		weft__words_cable(&w, f, ch);
		weft__words_add(&w, ", %s, %s",
				WEFT__RATE(f->width[ch], f->speed[ch]),
				reason[resort[ch]]);
	}
	if (n > NAMED)
		weft__words_add(&w, "; and %" PRIu32 " more", n - NAMED);
	weft__words_end(&w);
	if (n)
		weft_diag_say(diag, WEFT_WARNING, "%s %s%s",
			      WEFT_COUNT(n, "degraded cable"),
			      gone_ones ? "not in use" :
			      "in use, where no better way joins the ends",
			      text);
}

/* Leaves out what can be spared. */
static int leave_out(struct weft__snapshot *snapshot, const uint8_t *resort,
		     struct weft_diag *diag)
{
	struct weft_fabric *f = snapshot->fabric, *less;
	bool *gone = calloc(f->nch + 1ull, sizeof(*gone));
	uint32_t *parent = calloc(f->nsw + 1ull, sizeof(*parent));
	int err = gone && parent ? 0 : -ENOMEM;

	if (!err && weft__leave_out(f, resort, gone, parent))
		err = weft__fabric_less(f, NULL, gone, &less);
	else
		less = NULL;
	if (!err) {
		tell(f, resort, gone, false, diag);
		tell(f, resort, gone, true, diag);
	}
	if (!err && less) {
		snapshot->fabric = less;
		weft_fabric_free(f);
	}
	free(parent);
	free(gone);
	return err;
}

/* Has the cables that have gone counted. */
static int see_flaps(struct weft__flaps *flaps,
		     const struct weft__snapshot *snapshot,
		     struct weft_diag *diag)
{
	const struct weft_fabric *f = snapshot->fabric;
	bool *down = calloc(f->nch + 1ull, sizeof(*down));
	int err = down ? 0 : -ENOMEM;

	for (uint32_t ch = 0; !err && ch < f->first_injection; ch++)
		down[ch] = f->peer[ch] != WEFT_NONE &&
			   ib_port_info_get_port_state(
				   &weft__channel_port(snapshot, ch)
					    ->port_info) == IB_LINK_INIT;
	if (!err)
		err = weft__flaps_see(flaps, f, down, diag);
	free(down);
	return err;
}

int weft__leave_out_cables(const osm_subn_t *subnet, struct weft__flaps *flaps,
			   struct weft__snapshot *snapshot,
			   struct weft_diag *diag)
{
	uint8_t *resort = calloc(snapshot->fabric->nch + 1ull, 1);
	int err = resort ? 0 : -ENOMEM;

	if (!err && flaps)
		err = see_flaps(flaps, snapshot, diag);
	if (!err && judge_all(subnet, flaps, snapshot, resort))
		err = leave_out(snapshot, resort, diag);
	free(resort);
	return err;
}

void weft__flaps_report(const struct weft__flaps *flaps,
			const struct weft_fabric *f, osm_log_t *log,
			const char *engine)
{
	for (size_t i = 0; i < flaps->n; i++) {
		char *text = flaps->flap[i].over ?
			weft__cable_text(&flaps->flap[i].cable, f) : NULL;

		if (text)
			osm_log(log, OSM_LOG_INFO,
				"%s: %s was there for %u s: in use again\n",
				engine, text, flaps->window);
		free(text);
	}
}
