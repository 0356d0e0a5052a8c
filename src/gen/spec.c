// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Taking descriptions apart and printing them; see spec.h. */
#include "gen/spec.h"
#include "gen/options.h"

#include <weft/gen.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define MAX_FAMILIES 64	/* to suggest one of */

/* Fixed arguments, each after its separator. */
static int parse_fixed(struct weft__gen_spec *spec, struct weft__scan *in,
		       struct weft_diag *diag)
{
	for (const struct weft__gen_arg *a = spec->family->args;
	     a && a->name; a++) {
		int err;

		if (a->before && in->p < in->end &&
		    !weft__scan_char(in, a->before))
			return weft__gen_error(
				spec, diag, EINVAL,
				"'%c' and %s are expected before '%.*s'",
				a->before, a->name, weft__scan_odd(in), in->p);
		err = weft__scan_arg(spec, in, a->name, a->min, diag);
		if (err)
			return err;
	}
	return 0;
}

static void print_fixed(const struct weft__gen_spec *spec, FILE *out)
{
	const struct weft__gen_arg *a = spec->family->args;

	for (unsigned i = 0; i < spec->nargs; i++) {
		if (a[i].before)
			putc(a[i].before, out);
		fprintf(out, "%" PRIu32, spec->arg[i]);
	}
}

/* Family whose name text begins with, and the length of that name. */
static const struct weft__gen_family *find_family(const char *text,
						  size_t *length)
{
	*length = strcspn(text, ":,");
	for (unsigned i = 0; weft__gen_families[i]; i++) {
		const char *name = weft__gen_families[i]->name;

		if (strlen(name) == *length && !memcmp(name, text, *length))
			return weft__gen_families[i];
	}
	return NULL;
}

bool weft_gen_is_spec(const char *text)
{
	size_t length;

	return find_family(text, &length) != NULL;
}

const char *weft_gen_near(const char *text)
{
	const char *names[MAX_FAMILIES + 1];
	char name[WEFT__GEN_SHOWN + 1];
	unsigned n = 0;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ":,"), text);
	for (; weft__gen_families[n] && n < MAX_FAMILIES; n++)
		names[n] = weft__gen_families[n]->name;
	names[n] = NULL;
	return weft_diag_suggest(name, names);
}

static int unknown_family(const struct weft__gen_spec *spec, size_t length,
			  struct weft_diag *diag)
{
	const char *near = weft_gen_near(spec->text);
	char list[400] = "";
	size_t n = 0;

	if (near)
		return weft__gen_error(spec, diag, EINVAL,
			"'%.*s' is no family of fabrics; did you mean '%s'?",
			(int)length, spec->text, near);
	for (unsigned i = 0; weft__gen_families[i] && n < sizeof(list); i++)
		n += snprintf(list + n, sizeof(list) - n, "%s%s",
			      n ? " " : "", weft__gen_families[i]->name);
	return weft__gen_error(
		spec, diag, EINVAL,
		"'%.*s' is no family of fabrics; there are: %s",
		(int)(length < WEFT__GEN_SHOWN ? length : WEFT__GEN_SHOWN),
		spec->text, list);
}

/* Finds where the options begin: after the first comma before a letter. */
static const char *find_options(const char *p, const char *end)
{
	for (; p < end; p++)
		if (*p == ',' && (p + 1 == end ||
				  (p[1] >= 'a' && p[1] <= 'z')))
			return p;
	return end;
}

static int parse_args(struct weft__gen_spec *spec, struct weft__scan *in,
		      struct weft_diag *diag)
{
	const struct weft__gen_family *f = spec->family;
	bool wanted = f->syntax[0];
	int err = 0;

	if (weft__scan_char(in, ':') != wanted)
		return weft__gen_error(spec, diag, EINVAL,
			wanted ? "%s needs arguments: %s:%s is expected" :
			"%s has no arguments: options follow a comma",
			f->name, f->name, f->syntax);
	if (wanted)
		err = f->parse ? f->parse(spec, in, diag) :
		      parse_fixed(spec, in, diag);
	if (err)
		return err;
	if (in->p != in->end)
		return weft__gen_error(spec, diag, EINVAL,
				       "'%.*s' is too much: %s%s%s is expected",
				       weft__scan_odd(in), in->p, f->name,
				       wanted ? ":" : "", f->syntax);
	return 0;
}

int weft__gen_parse(const char *text, struct weft__gen_spec *spec,
		    struct weft_diag *diag)
{
	struct weft__scan args, options;
	size_t length;
	int err;

	memset(spec, 0, sizeof(*spec));
	spec->text = text;
	spec->family = find_family(text, &length);
	if (!spec->family)
		return unknown_family(spec, length, diag);
	args.p = text + length;
	options.end = text + strlen(text);
	if (spec->family->named && *args.p == ':') {
		options.p = args.p + 1;
		return weft__gen_options_parse(spec, &options, diag);
	}
	args.end = find_options(args.p, options.end);
	err = parse_args(spec, &args, diag);
	if (err)
		return err;
	options.p = args.end < options.end ? args.end + 1 : args.end;
	if (args.end < options.end && options.p == options.end)
		return weft__gen_error(spec, diag, EINVAL,
			"an option is expected after the last comma");
	return weft__gen_options_parse(spec, &options, diag);
}

void weft__gen_print(const struct weft__gen_spec *spec, FILE *out)
{
	fputs(spec->family->name, out);
	if (spec->family->syntax[0] && !spec->family->named) {
		putc(':', out);
		if (spec->family->print)
			spec->family->print(spec, out);
		else
			print_fixed(spec, out);
	}
	weft__gen_options_print(spec, out);
}
