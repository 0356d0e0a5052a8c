// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft design: fabrics that would serve a number of hosts. */
#include "tools/common/engines.h"
#include "tools/design/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The values of its own options. */
struct own {
	int64_t hosts, radix, take;
	const char *taper, *prices, *budget, *faults;
	bool unjudged;
	struct tool_engine *engines;	/* the first one routes */
};

/* What parts cost. */
struct prices {
	double sw, cable, host_cable;
};

static bool read_real(struct tool *t, const char *option, const char *text,
		      double least, double *out)
{
	double value;

	if (!text)
		return true;
	if (!weft_number_real(text, &value) || !(value >= least)) {
		tool_usage(t, "--%s=%s: a number of %g or more is expected",
			   option, text, least);
		return false;
	}
	*out = value;
	return true;
}

/* Reads "switch=9000,cable=120"; what is not named costs nothing. */
static bool read_prices(struct tool *t, const char *text, struct prices *out)
{
	const struct {
		const char *name;
		double *value;
	} parts[] = {
		{ "switch=", &out->sw }, { "cable=", &out->cable },
		{ "host-cable=", &out->host_cable },
	};

	for (const char *p = text; p; p = *p ? p + 1 : NULL) {
		unsigned i = 0;

		while (i < 3 && strncmp(p, parts[i].name,
					strlen(parts[i].name)))
			i++;
		if (i < 3)
			p += strlen(parts[i].name);
		if (i == 3 || !weft_number_real_at(&p, ",", parts[i].value) ||
		    !(*parts[i].value >= 0)) {
			tool_usage(t, "--prices=%s: switch=, cable= and host-cable= with a price each are expected, with commas between them",
				   text);
			return false;
		}
	}
	return true;
}

/* Cables between the switches of any two hosts, at most. */
static bool find_hops(const struct weft_fabric *f, uint32_t *most)
{
	uint32_t *hops = malloc((f->nsw + 1ull) * 2 * sizeof(*hops));
	uint32_t *queue = hops ? hops + f->nsw : NULL;

	*most = 0;
	for (uint32_t s = 0; hops && s < f->nsw; s++) {
		uint32_t n = 1;

		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			continue;
		memset(hops, 0xff, f->nsw * sizeof(*hops));
		hops[s] = 0;
		queue[0] = s;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t v = queue[i];

			if (f->sw_ep_first[v] < f->sw_ep_first[v + 1] &&
			    hops[v] > *most)
				*most = hops[v];
			for (uint32_t e = f->adj_first[v];
			     e < f->adj_first[v + 1]; e++) {
				uint32_t to = f->peer[f->adj[e]];

				if (hops[to] != UINT32_MAX)
					continue;
				hops[to] = hops[v] + 1;
				queue[n++] = to;
			}
		}
	}
	free(hops);
	return hops;
}

/* Counts what a fabric takes. */
static bool count_parts(const struct weft_fabric *f, const struct prices *prices,
			bool priced, uint32_t hosts, struct tool_design *d)
{
	d->places = f->nep;
	d->switches = f->nsw;
	d->cables = f->adj_first[f->nsw] / 2;
	d->ports = 0;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t n = f->adj_first[s + 1] - f->adj_first[s] +
			     f->sw_ep_first[s + 1] - f->sw_ep_first[s];

		d->ports = n > d->ports ? n : d->ports;
	}
	d->price = !priced ? NAN :
		d->switches * prices->sw + d->cables * prices->cable +
		hosts * prices->host_cable;
	return find_hops(f, &d->hops);
}

/* Judges tables of the engine by the basket. */
static bool judge(struct tool *t, const struct weft_fabric *f, double *worth,
		  double *uniform)
{
	const struct own *own = t->own;
	const struct weft_basket_spec spec = { .seed = 1 };
	struct weft_basket *basket = NULL;
	struct weft_routes routes = { 0 };
	struct weft_worth w = { .mean = 0 };
	double seconds;
	bool ok = tool_route(t, own->engines, f, &routes, &seconds) &&
		  !weft_basket_new(f, &spec, &basket, &t->diag) &&
		  !weft_basket_judge(basket, &routes, &w);

	*worth = ok ? w.mean : NAN;
	if (ok)
		*uniform = weft_basket_uniform(basket, &w);
	weft_worth_free(&w);
	weft_basket_free(basket);
	weft_routes_free(&routes);
	return ok;
}

