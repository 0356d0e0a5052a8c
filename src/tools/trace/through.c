// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft trace --through: who uses a cable or a switch. */
#include "tools/common/fold.h"
#include "tools/common/parts.h"
#include "tools/common/record.h"
#include "tools/trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINES 12 /* of a list, in text */

struct through {
	const struct tool_case *c;
	uint32_t part;
	const struct weft_through *x;
};

/* --- lists ---------------------------------------------------------------- */

/* What is told of one direction of a cable, or of a switch. */
struct side {
	uint64_t pairs;
	uint32_t *sender, nsenders; /* endports, ascending */
	uint32_t *receiver, nreceivers;
	uint32_t *lid, nlids; /* of the receivers, ascending */
	uint32_t nswitches;   /* LIDs of switches */
};

static void side_free(struct side *s)
{
	free(s->sender);
	free(s->receiver);
	free(s->lid);
}

/* Whether a LID belongs to a side: any does to that of a switch. */
static bool on_side(const struct through *r, const struct weft_through_lid *l,
		    unsigned direction)
{
	return r->part & WEFT_PART_SWITCH || l->direction == direction;
}

static void add_lid(const struct through *r, const struct weft_through_lid *l,
		    bool *sends, struct side *s)
{
	if (weft_is_switch(l->dest)) {
		s->nswitches++;
		return;
	}
	s->pairs += l->n;
	s->lid[s->nlids++] = l->lid;
	if (!s->nreceivers ||
	    s->receiver[s->nreceivers - 1] != (l->dest & ~WEFT_ENDPORT))
		s->receiver[s->nreceivers++] = l->dest & ~WEFT_ENDPORT;
	for (uint32_t i = l->first; i < l->first + l->n; i++)
		sends[r->x->source[i]] = true;
}

static bool make_side(const struct through *r, unsigned direction,
		      struct side *s)
{
	const struct weft_through *x = r->x;
	uint32_t nep = r->c->fabric->nep;
	bool *sends = calloc(nep + 1ull, sizeof(*sends));

	*s = (struct side){
		.sender = malloc((nep + 1ull) * sizeof(*s->sender)),
		.receiver = malloc((x->nlids + 1ull) * sizeof(*s->receiver)),
		.lid = malloc((x->nlids + 1ull) * sizeof(*s->lid)),
	};
	if (!sends || !s->sender || !s->receiver || !s->lid) {
		free(sends);
		return false;
	}
	for (uint32_t i = 0; i < x->nlids; i++)
		if (on_side(r, &x->lid[i], direction))
			add_lid(r, &x->lid[i], sends, s);
	for (uint32_t e = 0; e < nep; e++)
		if (sends[e])
			s->sender[s->nsenders++] = e;
	free(sends);
	return true;
}

/* --- text ----------------------------------------------------------------- */

static void print_list(const char *what, char *text, FILE *out)
{
	int used = fprintf(out, "  %s  ", what);

	if (text)
		tool_fold_print(out, used, 4, text, LINES);
	free(text);
}

static void print_side(const struct through *r, const char *title,
		       const struct side *s, FILE *out)
{
	const struct weft_fabric *f = r->c->fabric;

	tool_text_wrap(out, 0, 2, title);
	fprintf(out, "  %s of hosts: %s to %s of hosts\n",
		WEFT_COUNT(s->pairs, "pair"), WEFT_COUNT(s->nsenders, "sender"),
		WEFT_COUNT(s->nlids, "LID"));
	if (s->nswitches)
		fprintf(out, "  and from hosts to %s of switches\n",
			WEFT_COUNT(s->nswitches, "LID"));
	if (!s->pairs)
		return;
	print_list("from", tool_fold_hosts(f, s->sender, s->nsenders), out);
	print_list("to  ", tool_fold_hosts(f, s->receiver, s->nreceivers), out);
	print_list("LIDs", tool_fold_numbers(s->lid, s->nlids), out);
}

static const char *side_name(const struct through *r, unsigned direction,
			     char *buf, size_t size)
{
	if (r->part & WEFT_PART_SWITCH)
		return tool_part_text(r->c->fabric, r->part, buf, size);
	return tool_text_channel(r->c->fabric, r->x->channel[direction], buf,
				 size);
}

static unsigned count_sides(const struct through *r)
{
	return r->part & WEFT_PART_SWITCH ? 1 : 2;
}

static bool print_text(const struct through *r, FILE *out)
{
	char name[400];

	fprintf(out, "by    %s\n", r->c->label);
	for (unsigned d = 0; d < count_sides(r); d++) {
		struct side s;
		bool ok = make_side(r, d, &s);

		if (ok)
			print_side(r, side_name(r, d, name, sizeof(name)), &s,
				   out);
		side_free(&s);
		if (!ok)
			return false;
	}
	return true;
}

