// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choosing the files of a dump directory; see input.h. */
#include "io/input.h"

#include "io/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILES 10000		/* a dump has one file for each switch at most;
				 * more than so many is some other directory */

struct file {
	char *path;
	const char *name;	/* last part of path */
	unsigned depth;		/* 0: in the directory itself */
	unsigned group;		/* files of one directory have one number */
	const struct weft__format *format;	/* NULL = nobody knows it */
	bool used;
};

struct scan {
	struct file *file;
	uint32_t n, capacity;
	unsigned groups;
	bool too_many;
	struct weft_diag *diag;
};

/* --- the files -------------------------------------------------------- */

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
static int add_file(struct scan *s, char *path, unsigned depth)
{
	struct file *larger;

	if (s->n == MAX_FILES) {
		s->too_many = true;
		free(path);
		return 0;
	}
	if (s->n == s->capacity) {
		s->capacity = 2 * s->capacity + 64;
		larger = realloc(s->file, s->capacity * sizeof(*larger));
		if (!larger) {
			free(path);
			return -ENOMEM;
		}
		s->file = larger;
	}
	s->file[s->n++] = (struct file){
		.path = path, .name = strrchr(path, '/') + 1, .depth = depth,
		.group = s->groups - 1,
	};
	return 0;
}

static int scan_directory(struct scan *s, const char *directory,
			  unsigned depth);

/* Warns of an empty file that has the name of a dump: a full disk?  Other empty
 * files are passed over, for those of /proc look so, and some wait for ever. */
static void miss_empty(const struct scan *s, const char *path, const char *name)
{
	for (const struct weft__format *const *f = weft__formats; *f; f++) {
		if (!(*f)->dump || fnmatch((*f)->dump, name, 0))
			continue;
		weft_diag_at(s->diag, WEFT_WARNING, path, 0,
			     "it is empty: left out");
		return;
	}
}

static int add_entry(struct scan *s, const char *directory, const char *name,
		     unsigned depth, bool files)
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
	if (files && S_ISREG(st.st_mode) && st.st_size)
		return add_file(s, path, depth);
	if (files && S_ISREG(st.st_mode))
		miss_empty(s, path, name);
	if (!files && !depth && S_ISDIR(st.st_mode))
		err = scan_directory(s, path, depth + 1);
	free(path);
	return err;
}

/* Files of the directory first, then those of the directories in it. */
static int scan_directory(struct scan *s, const char *directory,
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

static void detect_all(struct scan *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		int err = weft__format_detect(s->file[i].path,
					      &s->file[i].format, NULL);

		if (err)
			weft_diag_at(s->diag, WEFT_WARNING, s->file[i].path, 0,
				     "skipped: %s", strerror(-err));
	}
}

/* --- the choice ------------------------------------------------------- */

static bool is_kind(const struct file *f, enum weft_file_kind kind)
{
	return f->format && f->format->row.kind == kind;
}

/* Preference among topologies: smaller is better, the first field first. */
struct rank {
	unsigned depth;
	bool unusual;		/* the name is none of those in the formats */
	unsigned format;	/* its place in the table: what tells most */
	unsigned name;		/* place of the name among those */
};

static struct rank rank_of(const struct file *f)
{
	struct rank rank = { .depth = f->depth, .unusual = true };

	while (weft__formats[rank.format] != f->format)
		rank.format++;
	for (const struct weft__format *const *row = weft__formats;
	     *row && rank.unusual; row++)
		for (unsigned i = 0; i < WEFT__FORMAT_NAMES && rank.unusual;
		     i++) {
			const char *name = (*row)->names[i];

			rank.unusual = !name || fnmatch(name, f->name, 0);
			rank.name += rank.unusual;
		}
	return rank;
}

/* Whether neither of two topologies is better but for the name. */
static bool is_alike(const struct file *a, const struct file *b)
{
	struct rank x = rank_of(a), y = rank_of(b);

	return x.depth == y.depth && x.unusual == y.unusual &&
	       x.format == y.format;
}

static bool is_better(const struct file *a, const struct file *b)
{
	struct rank x = rank_of(a), y = rank_of(b);

	if (x.depth != y.depth)
		return x.depth < y.depth;
	if (x.unusual != y.unusual)
		return !x.unusual;
	if (x.format != y.format)
		return x.format < y.format;
	return x.name < y.name;
}

static struct file *choose_topology(struct scan *s)
{
	struct file *best = NULL;
	uint32_t equals = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		struct file *f = &s->file[i];

		if (is_kind(f, WEFT_FILE_TOPOLOGY) &&
		    (!best || is_better(f, best)))
			best = f;
	}
	if (!best)
		return NULL;
	best->used = true;
	for (uint32_t i = 0; i < s->n; i++)
		equals += is_kind(&s->file[i], WEFT_FILE_TOPOLOGY) &&
			!s->file[i].used && is_alike(&s->file[i], best);
	if (equals)
		weft_diag_at(s->diag, WEFT_WARNING, best->path, 0,
			     "read as the topology, though %u other%s of the "
			     "same kind would do as well: name one to have it "
			     "read", equals, equals == 1 ? "" : "s");
	return best;
}

/* The first file of the first format of that kind that there is any of. */
static struct file *first_of(struct scan *s, enum weft_file_kind kind)
{
	for (const struct weft__format *const *f = weft__formats; *f; f++) {
		if ((*f)->row.kind != kind)
			continue;
		for (uint32_t i = 0; i < s->n; i++)
			if (s->file[i].format == *f)
				return &s->file[i];
	}
	return NULL;
}

/* The file of a file's directory and format that holds the tables of all
 * switches; NULL where each holds those of one. */
static struct file *whole_of(struct scan *s, struct file *first)
{
	const char *whole = first->format->whole;

