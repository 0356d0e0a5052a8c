// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The one input of every tool: a file, a dump directory, a description. */
#include "io/input.h"

#include <weft/gen.h>
#include <weft/io.h>

#include "io/tables/lmc_told.h"
#include "io/tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * A receiver that passes on the first message of each wording and counts the
 * others: one defect of a capture often repeats in the file of each switch.
 */
#define WORDINGS 16

struct once {
	struct weft_diag *diag;
	char *text[WORDINGS];
	unsigned repeated[WORDINGS];
	unsigned n;
};

static void pass_once(void *context, const struct weft_message *m)
{
	struct once *once = context;
	unsigned i = 0;

	while (i < once->n && strcmp(once->text[i], m->text))
		i++;
	if (i < once->n && m->severity != WEFT_ERROR) {
		once->repeated[i]++;
		return;
	}
	if (i == once->n && once->n < WORDINGS) {
		once->text[once->n] = strdup(m->text);
		once->n += once->text[once->n] != NULL;
	}
	weft_diag_at(once->diag, m->severity, m->file, m->line, "%s", m->text);
}

static void pass_opened(void *context, const char *path)
{
	struct once *once = context;

	if (once->diag && once->diag->opened)
		once->diag->opened(once->diag->context, path);
}

static void finish_once(struct once *once)
{
	for (unsigned i = 0; i < once->n; i++) {
		if (once->repeated[i])
			weft_diag_say(once->diag, WEFT_NOTE,
				      "the same in %u more place%s: %s",
				      once->repeated[i],
				      once->repeated[i] == 1 ? "" : "s",
				      once->text[i]);
		free(once->text[i]);
	}
}

static int read_files(const struct weft__dump_tables *tables,
		      const struct weft_fabric *fabric,
		      struct weft_routes *routes, struct weft_diag *diag)
{
	struct once once = { .diag = diag };
	struct weft_diag passed = {
		.emit = pass_once, .opened = pass_opened, .context = &once };
	int err = weft_io_lft_init(fabric, &routes->lft);

	if (err)
		return weft_fail(diag, -err, "out of memory");
	for (uint32_t i = 0; i < tables->n && err >= 0; i++)
		err = weft__read_tables(tables->file[i], WEFT_FILE_TABLES,
					fabric, routes, &passed);
	finish_once(&once);
	return err < 0 ? err : 0;
}

/* Warns where tables are not those of other files beside them. */
static void compare(const struct weft__dump *dump,
		    const struct weft_fabric *fabric,
		    const struct weft_lft *read, const struct weft_lft *other,
		    struct weft_diag *diag)
{
	struct weft_lft_diff diff;
	uint32_t s = 0;
	unsigned lid = 0;

	weft_lft_compare(read, other, &diff);
	if (!diff.entries)
		return;
	while (weft_lft_get(read, s, lid) == weft_lft_get(other, s, lid)) {
		s += lid == fabric->max_lid;
		lid = lid == fabric->max_lid ? 0 : lid + 1;
	}
	weft_diag_at(diag, WEFT_WARNING, dump->others.file[0], 0,
		     "it disagrees with %s, which is what counts here: %" PRIu64 " entries of %" PRIu32
		     " switches differ, the first for LID %u on \"%s\" (0x%016" PRIx64 "): port %u here, %u there (255: none)",
		     dump->tables.file[0],
		     diff.entries, diff.switches, lid, fabric->sw[s].name,
		     fabric->sw[s].guid, weft_lft_get(other, s, lid),
		     weft_lft_get(read, s, lid));
}

/* The forwarding tables of a dump into routes->lft, which is empty yet. */
static int read_lfts(const struct weft__dump *dump, const char *input,
		     const struct weft_fabric *fabric,
		     struct weft_routes *routes, struct weft_diag *diag)
{
	struct weft_routes others = { 0 };
	int err = read_files(&dump->tables, fabric, routes, diag);

	if (!err)
		weft__lft_missing(fabric, &routes->lft, input, diag);
	if (!err)
		weft__warn_unowned(fabric, &routes->lft, dump->tables.file[0],
				   diag);
	if (!err && dump->others.n) {
		err = read_files(&dump->others, fabric, &others, diag);
		if (!err)
			compare(dump, fabric, &routes->lft, &others.lft, diag);
		weft_routes_free(&others);
	}
	return err;
}

