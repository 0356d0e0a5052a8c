// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Options of a description; see options.h. */
#include "gen/options.h"

#include "core/text/number.h"

#include <weft/gen.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	NUMBER,			/* min..max */
	CHOICE,			/* index into choices */
	AMOUNT,			/* N or P% */
	CABLES,			/* amount@class, or a list */
	RATIO,			/* R >= 1, in thousandths */
	HOSTS,			/* N or X:Y */
};

struct option {
	const char *name;
	enum kind kind;
	uint32_t min, max;	/* NUMBER */
	struct weft__gen_value preset;
	const char *choices;	/* "a|b|c" */
	const char *help;
};

#define NOYES "no|yes"

static const struct option table[WEFT__GEN_NOPTIONS] = {
	[WEFT__GEN_GPUS] = { "gpus", NUMBER, 1, 64, { 8, 0 }, NULL,
		"adapters of each machine, one a rail" },
	[WEFT__GEN_RADIX] = { "radix", NUMBER, 2, WEFT_MAX_PORTS, { 64, 0 },
		NULL, "ports of each switch" },
	[WEFT__GEN_UNIT] = { "unit", NUMBER, 1, WEFT_MAX_PORTS, { 0, 0 }, NULL,
		"machines of a unit, which has a leaf for each rail" },
	[WEFT__GEN_BETWEEN] = { "between", CHOICE, 0, 0,
		{ WEFT__GEN_BY_SPINES, 0 }, "spines|core|no",
		"what joins the rails" },
	[WEFT__GEN_SPINES] = { "spines", NUMBER, 0, WEFT_MAX_LID, { 0, 0 },
		NULL, "spines, or spines of each rail" },
	[WEFT__GEN_LINKS] = { "links", NUMBER, 1, 254, { 1, 0 }, NULL,
		"parallel cables between neighbours" },
	[WEFT__GEN_GLOBAL] = { "global", CHOICE, 0, 0,
		{ WEFT__GEN_PALMTREE, 0 }, "palmtree|absolute",
		"which group a switch's global cable leads to" },
	[WEFT__GEN_OVERSUB] = { "oversub", RATIO, 0, 0, { 1000, 0 }, NULL,
		"oversubscription: the topmost stage is 1/R as large" },
	[WEFT__GEN_HOSTS] = { "hosts", HOSTS, 0, 0, { 0, 0 }, NULL,
		"hosts on each leaf; X:Y = on even and odd leaves" },
	[WEFT__GEN_TOTAL] = { "total", NUMBER, 0, UINT32_MAX, { 0, 0 }, NULL,
		"hosts in all, spread evenly over the leaves" },
	[WEFT__GEN_DUAL] = { "dual", CHOICE, 0, 0, { WEFT__GEN_NO, 0 }, NOYES,
		"hosts have two ports, on neighbouring leaves" },
	[WEFT__GEN_ONE_PORT] = { "one-port", CHOICE, 0, 0, { WEFT__GEN_NO, 0 },
		NOYES, "a host's ports in several planes are one" },
	[WEFT__GEN_SWAP] = { "swap", AMOUNT, 0, 0, { 0, 0 }, NULL,
		"pairs of adapters whose cables are exchanged, at random" },
	[WEFT__GEN_MISSING] = { "missing", AMOUNT, 0, 0, { 0, 0 }, NULL,
		"adapters that are not there, at random" },
	[WEFT__GEN_FAIL_SWITCHES] = { "fail-switches", AMOUNT, 0, 0,
		{ 0, 0 }, NULL, "switches taken out at random" },
	[WEFT__GEN_FAIL_LINKS] = { "fail-links", CABLES, 0, 0, { 0, 0 }, NULL,
		"cables between switches taken out at random, or those named" },
	[WEFT__GEN_CONNECTED] = { "keep-connected", CHOICE, 0, 0,
		{ WEFT__GEN_YES, 0 }, NOYES,
		"failures leave the fabric in one piece" },
	[WEFT__GEN_GUIDS] = { "guids", CHOICE, 0, 0, { WEFT__GEN_ORDER, 0 },
		"order|shuffle",
		"GUIDs in the order of building, or permuted" },
	[WEFT__GEN_LIDS] = { "lids", CHOICE, 0, 0, { WEFT__GEN_BY_GUID, 0 },
		"order|guid", "LIDs in the order of building, or of GUIDs" },
	[WEFT__GEN_LMC] = { "lmc", NUMBER, 0, 7, { 0, 0 }, NULL,
		"LID mask control of all hosts" },
	[WEFT__GEN_SPEED] = { "speed", CHOICE, 0, 0, { 2, 0 },
		"sdr|ddr|qdr|fdr10|fdr|edr|hdr|ndr|xdr",
		"signalling rate of all cables" },
	[WEFT__GEN_WIDTH] = { "width", CHOICE, 0, 0, { 2, 0 },
		"1x|2x|4x|8x|12x", "lanes of all cables" },
	[WEFT__GEN_NAMES] = { "names", CHOICE, 0, 0, { WEFT__GEN_UNIQUE, 0 },
		"unique|same|none|hca", "node descriptions" },
	[WEFT__GEN_SEED] = { "seed", NUMBER, 0, UINT32_MAX, { 1, 0 }, NULL,
		"of everything random" },
};

