/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Descriptions of synthetic fabrics: the text taken apart.
 *
 *   family[:arguments][,option=value]...
 *
 * The options start at the first comma that a letter follows.
 */
#ifndef WEFT_GEN_SPEC_H
#define WEFT_GEN_SPEC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <weft/diag.h>

#define WEFT__GEN_MAX_DIMS 15	/* 2^16 switches have no LIDs */
#define WEFT__GEN_MAX_LEVELS 15
#define WEFT__GEN_MAX_ARGS (1 + 3 * WEFT__GEN_MAX_LEVELS)

/* In the order in which the canonical description has them. */
enum weft__gen_option_id {
	WEFT__GEN_GPUS,
	WEFT__GEN_RADIX,
	WEFT__GEN_UNIT,
	WEFT__GEN_BETWEEN,
	WEFT__GEN_SPINES,
	WEFT__GEN_LINKS,
	WEFT__GEN_GLOBAL,
	WEFT__GEN_OVERSUB,	/* thousandths */
	WEFT__GEN_HOSTS,	/* even, odd */
	WEFT__GEN_TOTAL,
	WEFT__GEN_DUAL,
	WEFT__GEN_ONE_PORT,
	WEFT__GEN_SWAP,		/* amount, 1 = thousandths of % */
	WEFT__GEN_MISSING,	/* the same */
	WEFT__GEN_FAIL_SWITCHES,	/* amount, 1 = thousandths of % */
	WEFT__GEN_FAIL_LINKS,	/* amount, 1 = thousandths of % | 2 x enum
				 * weft__gen_among; or WEFT__GEN_NAMED: where
				 * the list is in the text, 16 x its length */
	WEFT__GEN_CONNECTED,
	WEFT__GEN_GUIDS,
	WEFT__GEN_LIDS,
	WEFT__GEN_LMC,
	WEFT__GEN_SPEED,
	WEFT__GEN_WIDTH,
	WEFT__GEN_NAMES,
	WEFT__GEN_SEED,
	WEFT__GEN_NOPTIONS,
};

/* Indices into the choices of the options of that kind. */
enum weft__gen_among { WEFT__GEN_ANY, WEFT__GEN_UP, WEFT__GEN_LEVEL };
#define WEFT__GEN_NAMED 8
enum weft__gen_yesno { WEFT__GEN_NO, WEFT__GEN_YES };
enum weft__gen_global { WEFT__GEN_PALMTREE, WEFT__GEN_ABSOLUTE };
enum weft__gen_guids { WEFT__GEN_ORDER, WEFT__GEN_SHUFFLE };
enum weft__gen_lids { WEFT__GEN_BY_ORDER, WEFT__GEN_BY_GUID };
enum weft__gen_names {
	WEFT__GEN_UNIQUE, WEFT__GEN_SAME, WEFT__GEN_NONE, WEFT__GEN_HCA,
};
enum weft__gen_between {
	WEFT__GEN_BY_SPINES, WEFT__GEN_BY_CORE, WEFT__GEN_APART,
};

struct weft__gen_value {
	uint32_t a, b;		/* what they mean depends on the option */
};

struct weft__gen_spec {
	const char *text;	/* as given; for messages */
	const struct weft__gen_family *family;
	unsigned nargs;
	uint32_t arg[WEFT__GEN_MAX_ARGS];
	uint32_t given;		/* bit for each option that was written */
	struct weft__gen_value option[WEFT__GEN_NOPTIONS];
};

/* The rest of the text that is being taken apart. */
struct weft__scan {
	const char *p, *end;
};

struct weft__net;

/* One argument: the character before it, its name, its smallest value. */
struct weft__gen_arg {
	char before;		/* 0 = nothing */
	const char *name;
	uint32_t min;
};

struct weft__gen_family {
	const char *name;
	const char *syntax;	/* of the arguments, "" = none */
	const char *summary;
	/* Options it has beside those that every family has, and those of
	 * these that it has not: bits. */
	unsigned options, without;
	/* Its arguments are options, too: they follow the colon. */
	bool named;
	const struct weft__gen_arg *args;	/* fixed ones; name NULL ends */
	/* Other forms of arguments; NULL: args says it all. */
	int (*parse)(struct weft__gen_spec *spec, struct weft__scan *in,
		     struct weft_diag *diag);
	void (*print)(const struct weft__gen_spec *spec, FILE *out);
	/* Hosts of a leaf (of a unit of leaves) when nothing else is said;
	 * either a function or a number, or a number for the whole fabric. */
	uint32_t (*hosts_of)(const struct weft__gen_spec *spec);
	uint32_t hosts, total;
	/* Sets options that are not given and depend on others, and refuses
	 * what does not go together; NULL: nothing of the kind. */
	int (*complete)(struct weft__gen_spec *spec, struct weft_diag *diag);
	/* Adds switches, cables and leaves to the net. */
	int (*build)(const struct weft__gen_spec *spec, struct weft__net *net,
		     struct weft_diag *diag);
};

/* Takes text apart; 0 or -EINVAL with an error.  spec keeps text. */
int weft__gen_parse(const char *text, struct weft__gen_spec *spec,
		    struct weft_diag *diag);
/* The canonical form. */
void weft__gen_print(const struct weft__gen_spec *spec, FILE *out);

/* Says an error about the description and returns -err. */
int weft__gen_error(const struct weft__gen_spec *spec, struct weft_diag *diag,
		    int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Bytes of a description that messages repeat. */
#define WEFT__GEN_SHOWN 100

/* Length of what stands where something else was expected, for messages. */
int weft__scan_odd(const struct weft__scan *in);
/* Next character is c: takes it. */
bool weft__scan_char(struct weft__scan *in, char c);
/*
 * Takes a number for the argument called what and appends it to spec->arg[].
 * 0, or -EINVAL with an error when there is none or it is below min.
 */
int weft__scan_arg(struct weft__gen_spec *spec, struct weft__scan *in,
		   const char *what, uint32_t min, struct weft_diag *diag);

static inline uint32_t weft__gen_get(const struct weft__gen_spec *spec,
				     enum weft__gen_option_id id)
{
	return spec->option[id].a;
}

static inline bool weft__gen_given(const struct weft__gen_spec *spec,
				   enum weft__gen_option_id id)
{
	return spec->given >> id & 1;
}

/* How many of n things an option asks for: a number, or a share, rounded. */
uint32_t weft__gen_amount(const struct weft__gen_spec *spec,
			  enum weft__gen_option_id id, uint32_t n);

/* n after oversubscription: divided by the option oversub, rounded, >= 1. */
uint32_t weft__gen_shrink(const struct weft__gen_spec *spec, uint32_t n);

/* Largest number of hosts on one switch when each of nleaves switches has
 * as many host ports as the options ask for. */
uint32_t weft__gen_host_ports(const struct weft__gen_spec *spec,
			      uint32_t nleaves);

/* The table of families, NULL-terminated, in the order of listings. */
extern const struct weft__gen_family *const weft__gen_families[];

/* Names, syntax and help of option id, for listings. */
void weft__gen_list_options(FILE *out);

#endif
