// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choosing the files of a dump directory; see input.h. */
#include "io/input.h"

#include "io/compressed.h"
#include "io/formats.h"
#include "io/input_scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the choice ------------------------------------------------------- */

static bool is_kind(const struct weft__dump_file *f, enum weft_file_kind kind)
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

static struct rank rank_of(const struct weft__dump_file *f)
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
static bool is_alike(const struct weft__dump_file *a,
		     const struct weft__dump_file *b)
{
	struct rank x = rank_of(a), y = rank_of(b);

	return x.depth == y.depth && x.unusual == y.unusual &&
	       x.format == y.format;
}

static bool is_better(const struct weft__dump_file *a,
		      const struct weft__dump_file *b)
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

static struct weft__dump_file *choose_topology(struct weft__scan *s)
{
	struct weft__dump_file *best = NULL;
	uint32_t equals = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		struct weft__dump_file *f = &s->file[i];

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
			     "read as the topology, though %u other%s of the same kind would do as well: name one to have it read",
			     equals, equals == 1 ? "" : "s");
	return best;
}

/* The first file of a format: one with the name of its dumps, if there is. */
static struct weft__dump_file *first_of_format(struct weft__scan *s,
				    const struct weft__format *format)
{
	struct weft__dump_file *first = NULL;

	for (uint32_t i = 0; i < s->n; i++) {
		struct weft__dump_file *f = &s->file[i];

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
static struct weft__dump_file *first_of(struct weft__scan *s,
					enum weft_file_kind kind)
{
	for (const struct weft__format *const *f = weft__formats; *f; f++) {
		struct weft__dump_file *first = (*f)->row.kind == kind ?
				     first_of_format(s, *f) : NULL;

		if (first)
			return first;
	}
	return NULL;
}

/* The file of a file's directory and format that holds the tables of all
 * switches; NULL where each holds those of one. */
static struct weft__dump_file *whole_of(struct weft__scan *s,
					struct weft__dump_file *first)
{
	const char *whole = first->format->whole;

	if (!whole)
		return first;
	for (struct weft__dump_file *f = first; f < s->file + s->n; f++)
		if (f->group == first->group && f->format == first->format &&
		    weft__dump_named(whole, f->name))
			return f;
	return NULL;
}

/* The file of all tables that first is one of, or all files of its directory
 * and format.  0 or -ENOMEM. */
static int take_tables(struct weft__scan *s, struct weft__dump_file *first,
		       struct weft__dump_tables *tables)
{
	struct weft__dump_file *whole = whole_of(s, first);
	struct weft__dump_file *f = whole ? whole : first;
	struct weft__dump_file *end = whole ? whole + 1 : s->file + s->n;

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
static int choose_tables(struct weft__scan *s, struct weft__dump *dump)
{
	struct weft__dump_file *first = first_of(s, WEFT_FILE_TABLES);
	int err;

	if (!first)
		return 0;
	err = take_tables(s, first, &dump->tables);
	for (uint32_t i = 0; i < s->n && !err; i++) {
		struct weft__dump_file *f = &s->file[i];

		if (is_kind(f, WEFT_FILE_TABLES) && f->group == first->group &&
		    f->format != first->format)
			return take_tables(s, f, &dump->others);
	}
	return err;
}

static void choose_one(struct weft__scan *s, enum weft_file_kind kind,
		       struct weft__dump *dump)
{
	struct weft__dump_file *f = first_of(s, kind);

	if (!f)
		return;
	f->used = true;
	dump->file[kind] = strdup(f->path);
}

/* A file that tells whose the LIDs are.  0 or -ENOMEM. */
static int choose_owners(struct weft__scan *s, struct weft__dump *dump)
{
	const struct weft__dump_file *f = first_of_format(s,
							&weft__format_lfts);

	if (!f)
		return 0;
	dump->owners = strdup(f->path);
	return dump->owners ? 0 : -ENOMEM;
}

static int choose_multicast(struct weft__scan *s, struct weft__dump *dump)
{
	struct weft__dump_file *first = first_of(s, WEFT_FILE_MULTICAST);

	return first ? take_tables(s, first, &dump->multicast) : 0;
}

static int choose(struct weft__scan *s, struct weft__dump *dump)
{
	const struct weft__dump_file *topology = NULL;
	int err = choose_owners(s, dump);

	if (err)
		return err;

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
	err = choose_multicast(s, dump);
	return err ? err : choose_tables(s, dump);
}

static void report_files(const struct weft__scan *s,
			 const struct weft__dump_tables *tables,
			 const char *what)
{
	if (tables->n == 1)
		weft_diag_at(s->diag, WEFT_NOTE, tables->file[0], 0,
			     "read as the %s tables", what);
	else if (tables->n)
		weft_diag_at(s->diag, WEFT_NOTE, tables->file[0], 0,
			     "read as %s tables, with %u more files beside it",
			     what, tables->n - 1);
}

static void report_tables(const struct weft__scan *s,
			  const struct weft__dump *dump)
{
	report_files(s, &dump->tables, "forwarding");
	report_files(s, &dump->multicast, "multicast");
	if (dump->others.n)
		weft_diag_at(s->diag, WEFT_NOTE, dump->others.file[0], 0,
			     "compared with these");
}

/* Whether a file names anything by its GUID; one that cannot be read may. */
static bool names_guids(const struct weft__scan *s,
			const struct weft__dump_file *f)
{
	struct weft__source source;
	struct weft__line all;
	bool found;

	if (weft__dump_open(f->path, WEFT__LOOK_MAX, &source, s->diag))
		return true;
	all = (struct weft__line){ .p = source.data,
				   .end = source.data + source.size };
	found = weft__find_text(&all, "0x");
	weft__source_close(&source);
	return found;
}

/* Files that would tell about lanes. */
static void report_unread(const struct weft__scan *s)
{
	static const struct {
		const char *pattern, *text;
	} unread[] = {
		{ "*.far",
			"not read: adaptive-routing tables; verdicts are of static routes"
			},
		{ "*.slvl", "not read: no SL2VL tables in a known layout" },
		{ "*.vl2vl",
			"not read: where switches choose lanes by the lane that a packet came in, instead of its service level, verdicts on credit loops do not know it"
			},
	};

	for (uint32_t k = 0; k < s->n; k++) {
		const struct weft__dump_file *f = &s->file[k];

		for (size_t i = 0; i < sizeof(unread) / sizeof(*unread); i++)
			if (!f->format &&
			    weft__dump_named(unread[i].pattern, f->name) &&
			    names_guids(s, f))
				weft_diag_at(s->diag, WEFT_WARNING, f->path, 0,
					     "%s", unread[i].text);
	}
}

static void report(const struct weft__scan *s, const char *directory,
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
			     "only %u files were looked at", WEFT__MAX_FILES);
}

/* Whether an interrupted weft capture left its answers there. */
static bool is_interrupted(const char *directory)
{
	char *journal;
	bool there;

	if (asprintf(&journal, "%s/.weft-capture", directory) < 0)
		return false;
	there = !access(journal, F_OK);
	free(journal);
	return there;
}

static int nothing_here(const struct weft__scan *s, const char *directory,
			bool topology)
{
	if (is_interrupted(directory))
		weft_diag_at(s->diag, WEFT_ERROR, directory, 0,
			     "a capture that was interrupted: 'weft capture %s' goes on with it",
			     directory);
	else if (!topology)
		weft_diag_at(s->diag, WEFT_ERROR, directory, 0,
			     "no forwarding tables here: %u file%s, and none holds any",
			     s->n, s->n == 1 ? "" : "s");
	else
		weft_diag_at(s->diag, WEFT_ERROR, directory, 0,
			     "no topology in this directory, only %u other file%s; expected what ibnetdiscover or ibdiagnet writes, or opensm-subnet.lst",
			     s->n,
			     s->n == 1 ? "" : "s");
	return -EINVAL;
}

int weft__dump_find(const char *directory, enum weft__wanted wanted,
		    struct weft__dump *out, struct weft_diag *diag)
{
	bool topology = wanted != WEFT__WANTED_TABLES;
	struct weft__scan s = { .diag = diag, .wanted = wanted };
	struct weft__dump dump = { 0 };
	int err = weft__scan_files(&s, directory);

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
	weft__scan_free(&s);
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
	free_tables(&dump->multicast);
	free(dump->owners);
	for (unsigned kind = 0; kind < WEFT_FILE_KINDS; kind++)
		free(dump->file[kind]);
	*dump = (struct weft__dump){ 0 };
}
