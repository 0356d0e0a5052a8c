// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What messages of --replay cost their hosts: --sends and --loggops. */
#include "tools/sim/options.h"

#include <string.h>

/* Reads one of "o=1500"; times are in ns. */
static bool read_one(const char **at, struct weft_sim_spec *s, double *latency)
{
	char name = **at;
	double ns;

	if (!name || !strchr("ogLGO", name) || (*at)[1] != '=')
		return false;
	*at += 2;
	if (!weft_number_real_at(at, ",", &ns) || !(ns >= 0 && ns <= 1e9))
		return false;
	switch (name) {
	case 'o':
		s->logp.o = ns * 1000;
		break;
	case 'g':
		s->logp.g = ns * 1000;
		break;
	case 'O':
		s->logp.O = ns * 1000;
		return ns <= 1000;
	case 'L':
		*latency = ns;
		break;
	default:
		s->inject = s->drain = 8000 / ns + .5;
		return ns > 0 && ns <= 1000 && s->inject;
	}
	return true;
}

/* Has a message take so long to a neighbour, by cables. */
static bool set_latency(struct tool_sim_plan *p, double ns)
{
	uint64_t ps = ns * 1000;

	if (ps < p->spec.relay || ps - p->spec.relay > 200000000) {
		tool_usage(
			p->t,
			"--loggops: L of %g ns, of which a switch takes %g (--relay) and two cables the rest, up to 100000 each",
			ns, p->spec.relay / 1e3);
		return false;
	}
	p->spec.cable = (ps - p->spec.relay) / 2;
	return true;
}

bool tool_sim_logp_read(struct tool_sim_plan *p)
{
	const struct tool_sim_own *own = p->t->own;
	const char *text = own->loggops, *at = text;
	double latency = -1;

	if ((text && !own->replay && own->sweep < 0) ||
	    (own->sends >= 0 && !own->replay)) {
		tool_usage(p->t, "--%s is for messages of --replay",
			   own->sends >= 0 ? "sends" : "loggops");
		return false;
	}
	p->spec.logp.on = text;
	if (text && own->sends == TOOL_SIM_SENDS_SHARED) {
		tool_usage(
			p->t,
			"--loggops and --sends=shared: messages that take time of hosts leave in order");
		return false;
	}
	while (text && (at == text || *at == ',')) {
		at += *at == ',';
		if (read_one(&at, &p->spec, &latency))
			continue;
		tool_usage(
			p->t,
			"--loggops takes L=NS, o=NS, g=NS, G=NS and O=NS, G and O up to 1000 and G above 0, with commas between them, not '%s'",
			text);
		return false;
	}
	return latency < 0 || set_latency(p, latency);
}

bool tool_sim_in_order(const struct tool_sim_own *own,
		       const struct weft_replay *replay)
{
	return own->sends >= 0 ? own->sends != TOOL_SIM_SENDS_SHARED :
				 replay->goal || own->loggops;
}
