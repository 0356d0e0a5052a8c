// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Synthetic fabrics; see weft/gen.h. */
#include <weft/gen.h>

#include "gen/families.h"
#include "gen/options.h"

#include <stdlib.h>

int weft_gen(const char *text, struct weft_fabric **out,
	     struct weft_diag *diag)
{
	struct weft__gen_spec spec;
	struct weft__net net = { 0 };
	int err = weft__gen_parse(text, &spec, diag);

	if (err)
		return err;
	err = spec.family->build(&spec, &net, diag);
	if (!err)
		err = weft__net_hosts(&net, &spec, diag);
	if (!err)
		err = weft__net_miscable(&net, &spec, diag);
	if (!err)
		err = weft__net_fail(&net, &spec, diag);
	if (!err)
		err = weft__net_finish(&net, &spec, out, diag);
	weft__net_free(&net);
	return err;
}

int weft_gen_canonical(const char *text, char **out, struct weft_diag *diag)
{
	struct weft__gen_spec spec;
	size_t size;
	char *buf = NULL;
	FILE *f;
	int err = weft__gen_parse(text, &spec, diag);

	if (err)
		return err;
	f = open_memstream(&buf, &size);
	if (!f)
		return weft_no_memory(diag);
	weft__gen_print(&spec, f);
	if (fclose(f)) {
		free(buf);
		return weft_no_memory(diag);
	}
	*out = buf;
	return 0;
}

void weft_gen_list_json(FILE *out)
{
	json_t *families = json_array();

	for (unsigned i = 0; weft__gen_families[i]; i++) {
		const struct weft__gen_family *f = weft__gen_families[i];

		json_array_append_new(families, json_pack(
			"{s:s, s:s, s:s, s:o}", "name", f->name,
			"arguments", f->syntax, "summary", f->summary,
			"options", weft__gen_family_options_json(f)));
	}
	families = json_pack("{s:o, s:o}", "families", families, "options",
			     weft__gen_options_json());
	json_dumpf(families, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(families);
}

void weft_gen_list(FILE *out)
{
	for (unsigned i = 0; weft__gen_families[i]; i++) {
		const struct weft__gen_family *f = weft__gen_families[i];
		char usage[80];

		snprintf(usage, sizeof(usage), "%s%s%s", f->name,
			 f->syntax[0] ? ":" : "", f->syntax);
		fprintf(out, "%-36s %s\n", usage, f->summary);
	}
	weft__gen_list_options(out);
}
