// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parts of a fabric, and sets of them; see weft/faults.h. */
#include <weft/faults.h>
#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t list_cables(const struct weft_fabric *f, bool to_endports,
			    uint32_t *part)
{
	uint32_t n = 0;

	for (uint32_t ch = 0; ch < f->first_injection; ch++) {
		uint32_t peer = f->peer[ch];

		if (peer == WEFT_NONE || f->reverse[ch] == WEFT_NONE ||
		    f->reverse[ch] < ch || f->reverse[ch] == ch ||
		    weft_is_endport(peer) != to_endports)
			continue;
		part[n++] = ch;
	}
	return n;
}

int weft_fault_parts(const struct weft_fabric *f, unsigned kinds,
		     uint32_t **part, uint32_t *n)
{
	*part = malloc((f->nlinks + (size_t)f->nsw + 1) * sizeof(**part));
	*n = 0;
	if (!*part)
		return -ENOMEM;
	if (kinds & WEFT_PARTS_CABLES)
		*n += list_cables(f, false, *part);
	if (kinds & WEFT_PARTS_LINKS)
		*n += list_cables(f, true, *part + *n);
	for (uint32_t s = 0; kinds & WEFT_PARTS_SWITCHES && s < f->nsw; s++)
		(*part)[(*n)++] = s | WEFT_PART_SWITCH;
	return 0;
}

void weft_fault_sets_free(struct weft_fault_sets *sets)
{
	free(sets->first);
	free(sets->part);
	*sets = (struct weft_fault_sets){ 0 };
}

int weft_fault_singles(const uint32_t *part, uint32_t n,
		       struct weft_fault_sets *out)
{
	struct weft_fault_sets s = {
		.n = n,
		.first = malloc((n + 1ull) * sizeof(*s.first)),
		.part = malloc((n + 1ull) * sizeof(*s.part)),
	};

	if (!s.first || !s.part) {
		weft_fault_sets_free(&s);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i <= n; i++)
		s.first[i] = i;
	memcpy(s.part, part, n * sizeof(*part));
	*out = s;
	return 0;
}

/* Puts k random ones of list[n] at its beginning (Fisher, Yates). */
static void draw_first(struct weft_rng *rng, uint32_t *list, uint32_t n,
		       uint32_t k)
{
	for (uint32_t i = 0; i < k; i++) {
		uint32_t at = i + weft_rng_below(rng, n - i), was = list[i];

		list[i] = list[at];
		list[at] = was;
	}
}

struct pool {
	uint32_t *cable, *sw; /* of the parts to draw from */
	uint32_t ncables, nsw;
	uint32_t *scratch;
};

static void fill_pool(const struct weft_fault_draw *d, struct pool *p)
{
	for (uint32_t i = 0; i < d->nparts; i++)
		if (d->part[i] & WEFT_PART_SWITCH)
			p->sw[p->nsw++] = d->part[i];
		else
			p->cable[p->ncables++] = d->part[i];
}

/* Draws k of n into out; the list stays as it is, so that a set does not depend
 * on those before it. */
static void draw_some(struct weft_rng *rng, const uint32_t *list, uint32_t n,
		      uint32_t k, uint32_t *scratch, uint32_t *out)
{
	if (!k)
		return;
	memcpy(scratch, list, n * sizeof(*list));
	draw_first(rng, scratch, n, k);
	memcpy(out, scratch, k * sizeof(*out));
}

static void draw_all(const struct weft_fault_draw *d, const struct pool *p,
		     struct weft_rng *rng, struct weft_fault_sets *s)
{
	uint32_t size = d->cables + d->switches;

	s->n = d->sets;
	for (uint32_t i = 0; i < d->sets; i++) {
		uint32_t *out = s->part + (size_t)i * size;

		s->first[i] = i * size;
		weft_rng_seed_sample(rng, d->seed, i);
		draw_some(rng, p->cable, p->ncables, d->cables, p->scratch,
			  out);
		draw_some(rng, p->sw, p->nsw, d->switches, p->scratch,
			  out + d->cables);
	}
	s->first[d->sets] = d->sets * size;
}

int weft_fault_draw(const struct weft_fault_draw *d,
		    struct weft_fault_sets *out, struct weft_diag *diag)
{
	size_t n = d->nparts + 1ull;
	uint64_t size = (uint64_t)d->cables + d->switches;
	struct pool p = {
		.cable = malloc(n * sizeof(*p.cable)),
		.sw = malloc(n * sizeof(*p.sw)),
		.scratch = malloc(n * sizeof(*p.scratch)),
	};
	struct weft_fault_sets s = {
		.first = malloc((d->sets + 1ull) * sizeof(*s.first)),
		.part = malloc((d->sets * size + 1) * sizeof(*s.part)),
	};
	struct weft_rng *rng = weft_rng_new(d->seed);
	int err = 0;

	if (p.cable && p.sw)
		fill_pool(d, &p);
	if (!p.cable || !p.sw || !p.scratch || !s.first || !s.part || !rng ||
	    d->sets * size > UINT32_MAX)
		err = weft_no_memory(diag);
	else if (d->cables > p.ncables || d->switches > p.nsw)
		err = weft_fail(diag, EINVAL,
				"sets of %s and %s were asked for, and there are %s and %s to choose from",
				WEFT_COUNT(d->cables, "cable"),
				WEFT_COUNT(d->switches, "switch"),
				WEFT_COUNT(p.ncables, "cable"),
				WEFT_COUNT(p.nsw, "switch"));
	else
		draw_all(d, &p, rng, &s);
	weft_rng_free(rng);
	free(p.cable);
	free(p.sw);
	free(p.scratch);
	if (err)
		weft_fault_sets_free(&s);
	else
		*out = s;
	return err;
}
