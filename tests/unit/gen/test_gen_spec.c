// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Descriptions: canonical forms, errors, random texts. */
#include "gen_suite.h"

#include <weft/rng.h>

#define SEED 20090825u

/* One of each family and of each option. */
static const char *const specs[] = {
	"pgft:3;4,3,2;1,2,2;1,2,1", "xgft:2;4,4;1,2", "rlft:8;3",
	"rlft:8;2;4", "kary:3;3", "mport:4;3", "gft:4+2,5",
	"torus:3x4x5,hosts=2", "mesh:2x3", "hypercube:4", "ring:5",
	"chain:3", "star:4", "full:5", "random:12,4,2", "random:12x4,9,seed=3",
	"dragonfly:4,2,2,9", "megafly:2,3,4,2,5",
	"dragonfly+:2,3,4,2,5", "slimfly:5", "slimfly:9,hosts=3",
	"hyperx:4x3,links=2", "jellyfish:12,7,4", "xpander:3,4,2", "switch648", "rack648", "rack432", "rack216",
	"switch3456", "dual4608", "ranger", "juropa", "deimos", "odin",
	"chic", "atlas", "thunderbird", "myrinet512",
	"rails:gpus=2,hosts=9,radix=8", "rails:hosts=512", "rails:hosts=40,between=no",
	"rails:hosts=32,between=no", "rails:hosts=32,names=hca,swap=1,missing=1%",
	"torus:3x3,links=2", "dragonfly:4,2,2,5,global=absolute",
	"switch648,oversub=1.5", "switch648,hosts=17:1", "odin,total=100",
	"rack648,dual=yes", "ring:5,fail-switches=1", "switch648,fail-links=3",
	"switch648,fail-links=2.5%", "ring:5,fail-links=3,keep-connected=no",
	"ring:5,guids=shuffle,seed=4294967295", "ring:5,lids=order",
	"ring:5,lmc=2", "ring:5,speed=fdr10", "ring:5,width=12x",
	"ring:5,names=same", "ring:5,fail-switches=20%",
	"pgft:1;8;1;1", "pgft:2;3,4;3,2;1,1,one-port=yes",
};

/* The canonical form is its own canonical form and gives the same fabric. */
static void check_canonical(const char *spec)
{
	char *once = NULL, *twice = NULL;

	ASSERT_EQ(weft_gen_canonical(spec, &once, NULL), 0);
	ASSERT_EQ(weft_gen_canonical(once, &twice, NULL), 0);
	EXPECT_STR(once, twice);
	EXPECT(weft_gen_is_spec(spec));
	EXPECT(weft_gen_is_spec(once));
	EXPECT(gen_same(spec, once, true));
	free(once);
	free(twice);
}

TEST(test_canonical)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		check_canonical(specs[i]);
}

TEST(test_canonical_text)
{
	static const char *const text[][2] = {
		{ "ring:05,seed=7,hosts=2:2",
		  "ring:5,links=1,hosts=2,dual=no,fail-switches=0,fail-links=0,keep-connected=yes,guids=order,lids=guid,lmc=0,speed=qdr,width=4x,names=unique,seed=7"
		  },
		{ "random:43x12,24,fail-links=02.50%",
		  "random:43,12,12,hosts=12,dual=no,fail-switches=0,fail-links=2.5%,keep-connected=yes,guids=order,lids=guid,lmc=0,speed=qdr,width=4x,names=unique,seed=1"
		  },
		{ "rlft:36;2,oversub=1.250",
		  "rlft:36;2;36,oversub=1.25,hosts=18,dual=no,fail-switches=0,fail-links=0,keep-connected=yes,guids=order,lids=guid,lmc=0,speed=qdr,width=4x,names=unique,seed=1"
		  },
		{ "odin",
		  "odin,oversub=1,total=128,dual=no,fail-switches=0,fail-links=0,keep-connected=yes,guids=order,lids=guid,lmc=0,speed=qdr,width=4x,names=unique,seed=1"
		  },
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		char *canonical = NULL;

		ASSERT_EQ(weft_gen_canonical(text[i][0], &canonical, NULL), 0);
		EXPECT_STR(canonical, text[i][1]);
		free(canonical);
	}
}

TEST(test_is_spec)
{
	static const char *const no[] = {
		"", "torus3", "torus.txt", "./torus:3x3", "Torus:3x3",
		"fabric.ibnetdiscover", "pg", "pgft;3", ":", ",", "odin2",
	};
	static const char *const yes[] = {
		"torus", "torus:", "torus,", "torus:junk", "odin",
		"odin,hosts=3", "pgft:3;12,12,24;1,12,12;1,1,1",
	};

	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		EXPECT(!weft_gen_is_spec(no[i]));
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		EXPECT(weft_gen_is_spec(yes[i]));
}

