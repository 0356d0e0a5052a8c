// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choosing the files of a dump directory; see input.h. */
#include "io/input.h"

#include "io/compressed.h"
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
	enum weft__wanted wanted;
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

/* The format whose dumps have that name and that is wanted; NULL if none is. */
static const struct weft__format *named(const struct scan *s, const char *name)
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

/* A dump that cannot be read must not give way to another one in silence.  0,
 * or -EINVAL after an error that says why. */
static int refuse(const struct scan *s, const struct file *f)
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
		     "it has the name of %s, but %s; take it out of the "
		     "directory, or give the files to read one by one",
		     format->row.name, hint ? hint : "not its content");
	weft__source_close(&source);
	return -EINVAL;
}

/* 0, or -errno after errors: a dump cannot be read. */
static int detect_all(struct scan *s)
{
	int result = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		struct file *f = &s->file[i];
		int err = weft__format_detect(f->path, &f->format, NULL);

		if (!f->format && refuse(s, f))
			result = -EINVAL;
		else if (err)
			weft_diag_at(s->diag, WEFT_WARNING, f->path, 0,
				     "skipped: %s", strerror(-err));
	}
	return result;
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

			rank.unusual = !name ||
				       !weft__dump_named(name, f->name);
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

/* The first file of a format: one with the name of its dumps, if there is. */
static struct file *first_of_format(struct scan *s,
				    const struct weft__format *format)
{
	struct file *first = NULL;

	for (struct file *f = s->file; f < s->file + s->n; f++) {
		if (f->format != format || (first && f->group != first->group))
			continue;
		if (!format->dump || weft__dump_named(format->dump, f->name))
			return f;
		if (!first)
			first = f;
	}
	return first;
}

/* The first file of the first format of that kind that there is any of. */
static struct file *first_of(struct scan *s, enum weft_file_kind kind)
{
	for (const struct weft__format *const *f = weft__formats; *f; f++) {
		struct file *first = (*f)->row.kind == kind ?
				     first_of_format(s, *f) : NULL;

		if (first)
			return first;
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
		    weft__dump_named(whole, f->name))
			return f;
	return NULL;
}

/* The file of all tables that first is one of, or all files of its directory
 * and format.  0 or -ENOMEM. */
static int take_tables(struct scan *s, struct file *first,
		       struct weft__dump_tables *tables)
{
	struct file *whole = whole_of(s, first);
	struct file *f = whole ? whole : first;
	struct file *end = whole ? whole + 1 : s->file + s->n;

	tables->file = calloc(s->n, sizeof(*tables->file));
	if (!tables->file)
		return -ENOMEM;
	for (; f < end; f++) {
		if (f->group != first->group || f->format != first->format)
			continue;
		f->used = true;
		tables->file[tables->n] = strdup(f->path);
		if (!tables->file[tables->n++])
			return -ENOMEM;
	}
	return 0;
}

/* Tables of the first directory that has any, and beside them those of the next
 * format. */
static int choose_tables(struct scan *s, struct weft__dump *dump)
{
	struct file *first = first_of(s, WEFT_FILE_TABLES);
	int err;

	if (!first)
		return 0;
	err = take_tables(s, first, &dump->tables);
	for (struct file *f = s->file; f < s->file + s->n && !err; f++)
		if (is_kind(f, WEFT_FILE_TABLES) && f->group == first->group &&
		    f->format != first->format)
			return take_tables(s, f, &dump->others);
	return err;
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

static int choose(struct scan *s, struct weft__dump *dump)
{
	const struct file *topology = NULL;

	if (s->wanted != WEFT__WANTED_TABLES) {
		topology = choose_topology(s);
		if (!topology)
			return 0;
		dump->file[WEFT_FILE_TOPOLOGY] = strdup(topology->path);
		if (!dump->file[WEFT_FILE_TOPOLOGY])
			return -ENOMEM;
	}
	if (s->wanted == WEFT__WANTED_TOPOLOGY)
		return 0;
	choose_one(s, WEFT_FILE_SL2VL, dump);
	choose_one(s, WEFT_FILE_SL, dump);
	choose_one(s, WEFT_FILE_PATHS, dump);
	return choose_tables(s, dump);
}

static void report_tables(const struct scan *s, const struct weft__dump *dump)
{
	const struct weft__dump_tables *tables = &dump->tables;

	if (tables->n == 1)
		weft_diag_at(s->diag, WEFT_NOTE, tables->file[0], 0,
			     "read as the forwarding tables");
	else if (tables->n)
		weft_diag_at(s->diag, WEFT_NOTE, tables->file[0], 0,
			     "read as forwarding tables, with %u more files "
			     "beside it", tables->n - 1);
	if (dump->others.n)
		weft_diag_at(s->diag, WEFT_NOTE, dump->others.file[0], 0,
			     "compared with these");
}

/* Files that would tell about lanes. */
static void report_unread(const struct scan *s)
{
	static const struct {
		const char *pattern, *text;
	} unread[] = {
		{ "*.slvl", "not read: no SL2VL tables in a known layout" },
		{ "*.vl2vl", "not read: where switches choose lanes by the "
			"lane that a packet came in, instead of its service "
			"level, verdicts on credit loops do not know it" },
	};

	for (const struct file *f = s->file; f < s->file + s->n; f++)
		for (size_t i = 0; i < sizeof(unread) / sizeof(*unread); i++)
			if (!f->format &&
			    weft__dump_named(unread[i].pattern, f->name))
				weft_diag_at(s->diag, WEFT_WARNING, f->path, 0,
					     "%s", unread[i].text);
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
	if (s->wanted != WEFT__WANTED_TOPOLOGY)
		report_unread(s);
	if (left && s->wanted == WEFT__WANTED_ALL)
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

int weft__dump_find(const char *directory, enum weft__wanted wanted,
		    struct weft__dump *out, struct weft_diag *diag)
{
	bool topology = wanted != WEFT__WANTED_TABLES;
	struct scan s = { .diag = diag, .wanted = wanted };
	struct weft__dump dump = { 0 };
	int err = scan_directory(&s, directory, 0);

	if (!err)
		err = detect_all(&s);
	if (err)
		goto free_files;
	if (diag && diag->opened)
		diag->opened(diag->context, directory);
	err = choose(&s, &dump);
	if (err) {
		weft_diag_at(diag, WEFT_ERROR, directory, 0, "%s",
			     strerror(-err));
	} else if (topology ? !dump.file[WEFT_FILE_TOPOLOGY] : !dump.tables.n) {
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

static void free_tables(struct weft__dump_tables *tables)
{
	for (uint32_t i = 0; i < tables->n; i++)
		free(tables->file[i]);
	free(tables->file);
}

void weft__dump_free(struct weft__dump *dump)
{
	free_tables(&dump->tables);
	free_tables(&dump->others);
	for (unsigned kind = 0; kind < WEFT_FILE_KINDS; kind++)
		free(dump->file[kind]);
	*dump = (struct weft__dump){ 0 };
}
