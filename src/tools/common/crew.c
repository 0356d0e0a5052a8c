// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --mpi: processes that share the samples of a run, or runs. */
#include "config.h"
#include "tools/common/tool.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

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

/* Waits without taking the processor from the threads of this process, which
 * mpirun may have bound to the same one. */
static int wait_for(MPI_Request *request)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	int done = 0;

	while (!MPI_Test(request, &done, MPI_STATUS_IGNORE)) {
		if (done)
			return 0;
		nanosleep(&pause, NULL);
	}
	return -EIO;
}

/* Sends or receives bytes, of which a message of MPI takes INT_MAX. */
static int move(bool send, unsigned peer, void *bytes, size_t n)
{
	char *at = bytes;
	int err = 0;

	while (n && !err) {
		int part = n < INT_MAX ? n : INT_MAX;
		MPI_Request request;

		err = send ? MPI_Isend(at, part, MPI_BYTE, peer, 0,
				       MPI_COMM_WORLD, &request) :
			     MPI_Irecv(at, part, MPI_BYTE, peer, 0,
				       MPI_COMM_WORLD, &request);
		err = err ? -EIO : wait_for(&request);
		at += part;
		n -= part;
	}
	return err;
}

int tool_crew_send(unsigned to, const void *bytes, size_t n)
{
	uint64_t size = n;
	int err = move(true, to, &size, sizeof(size));

	return err ? err : move(true, to, (void *)bytes, n);
}

int tool_crew_receive(unsigned from, void **bytes, size_t *n)
{
	uint64_t size;
	int err = move(false, from, &size, sizeof(size));
	void *to;

	if (err)
		return err;
	to = malloc(size + 1);
	if (!to)
		return -ENOMEM;
	err = move(false, from, to, size);
	if (err) {
		free(to);
		return err;
	}
	*bytes = to;
	*n = size;
	return 0;
}

bool tool_crew_start(struct tool *t)
{
	struct tool_args *a = &t->args;
	int rank, size, provided;

	/* The main thread alone calls MPI. */
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) ||
	    MPI_Comm_rank(MPI_COMM_WORLD, &rank) ||
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

enum tool_status tool_crew_stop(struct tool *t, enum tool_status status)
{
	if (!t->crew.size)
		return status;
	/* Nothing may come after this: MPI_Abort() does not return, and after
	 * Ctrl-C MPI_Finalize() takes longer than mpirun waits for it. */
	if (!tool_output_close(t, status != TOOL_FAILED))
		status = TOOL_FAILED;
	/* The others may be waiting for this one, which does not come back. */
	if (status == TOOL_FAILED && t->crew.size > 1)
		MPI_Abort(MPI_COMM_WORLD, status);
	MPI_Finalize();
	return status;
}

#else

int tool_crew_send(unsigned to, const void *bytes, size_t n)
{
	(void)to;
	(void)bytes;
	(void)n;
	return -ENOTSUP;
}

int tool_crew_receive(unsigned from, void **bytes, size_t *n)
{
	(void)from;
	(void)bytes;
	(void)n;
	return -ENOTSUP;
}

bool tool_crew_start(struct tool *t)
{
	tool_usage(t,
		   "--mpi: this weft was built without MPI (configure --with-mpi)");
	return false;
}

enum tool_status tool_crew_stop(struct tool *t, enum tool_status status)
{
	(void)t;
	return status;
}
#endif