/* --- JSON and CSV --------------------------------------------------------- */

static json_t *lid_json(const struct through *r,
			const struct weft_through_lid *l)
{
	const struct weft_fabric *f = r->c->fabric;
	json_t *from = json_array();

	for (uint32_t i = l->first; i < l->first + l->n; i++)
		json_array_append_new(from,
				      json_integer(f->ep[r->x->source[i]].lid));
	return json_pack("{s:i, s:o, s:o}", "lid", (int)l->lid, "destination",
			 tool_json_node(f, l->dest), "from_lids", from);
}

static json_t *side_json(const struct through *r, unsigned direction)
{
	const struct weft_fabric *f = r->c->fabric;
	json_t *senders = json_array(), *lids = json_array();
	char name[400];
	struct side s;

	if (make_side(r, direction, &s))
		for (uint32_t i = 0; i < s.nsenders; i++)
			json_array_append_new(
				senders,
				tool_json_node(f, s.sender[i] | WEFT_ENDPORT));
	for (uint32_t i = 0; i < r->x->nlids; i++)
		if (on_side(r, &r->x->lid[i], direction))
			json_array_append_new(lids, lid_json(r, &r->x->lid[i]));
	side_free(&s);
	return json_pack(
		"{s:o, s:I, s:o, s:o}", "way",
		tool_json_string(side_name(r, direction, name, sizeof(name))),
		"pairs", (json_int_t)s.pairs, "senders", senders, "lids", lids);
}

static json_t *through_json(const struct through *r)
{
	json_t *sides = json_array();

	for (unsigned d = 0; d < count_sides(r); d++)
		json_array_append_new(sides, side_json(r, d));
	return tool_case_json(
		r->c->input, r->c->label, r->c->engine,
		json_pack("{s:o, s:I, s:o}", "through",
			  tool_part_json(r->c->fabric, r->part), "pairs",
			  (json_int_t)r->x->pairs, "ways", sides));
}

/* One who uses it. */
struct pair {
	struct tool_vertex source, dest;
	unsigned lid;
};

static const struct tool_field pair_fields[] = {
#define FIELD(...) TOOL_FIELD(struct pair, __VA_ARGS__)
	FIELD(source, VERTEX, "source"),
	FIELD(source.lid, COUNT, "source_lid"),
	FIELD(dest, VERTEX, "destination"),
	FIELD(lid, COUNT, "lid"),
	TOOL_FIELDS_END
#undef FIELD
};

static void print_csv(const struct through *r, bool header, FILE *out)
{
	const struct weft_fabric *f = r->c->fabric;

	tool_record_line(pair_fields, r->c, NULL, header, out);
	for (uint32_t i = 0; i < r->x->nlids; i++) {
		const struct weft_through_lid *l = &r->x->lid[i];

		for (uint32_t k = l->first; k < l->first + l->n; k++) {
			const struct pair pair = {
				tool_vertex(f, r->x->source[k] | WEFT_ENDPORT),
				tool_vertex(f, l->dest), l->lid
			};

			tool_record_line(pair_fields, r->c, &pair, false, out);
		}
	}
}

/* --- the case ------------------------------------------------------------- */

/* A part that is one: a host with several ports has several cables. */
static bool find_part(struct tool *t, const struct tool_case *c,
		      const char *text, uint32_t *part)
{
	struct tool_parts parts = { .part = NULL };
	uint32_t added;
	char why[256];
	bool ok = tool_parts_find(c->fabric, text, &parts, &added, why);

	if (ok && parts.n > 1)
		snprintf(why, sizeof(why),
			 "'%.100s' has several ports: write '%.100s:1' for the first",
			 text, text);
	ok = ok && parts.n == 1;
	if (ok)
		*part = parts.part[0];
	else
		weft_diag_say(&t->diag, WEFT_ERROR, "--through: %s", why);
	tool_parts_free(&parts);
	return ok;
}

bool tool_through_case(struct tool *t, const struct tool_case *c,
		       const char *text, bool first, json_t *json, FILE *out)
{
	struct weft_through x;
	struct through r = { .c = c, .x = &x };
	bool ok = true;

	if (!find_part(t, c, text, &r.part))
		return false;
	tool_phase(t, "routes through %.40s", text);
	if (weft_through_find(c->fabric, c->routes, r.part,
			      t->args.hosts == TOOL_HOSTS_ALL, &x))
		return tool_no_memory(t);
	tool_phase_end(t);
	if (t->args.json)
		json_array_append_new(json, through_json(&r));
	else if (t->args.csv)
		print_csv(&r, first, out);
	else
		ok = print_text(&r, out) || tool_no_memory(t);
	weft_through_free(&x);
	return ok;
}
