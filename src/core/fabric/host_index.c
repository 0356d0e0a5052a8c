// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See host_index.h. */
#include "core/fabric/host_index.h"
#include "core/text/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare(const struct weft__host_name *a, const char *name,
		   size_t length)
{
	size_t common = a->length < length ? a->length : length;
	int order = memcmp(a->name, name, common);

	return order ? order : (a->length > length) - (a->length < length);
}

static int by_name(const void *x, const void *y)
{
	const struct weft__host_name *a = x, *b = y;
	int order = compare(a, b->name, b->length);

	return order ? order : (a->endport > b->endport) -
			       (a->endport < b->endport);
}

static void add(struct weft__host_index *index, const char *name,
		size_t length, uint32_t endport)
{
	if (length)
		index->entry[index->n++] = (struct weft__host_name){
			name, length, endport };
}

int weft__host_index_init(struct weft__host_index *index,
			  const struct weft_fabric *fabric)
{
	*index = (struct weft__host_index){ 0 };
	index->entry = malloc((3 * (size_t)fabric->nep + 1) *
			      sizeof(*index->entry));
	if (!index->entry)
		return -ENOMEM;
	for (uint32_t e = 0; e < fabric->nep; e++) {
		const char *name = fabric->node[fabric->ep[e].node].name;
		size_t length = strlen(name), word = strcspn(name, " \t");
		size_t host = strcspn(name, " \t.");

		add(index, name, length, e);
		if (word < length)
			add(index, name, word, e);
		if (host < word)
			add(index, name, host, e);
	}
	qsort(index->entry, index->n, sizeof(*index->entry), by_name);
	return 0;
}

void weft__host_index_free(struct weft__host_index *index)
{
	free(index->entry);
}

static uint32_t find(const struct weft__host_index *index, const char *name,
		     size_t length)
{
	size_t low = 0, high = index->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&index->entry[middle], name, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < index->n && !compare(&index->entry[low], name, length) ?
		index->entry[low].endport : WEFT_NONE;
}

uint32_t weft__host_index_find(const struct weft__host_index *index,
			       const struct weft_fabric *fabric,
			       const char *name, size_t length)
{
	uint32_t endport = find(index, name, length);
	const char *dot = memchr(name, '.', length), *end = name + length;
	uint64_t guid;

	if (endport == WEFT_NONE && dot)
		endport = find(index, name, dot - name);
	if (endport == WEFT_NONE && length > 2 && !memcmp(name, "0x", 2) &&
	    weft__number_hex(name + 2, end, &guid) == end)
		endport = weft_fabric_endport_by_guid(fabric, guid);
	return endport;
}