/* A description that is refused, and what the message has to hold. */
static const struct {
	const char *spec;
	int err;
	const char *part, *help;
} refused[] = {
	{ "", EINVAL, "''", "torus" },
	{ "taurus:3x3", EINVAL, "'taurus'", "torus" },
	{ "torus", EINVAL, "torus needs arguments", "torus:AxBxC" },
	{ "torus,hosts=1", EINVAL, "torus needs arguments", "torus:AxBxC" },
	{ "torus:", EINVAL, "size of a dimension is missing", "AxBxC" },
	{ "torus:4x", EINVAL, "size of a dimension is missing", "AxBxC" },
	{ "torus:4xa", EINVAL, "'a' is no size of a dimension", "number" },
	{ "torus:4x-1", EINVAL, "'-1'", "number" },
	{ "torus:4x1", EINVAL, "size of a dimension is 1", "2 at least" },
	{ "torus:4x4y", EINVAL, "'y' is too much", "AxBxC" },
	{ "torus:4x4:2", EINVAL, "':' is too much", "AxBxC" },
	{ "torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", EINVAL, "dimensions",
	  "15" },
	{ "torus:4x4,", EINVAL, "last comma", "option" },
	{ "torus:4x4,hosts=1,", EINVAL, "last comma", "option" },
	{ "torus:4x4,host=1", EINVAL, "'host'", "hosts" },
	{ "torus:4x4,oversub=2", EINVAL, "'oversub'", "links" },
	{ "torus:4x4,hosts", EINVAL, "'hosts'", "X:Y" },
	{ "torus:4x4,hosts=", EINVAL, "'hosts='", "X:Y" },
	{ "torus:4x4,hosts=1:", EINVAL, "'hosts=1:'", "X:Y" },
	{ "torus:4x4,hosts=1:2:3", EINVAL, "'hosts=1:2:3'", "X:Y" },
	{ "torus:4x4,hosts=1,hosts=2", EINVAL, "hosts is given twice", "" },
	{ "torus:4x4,hosts=1,total=2", EINVAL, "hosts= and total=", "" },
	{ "torus:4x4,seed=4294967296", EINVAL, "'seed=4294967296'",
	  "4294967295" },
	{ "torus:4x4,seed=-1", EINVAL, "'seed=-1'", "0 to" },
	{ "torus:4x4,lmc=8", EINVAL, "'lmc=8'", "0 to 7" },
	{ "torus:4x4,links=0", EINVAL, "'links=0'", "1 to" },
	{ "torus:4x4,speed=warp", EINVAL, "'speed=warp'", "qdr" },
	{ "torus:4x4,width=3x", EINVAL, "'width=3x'", "4x" },
	{ "torus:4x4,guids=rand", EINVAL, "'guids=rand'", "shuffle" },
	{ "torus:4x4,dual=maybe", EINVAL, "'dual=maybe'", "yes" },
	{ "torus:4x4,fail-links=101%", EINVAL, "'fail-links=101%'", "100%" },
	{ "torus:4x4,fail-links=1.2345%", EINVAL, "fail-links=1.2345%",
	  "share" },
	{ "torus:4x4,fail-links=2.5", EINVAL, "'fail-links=2.5'", "share" },
	{ "switch648,oversub=0.5", EINVAL, "'oversub=0.5'", "ratio" },
	{ "switch648,oversub=", EINVAL, "'oversub='", "ratio" },
	{ "switch648:3", EINVAL, "switch648 has no arguments", "comma" },
	{ "pgft:", EINVAL, "number of levels is missing", "m1" },
	{ "pgft:0", EINVAL, "number of levels is 0", "1 at least" },
	{ "pgft:16;1", EINVAL, "1 to 15 levels", "16" },
	{ "pgft:2;3", EINVAL, "m2 is missing", "pgft:h;m1" },
	{ "pgft:2;3,4", EINVAL, "w1 is missing", "pgft:h;m1" },
	{ "pgft:2;3,4;1;1,1", EINVAL, "',' is expected before w2", "';'" },
	{ "pgft:2;3,4,5;1,2;1,1", EINVAL, "';' is expected before w1", "','" },
	{ "pgft:2;3,0;1,2;1,1", EINVAL, "m2 is 0", "1 at least" },
	{ "pgft:2;3,4;1,2;1,1,1", EINVAL, "too much", "pgft:h" },
	{ "pgft:1;8;1;1,oversub=2", EINVAL, "two levels", "" },
	{ "rlft:24", EINVAL, "number of levels is missing", "radix" },
	{ "rlft:25;2", EINVAL, "radix of 25", "even" },
	{ "rlft:24;2;7", EINVAL, "7 subtrees", "24" },
	{ "rlft:24;2;48", EINVAL, "48 subtrees", "24" },
	{ "rlft:24;1;12", EINVAL, "one level", "12" },
	{ "kary:4", EINVAL, "n is missing", "k;n" },
	{ "kary:4,3", EINVAL, "';' and n are expected", "','" },
	{ "kary:4;99", EINVAL, "1 to 15 levels", "99" },
	{ "mport:5;2", EINVAL, "radix of 5", "even" },
	{ "gft:12-16,28", EINVAL, "'+' and m", "'-16'" },
	{ "ring:2", EINVAL, "number of switches is 2", "3 at least" },
	{ "random:5,3,1", EINVAL, "5 switches", "even" },
	{ "random:4,4,1", EINVAL, "degree of 4", "more than 4" },
	{ "random:4,1,1", EINVAL, "degree of 1", "connected" },
	{ "random:2,0,1", EINVAL, "degree of 0", "connected" },
	{ "random:4x9,8", EINVAL, "9 hosts", "8 ports" },
	{ "slimfly:6", EINVAL, "q = 6", "3 4 5 7 8 9 11 13 16 17" },
	{ "slimfly:1", EINVAL, "q = 1", "there are q" },
	{ "slimfly:4294967295", EINVAL, "q = 4294967295", "169" },
	{ "slimfly:163", ERANGE, "368 ports", "254" },
	{ "jellyfish:8,4,5", EINVAL, "5 cables", "4 ports" },
	{ "xpander:2,4,1", EINVAL, "degree is 2", "3 at least" },
	{ "megafly:2,2,2,2,6", EINVAL, "4 global cables", "5 other" },
	{ "ring:5,trunk=2,links=2", EINVAL, "links", "twice" },
	{ "deimos,trunk=2", EINVAL, "'trunk'", "no option" },
	{ "random:4;2", EINVAL, "',' is expected", "';'" },
	{ "dragonfly:4,2,2", EINVAL, "g is missing", "a,p,h,g" },
	{ "dragonfly:4,2,2,10", EINVAL, "a*h = 8", "9 other groups" },
	{ "xgft:2;4,4;2,2,dual=yes", EINVAL, "dual=yes", "several" },
	{ "ring:5,fail-links=2", EINVAL, "asks for 2", "after 1" },
	{ "ring:5,fail-switches=5", EINVAL, "asks for 5", "after 4" },
	{ "star:5,fail-switches=1", EINVAL, "asks for 1", "after 0" },
	{ "ring:5,fail-links=6,keep-connected=no", EINVAL, "asks for 6",
	  "5 is all" },
	/* limits */
	{ "ring:49152", ERANGE, "49152 switches", "49151" },
	{ "ring:1000000000", ERANGE, "1000000000 switches", "49151" },
	{ "ring:10000000000", ERANGE, "too large", "49151" },
	{ "hypercube:16", ERANGE, "2^16", "49151" },
	{ "torus:60000x60000x60000x60000x60000", ERANGE, "or more", "49151" },
	{ "torus:300x300", ERANGE, "90000 switches", "49151" },
	{ "torus:200x200,hosts=1", ERANGE, "40000 switches", "80000 LIDs" },
	{ "torus:4x4,hosts=251", ERANGE, "255 ports", "254" },
	{ "torus:4x4,links=70", ERANGE, "281 ports", "254" },
	{ "torus:4x4,total=100000", ERANGE, "6254 ports", "254" },
	{ "ring:3000,hosts=4,lmc=2", ERANGE, "3000 switches", "51003 LIDs" },
	{ "pgft:2;200,2;1,100;1,1", ERANGE, "300 ports", "254" },
	{ "pgft:2;2,2;200,1;2,1", ERANGE, "400 ports", "254" },
	{ "kary:100;15", ERANGE, "switches", "49151" },
	{ "kary:4294967295;2", ERANGE, "ports", "254" },
	{ "full:1000", ERANGE, "1000 ports", "254" },
	{ "star:255", ERANGE, "255 ports", "254" },
	{ "random:300,255,0", ERANGE, "255 ports", "254" },
	{ "dragonfly:200,20,50,2", ERANGE, "269 ports", "254" },
	{ "dragonfly:100,20,50,5000", ERANGE, "500000 switches", "49151" },
	{ "switch648,hosts=19", ERANGE, "19 hosts on leaf-00", "18" },
	{ "switch648,total=649", ERANGE, "total=649", "648 hosts" },
	{ "rack648,hosts=25", ERANGE, "13 hosts on rack-000a", "12" },
};

