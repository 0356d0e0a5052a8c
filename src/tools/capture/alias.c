// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft capture --anonymise: fabrics that may be shown to others. */
#include "tools/capture/capture.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_MIN 16
#define KEY_MAX 4096

/* The key in a file, or one that nobody will know; false after an error. */
static bool read_key(struct tool *t, const char *path,
		     struct weft_alias_key *key)
{
	char text[KEY_MAX];
	size_t n = 0;
	FILE *in;

	if (!path) {
		if (getrandom(key, sizeof(*key), 0) == (ssize_t)sizeof(*key))
			return true;
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "no random key: %s; give --key a file",
			      strerror(errno));
		return false;
	}
	in = fopen(path, "r");
	errno = in ? 0 : errno;
	if (in) {
		n = fread(text, 1, sizeof(text), in);
		fclose(in);
	}
	*key = weft_alias_key_of(text, n);
	explicit_bzero(text, sizeof(text));
	if (n >= KEY_MIN && n < KEY_MAX)
		return true;
	if (errno)
		weft_diag_at(&t->diag, WEFT_ERROR, path, 0,
			     "cannot read the key: %s", strerror(errno));
	else
		weft_diag_at(&t->diag, WEFT_ERROR, path, 0,
			     "a key is 16 to 4095 bytes long, not %zu; 'head -c 32 /dev/urandom >FILE' makes one",
			     n);
	return false;
}

bool tool_capture_aliases(struct tool *t, const struct weft_fabric *f,
			  struct weft_aliases **out)
{
	const struct capture_options *own = t->own;
	struct weft_alias_key key;
	bool ok = read_key(t, own->key, &key) &&
		  !weft_aliases_new(f, key, out, &t->diag);

	explicit_bzero(&key, sizeof(key));
	return ok;
}

static bool write_kind(struct tool *t, const char *directory,
		       enum weft_file_kind kind, const struct weft_fabric *f,
		       const struct weft_routes *routes)
{
	static const char *const name[WEFT_FILE_KINDS] = {
		[WEFT_FILE_TOPOLOGY] = CAPTURE_TOPOLOGY,
		[WEFT_FILE_TABLES] = CAPTURE_LFTS,
		[WEFT_FILE_SL2VL] = CAPTURE_SL2VL,
		[WEFT_FILE_SL] = CAPTURE_SL,
		[WEFT_FILE_PATHS] = CAPTURE_PATHS,
	};
	FILE *out = tool_output_open_in(t, directory, name[kind]);

	if (!tool_dump_write_file(t, out, kind, f, routes))
		return false;
	if (kind == WEFT_FILE_TABLES)
		tool_output_key(out);
	return true;
}

bool tool_capture_write(struct tool *t, const char *directory,
			const struct weft_fabric *f,
			const struct weft_routes *routes, unsigned kinds)
{
	static const char *const dropped[] = {
		CAPTURE_LFTS,
		CAPTURE_SL,
		CAPTURE_SL2VL,
		CAPTURE_PATHS,
	};
	static const enum weft_file_kind kind[] = {
		WEFT_FILE_TABLES,
		WEFT_FILE_SL,
		WEFT_FILE_SL2VL,
		WEFT_FILE_PATHS,
	};

	for (size_t i = 0; i < sizeof(kind) / sizeof(kind[0]); i++)
		if (kinds >> kind[i] & 1 ?
			    !write_kind(t, directory, kind[i], f, routes) :
			    !tool_output_drop(t, directory, dropped[i]))
			return false;
	return write_kind(t, directory, WEFT_FILE_TOPOLOGY, f, routes);
}

/* The files of comma-separated values that a directory has, and no others. */
static bool write_values(struct tool *t, const char *input,
			 const char *directory,
			 const struct weft_aliases *aliases)
{
	for (const char *const *name = weft_io_value_files; *name; name++) {
		char path[PATH_MAX];
		FILE *out;

		if ((size_t)snprintf(path, sizeof(path), "%s/%s", input,
				     *name) >= sizeof(path) ||
		    access(path, F_OK)) {
			if (!tool_output_drop(t, directory, *name))
				return false;
			continue;
		}
		out = tool_output_open_in(t, directory, *name);
		if (!out || weft_io_alias_values(path, aliases, out, &t->diag))
			return false;
	}
	return tool_output_drop(t, directory, CAPTURE_SUMMARY);
}

static bool write_aliases(struct tool *t, const char *directory,
			  const struct weft_input *in,
			  const struct weft_aliases *aliases)
{
	struct weft_routes routes = { 0 };
	struct weft_fabric *f = NULL;
	unsigned kinds = 0;
	bool ok;

	for (unsigned kind = 0; kind < WEFT_FILE_KINDS; kind++)
		kinds |= (in->sources.file[kind] != NULL) << kind;
	ok = !weft_alias_fabric(aliases, &f, &t->diag) &&
	     !weft_alias_routes(aliases, &in->routes, &routes, &t->diag) &&
	     tool_capture_write(t, directory, f, &routes, kinds);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	return ok;
}

enum tool_status tool_capture_anonymise(struct tool *t, const char *input,
					const char *directory)
{
	struct weft_aliases *aliases = NULL;
	struct weft_input in;
	bool ok;

	if (!tool_input_open(t, input, false, &in))
		return TOOL_FAILED;
	ok = tool_capture_aliases(t, in.fabric, &aliases) &&
	     write_aliases(t, directory, &in, aliases) &&
	     write_values(t, input, directory, aliases);
	weft_aliases_free(aliases);
	weft_input_close(&in);
	return ok ? TOOL_FINE : TOOL_FAILED;
}
