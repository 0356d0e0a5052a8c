// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft diff: what is different, and is it safe to go from one to the other? */
#include "tools/diff/diff.h"

#include <string.h>

enum { TRANSITION_ORDER, TRANSITION_WRITES, TRANSITION_NO };

struct own {
	int64_t transition;	/* one of these */
	int64_t examples;
	const char *order;
};

/* Compares the fabrics, tables and routes. */
static bool compare(struct tool *t, struct tool_diff *d)
{
	const struct tool_case *a = &d->side[0].c, *b = &d->side[1].c;
	const struct weft_diff_side from = { a->fabric, a->routes };
	const struct weft_diff_side to = { b->fabric, b->routes };

	tool_phase(t, "comparing");
	if (weft_diff_run(&from, &to, &d->found, &t->diag) ||
	    weft_against_run(a->fabric, b->fabric, false, &d->fabric,
			     &t->diag))
		return false;
	d->same = weft_diff_same(&d->found) && !d->fabric.n;
	return true;
}

static bool make_figures(struct tool *t, struct tool_diff *d)
{
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.minimal = true, .loads = true, .credit_loops = true,
	};

	for (unsigned i = 0; i < 2; i++)
		if (!tool_figures_make(t, &d->side[i].c, &spec, t->args.count,
				       &d->side[i].figures))
			return false;
	return true;
}

/* Looks at the way from one to the other, on the fabric as it is in the
 * end. */
static bool make_transition(struct tool *t, struct tool_diff *d)
{
	const struct own *own = t->own;
	const struct tool_case *a = &d->side[0].c, *b = &d->side[1].c;
	const struct weft_transition_spec spec = {
		.search = own->transition == TRANSITION_ORDER,
	};
	const struct weft_diff_side from = { a->fabric, a->routes };
	const struct weft_routes *before = a->routes;
	struct weft_routes carried = { .lid_offset = NULL };
	bool ok;

	if (own->transition == TRANSITION_NO)
		return true;
	tool_phase(t, "looking at the way from one to the other");
	if (a->fabric != b->fabric) {
		if (weft_routes_carry(&from, b->fabric, &carried))
			return tool_no_memory(t);
		before = &carried;
	}
	ok = !weft_transition_run(b->fabric, before, b->routes, &spec,
				  &d->transition, &t->diag);
	weft_routes_free(&carried);
	d->has_transition = ok;
	return ok;
}

/* Writes the safe order if there is one. */
static bool write_order(struct tool *t, const struct tool_diff *d)
{
	const struct own *own = t->own;
	FILE *out;

	if (!own->order)
		return true;
	if (d->transition.verdict != WEFT_ORDER_FOUND &&
	    d->transition.verdict != WEFT_ORDER_ANY) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "no safe order was found: %s is not written",
			      own->order);
		return false;
	}
	out = tool_output_open(t, own->order);
	if (out)
		tool_diff_order(d, out);
	return out;
}

static bool report(struct tool *t, struct tool_diff *d)
{
	const struct own *own = t->own;
	FILE *out = tool_output_open(t, t->args.output);

	if (!out)
		return false;
	if (t->args.csv) {
		tool_diff_csv(d, out);
		return true;
	}
	if (!make_figures(t, d) || !make_transition(t, d))
		return false;
	tool_phase_end(t);
	if (t->args.json)
		tool_diff_json(d, own->examples, out);
	else
		tool_diff_print(d, own->examples, out);
	return write_order(t, d);
}

static bool check_options(struct tool *t)
{
	const struct own *own = t->own;

	if (own->order && (own->transition != TRANSITION_ORDER ||
			   t->args.csv)) {
		tool_usage(t,
			   "--order needs the search for an order: leave out %s",
			   t->args.csv ? "--csv" : "--transition");
		return false;
	}
	return true;
}

static enum tool_status diff_run(struct tool *t)
{
	struct tool_diff d = { .same = false };
	bool ok;

	tool_output_by_name(t);
	ok = tool_cases_inputs(t) && check_options(t) &&
		tool_sides_open(t, d.side) && compare(t, &d) &&
		report(t, &d);
	tool_phase_end(t);
	weft_transition_free(&d.transition);
	weft_against_free(&d.fabric);
	weft_diff_free(&d.found);
	tool_sides_close(d.side);
	return !ok ? TOOL_FAILED : d.same ? TOOL_FINE : TOOL_FOUND;
}

static const struct tool_option diff_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OWN(TOOL_NUMBER, struct own, examples, "top", 0, "N",
		 "how many switches, LIDs and parts to show of each kind",
		 .preset = 5, .max = 1000000),
	TOOL_OPT(TOOL_NUMBER, count, "bisections", 'n', "N",
		 "random bisections for the bandwidth, 0 = none",
		 .preset = 100, .max = 1000000000),
	TOOL_OWN(TOOL_CHOICE, struct own, transition, "transition", 0,
		 "order|writes|no",
		 "what is asked of the way from A to B: a safe order of switches, only what happens as OpenSM writes, or nothing",
		 .choices = "order|writes|no"),
	TOOL_OWN(TOOL_TEXT, struct own, order, "order", 0, "FILE",
		 "write the safe order of switches to FILE"),
	TOOL_OPT_HOSTS,
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_diff = {
	.name = "diff",
	.summary = "compare two sets of tables and judge the change",
	.usage = "[OPTION]... A B\n"
		 "       weft diff [OPTION]... FABRIC {-t TABLES|-e ENGINE}...",
	.about = "Compares two sets of tables, A as they are and B as they will be: what a subnet manager has to send, whose routes change, what is gained and lost; "
		 "and whether packets are lost or wait for each other in a circle while the tables are written. A and B are dump directories; "
		 "or one fabric with two sets of tables given by -t and -e, or one set to be compared with its own. Exit status 1: something differs.",
	.options = diff_options,
	.own_size = sizeof(struct own),
	.run = diff_run,
};
