// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Slim Fly (Besta, Hoefler, SC 2014): the graphs of McKay, Miller and Siran,
 * 2 q^2 switches of degree (3q - d) / 2 and diameter 2 for every prime power
 * q = 4w + d with d = -1, 0 or 1.
 *
 * All is arithmetic in the field of q elements.  Switch (0, x, y) is cabled to
 * (0, x, y') where y - y' is in X, (1, m, c) to (1, m, c') where c - c' is in
 * X', and (0, x, y) to (1, m, c) where y = m x + c.  X and X' are closed under
 * negation; together they are all elements but zero, so that two switches of
 * one column are two cables apart at most.
 */
#include "gen/families.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Degree (3q + 1) / 2 is at most 254. */
#define MAX_Q 169
#define MAX_DIGITS 7		/* of a number below 169 to the base 2 */

/* A field: elements are numbers below q, polynomials to the base p. */
struct field {
	uint32_t q, p, k;	/* q = p^k */
	uint32_t exp[MAX_Q];	/* powers of a primitive element */
	uint32_t log[MAX_Q];
	bool set[2][MAX_Q];	/* X and X' */
};

/* Whether q = p^k, and of what. */
static bool prime_power(uint32_t q, uint32_t *p, uint32_t *k)
{
	*p = 2;
	*k = 0;
	while (q > 1 && q % *p)
		++*p;
	for (; q > 1 && q % *p == 0; ++*k)
		q /= *p;
	return *k && q == 1;
}

static bool exists(uint32_t q)
{
	uint32_t p, k;

	return q >= 3 && q <= MAX_Q && q % 4 != 2 && prime_power(q, &p, &k);
}

/* Digit by digit, to the base p, a + factor * b. */
static uint32_t add(const struct field *f, uint32_t a, uint32_t b,
		    uint32_t factor)
{
	uint32_t sum = 0, unit = 1;

	for (uint32_t i = 0; i < f->k; i++) {
		sum += unit * ((a % f->p + factor * (b % f->p)) % f->p);
		a /= f->p;
		b /= f->p;
		unit *= f->p;
	}
	return sum;
}

static uint32_t subtract(const struct field *f, uint32_t a, uint32_t b)
{
	return add(f, a, b, f->p - 1);
}

static uint32_t multiply(const struct field *f, uint32_t a, uint32_t b)
{
	return a && b ? f->exp[(f->log[a] + f->log[b]) % (f->q - 1)] : 0;
}

/*
 * Takes t^k = rest, a polynomial of lower degree, and sees whether the powers
 * of t (for k = 1: of rest itself) are all elements but zero.
 */
static bool is_primitive(struct field *f, uint32_t rest)
{
	uint32_t power = 1, top = f->q / f->p;

	for (uint32_t i = 0; i < f->q - 1; i++) {
		if (i && power <= 1)
			return false;
		f->exp[i] = power;
		f->log[power] = i;
		power = add(f, power % top * f->p, rest, power / top);
	}
	return power == 1;
}

/* X has the even powers of the primitive element and X' the odd ones.  Where
 * d = -1 these are not closed under negation: there the second half of X are
 * the odd powers from -1 on, and that of X' the even ones after it. */
static void fill_sets(struct field *f)
{
	uint32_t n = f->q - 1, w = (f->q + 1) / 4;

	memset(f->set, 0, sizeof(f->set));
	if (f->q % 4 == 3) {
		for (uint32_t i = 0; i < w; i++) {
			f->set[0][f->exp[2 * i]] = true;
			f->set[0][f->exp[2 * (i + w) - 1]] = true;
			f->set[1][f->exp[2 * i + 1]] = true;
			f->set[1][f->exp[2 * (i + w) % n]] = true;
		}
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		f->set[i % 2][f->exp[i]] = true;
	if (f->q % 2 == 0)
		f->set[1][1] = true;
}

static void field_init(struct field *f, uint32_t q)
{
	uint32_t rest = 1;

	f->q = q;
	prime_power(q, &f->p, &f->k);
	while (!is_primitive(f, rest))
		rest++;
	fill_sets(f);
}

static uint32_t degree(uint32_t q)
{
	return q + (q % 4 == 3 ? q + 1 : q % 4 == 1 ? q - 1 : q) / 2;
}

/* Names all q that there are. */
static int refuse(const struct weft__gen_spec *spec, uint32_t q,
		  struct weft_diag *diag)
{
	char list[256] = "";
	size_t n = 0;

	for (uint32_t i = 0; i <= MAX_Q; i++)
		if (exists(i))
			n += snprintf(list + n, sizeof(list) - n, " %" PRIu32,
				      i);
	return weft__gen_error(spec, diag, EINVAL,
		"there is no Slim Fly of q = %" PRIu32
		", which is a prime power 4w-1, 4w or 4w+1; there are q =%s",
		q, list);
}

static void add_column(const struct field *f, uint32_t half, uint32_t x,
		       struct weft__net *net)
{
	uint32_t first = (half * f->q + x) * f->q;

	for (uint32_t y = 0; y < f->q; y++)
		for (uint32_t z = y + 1; z < f->q; z++)
			if (f->set[half][subtract(f, y, z)])
				weft__net_cable(net, first + y, first + z);
}

static int slimfly_build(const struct weft__gen_spec *spec,
			 struct weft__net *net, struct weft_diag *diag)
{
	uint32_t q = spec->arg[0], nsw = 2 * q * q, hosts;
	struct field f;
	int err;

	if (!exists(q))
		return refuse(spec, q, diag);
	hosts = weft__gen_host_ports(spec, nsw);
	err = weft__net_radix(spec, (uint64_t)degree(q) + hosts, diag);
	if (!err)
		err = weft__net_reserve(net, spec, nsw,
					(uint64_t)q * q * degree(q), diag);
	if (err)
		return err;
	field_init(&f, q);
	for (uint32_t i = 0; i < nsw; i++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				degree(q) + hosts, "sw-%" PRIu32 "-%02" PRIu32
				"-%02" PRIu32, i / (q * q), i / q % q, i % q),
			       hosts);
	for (uint32_t i = 0; i < 2 * q; i++)
		add_column(&f, i / q, i % q, net);
	for (uint32_t i = 0; i < q * q * q; i++) {
		uint32_t x = i / (q * q), m = i / q % q, c = i % q;

		weft__net_cable(net, x * q + add(&f, multiply(&f, m, x), c, 1),
				(q + m) * q + c);
	}
	net->row = q;
	return 0;
}

/* The published concentration: half of the degree, rounded up. */
static uint32_t slimfly_hosts(const struct weft__gen_spec *spec)
{
	uint32_t q = spec->arg[0];

	return exists(q) ? (degree(q) + 1) / 2 : 1;
}

const struct weft__gen_family weft__gen_slimfly = {
	.name = "slimfly",
	.syntax = "q",
	.summary = "Slim Fly: 2 q^2 switches, q a prime power, diameter 2",
	.args = (const struct weft__gen_arg[]){
		{ 0, "q", 1 }, { 0, NULL, 0 } },
	.hosts_of = slimfly_hosts,
	.build = slimfly_build,
};
