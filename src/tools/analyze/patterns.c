// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The patterns that were asked for, and running them; see patterns.h. */
#include "tools/analyze/patterns.h"
#include "tools/common/engines.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const struct tool_request *a, const struct tool_request *b)
{
	return !strcmp(a->label, b->label) && a->is_file == b->is_file &&
	       a->natural == b->natural && a->precision == b->precision &&
	       a->precise == b->precise;
}

unsigned tool_requests_add(struct tool_requests *r,
			   const struct tool_request *request)
{
	for (unsigned i = 0; i < r->n; i++)
		if (is_same(&r->request[i], request))
			return i;
	r->request[r->n] = *request;
	return r->n++;
}

static bool read_precision(struct tool *t, double *precision)
{
	const char *text = t->args.precision, *at = text;

	*precision = 0;
	if (!text || (tool_share_at(&at, "", precision) && *precision > 0 &&
		      *precision < 1))
		return true;
	tool_usage(t,
		   "--precision takes a share of the mean, as 0.01 or 1%%, not '%s'",
		   text);
	return false;
}

/* ABB, AFPB and ADB of Nienaber, Mahapatra and Yuan, by their rule unless
 * another one was given. */
static void add_permutations(struct tool_requests *r, double precision)
{
	static const char *const names[] = {
		"bisect", "permutation", "dissemination-pairs",
	};

	for (unsigned i = 0; i < 3; i++)
		tool_requests_add(r, &(struct tool_request){
			.label = names[i], .precise = WEFT_LOWER,
			.precision = precision > 0 ? precision : 0.01 });
}

/* Rings as the HPC Challenge has them. */
static void add_rings(struct tool_requests *r, struct tool_request like)
{
	like.label = "ring:both";
	like.natural = true;
	tool_requests_add(r, &like);
	like.label = "ring:order=random,both";
	like.natural = false;
	tool_requests_add(r, &like);
}

/* With room for all that the command line may ask for. */
static bool requests_init(struct tool *t, struct tool_requests *r)
{
	const struct tool_args *a = &t->args;
	size_t parts = (size_t)a->application.n * TOOL_MAX_PARTS;
	size_t n = a->pattern.n + a->traffic.n + 3 + 2 + parts;

	*r = (struct tool_requests){
		.request = calloc(n, sizeof(*r->request)),
		.application = calloc(a->application.n + 1,
				      sizeof(*r->application)),
	};
	return (r->request && r->application) || tool_no_memory(t);
}

bool tool_requests_make(struct tool *t, struct tool_requests *out)
{
	const struct tool_args *a = &t->args;
	struct tool_requests r;
	struct tool_request next = { .precise = a->precise };
	bool ok = requests_init(t, &r) &&
		  read_precision(t, &next.precision);

	for (unsigned i = 0; i < a->pattern.n && ok; i++) {
		next.label = a->pattern.item[i];
		tool_requests_add(&r, &next);
	}
	next.is_file = true;
	for (unsigned i = 0; i < a->traffic.n && ok; i++) {
		next.label = a->traffic.item[i];
		tool_requests_add(&r, &next);
	}
	next.is_file = false;
	if (ok && a->permutations)
		add_permutations(&r, next.precision);
	if (ok && a->rings)
		add_rings(&r, next);
	for (unsigned i = 0; i < a->application.n && ok; i++)
		ok = tool_application_parse(t, a->application.item[i], &r);
	if (ok)
		*out = r;
	else
		tool_requests_free(&r);
	return ok;
}

void tool_requests_free(struct tool_requests *r)
{
	for (unsigned i = 0; i < r->napplications; i++)
		free(r->application[i].text);
	free(r->application);
	free(r->request);
}

static const char *const orders[] = {
	[WEFT_ORDER_RANDOM] = "random", [WEFT_ORDER_GUID] = "guid",
	[WEFT_ORDER_NAME] = "name", [WEFT_ORDER_LEAF] = "leaf",
	[WEFT_ORDER_PORT] = "port", [WEFT_ORDER_GIVEN] = "file",
};

static const char *const lid_rules[] = {
	[WEFT_LID_ROUTES] = "routes", [WEFT_LID_FIRST] = "first",
	[WEFT_LID_RANDOM] = "random", [WEFT_LID_ROUND_ROBIN] = "round-robin",
	[WEFT_LID_ALL] = "all",
};

/* Places the ranks, by name where nothing else is said and natural is set;
 * *order is what the order is called. */
