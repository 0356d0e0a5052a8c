// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What fabrics are: each family is told, damaged ones, too, whatever the order
 * of GUIDs; coordinates and levels fit the cables; notes name who differs.
 */
#include "../route.h"

#include <stdlib.h>
#include <string.h>

struct told {
	const char *spec;
	enum weft_shape_kind kind;
	const char *what; /* is part of the sentence */
};

static const struct told families[] = {
	{ "switch648", WEFT_SHAPE_TREE,
	  "fat tree, 2 levels, PGFT(2; 18,36; 1,18; 1,1), 36 + 18 switches, 648 hosts, full bandwidth"
	  },
	{ "pgft:3;4,4,4;1,2,2;1,1,1", WEFT_SHAPE_TREE,
	  "3 levels, PGFT(3; 4,4,4; 1,2,2; 1,1,1), 16 + 8 + 4 switches in 4 pods, 64 hosts, 2:1 oversubscribed at level 1, 2:1 oversubscribed at level 2"
	  },
	{ "switch648,fail-links=20%", WEFT_SHAPE_TREE,
	  "20 % of the cables between levels 1 and 2 missing (130 of 648)" },
	{ "rack648", WEFT_SHAPE_TREE, "3 levels, 54 + 36 + 18 switches in 9" },
	{ "deimos", WEFT_SHAPE_TREE,
	  "irregular tree, 2 levels, 72 + 36 switches in 3 trees" },
	{ "star:5", WEFT_SHAPE_TREE, "star, 2 levels" },
	{ "torus:5x6x4", WEFT_SHAPE_GRID, "torus 5x6x4, 120 hosts" },
	{ "torus:6x5,fail-links=3", WEFT_SHAPE_GRID,
	  "torus 6x5, 3 cables missing" },
	{ "torus:5x5x5,fail-switches=2", WEFT_SHAPE_GRID,
	  "part of a torus 5x5x5, 2 switches missing, 123 hosts" },
	{ "torus:5x5x5,fail-links=37", WEFT_SHAPE_GRID,
	  "part of a torus 5x5x5, 37 cables missing, 125 hosts" },
	{ "mesh:5x5,fail-links=4", WEFT_SHAPE_GRID,
	  "part of a mesh 5x5, 4 cables missing" },
	{ "mesh:4x5", WEFT_SHAPE_GRID, "mesh 4x5" },
	{ "hypercube:5", WEFT_SHAPE_GRID, "hypercube of 5 dimensions" },
	{ "ring:7", WEFT_SHAPE_GRID, "ring of 7 switches" },
	{ "chain:4", WEFT_SHAPE_GRID, "chain of 4 switches" },
	{ "hyperx:4x5", WEFT_SHAPE_HYPERX, "HyperX 4x5" },
	{ "hyperx:4x4x4,fail-links=5", WEFT_SHAPE_HYPERX,
	  "HyperX 4x4x4, 5 pairs not joined" },
	{ "full:6", WEFT_SHAPE_HYPERX, "full mesh of 6 switches" },
	{ "dragonfly:4,2,2,9", WEFT_SHAPE_GROUPS,
	  "dragonfly: 9 groups of 4 switches, 72 hosts" },
	{ "dragonfly:6,3,3,19,fail-links=10", WEFT_SHAPE_GROUPS,
	  "dragonfly: 19 groups of 6 switches" },
	{ "megafly:4,2,4,4,9", WEFT_SHAPE_GROUPS, "9 groups of 8 switches" },
	{ "slimfly:5", WEFT_SHAPE_IRREGULAR, "Slim Fly of q = 5" },
	{ "slimfly:7", WEFT_SHAPE_IRREGULAR, "Slim Fly of q = 7" },
	{ "slimfly:8", WEFT_SHAPE_IRREGULAR, "Slim Fly of q = 8" },
	{ "jellyfish:50,16,8", WEFT_SHAPE_IRREGULAR,
	  "no known structure: 50 switches, each joined to 8 others, diameter 3"
	  },
	{ "pgft:1;4;1;1", WEFT_SHAPE_SINGLE, "one switch, 4 hosts" },
	{ "chain:2", WEFT_SHAPE_GRID, "two switches" },
	{ "chain:2,hosts=2:0", WEFT_SHAPE_GRID, "two switches, 2 hosts" },
	{ "mesh:2x6,hosts=1:0", WEFT_SHAPE_GRID, "mesh 2x6, 6 hosts" },
};