static int read_dump(const struct weft__dump *dump, const char *directory,
		     const struct weft_fabric *fabric,
		     struct weft_routes *routes, struct weft_diag *diag)
{
	static const enum weft_file_kind others[] = {
		WEFT_FILE_SL2VL, WEFT_FILE_SL, WEFT_FILE_PATHS,
	};
	int err = 0;

	if (dump->tables.n)
		err = read_lfts(dump, directory, fabric, routes, diag);
	for (unsigned i = 0; i < 3 && err >= 0; i++)
		if (dump->file[others[i]])
			err = weft__read_tables(dump->file[others[i]],
						others[i], fabric, routes,
						diag);
	return err < 0 ? err : 0;
}

void weft_sources_free(struct weft_sources *sources)
{
	for (unsigned kind = 0; kind < WEFT_FILE_KINDS; kind++)
		free(sources->file[kind]);
	for (uint32_t i = 0; i < sources->nmulticast; i++)
		free(sources->multicast[i]);
	free(sources->multicast);
	*sources = (struct weft_sources){ 0 };
}

/* Moves the names out of the dump. */
static void take_sources(struct weft__dump *dump, struct weft_sources *sources)
{
	for (unsigned kind = 0; kind < WEFT_FILE_KINDS; kind++) {
		sources->file[kind] = dump->file[kind];
		dump->file[kind] = NULL;
	}
	sources->ntables = dump->tables.n;
	if (dump->tables.n) {
		sources->file[WEFT_FILE_TABLES] = dump->tables.file[0];
		dump->tables.file[0] = NULL;
	}
	sources->multicast = dump->multicast.file;
	sources->nmulticast = dump->multicast.n;
	dump->multicast = (struct weft__dump_tables){ 0 };
}

/* Lets a fabric have what tables tell of its LMCs. */
static int add_lmc(const char *tables, struct weft_fabric **fabric,
		   struct weft_diag *diag)
{
	struct weft_fabric *told;
	int err = weft__lmc_told(tables, *fabric, &told, diag);

	if (err || !told)
		return err;
	weft_fabric_free(*fabric);
	*fabric = told;
	return 0;
}

static int open_directory(const char *directory, enum weft__wanted wanted,
			  struct weft_input *in, struct weft_diag *diag)
{
	struct weft__dump dump;
	int err = weft__dump_find(directory, wanted, &dump, diag);

	if (err)
		return err;
	err = weft_io_read_fabric(dump.file[WEFT_FILE_TOPOLOGY], &in->fabric,
				  diag);
	if (!err && dump.owners)
		err = add_lmc(dump.owners, &in->fabric, diag);
	if (!err)
		err = read_dump(&dump, directory, in->fabric, &in->routes,
				diag);
	take_sources(&dump, &in->sources);
	weft__dump_free(&dump);
	return err;
}

static int open_named(const char *input, struct weft_input *in,
		      int (*load)(const char *, struct weft_fabric **,
				  struct weft_diag *), struct weft_diag *diag)
{
	char *name = strdup(input);

	in->sources.file[WEFT_FILE_TOPOLOGY] = name;
	return name ? load(input, &in->fabric, diag) :
		      weft_no_memory(diag);
}

/* Neither a file nor a description: "pgtf:2;..." or "ring,16"? */
static bool like_description(const char *input)
{
	size_t word = strspn(input, "abcdefghijklmnopqrstuvwxyz0123456789");

	return word && (input[word] == ':' || input[word] == ',') &&
	       !strchr(input, '/');
}

static int no_such_input(const char *input, int err, struct weft_diag *diag)
{
	const char *near = err == ENOENT ? weft_gen_near(input) : NULL;

	if (near)
		return weft_fail_at(diag, err, input, 0,
				    "cannot open: %s; did you mean the synthetic fabric '%s'?",
				    strerror(err), near);
	weft_diag_at(diag, WEFT_ERROR, input, 0, "cannot open: %s%s",
		     strerror(err), err == ENOENT ?
		     "; expected a topology file, a directory of dumps or a synthetic fabric (weft gen --list)"
		     : "");
	return -err;
}

