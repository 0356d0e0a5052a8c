// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Chooses cables to leave out; see resort.h.
 *
 * Parts grow as in Kruskal's algorithm, from the most welcome cables to the
 * least, but the cables of one kind all at a time: each is judged by the parts
 * that those before its kind have made, which does not depend on the order in
 * which cables are looked at.
 */
#include "core/fabric/resort.h"

#include "core/sets.h"

/* Judges the cables of one kind. */
static uint32_t judge(const struct weft_fabric *f, const uint8_t *resort,
		      unsigned kind, bool *gone, uint32_t *parent)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);

			if (resort[ch] != kind ||
			    !weft_is_switch(f->peer[ch]) ||
			    f->reverse[ch] < ch ||
			    weft__sets_find(parent, s) !=
				    weft__sets_find(parent, f->peer[ch]))
				continue;
			gone[ch] = gone[f->reverse[ch]] = true;
			n++;
		}
	return n;
}

/* Joins the ends of all cables of one kind that stay. */
static void join(const struct weft_fabric *f, const uint8_t *resort,
		 unsigned kind, const bool *gone, uint32_t *parent)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t ch = f->adj[i];

			if (resort[ch] == kind && !gone[ch])
				weft__sets_join(parent, s, f->peer[ch]);
		}
}

uint32_t weft__leave_out(const struct weft_fabric *f, const uint8_t *resort,
			 bool *gone, uint32_t *parent)
{
	unsigned worst = 0;
	uint32_t n = 0;

	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		worst = resort[ch] > worst ? resort[ch] : worst;
	weft__sets_begin(parent, f->nsw);
	for (unsigned kind = 0; kind <= worst; kind++) {
		if (kind)
			n += judge(f, resort, kind, gone, parent);
		join(f, resort, kind, gone, parent);
	}
	return n;
}
