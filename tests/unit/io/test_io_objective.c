// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What tables shall be good at: in options, in files, and copied. */
#include "core/options.h"
#include "io_tables_util.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static const struct weft_option table[] = {
	{ .name = "objective", .type = WEFT_OPT_OBJECTIVE, .preset = "basket",
	  .help = "what the tables shall be good at" },
	{ .name = "second", .type = WEFT_OPT_OBJECTIVE, .help = "another" },
	{ .type = WEFT_OPT_END },
};

#define BASKET "bisect*1 uniform*1 shift*1 recursive-doubling*1 stencil*1 " \
	"fragments*1"

/* What it reads as: "PATTERN*WEIGHT ... | FROM-TO ...". */
static void describe(const struct weft_objective *o, char *text, size_t size)
{
	uint64_t pairs = o->pairs.nrounds ? o->pairs.first[o->pairs.nrounds] :
					    0;
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < o->nparts; i++)
		n += snprintf(text + n, size - n, "%s%s*%g", i ? " " : "",
			      o->part[i].pattern, o->part[i].weight);
	for (uint64_t i = 0; i < pairs; i++)
		n += snprintf(text + n, size - n, "%s%u-%u", i ? " " : "| ",
			      o->pairs.pair[i].from, o->pairs.pair[i].to);
}

static void says(const struct weft_objective *o, const char *expected)
{
	char got[1024];

	ASSERT(o);
	describe(o, got, sizeof(got));
	ASSERT_STR(got, expected);
}

static void reads_as(const char *text, const char *expected)
{
	struct weft_objective o;
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_objective(file_with(text, strlen(text)), &o,
		  &heard.diag), 0);
	assert_heard_count(&heard, 0, 0);
	says(&o, expected);
	weft_objective_free(&o);
}

TEST(test_files)
{
	reads_as("1 shift\n", "shift*1");
	reads_as("# site\n\n  2.5\tbisect \t# any\r\n.5 tree:root=3+shift",
		 "bisect*2.5 tree:root=3+shift*0.5");
	reads_as("1 doubling\n2 fragments\n3 uniform\n",
		 "recursive-doubling*1 fragments*2 uniform*3");
	reads_as("6 basket\n", BASKET);
	reads_as("6 basket\n2 shift\n1 ring\n1 ring\n",
		 "bisect*1 uniform*1 shift*3 recursive-doubling*1 stencil*1 fragments*1 ring*2");
	/* pairs and matrices, as patterns are read */
	reads_as("0 1\n2 3 7\n", "| 0-1 2-3");
	reads_as("ranks 9\nround\n0 1\nround\n1 0", "| 0-1 1-0");
	reads_as("0,5,0\n1.5,9,0\n0,2,7\n", "| 0-1 1-0 2-1");
	reads_as("%%MatrixMarket matrix coordinate pattern symmetric\n4 4 1\n2 1\n",
		 "| 1-0 0-1");
}

static void refuses(const char *text, unsigned long line, const char *words)
{
	struct weft_objective o = { .nparts = 77 };
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_objective(file_with(text, strlen(text)), &o,
		  &heard.diag), -EINVAL);
	assert_heard_count(&heard, 0, 1);
	assert_heard(&heard, WEFT_ERROR, line, words);
	ASSERT_EQ(o.nparts, 77);
}

TEST(test_refused)
{
	char many[1024] = "";

	refuses("", 0, "nothing in it; a line has a weight and a pattern");
	refuses("# all of it\n", 0, "nothing in it");
	refuses("shift\n", 1, "not 'WEIGHT PATTERN', as 2 shift: \"shift\"");
	refuses("shift 2\n", 1, "not 'WEIGHT PATTERN'");
	refuses("1 shift\n2\n", 2, "not 'WEIGHT PATTERN'");
	refuses("1 shift\n2 # bisect\n", 2, "not 'WEIGHT PATTERN'");
	refuses("1 shift\n1 tree shift\n", 2, "not 'WEIGHT PATTERN'");
	refuses("1 shift\n2 1\n", 2, "no pattern '1'");
	refuses("9e8 shift\n1 shift\n2e8 shift", 3, "weight 1.1e+09 of shift");
	refuses("1 shift\n0 tree\n", 2, "weight 0 of tree: it has to be from");
	refuses("1 shift\n-1 tree\n", 2, "weight -1 of tree");
	refuses("nan shift\n", 1, "not 'WEIGHT PATTERN'");
	refuses("1e99 shift\n", 1, "weight 1e+99 of shift");
	refuses("\n1 shifd\n", 2, "no pattern 'shifd'; did you mean 'shift'?");
	refuses("1 shift:distance=x\n", 1, "distance takes a whole number");
	refuses("1 tree@2+shift\n", 1, "no share between 0 and 1");
	refuses("0 0\n", 1, "rank 0 sends to itself");
	refuses("ranks 3\n", 0, "no pair of ranks in it");
	refuses("rankss 3\n", 1, "not 'WEIGHT PATTERN'");
	for (unsigned i = 1; i <= WEFT_WORTH_PARTS + 1; i++)
		sprintf(many + strlen(many), "1 shift:distance=%u\n", i);
	refuses(many, WEFT_WORTH_PARTS + 1,
		"too much: an objective has 16 patterns at most");
}

