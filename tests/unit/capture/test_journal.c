// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The journal of a capture: what was added is found again, however it ended. */
#include "../io/io_tables_util.h"

#include "capture/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ANSWERS 300

static struct weft__journal_key key_of(unsigned i)
{
	return (struct weft__journal_key){
		.guid = i * 7919 % 100, .modifier = i, .kind = i % 3,
		.size = (uint16_t)(8 << i % 4),
	};
}

static void data_of(unsigned i, uint8_t data[64])
{
	for (unsigned b = 0; b < 64; b++)
		data[b] = (uint8_t)(i + b);
}

static struct weft__journal *opened(const char *path, bool fresh,
				    struct heard *heard)
{
	struct weft__journal *j = NULL;

	heard_init(heard);
	ASSERT_EQ(weft__journal_open(path, fresh, &j, &heard->diag), 0);
	return j;
}

/* Adds answers first to end - 1, all of which are missing. */
static void add(struct weft__journal *j, unsigned first, unsigned end)
{
	uint8_t data[64];

	for (unsigned i = first; i < end; i++) {
		struct weft__journal_key key = key_of(i);

		ASSERT(!weft__journal_find(j, &key));
		data_of(i, data);
		ASSERT_EQ(weft__journal_add(j, &key, data, NULL), 0);
	}
}

/* Fails unless it has answers 0 to n - 1 and no others. */
static void expect(const struct weft__journal *j, unsigned n)
{
	uint8_t data[64];

	ASSERT_EQ(weft__journal_count(j), n);
	for (unsigned i = 0; i < ANSWERS; i++) {
		struct weft__journal_key key = key_of(i);
		const uint8_t *got = weft__journal_find(j, &key);

		data_of(i, data);
		ASSERT((i < n) == (got != NULL));
		if (got)
			ASSERT_MEM(got, data, key.size);
		key.size++;
		ASSERT(!weft__journal_find(j, &key));
	}
}

TEST(goes_on)
{
	const char *path = file_with("", 0);
	struct heard heard;
	struct weft__journal *j = opened(path, false, &heard);

	add(j, 0, 100);
	weft__journal_close(j);
	j = opened(path, false, &heard);
	expect(j, 100);
	add(j, 100, 200);
	weft__journal_close(j);
	j = opened(path, false, &heard);
	expect(j, 200);
	weft__journal_close(j);
	j = opened(path, true, &heard);
	expect(j, 0);
	weft__journal_close(j);
	assert_heard_count(&heard, 0, 0);
}

/* Wherever it is cut, what is whole before is there, and it can go on. */
TEST(cut)
{
	const char *path = file_with("", 0);
	struct heard heard;
	struct weft__journal *j = opened(path, false, &heard);
	size_t size;
	char *text;

	add(j, 0, 4);
	weft__journal_close(j);
	text = file_content(path, &size);
	for (size_t at = 15; at <= size; at++) {
		unsigned n;

		file_with(text, at);
		j = opened(path, false, &heard);
		n = (unsigned)weft__journal_count(j);
		ASSERT(n < 4 || at == size);
		expect(j, n);
		add(j, n, 6);
		weft__journal_close(j);
		j = opened(path, false, &heard);
		expect(j, 6);
		weft__journal_close(j);
	}
	/* a byte that changed: nothing behind it is believed */
	text[20] ^= 1;
	file_with(text, size);
	j = opened(path, false, &heard);
	expect(j, 0);
	weft__journal_close(j);
	free(text);
}

TEST(foreign)
{
	const char *path = file_with("something else\n", 15);
	struct heard heard;
	struct weft__journal *j = opened(path, false, &heard);

	assert_heard(&heard, WEFT_WARNING, 0, "all is asked anew");
	add(j, 0, 3);
	weft__journal_close(j);
	j = opened(path, false, &heard);
	expect(j, 3);
	weft__journal_close(j);
	heard_init(&heard);
	ASSERT(weft__journal_open("/nowhere/at/all", false, &j, &heard.diag) <
	       0);
	assert_heard(&heard, WEFT_ERROR, 0, "cannot keep answers there");
}

