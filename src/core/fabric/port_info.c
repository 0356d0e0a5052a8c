// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rates in PortInfo; see port_info.h. */
#include "core/fabric/port_info.h"

/* Bytes of PortInfo (InfiniBand Architecture Specification 1, 14.2.5.6; the
 * second set of extended speeds as in libibmad). */
enum {
	WIDTH_ENABLED = 29, WIDTH_ACTIVE = 31,
	SPEED = 35,		/* active, enabled */
	EXT2 = 56,		/* active 0x60, supported 0x18, enabled 0x07 */
	CAPABLE2 = 60,		/* two bytes */
	EXT = 62,		/* active, supported */
	EXT_ENABLED = 63,
};
#define HAS_EXT2 0x08		/* of the first byte: IsExtendedSpeeds2Supported */
#define EXT_DISABLED 30

/* Widths by their bits. */
static const uint8_t lanes[] = { 1, 4, 8, 12, 2 };

static uint8_t width_of(unsigned bits)
{
	for (unsigned i = 0; i < sizeof(lanes); i++)
		if (bits == 1u << i)
			return lanes[i];
	return 0;
}

static bool has_ext2(const uint8_t *capable)
{
	return capable[CAPABLE2] & HAS_EXT2;
}

/* The speed of a bit in each of the fields, from the lowest bit on. */
static const uint8_t plain[] = { WEFT_SDR, WEFT_DDR, WEFT_QDR };
static const uint8_t extended[] = { WEFT_FDR, WEFT_EDR, WEFT_HDR, WEFT_NDR };
static const uint8_t newest[] = { WEFT_XDR };

static uint8_t speed_of(const uint8_t *speeds, unsigned n, unsigned bits)
{
	for (unsigned i = 0; i < n; i++)
		if (bits == 1u << i)
			return speeds[i];
	return WEFT_SPEED_UNKNOWN;
}

static uint16_t speeds_of(const uint8_t *speeds, unsigned n, unsigned bits)
{
	uint16_t found = 0;

	for (unsigned i = 0; i < n; i++)
		if (bits >> i & 1)
			found |= 1u << speeds[i];
	return found;
}

struct weft_rate weft__port_rate(const void *port, const void *capable)
{
	const uint8_t *info = port;
	unsigned ext2 = has_ext2(capable) ? info[EXT2] >> 5 & 3 : 0;
	unsigned ext = info[EXT] >> 4, old = info[SPEED] >> 4;

	return (struct weft_rate){
		.width = width_of(info[WIDTH_ACTIVE]),
		.speed = ext2 ? speed_of(newest, sizeof(newest), ext2) :
			 ext ? speed_of(extended, sizeof(extended), ext) :
			       speed_of(plain, sizeof(plain), old),
	};
}

struct weft__port_enabled weft__port_enabled(const void *port,
					     const void *capable)
{
	const uint8_t *info = port;
	unsigned ext2 = has_ext2(capable) ? info[EXT2] & 7 : 0;
	unsigned ext = info[EXT_ENABLED] & 0x1f;

	if (ext == EXT_DISABLED)
		ext = 0;
	return (struct weft__port_enabled){
		.widths = info[WIDTH_ENABLED],
		.speeds = speeds_of(plain, sizeof(plain), info[SPEED] & 0xf) |
			  speeds_of(extended, sizeof(extended), ext) |
			  speeds_of(newest, sizeof(newest), ext2),
	};
}

struct weft_rate weft__port_best(struct weft__port_enabled a,
				 struct weft__port_enabled b)
{
	struct weft_rate best = { 0, WEFT_SPEED_UNKNOWN };

	for (unsigned i = 0; i < sizeof(lanes); i++)
		if (a.widths & b.widths & 1u << i && lanes[i] > best.width)
			best.width = lanes[i];
	for (unsigned speed = WEFT_SDR; speed <= WEFT_XDR; speed++)
		if (a.speeds & b.speeds & 1u << speed)
			best.speed = speed;
	return best;
}
