// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the maximum concurrent flow as a linear program
 *
 * A variable for each goal and edge, what is sent to it there, and one for the
 * share; a row for each goal and switch, what comes out less what goes in is
 * what it sends, and one for each edge, all of it fits.  Clp solves it by the
 * simplex method.
 */
#include "config.h"

#include "tools/bound/bound.h"

#include <errno.h>

#ifdef HAVE_CLP
#include <Clp_C_Interface.h>
#include <stdlib.h>

#include "core/late.h"

#define LIBRARY "libClp.so.1"
#define CALLS(CALL)                                                            \
	CALL(Clp_deleteModel)                                                  \
	CALL(Clp_initialSolve)                                                 \
	CALL(Clp_loadProblem)                                                  \
	CALL(Clp_newModel)                                                     \
	CALL(Clp_objectiveValue)                                               \
	CALL(Clp_setLogLevel)                                                  \
	CALL(Clp_status)

static const char *const names[] = { CALLS(WEFT__LATE_NAME) };
static struct {
	CALLS(WEFT__LATE)
} clp;

struct program {
	const struct weft_bound_problem *of;
	int columns, rows, n;
	CoinBigIndex *start; /* [columns + 1] */
	int *row;	     /* [start[columns]] */
	double *value;
	double *low, *high, *worth; /* [columns] */
	double *row_low, *row_high; /* [rows] */
};

static void put(struct program *p, size_t row, double value)
{
	p->row[p->n] = row;
	p->value[p->n++] = value;
}

/* The column of an edge from s for a goal.  Nothing leaves the goal. */
static void put_edge(struct program *p, uint32_t g, uint32_t s, uint32_t e)
{
	const struct weft_bound_problem *of = p->of;
	size_t rows = (size_t)g * of->nsw, c = (size_t)g * of->nedges + e;

	p->start[c] = p->n;
	p->high[c] = s == of->goal[g] ? 0 : 1e30;
	if (s != of->goal[g])
		put(p, rows + s, 1);
	if (of->head[e] != of->goal[g])
		put(p, rows + of->head[e], -1);
	put(p, (size_t)of->ngoals * of->nsw + e, 1);
}

static void fill(struct program *p)
{
	const struct weft_bound_problem *of = p->of;
	size_t switches = (size_t)of->ngoals * of->nsw;
	int last = p->columns - 1;

	for (uint32_t g = 0; g < of->ngoals; g++)
		for (uint32_t s = 0; s < of->nsw; s++)
			for (uint32_t e = of->first[s]; e < of->first[s + 1];
			     e++)
				put_edge(p, g, s, e);
	p->start[last] = p->n;
	for (size_t i = 0; i < switches; i++)
		if (of->send[i] > 0)
			put(p, i, -of->send[i]);
	p->high[last] = of->most;
	p->worth[last] = -1;
	p->start[p->columns] = p->n;
	for (uint32_t e = 0; e < of->nedges; e++) {
		p->row_low[switches + e] = -1e30;
		p->row_high[switches + e] = of->capacity[e];
	}
}

static bool make_room(struct program *p)
{
	size_t edges = (size_t)p->of->ngoals * p->of->nedges;
	size_t switches = (size_t)p->of->ngoals * p->of->nsw;
	size_t n = 3 * edges + switches + 1;

	p->columns = edges + 1;
	p->rows = switches + p->of->nedges;
	p->start = malloc((p->columns + 1ull) * sizeof(*p->start));
	p->row = malloc(n * sizeof(*p->row));
	p->value = malloc(n * sizeof(*p->value));
	p->low = calloc(p->columns, sizeof(double));
	p->high = malloc(p->columns * sizeof(double));
	p->worth = calloc(p->columns, sizeof(double));
	p->row_low = calloc(p->rows + 1, sizeof(double));
	p->row_high = calloc(p->rows + 1, sizeof(double));
	return p->start && p->row && p->value && p->low && p->high &&
	       p->worth && p->row_low && p->row_high;
}

static void free_room(struct program *p)
{
	free(p->start);
	free(p->row);
	free(p->value);
	free(p->low);
	free(p->high);
	free(p->worth);
	free(p->row_low);
	free(p->row_high);
}

static int run(const struct program *p, double *share)
{
	Clp_Simplex *model = clp.Clp_newModel();
	int err = 0;

	if (!model)
		return -ENOMEM;
	clp.Clp_setLogLevel(model, 0);
	clp.Clp_loadProblem(model, p->columns, p->rows, p->start, p->row,
			    p->value, p->low, p->high, p->worth, p->row_low,
			    p->row_high);
	clp.Clp_initialSolve(model);
	/* there always is a solution: Clp gave up */
	if (clp.Clp_status(model))
		err = -ENOTSUP;
	else
		*share = -clp.Clp_objectiveValue(model);
	clp.Clp_deleteModel(model);
	return err;
}

int tool_bound_solve(void *context, const struct weft_bound_problem *problem,
		     double *share)
{
	struct program p = { .of = problem };
	int err = make_room(&p) ? 0 : -ENOMEM;

	(void)context;
	if (!err) {
		fill(&p);
		err = run(&p, share);
	}
	free_room(&p);
	return err;
}

bool tool_bound_can_solve(struct tool *t)
{
	if (weft__load_late(&clp, LIBRARY, names,
			    sizeof(names) / sizeof(*names)))
		return true;
	return !weft_fail(
		&t->diag, ENOTSUP,
		"--exact needs %s, which cannot be loaded: install Clp, or leave it out: flows are bounded from both sides",
		LIBRARY);
}
#else
int tool_bound_solve(void *context, const struct weft_bound_problem *problem,
		     double *share)
{
	(void)context;
	(void)problem;
	(void)share;
	return -ENOTSUP;
}

bool tool_bound_can_solve(struct tool *t)
{
	return !weft_fail(
		&t->diag, ENOTSUP,
		"this weft was built without Clp, which --exact needs: leave it out, flows are bounded from both sides, or build with coinor-libclp-dev installed");
}
#endif
