// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists of nodes that options name, in files of their own or of OpenSM's, files
 * of objectives, of kinds of hosts and of machines. */
#include "plugins/osm_shim.h"

#include "plugins/files/osm_files.h"

#include "io/lists/kinds_read.h"
#include "io/lists/list_read.h"
#include "io/lists/machines_read.h"
#include "io/lists/objective_read.h"

#include <errno.h>

/*
 * Reads OpenSM's list of roots.  As with OpenSM's own engines a line that does
 * not begin with a GUID spoils all of the file: whoever takes part of such a
 * list leaves the switches that are in the rest without use.
 */
static int read_roots(struct weft_options *options, const char *path,
		      struct weft_diag *diag)
{
	const struct weft_list *list;
	uint32_t i = 0;
	int err = weft__list_file(options, "roots", path, true,
				  weft__file_open_list, diag);

	if (err || weft_options_list(options, "roots", &list, NULL))
		return err;
	while (i < list->n && !list->entry[i].name)
		i++;
	if (i == list->n)
		return 0;
	err = weft_fail_at(diag, EINVAL, path, list->entry[i].line,
			   "root_guid_file: '%.80s' is not the GUID (0x...) of a switch: none of this file is used",
			   list->entry[i].name);
	weft__options_keep_list(options, "roots", NULL);
	return err;
}

int weft__conf_lists(struct weft_options *options, const char *root_guid_file,
		     struct weft_diag *diag)
{
	bool wanted = root_guid_file && weft_options_has(options, "roots") &&
		      !weft_options_given(options, "roots");
	int err = weft__list_files(options, true, weft__file_open_list, diag);
	int objectives =
		weft__objective_files(options, weft__file_open_list, diag);
	int roots = wanted ? read_roots(options, root_guid_file, diag) : 0;

	return err ? err : objectives ? objectives : roots;
}

/* Adds the rules of all files that there are. */
static int read_kinds(const struct weft__conf *conf, const char *cn_guid_file,
		      const char *io_guid_file, struct weft_kinds *kinds,
		      struct weft_diag *diag)
{
	int err = conf->kinds_path ?
		weft__kinds_file(conf->kinds_path, weft__file_open_list, kinds,
				 diag) : 0;

	if (!err && cn_guid_file)
		err = weft__kinds_guids(cn_guid_file, "compute",
					weft__file_open_list, kinds, diag);
	if (!err && io_guid_file)
		err = weft__kinds_guids(io_guid_file, "storage",
					weft__file_open_list, kinds, diag);
	if (!err && cn_guid_file)
		err = weft_kinds_add(kinds, "*", "other", cn_guid_file, 0,
				     diag);
	return err;
}

int weft__conf_kinds(struct weft__conf *conf, const char *cn_guid_file,
		     const char *io_guid_file, struct weft_diag *diag)
{
	struct weft_kinds *kinds;
	int err;

	if (!conf->kinds_path && !cn_guid_file && !io_guid_file)
		return 0;
	kinds = weft_kinds_new();
	err = kinds ? read_kinds(conf, cn_guid_file, io_guid_file, kinds, diag) :
		      weft_no_memory(diag);
	if (err)
		weft_kinds_free(kinds);
	else
		conf->kinds = kinds;
	return err;
}

int weft__conf_machines(struct weft__conf *conf, struct weft_diag *diag)
{
	return conf->machines_path ?
		weft__machines_file(conf->machines_path, weft__file_open_list,
				    &conf->machines, diag) : 0;
}
