// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dumps of what OpenSM has no dump of: weft-sl.dump (or .psl), the SL of every
 * path, for whoever wants to check the layers from outside, and
 * weft-paths.dump, which LID each host is to send to, for engines that choose
 * paths by LMC.
 *
 * A thread of its own writes them, from what the sweep has published and nobody
 * changes, so that the sweep, which holds the subnet lock, does not wait for a
 * disk.  The next sweep waits for the thread.  The names are the plugin's:
 * whatever has one of them and is not of the last sweep goes, so that no old
 * file is ever judged with new tables.
 */
#include "osm_layers.h"

#include "osm_files.h"

#include "core/quiet_thread.h"

#include <weft/io.h>

#include <stdlib.h>
#include <string.h>

static const char *const sl_names[] = {
	[WEFT__SL_WEFT] = "weft-sl.dump",
	[WEFT__SL_PSL] = "weft-sl.psl",
};
#define PATHS "weft-paths.dump"

static void write_sl(const struct weft__dumps *d, struct weft_diag *diag)
{
	const struct weft__sm_paths *p = d->paths;
	const struct weft_routes routes = { .lft = d->held->routes.lft,
					    .layers = p->layers };
	struct weft__file file;
	int err = 0;

	weft__file_begin(&file, d->directory, sl_names[d->form]);
	if (file.stream)
		err = d->form == WEFT__SL_PSL ?
			weft_io_write_psl(file.stream, p->fabric, &p->layers,
					  diag) :
			weft_io_write_sl(file.stream, p->fabric, &routes, diag);
	weft__file_end(&file, err, diag);
}

static void write_paths(const struct weft__dumps *d, struct weft_diag *diag)
{
	struct weft__file file;
	int err = 0;

	weft__file_begin(&file, d->directory, PATHS);
	if (file.stream)
		err = weft_io_write_paths(file.stream, d->paths->fabric,
					  &d->held->routes, diag);
	weft__file_end(&file, err, diag);
}

static void *write_dumps(void *context)
{
	struct weft__dumps *d = context;
	struct weft_diag diag = { .emit = weft__log_emit, .context = &d->log };

	if (d->form != WEFT__SL_NONE)
		write_sl(d, &diag);
	if (d->held->routes.lid_offset)
		write_paths(d, &diag);
	weft__let_go(d->held);
	d->held = NULL;
	return NULL;
}

void weft__dumps_wait(struct weft__dumps *d)
{
	if (d->running)
		pthread_join(d->thread, NULL);
	d->running = false;
}

/* Removes what is not written in this sweep. */
static void remove_others(const char *directory, enum weft__sl_dump form,
			  bool paths)
{
	for (int i = WEFT__SL_WEFT; i <= WEFT__SL_PSL; i++)
		if (i != (int)form)
			weft__file_remove(directory, sl_names[i]);
	if (!paths)
		weft__file_remove(directory, PATHS);
}

void weft__dumps_start(struct weft__dumps *d, const char *directory,
		       enum weft__sl_dump form,
		       const struct weft__sm_paths *paths,
		       struct weft__held *held)
{
	weft__dumps_wait(d);
	remove_others(directory, form, held->routes.lid_offset);
	free(d->directory);
	d->directory = directory ? strdup(directory) : NULL;
	if (!d->directory)
		return;
	d->form = form;
	d->paths = paths;
	d->held = weft__hold(held);
	if (weft__thread_start(&d->thread, write_dumps, d))
		d->running = true;
	else
		write_dumps(d);
}

void weft__dumps_remove(struct weft__dumps *d, const char *directory)
{
	weft__dumps_wait(d);
	remove_others(directory, WEFT__SL_NONE, false);
}

void weft__dumps_free(struct weft__dumps *d)
{
	weft__dumps_wait(d);
	free(d->directory);
	d->directory = NULL;
}
