// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parts that have failed, and who is cut off by that.
 *
 * Each part of the fabric that cables join, which is mostly all of it, may
 * fall into pieces.  Its largest piece counts as the fabric that is left, those
 * in the others as cut off from it.
 */
#include "core/fabric/components.h"
#include "faults/loss.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int weft__down_init(struct weft__down *d, const struct weft_fabric *f,
		    bool all_hosts)
{
	size_t n = f->nsw + (size_t)1;

	*d = (struct weft__down){
		.f = f,
		.all_hosts = all_hosts,
		.sw = calloc(n, sizeof(*d->sw)),
		.channel = calloc(f->nch + (size_t)1, sizeof(*d->channel)),
		.list = malloc((f->nch + (size_t)1) * sizeof(*d->list)),
		.home = malloc(n * sizeof(*d->home)),
		.piece = malloc(n * sizeof(*d->piece)),
		.queue = malloc(n * sizeof(*d->queue)),
		.size = malloc(n * sizeof(*d->size)),
		.piece_home = malloc(n * sizeof(*d->piece_home)),
		.kept = malloc(n * sizeof(*d->kept)),
		.sum = malloc(n * sizeof(*d->sum)),
	};
	if (!d->sw || !d->channel || !d->list || !d->home || !d->piece ||
	    !d->queue || !d->size || !d->piece_home || !d->kept || !d->sum)
		return -ENOMEM;
	d->nhomes = weft__components(f, d->home, d->queue);
	return 0;
}

void weft__down_free(struct weft__down *d)
{
	free(d->sw);
	free(d->channel);
	free(d->list);
	free(d->home);
	free(d->piece);
	free(d->queue);
	free(d->size);
	free(d->piece_home);
	free(d->kept);
	free(d->sum);
}

static void take_channel(struct weft__down *d, uint32_t ch)
{
	uint32_t both[2] = { ch, d->f->reverse[ch] };

	for (unsigned i = 0; i < 2; i++) {
		if (both[i] == WEFT_NONE || d->channel[both[i]])
			continue;
		d->channel[both[i]] = true;
		d->list[d->n++] = both[i];
	}
}

void weft__down_take(struct weft__down *d, const uint32_t *part, uint32_t n)
{
	const struct weft_fabric *f = d->f;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t sw = part[i] & ~WEFT_PART_SWITCH;

		if (!(part[i] & WEFT_PART_SWITCH)) {
			take_channel(d, part[i]);
			continue;
		}
		d->nsw += !d->sw[sw];
		d->sw[sw] = true;
		for (unsigned p = 1; p <= f->sw[sw].nports; p++)
			if (f->peer[weft_channel(f, sw, p)] != WEFT_NONE)
				take_channel(d, weft_channel(f, sw, p));
	}
}

void weft__down_restore(struct weft__down *d)
{
	while (d->n)
		d->channel[d->list[--d->n]] = false;
	if (d->nsw)
		memset(d->sw, 0, d->f->nsw * sizeof(*d->sw));
	d->nsw = 0;
}

/* Whether an endport is one of a host, and its cable works. */
static bool lives(const struct weft__down *d, uint32_t e)
{
	return weft_endport_is_host(&d->f->ep[e], d->all_hosts) &&
	       !d->channel[d->f->first_injection + e];
}

/* Finds all switches that are joined with root; returns the hosts on them. */
static uint32_t fill_piece(struct weft__down *d, uint32_t root, uint32_t number)
{
	const struct weft_fabric *f = d->f;
	uint32_t head = 0, tail = 0, hosts = 0;

	d->piece[root] = number;
	d->queue[tail++] = root;
	while (head < tail) {
		uint32_t s = d->queue[head++];

		for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1];
		     i++)
			hosts += lives(d, f->sw_endport[i]);
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t ch = f->adj[i], to = f->peer[ch];

			if (d->channel[ch] || d->sw[to] ||
			    d->piece[to] != WEFT_NONE)
				continue;
			d->piece[to] = number;
			d->queue[tail++] = to;
		}
	}
	return hosts;
}

/* Returns the number of pieces. */
static uint32_t find_pieces(struct weft__down *d)
{
	uint32_t n = 0;

	memset(d->piece, 0xff, d->f->nsw * sizeof(*d->piece));
	memset(d->kept, 0xff, d->nhomes * sizeof(*d->kept));
	memset(d->sum, 0, d->nhomes * sizeof(*d->sum));
	for (uint32_t s = 0; s < d->f->nsw; s++) {
		uint32_t home = d->home[s];

		if (d->sw[s] || d->piece[s] != WEFT_NONE)
			continue;
		d->size[n] = fill_piece(d, s, n);
		d->piece_home[n] = home;
		d->sum[home] += d->size[n];
		if (d->kept[home] == WEFT_NONE ||
		    d->size[n] > d->size[d->kept[home]])
			d->kept[home] = n;
		n++;
	}
	return n;
}

/* Whether a node has a port in a piece that is kept. */
static bool is_kept(const struct weft__down *d, const struct weft_node *node)
{
	const struct weft_fabric *f = d->f;

	for (uint32_t i = 0; i < node->nendports; i++) {
		uint32_t e = f->node_endport[node->first_endport + i];
		uint32_t s = f->ep[e].sw;

		if (lives(d, e) && d->piece[s] == d->kept[d->home[s]])
			return true;
	}
	return false;
}

void weft__down_cut(struct weft__down *d, struct weft_fault_loss *loss,
		    bool *cut)
{
	const struct weft_fabric *f = d->f;
	uint32_t pieces = find_pieces(d);

	loss->cut = 0;
	loss->cut_node = WEFT_NONE;
	loss->apart = 0;
	for (uint32_t n = 0; n < f->nnodes; n++) {
		const struct weft_node *node = &f->node[n];

		if (!node->nendports ||
		    !weft_endport_is_host(
			    &f->ep[f->node_endport[node->first_endport]],
			    d->all_hosts) ||
		    is_kept(d, node))
			continue;
		if (!loss->cut++)
			loss->cut_node = n;
		if (cut)
			cut[n] = true;
	}
	/* Pairs within a part, less those within a piece. */
	for (uint32_t h = 0; h < d->nhomes; h++)
		loss->apart += (uint64_t)d->sum[h] * d->sum[h];
	for (uint32_t p = 0; p < pieces; p++)
		loss->apart -= (uint64_t)d->size[p] * d->size[p];
}

int weft_fault_cut(const struct weft_fabric *f, const uint32_t *part,
		   uint32_t n, bool all_hosts, uint32_t **node, uint32_t *count)
{
	struct weft__down down;
	struct weft_fault_loss loss;
	bool *cut = calloc(f->nnodes + (size_t)1, sizeof(*cut));
	uint32_t *list = malloc((f->nnodes + (size_t)1) * sizeof(*list));
	int err = weft__down_init(&down, f, all_hosts);

	if (!cut || !list)
		err = -ENOMEM;
	if (!err) {
		weft__down_take(&down, part, n);
		weft__down_cut(&down, &loss, cut);
		*count = 0;
		for (uint32_t i = 0; i < f->nnodes; i++)
			if (cut[i])
				list[(*count)++] = i;
		*node = list;
		list = NULL;
	}
	weft__down_free(&down);
	free(cut);
	free(list);
	return err;
}