/* Judges a fabric with that share of cables out; one that falls apart is worth
 * nothing that is known. */
static bool judge_failed(struct tool *t, struct tool_design *d)
{
	const struct own *own = t->own;
	char spec[TOOL_DESIGN_SPEC + 64];
	struct weft_fabric *f;
	double uniform;
	bool ok;

	d->failed = NAN;
	snprintf(spec, sizeof(spec), "%s,fail-links=%s", d->spec, own->faults);
	if (weft_gen(spec, &f, NULL))
		return true;
	ok = judge(t, f, &d->failed, &uniform);
	weft_fabric_free(f);
	return ok;
}

/* Builds a design and finds what there is to know; *fits: it serves them. */
static bool look_at(struct tool *t, struct tool_design *d,
		    const struct prices *prices, double budget, bool *fits)
{
	const struct own *own = t->own;
	struct weft_fabric *f = NULL;
	bool ok, priced = own->prices;

	d->spec = d->text;
	d->worth = d->uniform = d->failed = NAN;
	tool_phase(t, "looking at %s", d->spec);
	/* what is too large for LIDs serves nobody */
	*fits = !weft_gen(d->spec, &f, NULL);
	if (!*fits)
		return true;
	ok = count_parts(f, prices, priced, own->hosts, d);
	*fits = d->places >= own->hosts && d->ports <= own->radix &&
		!(priced && d->price > budget);
	if (ok && *fits && !own->unjudged)
		ok = judge(t, f, &d->worth, &d->uniform) && judge_failed(t, d);
	weft_fabric_free(f);
	return ok;
}

