// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which adapters are in one machine: a list, what hwloc and NCCL write about a
 * machine, or a directory of such files. */
#include "io/lists/machines_read.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define NAME 256

int weft__machines_source(const struct weft__source *source, const char *host,
			  struct weft_adapters *out, struct weft_diag *diag)
{
	size_t at = 0;

	while (at < source->size && strchr(" \t\r\n", source->data[at]))
		at++;
	return at < source->size && source->data[at] == '<' ?
		weft__machines_xml(source, host, out, diag) :
		weft__machines_list(source, out, diag);
}

static int read_file(const char *path, struct weft_adapters *out,
		     struct weft_diag *diag)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name);
	char host[NAME];
	struct weft__source source;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	if (length > 4 && !strcmp(name + length - 4, ".xml"))
		length -= 4;
	snprintf(host, sizeof(host), "%.*s", (int)length, name);
	err = weft__machines_source(&source, host, out, diag);
	weft__source_close(&source);
	return err;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* All files of a directory, in the order of their names. */
static int read_directory(const char *directory, struct weft_adapters *out,
			  struct weft_diag *diag)
{
	struct dirent **entry;
	int n = scandir(directory, &entry, visible, alphasort), err = 0;

	if (n < 0)
		return weft_fail_at(diag, errno, directory, 0,
				    "cannot read the directory");
	if (!n)
		err = weft_fail_at(diag, EINVAL, directory, 0,
				   "no files in it: one of each machine, as lstopo --of xml writes it");
	for (int i = 0; i < n; i++) {
		char *path;

		if (err || asprintf(&path, "%s/%s", directory,
				    entry[i]->d_name) < 0) {
			err = err ? err : weft_no_memory(diag);
		} else {
			err = read_file(path, out, diag);
			free(path);
		}
		free(entry[i]);
	}
	free(entry);
	return err;
}

int weft_io_read_machines(const char *path, struct weft_adapters *out,
			  struct weft_diag *diag)
{
	struct weft_adapters read = { .n = 0 };
	struct stat st;
	int err = !stat(path, &st) && S_ISDIR(st.st_mode) ?
		read_directory(path, &read, diag) :
		read_file(path, &read, diag);

	if (err)
		weft_adapters_free(&read);
	else
		*out = read;
	return err;
}
