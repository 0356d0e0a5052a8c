// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --mpi: processes that share the samples of a run. */
#include "config.h"
#include "tool.h"

#include <errno.h>
#include <limits.h>

#ifdef HAVE_MPI
#include <mpi.h>

static int gather(void *context, double *all, uint64_t n)
{
	(void)context;
	if (n > INT_MAX)
		return -EFBIG;
	return MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, n,
			     MPI_DOUBLE, MPI_COMM_WORLD) ? -EIO : 0;
}

static int reduce(void *context, uint64_t *value, uint64_t n, bool largest)
{
	(void)context;
	if (n > INT_MAX)
		return -EFBIG;
	return MPI_Allreduce(MPI_IN_PLACE, value, n, MPI_UINT64_T,
			     largest ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD) ?
		-EIO : 0;
}

bool tool_crew_start(struct tool *t)
{
	struct tool_args *a = &t->args;
	int rank, size;

	if (MPI_Init(NULL, NULL) || MPI_Comm_rank(MPI_COMM_WORLD, &rank) ||
	    MPI_Comm_size(MPI_COMM_WORLD, &size)) {
		weft_diag_say(&t->diag, WEFT_ERROR, "MPI does not start");
		return false;
	}
	t->crew = (struct weft_crew){ .rank = rank, .size = size,
				      .gather = gather, .reduce = reduce };
	if (!rank)
		return true;
	/* all have the same results, one of them tells */
	a->output = "/dev/null";
	a->histogram = a->histogram ? a->output : NULL;
	a->links = a->links ? a->output : NULL;
	a->quiet = true;
	tool_talk_options(t);
	return true;
}

void tool_crew_stop(struct tool *t, enum tool_status status)
{
	if (!t->crew.size)
		return;
	/* the others may be waiting for this one */
	if (status == TOOL_FAILED && t->crew.size > 1)
		MPI_Abort(MPI_COMM_WORLD, status);
	MPI_Finalize();
}

#else

bool tool_crew_start(struct tool *t)
{
	tool_usage(t, "--mpi: this weft was built without MPI "
		   "(configure --with-mpi)");
	return false;
}

void tool_crew_stop(struct tool *t, enum tool_status status)
{
	(void)t;
	(void)status;
}
#endif
