// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Input text: opening, lines, tokens. */
#include "io_tables_util.h"

#include "io/source.h"
#include "io/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static void assert_lines(const char *text, size_t size, unsigned n,
			 const char *const *expected)
{
	struct weft__source source = weft__source_text("text", text, size);
	struct weft__lines lines = weft__lines_begin(&source, NULL);
	struct weft__line line;
	int err = 0;
	unsigned i;

	for (i = 0; weft__lines_next(&lines, &line, &err); i++) {
		size_t length = (size_t)(line.end - line.p);

		ASSERT(i < n);
		ASSERT_EQ(line.number, i + 1);
		ASSERT_EQ(length, strlen(expected[i]));
		ASSERT_MEM(line.p, expected[i], length);
		ASSERT_EQ(line.complete,
			  line.number < n || text[size - 1] == '\n');
	}
	ASSERT_EQ(i, n);
	ASSERT_EQ(err, 0);
}

TEST(test_lines)
{
	static const char *const two[] = { "a b", "c" };
	static const char *const gap[] = { "", "x", "", "" };

	assert_lines("a b\nc\n", 6, 2, two);
	assert_lines("a b\nc", 5, 2, two);
	assert_lines("a b\r\nc\r\n", 8, 2, two);
	assert_lines("\xef\xbb\xbf" "a b\nc\n", 9, 2, two);
	assert_lines("\nx\n\n\r\n", 6, 4, gap);
	assert_lines("", 0, 0, NULL);
	assert_lines("\xef\xbb\xbf", 3, 0, NULL);
}

TEST(test_nul)
{
	static char text[300000];
	static const size_t places[] = { 2, 5, 6, 70000, 200000, 299999 };
	struct weft__source source = weft__source_text("text", text,
						       sizeof(text));
	struct heard heard;

	memset(text, 'a', sizeof(text));
	for (size_t i = 6; i < sizeof(text); i += 7)
		text[i] = '\n';
	ASSERT_EQ(weft__source_check(&source, NULL), 0);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		char was = text[places[i]];

		text[places[i]] = '\0';
		heard_init(&heard);
		ASSERT_EQ(weft__source_check(&source, &heard.diag), -EINVAL);
		assert_heard(&heard, WEFT_ERROR, places[i] / 7 + 1,
			     "a NUL byte");
		text[places[i]] = was;
	}
}

/* Lines before it are read, those from there on are not. */
TEST(test_lines_to_nul)
{
	struct weft__source source = weft__source_text("text", "a\nb\0c\nd", 7);
	struct weft__lines lines = weft__lines_begin(&source, NULL);
	struct weft__line line;
	int err = 0;

	ASSERT(weft__lines_next(&lines, &line, &err));
	ASSERT_EQ(*line.p, 'a');
	ASSERT_EQ(err, 0);
	ASSERT(!weft__lines_next(&lines, &line, &err));
	ASSERT_EQ(err, -EINVAL);
}

static struct weft__line line_of(const char *text)
{
	return (struct weft__line){ .p = text, .end = text + strlen(text) };
}

TEST(test_decimal)
{
	struct weft__line l = line_of("4294967295x");
	uint32_t value = 7;

	ASSERT(!weft__skip_decimal(&l, &value));
	ASSERT_EQ(*l.p, '4');
	l = line_of("4294967295 x");
	ASSERT(weft__skip_decimal(&l, &value));
	ASSERT_EQ(value, UINT32_MAX);
	ASSERT_EQ(*l.p, ' ');
	ASSERT(!weft__skip_decimal(&l, &value));
	l = line_of("4294967296");
	ASSERT(!weft__skip_decimal(&l, &value));
	ASSERT_EQ(*l.p, '4');
	l = line_of("");
	ASSERT(!weft__skip_decimal(&l, &value));
	l = line_of("-1");
	ASSERT(!weft__skip_decimal(&l, &value));
	ASSERT_EQ(value, UINT32_MAX);
}

TEST(test_hex)
{
	struct weft__line l = line_of("000fFa0123456789B]");
	uint64_t value = 7;

	ASSERT(!weft__skip_hex(&l, &value));	/* 17 digits */
	l.p++;
	ASSERT(weft__skip_hex(&l, &value));
	ASSERT_EQ(value, 0x0ffa0123456789bull);
	ASSERT_EQ(*l.p, ']');
	ASSERT(!weft__skip_hex(&l, &value));
	l = line_of("0x1f ");
	ASSERT(weft__skip_0x(&l, &value));
	ASSERT_EQ(value, 0x1f);
	l = line_of("0xg");
	ASSERT(!weft__skip_0x(&l, &value));
	ASSERT_EQ(*l.p, '0');
	ASSERT_EQ(weft__hex_digit('@'), -1);
	ASSERT_EQ(weft__hex_digit('\x01'), -1);
	ASSERT_EQ(weft__hex_digit('F'), 15);
}

