// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Multicast tables in words and sums; see multicast.h. */
#include "report/multicast.h"

#include <inttypes.h>
#include <stdio.h>

void weft__multicast_words(const struct weft_fabric *f,
			   const struct weft_multicast_group *g,
			   const struct weft__report_names *names, char *buf,
			   size_t size)
{
	FILE *out = fmemopen(buf, size, "w");
	const char *comma = ":";
	char name[768];

	*buf = '\0';
	if (!out)
		return;
	fprintf(out, "group 0x%x", g->mlid);
	if (g->circles) {
		fprintf(out, "%s packets go round by %s more than a tree has",
			comma, WEFT_COUNT(g->circles, "cable"));
		comma = ",";
	}
	if (g->lost) {
		fprintf(out, "%s %s of its %" PRIu32
			" members in %" PRIu32 " pieces do not hear each other",
			comma, WEFT_COUNT(g->lost, "pair"), g->members,
			g->trees);
		comma = ",";
	}
	if (g->one_way)
		fprintf(out, "%s %s to switches that do not send back", comma,
			WEFT_COUNT(g->one_way, "port"));
	if (g->channel != WEFT_NONE)
		fprintf(out, "; such as %s",
			names->channel(f, g->channel, name, sizeof(name)));
	fclose(out);
}

uint32_t weft__multicast_next(const struct weft_fabric *f,
			      const struct weft_multicast_verdict *v,
			      uint32_t last)
{
	uint32_t best = WEFT_NONE;

	for (uint32_t ch = 0; ch < f->nch; ch++) {
		uint32_t load = v->load[ch];

		if (!load || (last != WEFT_NONE &&
			      (load > v->load[last] ||
			       (load == v->load[last] && ch <= last))))
			continue;
		if (best == WEFT_NONE || load > v->load[best])
			best = ch;
	}
	return best;
}

struct weft__multicast_sums
weft__multicast_sum(const struct weft_multicast_verdict *v)
{
	struct weft__multicast_sums s = { .fewest = UINT32_MAX };

	for (uint32_t i = 0; i < v->n; i++) {
		const struct weft_multicast_group *g = &v->group[i];

		s.fewest = g->members < s.fewest ? g->members : s.fewest;
		s.most = g->members > s.most ? g->members : s.most;
		s.circles += g->circles;
		s.pieces += g->trees > 1 ? g->trees - 1 : 0;
		s.lost += g->lost;
		s.one_way += g->one_way;
	}
	return s;
}
