// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writing opensm-sl2vl.dump: a table for each switch, a row for each pair of
 * cabled ports that a packet can take, port 0 as an input, too.
 */
#include <weft/io.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define ROW_SIZE 64		/* 16 lanes of 3 bytes, and a line's end */

static bool is_cabled(const struct weft_fabric *f, uint32_t sw, unsigned port)
{
	return f->peer[weft_channel(f, sw, port)] != WEFT_NONE;
}

static void write_row(FILE *out, const struct weft_fabric *f,
		      const struct weft_layers *layers, uint32_t sw,
		      const unsigned port[2])
{
	char text[ROW_SIZE], *p = text;

	if (weft_layers_vl(layers, f, sw, port[0], port[1], 0) ==
	    WEFT_VL_UNTOLD)
		return;
	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		unsigned vl = weft_layers_vl(layers, f, sw, port[0], port[1],
					     sl) % WEFT_NSL;

		*p++ = ' ';
		*p++ = vl < 10 ? '0' + vl : '1';
		*p++ = vl < 10 ? ' ' : '0' + vl - 10;
	}
	*p++ = '\n';
	*p = '\0';
	fprintf(out, "%-3u %-3u :%s", port[0], port[1], text);
}

/* A name on one line: control characters become '?'. */
static void write_name(FILE *out, const char *name)
{
	for (; *name; name++) {
		unsigned char c = *name;

		fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
	}
}

static void write_switch(FILE *out, const struct weft_fabric *f,
			 const struct weft_layers *layers, uint32_t sw)
{
	unsigned nports = f->sw[sw].nports, port[2];

	fprintf(out, "Switch 0x%016" PRIx64 ", base LID %u, \"",
		f->sw[sw].guid, f->sw[sw].lid);
	write_name(out, f->sw[sw].name);
	fputs("\"\n#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
	      "#--------------------------------------------------------\n",
	      out);
	for (port[0] = 0; port[0] <= nports; port[0]++) {
		if (port[0] && !is_cabled(f, sw, port[0]))
			continue;
		for (port[1] = 1; port[1] <= nports; port[1]++)
			if (port[1] != port[0] && is_cabled(f, sw, port[1]))
				write_row(out, f, layers, sw, port);
	}
	fputs("#--------------------------------------------------------\n\n",
	      out);
}

int weft_io_write_sl2vl(FILE *out, const struct weft_fabric *fabric,
			const struct weft_layers *layers,
			struct weft_diag *diag)
{
	int err;

	errno = 0;
	for (uint32_t s = 0; s < fabric->nsw && !ferror(out); s++)
		write_switch(out, fabric, layers, s);
	if (!fflush(out) && !ferror(out))
		return 0;
	err = errno ? errno : EIO;
	return weft_fail(diag, err, "cannot write SL2VL tables: %s",
			 strerror(err));
}
