// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weft-sl.dump: the SL of every path, for whoever wants to check the layers
 * from outside (OpenSM has no such dump).
 *
 * A thread of its own writes it, from what the sweep has published and nobody
 * changes, so that the sweep, which holds the subnet lock, does not wait for a
 * disk.  The next sweep waits for the thread.  The file is written under
 * another name and renamed, so that a reader sees all of it or none; not at
 * all, if what is there says the same.
 */
#include "osm_layers.h"

#include <weft/io.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const names[] = {
	[WEFT__SL_WEFT] = "weft-sl.dump",
	[WEFT__SL_PSL] = "weft-sl.psl",
};

static char *join(const char *a, const char *between, const char *b)
{
	size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
	char *path = malloc(size);

	if (path)
		snprintf(path, size, "%s%s%s", a, between, b);
	return path;
}

static bool same_bytes(FILE *a, FILE *b)
{
	char x[4096], y[4096];
	size_t n, m;

	rewind(a);
	do {
		n = fread(x, 1, sizeof(x), a);
		m = fread(y, 1, sizeof(y), b);
	} while (n == m && n && !memcmp(x, y, n));
	return !n && !m && !ferror(a) && !ferror(b);
}

static bool already_there(FILE *file, const char *path)
{
	FILE *old = fopen(path, "r");
	bool same = old && same_bytes(file, old);

	if (old)
		fclose(old);
	return same;
}

/* Fills the temporary file and gives it its name. */
static int write_file(const struct weft__sldump *d, FILE *file,
		      const char *name, struct weft_diag *diag)
{
	const struct weft__sm_paths *p = d->paths;
	int err = d->form == WEFT__SL_PSL ?
		weft_io_write_psl(file, p->fabric, &p->layers, diag) :
		weft_io_write_sl(file, p->fabric, &p->layers, diag);

	if (err)
		return err;
	if (already_there(file, d->path))
		return unlink(name) ? -errno : 0;
	return fchmod(fileno(file), 0644) || rename(name, d->path) ? -errno :
								     0;
}

static void *write_dump(void *context)
{
	struct weft__sldump *d = context;
	struct weft_diag diag = { .emit = weft__log_emit, .context = &d->log };
	char *name = join(d->path, ".", "XXXXXX");
	int fd = name ? mkstemp(name) : -1;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
	int err = file ? write_file(d, file, name, &diag) : -errno;

	if (err) {
		weft_diag_say(&diag, WEFT_WARNING, "%s was not written: %s",
			      d->path, strerror(-err));
		if (fd >= 0)
			unlink(name);
	}
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
	free(name);
	return NULL;
}

void weft__sldump_wait(struct weft__sldump *d)
{
	if (d->running)
		pthread_join(d->thread, NULL);
	d->running = false;
}

void weft__sldump_start(struct weft__sldump *d, const char *directory,
			enum weft__sl_dump form,
			const struct weft__sm_paths *paths,
			const struct weft__log *log)
{
	bool write = form != WEFT__SL_NONE && directory;
	char *path = write ? join(directory, "/", names[form]) : NULL;

	weft__sldump_wait(d);
	if (d->path && (!path || strcmp(d->path, path)))
		unlink(d->path);	/* of another form */
	free(d->path);
	d->path = path;
	if (!write)
		return;
	d->form = form;
	d->paths = paths;
	d->log = *log;
	if (d->path && !pthread_create(&d->thread, NULL, write_dump, d))
		d->running = true;
	else
		osm_log(log->log, OSM_LOG_INFO, "%s: WARNING: %s was not "
			"written: no thread\n", log->engine, names[form]);
}

void weft__sldump_remove(struct weft__sldump *d)
{
	weft__sldump_wait(d);
	if (d->path)
		unlink(d->path);
	free(d->path);
	d->path = NULL;
}
