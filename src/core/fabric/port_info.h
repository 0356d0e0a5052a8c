/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rates in PortInfo, the 64 bytes by which a port describes itself.
 *
 * Speeds have come in three fields.  The newest one that is not empty counts: a
 * port that runs at one of the newer speeds has something without meaning in
 * the older fields.  Port 0 of a switch tells for all its ports whether they
 * have the newest.
 */
#ifndef WEFT_CORE_PORT_INFO_H
#define WEFT_CORE_PORT_INFO_H

#include <weft/fabric.h>

/*
 * Returns what a link runs at, by the PortInfo of one end; 0 for what nobody
 * knows. capable: that of port 0 of the switch, or the port's own.
 */
struct weft_rate weft__port_rate(const void *info, const void *capable);

/* Widths and speeds that a port may run at. */
struct weft__port_enabled {
	uint8_t widths;		/* as in PortInfo */
	uint16_t speeds;	/* bits, 1 << enum weft_speed */
};

struct weft__port_enabled weft__port_enabled(const void *info,
					     const void *capable);
/* Returns the best that two ends may run at together; 0 for what is not
 * told. */
struct weft_rate weft__port_best(struct weft__port_enabled a,
				 struct weft__port_enabled b);

#endif
