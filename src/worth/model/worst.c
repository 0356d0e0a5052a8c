// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: worst, the most streams that a permutation puts on a channel
 *
 * A set of pairs in which no host sends or receives twice is a matching between
 * sources and destinations.  So the worst that a permutation can do to a
 * channel is the largest matching between the hosts that use it (Nienaber,
 * Mahapatra, Yuan, section II).  A host's stream to itself crosses no channel
 * between switches.
 *
 * Sources on one switch that send to LIDs of the same offset have the same
 * routes: they are one group.  Every route of a (group, destination) is walked
 * and enters its channels; these entries are collected channel by channel and
 * matched (matching.h).
 *
 * Most channels need no matching.  First the sources and destinations of each
 * channel are counted; the smaller number bounds the matching.  Then channels
 * are matched by falling bound until the best matching reaches the next bound.
 * In regular networks that is one channel.  Entries are collected in as many
 * passes over the routes as memory demands; the first pass is for few channels.
 */
#include <weft/worst.h>

#include "worth/model/matching.h"

#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OFFSETS 128
#define FIRST_ROUND 64			/* channels in the first pass */
#define MOST_REACHES ((uint64_t)1 << 25)	/* entries collected in one
						 * pass */

/* The hosts on one switch that send to LIDs of one offset. */
struct group {
	uint32_t sw;
	uint32_t first;		/* first one in worst.member */
};

struct bound {
	uint32_t channel;
	uint32_t most;
};

struct worst {
	const struct weft_fabric *f;
	const struct weft_lft *lft;
	const uint8_t *offset;	/* [nep] of sources; NULL: base LIDs */
	bool any;		/* every LID of a destination may be used */
	bool all_hosts;
	struct weft_worst out;

	struct group *group;	/* [ngroups + 1], by offset, then switch */
	uint32_t *size;		/* [ngroups] */
	uint32_t *member;	/* [hosts] endports, group by group */
	uint32_t ngroups;
	uint32_t first_group[OFFSETS + 1];	/* by offset */

	uint8_t *columns;	/* [64][nsw] */
	uint32_t *path;		/* [nsw] channels of the current route */
	/* called for each route, which has n channels */
	void (*visit)(struct worst *w, uint32_t n, uint32_t dest,
		      uint32_t group);

	/* for each channel that leaves a switch */
	uint64_t *nreaches;
	uint32_t *ndests, *last_dest;
	uint64_t *sources;	/* [words] groups, a bit each */
	size_t words;

	struct bound *bound;	/* [nbounds] by falling bound */
	uint32_t nbounds;
	uint64_t *fill;		/* [channels] where its next entry goes, or
				 * NOT_SERVED in this pass */
	struct weft__reach *reach;
	struct weft__matching matching;
};

#define NOT_SERVED UINT64_MAX

/* --- groups ------------------------------------------------------------ */

static bool is_host(const struct worst *w, uint32_t e)
{
	return weft_endport_is_host(&w->f->ep[e], w->all_hosts) &&
	       w->f->ep[e].lid;
}

static unsigned offset_of(const struct worst *w, uint32_t e)
{
	return w->offset ? w->offset[e] % OFFSETS : 0;
}

/* Makes a group of the hosts of switch s that send to that offset. */
static void add_group(struct worst *w, uint32_t s, unsigned offset)
{
	const struct weft_fabric *f = w->f;
	uint32_t first = w->out.hosts;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		uint32_t e = f->sw_endport[i];

		if (is_host(w, e) && offset_of(w, e) == offset)
			w->member[w->out.hosts++] = e;
	}
	if (w->out.hosts == first)
		return;
	w->group[w->ngroups] = (struct group){ s, first };
	w->size[w->ngroups++] = w->out.hosts - first;
}

