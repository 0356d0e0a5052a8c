// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What sweeps hand over is written while they go on, however slow the disk is. */
#include "../suite.h"

#include "plugins/files/osm_writing.h"

#include <semaphore.h>
#include <stdlib.h>

#define JOBS 20
#define TOO_MANY 1000

struct job {
	struct weft__writing_job job;
	unsigned number;
};

static struct weft__writing w;
static sem_t begun, disk;	/* a job is stuck; it may go on */
static unsigned written[TOO_MANY], nwritten, ndropped;

static void write_slowly(struct weft__writing_job *job)
{
	(void)job;
	sem_post(&begun);
	sem_wait(&disk);
}

static void write_number(struct weft__writing_job *job)
{
	written[nwritten++] = ((struct job *)job)->number;
}

static void drop(struct weft__writing_job *job)
{
	ndropped++;
	free(job);
}

static bool put(void (*write)(struct weft__writing_job *), unsigned number,
		bool replaces)
{
	struct job *job = calloc(1, sizeof(*job));

	ASSERT(job);
	*job = (struct job){
		{ .replaces = replaces, .write = write, .drop = drop }, number,
	};
	return weft__writing_put(&w, &job->job);
}

/* The thread is stuck from then on. */
static void begin(void)
{
	nwritten = ndropped = 0;
	weft__writing_init(&w);
	ASSERT_EQ(sem_init(&begun, 0, 0), 0);
	ASSERT_EQ(sem_init(&disk, 0, 0), 0);
	ASSERT(put(write_slowly, 0, false));
	sem_wait(&begun);
}

/* Nobody waits, and all is written in its order. */
TEST(test_order)
{
	begin();
	for (unsigned i = 0; i < JOBS; i++)
		ASSERT(put(write_number, i, false));
	EXPECT_EQ(nwritten, 0);
	sem_post(&disk);
	weft__writing_wait(&w);
	ASSERT_EQ(nwritten, JOBS);
	for (unsigned i = 0; i < JOBS; i++)
		EXPECT_EQ(written[i], i);
	EXPECT_EQ(ndropped, JOBS + 1);
	weft__writing_free(&w);
}

/* Of those that replace each other the last one is written, and what waits is
 * when all ends. */
TEST(test_replaced)
{
	begin();
	for (unsigned i = 0; i < JOBS; i++)
		ASSERT(put(write_number, i, true));
	EXPECT_EQ(ndropped, JOBS - 1);
	sem_post(&disk);
	weft__writing_free(&w);
	ASSERT_EQ(nwritten, 1);
	EXPECT_EQ(written[0], JOBS - 1);
	EXPECT_EQ(ndropped, JOBS + 1);
}

/* A disk that does not come back takes no more memory. */
TEST(test_too_many)
{
	unsigned taken = 0;

	begin();
	for (unsigned i = 0; i < TOO_MANY; i++)
		taken += put(write_number, i, false);
	EXPECT(taken < TOO_MANY);
	EXPECT_EQ(ndropped, TOO_MANY - taken);
	sem_post(&disk);
	weft__writing_free(&w);
	EXPECT_EQ(nwritten, taken);
	EXPECT_EQ(ndropped, TOO_MANY + 1);
}
