// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft subnets check: what is lost when something fails. */
#include "tools/subnets/subnets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 3

bool tool_subnets_without(struct tool *t, struct tool_subnets *x,
			  const struct tool_list *names)
{
	bool *down = calloc(x->s->nrouters + 1ull, sizeof(*down));
	bool ok = down || tool_no_memory(t);

	for (unsigned i = 0; ok && i < names->n; i++) {
		uint32_t r = 0;

		while (r < x->s->nrouters &&
		       strcmp(x->s->router[r].name, names->item[i]))
			r++;
		ok = r < x->s->nrouters;
		if (ok)
			down[r] = true;
		else
			weft_diag_say(&t->diag, WEFT_ERROR,
				      "--without=%s: no router has that name",
				      names->item[i]);
	}
	if (ok && names->n && weft_router_map_lose(x->s, down, &x->map))
		ok = tool_no_memory(t);
	free(down);
	return ok;
}

/* --- what cannot be lost -------------------------------------------------- */

bool tool_subnets_faults(struct tool *t, const struct tool_subnets *x,
			 struct tool_subnets_faults *out)
{
	struct tool_subnets_faults f = {
		.loss = calloc(x->s->nrouters + 1ull, sizeof(*f.loss)),
	};

	if (!f.loss || weft__cuts_find(x->whole.fabric, true, &f.cuts) ||
	    weft_router_losses(x->s, &x->map, f.loss)) {
		tool_subnets_faults_free(&f);
		return tool_no_memory(t);
	}
	for (uint32_t r = 0; r < x->s->nrouters; r++) {
		if (f.loss[r].moved &&
		    (!f.loss[f.worst].moved ||
		     f.loss[r].pairs > f.loss[f.worst].pairs ||
		     (f.loss[r].pairs == f.loss[f.worst].pairs &&
		      f.loss[r].most > f.loss[f.worst].most)))
			f.worst = r;
		f.critical += f.loss[r].pairs != 0;
	}
	*out = f;
	return true;
}

void tool_subnets_faults_free(struct tool_subnets_faults *f)
{
	weft__cuts_free(&f->cuts);
	free(f->loss);
}

static void print_cuts(const struct tool_subnets *x,
		       const struct tool_subnets_faults *f, FILE *out)
{
	const struct weft_fabric *w = x->whole.fabric;
	char name[96], text[256];

	fprintf(out, "  cannot be lost          %s routers and switches, %s\n",
		WEFT_COUNT(f->cuts.nsw, NULL),
		WEFT_COUNT(f->cuts.ncables, "cable"));
	for (uint32_t i = 0; i < f->cuts.nsw && i < SHOWN; i++)
		fprintf(out, "    %s: %s cut off\n",
			weft_diag_printable(name, sizeof(name),
					    w->sw[f->cuts.sw[i].id].name),
			WEFT_COUNT(f->cuts.sw[i].hosts, "host"));
	for (uint32_t i = 0; i < f->cuts.ncables && i < SHOWN; i++)
		fprintf(out, "    %s: %s cut off\n",
			tool_text_channel(w, f->cuts.cable[i].id, text,
					  sizeof(text)),
			WEFT_COUNT(f->cuts.cable[i].hosts, "host"));
}

void tool_subnets_faults_print(const struct tool_subnets *x,
			       const struct tool_subnets_faults *f, FILE *out)
{
	const struct weft_router_loss *worst = &f->loss[f->worst];
	char name[96];

	print_cuts(x, f, out);
	/* loss[] has one entry more than there are routers. */
	if (!x->map.via || !worst->moved)
		return;
	weft_diag_printable(name, sizeof(name),
			    x->s->router[worst->router].name);
	if (f->critical)
		fprintf(out,
			"  without %s there is no way for %s of hosts;\n    %s like that\n",
			name, WEFT_COUNT(worst->pairs, "pair"),
			WEFT_COUNT(f->critical, "router is"));
	else
		fprintf(out,
			"  without any one router  all pairs have a way; without %s a router port\n"
			"    has %s elsewhere to carry\n",
			name, WEFT_COUNT(worst->most, "host"));
}

json_t *tool_subnets_faults_json(const struct tool_subnets *x,
				 const struct tool_subnets_faults *f)
{
	json_t *losses = json_array(), *cuts = json_array();
	const struct weft_fabric *w = x->whole.fabric;

	for (uint32_t r = 0; x->map.via && r < x->s->nrouters; r++)
		json_array_append_new(
			losses,
			json_pack("{s:o, s:I, s:I, s:i}", "router",
				  tool_json_string(x->s->router[r].name),
				  "pairs", (json_int_t)f->loss[r].pairs,
				  "moved", (json_int_t)f->loss[r].moved,
				  "most_on_port", (int)f->loss[r].most));
	for (uint32_t i = 0; i < f->cuts.nsw; i++)
		json_array_append_new(
			cuts,
			json_pack("{s:o, s:i}", "node",
				  tool_json_vertex(w, f->cuts.sw[i].id, 0),
				  "hosts", (int)f->cuts.sw[i].hosts));
	return json_pack("{s:o, s:o, s:i}", "routers", losses, "nodes", cuts,
			 "cables", (int)f->cuts.ncables);
}
