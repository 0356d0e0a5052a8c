// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pictures: switches are within them and none is upon another, every cable is
 * in a line or a band, names are cut between characters, marks reach the lines.
 */
#include "draw/draw.h"
#include "draw/fold.h"
#include "draw/labels.h"
#include "draw/layout.h"
#include "draw/lines.h"
#include "draw/text.h"
#include "../route.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct picture {
	struct weft_fabric *f;
	struct weft_shape shape;
	struct weft__layout layout;
};

static void make(const char *spec, struct picture *p)
{
	*p = (struct picture){ .f = route_fabric(spec, -1) };
	ASSERT_EQ(weft_shape_find(p->f, &p->shape, NULL), 0);
	p->layout = (struct weft__layout){ .f = p->f, .shape = &p->shape };
	ASSERT_EQ(weft__layout_make(&p->layout), 0);
}

static void drop(struct picture *p)
{
	weft__layout_free(&p->layout);
	weft_shape_free(&p->shape);
	weft_fabric_free(p->f);
}

static bool are_apart(const struct weft__spot *a, const struct weft__spot *b)
{
	return fabs(a->x - b->x) > (a->w + b->w) / 2 ||
	       fabs(a->y - b->y) > (a->h + b->h) / 2;
}

TEST(test_places)
{
	static const char *const specs[] = {
		"switch648",
		"rack648",
		"deimos",
		"ranger",
		"switch3456",
		"star:40",
		"pgft:1;4;1;1",
		"torus:4x4x4",
		"torus:3x3x3x3",
		"mesh:9x2",
		"ring:3",
		"ring:40",
		"chain:30",
		"hypercube:7",
		"hyperx:5x4x3",
		"full:3",
		"full:20",
		"dragonfly:4,2,2,9",
		"torus:5x5x5,fail-switches=4",
		"switch648,fail-links=30%,fail-switches=2",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct picture p;

		make(specs[i], &p);
		for (uint32_t s = 0; s < p.f->nsw; s++) {
			const struct weft__spot *a = &p.layout.spot[s];

			EXPECT(a->x - a->w / 2 >= -.1 && a->x + a->w / 2 <=
			       p.layout.width + .1);
			EXPECT(a->y - a->h / 2 >= -.1 && a->y + a->h / 2 <=
			       p.layout.height + .1);
			for (uint32_t k = 0; k < s; k++)
				if (!are_apart(a, &p.layout.spot[k])) {
					fprintf(stderr, "%s: %u on %u\n",
						specs[i], s, k);
					EXPECT_NEVER("switches on each other");
				}
		}
		drop(&p);
	}
}

/* Frames hold the switches of their group and no others. */
TEST(test_frames)
{
	struct picture p;
	uint32_t held = 0;

	make("rack648", &p);
	ASSERT_EQ(p.layout.nframes, 9);
	for (uint32_t i = 0; i < p.layout.nframes; i++) {
		const struct weft__frame *r = &p.layout.frame[i];
		uint32_t group = WEFT_NONE;

		EXPECT_STR(r->text, "72 hosts");
		EXPECT(*r->name);
		for (uint32_t s = 0; s < p.f->nsw; s++) {
			const struct weft__spot *a = &p.layout.spot[s];

			if (a->x < r->x || a->x > r->x + r->w || a->y < r->y ||
			    a->y > r->y + r->h)
				continue;
			held++;
			if (group == WEFT_NONE)
				group = p.shape.group[s];
			EXPECT_EQ(p.shape.group[s], group);
		}
	}
	EXPECT_EQ(held, 90);
	drop(&p);
}

static uint32_t count_cables(const struct weft__lines *l)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++)
		n += l->line[i].cables;
	for (uint32_t i = 0; i < l->nbands; i++)
		n += l->band[i].cables;
	return n;
}