	if (!whole)
		return first;
	for (struct file *f = first; f < s->file + s->n; f++)
		if (f->group == first->group && f->format == first->format &&
		    !strcmp(f->name, whole))
			return f;
	return NULL;
}

/* Tables: of the first directory that has any.  Returns how many files. */
static uint32_t choose_tables(struct scan *s)
{
	struct file *first = first_of(s, WEFT_FILE_TABLES), *whole;
	uint32_t n = 0;

	if (!first)
		return 0;
	whole = whole_of(s, first);
	if (whole) {
		whole->used = true;
		return 1;
	}
	for (struct file *f = first; f < s->file + s->n; f++)
		if (f->group == first->group && f->format == first->format) {
			f->used = true;
			n++;
		}
	return n;
}

static void choose_one(struct scan *s, enum weft_file_kind kind,
		       struct weft__dump *dump)
{
	struct file *f = first_of(s, kind);

	if (!f)
		return;
	f->used = true;
	dump->file[kind] = strdup(f->path);
}

static int take_tables(struct scan *s, struct weft__dump *dump)
{
	uint32_t n = choose_tables(s);

	dump->table = calloc(n + 1ull, sizeof(*dump->table));
	if (!dump->table)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct file *f = &s->file[i];

		if (!f->used || !is_kind(f, WEFT_FILE_TABLES))
			continue;
		dump->table[dump->ntables] = strdup(f->path);
		if (!dump->table[dump->ntables++])
			return -ENOMEM;
	}
	return 0;
}

static int choose(struct scan *s, bool with_topology, struct weft__dump *dump)
{
	const struct file *topology = NULL;

	if (with_topology) {
		topology = choose_topology(s);
		if (!topology)
			return 0;
		dump->file[WEFT_FILE_TOPOLOGY] = strdup(topology->path);
		if (!dump->file[WEFT_FILE_TOPOLOGY])
			return -ENOMEM;
	}
	choose_one(s, WEFT_FILE_SL2VL, dump);
	choose_one(s, WEFT_FILE_SL, dump);
	choose_one(s, WEFT_FILE_PATHS, dump);
	return take_tables(s, dump);
}

static void report_tables(const struct scan *s, const struct weft__dump *dump)
{
	if (dump->ntables == 1)
		weft_diag_at(s->diag, WEFT_NOTE, dump->table[0], 0,
			     "read as the forwarding tables");
	else if (dump->ntables)
		weft_diag_at(s->diag, WEFT_NOTE, dump->table[0], 0,
			     "read as forwarding tables, with %u more files "
			     "beside it", dump->ntables - 1);
}

static void report(const struct scan *s, const char *directory,
		   const struct weft__dump *dump)
{
	static const char *const what[WEFT_FILE_KINDS] = {
		[WEFT_FILE_TOPOLOGY] = "topology",
		[WEFT_FILE_SL2VL] = "SL2VL tables",
		[WEFT_FILE_SL] = "service levels",
		[WEFT_FILE_PATHS] = "LIDs that sources send to",
	};
	uint32_t left = 0;

	for (unsigned kind = 0; kind < WEFT_FILE_KINDS; kind++)
		if (kind == WEFT_FILE_TABLES)
			report_tables(s, dump);
		else if (dump->file[kind])
			weft_diag_at(s->diag, WEFT_NOTE, dump->file[kind], 0,
				     "read as the %s", what[kind]);
	for (uint32_t i = 0; i < s->n; i++)
		left += s->file[i].format && !s->file[i].used;
	if (left)
		weft_diag_at(s->diag, WEFT_NOTE, directory, 0,
			     "%u other file%s of known formats not read", left,
			     left == 1 ? "" : "s");
	if (s->too_many)
		weft_diag_at(s->diag, WEFT_WARNING, directory, 0,
			     "only %u files were looked at", MAX_FILES);
}

static int nothing_here(const struct scan *s, const char *directory,
			bool topology)
{
	if (!topology)
		weft_diag_at(s->diag, WEFT_ERROR, directory, 0,
			     "no forwarding tables here: %u file%s, and none "
			     "holds any", s->n, s->n == 1 ? "" : "s");
	else
		weft_diag_at(s->diag, WEFT_ERROR, directory, 0,
			     "no topology in this directory, only %u other "
			     "file%s; expected the output of ibnetdiscover or "
			     "opensm-subnet.lst", s->n, s->n == 1 ? "" : "s");
	return -EINVAL;
}

int weft__dump_find(const char *directory, bool topology,
		    struct weft__dump *out, struct weft_diag *diag)
{
	struct scan s = { .diag = diag };
	struct weft__dump dump = { 0 };
	int err = scan_directory(&s, directory, 0);

	if (err)
		goto free_files;
	detect_all(&s);
	err = choose(&s, topology, &dump);
	if (err) {
		weft_diag_at(diag, WEFT_ERROR, directory, 0, "%s",
			     strerror(-err));
	} else if (topology ? !dump.file[WEFT_FILE_TOPOLOGY] : !dump.ntables) {
		err = nothing_here(&s, directory, topology);
	} else {
		report(&s, directory, &dump);
		*out = dump;
	}
	if (err)
		weft__dump_free(&dump);
free_files:
	for (uint32_t i = 0; i < s.n; i++)
		free(s.file[i].path);
	free(s.file);
	return err;
}

void weft__dump_free(struct weft__dump *dump)
{
	for (uint32_t i = 0; i < dump->ntables; i++)
		free(dump->table[i]);
	free(dump->table);
	for (unsigned kind = 0; kind < WEFT_FILE_KINDS; kind++)
		free(dump->file[kind]);
	*dump = (struct weft__dump){ 0 };
}