/* Decimal digits, at most UINT32_MAX. */
static bool scan_number(struct weft__scan *in, uint32_t *out)
{
	uint64_t v;
	const char *p = weft__number_digits(in->p, in->end, UINT32_MAX, &v);

	if (!p)
		return false;
	in->p = p;
	*out = v;
	return true;
}

/* Digits with up to three decimals, in thousandths. */
static bool scan_thousandths(struct weft__scan *in, uint32_t *out)
{
	uint32_t whole, unit = 1000;

	if (!scan_number(in, &whole) || whole > 1000000)
		return false;
	*out = 1000 * whole;
	if (!weft__scan_char(in, '.'))
		return true;
	for (; in->p < in->end && weft__is_digit(*in->p); in->p++) {
		unit /= 10;
		if (!unit)
			return false;
		*out += unit * (*in->p - '0');
	}
	return unit < 1000;
}

static bool scan_amount(struct weft__scan *in, struct weft__gen_value *out)
{
	struct weft__scan percent = *in;

	if (scan_thousandths(&percent, &out->a) &&
	    weft__scan_char(&percent, '%')) {
		*in = percent;
		out->b = 1;
		return out->a <= 100000;
	}
	out->b = 0;
	return scan_number(in, &out->a);
}

static const char *const among[] = {
	[WEFT__GEN_ANY] = "any", [WEFT__GEN_UP] = "up",
	[WEFT__GEN_LEVEL] = "level",
};

/* An amount and what it is taken from, or a list, which stays where it is in
 * the text. */
static bool scan_cables(const struct weft__gen_spec *spec,
			struct weft__scan *in, struct weft__gen_value *out)
{
	const char *colon = memchr(in->p, ':', in->end - in->p);
	size_t length;

	if (colon) {
		out->a = in->p - spec->text;
		out->b = (uint32_t)(in->end - in->p) << 4 | WEFT__GEN_NAMED;
		in->p = in->end;
		return true;
	}
	if (!scan_amount(in, out))
		return false;
	if (!weft__scan_char(in, '@'))
		return true;
	length = in->end - in->p;
	for (unsigned i = WEFT__GEN_UP; i <= WEFT__GEN_LEVEL; i++)
		if (strlen(among[i]) == length &&
		    !memcmp(among[i], in->p, length)) {
			out->b |= i << 1;
			in->p = in->end;
			return true;
		}
	return false;
}

static bool scan_hosts(struct weft__scan *in, struct weft__gen_value *out)
{
	if (!scan_number(in, &out->a))
		return false;
	out->b = out->a;
	return !weft__scan_char(in, ':') || scan_number(in, &out->b);
}

/* Length of the choice at p. */
static size_t choice_length(const char *p)
{
	return strcspn(p, "|");
}

static bool scan_choice(struct weft__scan *in, const char *choices,
			uint32_t *out)
{
	size_t length = in->end - in->p;

	*out = 0;
	for (const char *c = choices;; c++) {
		size_t n = choice_length(c);

		if (n == length && !memcmp(c, in->p, n)) {
			in->p = in->end;
			return true;
		}
		c += n;
		if (!*c)
			return false;
		++*out;
	}
}

static bool scan_value(const struct weft__gen_spec *spec,
		       const struct option *o, struct weft__scan *in,
		       struct weft__gen_value *out)
{
	bool good = false;

	switch (o->kind) {
	case NUMBER:
		good = scan_number(in, &out->a) && out->a >= o->min &&
		       out->a <= o->max;
		break;
	case CHOICE:
		good = scan_choice(in, o->choices, &out->a);
		break;
	case AMOUNT:
		good = scan_amount(in, out);
		break;
	case CABLES:
		good = scan_cables(spec, in, out);
		break;
	case RATIO:
		good = scan_thousandths(in, &out->a) && out->a >= 1000;
		break;
	case HOSTS:
		good = scan_hosts(in, out);
		break;
	}
	return good && in->p == in->end;
}