static struct weft_shape find(const char *spec, struct weft_fabric **f)
{
	struct weft_shape s = { .nparts = 0 };

	*f = route_fabric(spec, -1);
	ASSERT_EQ(weft_shape_find(*f, &s, NULL), 0);
	return s;
}

TEST(test_families)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (unsigned shuffled = 0; shuffled < 2; shuffled++) {
			const struct told *t = &families[i];
			struct weft_fabric *f;
			struct weft_shape s;
			char spec[160];

			snprintf(spec, sizeof(spec), "%s%s", t->spec,
				 shuffled ? ",guids=shuffle" : "");
			s = find(spec, &f);
			EXPECT_EQ(s.nparts, 1);
			EXPECT_EQ(s.part[0].kind, t->kind);
			EXPECT_EQ(s.part[0].switches, f->nsw);
			if (!strstr(s.what, t->what)) {
				fprintf(stderr, "%s: %s\n", spec, s.what);
				EXPECT_NEVER("another sentence");
			}
			weft_shape_free(&s);
			weft_fabric_free(f);
		}
}

/* Along how many dimensions two switches differ, and by how much in sum. */
static unsigned differ(const struct weft_shape *s, uint32_t a, uint32_t b,
		       unsigned *dimension)
{
	const uint32_t *at = s->at + (size_t)a * WEFT_SHAPE_DIMENSIONS;
	const uint32_t *to = s->at + (size_t)b * WEFT_SHAPE_DIMENSIONS;
	unsigned n = 0;

	for (unsigned d = 0; d < s->part[0].ndimensions; d++)
		if (at[d] != to[d]) {
			n++;
			*dimension = d;
		}
	return n;
}

/* Cables lead along one dimension each; no two switches are at one place. */
TEST(test_coordinates)
{
	static const char *const specs[] = {
		"torus:5x6x4,guids=shuffle",
		"mesh:3x4,guids=shuffle",
		"hyperx:3x4x5,guids=shuffle",
		"full:7",
		"hypercube:4",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f;
		struct weft_shape s = find(specs[i], &f);
		unsigned d = 0;

		for (uint32_t sw = 0; sw < f->nsw; sw++) {
			for (uint32_t k = 0; k < sw; k++)
				EXPECT(differ(&s, sw, k, &d) > 0);
			for (uint32_t e = f->adj_first[sw];
			     e < f->adj_first[sw + 1]; e++)
				EXPECT_EQ(differ(&s, sw, f->peer[f->adj[e]],
					  &d), 1);
		}
		weft_shape_free(&s);
		weft_fabric_free(f);
	}
}

static uint32_t told(const struct weft_shape *s, enum weft_shape_told how)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nnotes; i++)
		n += s->note[i].told == how;
	return n;
}

static bool notes_say(const struct weft_shape *s, const char *text)
{
	for (uint32_t i = 0; i < s->nnotes; i++)
		if (strstr(s->note[i].text, text))
			return true;
	return false;
}

TEST(test_notes)
{
	struct weft_fabric *f = route_with_hosts("switch648", "spine", 3);
	struct weft_shape s = { .nparts = 0 };

	ASSERT_EQ(weft_shape_find(f, &s, NULL), 0);
	EXPECT(strstr(s.what, "651 hosts, 3 above the leaves") != NULL);
	EXPECT(notes_say(&s, "spine-00 (level 2): 1 host above the leaves"));
	EXPECT_EQ(s.irregular, 3);
	weft_shape_free(&s);
	weft_fabric_free(f);

	s = find("switch648,fail-links=leaf-00:19+leaf-03:20", &f);
	EXPECT(notes_say(&s, "leaf-00 (level 1): 17 cables up, most have 18"));
	EXPECT(notes_say(&s, "leaf-03 (level 1)"));
	EXPECT_EQ(s.part[0].level[0].missing, 2);
	weft_shape_free(&s);
	weft_fabric_free(f);
	/* Of many alike the first are told, and how many more there are. */
	s = find("switch648,fail-links=20%", &f);
	EXPECT(s.irregular > told(&s, WEFT_SHAPE_FIRST));
	EXPECT_EQ(s.irregular, told(&s, WEFT_SHAPE_FIRST) +
		  told(&s, WEFT_SHAPE_MORE));
	EXPECT_EQ(told(&s, WEFT_SHAPE_SUM), 1);
	EXPECT(notes_say(&s, "and "));
	weft_shape_free(&s);
	weft_fabric_free(f);
}

