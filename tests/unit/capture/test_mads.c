// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Questions under way: how many, how often, how long, and which answers are
 * theirs.  The clock is the one of subnet_util.h. */
#include "subnet_util.h"

#include <errno.h>

/* Questions, from the last one on, and what came of them. */
#define MOST 100
struct quiz {
	unsigned left;
	struct weft__question question[MOST];
	unsigned answers[MOST];
	enum weft__answer answer[MOST];
	uint8_t first[MOST];	/* byte of the data */
	int stop;		/* what answered() returns */
};

static bool next(void *context, struct weft__question *q, uint32_t *number)
{
	static const struct weft__question none;
	struct quiz *z = context;

	EXPECT(!memcmp(q, &none, sizeof(none)));
	if (!z->left)
		return false;
	*number = --z->left;
	*q = z->question[*number];
	return true;
}

static int answered(void *context, uint32_t number, enum weft__answer answer,
		    const uint8_t *data)
{
	struct quiz *z = context;

	ASSERT(number < MOST);
	z->answers[number]++;
	z->answer[number] = answer;
	EXPECT_EQ(!data, answer != WEFT__ANSWERED);
	z->first[number] = data ? data[0] : 0;
	return z->stop;
}

/* Adds a question for a block of a forwarding table. */
static void add_block(struct quiz *z, unsigned node, unsigned block)
{
	z->question[z->left++] = (struct weft__question){
		.class = IB_SMI_CLASS, .attribute = IB_ATTR_LINEARFORWTBL,
		.modifier = block, .to = subnet.node[node].path_portid,
	};
	z->question[z->left - 1].to.lid = subnet.node[node].smalid;
}

/* Asks with some places and two retries after 100 ms. */
static int ask(struct quiz *z, unsigned places, struct heard *heard)
{
	struct weft__mads_spec spec = { .timeout_ms = 100, .retries = 2,
					.outstanding = places };
	struct weft__asker asker = { next, answered, z };
	struct weft__mads *mads = NULL;
	int err;

	heard_init(heard);
	ASSERT_EQ(weft__mads_open(&spec, &mads, &heard->diag), 0);
	err = weft__mads_ask(mads, &asker, &heard->diag);
	weft__mads_close(mads);
	return err;
}

/* Fails unless n questions were answered, each once and by its own table. */
static void expect_answers(const struct quiz *z, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct weft__question *q = &z->question[i];
		unsigned node = q->to.drpath.cnt == 2 ? B : A;

		suite_case("question %u", i);
		EXPECT_EQ(z->answers[i], 1);
		EXPECT_EQ(z->answer[i], WEFT__ANSWERED);
		EXPECT_EQ(z->first[i], subnet_out(node, 64 * q->modifier));
	}
}

TEST(port)
{
	struct weft__mads_spec spec = { .timeout_ms = 1, .outstanding = 1 };
	struct weft__mads *mads = NULL;
	struct weft__mads_port port;

	subnet_init();
	ASSERT_EQ(weft__mads_open(&spec, &mads, NULL), 0);
	port = weft__mads_port(mads);
	EXPECT_STR(port.ca, "toy0");
	EXPECT_EQ(port.port, 1);
	EXPECT_EQ(port.lid, 4);
	EXPECT_EQ(port.sm_lid, 4);
	EXPECT_EQ(port.sm_sl, 3);
	weft__mads_close(mads);
	weft__mads_close(NULL);
	EXPECT_EQ(subnet.closed, 1);
	EXPECT_EQ(subnet.released, 1);
}

/* As many are under way as there are places, in whatever order they come
 * back. */
TEST(places)
{
	static const unsigned places[] = { 1, 2, 7, 60, 5000 };

	for (unsigned k = 0; k < 10; k++) {
		struct quiz z = { .left = 0 };
		unsigned n = places[k / 2] < 60 ? MOST : 50;
		struct heard heard;

		subnet_init();
		subnet.last_first = k % 2;
		for (unsigned i = 0; i < n; i++)
			add_block(&z, i % 3 ? A : B, i);
		ASSERT_EQ(ask(&z, places[k / 2], &heard), 0);
		expect_answers(&z, n);
		EXPECT_EQ(subnet.n, n);
		EXPECT_EQ(subnet.most_under_way, n < places[k / 2] ? n :
			  places[k / 2]);
		assert_heard_count(&heard, 0, 0);
	}
}