/* Says in words what a value has to look like. */
static void accepted(const struct option *o, char *buf, size_t size)
{
	switch (o->kind) {
	case NUMBER:
		snprintf(buf, size, "a number from %" PRIu32 " to %" PRIu32,
			 o->min, o->max);
		break;
	case CHOICE:
		snprintf(buf, size, "%s", o->choices);
		break;
	case AMOUNT:
		snprintf(buf, size, "a number, or a share from 0%% to 100%%");
		break;
	case CABLES:
		snprintf(buf, size,
			 "a number, or a share from 0%% to 100%%, with @up or @level behind it; or ends of cables, switch:port+switch:port");
		break;
	case RATIO:
		snprintf(buf, size, "a ratio such as 1, 2 or 1.333");
		break;
	case HOSTS:
		snprintf(buf, size, "a number N or two, X:Y");
		break;
	}
}

static unsigned family_options(const struct weft__gen_spec *spec)
{
	return weft__gen_options_of(spec->family);
}

static int unknown_option(const struct weft__gen_spec *spec, const char *name,
			  size_t length, struct weft_diag *diag)
{
	const char *names[WEFT__GEN_NOPTIONS + 1], *near;
	char list[320] = "", text[64];
	unsigned known = 0;
	size_t n = 0;

	for (unsigned i = 0; i < WEFT__GEN_NOPTIONS; i++) {
		if (!(family_options(spec) >> i & 1))
			continue;
		names[known++] = table[i].name;
		if (n < sizeof(list))
			n += snprintf(list + n, sizeof(list) - n, "%s%s",
				      n ? " " : "", table[i].name);
	}
	names[known] = NULL;
	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	near = weft_diag_suggest(text, names);
	if (near)
		return weft__gen_error(spec, diag, EINVAL,
				       "'%s' is no option of %s; did you mean '%s'?",
				       text,
				       spec->family->name, near);
	return weft__gen_error(spec, diag, EINVAL,
			       "'%.*s' is no option of %s; there are: %s",
			       (int)length, name, spec->family->name, list);
}

/* The option of that name that the family has, or WEFT__GEN_NOPTIONS.  trunk is
 * another name of links, as HyperX have it. */
static unsigned find_option(const struct weft__gen_spec *spec,
			    const char *name, size_t length)
{
	unsigned id = 0;

	if (length == 5 && !memcmp(name, "trunk", 5))
		return family_options(spec) >> WEFT__GEN_LINKS & 1 ?
			       WEFT__GEN_LINKS : WEFT__GEN_NOPTIONS;
	while (id < WEFT__GEN_NOPTIONS &&
	       (strlen(table[id].name) != length ||
		memcmp(table[id].name, name, length) ||
		!(family_options(spec) >> id & 1)))
		id++;
	return id;
}

/* One "name=value" of the text from in->p to in->end. */
static int parse_option(struct weft__gen_spec *spec, struct weft__scan *in,
			struct weft_diag *diag)
{
	const char *name = in->p;
	const char *eq = memchr(name, '=', in->end - name);
	size_t length = (eq ? eq : in->end) - name;
	struct weft__gen_value value = { 0, 0 };
	unsigned id = find_option(spec, name, length);
	char want[160];

	if (id == WEFT__GEN_NOPTIONS)
		return unknown_option(spec, name, length, diag);
	if (weft__gen_given(spec, id))
		return weft__gen_error(spec, diag, EINVAL, "%s is given twice",
				       table[id].name);
	accepted(&table[id], want, sizeof(want));
	in->p = eq ? eq + 1 : in->end;
	if (!eq || !scan_value(spec, &table[id], in, &value))
		return weft__gen_error(spec, diag, EINVAL,
				       "'%.*s': %s= takes %s",
				       (int)(in->end - name), name,
				       table[id].name, want);
	spec->option[id] = value;
	spec->given |= 1u << id;
	return 0;
}

/* Sets the number of hosts where the text does not give it. */
static void default_hosts(struct weft__gen_spec *spec)
{
	const struct weft__gen_family *f = spec->family;
	uint32_t hosts = f->hosts_of ? f->hosts_of(spec) : f->hosts;

	if (weft__gen_given(spec, WEFT__GEN_HOSTS) ||
	    weft__gen_given(spec, WEFT__GEN_TOTAL))
		return;
	if (f->total) {
		spec->option[WEFT__GEN_TOTAL].a = f->total;
		spec->given |= 1u << WEFT__GEN_TOTAL;
	} else {
		spec->option[WEFT__GEN_HOSTS] =
			(struct weft__gen_value){ hosts, hosts };
	}
}

