// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists of nodes that options name, in files of their own or of OpenSM's, and
 * files of objectives. */
#include "osm_shim.h"

#include <weft/io.h>

#include <string.h>

static bool takes_roots(const struct weft_options *options)
{
	const struct weft_option *o = weft_options_table(options);

	for (; o->type != WEFT_OPT_END; o++)
		if (!strcmp(o->name, "roots"))
			return !weft_options_given(options, "roots");
	return false;
}

int weft__conf_lists(struct weft_options *options, const char *root_guid_file,
		     struct weft_diag *diag)
{
	int err = weft_io_read_lists(options, true, diag);
	int objectives = weft_io_read_objectives(options, diag);
	int roots = 0;

	if (root_guid_file && takes_roots(options))
		roots = weft_io_read_list(options, "roots", root_guid_file,
					  true, diag);
	return err ? err : objectives ? objectives : roots;
}
