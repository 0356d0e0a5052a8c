// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What becomes of names in HTML and SVG, and of numbers in charts. */
#include "../suite.h"

#include "core/text/utf8.h"
#include "page/chart.h"
#include "page/markup.h"
#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <weft/rng.h>

/* Collects what is written. */
struct sink {
	FILE *out;
	char *text;
	size_t size;
};

static void sink_open(struct sink *s)
{
	s->text = NULL;
	s->out = open_memstream(&s->text, &s->size);
}

static bool is_markup_of(const char *text, const char *want)
{
	struct sink s;
	bool same;

	sink_open(&s);
	weft__put_markup(s.out, text);
	fclose(s.out);
	same = !strcmp(s.text, want);
	if (!same)
		printf("got %s, not %s\n", s.text, want);
	free(s.text);
	return same;
}

TEST(test_escapes)
{
	EXPECT(is_markup_of("leaf 1", "leaf 1"));
	EXPECT(is_markup_of("", ""));
	EXPECT(is_markup_of("<script>alert('1')</script>",
	       "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"));
	EXPECT(is_markup_of("a\" onload=\"b", "a&quot; onload=&quot;b"));
	EXPECT(is_markup_of("R&D;", "R&amp;D;"));
	EXPECT(is_markup_of("a\nb\tc\x1b[0m\x7f", "a\\x0ab\\x09c\\x1b[0m\\x7f"));
	EXPECT(is_markup_of("N\xc3\xbcrnberg \xe2\x82\xac",
	       "N\xc3\xbcrnberg \xe2\x82\xac"));
	EXPECT(is_markup_of("N\xfcrnberg", "N\\xfcrnberg"));
	EXPECT(is_markup_of("\xe2\x82", "\\xe2\\x82"));
	/* turned to the left, an early end of a line, no character at all */
	EXPECT(is_markup_of("a\xe2\x80\xae" "b", "a\\u202eb"));
	EXPECT(is_markup_of("\xe2\x80\xa8", "\\u2028"));
	EXPECT(is_markup_of("\xef\xbf\xbf", "\\uffff"));
	EXPECT(is_markup_of("\xc2\x85", "\\u0085"));
}

/* Any bytes give UTF-8 that opens no tag and leaves no attribute. */
TEST(test_any_bytes)
{
	struct weft_rng *rng = weft_rng_new(1);

	for (unsigned i = 0; i < 20000; i++) {
		char name[12] = "";
		struct sink s;

		for (unsigned k = 0; k < 10; k++)
			name[k] = (char)(1 + weft_rng_below(rng, 255));
		sink_open(&s);
		weft__put_markup(s.out, name);
		fclose(s.out);
		if (strpbrk(s.text, "<>\"'\n\r\t\x1b"))
			EXPECT_NEVER("a tag, quote or control character");
		for (const char *p = s.text; *p;) {
			size_t n = weft__utf8_length(p);

			if (!n)
				EXPECT_NEVER("not UTF-8");
			p += n ? n : 1;
		}
		free(s.text);
	}
	weft_rng_free(rng);
}

TEST(test_step)
{
	EXPECT_NEAR(weft__chart_step(10, 5), 2, 1e-12);
	EXPECT_NEAR(weft__chart_step(11, 5), 5, 1e-12);
	EXPECT_NEAR(weft__chart_step(1, 5), .2, 1e-12);
	EXPECT_NEAR(weft__chart_step(0, 5), 1, 1e-12);
	for (double range = .003; range < 1e7; range *= 1.7) {
		double step = weft__chart_step(range, 5);

		EXPECT(range / step <= 5 + 1e-6);
		EXPECT(range / step > 1.9);
	}
}

static unsigned count_of(const char *text, const char *what)
{
	unsigned n = 0;

	while ((text = strstr(text, what))) {
		n++;
		text++;
	}
	return n;
}

/* Everything that is opened is closed, and every cell has its place. */
TEST(test_table)
{
	static const char *const column[] = {
		"@<name>", "#share", "=", NULL
	};
	struct weft__table t;
	struct sink s;

	sink_open(&s);
	weft__table_begin(&t, s.out, "a \"caption\"", column);
	for (unsigned i = 0; i < 4; i++) {
		weft__table_cell(&t, "<b>%u</b>", i);
		weft__table_cell(&t, "%.2f", i / 2.);
		weft__table_bar(&t, i / 2.);
	}
	weft__table_end(&t);
	fclose(s.out);
	EXPECT_EQ(count_of(s.text, "<tr>"), 5);
	EXPECT_EQ(count_of(s.text, "</tr>"), 5);
	EXPECT_EQ(count_of(s.text, "<td"), 12);
	EXPECT_EQ(count_of(s.text, "</td>"), 12);
	EXPECT_EQ(count_of(s.text, "<b>"), 0);
	EXPECT(strstr(s.text, "&lt;name&gt;"));
	EXPECT_EQ(count_of(s.text, "width:50.0%"), 1);
	EXPECT_EQ(count_of(s.text, "width:100.0%"), 2);
	free(s.text);
}

/* Columns for bins that are not empty; nothing outside the drawing. */
TEST(test_histogram)
{
	static const uint64_t count[] = { 0, 3, 0, 1, 7 };
	struct weft__histogram h = {
		.id = "h",
		.title = "t <t>",
		.x = "x",
		.y = "y",
		.low = 10,
		.high = 60,
		.count = count,
		.n = 5,
		.mark = 35,
		.mark_name = "mean",
	};
	struct sink s;

	sink_open(&s);
	weft__histogram_draw(&h, s.out);
	h.high = h.low;
	weft__histogram_draw(&h, s.out);
	fclose(s.out);
	EXPECT_EQ(count_of(s.text, "class=\"column\""), 6);
	EXPECT_EQ(count_of(s.text, "<t>"), 0);
	EXPECT_EQ(count_of(s.text, "nan"), 0);
	EXPECT_EQ(count_of(s.text, "inf"), 0);
	EXPECT_EQ(count_of(s.text, "=\"-"), 0);
	free(s.text);
}
