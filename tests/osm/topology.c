// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * topology FILE...     prints "switches nodes endports links" of each
 * topology -w FILE     writes it in ibnetdiscover's layout
 */
#include <weft/weft.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct weft_diag diag = { .emit = weft_diag_stderr,
				  .context = argv[0] };
	bool write = argc == 3 && !strcmp(argv[1], "-w");

	for (int i = 1 + write; i < argc; i++) {
		struct weft_fabric *f;

		if (weft_io_read_fabric(argv[i], &f, &diag))
			return 1;
		if (write)
			weft_io_write_ibnetdiscover(stdout, f, &diag);
		else
			printf("%u %u %u %u\n", f->nsw, f->nnodes, f->nep,
			       f->nlinks);
		weft_fabric_free(f);
	}
	return diag.count[WEFT_ERROR] != 0;
}