/* Of a kind the most telling notes come first; adapters that are called the same
 * have their GUIDs. */
TEST(test_notes_order)
{
	struct weft_fabric *f;
	struct weft_shape s = find(
		"switch648,fail-links=leaf-00:19+leaf-03:20+leaf-03:21+leaf-03:22",
		&f);
	uint32_t last = UINT32_MAX;

	for (uint32_t i = 0; i < s.nnotes; i++) {
		EXPECT(s.note[i].off <= last);
		last = s.note[i].off;
	}
	ASSERT(s.nnotes > 1);
	EXPECT_EQ(s.note[0].off, 1000 * 3 / 18 + 1);
	EXPECT_STR(s.note[0].text,
		   "leaf-03 (level 1): 15 cables up, most have 18");
	weft_shape_free(&s);
	weft_fabric_free(f);
	/* groups: within, and to others */
	s = find("dragonfly:4,2,2,9,fail-links=1", &f);
	EXPECT_EQ(s.irregular, 2);
	EXPECT(notes_say(&s, "within its group, most have 3") ||
	       notes_say(&s, "to other groups, most have 2"));
	weft_shape_free(&s);
	weft_fabric_free(f);
}

/* Groups are called as their switches where that tells them apart. */
TEST(test_group_names)
{
	static const struct {
		const char *name, *rack;
	} switches[] = {
		{ "MF0;A09-P1-LEAF-01-02:MQM9701/U1", "A09-P1-LEAF-01" },
		{ "leaf-012", "leaf" }, { "r12sw3", "r12sw" }, { "7", "" },
		{ "core", "" }, { "", "" }, { "rack 3 # 4036-8BBA", "rack 3 # 4036" },
	};
	char (*name)[WEFT_SHAPE_GROUP_NAME], rack[WEFT_SHAPE_GROUP_NAME];
	struct weft_fabric *f;
	struct weft_shape s = find("dragonfly:4,2,2,9", &f);
	uint32_t n;

	ASSERT_EQ(weft_shape_group_names(f, &s, &n, &name), 0);
	ASSERT_EQ(n, 9);
	for (uint32_t i = 0; i < f->nsw; i++) {
		const char *group = name[s.group[i]];

		suite_case("%s", f->sw[i].name);
		EXPECT(!strncmp(f->sw[i].name, group, strlen(group)) ||
		       !strncmp(group, "group ", 6));
	}
	EXPECT(strcmp(name[0], name[8]));
	free(name);
	weft_shape_free(&s);
	weft_fabric_free(f);
	s = find("pgft:3;4,4,4;1,2,2;1,1,1", &f);
	ASSERT_EQ(weft_shape_group_names(f, &s, &n, &name), 0);
	ASSERT_EQ(n, 4);
	EXPECT_STR(name[3], "pod 4");
	free(name);
	weft_shape_free(&s);
	weft_fabric_free(f);
	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
		suite_case("%s", switches[i].name);
		weft_shape_rack_name(switches[i].name, rack);
		EXPECT_STR(rack, switches[i].rack);
	}
}

/* Each level is joined to the next, and pods are apart below the top. */
TEST(test_levels)
{
	struct weft_fabric *f;
	struct weft_shape s =
		find("pgft:3;4,4,4;1,2,2;1,1,1,guids=shuffle", &f);

	EXPECT_EQ(s.part[0].ngroups, 4);
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		for (uint32_t e = f->adj_first[sw]; e < f->adj_first[sw + 1];
		     e++) {
			uint32_t to = f->peer[f->adj[e]];
			int step = s.level[to] - s.level[sw];

			EXPECT(step == 1 || step == -1);
			EXPECT_EQ(s.group[sw] == WEFT_NONE, s.level[sw] == 2);
			EXPECT(s.level[sw] == 2 || s.level[to] == 2 ||
			       s.group[sw] == s.group[to]);
		}
	weft_shape_free(&s);
	weft_fabric_free(f);
}

TEST(test_empty)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_shape s = { .nparts = 0 };
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	ASSERT_EQ(weft_shape_find(f, &s, NULL), 0);
	EXPECT_STR(s.what, "no switch");
	weft_shape_free(&s);
	weft_fabric_free(f);
	weft_builder_free(b);
}
