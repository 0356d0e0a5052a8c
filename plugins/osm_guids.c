// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists of nodes that options name, in files of their own or of OpenSM's, and
 * files of objectives. */
#include "osm_shim.h"

#include "osm_files.h"

#include "io/lists/list_read.h"
#include "io/lists/objective_read.h"

int weft__conf_lists(struct weft_options *options, const char *root_guid_file,
		     struct weft_diag *diag)
{
	int err = weft__list_files(options, true, weft__file_open_list, diag);
	int objectives =
		weft__objective_files(options, weft__file_open_list, diag);
	int roots = 0;

	if (root_guid_file && weft_options_has(options, "roots") &&
	    !weft_options_given(options, "roots"))
		roots = weft__list_file(options, "roots", root_guid_file, true,
					weft__file_open_list, diag);
	return err ? err : objectives ? objectives : roots;
}
