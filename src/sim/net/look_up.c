// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where a packet goes on in a switch, by its tables or by those who choose. */
#include "sim/sim.h"

bool weft__net_look_up(struct weft__sim *s, const struct weft__queue *queue,
		       struct weft__packet *p, enum weft_sim_drop *why)
{
	uint32_t sw = queue->sw, ch;
	const struct weft_lft *lft =
		s->net.lft_of ? s->net.lft_of[sw] : &s->net.r->lft;
	uint8_t port = weft_lft_get(lft, sw, p->lid);
	const struct weft_endport *end;

	*why = WEFT_SIM_NO_ROUTE;
	if (port == WEFT_NO_PORT && s->net.routers)
		return weft__routers_pass(&s->net, queue, p, why);
	if (port == WEFT_NO_PORT || port > s->net.f->sw[sw].nports)
		return false;
	*why = WEFT_SIM_WRONG_END;
	if (!port &&
	    (s->net.nends == s->net.f->nep || p->lid != s->net.f->sw[sw].lid))
		return false;
	if (s->net.longer)
		port = weft__longer_port(&s->net, s->clock.now, p, queue->port,
					 sw, port);
	else if (s->net.choose && port)
		port = weft__choose_port(&s->net, s->clock.now, p, queue->port,
					 sw, port);
	ch = weft_channel(s->net.f, sw, port);
	*why = WEFT_SIM_NO_ROUTE;
	if (s->net.out[ch].to == WEFT_NONE)
		return false;
	*why = WEFT_SIM_LINK_DOWN;
	if (s->net.out[ch].down)
		return false;
	if (port && weft_is_endport(s->net.out[ch].to)) {
		*why = WEFT_SIM_WRONG_END;
		end = &s->net.f->ep[s->net.out[ch].to & ~WEFT_ENDPORT];
		if (!end->lid || p->lid < end->lid ||
		    (p->lid - end->lid) >> end->lmc)
			return false;
	}
	*why = WEFT_SIM_TOO_FAR;
	if (p->hops > s->net.f->nsw)
		return false;
	*why = WEFT_SIM_NO_LANE;
	p->out = ch;
	p->vl = s->net.longer ?
			weft__longer_lane(&s->net, p) :
			weft__net_lane(&s->net, sw, queue->port, port, p->sl);
	return p->vl < s->net.nvl;
}
