// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Checks every invariant of a fabric, each in a function of its own.  Runs
 * after each load and in every test; a failure is a bug of weft, never of the
 * input.
 */
#include <weft/diag.h>
#include <weft/fabric.h>

#include <errno.h>

/* Reports what is broken and where; makes "return broken(...)" an error
 * path. */
#define broken(diag, ...) weft_fail(diag, EINVAL, "fabric check: " __VA_ARGS__)

static int check_switches(const struct weft_fabric *f, struct weft_diag *diag)
{
	if (f->nsw >= WEFT_ENDPORT || f->nep >= WEFT_ENDPORT - 1)
		return broken(diag, "too many vertices");
	if (f->first_channel[0] != 0)
		return broken(diag, "channels do not start at 0");
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (s && f->sw[s - 1].guid >= f->sw[s].guid)
			return broken(diag, "switch %u is out of GUID order",
				      s);
		if (f->sw[s].nports > WEFT_MAX_PORTS)
			return broken(diag, "switch %u has %u ports", s,
				      f->sw[s].nports);
		if (!f->sw[s].name)
			return broken(diag, "switch %u has no name", s);
		if (f->first_channel[s + 1] !=
		    f->first_channel[s] + f->sw[s].nports + 1)
			return broken(diag, "channels of switch %u", s);
	}
	if (f->first_injection != f->first_channel[f->nsw] ||
	    f->nch != f->first_injection + f->nep)
		return broken(diag, "number of channels");
	return 0;
}

static int check_nodes(const struct weft_fabric *f, struct weft_diag *diag)
{
	uint32_t next = 0;

	for (uint32_t n = 0; n < f->nnodes; n++) {
		const struct weft_node *node = &f->node[n];

		if (n && f->node[n - 1].guid >= node->guid)
			return broken(diag, "node %u is out of GUID order", n);
		if (!node->name)
			return broken(diag, "node %u has no name", n);
		if (node->first_endport != next)
			return broken(diag, "endports of node %u", n);
		next += node->nendports;
		if (next > f->nep)
			return broken(diag, "endports of node %u", n);
		for (uint32_t i = node->first_endport; i < next; i++) {
			uint32_t e = f->node_endport[i];

			if (e >= f->nep || f->ep[e].node != n ||
			    (i > node->first_endport &&
			     f->ep[f->node_endport[i - 1]].port >=
			     f->ep[e].port))
				return broken(diag, "endports of node %u", n);
		}
	}
	return next == f->nep ? 0 : broken(diag, "endports without node");
}

static int check_machines(const struct weft_fabric *f, struct weft_diag *diag)
{
	uint32_t in_groups = 0;

	if (f->machine_first[0] || f->machine_first[f->nmachines] != f->nep)
		return broken(diag, "endports of machines");
	for (uint32_t m = 0; m < f->nmachines; m++)
		for (uint32_t i = f->machine_first[m];
		     i < f->machine_first[m + 1]; i++)
			if (f->machine_endport[i] >= f->nep ||
			    f->ep[f->machine_endport[i]].machine != m ||
			    (i > f->machine_first[m] &&
			     f->ep[f->machine_endport[i - 1]].rail >
			     f->ep[f->machine_endport[i]].rail))
				return broken(diag, "endports of machine %u",
					      m);
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *ep = &f->ep[e];

		if (ep->use >= f->nuses || ep->group >= f->ngroups ||
		    (f->group[ep->group].kind != f->use_name[ep->use] &&
		     f->ngroups < 256))
			return broken(diag, "group of endport %u", e);
	}
	for (uint32_t g = 0; g < f->ngroups; g++)
		in_groups += f->group[g].nendports;
	return in_groups == f->nep ? 0 : broken(diag, "sizes of groups");
}

static int check_endports(const struct weft_fabric *f, struct weft_diag *diag)
{
	uint32_t hosts = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *ep = &f->ep[e];

		if (e && f->ep[e - 1].guid > ep->guid)
			return broken(diag, "endport %u is out of GUID order",
				      e);
		if (ep->node >= f->nnodes || ep->sw >= f->nsw || !ep->port ||
		    !ep->sw_port || ep->sw_port > f->sw[ep->sw].nports)
			return broken(diag, "endport %u hangs nowhere", e);
		if (f->peer[weft_channel(f, ep->sw, ep->sw_port)] !=
		    (e | WEFT_ENDPORT))
			return broken(diag,
				      "endport %u is not where its switch has it",
				      e);
		if (ep->kind != f->node[ep->node].kind)
			return broken(diag, "kind of endport %u", e);
		hosts += ep->kind == WEFT_HOST;
	}
	return hosts == f->nhosts ? 0 : broken(diag, "number of hosts");
}

static int check_channel(const struct weft_fabric *f, uint32_t ch, bool port0,
			 struct weft_diag *diag)
{
	uint32_t peer = f->peer[ch], back = f->reverse[ch];

	if (peer == WEFT_NONE)
		return back == WEFT_NONE && !f->capacity[ch] ? 0 :
			broken(diag, "channel %u: unconnected but not empty",
			       ch);
	if (port0)
		return broken(diag, "channel %u: port 0 with a cable", ch);
	if (back >= f->nch || back == ch || f->reverse[back] != ch)
		return broken(diag, "channel %u: reverse", ch);
	if (!f->capacity[ch] || f->capacity[ch] != f->capacity[back] ||
	    f->width[ch] != f->width[back] || f->speed[ch] != f->speed[back])
		return broken(diag, "channel %u: capacity", ch);
	if (f->vls && f->vls[ch] != f->vls[back])
		return broken(diag, "channel %u: data lanes", ch);
	if (weft_is_switch(peer)) {
		if (peer >= f->nsw || f->peer_port[ch] > f->sw[peer].nports ||
		    (ch < f->first_injection &&
		     back != weft_channel(f, peer, f->peer_port[ch])))
			return broken(diag, "channel %u: peer", ch);
	} else if ((peer & ~WEFT_ENDPORT) >= f->nep ||
		   back != f->first_injection + (peer & ~WEFT_ENDPORT) ||
		   f->peer_port[ch] != f->ep[peer & ~WEFT_ENDPORT].port) {
		return broken(diag, "channel %u: peer", ch);
	}
	return 0;
}

