// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Taking descriptions apart and printing them; see spec.h. */
#include "gen/spec.h"
#include "gen/options.h"

#include <weft/gen.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define SHOWN 100	/* bytes of a description that messages repeat */

int weft__gen_error(const struct weft__gen_spec *spec, struct weft_diag *diag,
		    int err, const char *format, ...)
{
	char text[1024];
	size_t n = strnlen(spec->text, SHOWN + 1);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	for (char *p = text; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = '?';
	weft_diag_say(diag, WEFT_ERROR, "'%.*s%s': %s",
		      (int)(n > SHOWN ? SHOWN : n), spec->text,
		      n > SHOWN ? "..." : "", text);
	return -err;
}

bool weft__scan_char(struct weft__scan *in, char c)
{
	if (in->p == in->end || *in->p != c)
		return false;
	in->p++;
	return true;
}

/* Length of what stands where something else was expected. */
static int odd_length(const struct weft__scan *in)
{
	size_t n = 0, max = in->end - in->p;

	while (n < max && n < 40 && !strchr(",;:+", in->p[n]))
		n++;
	return n ? n : max > 0;
}

static int no_number(const struct weft__gen_spec *spec,
		     const struct weft__scan *in, const char *what,
		     struct weft_diag *diag)
{
	if (in->p == in->end)
		return weft__gen_error(spec, diag, EINVAL,
			"%s is missing: %s:%s is expected", what,
			spec->family->name, spec->family->syntax);
	return weft__gen_error(spec, diag, EINVAL,
			       "'%.*s' is no %s: a number is expected",
			       odd_length(in), in->p, what);
}

int weft__scan_arg(struct weft__gen_spec *spec, struct weft__scan *in,
		   const char *what, uint32_t min, struct weft_diag *diag)
{
	const char *p = in->p;
	uint64_t v = 0;

	while (p < in->end && *p >= '0' && *p <= '9' && v <= UINT32_MAX)
		v = 10 * v + (*p++ - '0');
	if (p == in->p)
		return no_number(spec, in, what, diag);
	if (v > UINT32_MAX)
		return weft__gen_error(spec, diag, ERANGE,
			"%s '%.*s' is too large: there are %u LIDs", what,
			odd_length(in), in->p, WEFT_MAX_LID);
	if (v < min)
		return weft__gen_error(spec, diag, EINVAL,
			"%s is %" PRIu64 ", but %" PRIu32 " at least", what,
			v, min);
	spec->arg[spec->nargs++] = v;
	in->p = p;
	return 0;
}

/* Fixed arguments, each after its separator. */
static int parse_fixed(struct weft__gen_spec *spec, struct weft__scan *in,
		       struct weft_diag *diag)
{
	for (const struct weft__gen_arg *a = spec->family->args;
	     a && a->name; a++) {
		int err;

		if (a->before && in->p < in->end &&
		    !weft__scan_char(in, a->before))
			return weft__gen_error(spec, diag, EINVAL,
				"'%c' and %s are expected before '%.*s'",
				a->before, a->name, odd_length(in), in->p);
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

static int unknown_family(const struct weft__gen_spec *spec, size_t length,
			  struct weft_diag *diag)
{
	char list[400] = "";
	size_t n = 0;

	for (unsigned i = 0; weft__gen_families[i] && n < sizeof(list); i++)
		n += snprintf(list + n, sizeof(list) - n, "%s%s",
			      n ? " " : "", weft__gen_families[i]->name);
	return weft__gen_error(spec, diag, EINVAL,
			       "'%.*s' is no family of fabrics; there are: %s",
			       (int)(length < SHOWN ? length : SHOWN),
			       spec->text, list);
}

/* Where the options begin: after the first comma before a letter. */
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
			odd_length(in), in->p, f->name, wanted ? ":" : "",
			f->syntax);
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
	if (spec->family->syntax[0]) {
		putc(':', out);
		if (spec->family->print)
			spec->family->print(spec, out);
		else
			print_fixed(spec, out);
	}
	weft__gen_options_print(spec, out);
}

uint32_t weft__gen_shrink(const struct weft__gen_spec *spec, uint32_t n)
{
	uint64_t r = weft__gen_get(spec, WEFT__GEN_OVERSUB);
	uint32_t left = (n * 1000ull + r / 2) / r;

	return left ? left : 1;
}

uint32_t weft__gen_host_ports(const struct weft__gen_spec *spec,
			      uint32_t nleaves)
{
	const struct weft__gen_value *hosts = &spec->option[WEFT__GEN_HOSTS];
	uint64_t total = weft__gen_get(spec, WEFT__GEN_TOTAL);

	if (weft__gen_given(spec, WEFT__GEN_TOTAL))
		return (total + nleaves - 1) / nleaves;
	return hosts->a > hosts->b ? hosts->a : hosts->b;
}