/* By price, else by switches and cables; what is alike by the description. */
static int by_cost(const void *x, const void *y)
{
	const struct tool_design *a = x, *b = y;

	if (isfinite(a->price) && a->price != b->price)
		return a->price < b->price ? -1 : 1;
	if (a->switches != b->switches)
		return a->switches < b->switches ? -1 : 1;
	if (a->cables != b->cables)
		return a->cables < b->cables ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* Leaves out what does not serve, or is there twice, and numbers the rest. */
static bool choose(struct tool *t, const struct tool_wanted *w,
		   const struct prices *prices, double budget,
		   struct tool_design *d, unsigned *n)
{
	unsigned all = tool_design_propose(w, d);

	*n = 0;
	for (unsigned i = 0; i < all; i++) {
		bool fits, again = false;

		for (unsigned k = 0; k < *n; k++)
			again |= !strcmp(d[k].text, d[i].text);
		if (again)
			continue;
		if (!look_at(t, &d[i], prices, budget, &fits))
			return false;
		if (fits)
			d[(*n)++] = d[i];
	}
	qsort(d, *n, sizeof(*d), by_cost);
	for (unsigned i = 0; i < *n; i++) {
		d[i].number = i + 1;
		d[i].spec = d[i].text;
	}
	return true;
}

/* Writes the cables of one of them as a list for those who lay them. */
static bool write_plan(struct tool *t, const struct tool_design *d, FILE *out)
{
	struct weft_fabric *f;
	bool ok = !weft_gen(d->spec, &f, &t->diag);

	if (!ok)
		return false;
	ok = !weft_io_write_cabling(out, f, 0,
				    tool_output_ends(t, ".csv") ?
				    WEFT_CABLING_CSV : WEFT_CABLING_TEXT,
				    &t->diag);
	weft_fabric_free(f);
	return ok;
}

static bool print(struct tool *t, const struct tool_design *d, unsigned n)
{
	const struct own *own = t->own;
	FILE *out;

	if (own->take > n) {
		tool_usage(t, "--take=%lld: there are %u designs",
			   (long long)own->take, n);
		return false;
	}
	out = tool_output_open(t, t->args.output);
	if (!out)
		return false;
	if (own->take)
		return write_plan(t, &d[own->take - 1], out);
	if (t->args.json)
		tool_json_print(out, tool_design_json(d, n));
	else if (t->args.csv)
		tool_design_csv(d, n, out);
	else
		tool_design_print(d, n, own->prices, out);
	return true;
}

static enum tool_status design_run(struct tool *t)
{
	struct own *own = t->own;
	struct tool_wanted w = { .taper = 1 };
	struct prices prices = { 0 };
	struct tool_design d[TOOL_DESIGNS];
	double budget = INFINITY, share;
	unsigned n;
	bool ok;

	if (t->args.rest.n)
		return tool_usage(t, "there is no input to give");
	if (!own->hosts)
		return tool_usage(t, "--hosts=N is needed");
	if (own->budget && !own->prices)
		return tool_usage(t, "--budget goes with --prices");
	own->radix = own->radix ? own->radix : 64;
	own->faults = own->faults ? own->faults : "5%";
	if (!read_real(t, "taper", own->taper, 1, &w.taper) ||
	    !read_real(t, "budget", own->budget, 0, &budget) ||
	    !read_prices(t, own->prices, &prices))
		return TOOL_FAILED;
	if (!weft_number_real_at(&(const char *){ own->faults }, "%", &share))
		return tool_usage(t, "--faults=%s: a number of cables or a share such as 5%% is expected",
				  own->faults);
	if (!t->args.engine.n)
		tool_list_add(&t->args.engine, "weave");
	own->engines = tool_engines_parse(t);
	if (!own->engines)
		return TOOL_FAILED;
	own->unjudged |= own->take > 0;
	w.hosts = own->hosts;
	w.radix = own->radix;
	ok = choose(t, &w, &prices, budget, d, &n);
	tool_phase_end(t);
	tool_engines_free(own->engines);
	if (ok && !n) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "no design of these families serves %lld hosts with switches of %lld ports%s",
			      (long long)own->hosts, (long long)own->radix,
			      own->budget ? " for that budget" :
			      w.taper > 1 ? "" : "; --taper=2 allows for fewer cables");
		return TOOL_FOUND;
	}
	return ok && print(t, d, n) ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option design_options[] = {
	TOOL_OWN(TOOL_NUMBER, struct own, hosts, "hosts", 0, "N",
		 "hosts to serve", .min = 2, .max = 49151),
	TOOL_OWN(TOOL_NUMBER, struct own, radix, "radix", 0, "N",
		 "ports of a switch (default 64)", .min = 3, .max = 254),
	TOOL_OWN(TOOL_TEXT, struct own, taper, "taper", 0, "X",
		 "hosts that may share a cable further on: 1, the default, for full bandwidth; 2 and this are listed, too"),
	TOOL_OWN(TOOL_TEXT, struct own, prices, "prices", 0, "LIST",
		 "what parts cost, such as switch=9000,cable=120,host-cable=80"),
	TOOL_OWN(TOOL_TEXT, struct own, budget, "budget", 0, "X",
		 "leave out what costs more"),
	TOOL_OWN(TOOL_TEXT, struct own, faults, "faults", 0, "N|N%",
		 "cables that fail in the last column (default 5%)"),
	TOOL_OPT_ENGINE,
	TOOL_OWN(TOOL_FLAG, struct own, unjudged, "no-worth", 0, NULL,
		 "do not route and judge: for many hosts that takes minutes"),
	TOOL_OWN(TOOL_NUMBER, struct own, take, "take", 0, "N",
		 "write the cables of design N instead of the table, as weft gen --cabling does; as CSV if FILE ends in .csv",
		 .min = 1, .max = TOOL_DESIGNS),
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the table or the cables to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_design = {
	.name = "design",
	.summary = "list fabrics that would serve a number of hosts",
	.usage = "--hosts=N [OPTION]...",
	.about = "Lists fat trees, dragonflies, HyperX and Slim Flies that serve a number of hosts with given switches: what they take, and what they are worth, whole and with cables failed.",
	.options = design_options,
	.own_size = sizeof(struct own),
	.run = design_run,
};
