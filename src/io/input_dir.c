// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choosing the files of a dump directory; see input.h. */
#include "io/input.h"

#include <weft/io.h>

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
	enum weft_format format;
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

/* Empty files hold nothing, and those of /proc, which look so, are not read, for
 * some of them wait for ever; but a dump should not be empty: a full disk? */
static void miss_empty(const struct scan *s, const char *path, const char *name)
{
	static const char *const dumps[] = {
		"opensm-lfts.dump", "opensm-subnet.lst", "opensm.fdbs",
		"weft-*.dump", "*ibnetdiscover*",
	};

	for (unsigned i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++) {
		if (fnmatch(dumps[i], name, 0))
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
		int err = weft_io_detect(s->file[i].path, &s->file[i].format,
					 NULL);

		if (err)
			weft_diag_at(s->diag, WEFT_WARNING, s->file[i].path, 0,
				     "skipped: %s", strerror(-err));
	}
}

/* --- the choice ------------------------------------------------------- */

/* Names that topologies usually have, the best first. */
static const char *const usual[] = {
	"*.ibnetdiscover", "ibnetdiscover*", "*.topo", "ib-subnet-*",
	"opensm-subnet.lst", "ibdiagnet2.lst",
};
#define USUAL (sizeof(usual) / sizeof(*usual))

static unsigned name_rank(const struct file *f)
{
	unsigned i = 0;

	while (i < USUAL && fnmatch(usual[i], f->name, 0))
		i++;
	return i;
}

/*
 * Smaller is better: files of the directory itself, then those with a usual
 * name, then the format that tells most.
 */
static unsigned topology_class(const struct file *f)
{
	unsigned format = f->format == WEFT_FORMAT_IBNETDISCOVER ? 0 :
			  f->format == WEFT_FORMAT_ROWS ? 1 : 2;

	return (f->depth * 2 + (name_rank(f) == USUAL)) * 3 + format;
}

static unsigned topology_rank(const struct file *f)
{
	return topology_class(f) * (USUAL + 1) + name_rank(f);
}

static bool is_topology(const struct file *f)
{
	return f->format == WEFT_FORMAT_IBNETDISCOVER ||
	       f->format == WEFT_FORMAT_ROWS ||
	       f->format == WEFT_FORMAT_SUBNET_LST;
}

static struct file *choose_topology(struct scan *s)
{
	struct file *best = NULL;
	uint32_t equals = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		struct file *f = &s->file[i];

		if (is_topology(f) &&
		    (!best || topology_rank(f) < topology_rank(best)))
			best = f;
	}
	if (!best)
		return NULL;
	best->used = true;
	for (uint32_t i = 0; i < s->n; i++)
		equals += is_topology(&s->file[i]) && !s->file[i].used &&
			topology_class(&s->file[i]) == topology_class(best);
	if (equals)
		weft_diag_at(s->diag, WEFT_WARNING, best->path, 0,
			     "read as the topology, though %u other%s of the "
			     "same kind would do as well: name one to have it "
			     "read", equals, equals == 1 ? "" : "s");
	return best;
}

static struct file *first_of(struct scan *s, enum weft_format format)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->file[i].format == format)
			return &s->file[i];
	return NULL;
}

/*
 * Tables: of the first directory that has any.  opensm-lfts.dump holds them
 * all; otherwise each file is one switch's.
 */
static uint32_t choose_tables(struct scan *s)
{
	struct file *first = first_of(s, WEFT_FORMAT_LFTS);
	uint32_t n = 0;

	if (!first) {
		first = first_of(s, WEFT_FORMAT_FDBS);
		if (first)
			first->used = true;
		return first != NULL;
	}
	for (struct file *f = first; f < s->file + s->n; f++)
		if (f->group == first->group &&
		    f->format == WEFT_FORMAT_LFTS &&
		    !strcmp(f->name, "opensm-lfts.dump")) {
			f->used = true;
			return 1;
		}
	for (struct file *f = first; f < s->file + s->n; f++)
		if (f->group == first->group && f->format == first->format) {
			f->used = true;
			n++;
		}
	return n;
}

static char *choose_one(struct scan *s, enum weft_format format)
{
	struct file *f = first_of(s, format);

	if (!f)
		return NULL;
	f->used = true;
	return strdup(f->path);
}

static bool is_table(const struct file *f)
{
	return f->format == WEFT_FORMAT_LFTS || f->format == WEFT_FORMAT_FDBS;
}

static int take_tables(struct scan *s, struct weft__dump *dump)
{
	uint32_t n = choose_tables(s);

	dump->table = calloc(n + 1ull, sizeof(*dump->table));
	if (!dump->table)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct file *f = &s->file[i];

		if (!f->used || !is_table(f))
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
		dump->topology = strdup(topology->path);
		if (!dump->topology)
			return -ENOMEM;
	}
	dump->sl2vl = choose_one(s, WEFT_FORMAT_SL2VL);
	dump->sl = choose_one(s, WEFT_FORMAT_SL);
	dump->paths = choose_one(s, WEFT_FORMAT_PATHS);
	return take_tables(s, dump);
}

static void report(const struct scan *s, const char *directory,
		   const struct weft__dump *dump)
{
	uint32_t left = 0;

	if (dump->topology)
		weft_diag_at(s->diag, WEFT_NOTE, dump->topology, 0,
			     "read as the topology");
	if (dump->ntables == 1)
		weft_diag_at(s->diag, WEFT_NOTE, dump->table[0], 0,
			     "read as the forwarding tables");
	else if (dump->ntables)
		weft_diag_at(s->diag, WEFT_NOTE, dump->table[0], 0,
			     "read as forwarding tables, with %u more files "
			     "beside it", dump->ntables - 1);
	if (dump->sl2vl)
		weft_diag_at(s->diag, WEFT_NOTE, dump->sl2vl, 0,
			     "read as the SL2VL tables");
	if (dump->sl)
		weft_diag_at(s->diag, WEFT_NOTE, dump->sl, 0,
			     "read as the service levels");
	if (dump->paths)
		weft_diag_at(s->diag, WEFT_NOTE, dump->paths, 0,
			     "read as the LIDs that sources send to");
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
	} else if (topology ? !dump.topology : !dump.ntables) {
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
	free(dump->topology);
	free(dump->sl2vl);
	free(dump->sl);
	free(dump->paths);
	*dump = (struct weft__dump){ 0 };
}
