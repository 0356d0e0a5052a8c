// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Scripts for gnuplot.  The script and the picture are files without a name:
 * no pipe can break half-way, and a picture that gnuplot did not end is not
 * copied.
 */
#include "tools/plot/gnuplot.h"

#include <errno.h>
#include <string.h>

#include "draw/filter.h"
#include "page/markup.h"

/* Within single quotes gnuplot knows no escapes but the doubled quote. */
static void put_quoted(FILE *script, unsigned char c)
{
	if (c == '\'')
		putc(c, script);
	putc(c, script);
}

/* Labels of tics are formats besides. */
static void put_format(FILE *script, unsigned char c)
{
	if (c == '%')
		putc(c, script);
	put_quoted(script, c);
}

void tool_gnuplot_string(FILE *script, const char *text)
{
	putc('\'', script);
	weft__put_visible(script, text, put_quoted);
	putc('\'', script);
}

void tool_gnuplot_tic(FILE *script, const char *text, size_t at)
{
	fputs(at ? ", '" : "'", script);
	weft__put_visible(script, text, put_format);
	fprintf(script, "' %zu", at);
}

FILE *tool_gnuplot_begin(struct tool *t, enum tool_picture picture,
			 const char *title)
{
	static const char *const terminal[] = {
		[TOOL_SVG] = "svg size 800,500 noenhanced font 'sans,14' background 'white'",
		[TOOL_PNG] = "pngcairo size 1200,750 noenhanced font 'sans,15'",
		[TOOL_PDF] = "pdfcairo size 16cm,10cm noenhanced font 'sans,11'",
	};
	static const char *const colour[TOOL_GNUPLOT_STYLES] = {
		"4f86b8", "b3662e", "3f8f5b", "8a5fa8", "b59a2b", "57616b",
		"9cc3e4", "e2a878", "93c9a5", "c4a6d8", "dccb7c", "a9b1b8",
		"a03a3a", "2f4f9f", "d46a9a", "4fa8a0",
	};
	FILE *script = tmpfile();

	if (!script) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "cannot make a temporary file: %s",
			      strerror(errno));
		return NULL;
	}
	fprintf(script, "set terminal %s\nset title ", terminal[picture]);
	tool_gnuplot_string(script, title);
	fputs("\nset border 3\nset tics nomirror out\n"
	      "set grid ytics linecolor rgb '#d5d9dc' linetype 1\n"
	      "set style fill solid 0.85 border\n",
	      script);
	for (size_t i = 0; i < TOOL_GNUPLOT_STYLES; i++)
		fprintf(script,
			"set style line %zu linecolor rgb '#%s' linewidth 2\n",
			i + 1, colour[i]);
	return script;
}

/* Whether gnuplot drew what the script says; an error message if not. */
static bool draw(struct tool *t, FILE *script, FILE *picture)
{
	char *argv[] = { "gnuplot", NULL };
	int err = weft__filter_run(argv, script, picture);

	if (err == -ENOENT)
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "there is no gnuplot, which draws charts: install it (Debian: gnuplot-nox)");
	else if (err == -EIO)
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "gnuplot failed; version 5 with the terminals svg, pngcairo and pdfcairo is needed");
	else if (err)
		weft_diag_say(&t->diag, WEFT_ERROR, "cannot run gnuplot: %s",
			      strerror(-err));
	return !err;
}

/* False after an error message. */
static bool copy(struct tool *t, FILE *from, FILE *to)
{
	char buffer[16384];
	size_t n;

	while ((n = fread(buffer, 1, sizeof(buffer), from)))
		if (fwrite(buffer, 1, n, to) != n) {
			weft_diag_at(&t->diag, WEFT_ERROR, tool_output_name(to),
				     0, "cannot write: %s", strerror(errno));
			return false;
		}
	return true;
}

bool tool_gnuplot_run(struct tool *t, FILE *script, FILE *out)
{
	FILE *picture = tmpfile();
	bool ok = picture;

	if (!picture)
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "cannot make a temporary file: %s",
			      strerror(errno));
	else
		ok = draw(t, script, picture);
	ok = ok && copy(t, picture, out);
	if (picture)
		fclose(picture);
	fclose(script);
	return ok;
}
