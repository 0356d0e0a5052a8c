// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers for families while a description is taken apart; see spec.h. */
#include "gen/spec.h"

#include "core/text/number.h"

#include <weft/fabric.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

int weft__gen_error(const struct weft__gen_spec *spec, struct weft_diag *diag,
		    int err, const char *format, ...)
{
	char text[1024];
	size_t n = strnlen(spec->text, WEFT__GEN_SHOWN + 1);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	for (char *p = text; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = '?';
	weft_diag_say(diag, WEFT_ERROR, "'%.*s%s': %s",
		      (int)(n > WEFT__GEN_SHOWN ? WEFT__GEN_SHOWN : n),
		      spec->text, n > WEFT__GEN_SHOWN ? "..." : "", text);
	return -err;
}

bool weft__scan_char(struct weft__scan *in, char c)
{
	if (in->p == in->end || *in->p != c)
		return false;
	in->p++;
	return true;
}

int weft__scan_odd(const struct weft__scan *in)
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
		return weft__gen_error(
			spec, diag, EINVAL, "%s is missing: %s:%s is expected",
			what, spec->family->name, spec->family->syntax);
	return weft__gen_error(spec, diag, EINVAL,
			       "'%.*s' is no %s: a number is expected",
			       weft__scan_odd(in), in->p, what);
}

int weft__scan_arg(struct weft__gen_spec *spec, struct weft__scan *in,
		   const char *what, uint32_t min, struct weft_diag *diag)
{
	const char *p = in->p;
	uint64_t v;

	if (p == in->end || !weft__is_digit(*p))
		return no_number(spec, in, what, diag);
	p = weft__number_digits(p, in->end, UINT32_MAX, &v);
	if (!p)
		return weft__gen_error(
			spec, diag, ERANGE,
			"%s '%.*s' is too large: there are %u LIDs", what,
			weft__scan_odd(in), in->p, WEFT_MAX_LID);
	if (v < min)
		return weft__gen_error(spec, diag, EINVAL,
				       "%s is %" PRIu64 ", but %" PRIu32
				       " at least",
				       what, v, min);
	spec->arg[spec->nargs++] = v;
	in->p = p;
	return 0;
}

uint32_t weft__gen_amount(const struct weft__gen_spec *spec,
			  enum weft__gen_option_id id, uint32_t n)
{
	const struct weft__gen_value *v = &spec->option[id];

	return v->b & 1 ? ((uint64_t)n * v->a + 50000) / 100000 : v->a;
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