TEST(test_refused)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct suite_words words = { 0 };
		struct weft_diag diag = { .emit = suite_hear,
					  .context = &words };
		struct weft_fabric *f = NULL;
		int err = weft_gen(refused[i].spec, &f, &diag);
		bool good = err == -refused[i].err && !f &&
			    diag.count[WEFT_ERROR] == 1 &&
			    strstr(words.text, refused[i].part) &&
			    strstr(words.text, refused[i].help);

		EXPECT(good);
		if (!good)
			fprintf(stderr, "%s: %d: %s\n", refused[i].spec, err,
				words.text);
		weft_fabric_free(f);
	}
}

/* A text of length n made of pieces that descriptions consist of. */
static void random_text(struct weft_rng *rng, char *buf, size_t size)
{
	static const char *const pieces[] = {
		"1", "2", "3", "4", "7", "12", "0", "99999999999", "x", ";",
		",", ":", "+", "=", "%", ".", "-", "hosts", "total", "links",
		"dual", "yes", "fail-links", "fail-switches", "seed", "lmc",
		"keep-connected", "guids", "shuffle", "oversub", "\n", "\xff",
	};
	const char *spec = specs[weft_rng_below(rng, sizeof(specs) /
						sizeof(specs[0]))];
	uint32_t edits = weft_rng_below(rng, 4);

	snprintf(buf, size, "%s", spec);
	while (edits--) {
		const char *piece = pieces[weft_rng_below(rng,
				sizeof(pieces) / sizeof(pieces[0]))];
		size_t n = strlen(buf), k = strlen(piece);
		size_t at = weft_rng_below(rng, n + 1);
		size_t cut = weft_rng_below(rng, 3);

		if (cut > n - at)
			cut = n - at;
		if (n + k - cut >= size)
			continue;
		memmove(buf + at + k, buf + at + cut, n - at - cut + 1);
		memcpy(buf + at, piece, k);
	}
}