TEST(test_words)
{
	struct weft__line l = line_of(" \t key=value");
	char buffer[WEFT__EXCERPT_SIZE];

	weft__skip_blanks(&l);
	ASSERT(!weft__skip_text(&l, "key=value2"));
	ASSERT((weft__find_text(&l, "val")) == (l.p + 4));
	ASSERT(!weft__find_text(&l, "valve"));
	ASSERT((weft__find_char(&l, '=')) == (l.p + 3));
	ASSERT(weft__skip_text(&l, "key"));
	ASSERT(weft__skip_char(&l, '='));
	ASSERT(!weft__skip_char(&l, '='));
	ASSERT_STR(weft__excerpt(&l, buffer), "value");
	l.p = l.end;
	ASSERT(weft__at_end(&l));
	ASSERT(!weft__skip_char(&l, '\0'));
	l = line_of("\x1b[0m 012345678901234567890123456789012345678901234567890123456789");
	ASSERT_STR(weft__excerpt(&l, buffer),
		   "?[0m 0123456789012345678901234567890123456789012345678901234...");
}

TEST(test_open)
{
	struct weft__source source = { 0 };
	struct heard heard;

	ASSERT_EQ(weft__source_open(file_with("hello\n", 6), &source, NULL), 0);
	ASSERT(source.mapped);
	ASSERT_EQ(source.size, 6);
	ASSERT_MEM(source.data, "hello\n", 6);
	weft__source_close(&source);
	ASSERT_EQ(weft__source_open(file_with("", 0), &source, NULL), 0);
	ASSERT_EQ(source.size, 0);
	ASSERT(source.data);
	weft__source_close(&source);
	heard_init(&heard);
	ASSERT_EQ(weft__source_open("/nonexistent", &source, &heard.diag),
		  -ENOENT);
	assert_heard(&heard, WEFT_ERROR, 0, "cannot open: No such file");
	ASSERT_EQ(weft__source_open("/", &source, &heard.diag), -EISDIR);
	ASSERT(!source.data);
}

static volatile sig_atomic_t ticks;

static void tick(int number)
{
	(void)number;
	ticks++;
}

/* More than the first buffer takes, through a pipe on standard input that is
 * slow to begin, while signals come in. */
TEST(test_standard_input)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	struct sigaction old, heard = { .sa_handler = tick };
	struct weft__source source;
	FILE *pipe = popen("sleep 0.02; yes 0123456 | head -c 3000000", "r");
	int saved = dup(STDIN_FILENO), err;

	ASSERT(pipe);
	ASSERT(dup2(fileno(pipe), STDIN_FILENO) >= 0);
	sigaction(SIGALRM, &heard, &old);
	setitimer(ITIMER_REAL, &often, NULL);
	err = weft__source_open("-", &source, NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &old, NULL);
	ASSERT_EQ(err, 0);
	ASSERT(ticks > 0);
	dup2(saved, STDIN_FILENO);
	close(saved);
	pclose(pipe);
	ASSERT_STR(source.name, "standard input");
	ASSERT(!source.mapped);
	ASSERT_EQ(source.size, 3000000);
	for (size_t i = 0; i < 3000000; i += 8)
		ASSERT_MEM(source.data + i, "0123456\n", 8);
	weft__source_close(&source);
}

TEST(test_utf8)
{
	static const struct {
		const char *in, *out;
	} text[] = {
		{ "plain", "plain" }, { "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xe2\x82\xac\xf0\x9f\x98\x80", "\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "\xff\xfe", "??" }, { "\xc3", "?" }, { "\xc3(", "?(" },
		{ "\xc0\x80", "??" },			/* overlong */
		{ "\xe0\x80\x80", "???" },
		{ "\xed\xa0\x80", "???" },		/* surrogate */
		{ "\xf4\x90\x80\x80", "????" },		/* above 10ffff */
		{ "\xe2\x82", "??" }, { "\x80", "?" },
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		char *copy = weft__utf8_copy(text[i].in);

		ASSERT_STR(copy, text[i].out);
		free(copy);
	}
}
