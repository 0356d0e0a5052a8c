// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The sample of weft.conf: every option is in it; as it is it changes nothing;
 * each line without its # is accepted, and alone says what it shows.
 */
#include "shim_util.h"

#include "plugins/conf/osm_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/weft-test-sample.XXXXXX";
static char *sample;

static void hear(void *context, const struct weft_message *m)
{
	(void)context;
	ASSERT_NEVER("line %lu: %s", m->line, m->text);
}

/* Writes the sample with the # of one line, or of every option if line is
 * NULL, taken away.  Lines of options are those that begin with "#" and no
 * blank after it. */
static void write_without(const char *line, bool all)
{
	FILE *file = fopen(path, "w");

	ASSERT(file);
	for (const char *p = sample; *p; p += strcspn(p, "\n") + 1) {
		bool option = p[0] == '#' && p[1] != ' ' && p[1] != '\n';
		const char *from = p + (option && (all || p == line));

		fprintf(file, "%.*s\n", (int)strcspn(from, "\n"), from);
	}
	ASSERT_EQ(fclose(file), 0);
}

/* Reads what was written as the engine does, its lists included. */
static void read_back(const struct weft_engine *e, struct weft__conf *conf)
{
	struct weft_diag diag = { .emit = hear };
	char words[100];

	*conf = (struct weft__conf){ 0 };
	snprintf(words, sizeof(words), "weft.conf=%s", path);
	ASSERT_EQ(weft__conf_read(words, e, conf, &diag), 0);
	ASSERT_EQ(weft__conf_lists(conf->options, NULL, &diag), 0);
}

/* The settings of an engine without any file. */
static void read_nothing(const struct weft_engine *e, struct weft__conf *conf)
{
	FILE *file = fopen(path, "w");

	ASSERT(file);
	fclose(file);
	read_back(e, conf);
}

/* Frees both. */
static void expect_same(const struct weft_engine *e, struct weft__conf *a,
			struct weft__conf *b, bool given)
{
	const struct weft_option *o = e->options;

	for (; o && o->type != WEFT_OPT_END; o++) {
		const char *one = weft_options_text(a->options, o->name);
		const char *other = weft_options_text(b->options, o->name);

		if (one && (!other || strcmp(one, other)))
			ASSERT_NEVER("%s %s: %s", e->name, o->name, one);
		ASSERT(weft_options_given(b->options, o->name) == given);
		if (!given)
			ASSERT(!one == !other);
	}
	weft_options_free(a->options);
	weft_options_free(b->options);
	a->options = b->options = NULL;
	ASSERT_MEM(a, b, sizeof(*a));
}

static bool is_plugin(const struct weft_engine *e)
{
	return !(e->needs & WEFT_OFFLINE);
}

TEST(test_as_it_is)
{
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		struct weft__conf without, with;

		read_nothing(*e, &without);
		write_without(NULL, false);
		read_back(*e, &with);
		/* psssp and others have a preset of their own in a subnet
		 * manager, which counts as given without any file, too. */
		for (const struct weft_option *o = (*e)->options;
		     o && o->type != WEFT_OPT_END; o++)
			ASSERT(weft_options_given(with.options, o->name) ==
			       weft_options_given(without.options, o->name));
		weft_options_free(without.options);
		weft_options_free(with.options);
		without.options = with.options = NULL;
		ASSERT_MEM(&without, &with, sizeof(with));
	}
}

/* All lines at once: every option is given, each its default. */
TEST(test_all_lines)
{
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		struct weft__conf without, with;

		if (!is_plugin(*e))
			continue;
		read_nothing(*e, &without);
		write_without(NULL, true);
		read_back(*e, &with);
		expect_same(*e, &without, &with, true);
	}
}

/* Each option of a table stands in the section of that name; its line alone
 * sets it and nothing else. */
static unsigned check_section(const char *section,
			      const struct weft_option *table,
			      const struct weft_engine *e)
{
	char head[64], line[128];
	unsigned n = 0;

	snprintf(head, sizeof(head), "\n[%s]\n", section);
	for (const struct weft_option *o = table; o && o->type != WEFT_OPT_END;
	     o++, n++) {
		struct weft__conf conf;
		const char *from = strstr(sample, head), *at, *end;

		ASSERT(from);
		end = strstr(from + 2, "\n[");
		snprintf(line, sizeof(line), "\n#%s = ", o->name);
		at = strstr(from, line);
		if (!at || (end && at > end))
			ASSERT_NEVER("[%s] has no %s", section, o->name);
		write_without(at + 1, false);
		read_back(e, &conf);
		if (table == e->options) {
			const char *value =
				weft_options_text(conf.options, o->name);

			ASSERT(weft_options_given(conf.options, o->name));
			ASSERT_EQ(strncmp(at + strlen(line), value,
				  strlen(value)), 0);
		}
		weft_options_free(conf.options);
	}
	return n;
}

TEST(test_each_line)
{
	const struct weft_engine *weave = weft_engine_find("weave");
	unsigned n, lines = 0;

	n = check_section("weft", weft__conf_common,
			  weave ? weave : *weft_engines());
	ASSERT_NE(n, 0);
	for (const struct weft_engine *const *e = weft_engines(); *e; e++)
		if (is_plugin(*e))
			n += check_section((*e)->name, (*e)->options, *e);
	for (const char *p = sample; *p; p += strcspn(p, "\n") + 1)
		lines += p[0] == '#' && p[1] != ' ' && p[1] != '\n';
	ASSERT_EQ(lines, n);
}

/* A person reads it in a terminal. */
TEST(test_width)
{
	for (const char *p = sample; *p; p += strcspn(p, "\n") + 1)
		if (strcspn(p, "\n") > 80)
			ASSERT_NEVER("too long: %.*s", (int)strcspn(p, "\n"),
				     p);
}

static int prepare(void)
{
	size_t size;
	FILE *out = open_memstream(&sample, &size);
	int fd = mkstemp(path);

	if (!out || fd < 0)
		return -1;
	close(fd);
	return weft__conf_sample(out) | fclose(out);
}

static int clean(void)
{
	free(sample);
	return unlink(path);
}

int main(void)
{
	int failed = prepare() || suite_run();

	return clean() || failed;
}