int weft__gen_options_parse(struct weft__gen_spec *spec,
			    struct weft__scan *in, struct weft_diag *diag)
{
	for (unsigned i = 0; i < WEFT__GEN_NOPTIONS; i++)
		spec->option[i] = table[i].preset;
	while (in->p < in->end) {
		const char *comma = memchr(in->p, ',', in->end - in->p);
		struct weft__scan one = { in->p, comma ? comma : in->end };
		int err = parse_option(spec, &one, diag);

		if (err)
			return err;
		in->p = comma ? comma + 1 : in->end;
		if (comma && in->p == in->end)
			return weft__gen_error(spec, diag, EINVAL,
				"an option is expected after the last comma");
	}
	if (weft__gen_given(spec, WEFT__GEN_HOSTS) &&
	    weft__gen_given(spec, WEFT__GEN_TOTAL))
		return weft__gen_error(spec, diag, EINVAL,
				       "hosts= and total= exclude each other");
	default_hosts(spec);
	return spec->family->complete ? spec->family->complete(spec, diag) : 0;
}

static void print_thousandths(uint32_t v, FILE *out)
{
	unsigned digits = 3, rest = v % 1000;

	fprintf(out, "%" PRIu32, v / 1000);
	if (!rest)
		return;
	for (; rest % 10 == 0; rest /= 10)
		digits--;
	fprintf(out, ".%0*u", (int)digits, rest);
}

static void print_choice(const char *choices, uint32_t index, FILE *out)
{
	while (index--)
		choices += choice_length(choices) + 1;
	fprintf(out, "%.*s", (int)choice_length(choices), choices);
}

static void print_amount(const struct weft__gen_value *v, FILE *out)
{
	if (v->b & 1) {
		print_thousandths(v->a, out);
		putc('%', out);
	} else {
		fprintf(out, "%" PRIu32, v->a);
	}
}

static void print_cables(const struct weft__gen_spec *spec,
			 const struct weft__gen_value *v, FILE *out)
{
	if (v->b & WEFT__GEN_NAMED) {
		fprintf(out, "%.*s", (int)(v->b >> 4), spec->text + v->a);
		return;
	}
	print_amount(v, out);
	if (v->b >> 1)
		fprintf(out, "@%s", among[v->b >> 1]);
}

static void print_value(const struct weft__gen_spec *spec,
			const struct option *o,
			const struct weft__gen_value *v, FILE *out)
{
	switch (o->kind) {
	case NUMBER:
		fprintf(out, "%" PRIu32, v->a);
		break;
	case CHOICE:
		print_choice(o->choices, v->a, out);
		break;
	case AMOUNT:
		print_amount(v, out);
		break;
	case CABLES:
		print_cables(spec, v, out);
		break;
	case RATIO:
		print_thousandths(v->a, out);
		break;
	case HOSTS:
		fprintf(out, "%" PRIu32, v->a);
		if (v->a != v->b)
			fprintf(out, ":%" PRIu32, v->b);
		break;
	}
}

void weft__gen_options_print(const struct weft__gen_spec *spec, FILE *out)
{
	unsigned skip = weft__gen_given(spec, WEFT__GEN_TOTAL) ?
			WEFT__GEN_HOSTS : WEFT__GEN_TOTAL;
	char before = spec->family->named ? ':' : ',';

	for (unsigned i = 0; i < WEFT__GEN_NOPTIONS; i++) {
		if (i == skip || !(family_options(spec) >> i & 1))
			continue;
		fprintf(out, "%c%s=", before, table[i].name);
		before = ',';
		print_value(spec, &table[i], &spec->option[i], out);
	}
}

static void print_syntax(const struct option *o, char *buf, size_t size)
{
	static const char *const of[] = {
		[NUMBER] = "N", [AMOUNT] = "N|P%", [RATIO] = "R",
		[HOSTS] = "N|X:Y",
		[CABLES] = "N|P%[@up|@level]|S:P+..",
	};

	snprintf(buf, size, "%s=%s", o->name,
		 o->kind == CHOICE ? o->choices : of[o->kind]);
}

/* The value of an option that is not given; how many hosts there are is up to
 * the family. */
static void print_preset(unsigned id, char *buf, size_t size)
{
	FILE *out;

	if (id == WEFT__GEN_HOSTS || id == WEFT__GEN_TOTAL)
		snprintf(buf, size, "the family's");
	else if (id == WEFT__GEN_UNIT || id == WEFT__GEN_SPINES)
		snprintf(buf, size, "what fits");
	else if ((out = fmemopen(buf, size, "w"))) {
		print_value(NULL, &table[id], &table[id].preset, out);
		fclose(out);
	}
}

bool weft_gen_option(unsigned i, struct weft_gen_option *out)
{
	if (i >= WEFT__GEN_NOPTIONS)
		return false;
	*out = (struct weft_gen_option){
		.name = table[i].name, .help = table[i].help,
	};
	print_syntax(&table[i], out->syntax, sizeof(out->syntax));
	print_preset(i, out->preset, sizeof(out->preset));
	return true;
}
