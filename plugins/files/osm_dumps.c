// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dumps of what OpenSM has no dump of: weft-sl.dump (or .psl), the SL of every
 * path, for whoever wants to check the layers from outside, and
 * weft-paths.dump, which LID each host is to send to, for engines that choose
 * paths by LMC.
 *
 * They are written while the sweep goes on (osm_writing.h), from what it has
 * published and copies, so that nobody who holds the subnet lock waits for a disk.
 * The names are the plugin's: whatever has one of them and is not of the last
 * sweep goes, so that no old file is ever judged with new tables.
 */
#include "plugins/lanes/osm_layers.h"

#include "plugins/files/osm_files.h"

#include "core/tables/layers.h"

#include <weft/io.h>

#include <stdlib.h>
#include <string.h>

static const char *const sl_names[] = {
	[WEFT__SL_WEFT] = "weft-sl.dump",
	[WEFT__SL_PSL] = "weft-sl.psl",
};
#define PATHS "weft-paths.dump"

/* The dumps of a sweep; without tables they only go. */
struct dump {
	struct weft__writing_job job;
	char directory[PATH_MAX];
	enum weft__sl_dump form;
	struct weft_layers layers;	/* as published */
	struct weft__held *held;
	struct weft__log log;
};

static void write_sl(const struct dump *d, struct weft_diag *diag)
{
	const struct weft_fabric *f = d->held->fabric;
	const struct weft_routes routes = { .lft = d->held->routes.lft,
					    .layers = d->layers };
	struct weft__file file;
	int err = 0;

	weft__file_begin(&file, d->directory, sl_names[d->form]);
	if (file.stream)
		err = d->form == WEFT__SL_PSL ?
			weft_io_write_psl(file.stream, f, &d->layers, diag) :
			weft_io_write_sl(file.stream, f, &routes, diag);
	weft__file_end(&file, err, diag);
}

static void write_paths(const struct dump *d, struct weft_diag *diag)
{
	struct weft__file file;
	int err = 0;

	weft__file_begin(&file, d->directory, PATHS);
	if (file.stream)
		err = weft_io_write_paths(file.stream, d->held->fabric,
					  &d->held->routes, diag);
	weft__file_end(&file, err, diag);
}

/* Removes what is not written in this sweep. */
static void remove_others(const struct dump *d, bool paths)
{
	for (int i = WEFT__SL_WEFT; i <= WEFT__SL_PSL; i++)
		if (i != (int)d->form)
			weft__file_remove(d->directory, sl_names[i]);
	if (!paths)
		weft__file_remove(d->directory, PATHS);
}

static void write_dump(struct weft__writing_job *job)
{
	struct dump *d = (struct dump *)job;
	struct weft_diag diag = { .emit = weft__log_emit, .context = &d->log };
	bool paths = d->held && d->held->routes.lid_offset;

	remove_others(d, paths);
	if (d->form != WEFT__SL_NONE)
		write_sl(d, &diag);
	if (paths)
		write_paths(d, &diag);
}

static void drop_dump(struct weft__writing_job *job)
{
	struct dump *d = (struct dump *)job;

	weft_layers_free(&d->layers);
	weft__let_go(d->held);
	free(d);
}

static struct dump *new_dump(const char *directory)
{
	struct dump *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->job = (struct weft__writing_job){
		.replaces = true, .write = write_dump, .drop = drop_dump,
	};
	d->form = WEFT__SL_NONE;
	snprintf(d->directory, sizeof(d->directory), "%s", directory);
	return d;
}

void weft__dumps_write(struct weft__writing *w, const char *directory,
		       enum weft__sl_dump form,
		       const struct weft__sm_paths *paths,
		       struct weft__held *held, const struct weft__log *log)
{
	struct dump *d = directory ? new_dump(directory) : NULL;

	if (!d)
		return;
	d->log = *log;
	d->held = weft__hold(held);
	if (form != WEFT__SL_NONE &&
	    !weft__layers_copy(&paths->layers, &d->layers))
		d->form = form;
	weft__writing_put(w, &d->job);
}

void weft__dumps_remove(struct weft__writing *w, const char *directory)
{
	struct dump *d = directory ? new_dump(directory) : NULL;

	if (d)
		weft__writing_put(w, &d->job);
}
