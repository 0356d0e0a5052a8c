// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The one input of every tool: a file, a dump directory, a description. */
#include "io/input.h"

#include <weft/gen.h>
#include <weft/io.h>

#include "io/tables.h"

#include <errno.h>
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

/* The forwarding tables of a dump into routes->lft, which is empty yet. */
static int read_lfts(const struct weft__dump *dump, const char *input,
		     const struct weft_fabric *fabric,
		     struct weft_routes *routes, struct weft_diag *diag)
{
	struct once once = { .diag = diag };
	struct weft_diag passed = { .emit = pass_once, .context = &once };
	int err = weft_io_lft_init(fabric, &routes->lft);

	if (err)
		return weft_fail(diag, -err, "out of memory");
	for (uint32_t i = 0; i < dump->ntables && err >= 0; i++)
		err = weft__read_tables(dump->table[i], WEFT_FILE_TABLES,
					fabric, routes, &passed);
	finish_once(&once);
	if (err < 0)
		return err;
	weft__lft_missing(fabric, &routes->lft, input, diag);
	return 0;
}

static int read_dump(const struct weft__dump *dump, const char *directory,
		     const struct weft_fabric *fabric,
		     struct weft_routes *routes, struct weft_diag *diag)
{
	static const enum weft_file_kind others[] = {
		WEFT_FILE_SL2VL, WEFT_FILE_SL, WEFT_FILE_PATHS,
	};
	int err = 0;

	if (dump->ntables)
		err = read_lfts(dump, directory, fabric, routes, diag);
	for (unsigned i = 0; i < 3 && err >= 0; i++)
		if (dump->file[others[i]])
			err = weft__read_tables(dump->file[others[i]],
						others[i], fabric, routes,
						diag);
	return err < 0 ? err : 0;
}

static int open_directory(const char *directory, struct weft_input *in,
			  struct weft_diag *diag)
{
	struct weft__dump dump;
	int err = weft__dump_find(directory, true, &dump, diag);

	if (err)
		return err;
	err = weft_io_read_fabric(dump.file[WEFT_FILE_TOPOLOGY], &in->fabric,
				  diag);
	if (!err)
		err = read_dump(&dump, directory, in->fabric, &in->routes,
				diag);
	in->has_tables = dump.ntables > 0;
	in->has_sl2vl = dump.file[WEFT_FILE_SL2VL];
	in->has_sl = dump.file[WEFT_FILE_SL];
	in->has_paths = dump.file[WEFT_FILE_PATHS];
	in->topology_file = dump.file[WEFT_FILE_TOPOLOGY];
	dump.file[WEFT_FILE_TOPOLOGY] = NULL;
	weft__dump_free(&dump);
	return err;
}

static int open_named(const char *input, struct weft_input *in,
		      int (*load)(const char *, struct weft_fabric **,
				  struct weft_diag *), struct weft_diag *diag)
{
	in->topology_file = strdup(input);
	if (!in->topology_file)
		return weft_fail(diag, ENOMEM, "out of memory");
	return load(input, &in->fabric, diag);
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
	weft_diag_at(diag, WEFT_ERROR, input, 0, "cannot open: %s%s",
		     strerror(err), err == ENOENT ?
		     "; expected a topology file, a directory of dumps or a "
		     "synthetic fabric (weft gen --list)" : "");
	return -err;
}

static int open_any(const char *input, struct weft_input *in,
		    struct weft_diag *diag)
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
		weft_diag_at(diag, WEFT_NOTE, input, 0, "there is a file of "
			     "this name: read instead of the synthetic fabric");
	if (S_ISDIR(st.st_mode))
		return open_directory(input, in, diag);
	return open_named(input, in, weft_io_read_fabric, diag);
}

int weft_input_open(const char *input, struct weft_input *out,
		    struct weft_diag *diag)
{
	struct weft_input in = { 0 };
	int err;

	weft_layers_init(&in.routes.layers);
	err = open_any(input, &in, diag);
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
	free(in->topology_file);
	*in = (struct weft_input){ 0 };
}

static int tables_of_directory(const char *directory,
			       const struct weft_fabric *fabric,
			       struct weft_routes *routes,
			       struct weft_diag *diag)
{
	struct weft__dump dump;
	int err = weft__dump_find(directory, false, &dump, diag);

	if (err)
		return err;
	err = read_dump(&dump, directory, fabric, routes, diag);
	weft__dump_free(&dump);
	return err;
}

static int tables_of_file(const char *path, const struct weft_fabric *fabric,
			  struct weft_routes *routes, struct weft_diag *diag)
{
	char *paths[] = { (char *)path };
	const struct weft__dump dump = { .table = paths, .ntables = 1 };
	const struct weft_format *format;
	int err = weft_io_detect(path, &format, diag);

	if (err)
		return err;
	if (!format || format->kind != WEFT_FILE_TABLES) {
		weft_diag_at(diag, WEFT_ERROR, path, 0,
			     "no forwarding tables here");
		return -EINVAL;
	}
	return read_lfts(&dump, path, fabric, routes, diag);
}

int weft_io_read_tables(const char *path, const struct weft_fabric *fabric,
			struct weft_routes *out, struct weft_diag *diag)
{
	struct weft_routes routes = { 0 };
	struct stat st;
	int err;

	weft_layers_init(&routes.layers);
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		err = tables_of_directory(path, fabric, &routes, diag);
	else
		err = tables_of_file(path, fabric, &routes, diag);
	if (err)
		weft_routes_free(&routes);
	else
		*out = routes;
	return err;
}