/* Kinds of answers of one node are told apart. */
TEST(kinds)
{
	const char *path = file_with("", 0);
	struct heard heard;
	struct weft__journal *j = opened(path, false, &heard);
	struct weft__journal_key key = { .guid = 5, .modifier = 7, .size = 8 };
	uint8_t data[64];

	for (unsigned i = 0; i < 3; i++) {
		key.kind = i;
		data_of(10 * i, data);
		ASSERT_EQ(weft__journal_add(j, &key, data, NULL), 0);
	}
	weft__journal_close(j);
	j = opened(path, false, &heard);
	for (unsigned i = 0; i < 3; i++) {
		key.kind = i;
		data_of(10 * i, data);
		ASSERT(weft__journal_find(j, &key));
		ASSERT_MEM(weft__journal_find(j, &key), data, 8);
	}
	key.kind = 3;
	ASSERT(!weft__journal_find(j, &key));
	weft__journal_close(j);
}

/* More at once than are kept before they are written. */
TEST(many)
{
	const char *path = file_with("", 0);
	struct heard heard;
	struct weft__journal *j = opened(path, false, &heard);
	struct weft__journal_key key = { .size = 64 };
	uint8_t data[64];

	for (unsigned i = 0; i < 5000; i++) {
		key.modifier = i;
		data_of(i, data);
		ASSERT_EQ(weft__journal_add(j, &key, data, NULL), 0);
	}
	weft__journal_close(j);
	j = opened(path, false, &heard);
	ASSERT_EQ(weft__journal_count(j), 5000);
	for (unsigned i = 0; i < 5000; i++) {
		key.modifier = i;
		data_of(i, data);
		ASSERT(weft__journal_find(j, &key));
		ASSERT_MEM(weft__journal_find(j, &key), data, 64);
	}
	weft__journal_close(j);
}

/* A file that cannot grow is told, with its name. */
TEST(full)
{
	const char *path = file_with("", 0);
	struct heard heard;
	struct weft__journal *j = opened(path, false, &heard);
	struct weft__journal_key key = { .size = 64 };
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
	struct rlimit was, small;
	uint8_t data[64] = { 0 };
	int err = 0;

	ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = was;
	small.rlim_cur = 1000;
	ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
	/* as many as are surely more than are kept before they are written */
	for (unsigned i = 0; i < 5000 && !err; i++) {
		key.modifier = i;
		err = weft__journal_add(j, &key, data, &heard.diag);
	}
	weft__journal_close(j);
	ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, before);
	EXPECT_EQ(err, -EFBIG);
	assert_heard(&heard, WEFT_ERROR, 0, "cannot write: File too large");
	/* what came before is there */
	j = opened(path, false, &heard);
	ASSERT_EQ(weft__journal_count(j), (1000 - 15) / (16 + 64 + 4));
	weft__journal_close(j);
}

/* How old answers are is told by when the last one came; what is dropped is
 * said. */
TEST(age)
{
	const char *path = file_with("", 0);
	struct timespec when[2] = { { 0 }, { 0 } };
	struct heard heard;
	struct weft__journal *j = opened(path, false, &heard);
	size_t size;

	add(j, 0, 4);
	ASSERT(weft__journal_age(j) < 60);
	weft__journal_close(j);
	free(file_content(path, &size));
	ASSERT_EQ(truncate(path, (off_t)size - 1), 0);
	when[0].tv_sec = when[1].tv_sec = time(NULL) - 1000;
	ASSERT_EQ(utimensat(AT_FDCWD, path, when, 0), 0);
	j = opened(path, false, &heard);
	ASSERT_WITHIN((long long)weft__journal_age(j), 1000, 1060);
	assert_heard(&heard, WEFT_NOTE, 0, "its end is cut");
	weft__journal_close(j);
}
