// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Link widths and speeds in words. */
#include "io/formats.h"

uint8_t weft__width_of(const char *text, size_t length)
{
	static const struct {
		const char *text;
		uint8_t lanes;
	} width[] = {
		{ "1x", 1 }, { "2x", 2 }, { "4x", 4 }, { "8x", 8 },
		{ "12x", 12 },
	};

	for (size_t i = 0; i < sizeof(width) / sizeof(*width); i++)
		if (length == strlen(width[i].text) &&
		    !memcmp(text, width[i].text, length))
			return width[i].lanes;
	return 0;
}

uint8_t weft__speed_of(const char *text, size_t length)
{
	for (unsigned s = WEFT_XDR; s >= WEFT_SDR; s--) {
		const char *name = weft_speed_name(s);

		/* a quick look first: millions of words pass here */
		if (length && *text == *name && length == strlen(name) &&
		    !memcmp(text, name, length))
			return (uint8_t)s;
	}
	return WEFT_SPEED_UNKNOWN;
}

uint8_t weft__speed_of_gbps(const char *text, size_t length)
{
	static const struct {
		const char *text;
		uint8_t speed;
	} known[] = {
		{ "2.5", WEFT_SDR }, { "5", WEFT_DDR }, { "5.0", WEFT_DDR },
		{ "10", WEFT_QDR }, { "10.0", WEFT_QDR },
		{ "FDR10", WEFT_FDR10 },
		{ "14", WEFT_FDR }, { "14.0625", WEFT_FDR },
		{ "25", WEFT_EDR }, { "25.78125", WEFT_EDR },
		{ "50", WEFT_HDR }, { "53.125", WEFT_HDR },
		{ "100", WEFT_NDR }, { "106.25", WEFT_NDR },
		{ "200", WEFT_XDR }, { "212.5", WEFT_XDR },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (length == strlen(known[i].text) &&
		    !memcmp(text, known[i].text, length))
			return known[i].speed;
	return WEFT_SPEED_UNKNOWN;
}
