// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See io_topology_util.h. */
#include "io_topology_util.h"

#include <errno.h>

int read_text(const char *text, size_t size, struct weft_fabric **fabric,
	      struct heard *heard)
{
	struct weft__source source = weft__source_text("text", text, size);

	*fabric = NULL;
	heard_init(heard);
	return weft__read_fabric(&source, fabric, &heard->diag);
}

struct weft_fabric *load_text(const char *text, struct heard *heard)
{
	struct weft_fabric *fabric;
	int err = read_text(text, strlen(text), &fabric, heard);

	if (err)
		printf("%s", text);
	assert_heard_count(heard, heard->diag.count[WEFT_WARNING], 0);
	ASSERT_EQ(err, 0);
	return fabric;
}

void assert_refused(const char *text, unsigned long line, const char *says)
{
	struct weft_fabric *fabric;
	struct heard heard;
	int err = read_text(text, strlen(text), &fabric, &heard);

	assert_heard(&heard, WEFT_ERROR, line, says);
	ASSERT_EQ(heard.diag.count[WEFT_ERROR], 1);
	ASSERT_EQ(err, -EINVAL);
	ASSERT(!fabric);
}

void assert_rate(const char *text, unsigned speed, unsigned warnings)
{
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard_count(&heard, warnings, 0);
	ASSERT_EQ(f->speed[weft_channel(f, 0, 1)], speed);
	ASSERT_EQ(f->width[weft_channel(f, 0, 1)], 2);
	weft_fabric_free(f);
}

char *written(const struct weft_fabric *fabric)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ASSERT(out);
	ASSERT_EQ(weft_io_write_ibnetdiscover(out, fabric, NULL), 0);
	fclose(out);
	return text;
}

void assert_same_fabric(const struct weft_fabric *a,
			const struct weft_fabric *b)
{
	char *text_a = written(a), *text_b = written(b);

	ASSERT_STR(text_a, text_b);
	free(text_a);
	free(text_b);
}

uint32_t split_sections(char *text, char **section, uint32_t max)
{
	uint32_t n = 0;

	for (char *p = text; p; n++) {
		ASSERT(n < max);
		section[n] = p;
		p = strstr(p, "\n\n");
		if (p) {
			*p = '\0';
			p += 2;
		}
	}
	return n;
}

char *join_sections(char *const *section, const uint32_t *order, uint32_t n)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ASSERT(out);
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "%s\n\n", section[order[i]]);
	fclose(out);
	return text;
}

char *replaced(const char *text, const char *from, const char *to)
{
	char *result;
	size_t size;
	FILE *out = open_memstream(&result, &size);
	const char *next = strstr(text, from);

	ASSERT(out);
	ASSERT(next);
	for (; next; text = next + strlen(from), next = strstr(text, from)) {
		fwrite(text, 1, (size_t)(next - text), out);
		fputs(to, out);
	}
	fputs(text, out);
	fclose(out);
	return result;
}