/* Damaged descriptions: refused with words, or as good as any other. */
TEST(test_random_texts)
{
	struct weft_rng *rng = weft_rng_new(SEED);
	unsigned good = 0, bad = 0;
	char text[200];

	printf("seed %u ", SEED);
	for (int i = 0; i < 3000; i++) {
		struct weft_diag diag = { 0 };
		struct weft_fabric *f = NULL;
		char *canonical = NULL;
		int err;

		random_text(rng, text, sizeof(text));
		err = weft_gen_canonical(text, &canonical, &diag);
		EXPECT_EQ(diag.count[WEFT_ERROR], !!err);
		if (!err)
			err = weft_gen(canonical, &f, &diag);
		EXPECT_EQ(diag.count[WEFT_ERROR], !!err);
		EXPECT(!f == !!err);
		if (f)
			EXPECT_EQ(weft_fabric_check(f, NULL), 0);
		good += !err;
		bad += !!err;
		weft_fabric_free(f);
		free(canonical);
	}
	EXPECT(good > 500);
	EXPECT(bad > 500);
	weft_rng_free(rng);
}

/* Families and options are told once each, and which go together. */
TEST(test_list)
{
	static const char *const names[] = { "pgft", "torus", "random", "hosts",
					     "fail-links", "guids", "seed" };
	struct weft_gen_family f;
	struct weft_gen_option o;
	unsigned families = 0, options = 0, found = 0;

	for (; weft_gen_family(families, &f); families++)
		for (size_t k = 0; k < 3; k++)
			found += !strcmp(f.name, names[k]);
	for (; weft_gen_option(options, &o); options++) {
		for (size_t k = 3; k < 7; k++)
			found += !strcmp(o.name, names[k]);
		EXPECT(!strncmp(o.syntax, o.name, strlen(o.name)));
		EXPECT(*o.preset && *o.help);
		if (!strcmp(o.name, "guids"))
			EXPECT_STR(o.syntax, "guids=order|shuffle");
		EXPECT(!weft_gen_family_has(families, options));
	}
	EXPECT_EQ(found, 7);
	for (unsigned i = 0; i < families; i++)
		EXPECT(weft_gen_family_has(i, options - 1));	/* seed */
	EXPECT(!weft_gen_family_has(0, options));
}
