// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads what the plugin tells of cables that come and go; see flapping.h. */
#include "tools/check/flapping.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* The last line that is an object: one that is being written is none yet. */
static json_t *last_line(FILE *in)
{
	char *text = NULL;
	size_t room = 0;
	json_t *line = NULL;
	ssize_t n;

	while ((n = getline(&text, &room, in)) > 0) {
		json_t *next = text[n - 1] == '\n' ?
			json_loadb(text, n, 0, NULL) : NULL;

		if (!next)
			continue;
		json_decref(line);
		line = next;
	}
	free(text);
	return line;
}

json_t *tool_flapping_read(const char *directory)
{
	char path[PATH_MAX];
	json_t *line, *flapping;
	FILE *in = NULL;

	if (snprintf(path, sizeof(path), "%s/weft-sweeps.jsonl", directory) <
	    (int)sizeof(path))
		in = fopen(path, "re");
	if (!in)
		return NULL;
	line = last_line(in);
	fclose(in);
	flapping = json_incref(json_object_get(line, "flapping"));
	json_decref(line);
	return flapping;
}