static bool make_mapping(struct tool *t, const struct tool_case *c,
			 bool natural, uint32_t ranks, struct weft_mapping *out,
			 const char **order)
{
	const struct tool_args *a = &t->args;
	struct weft_mapping_spec spec = {
		.all_hosts = a->hosts == TOOL_HOSTS_ALL,
		.ranks = ranks ? ranks : a->ranks,
	};
	uint32_t *given = NULL;
	bool ok = true;

	if (a->mapping >= 0)
		spec.order = a->mapping;
	else if (a->host_file)
		spec.order = WEFT_ORDER_GIVEN;
	else
		spec.order = natural ? WEFT_ORDER_NAME : WEFT_ORDER_RANDOM;
	if (spec.order == WEFT_ORDER_GIVEN && !a->host_file) {
		tool_usage(t, "--mapping=file needs a --host-file");
		return false;
	}
	spec.random_subset = a->subset >= 0 ? a->subset :
					      spec.order == WEFT_ORDER_RANDOM;
	if (a->host_file)
		ok = !weft_io_read_hosts(a->host_file, c->fabric, &given,
					 &spec.ngiven, &t->diag);
	spec.given = given;
	ok = ok && !weft_mapping_init(out, c->fabric, &spec, &t->diag);
	free(given);
	*order = orders[spec.order];
	return ok;
}

/* A pattern by its name, and the hosts for its ranks: by name, unless something
 * else was asked for, where it matters which machines they are on. */
static bool make_named(struct tool *t, const struct tool_case *c,
		       struct tool_pattern *p, struct weft_mapping *mapping,
		       struct weft_traffic **traffic)
{
	const char *label = p->request->label;
	bool natural = p->request->natural, again, drawn;

	do {
		if (!make_mapping(t, c, natural, 0, mapping, &p->order))
			return false;
		drawn = mapping->random_order || mapping->random_subset;
		if (weft_traffic_placed(label, c->fabric,
					drawn ? NULL : mapping->endport,
					mapping->nranks, traffic, &t->diag)) {
			weft_mapping_free(mapping);
			return tool_hint(t);
		}
		again = !natural && mapping->random_order &&
			t->args.mapping < 0 &&
			weft_traffic_is_seated(*traffic);
		natural = true;
		if (again) {
			weft_traffic_free(*traffic);
			weft_mapping_free(mapping);
		}
	} while (again);
	return true;
}

/* The pattern of a file, and the hosts for its ranks. */
static bool make_listed(struct tool *t, const struct tool_case *c,
			struct tool_pattern *p, struct weft_mapping *mapping,
			struct weft_traffic **traffic)
{
	struct weft_pair_list list = { 0 };
	bool ok = !weft_io_read_pattern(p->request->label, &list, &t->diag) &&
		  make_mapping(t, c, p->request->natural,
			       t->args.ranks ? 0 : list.nranks, mapping,
			       &p->order);

	if (ok && weft_traffic_from_list(&list, mapping->nranks, traffic,
					 &t->diag)) {
		weft_mapping_free(mapping);
		ok = false;
	}
	weft_pair_list_free(&list);
	return ok;
}

static char *end_name(const struct weft_fabric *f, uint32_t vertex)
{
	char buf[256];

	return strdup(weft_diag_printable(buf, sizeof(buf),
					  tool_vertex_name(f, vertex)));
}

static bool name_hot(const struct weft_fabric *f, const struct weft_model *m,
		     uint32_t ch, struct tool_hot *hot)
{
	uint32_t from = weft_channel_switch(f, ch);
	char text[512];

	hot->port = 0;
	if (from == WEFT_NONE)
		from = (ch - f->first_injection) | WEFT_ENDPORT;
	else
		hot->port = ch - f->first_channel[from];
	hot->from = end_name(f, from);
	hot->to = end_name(f, f->peer[ch]);
	hot->text = strdup(tool_text_channel(f, ch, text, sizeof(text)));
	hot->to_port = f->peer_port[ch];
	hot->from_guid = tool_vertex_guid(f, from);
	hot->to_guid = tool_vertex_guid(f, f->peer[ch]);
	hot->streams = (double)m->link[ch].streams / m->samples / m->rounds /
		       m->unit;
	hot->peak = (double)m->link[ch].peak / m->unit;
	return hot->from && hot->to && hot->text;
}

static bool find_hot(struct tool *t, const struct tool_case *c,
		     struct tool_pattern *p)
{
	uint32_t n = t->args.hottest;
	uint32_t *channel = calloc(n + 1, sizeof(*channel));
	bool ok;

	p->hot = calloc(n + 1, sizeof(*p->hot));
	ok = channel && p->hot;
	if (ok && n)
		p->nhot = weft_model_hottest(c->fabric, &p->model, n, channel);
	for (unsigned i = 0; i < p->nhot; i++)
		ok &= name_hot(c->fabric, &p->model, channel[i], &p->hot[i]);
	free(channel);
	return ok || tool_no_memory(t);
}

static bool run_one(struct tool *t, const struct tool_case *c,
		    struct tool_pattern *p)
{
	const struct tool_args *a = &t->args;
	struct weft_traffic *traffic;
	struct weft_mapping mapping;
	bool ok;

