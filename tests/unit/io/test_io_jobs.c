// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Slurm's lists of hosts, jobs as Slurm tells of them, and their hosts. */
#include "io_tables_util.h"

#include "core/list.h"
#include "core/text/hostlist.h"

#include <errno.h>
#include <stdio.h>

static int put(void *context, const char *name, size_t length)
{
	char *text = context;

	sprintf(text + strlen(text), "%s%.*s", *text ? " " : "", (int)length,
		name);
	return 0;
}

TEST(test_brackets)
{
	static const struct {
		const char *list, *names;
	} cases[] = {
		{ "", "" },
		{ "a", "a" },
		{ "a,b,", "a b" },
		{ "n[1-3]", "n1 n2 n3" },
		{ "n[08-11,20]", "n08 n09 n10 n11 n20" },
		{ "n[9-11]-ib,x", "n9-ib n10-ib n11-ib x" },
		{ "n[001-002,007],gpu[1-2]x[3-4]",
		  "n001 n002 n007 gpu1x3 gpu1x4 gpu2x3 gpu2x4" },
		{ "r[1,3]n[1-2]s[0]", "r1n1s0 r1n2s0 r3n1s0 r3n2s0" },
		{ "[1-2]n", "1n 2n" },
		{ "n[4294967295-4294967295]", "n4294967295" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *list = cases[i].list, *why = NULL;
		char text[256] = "";

		suite_case("%s", list);
		EXPECT_EQ(weft__hostlist_each(list, list + strlen(list), put,
					      text, &why), 0);
		EXPECT_STR(text, cases[i].names);
		EXPECT(!why);
	}
}

TEST(test_bad_brackets)
{
	static const struct {
		const char *list, *why;
	} cases[] = {
		{ "n[1", "a bracket is left open" },
		{ "n[1-2]x[3", "a bracket is left open" },
		{ "n1]", "a bracket is closed that was not open" },
		{ "n[1]]", "a bracket is closed that was not open" },
		{ "n[]", "no number in the brackets" },
		{ "n[1,]", "no number in the brackets" },
		{ "n[[1]]", "no number in the brackets" },
		{ "n[a]", "no number in the brackets" },
		{ "n[2-1]", "no range in the brackets" },
		{ "n[1-]", "no range in the brackets" },
		{ "n[1-2-3]", "no range in the brackets" },
		{ "n[1 2]", "no range in the brackets" },
		{ "n[4294967296]", "no number in the brackets" },
		{ "a,,b", "no name between two commas" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *list = cases[i].list, *why = NULL;
		char text[256] = "";

		suite_case("%s", list);
		EXPECT_EQ(weft__hostlist_each(list, list + strlen(list), put,
					      text, &why), -EINVAL);
		EXPECT_STR(why, cases[i].why);
	}
}

TEST(test_long_names)
{
	char list[WEFT__HOST_NAME + 8], text[WEFT__HOST_NAME + 8] = "";
	const char *why = NULL;

	memset(list, 'a', sizeof(list));
	EXPECT_EQ(weft__hostlist_each(list, list + WEFT__HOST_NAME - 1, put,
				      text, &why), 0);
	EXPECT_EQ(strlen(text), WEFT__HOST_NAME - 1);
	EXPECT_EQ(weft__hostlist_each(list, list + WEFT__HOST_NAME, put, text,
				      &why), -EINVAL);
	EXPECT_STR(why, "a name too long");
}

/* "line:NAME=LIST ..." of each job. */
static void jobs_are(const char *text, const char *expected)
{
	struct weft_job_list list;
	struct heard heard;
	char got[512] = "";

	suite_case("%s", text);
	heard_init(&heard);
	ASSERT_EQ(weft_io_read_jobs(file_with(text, strlen(text)), &list,
				    &heard.diag), 0);
	assert_heard_count(&heard, 0, 0);
	for (uint32_t i = 0; i < list.n; i++)
		sprintf(got + strlen(got), "%s%lu:%s=%s", i ? "; " : "",
			list.job[i].line, list.job[i].name, list.job[i].hosts);
	EXPECT_STR(got, expected);
	weft_job_list_free(&list);
}

TEST(test_lines)
{
	jobs_are("a: n[1-2]\n# c\n\nb=n3,n4 # d\nc n5\nn[6-7]\n n8 # e",
		 "1:a=n[1-2]; 4:b=n3,n4; 5:c=n5; 6:line 6=n[6-7]; 7:line 7=n8");
}

TEST(test_scontrol)
{
	jobs_are("JobId=106 JobName=train\n"
		 "   UserId=a(1) JobState=RUNNING Reason=None\n"
		 "   ReqNodeList=(null) ExcNodeList=n9\n"
		 "   NodeList=n[001-016,020]\n   BatchHost=n001\n\n"
		 "JobId=107 JobName=wait JobState=PENDING NodeList=\n"
		 "JobId=108 JobName=wait JobState=PENDING NodeList=(null)\n"
		 "JobId=109 JobName=over JobState=COMPLETED NodeList=n1\n"
		 "JobId=110 JobName=two words JobState=COMPLETING NodeList=n2\n"
		 "JobId=111 NodeList=n3\n",
		 "4:106 train=n[001-016,020]; 10:110 two=n2; 11:111=n3");
}

TEST(test_squeue)
{
	jobs_are("  JOBID PARTITION     NAME ST NODELIST(REASON)\n"
		 "    106     debug    train  R n[001-016,020]\n"
		 "    107     debug     wait PD (Resources)\n"
		 "    108     debug     what PD (a, b: c d)\n",
		 "2:106 train=n[001-016,020]");
	jobs_are("NODELIST\nn[1-2]\nn3\n", "2:line 2=n[1-2]; 3:line 3=n3");
	jobs_are("JOBID|NAME|STATE|NODELIST\n1|a b|RUNNING|n1,n2\n"
		 "2|c|PENDING|\n3||RUNNING|n4\n",
		 "2:1 a b=n1,n2; 4:3=n4");
	jobs_are("NODELIST JOBID\nn[1-2] 7\n", "2:7=n[1-2]");
}

static void jobs_refused(const char *text, unsigned long line,
			 const char *words)
{
	struct weft_job_list list = { .n = 7 };
	struct heard heard;

	suite_case("%s", text);
	heard_init(&heard);
	ASSERT_EQ(weft_io_read_jobs(file_with(text, strlen(text)), &list,
				    &heard.diag), -EINVAL);
	assert_heard_count(&heard, 0, 1);
	assert_heard(&heard, WEFT_ERROR, line, words);
	EXPECT_EQ(list.n, 7);
}

TEST(test_bad_jobs)
{
	jobs_refused("", 0, "no running job in it");
	jobs_refused("JobId=1 JobState=PENDING NodeList=(null)\n", 0,
		     "no running job in it");
	jobs_refused("a: n1\nb: n[1\n", 2, "job 'b': a bracket is left open");
	jobs_refused("a:\n", 1, "not a job and its hosts");
	jobs_refused(": n1\n", 1, "not a job and its hosts");
	jobs_refused("a: n1 n2\n", 1, "not a job and its hosts");
	jobs_refused("a = # n1\n", 1, "not a job and its hosts");
	jobs_refused("JobId=1\n NodeList=n[2-1]\n", 2,
		     "job '1': no range in the brackets");
	jobs_refused("JOBID NAME NODELIST\n1 a b n1\n", 2,
		     "more columns than the header has");
	jobs_refused("a: n[1-99999999]\n", 1, "too many");
}

/* Four switches with two hosts each. */
static struct weft_fabric *fabric(void)
{
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_gen("ring:4,hosts=2", &f, NULL), 0);
	return f;
}

static int find(const char *text, struct weft_jobs *jobs, struct heard *heard)
{
	struct weft_fabric *f = fabric();
	struct weft_job_list list;
	int err;

	heard_init(heard);
	ASSERT_EQ(weft_io_read_jobs(file_with(text, strlen(text)), &list,
				    &heard->diag), 0);
	err = weft_jobs_find(&list, f, jobs, &heard->diag);
	weft_job_list_free(&list);
	weft_fabric_free(f);
	return err;
}

TEST(test_found)
{
	struct weft_fabric *f = fabric();
	const char *name = f->node[f->ep[3].node].name;
	struct weft_jobs jobs;
	struct heard heard;
	char text[256];

	snprintf(text, sizeof(text), "a: %s,%s\nb: %s,nobody,%s,%s\nc: none\n",
		 name, f->node[f->ep[1].node].name,
		 f->node[f->ep[0].node].name, name,
		 f->node[f->ep[0].node].name);
	ASSERT_EQ(find(text, &jobs, &heard), 0);
	ASSERT_EQ(jobs.n, 2);
	EXPECT_EQ(jobs.job[0].n, 2);
	EXPECT_EQ(jobs.job[0].endport[0], 3);
	EXPECT_EQ(jobs.job[0].endport[1], 1);
	EXPECT_EQ(jobs.job[1].n, 2);
	EXPECT_EQ(jobs.job[1].endport[0], 0);
	EXPECT_EQ(jobs.job[1].endport[1], 3);
	EXPECT_EQ(jobs.job[1].line, 2);
	assert_heard_count(&heard, 5, 0);
	assert_heard(&heard, WEFT_WARNING, 2, "lacks 1, first of them 'nobody'");
	assert_heard(&heard, WEFT_WARNING, 2, "1 host there twice");
	assert_heard(&heard, WEFT_WARNING, 2, "1 host in other jobs, too");
	assert_heard(&heard, WEFT_WARNING, 3, "has no host: left aside");
	weft_jobs_free(&jobs);
	weft_fabric_free(f);
}

TEST(test_nobody_found)
{
	struct weft_jobs jobs = { .n = 7 };
	struct heard heard;

	EXPECT_EQ(find("a: x\nb: y[1-3]\n", &jobs, &heard), -EINVAL);
	assert_heard(&heard, WEFT_WARNING, 2, "of 3 hosts the fabric lacks 3");
	assert_heard(&heard, WEFT_ERROR, 0, "jobs of another cluster?");
	EXPECT_EQ(jobs.n, 7);
}

/* Other jobs in the file are no other option; another file is. */
TEST(test_option)
{
	static const struct weft_option table[] = {
		{ .name = "jobs", .type = WEFT_OPT_JOBS, .help = "jobs" },
		{ .type = WEFT_OPT_END },
	};
	static const char *const texts[] = { "a: n1\n", "b: n[2-3]\n" };
	const struct weft_job_list *list;
	uint64_t digest[2];

	for (int i = 0; i < 2; i++) {
		struct weft_options *o;

		ASSERT_EQ(weft_options_new(&o, table), 0);
		ASSERT_EQ(weft_options_jobs(o, "jobs", &list, NULL), 0);
		ASSERT(!list);
		ASSERT_EQ(weft_options_set(o, "jobs",
					   file_with(texts[i],
						     strlen(texts[i])),
					   NULL, 0, NULL), 0);
		ASSERT_EQ(weft_options_jobs(o, "jobs", &list, NULL), -EINVAL);
		ASSERT_EQ(weft_io_read_objectives(o, NULL), 0);
		ASSERT_EQ(weft_options_jobs(o, "jobs", &list, NULL), 0);
		ASSERT(list);
		EXPECT_STR(list->job[0].hosts, i ? "n[2-3]" : "n1");
		digest[i] = weft__options_digest(o);
		weft_options_free(o);
	}
	EXPECT_EQ(digest[0], digest[1]);
}
