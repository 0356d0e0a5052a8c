// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Numbers in texts: what is read, what is refused, and where reading ends,
 * against regular expressions. */
#include "../suite.h"

#include <weft/number.h>
#include <weft/rng.h>

#include <errno.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define SEED 35u
#define TEXTS 200000
#define UINT "[0-9]+"
#define REAL "-?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?"

static const char *const odd[] = {
	"", " ", "0", "00", "7", "-0", "-7", "+7", " 7", "7 ", "7x", "0x7", "0x",
	"0X7", "x7", "nan", "NaN", "inf", "-inf", "infinity", "1e", "1e+", "1e5",
	"1E-5", "1.", ".5", ".", "-", "-.", "-.5", "1..2", "1.2.3", "1e400",
	"-1e400", "1e-400", "0x1p3", "255", "256", "65535", "65536",
	"4294967296", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "-9223372036854775809",
	"18446744073709551615", "18446744073709551616",
	"99999999999999999999999", "ffffffffffffffff", "10000000000000000",
	"0xffffffffffffffff", "0x10000000000000000", "1,5", "1_000", "1'000",
	"\t1", "1\n", "1\r", "٣",
};

static regex_t uint_form, int_form, hex_form, prefixed_form, real_form;

static void compile(void)
{
	EXPECT(!regcomp(&uint_form, "^" UINT "$", REG_EXTENDED));
	EXPECT(!regcomp(&int_form, "^-?" UINT "$", REG_EXTENDED));
	EXPECT(!regcomp(&hex_form, "^[0-9a-fA-F]{1,16}$", REG_EXTENDED));
	EXPECT(!regcomp(&prefixed_form, "^0x[0-9a-fA-F]{1,16}$", REG_EXTENDED));
	EXPECT(!regcomp(&real_form, "^" REAL "$", REG_EXTENDED));
}

static void release(void)
{
	regfree(&uint_form);
	regfree(&int_form);
	regfree(&hex_form);
	regfree(&prefixed_form);
	regfree(&real_form);
}

static bool matches(const regex_t *form, const char *text)
{
	return !regexec(form, text, 0, NULL, 0);
}

static void check_whole(const char *text, uint64_t max)
{
	uint64_t n = 77, expected;
	bool fits;

	errno = 0;
	expected = strtoull(text, NULL, 10);
	fits = matches(&uint_form, text) && !errno && expected <= max;
	EXPECT_EQ(weft_number_uint(text, max, &n), fits);
	EXPECT_EQ(n, fits ? expected : 77);
}

static void check_signed(const char *text, int64_t min, int64_t max)
{
	int64_t n = 77, expected;
	bool fits;

	errno = 0;
	expected = strtoll(text, NULL, 10);
	fits = matches(&int_form, text) && !errno && expected >= min &&
	       expected <= max;
	EXPECT_EQ(weft_number_int(text, min, max, &n), fits);
	EXPECT_EQ(n, fits ? expected : 77);
}

static void check_hex(const char *text)
{
	uint64_t n = 77;

	EXPECT_EQ(weft_number_hex(text, &n), matches(&hex_form, text));
	EXPECT_EQ(n, matches(&hex_form, text) ? strtoull(text, NULL, 16) : 77);
	n = 77;
	EXPECT_EQ(weft_number_0x(text, &n), matches(&prefixed_form, text));
	EXPECT_EQ(n,
		  matches(&prefixed_form, text) ? strtoull(text, NULL, 16) : 77);
}

static void check_real(const char *text)
{
	double n = 77, expected = strtod(text, NULL);
	bool fits = matches(&real_form, text) && isfinite(expected);

	EXPECT_EQ(weft_number_real(text, &n), fits);
	EXPECT_EQ(n, fits ? expected : 77);
}

static void check(const char *text)
{
	check_whole(text, UINT64_MAX);
	check_whole(text, 255);
	check_signed(text, INT64_MIN, INT64_MAX);
	check_signed(text, -5, 300);
	check_hex(text);
	check_real(text);
}

TEST(test_texts)
{
	static const char letters[] = "0123456789012345-+.eExXafn _\t";
	struct weft_rng *rng = weft_rng_new(SEED);
	char text[24];

	compile();
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		check(odd[i]);
	for (unsigned i = 0; i < TEXTS; i++) {
		unsigned length = weft_rng_below(rng, sizeof(text));

		for (unsigned j = 0; j < length; j++)
			text[j] = letters[weft_rng_below(rng,
							 sizeof(letters) - 1)];
		text[length] = '\0';
		check(text);
	}
	weft_rng_free(rng);
	release();
}

/* What may follow, and where reading goes on. */
TEST(test_ends)
{
	static const struct {
		const char *text, *ends;
		bool fits;
		unsigned length;
		double value;
	} cases[] = {
		{ "3eur", NULL, true, 1, 3 }, { "3eur", "", false, 0, 0 },
		{ "2.5 GB", " ", true, 3, 2.5 }, { "2.5GB", " ", false, 0, 0 },
		{ "1e3,4", ",", true, 3, 1000 }, { "1e3", ",", true, 3, 1000 },
		{ "1e+,", ",", false, 0, 0 }, { "1e+,", NULL, true, 1, 1 },
		{ "nan", NULL, false, 0, 0 }, { "-1-2", "-", true, 2, -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *at = cases[i].text;
		double value = 0;

		EXPECT_EQ(weft_number_real_at(&at, cases[i].ends, &value),
			  cases[i].fits);
		EXPECT_EQ(at - cases[i].text, cases[i].length);
		EXPECT_EQ(value, cases[i].value);
	}
}

TEST(test_uint_ends)
{
	const char *text = "12-34", *at = text;
	uint64_t n = 0;

	EXPECT(!weft_number_uint_at(&at, ",", 99, &n));
	EXPECT(at == text);
	EXPECT(!weft_number_uint_at(&at, "-", 11, &n));
	EXPECT(weft_number_uint_at(&at, "-", 12, &n));
	EXPECT_STR(at, "-34");
	EXPECT_EQ(n, 12);
}