static void make_groups(struct worst *w)
{
	bool used[OFFSETS] = { false };

	for (uint32_t e = 0; e < w->f->nep; e++)
		used[offset_of(w, e)] = true;
	for (unsigned o = 0; o < OFFSETS; o++) {
		w->first_group[o] = w->ngroups;
		for (uint32_t s = 0; s < w->f->nsw && used[o]; s++)
			add_group(w, s, o);
	}
	w->first_group[OFFSETS] = w->ngroups;
}

/* --- routes ------------------------------------------------------------ */

/* Lists the channels of the route from switch s in w->path.  Returns how many
 * there are, or 0 if the route does not arrive. */
static uint32_t walk_route(const struct worst *w, const uint8_t *column,
			   uint32_t s, const struct weft_endport *dest)
{
	const struct weft_fabric *f = w->f;
	uint32_t n = 0;

	while (s != dest->sw) {
		uint8_t port = column[s];
		uint32_t channel;

		if (!port || port > f->sw[s].nports || n == f->nsw)
			return 0;
		channel = weft_channel(f, s, port);
		s = f->peer[channel];
		if (!weft_is_switch(s))
			return 0;
		w->path[n++] = channel;
	}
	return column[s] == dest->sw_port ? n : 0;
}

static void visit_groups(struct worst *w, const uint8_t *column, uint32_t dest,
			 unsigned offset)
{
	for (uint32_t g = w->first_group[offset];
	     g < w->first_group[offset + 1]; g++) {
		uint32_t n =
			walk_route(w, column, w->group[g].sw, &w->f->ep[dest]);

		if (n)
			w->visit(w, n, dest, g);
	}
}

/* Visits all routes in use to the LID of dest at that offset. */
static void visit_lid(struct worst *w, const uint8_t *column, uint32_t dest,
		      unsigned offset)
{
	if (w->any) {
		visit_groups(w, column, dest, 0);
		return;
	}
	for (; offset < OFFSETS; offset += 1u << w->f->ep[dest].lmc)
		visit_groups(w, column, dest, offset);
}

/* Visits all routes between hosts, those to one destination in a row. */
static void visit_routes(struct worst *w)
{
	const struct weft_fabric *f = w->f;
	uint32_t columns = WEFT_NONE;	/* the block that w->columns has */

	for (uint32_t lid = 1; lid <= f->max_lid && lid <= w->lft->max_lid;
	     lid++) {
		uint32_t e = f->lid_owner[lid] & ~WEFT_ENDPORT;

		if (!weft_is_endport(f->lid_owner[lid]) || !is_host(w, e))
			continue;
		if (columns != lid / WEFT_LFT_BLOCK) {
			columns = lid / WEFT_LFT_BLOCK;
			weft_lft_columns(w->lft, columns, w->columns);
		}
		visit_lid(w, w->columns +
			  (size_t)(lid % WEFT_LFT_BLOCK) * f->nsw, e,
			  lid - f->ep[e].lid);
	}
}

/* --- bounds ------------------------------------------------------------ */

static void count_route(struct worst *w, uint32_t n, uint32_t dest,
			uint32_t group)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t ch = w->path[i];

		w->nreaches[ch]++;
		w->sources[ch * w->words + group / 64] |=
			UINT64_C(1) << group % 64;
		w->ndests[ch] += w->last_dest[ch] != dest;
		w->last_dest[ch] = dest;
	}
}

static uint32_t count_sources(const struct worst *w, uint32_t channel)
{
	const uint64_t *bits = w->sources + channel * w->words;
	uint32_t n = 0;

	for (size_t i = 0; i < w->words; i++)
		for (uint64_t left = bits[i]; left; left &= left - 1)
			n += w->size[i * 64 + __builtin_ctzll(left)];
	return n;
}

static int by_bound(const void *va, const void *vb)
{
	const struct bound *a = va, *b = vb;

	if (a->most != b->most)
		return a->most > b->most ? -1 : 1;
	return a->channel < b->channel ? -1 : a->channel > b->channel;
}

