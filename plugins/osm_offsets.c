// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weft-paths.dump in OpenSM's dump directory: which LID each host is to send
 * to, for engines that choose paths by LMC.  A row for each endport: some
 * hundred kilobytes at most, so the sweep writes it itself, to another name
 * that is then renamed.
 */
#include "osm_shim.h"

#include <weft/io.h>

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define NAME "weft-paths.dump"

static int write_to(const char *path, const struct weft_fabric *fabric,
		    const struct weft_routes *routes, struct weft_diag *diag)
{
	FILE *out = fopen(path, "w");
	int err;

	if (!out)
		return -errno;
	err = weft_io_write_paths(out, fabric, routes, diag);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

void weft__offsets_write(const char *directory,
			 const struct weft_fabric *fabric,
			 const struct weft_routes *routes, bool *written,
			 struct weft_diag *diag)
{
	char path[PATH_MAX], temporary[PATH_MAX + 8];
	int err;

	if (!routes->lid_offset || !directory ||
	    snprintf(path, sizeof(path), "%s/" NAME, directory) >=
	    (int)sizeof(path)) {
		weft__offsets_remove(directory, written);
		return;
	}
	snprintf(temporary, sizeof(temporary), "%s.new", path);
	err = write_to(temporary, fabric, routes, diag);
	if (!err && rename(temporary, path))
		err = -errno;
	if (err) {
		weft_diag_say(diag, WEFT_WARNING, "%s was not written: %s",
			      path, strerror(-err));
		unlink(temporary);
		weft__offsets_remove(directory, written);
		return;
	}
	*written = true;
}

void weft__offsets_remove(const char *directory, bool *written)
{
	char path[PATH_MAX];

	if (*written && directory &&
	    snprintf(path, sizeof(path), "%s/" NAME, directory) <
	    (int)sizeof(path))
		unlink(path);
	*written = false;
}
