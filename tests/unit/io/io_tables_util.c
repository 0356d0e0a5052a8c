// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See io_tables_util.h. */
#include "io_tables_util.h"

#include <stdio.h>
#include <unistd.h>

static void keep(void *context, const struct weft_message *message)
{
	struct heard *heard = context;

	ASSERT(heard->n < HEARD_MAX);
	heard->message[heard->n].severity = message->severity;
	heard->message[heard->n].line = message->line;
	snprintf(heard->message[heard->n].text,
		 sizeof(heard->message[0].text), "%s", message->text);
	heard->n++;
}

void heard_init(struct heard *heard)
{
	memset(heard, 0, sizeof(*heard));
	heard->diag.emit = keep;
	heard->diag.context = heard;
}

static void print_heard(const struct heard *heard)
{
	static const char *const word[] = { "note", "warning", "error" };

	for (unsigned i = 0; i < heard->n; i++)
		printf("heard: line %lu: %s: %s\n",
			      heard->message[i].line,
			      word[heard->message[i].severity],
			      heard->message[i].text);
}

void heard_expect(const struct heard *heard, enum weft_severity severity,
		  unsigned long line, const char *text, const char *file,
		  int at)
{
	for (unsigned i = 0; i < heard->n; i++)
		if (heard->message[i].severity == severity &&
		    heard->message[i].line == line &&
		    strstr(heard->message[i].text, text))
			return;
	print_heard(heard);
	printf("not heard: line %lu: %s\n", line, text);
	suite_fail((struct suite_at){ file, at, true }, "see above");
}

void heard_expect_count(const struct heard *heard, unsigned warnings,
			unsigned errors, const char *file, int at)
{
	if (heard->diag.count[WEFT_WARNING] == warnings &&
	    heard->diag.count[WEFT_ERROR] == errors)
		return;
	print_heard(heard);
	printf("expected: %u warnings, %u errors\n", warnings, errors);
	suite_fail((struct suite_at){ file, at, true }, "see above");
}

static char path[64];

static void remove_file(void)
{
	unlink(path);
}

const char *file_with(const char *text, size_t size)
{
	FILE *file;

	if (!path[0]) {
		int fd;

		strcpy(path, "/tmp/weft-test-XXXXXX");
		fd = mkstemp(path);
		ASSERT(fd >= 0);
		close(fd);
		atexit(remove_file);
	}
	file = fopen(path, "w");
	ASSERT(file);
	ASSERT_EQ(fwrite(text, 1, size, file), size);
	ASSERT_EQ(fclose(file), 0);
	return path;
}

char *file_content(const char *name, size_t *size)
{
	FILE *file = fopen(name, "r");
	char *text;
	long end;

	ASSERT(file);
	fseek(file, 0, SEEK_END);
	end = ftell(file);
	rewind(file);
	text = malloc((size_t)end + 1);
	ASSERT(text);
	ASSERT_EQ(fread(text, 1, (size_t)end, file), end);
	text[end] = '\0';
	fclose(file);
	if (size)
		*size = (size_t)end;
	return text;
}

static struct weft_fabric *finish(struct weft_builder *b)
{
	struct weft_fabric *fabric = NULL;
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_builder_finish(b, &fabric, &heard.diag), 0);
	assert_heard_count(&heard, 0, 0);
	ASSERT_EQ(weft_fabric_check(fabric, NULL), 0);
	weft_builder_free(b);
	return fabric;
}

static uint32_t add_switch(struct weft_builder *b, uint64_t guid, unsigned lid,
			   unsigned nports, const char *name)
{
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, guid, nports);

	weft_builder_name(b, sw, name, strlen(name));
	weft_builder_port(b, sw, 0)->lid = lid;
	return sw;
}

static void add_host(struct weft_builder *b, uint64_t guid, unsigned lid,
		     unsigned lmc, uint32_t sw, unsigned port)
{
	uint32_t ca = weft_builder_node(b, WEFT_NODE_CA, guid, 1);

	weft_builder_name(b, ca, "host 'x' (#1)", 13);
	*weft_builder_port(b, ca, 1) = (struct weft_port_spec){
		.guid = guid + 1, .lid = lid, .lmc = (uint8_t)lmc,
		.peer = WEFT_NONE,
	};
	ASSERT_EQ(weft_builder_link(b, ca, 1, sw, port, (struct weft_rate){ 4,
		  WEFT_EDR }), 0);
}

struct weft_fabric *small_fabric(void)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t sw[3];

	for (unsigned i = 0; i < 3; i++) {
		sw[i] = add_switch(b, 0x10 * (i + 1), i + 1, 4, "switch");
		add_host(b, 0xa0 + 0x10 * i, i + 4, 0, sw[i], 1);
	}
	weft_builder_port(b, sw[1], 0)->guid = 0x1020;
	weft_builder_link(b, sw[0], 2, sw[1], 2,
			  (struct weft_rate){ 4, WEFT_EDR });
	weft_builder_link(b, sw[1], 3, sw[2], 3,
			  (struct weft_rate){ 4, WEFT_EDR });
	weft_builder_link(b, sw[1], 4, sw[2], 4,
			  (struct weft_rate){ 4, WEFT_EDR });
	return finish(b);
}

struct weft_fabric *random_named_fabric(struct weft_rng *rng, unsigned lmc)
{
	struct weft_builder *b = weft_builder_new();
	unsigned nsw = 2 + weft_rng_below(rng, 8);
	unsigned lid = 1;
	uint32_t sw[10];

	for (unsigned i = 0; i < nsw; i++) {
		lid += weft_rng_below(rng, 3);
		sw[i] = add_switch(b, (uint64_t)weft_rng_u32(rng) << 8 | i,
				   lid++, 36, "it's [a] \"switch\" # lid 3");
		if (!i)
			continue;
		weft_builder_link(b, sw[i], 1, sw[weft_rng_below(rng, i)],
				  1 + i, (struct weft_rate){ 4, WEFT_EDR });
	}
	for (unsigned i = 0; i < 24; i++) {
		lid = (lid + (1u << lmc)) >> lmc << lmc;
		add_host(b, (uint64_t)weft_rng_u32(rng) << 32 | i << 8, lid,
			 lmc, sw[weft_rng_below(rng, nsw)], 12 + i);
		lid += 1u << lmc;
	}
	return finish(b);
}
