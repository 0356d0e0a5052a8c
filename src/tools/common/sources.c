// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which files topology and tables were read from. */
#include "tools/common/tool.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	enum weft_file_kind kind;
	const char *key;
} kinds[] = {
	{ WEFT_FILE_TOPOLOGY, "topology" }, { WEFT_FILE_TABLES, "tables" },
	{ WEFT_FILE_SL2VL, "sl2vl" }, { WEFT_FILE_SL, "sl" },
	{ WEFT_FILE_PATHS, "paths" }, { WEFT_FILE_MULTICAST, "multicast" },
};
#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

static const char *file_of(const struct tool_case *c, enum weft_file_kind kind)
{
	if (kind == WEFT_FILE_TOPOLOGY)
		return c->topology;
	if (kind == WEFT_FILE_MULTICAST && c->sources)
		return c->sources->nmulticast ? c->sources->multicast[0] :
						NULL;
	return c->sources ? c->sources->file[kind] : NULL;
}

/* The name of a file without the directory that the command line names. */
static const char *within(const char *file, const char *directory)
{
	size_t n = strlen(directory);

	if (strncmp(file, directory, n))
		return NULL;
	file += n;
	return *file == '/' ? file + 1 : n && directory[n - 1] == '/' ? file :
	       NULL;
}

/* Adds what is not named already. */
static void list(const struct tool_case *c, FILE *out)
{
	const char *comma = "";

	for (size_t i = 0; i < NKINDS; i++) {
		const char *file = file_of(c, kinds[i].kind), *name;
		uint32_t more;

		name = file ? within(file, c->label) : NULL;
		if (file && !name)
			name = within(file, c->input);
		if (!name)
			continue;
		fprintf(out, "%s%s", comma, name);
		comma = ", ";
		more = kinds[i].kind == WEFT_FILE_TABLES ? c->sources->ntables :
		       kinds[i].kind == WEFT_FILE_MULTICAST ?
		       c->sources->nmulticast : 1;
		if (more > 1)
			fprintf(out, " and %u more", more - 1);
	}
}

char *tool_sources_text(const struct tool_case *c)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (c->sources)
		list(c, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

json_t *tool_sources_json(const struct tool_case *c)
{
	json_t *read = json_object();

	for (size_t i = 0; i < NKINDS; i++) {
		const char *file = file_of(c, kinds[i].kind);

		json_object_set_new(read, kinds[i].key, file ?
				    tool_json_string(file) : json_null());
	}
	json_object_set_new(read, "table_files", json_integer(
			    c->sources ? c->sources->ntables : 0));
	return read;
}