TEST(test_lines)
{
	static const struct {
		const char *spec;
		bool bands;
	} cases[] = {
		{ "switch648", false },	  { "switch3456", true },
		{ "deimos", true },	  { "pgft:2;4,4;1,2;1,3", false },
		{ "hypercube:7", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft__lines lines;
		struct picture p;

		make(cases[i].spec, &p);
		ASSERT_EQ(weft__lines_make(&p.layout, NULL, &lines), 0);
		EXPECT_EQ(count_cables(&lines), p.f->adj_first[p.f->nsw] / 2);
		EXPECT_EQ(lines.nbands > 0, cases[i].bands);
		weft__lines_free(&lines);
		drop(&p);
	}
}

/* The top has 12 planes of 12 switches; each pod has a band within, and one to
 * each plane, as wide as the switches that they join. */
TEST(test_bands)
{
	struct weft__lines lines;
	struct picture p;
	uint32_t within = 0;

	make("switch3456", &p);
	ASSERT_EQ(weft__lines_make(&p.layout, NULL, &lines), 0);
	EXPECT_EQ(lines.n, 0);
	EXPECT_EQ(lines.nbands, 24 + 24 * 12);
	for (uint32_t i = 0; i < lines.nbands; i++) {
		const struct weft__band *b = &lines.band[i];
		double slot = p.layout.spot[0].w;

		EXPECT(fabs(b->y[0] - b->y[1]) > 50);
		EXPECT(b->cables == 144 || b->cables == 12);
		within += b->cables == 144;
		for (unsigned end = 0; end < 2; end++) {
			const struct weft__spot *s =
				&p.layout.spot[b->cluster[end]];
			double wide = b->right[end] - b->left[end];

			EXPECT(fabs(s->y - b->y[end]) < .1);
			EXPECT(wide > 11 * slot || (b->cables == 12 && fabs(wide
			       - slot) < .1));
		}
	}
	EXPECT_EQ(within, 24);
	weft__lines_free(&lines);
	drop(&p);
}

/* Whatever is marked is a line of its own, and the last to be drawn. */
TEST(test_marks)
{
	struct weft__overlay o = { .heat = NULL };
	struct weft__lines lines;
	struct picture p;
	uint8_t *mark;
	uint32_t ch;

	make("switch3456", &p);
	mark = calloc(p.f->first_injection, 1);
	ch = p.f->adj[1000];
	mark[ch] = WEFT__MARK_HOT;
	o.mark = mark;
	ASSERT_EQ(weft__lines_make(&p.layout, &o, &lines), 0);
	ASSERT_EQ(lines.n, 1);
	EXPECT_EQ(lines.line[0].mark, WEFT__MARK_HOT);
	EXPECT(lines.line[0].channel == ch);
	EXPECT_EQ(count_cables(&lines), p.f->adj_first[p.f->nsw] / 2);
	weft__lines_free(&lines);
	free(mark);
	drop(&p);
}

/* Heat is that of the hotter direction; the hottest lines come last. */
TEST(test_heat)
{
	struct weft__overlay o = { .heat = NULL };
	struct weft__lines lines;
	struct picture p;
	float *heat;

	make("torus:4x5", &p);
	heat = calloc(p.f->first_injection, sizeof(*heat));
	for (uint32_t i = 0; i < p.f->adj_first[p.f->nsw]; i++)
		heat[p.f->adj[i]] = (float)(i * 37 % 101) / 101;
	o.heat = heat;
	ASSERT_EQ(weft__lines_make(&p.layout, &o, &lines), 0);
	for (uint32_t i = 0; i < lines.n; i++) {
		uint32_t ch = lines.line[i].channel;

		EXPECT(lines.line[i].heat >= heat[ch] && lines.line[i].heat <=
		       heat[ch]);
		EXPECT(heat[ch] >= heat[p.f->reverse[ch]]);
		EXPECT(!i || lines.line[i - 1].heat <= lines.line[i].heat);
	}
	weft__lines_free(&lines);
	free(heat);
	drop(&p);
}

static struct weft_fabric *named(const char *const *name, unsigned n)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;

	for (unsigned i = 0; i < n; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_SWITCH, i + 1, 4);

		weft_builder_name(b, h, name[i], strlen(name[i]));
		if (i)
			weft_builder_link(b, i - 1, 1, i, 2,
					  (struct weft_rate){ 4, WEFT_EDR });
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

TEST(test_labels)
{
	static const char *const names[] = {
		"MF0;leaf-01:MQM8700/U1",
		"MF0;leaf-02:MQM8700/U1",
		"MF0;spine-12345678901234567890:MQM8700/U1",
		"MF0;äöüßéèêëāăąćĉċčďđēĕėęě:MQM8700/U1",
		"MF0;\xff\xfe\x01\x02\x03\x04\xff\xff\xff\xff:MQM8700/U1",
	};
	struct weft_fabric *f = named(names, 5);
	struct weft_shape shape = { .nparts = 0 };
	struct weft__trims trims;
	char buf[WEFT__DRAW_NAME];

	ASSERT_EQ(weft_shape_find(f, &shape, NULL), 0);
	weft__draw_trims(f, &shape, &trims);
	EXPECT(weft__draw_label(f, 0, &trims, 90, buf));
	EXPECT_STR(buf, "leaf-01");
	EXPECT(weft__draw_label(f, 2, &trims, 90, buf));
	EXPECT(strstr(buf, "…") && strstr(buf, "67890"));
	EXPECT(!weft__draw_label(f, 0, &trims, 3, buf));
	for (unsigned room = 0; room < 300; room++) {
		if (!weft__draw_label(f, 3, &trims, room, buf))
			continue;
		/* No byte of the sequences is alone. */
		for (const char *c = buf; *c; c++)
			EXPECT(((unsigned char)*c & 0xc0) != 0x80 || (c > buf &&
			       (c[-1] & 0x80)));
		EXPECT(((unsigned char)buf[0] & 0xc0) != 0x80);
	}
	for (unsigned room = 0; room < 300; room++)
		weft__draw_label(f, 4, &trims, room, buf);
	weft_shape_free(&shape);
	weft_fabric_free(f);
}

/* Pods and groups of large fabrics are boxes; all cables between these are in a
 * line, with the strongest mark. */
TEST(test_fold)
{
	static const struct {
		const char *spec;
		uint32_t boxes, lines;
	} cases[] = {
		/* 24 pods of two levels, 12 planes above them */
		{ "switch3456", 24 * 2 + 12, 24 + 24 * 12 },
		{ "dragonfly:16,8,4,65", 65, 65 * 64 / 2 },
		{ "rack648", 0, 0 }, { "torus:4x4", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft__overlay o = { .heat = NULL };
		struct weft__lines lines;
		struct picture p;
		uint32_t boxes = 0, ch, marked = 0;
		uint8_t *mark;

		suite_case("%s", cases[i].spec);
		make(cases[i].spec, &p);
		ASSERT_EQ(weft__layout_fold(&p.layout), 0);
		for (uint32_t s = 0; s < p.f->nsw; s++) {
			uint32_t to = weft__stands(&p.layout, s);

			ASSERT_EQ(weft__stands(&p.layout, to), to);
			EXPECT_EQ(p.shape.level[s], p.shape.level[to]);
			EXPECT_EQ(p.shape.group[s], p.shape.group[to]);
			boxes += to == s && weft__folded(&p.layout, s) > 1;
			for (uint32_t k = 0; k < s && to == s; k++)
				EXPECT(weft__stands(&p.layout, k) != k ||
				       are_apart(&p.layout.spot[s],
						 &p.layout.spot[k]));
		}
		EXPECT_EQ(boxes, cases[i].boxes);
		mark = calloc(p.f->first_injection, 1);
		ch = p.f->adj[p.f->adj_first[p.f->nsw - 1]];
		mark[ch] = WEFT__MARK_HOT;
		o.mark = mark;
		ASSERT_EQ(weft__lines_make(&p.layout, &o, &lines), 0);
		for (uint32_t k = 0; k < lines.n; k++)
			marked += lines.line[k].mark == WEFT__MARK_HOT &&
				  lines.line[k].channel == ch;
		EXPECT_EQ(marked, 1);
		if (boxes)
			EXPECT_EQ(lines.n, cases[i].lines);
		free(mark);
		weft__lines_free(&lines);
		drop(&p);
	}
}

/* Two that would read the same in a row are numbers that a legend explains. */
TEST(test_legend)
{
	static const char *const names[] = { "core switch of the first hall",
					     "core switch of the other hall",
					     "core", "same", "same" };
	struct weft_fabric *f = named(names, 5);
	struct weft_shape shape = { .nparts = 0 };
	struct weft__layout l = { .f = f, .shape = &shape };
	struct weft__labels labels;
	char text[200];

	ASSERT_EQ(weft_shape_find(f, &shape, NULL), 0);
	ASSERT_EQ(weft__layout_make(&l), 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		l.spot[s].w = 40;
	ASSERT_EQ(weft__labels_make(&l, &labels), 0);
	ASSERT_EQ(labels.ntold, 4);
	EXPECT_EQ(labels.told[0], 0);
	EXPECT_EQ(labels.told[1], 1);
	EXPECT_STR(labels.text[0], "1");
	EXPECT_STR(labels.text[2], "core");
	EXPECT_STR(labels.text[4], "4");
	EXPECT_STR(weft__labels_tell(&l, 4, text, sizeof(text)),
		   "same, 0x0000000000000005, LID 0");
	weft__labels_free(&labels);
	weft__layout_free(&l);
	weft_shape_free(&shape);
	weft_fabric_free(f);
}

/* The picture as a whole: it ends, whatever there is to draw. */
TEST(test_whole)
{
	static const char *const specs[] = {
		"pgft:1;4;1;1", "chain:2",	     "torus:4x4",
		"switch648",	"dragonfly:4,2,2,9", "switch3456",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft__drawing d = { .title = specs[i] };
		struct picture p;
		char *text = NULL;
		size_t n = 0;
		FILE *out = open_memstream(&text, &n);

		make(specs[i], &p);
		d.fabric = p.f;
		d.shape = &p.shape;
		d.embedded = i % 2;
		EXPECT_EQ(weft__draw_svg(&d, out, NULL), 0);
		fclose(out);
		EXPECT_EQ(strncmp(text, "<?xml", 5) == 0, i % 2 == 0);
		EXPECT_STR(text + n - 7, "</svg>\n");
		EXPECT(!strstr(text, "nan") && !strstr(text, "inf"));
		free(text);
		drop(&p);
	}
}
