// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* root_guid_file of OpenSM for the engines that take roots. */
#include "osm_shim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool takes_roots(const struct weft_options *options)
{
	const struct weft_option *o = weft_options_table(options);

	for (; o && o->type != WEFT_OPT_END; o++)
		if (!strcmp(o->name, "roots"))
			return !weft_options_given(options, "roots");
	return false;
}

/* The GUIDs at the beginnings of lines; what follows on a line is a name or a
 * comment, as for OpenSM. */
static int read_guids(const char *path, FILE *file, FILE *out,
		      struct weft_diag *diag)
{
	unsigned long number = 0;
	char line[1024];

	while (fgets(line, sizeof(line), file)) {
		char *at = line + strspn(line, " \t\r\n"), *end;
		uint64_t guid = strtoull(at, &end, 16);

		number++;
		if (!*at || *at == '#')
			continue;
		if (end == at || !strchr(" \t\r\n#", *end)) {
			weft_diag_at(diag, WEFT_ERROR, path, number,
				     "a line begins with the GUID of a root "
				     "switch");
			return -EINVAL;
		}
		fprintf(out, " 0x%016" PRIx64, guid);
	}
	return ferror(file) ? -EIO : 0;
}

static int read_file(const char *path, char **text, struct weft_diag *diag)
{
	FILE *file = fopen(path, "r"), *out;
	size_t size;
	int err;

	if (!file) {
		err = errno;
		weft_diag_at(diag, WEFT_ERROR, path, 0, "%s", strerror(err));
		return -err;
	}
	out = open_memstream(text, &size);
	if (!out) {
		fclose(file);
		return weft_fail(diag, ENOMEM, "out of memory");
	}
	err = read_guids(path, file, out, diag);
	fclose(file);
	if (fclose(out) && !err)
		err = weft_fail(diag, ENOMEM, "out of memory");
	if (err)
		free(*text);
	return err;
}

int weft__conf_roots(struct weft_options *options, const char *path,
		     struct weft_diag *diag)
{
	char *text;
	int err;

	if (!path || !takes_roots(options))
		return 0;
	err = read_file(path, &text, diag);
	if (err)
		return err;
	err = weft_options_set(options, "roots", text, path, 0, diag);
	free(text);
	return err;
}