static int check_channels(const struct weft_fabric *f, struct weft_diag *diag)
{
	uint32_t ends = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		for (unsigned p = 0; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);
			int err = check_channel(f, ch, !p, diag);

			if (err)
				return err;
			ends += f->peer[ch] != WEFT_NONE;
		}
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t ch = f->first_injection + e;
		int err = check_channel(f, ch, false, diag);

		if (err)
			return err;
		if (f->peer[ch] != f->ep[e].sw ||
		    f->peer_port[ch] != f->ep[e].sw_port)
			return broken(diag, "injection of endport %u", e);
		ends++;
	}
	return ends == 2 * f->nlinks ? 0 : broken(diag, "number of links");
}

static int check_adjacency(const struct weft_fabric *f, struct weft_diag *diag)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t n = 0;

		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t peer = f->peer[weft_channel(f, s, p)];

			n += weft_is_switch(peer) && peer != s;
		}
		if (f->adj_first[s + 1] != f->adj_first[s] + n)
			return broken(diag, "adjacency of switch %u", s);
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t ch = f->adj[i];

			if (ch <= f->first_channel[s] ||
			    ch >= f->first_channel[s + 1] ||
			    !weft_is_switch(f->peer[ch]) || f->peer[ch] == s)
				return broken(diag, "adjacency of switch %u",
					      s);
			if (i > f->adj_first[s] &&
			    (f->peer[f->adj[i - 1]] > f->peer[ch] ||
			     (f->peer[f->adj[i - 1]] == f->peer[ch] &&
			      f->adj[i - 1] >= ch)))
				return broken(diag,
					      "adjacency order of switch %u",
					      s);
		}
	}
	return 0;
}

static int check_switch_endports(const struct weft_fabric *f,
				 struct weft_diag *diag)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (f->sw_ep_first[s + 1] > f->nep)
			return broken(diag, "endports of switch %u", s);
		for (uint32_t i = f->sw_ep_first[s];
		     i < f->sw_ep_first[s + 1]; i++) {
			uint32_t e = f->sw_endport[i];

			if (e >= f->nep || f->ep[e].sw != s ||
			    (i > f->sw_ep_first[s] &&
			     f->sw_endport[i - 1] >= e))
				return broken(diag, "endports of switch %u",
					      s);
		}
	}
	return !f->sw_ep_first[0] && f->sw_ep_first[f->nsw] == f->nep ? 0 :
		broken(diag, "endports on switches");
}

static int check_lid(const struct weft_fabric *f, uint32_t vertex,
		     unsigned lid, unsigned lmc, struct weft_diag *diag)
{
	if (!lid)
		return 0;
	for (unsigned i = 0; i < 1u << lmc; i++)
		if (weft_lid_owner(f, lid + i) != vertex)
			return broken(diag, "LID %u of vertex 0x%x", lid + i,
				      vertex);
	return 0;
}

/* Returns the higher one of a LID and the last of those of a port. */
static uint32_t later_lid(uint32_t most, uint32_t lid, unsigned lmc)
{
	uint32_t last = lid + (1u << lmc) - 1;

	return lid && last > most ? last : most;
}

/* Returns the highest LID that anybody has. */
static uint32_t highest_lid(const struct weft_fabric *f)
{
	uint32_t most = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		most = later_lid(most, f->sw[s].lid, f->sw[s].lmc);
	for (uint32_t e = 0; e < f->nep; e++)
		most = later_lid(most, f->ep[e].lid, f->ep[e].lmc);
	return most;
}

static int check_lids(const struct weft_fabric *f, struct weft_diag *diag)
{
	uint32_t owned = 0, claimed = 0;
	int err = 0;

	if (f->max_lid > WEFT_MAX_LID || f->max_lid != highest_lid(f) ||
	    f->lid_owner[0] != WEFT_NONE)
		return broken(diag, "LID range");
	for (uint32_t lid = 0; lid <= f->max_lid; lid++)
		owned += f->lid_owner[lid] != WEFT_NONE;
	for (uint32_t s = 0; s < f->nsw && !err; s++) {
		err = check_lid(f, s, f->sw[s].lid, f->sw[s].lmc, diag);
		claimed += f->sw[s].lid ? 1u << f->sw[s].lmc : 0;
	}
	for (uint32_t e = 0; e < f->nep && !err; e++) {
		err = check_lid(f, e | WEFT_ENDPORT, f->ep[e].lid,
				f->ep[e].lmc, diag);
		claimed += f->ep[e].lid ? 1u << f->ep[e].lmc : 0;
	}
	if (!err && owned != claimed)
		err = broken(diag, "LIDs that belong to nobody");
	return err;
}

int weft_fabric_check(const struct weft_fabric *fabric,
		      struct weft_diag *diag)
{
	static int (*const check[])(const struct weft_fabric *f,
				    struct weft_diag *diag) = {
		check_switches, check_nodes, check_machines, check_endports,
		check_channels,
		check_adjacency, check_switch_endports, check_lids,
	};

	for (unsigned i = 0; i < sizeof(check) / sizeof(check[0]); i++) {
		int err = check[i](fabric, diag);

		if (err)
			return err;
	}
	return 0;
}
