// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layout, of one machine for the same one: a magic number, then records of a
 * key, its data and a check sum.  A program that is killed leaves a last record
 * that is cut, which is found and dropped.
 */
#include "capture/journal.h"

#include <weft/diag.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "weft-capture 1\n"
#define MAGIC_SIZE (sizeof(MAGIC) - 1)
#define BUFFER ((size_t)64 << 10)
#define DATA_MAX 256

struct weft__journal {
	char *path;
	int fd;
	uint8_t *text; /* what was there */
	size_t size;
	const uint8_t **record; /* [n], by key */
	size_t n;
	double age;
	uint8_t buffer[BUFFER];
	size_t used;
	time_t flushed;
};

static uint32_t sum_of(const uint8_t *p, size_t n)
{
	uint32_t sum = 2166136261u; /* FNV-1a */

	while (n--)
		sum = (sum ^ *p++) * 16777619u;
	return sum;
}

static int compare_keys(const struct weft__journal_key *a,
			const struct weft__journal_key *b)
{
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->modifier != b->modifier)
		return a->modifier < b->modifier ? -1 : 1;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	struct weft__journal_key x, y;

	memcpy(&x, *(const uint8_t *const *)a, sizeof(x));
	memcpy(&y, *(const uint8_t *const *)b, sizeof(y));
	return compare_keys(&x, &y);
}

/* Bytes of the record at p, 0 if it is cut or damaged. */
static size_t record_size(const uint8_t *p, size_t left)
{
	struct weft__journal_key key;
	size_t size;
	uint32_t sum;

	if (left < sizeof(key))
		return 0;
	memcpy(&key, p, sizeof(key));
	size = sizeof(key) + key.size;
	if (key.size > DATA_MAX || left < size + sizeof(sum))
		return 0;
	memcpy(&sum, p + size, sizeof(sum));
	return sum == sum_of(p, size) ? size + sizeof(sum) : 0;
}

/* Finds the records; *end is where the last whole one ends. */
static int index_records(struct weft__journal *j, size_t *end)
{
	size_t at = MAGIC_SIZE, size;

	while ((size = record_size(j->text + at, j->size - at)) > 0) {
		j->n++;
		at += size;
	}
	*end = at;
	j->record = malloc((j->n + 1) * sizeof(*j->record));
	if (!j->record)
		return -ENOMEM;
	at = MAGIC_SIZE;
	for (size_t i = 0; i < j->n; i++) {
		j->record[i] = j->text + at;
		at += record_size(j->text + at, j->size - at);
	}
	qsort(j->record, j->n, sizeof(*j->record), by_key);
	return 0;
}

static int read_all(struct weft__journal *j, size_t size)
{
	ssize_t got;

	j->text = malloc(size + 1);
	if (!j->text)
		return -ENOMEM;
	while (j->size < size) {
		got = read(j->fd, j->text + j->size, size - j->size);
		if (got < 0)
			return -errno;
		if (!got)
			break;
		j->size += (size_t)got;
	}
	return 0;
}

/* What an earlier run left. */
static int load(struct weft__journal *j, struct weft_diag *diag)
{
	struct stat st;
	size_t end = 0;
	int err;

	if (fstat(j->fd, &st))
		return -errno;
	err = read_all(j, (size_t)st.st_size);
	if (err)
		return err;
	if (j->size < MAGIC_SIZE || memcmp(j->text, MAGIC, MAGIC_SIZE)) {
		if (j->size)
			weft_diag_at(diag, WEFT_WARNING, j->path, 0,
				     "no journal of a capture: all is asked anew");
		j->size = 0;
		if (ftruncate(j->fd, 0) || lseek(j->fd, 0, SEEK_SET) ||
		    write(j->fd, MAGIC, MAGIC_SIZE) != (ssize_t)MAGIC_SIZE)
			return errno ? -errno : -ENOSPC;
		return 0;
	}
	err = index_records(j, &end);
	if (err)
		return err;
	if (end < j->size)
		weft_diag_at(diag, WEFT_NOTE, j->path, 0,
			     "its end is cut, as an interruption leaves it: %zu bytes dropped",
			     j->size - end);
	if (ftruncate(j->fd, (off_t)end) ||
	    lseek(j->fd, (off_t)end, SEEK_SET) < 0)
		return -errno;
	j->age = difftime(time(NULL), st.st_mtime);
	return 0;
}

int weft__journal_open(const char *path, bool fresh, struct weft__journal **out,
		       struct weft_diag *diag)
{
	struct weft__journal *j = calloc(1, sizeof(*j));
	int err;

	if (!j)
		return weft_no_memory(diag);
	j->path = strdup(path);
	j->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (fresh ? O_TRUNC : 0),
		     0600);
	err = j->fd < 0 ? -errno : j->path ? load(j, diag) : -ENOMEM;
	if (err) {
		weft_diag_at(diag, WEFT_ERROR, path, 0,
			     "cannot keep answers there: %s",
			     strerror(-err));
		weft__journal_close(j);
		return err;
	}
	j->flushed = time(NULL);
	*out = j;
	return 0;
}

static int flush(struct weft__journal *j)
{
	size_t at = 0;
	ssize_t put;

	while (at < j->used) {
		put = write(j->fd, j->buffer + at, j->used - at);
		if (put < 0)
			return -errno;
		at += (size_t)put;
	}
	j->used = 0;
	j->flushed = time(NULL);
	return 0;
}

void weft__journal_close(struct weft__journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0) {
		flush(j);
		close(j->fd);
	}
	free(j->record);
	free(j->text);
	free(j->path);
	free(j);
}

size_t weft__journal_count(const struct weft__journal *j)
{
	return j->n;
}

double weft__journal_age(const struct weft__journal *j)
{
	return j->age;
}

const uint8_t *weft__journal_find(const struct weft__journal *j,
				  const struct weft__journal_key *key)
{
	struct weft__journal_key here;
	size_t first = 0, end = j->n;

	while (first < end) {
		size_t middle = first + (end - first) / 2;
		int order;

		memcpy(&here, j->record[middle], sizeof(here));
		order = compare_keys(&here, key);
		if (!order)
			return here.size == key->size ?
				       j->record[middle] + sizeof(here) :
				       NULL;
		if (order < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

int weft__journal_add(struct weft__journal *j,
		      const struct weft__journal_key *key, const uint8_t *data,
		      struct weft_diag *diag)
{
	size_t size = sizeof(*key) + key->size;
	uint8_t *p = j->buffer + j->used;
	uint32_t sum;
	int err = 0;

	memcpy(p, key, sizeof(*key));
	memcpy(p + sizeof(*key), data, key->size);
	sum = sum_of(p, size);
	memcpy(p + size, &sum, sizeof(sum));
	j->used += size + sizeof(sum);
	if (BUFFER - j->used < sizeof(*key) + DATA_MAX + sizeof(sum) ||
	    time(NULL) != j->flushed)
		err = flush(j);
	if (err)
		weft_diag_at(diag, WEFT_ERROR, j->path, 0, "cannot write: %s",
			     strerror(-err));
	return err;
}