/* --- silence -------------------------------------------------------------- */

static int silence(const struct asked *q)
{
	(void)q;
	return LOST;
}

/* Three times by LID, then three times by path, each when the one before had
 * its time; then it is given up. */
TEST(silent)
{
	struct quiz z = { .left = 0 };
	struct heard heard;

	subnet_init();
	subnet.fate = silence;
	add_block(&z, A, 0);
	ASSERT_EQ(ask(&z, 4, &heard), 0);
	EXPECT_EQ(z.answers[0], 1);
	EXPECT_EQ(z.answer[0], WEFT__SILENT);
	ASSERT_EQ(subnet.n, 6);
	for (unsigned i = 0; i < 6; i++) {
		EXPECT_EQ(subnet.log[i].by_path, i >= 3);
		EXPECT_EQ(subnet.log[i].node, A);
		if (i)
			ASSERT_WITHIN((long long)(subnet.log[i].sent -
				      subnet.log[i - 1].sent), 100, 101);
	}
	ASSERT_WITHIN((long long)(subnet.now - subnet.log[5].sent), 100, 101);
}

/* The SA and counters have no path, nor has this port itself; where there is no
 * LID there is nothing but the path. */
TEST(silent_one_way)
{
	for (unsigned i = 0; i < 3; i++) {
		struct quiz z = { .left = 0 };
		struct heard heard;

		subnet_init();
		subnet.fate = silence;
		add_block(&z, A, 0);
		if (i == 0)
			z.question[0].class = IB_PERFORMANCE_CLASS;
		else if (i == 1)
			z.question[0].to.drpath.cnt = 0;
		else
			z.question[0].to.lid = 0;
		ASSERT_EQ(ask(&z, 4, &heard), 0);
		suite_case("%u", i);
		EXPECT_EQ(z.answer[0], WEFT__SILENT);
		ASSERT_EQ(subnet.n, 3);
		for (unsigned k = 0; k < 3; k++)
			EXPECT_EQ(subnet.log[k].by_path, i == 2);
	}
}

static int deaf_by_lid(const struct asked *q)
{
	return q->by_path ? OK : LOST;
}

static int second_time(const struct asked *q)
{
	return q->nth ? OK : LOST;
}

static int busy_once(const struct asked *q)
{
	return q->nth ? OK : BUSY;
}

static int timed_out_once(const struct asked *q)
{
	return q->nth ? OK : TIMED_OUT;
}

static int echo_once(const struct asked *q)
{
	return q->nth ? OK : ECHO;
}

/* What comes of a second attempt, and when that is made: at once where somebody
 * said that the first one failed. */