/* What is no file, and files that have the names of patterns. */
TEST(test_texts)
{
	char dir[] = "/tmp/weft-test-XXXXXX";
	struct weft_objective o;
	struct heard heard;
	FILE *file;

	ASSERT(mkdtemp(dir));
	ASSERT_EQ(chdir(dir), 0);
	ASSERT_EQ(weft_io_read_objective("basket", &o, NULL), 0);
	says(&o,
	     "bisect*0.166667 uniform*0.166667 shift*0.166667 recursive-doubling*0.166667 stencil*0.166667 fragments*0.166667");
	weft_objective_free(&o);
	heard_init(&heard);
	ASSERT_EQ(weft_io_read_objective("nowhere", &o, &heard.diag), -EINVAL);
	assert_heard(&heard, WEFT_ERROR, 0,
		     "no file 'nowhere', and no pattern 'nowhere'");
	ASSERT_EQ(weft_io_read_objective("./nowhere", &o, &heard.diag),
		  -ENOENT);
	file = fopen("stencil", "w");
	ASSERT(file);
	fputs("1 tree\n", file);
	fclose(file);
	ASSERT_EQ(weft_io_read_objective("stencil", &o, NULL), 0);
	says(&o, "stencil*1");
	weft_objective_free(&o);
	ASSERT_EQ(weft_io_read_objective("./stencil", &o, NULL), 0);
	says(&o, "tree*1");
	weft_objective_free(&o);
	ASSERT_EQ(unlink("stencil"), 0);
	ASSERT_EQ(chdir("/"), 0);
	ASSERT_EQ(rmdir(dir), 0);
}

static const struct weft_objective *objective_of(const struct weft_options *o,
						 const char *name)
{
	const struct weft_objective *objective;

	ASSERT_EQ(weft_options_objective(o, name, &objective, NULL), 0);
	return objective;
}

TEST(test_options)
{
	const struct weft_objective *objective;
	struct weft_options *o, *copy;
	struct heard heard;

	ASSERT_EQ(weft_options_new(&o, table), 0);
	ASSERT(!objective_of(o, "objective"));
	ASSERT(!objective_of(o, "second"));
	ASSERT_EQ(weft_io_read_objectives(o, NULL), 0);
	ASSERT(!objective_of(o, "objective"));
	ASSERT_EQ(weft_options_parse(o, "objective=shift", NULL), 0);
	heard_init(&heard);
	ASSERT_EQ(weft_options_objective(o, "objective", &objective,
		  &heard.diag), -EINVAL);
	assert_heard(&heard, WEFT_ERROR, 0, "objective=shift has not been");
	ASSERT_EQ(weft_io_read_objectives(o, NULL), 0);
	says(objective_of(o, "objective"), "shift*1");
	ASSERT_STR(weft_options_text(o, "objective"), "shift");
	/* copies share it, and outlive the original */
	ASSERT_EQ(weft_options_new(&copy, table), 0);
	ASSERT_EQ(weft_options_copy(copy, o, "objective"), 0);
	ASSERT((objective_of(copy, "objective")) == (objective_of(o,
	       "objective")));
	ASSERT_EQ(weft_options_parse(o, "objective=basket", NULL), 0);
	ASSERT(!objective_of(o, "objective"));
	weft_options_free(o);
	says(objective_of(copy, "objective"), "shift*1");
	weft_options_free(copy);
}

/* One that cannot be read is unset, the others are there. */
TEST(test_unset)
{
	struct weft_options *o;
	struct heard heard;

	ASSERT_EQ(weft_options_new(&o, table), 0);
	ASSERT_EQ(weft_options_parse(o, "objective=/nowhere", NULL), 0);
	ASSERT_EQ(weft_options_parse(o, "second=bisect", NULL), 0);
	heard_init(&heard);
	ASSERT_EQ(weft_io_read_objectives(o, &heard.diag), -ENOENT);
	assert_heard(&heard, WEFT_ERROR, 0, "cannot open");
	ASSERT(!objective_of(o, "objective"));
	ASSERT(!weft_options_text(o, "objective"));
	says(objective_of(o, "second"), "bisect*1");
	/* set anew, and read twice */
	ASSERT_EQ(weft_options_parse(o, "objective=tree", NULL), 0);
	ASSERT_EQ(weft_io_read_objectives(o, NULL), 0);
	ASSERT_EQ(weft_io_read_objectives(o, NULL), 0);
	says(objective_of(o, "objective"), "tree*1");
	weft_options_free(o);
}
