// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs a fuzz target on the files that are named on the command line, and on
 * what these are with a NUL byte somewhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_MAX ((size_t)1 << 20)
#define PLACES 8 /* for a NUL byte */

/* data has room for a byte more. */
static void run(uint8_t *data, size_t size)
{
	LLVMFuzzerTestOneInput(data, size);
	for (size_t i = 0; i <= PLACES; i++) {
		size_t at = size * i / PLACES;

		memmove(data + at + 1, data + at, size - at);
		data[at] = 0;
		LLVMFuzzerTestOneInput(data, size + 1);
		memmove(data + at, data + at + 1, size - at);
	}
}

int main(int argc, char **argv)
{
	uint8_t *data = malloc(INPUT_MAX + 1);

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "r");

		if (!file || !data) {
			perror(argv[i]);
			return 1;
		}
		run(data, fread(data, 1, INPUT_MAX, file));
		fclose(file);
	}
	free(data);
	return 0;
}
