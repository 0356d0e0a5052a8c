// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The two sides that weft diff compares: two inputs with tables of their own;
 * or one input with two of its own tables, those of -t and those of -e; or two
 * inputs with a -t or -e for each, or one -e for both.
 */
#include "tools/common/engines.h"
#include "tools/diff/diff.h"

#include <stdlib.h>
#include <string.h>

struct sides {
	struct tool *t;
	struct tool_side *side;
	unsigned ninputs, nsets;	/* of which at most two each */
	const struct tool_engine *engine;	/* the next one to be taken */
	unsigned table;		/* likewise */
};

/* Takes the next -t of the side's fabric. */
static bool take_table(struct sides *s, struct tool_side *side)
{
	struct tool *t = s->t;
	const char *path = t->args.table.item[s->table];

	tool_phase(t, "reading %s", path);
	if (weft_io_read_lmc(path, side->input->fabric, &side->told, &t->diag))
		return false;
	side->c.label = path;
	side->c.fabric = side->told ? side->told : side->input->fabric;
	side->c.routes = &side->own_routes;
	side->c.sources = &side->own_sources;
	return tool_tables_read(t, &s->table, side->c.fabric,
				&side->own_routes, &side->own_sources);
}

static bool take_engine(struct sides *s, struct tool_side *side,
			const struct tool_engine *e)
{
	struct tool *t = s->t;

	if (!tool_assign_lids(t, side->c.input, side->input->fabric,
			      &side->told))
		return false;
	side->label = strdup(e->label);
	if (!side->label)
		return tool_no_memory(t);
	side->c.label = side->c.engine = side->label;
	side->c.fabric = side->told ? side->told : side->input->fabric;
	side->c.routes = &side->own_routes;
	return tool_route(t, e, side->c.fabric, &side->own_routes,
			  &side->c.seconds);
}

static bool take_own(struct sides *s, struct tool_side *side)
{
	side->c.label = side->c.input;
	side->c.fabric = side->input->fabric;
	side->c.routes = &side->input->routes;
	side->c.sources = &side->input->sources;
	if (side->input->sources.ntables)
		return true;
	tool_usage(s->t,
		   "%s holds no forwarding tables: give some with -t, or an engine with -e",
		   side->c.input);
	return false;
}

/* Takes the next set of tables, or has the next engine route. */
static bool take_next(struct sides *s, struct tool_side *side)
{
	if (s->table < s->t->args.table.n)
		return take_table(s, side);
	return take_engine(s, side, s->engine++);
}

static bool open_input(struct sides *s, const char *name,
		       struct tool_side *side)
{
	bool own = s->nsets == 0 || (s->nsets == 1 && s->ninputs == 1);

	tool_phase(s->t, "reading %s", name);
	if (!tool_input_open(s->t, name, !own, &side->own_input))
		return false;
	side->input = &side->own_input;
	side->c.input = name;
	side->c.topology = side->own_input.sources.file[WEFT_FILE_TOPOLOGY];
	return true;
}

/* Two inputs. */
static bool take_each(struct sides *s)
{
	struct tool_side *a = &s->side[0], *b = &s->side[1];

	if (!s->nsets)
		return take_own(s, a) && take_own(s, b);
	if (s->nsets == 2)
		return take_next(s, a) && take_next(s, b);
	if (s->engine->engine)
		return take_engine(s, a, s->engine) &&
			take_engine(s, b, s->engine);
	tool_usage(s->t,
		   "two inputs go with tables of their own, with a -t or -e for each, or with one -e for both");
	return false;
}

/* One input: its own tables come first if only one other set is given. */
static bool take_two(struct sides *s)
{
	struct tool_side *a = &s->side[0], *b = &s->side[1];

	b->input = a->input;
	b->c.input = a->c.input;
	b->c.topology = a->c.topology;
	if (s->nsets)
		return (s->nsets == 1 ? take_own(s, a) : take_next(s, a)) &&
			take_next(s, b);
	tool_usage(s->t,
		   "what is %s to be compared with? Give a second input, tables with -t, or an engine with -e",
		   a->c.input);
	return false;
}

static bool take(struct sides *s)
{
	const struct tool_list *input = &s->t->args.input;
	unsigned tables;

	if (!tool_tables_count(s->t, &tables))
		return false;
	s->ninputs = input->n;
	s->nsets = tables + s->t->args.engine.n;
	if (s->ninputs > 2 || s->nsets > 2) {
		tool_usage(s->t,
			   "two sets of tables are compared at a time, not %u",
			   s->ninputs > 2 ? s->ninputs : s->nsets);
		return false;
	}
	if (!open_input(s, input->item[0], &s->side[0]))
		return false;
	if (s->ninputs == 1)
		return take_two(s);
	return open_input(s, input->item[1], &s->side[1]) && take_each(s);
}

bool tool_sides_open(struct tool *t, struct tool_side side[2])
{
	struct tool_engine *engine = tool_engines_parse(t);
	struct sides s = { .t = t, .side = side, .engine = engine };
	bool ok = engine && take(&s);

	tool_engines_free(engine);
	return ok;
}

void tool_sides_close(struct tool_side side[2])
{
	for (unsigned i = 0; i < 2; i++) {
		tool_figures_free(&side[i].figures);
		free(side[i].label);
		weft_routes_free(&side[i].own_routes);
		weft_sources_free(&side[i].own_sources);
		weft_fabric_free(side[i].told);
		weft_input_close(&side[i].own_input);
	}
}