static int open_any(const char *input, enum weft__wanted wanted,
		    struct weft_input *in, struct weft_diag *diag)
{
	bool spec = weft_gen_is_spec(input);
	struct stat st;

	if (!strcmp(input, "-"))
		return open_named(input, in, weft_io_read_fabric, diag);
	if (stat(input, &st)) {
		int err = errno;

		/* weft_gen() has words for families that it does not know. */
		if (spec || like_description(input))
			return open_named(input, in, weft_gen, diag);
		return no_such_input(input, err, diag);
	}
	if (spec)
		weft_diag_at(diag, WEFT_NOTE, input, 0,
			     "there is a file of this name: read instead of the synthetic fabric");
	if (S_ISDIR(st.st_mode))
		return open_directory(input, wanted, in, diag);
	return open_named(input, in, weft_io_read_fabric, diag);
}

int weft_input_open(const char *input, bool fabric_only,
		    struct weft_input *out, struct weft_diag *diag)
{
	struct weft_input in = { 0 };
	int err;

	weft_layers_init(&in.routes.layers);
	err = open_any(input, fabric_only ? WEFT__WANTED_TOPOLOGY :
		       WEFT__WANTED_ALL, &in, diag);
	if (err)
		weft_input_close(&in);
	else
		*out = in;
	return err;
}

void weft_input_close(struct weft_input *in)
{
	weft_fabric_free(in->fabric);
	weft_routes_free(&in->routes);
	weft_sources_free(&in->sources);
	*in = (struct weft_input){ 0 };
}

static int tables_of_directory(const char *directory,
			       const struct weft_fabric *fabric,
			       struct weft_routes *routes,
			       struct weft_sources *sources,
			       struct weft_diag *diag)
{
	struct weft__dump dump;
	int err = weft__dump_find(directory, WEFT__WANTED_TABLES, &dump, diag);

	if (err)
		return err;
	err = read_dump(&dump, directory, fabric, routes, diag);
	take_sources(&dump, sources);
	weft__dump_free(&dump);
	return err;
}

int weft_io_read_lmc(const char *path, const struct weft_fabric *fabric,
		     struct weft_fabric **out, struct weft_diag *diag)
{
	struct weft__dump dump = { 0 };
	struct stat st;
	int err = 0;

	*out = NULL;
	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return weft__lmc_told(path, fabric, out, diag);
	/* What is wrong with the directory its reader says. */
	if (!weft__dump_find(path, WEFT__WANTED_TABLES, &dump, NULL) &&
	    dump.owners)
		err = weft__lmc_told(dump.owners, fabric, out, diag);
	weft__dump_free(&dump);
	return err;
}

static int tables_of_file(const char *path, const struct weft_fabric *fabric,
			  struct weft_routes *routes,
			  struct weft_sources *sources, struct weft_diag *diag)
{
	char *paths[] = { (char *)path };
	const struct weft__dump dump = { .tables = { paths, 1 } };
	const struct weft_format *format;
	int err = weft_io_detect(path, &format, diag);

	if (err)
		return err;
	if (!format || format->kind != WEFT_FILE_TABLES) {
		weft_diag_at(diag, WEFT_ERROR, path, 0,
			     "no forwarding tables here");
		return -EINVAL;
	}
	sources->ntables = 1;
	sources->file[WEFT_FILE_TABLES] = strdup(path);
	return read_lfts(&dump, path, fabric, routes, diag);
}

int weft_io_read_tables(const char *path, const struct weft_fabric *fabric,
			struct weft_routes *out, struct weft_sources *sources,
			struct weft_diag *diag)
{
	struct weft_routes routes = { 0 };
	struct weft_sources from = { 0 };
	struct stat st;
	int err;

	weft_layers_init(&routes.layers);
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		err = tables_of_directory(path, fabric, &routes, &from, diag);
	else
		err = tables_of_file(path, fabric, &routes, &from, diag);
	if (err)
		weft_routes_free(&routes);
	else
		*out = routes;
	if (err || !sources)
		weft_sources_free(&from);
	else
		*sources = from;
	return err;
}
