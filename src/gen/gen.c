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

static unsigned count_families(void)
{
	unsigned n = 0;

	while (weft__gen_families[n])
		n++;
	return n;
}

bool weft_gen_family(unsigned i, struct weft_gen_family *out)
{
	const struct weft__gen_family *f;

	if (i >= count_families())
		return false;
	f = weft__gen_families[i];
	*out = (struct weft_gen_family){ f->name, f->syntax, f->summary };
	return true;
}

bool weft_gen_family_has(unsigned family, unsigned option)
{
	return family < count_families() && option < WEFT__GEN_NOPTIONS &&
	       weft__gen_options_of(weft__gen_families[family]) >> option & 1;
}
