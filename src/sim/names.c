// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What outputs call things by; see weft/sim.h. */
#include <weft/sim.h>

const char *weft_sim_event_name(enum weft_sim_event event)
{
	static const char *const names[] = {
		[WEFT_SIM_SENT] = "sent",     [WEFT_SIM_HEAD] = "head",
		[WEFT_SIM_CREDIT] = "credit", [WEFT_SIM_HOST] = "host",
		[WEFT_SIM_DONE] = "done",     [WEFT_SIM_CHANGE] = "change",
	};

	return names[event];
}

const char *weft_sim_drop_name(enum weft_sim_drop drop)
{
	static const char *const names[] = {
		[WEFT_SIM_NO_ROUTE] = "no route",
		[WEFT_SIM_WRONG_END] = "wrong end",
		[WEFT_SIM_TOO_FAR] = "too far",
		[WEFT_SIM_NO_LANE] = "no lane",
		[WEFT_SIM_LINK_DOWN] = "link down",
		[WEFT_SIM_TOO_LONG] = "waited too long",
	};

	return names[drop];
}

const char *weft_sim_paths_name(enum weft_sim_paths paths)
{
	static const char *const names[] = {
		[WEFT_SIM_TABLES] = "tables",
		[WEFT_SIM_LEAST] = "least",
		[WEFT_SIM_RANDOM_LEAST] = "random",
		[WEFT_SIM_FLOWLETS] = "flowlet",
		[WEFT_SIM_OBLIVIOUS] = "oblivious",
		[WEFT_SIM_ADAPTIVE] = "adaptive",
		[WEFT_SIM_PROBING] = "probing",
		[WEFT_SIM_VALIANT] = "nonminimal=valiant",
		[WEFT_SIM_UGAL_L] = "nonminimal=ugal-l",
		[WEFT_SIM_UGAL_G] = "nonminimal=ugal-g",
		[WEFT_SIM_PAR] = "nonminimal=par",
	};

	return names[paths];
}

const char *weft_sim_lids_name(enum weft_sim_lids lids)
{
	static const char *const names[] = {
		[WEFT_SIM_LIDS_ROUTES] = "routes",
		[WEFT_SIM_LIDS_FIRST] = "first",
		[WEFT_SIM_LIDS_PAIR] = "pair",
		[WEFT_SIM_LIDS_RANDOM] = "random",
		[WEFT_SIM_LIDS_ROUND_ROBIN] = "round-robin",
		[WEFT_SIM_LIDS_ALL] = "all",
	};

	return names[lids];
}

const char *weft_sim_part_name(enum weft_sim_part_kind kind)
{
	static const char *const names[] = {
		[WEFT_SIM_OF_HOST] = "host",
		[WEFT_SIM_OF_FLOW] = "flow",
		[WEFT_SIM_OF_LANE] = "lane",
		[WEFT_SIM_OF_CHANNEL] = "channel",
	};

	return names[kind];
}
