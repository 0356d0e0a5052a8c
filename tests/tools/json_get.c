// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * json_get PATH...: reads one JSON value from standard input, prints what is
 * at each path ("ebb.mean", "1.hosts" for an element of an array) on a line;
 * the path "--keys" stands for all paths there are, a line each, those of elements
 * without their number, "path.*" for null and an empty array.
 * In an array of one element a path may begin with what is in that.  Exit status
 * 1: no JSON, or nothing there.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *step(json_t *value, const char *name)
{
	if (json_is_array(value) && json_array_size(value) == 1 &&
	    (*name < '0' || *name > '9'))
		return step(json_array_get(value, 0), name);
	if (json_is_array(value))
		return json_array_get(value, strtoul(name, NULL, 10));
	return json_object_get(value, name);
}

static json_t *walk(json_t *value, const char *path)
{
	char *copy = strdup(path), *rest = copy, *name;

	while (value && (name = strsep(&rest, ".")))
		value = *name ? step(value, name) : value;
	free(copy);
	return value;
}

/* Prints the paths within a value at a path of that length. */
static void print_keys(json_t *value, char *path, size_t length)
{
	const char *key;
	json_t *one;
	size_t i;

	json_object_foreach(value, key, one)
		print_keys(one, path, length + sprintf(path + length, "%s%s",
						       length ? "." : "", key));
	json_array_foreach(value, i, one)
		print_keys(one, path, length);
	printf("%.*s%s\n", (int)length, path,
	       json_is_null(value) || (json_is_array(value) && !i) ? ".*" : "");
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root = json_loadf(stdin, 0, &error);
	int status = 0;

	if (!root) {
		fprintf(stderr, "line %d: %s\n", error.line, error.text);
		return 1;
	}
	for (int i = 1; i < argc; i++) {
		json_t *value = walk(root, argv[i]);
		char path[4096];

		if (!strcmp(argv[i], "--keys")) {
			print_keys(root, path, 0);
		} else if (value) {
			json_dumpf(value, stdout, JSON_ENCODE_ANY |
				   JSON_COMPACT | JSON_REAL_PRECISION(6));
			putchar('\n');
		} else {
			fprintf(stderr, "nothing at '%s'\n", argv[i]);
			status = 1;
		}
	}
	json_decref(root);
	return status;
}
