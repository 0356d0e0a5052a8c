// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The files of a dump directory and their formats; see input_scan.h. */
#include "io/input_scan.h"

#include "core/grow.h"
#include "io/compressed.h"
#include "io/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Descriptions of a dump often quote from it. */
static int visible(const struct dirent *entry)
{
	return *entry->d_name != '.' &&
	       fnmatch("README*", entry->d_name, 0) &&
	       fnmatch("*.md", entry->d_name, 0);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Takes the path over. */
static int add_file(struct weft__scan *s, char *path, unsigned depth)
{
	if (s->n == WEFT__MAX_FILES) {
		s->too_many = true;
		free(path);
		return 0;
	}
	if (weft__grow_one(&s->file, s->n)) {
		free(path);
		return -ENOMEM;
	}
	s->file[s->n++] = (struct weft__dump_file){
		.path = path, .name = strrchr(path, '/') + 1, .depth = depth,
		.group = s->groups - 1,
	};
	return 0;
}

static int scan_directory(struct weft__scan *s, const char *directory,
			  unsigned depth);

/* The format whose dumps have that name and that is wanted; NULL if none is. */
static const struct weft__format *named(const struct weft__scan *s,
					const char *name)
{
	for (const struct weft__format *const *f = weft__formats; *f; f++) {
		bool topology = (*f)->row.kind == WEFT_FILE_TOPOLOGY;

		if ((*f)->dump && weft__dump_named((*f)->dump, name) &&
		    s->wanted != (topology ? WEFT__WANTED_TABLES :
					     WEFT__WANTED_TOPOLOGY))
			return *f;
	}
	return NULL;
}

static int add_entry(struct weft__scan *s, const char *directory,
		     const char *name, unsigned depth, bool files)
{
	size_t length = strlen(directory);
	const char *slash = length && directory[length - 1] == '/' ? "" : "/";
	struct stat st;
	char *path;
	int err = 0;

	if (asprintf(&path, "%s%s%s", directory, slash, name) < 0)
		return -ENOMEM;
	if (stat(path, &st))
		st.st_mode = 0;
	/* Other empty files are passed over: those of /proc look so, and some
	 * wait for ever. */
	if (files && S_ISREG(st.st_mode) && (st.st_size || named(s, name)))
		return add_file(s, path, depth);
	if (!files && !depth && S_ISDIR(st.st_mode))
		err = scan_directory(s, path, depth + 1);
	free(path);
	return err;
}

/* Files of the directory first, then those of the directories in it. */
static int scan_directory(struct weft__scan *s, const char *directory,
			  unsigned depth)
{
	struct dirent **entry;
	int n = scandir(directory, &entry, visible, by_name);
	int err = 0;

	if (n < 0) {
		err = errno;
		weft_diag_at(s->diag, depth ? WEFT_WARNING : WEFT_ERROR,
			     directory, 0, "cannot read the directory: %s",
			     strerror(err));
		return depth ? 0 : -err;
	}
	s->groups++;
	for (int i = 0; i < 2 * n && !err; i++)
		err = add_entry(s, directory, entry[i % n]->d_name, depth,
				i < n);
	while (n)
		free(entry[--n]);
	free(entry);
	if (err)
		weft_diag_at(s->diag, WEFT_ERROR, directory, 0, "%s",
			     strerror(-err));
	return err;
}

/* A dump that cannot be read must not give way to another one in silence.  0,
 * or -EINVAL after an error that says why. */
static int refuse(const struct weft__scan *s, const struct weft__dump_file *f)
{
	const struct weft__format *format = named(s, f->name);
	struct weft__source source;
	const char *hint;
	int err;

	if (!format)
		return 0;
	err = weft__dump_open(f->path, WEFT__LOOK_MAX, &source, s->diag);
	if (err)
		return err;
	hint = weft__format_hint(&source);
	weft_diag_at(s->diag, WEFT_ERROR, f->path, 0,
		     "it has the name of %s, but %s; take it out of the directory, or give the files to read one by one",
		     format->row.name, hint ? hint : "not its content");
	weft__source_close(&source);
	return -EINVAL;
}

/* 0, or -errno after errors: a dump cannot be read. */
static int detect_all(struct weft__scan *s)
{
	int result = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		struct weft__dump_file *f = &s->file[i];
		int err = weft__format_detect(f->path, &f->format, NULL);

		if (!f->format && refuse(s, f))
			result = -EINVAL;
		else if (err)
			weft_diag_at(s->diag, WEFT_WARNING, f->path, 0,
				     "skipped: %s", strerror(-err));
	}
	return result;
}

int weft__scan_files(struct weft__scan *s, const char *directory)
{
	int err = scan_directory(s, directory, 0);

	return err ? err : detect_all(s);
}

void weft__scan_free(struct weft__scan *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		free(s->file[i].path);
	free(s->file);
}