static void find_bounds(struct worst *w)
{
	w->visit = count_route;
	visit_routes(w);
	for (uint32_t ch = 0; ch < w->f->first_injection; ch++) {
		uint32_t n;

		if (!w->ndests[ch])
			continue;
		n = count_sources(w, ch);
		w->bound[w->nbounds++] = (struct bound){
			ch, n < w->ndests[ch] ? n : w->ndests[ch]
		};
	}
	qsort(w->bound, w->nbounds, sizeof(*w->bound), by_bound);
}

/* --- matchings --------------------------------------------------------- */

static void collect_route(struct worst *w, uint32_t n, uint32_t dest,
			  uint32_t group)
{
	for (uint32_t i = 0; i < n; i++) {
		uint64_t *fill = &w->fill[w->path[i]];

		if (*fill != NOT_SERVED)
			w->reach[(*fill)++] = (struct weft__reach){
				dest, group
			};
	}
}

static bool goes_over(const struct worst *w, uint32_t s, unsigned lid,
		      uint32_t channel)
{
	size_t n;

	if (weft_lft_walk(w->f, w->lft, s, lid,
			  (struct weft_walk_path){ w->path, w->f->nsw },
			  &n) != WEFT_ARRIVED)
		return false;
	while (n--)
		if (w->path[n] == channel)
			return true;
	return false;
}

/* Returns the LID by which a source reaches dest over the channel, if it may
 * choose. */
static uint16_t lid_over(const struct worst *w, uint32_t from, uint32_t to,
			 uint32_t channel)
{
	const struct weft_endport *dest = &w->f->ep[to];
	unsigned lid = dest->lid;

	if (!w->any)
		return lid + (offset_of(w, from) & ((1u << dest->lmc) - 1));
	while (!goes_over(w, w->f->ep[from].sw, lid, channel))
		lid++;
	return lid;
}

/* Keeps the current matching as the worst one. */
static int keep_matching(struct worst *w, uint32_t load, uint32_t channel)
{
	const struct weft__matching *m = &w->matching;
	struct weft_worst_stream *stream;
	uint32_t *next = m->queue;

	if (weft__resize(&w->out.stream, load))
		return -ENOMEM;
	stream = w->out.stream;
	w->out.load = load;
	w->out.channel = channel;
	for (uint32_t g = 0; g < w->ngroups; g++)
		next[g] = w->group[g].first;
	for (uint32_t i = 0; i < m->ndest; i++) {
		uint32_t from, to = m->dest[i];

		if (m->group[i] == WEFT_NONE)
			continue;
		from = w->member[next[m->group[i]]++];
		*stream++ = (struct weft_worst_stream){
			from, to, lid_over(w, from, to, channel)
		};
	}
	return 0;
}

static int match_channel(struct worst *w, const struct bound *b, uint64_t first)
{
	uint32_t load = weft__matching_run(&w->matching, w->reach + first,
					   w->nreaches[b->channel], b->most);

	if (w->out.link)
		w->out.link[b->channel] = load;
	return load > w->out.load ? keep_matching(w, load, b->channel) : 0;
}

/* Returns true if a channel from number i on can still be the worst. */
static bool can_be_worst(const struct worst *w, uint32_t i)
{
	return i < w->nbounds && (w->out.link ||
				  w->bound[i].most > w->out.load);
}

/* Matches as many channels from number begin on as memory allows, at most max.
 * Returns how many, or -ENOMEM. */