TEST(again)
{
	static const struct {
		int (*fate)(const struct asked *q);
		unsigned asked, first, last; /* ms until the last one */
	} cases[] = {
		{ second_time, 2, 100, 101 }, { busy_once, 2, 2, 2 },
		{ timed_out_once, 2, 2, 2 },  { echo_once, 2, 100, 101 },
		{ deaf_by_lid, 4, 300, 303 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct quiz z = { .left = 0 };
		struct heard heard;

		subnet_init();
		subnet.fate = cases[i].fate;
		add_block(&z, B, 1);
		ASSERT_EQ(ask(&z, 3, &heard), 0);
		expect_answers(&z, 1);
		suite_case("case %u", i);
		ASSERT_EQ(subnet.n, cases[i].asked);
		ASSERT_WITHIN((long long)(subnet.log[subnet.n - 1].sent - 5000),
			      cases[i].first, cases[i].last);
	}
}

static int busy(const struct asked *q)
{
	(void)q;
	return BUSY;
}

static int refuses(const struct asked *q)
{
	(void)q;
	return REFUSED;
}

TEST(busy_or_refused)
{
	for (unsigned path = 0; path < 2; path++) {
		struct quiz z = { .left = 0 };
		struct heard heard;

		subnet_init();
		subnet.fate = busy;
		add_block(&z, B, 1);
		if (path)
			z.question[0].to.lid = 0;
		ASSERT_EQ(ask(&z, 3, &heard), 0);
		EXPECT_EQ(z.answer[0], WEFT__SILENT);
		EXPECT_EQ(subnet.n, path ? 3 : 6);
		subnet_init();
		subnet.fate = refuses;
		z.left = 1;
		ASSERT_EQ(ask(&z, 3, &heard), 0);
		EXPECT_EQ(z.answer[0], WEFT__REFUSED);
		EXPECT_EQ(z.answers[0], 2);
		EXPECT_EQ(subnet.n, 1);
	}
}

/* --- late answers --------------------------------------------------------- */

static int slow_first(const struct asked *q)
{
	subnet.delay = q->nth ? 20 : 130;
	return OK;
}

/* An answer to an attempt that was given up is nobody's, not that of the
 * question that has its place now. */
TEST(late)
{
	for (unsigned places = 1; places <= 3; places++) {
		struct quiz z = { .left = 0 };
		struct heard heard;

		subnet_init();
		subnet.fate = slow_first;
		for (unsigned i = 0; i < 9; i++)
			add_block(&z, i % 2 ? A : B, i);
		ASSERT_EQ(ask(&z, places, &heard), 0);
		expect_answers(&z, 9);
		EXPECT_EQ(subnet.n, 18);
	}
}

/* A wait that is interrupted goes on. */
TEST(interrupted)
{
	struct quiz z = { .left = 0 };
	struct heard heard;

	subnet_init();
	subnet.interrupted = 4;
	add_block(&z, A, 2);
	ASSERT_EQ(ask(&z, 1, &heard), 0);
	expect_answers(&z, 1);
	EXPECT_EQ(subnet.n, 1);
}

/* --- errors --------------------------------------------------------------- */

TEST(stopped)
{
	struct quiz z = { .stop = -ECANCELED };
	unsigned answers = 0;
	struct heard heard;

	subnet_init();
	for (unsigned i = 0; i < 20; i++)
		add_block(&z, A, i);
	EXPECT_EQ(ask(&z, 4, &heard), -ECANCELED);
	for (unsigned i = 0; i < 20; i++)
		answers += z.answers[i];
	EXPECT_EQ(answers, 1);
	EXPECT_EQ(subnet.n, 4);
}

TEST(too_far)
{
	struct quiz z = { .left = 0 };
	struct heard heard;

	subnet_init();
	add_block(&z, A, 0);
	z.question[0].to.lid = 0;
	z.question[0].to.drpath.cnt = 64;
	EXPECT_EQ(ask(&z, 1, &heard), -EIO);
	assert_heard(&heard, WEFT_ERROR, 0, "more than 63 hops");
	EXPECT_EQ(subnet.n, 0);
}

/* A port goes on to work with another one's questions after an error. */
TEST(after_an_error)
{
	struct weft__mads_spec spec = { .timeout_ms = 100, .outstanding = 4 };
	struct quiz z = { .left = 0 };
	struct weft__asker asker = { next, answered, &z };
	struct weft__mads *mads = NULL;

	subnet_init();
	ASSERT_EQ(weft__mads_open(&spec, &mads, NULL), 0);
	for (unsigned i = 0; i < 12; i++)
		add_block(&z, A, i);
	subnet.no_receive = ENODEV;
	EXPECT_EQ(weft__mads_ask(mads, &asker, NULL), -EIO);
	subnet.no_receive = 0;
	z.left = 12;
	EXPECT_EQ(weft__mads_ask(mads, &asker, NULL), 0);
	expect_answers(&z, 12);
	weft__mads_close(mads);
}
