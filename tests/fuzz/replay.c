// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs a fuzz target on the files that are named on the command line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_MAX ((size_t)1 << 20)

int main(int argc, char **argv)
{
	uint8_t *data = malloc(INPUT_MAX);

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "r");

		if (!file || !data) {
			perror(argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput(data, fread(data, 1, INPUT_MAX, file));
		fclose(file);
	}
	free(data);
	return 0;
}