static int64_t match_channels(struct worst *w, uint32_t begin, uint32_t max)
{
	uint64_t total = 0;
	uint32_t end = begin;
	int err;

	memset(w->fill, 0xff, w->f->first_injection * sizeof(*w->fill));
	while (can_be_worst(w, end) && end - begin < max) {
		uint64_t n = w->nreaches[w->bound[end].channel];

		if (total && total + n > MOST_REACHES)
			break;
		w->fill[w->bound[end++].channel] = total;
		total += n;
	}
	err = weft__resize(&w->reach, total);
	if (err)
		return err;
	w->visit = collect_route;
	visit_routes(w);
	for (uint32_t i = begin; i < end && can_be_worst(w, i) && !err; i++) {
		const struct bound *b = &w->bound[i];

		err = match_channel(
			w, b, w->fill[b->channel] - w->nreaches[b->channel]);
	}
	return err ? err : (int64_t)(end - begin);
}

static int find_worst(struct worst *w)
{
	uint32_t done = 0, max = FIRST_ROUND;

	make_groups(w);
	w->words = w->ngroups / 64 + 1;
	w->sources = calloc(w->f->first_injection * w->words + 1,
			    sizeof(*w->sources));
	if (!w->sources ||
	    weft__matching_init(&w->matching, w->ngroups, w->size,
				w->out.hosts))
		return -ENOMEM;
	find_bounds(w);
	while (can_be_worst(w, done)) {
		int64_t n = match_channels(w, done, max);

		if (n < 0)
			return n;
		done += n;
		max = UINT32_MAX;
	}
	return 0;
}

static bool allocate(struct worst *w, bool links)
{
	const struct weft_fabric *f = w->f;
	size_t channels = f->first_injection + 1ull, eps = f->nep + 1ull;

	w->group = malloc(eps * sizeof(*w->group));
	w->size = malloc(eps * sizeof(*w->size));
	w->member = malloc(eps * sizeof(*w->member));
	w->columns = malloc(WEFT_LFT_BLOCK * (size_t)f->nsw + 1);
	w->path = malloc((f->nsw + 1ull) * sizeof(*w->path));
	w->nreaches = calloc(channels, sizeof(*w->nreaches));
	w->ndests = calloc(channels, sizeof(*w->ndests));
	w->last_dest = malloc(channels * sizeof(*w->last_dest));
	w->bound = malloc(channels * sizeof(*w->bound));
	w->fill = malloc(channels * sizeof(*w->fill));
	if (links)
		w->out.link = calloc(channels, sizeof(*w->out.link));
	if (!w->group || !w->size || !w->member || !w->columns || !w->path ||
	    !w->nreaches || !w->ndests || !w->last_dest || !w->bound ||
	    !w->fill || (links && !w->out.link))
		return false;
	memset(w->last_dest, 0xff, channels * sizeof(*w->last_dest));
	return true;
}

static void release(struct worst *w)
{
	free(w->group);
	free(w->size);
	free(w->member);
	free(w->columns);
	free(w->path);
	free(w->nreaches);
	free(w->ndests);
	free(w->last_dest);
	free(w->sources);
	free(w->bound);
	free(w->fill);
	free(w->reach);
	weft__matching_free(&w->matching);
}

int weft_worst_run(const struct weft_fabric *fabric,
		   const struct weft_routes *routes,
		   const struct weft_worst_spec *spec, struct weft_worst *out,
		   struct weft_diag *diag)
{
	struct worst w = {
		.f = fabric, .lft = &routes->lft,
		.offset = spec->lids == WEFT_LID_ROUTES ? routes->lid_offset :
							  NULL,
		.any = spec->lids == WEFT_LID_RANDOM ||
		       spec->lids == WEFT_LID_ROUND_ROBIN,
		.all_hosts = spec->all_hosts,
		.out = { .channel = WEFT_NONE },
	};
	int err = -ENOMEM;

	if (allocate(&w, spec->links))
		err = find_worst(&w);
	release(&w);
	if (err) {
		weft_worst_free(&w.out);
		return weft_fail(diag, -err, "out of memory");
	}
	*out = w.out;
	return 0;
}

void weft_worst_free(struct weft_worst *worst)
{
	free(worst->stream);
	free(worst->link);
	worst->stream = NULL;
	worst->link = NULL;
}