	if (!(p->request->is_file ? make_listed : make_named)(t, c, p, &mapping,
							      &traffic))
		return false;
	p->lids = lid_rules[a->lids];
	tool_phase(t, "%s on %s", p->request->label, c->label);
	ok = !weft_model_run(
		c->fabric, c->routes, &(struct weft_model_spec){
			.traffic = traffic, .mapping = &mapping,
			.lids = a->lids, .endpoints = a->endpoints,
			.links = a->hottest || a->links, .bins = a->bins,
			.samples = a->count, .seed = a->seed,
			.precision = p->request->precision,
			.precise = p->request->precise,
			.threads = a->threads, .crew = t->crew,
			.progress = tool_progress, .progress_context = t,
		}, &p->model, &t->diag);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	if (ok && !p->model.precise)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "%s: not as precise as asked for after %llu samples",
			      p->request->label,
			      (unsigned long long)p->model.samples);
	return ok && find_hot(t, c, p);
}

/* An interval no wider than if the errors of all parts were to add up. */
static void estimate_time(const struct tool_application *a,
			  struct tool_patterns *p, unsigned number)
{
	struct weft_communication part[TOOL_MAX_PARTS];
	double error = 0;

	for (unsigned k = 0; k < a->n; k++) {
		const struct tool_part *from = &a->part[k];
		const struct weft_statistic *s;

		part[k] = (struct weft_communication){ from->share,
						       from->bandwidth };
		if (from->bandwidth >= 0)
			continue;
		s = &p->pattern[from->request].model.measure[WEFT_UPPER];
		part[k].bandwidth = s->mean;
		error += from->share * s->ci99;
	}
	p->time[number] = weft_model_application_time(part, a->n);
	p->error[number] = error;
}

bool tool_patterns_run(struct tool *t, const struct tool_case *c,
		       const struct tool_requests *r,
		       struct tool_patterns *out)
{
	struct tool_patterns p = {
		.input = strdup(c->input), .label = strdup(c->label),
		.refused = c->refused ? strdup(c->refused) : NULL,
		.is_engine = c->engine, .switches = c->fabric->nsw,
		.hosts = t->args.hosts == TOOL_HOSTS_ALL ? c->fabric->nep :
							   c->fabric->nhosts,
		.links = c->fabric->nlinks,
		.pattern = calloc(r->n + 1, sizeof(*p.pattern)),
		.time = calloc(r->napplications + 1, sizeof(*p.time)),
		.error = calloc(r->napplications + 1, sizeof(*p.error)),
	};
	bool ok = p.input && p.label && p.pattern && p.time && p.error &&
		  !p.refused == !c->refused;

	if (!ok)
		tool_no_memory(t);
	for (; p.n < r->n && ok && !c->refused; p.n++) {
		p.pattern[p.n].request = &r->request[p.n];
		ok = run_one(t, c, &p.pattern[p.n]);
	}
	if (!ok) {
		tool_patterns_free(&p);
		return false;
	}
	for (unsigned i = 0; i < r->napplications && !c->refused; i++)
		estimate_time(&r->application[i], &p, i);
	*out = p;
	return true;
}

void tool_patterns_free(struct tool_patterns *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		struct tool_pattern *one = &p->pattern[i];

		for (unsigned k = 0; k < one->nhot; k++) {
			free(one->hot[k].from);
			free(one->hot[k].to);
			free(one->hot[k].text);
		}
		free(one->hot);
		weft_model_free(&one->model);
	}
	free(p->pattern);
	free(p->time);
	free(p->error);
	free(p->input);
	free(p->label);
	free(p->refused);
}

const char tool_basket_summary[] =
	"what tables are worth: bisect, uniform, shift, recursive-doubling, stencil and shifts of fragments, and their geometric mean; alone";

void tool_patterns_list_json(FILE *out)
{
	json_t *array = json_array();

	json_array_append_new(array,
			      tool_listed_json("basket", tool_basket_summary,
					       NULL));
	for (const struct weft_pattern *const *p = weft_patterns(); *p; p++)
		json_array_append_new(array, tool_listed_json(
			(*p)->name, (*p)->summary, (*p)->options));
	tool_json_print(out, json_pack("{s:o}", "patterns", array));
}

void tool_patterns_list(FILE *out)
{
	int used = fprintf(out, "%-19s ", "basket");

	tool_text_wrap(out, used, 20, tool_basket_summary);
	for (const struct weft_pattern *const *p = weft_patterns(); *p; p++) {
		used = fprintf(out, "%-19s ", (*p)->name);

		tool_text_wrap(out, used, 20, (*p)->summary);
		tool_options_list(out, (*p)->options);
	}
}
