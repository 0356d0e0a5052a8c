# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A tree of htsim: what its reader asks for, and how many hosts and switches of
# each tier come of it.
function bad(why) { print FILENAME ":" FNR ": " why; wrong = 1 }
NF == 0 || /^#/ { next }
NF != 2 || $2 !~ /^[0-9]+$/ { bad("no key and whole number"); next }
{ key = tolower($1) }
key == "tier" { tier = $2; seen[tier] = 1; inside = 1; next }
!inside { head[key] = $2; next }
(key, tier) in of { bad(key " twice in tier " tier) }
{ of[key, tier] = $2 }
END {
	n = head["nodes"]; tiers = head["tiers"]; pod = head["podsize"]
	if (!n || !pod || n % pod)
		bad("Nodes is no multiple of Podsize")
	if (tiers < 2 || tiers > 3)
		bad("two or three tiers")
	for (k = 0; k < tiers; k++) {
		bundle[k] = ("bundle", k) in of ? of["bundle", k] : 1
		over[k] = ("oversubscribed", k) in of ? of["oversubscribed", k] : 1
		if (!seen[k] || !of["downlink_speed_gbps", k] ||
		    !of["downlink_latency_ns", k] || !of["radix_down", k])
			bad("tier " k " lacks something")
		if (k < tiers - 1 && !of["radix_up", k])
			bad("tier " k " lacks Radix_Up")
		if (k == tiers - 1 && ("radix_up", k) in of)
			bad("Radix_Up of the top")
		if (of["radix_down", k] % bundle[k])
			bad("Radix_Down is no multiple of Bundle")
	}
	for (k = 0; k < tiers - 1; k++)
		if (of["radix_up", k] % bundle[k + 1])
			bad("Radix_Up is no multiple of the Bundle above")
	# cables above a tier, by rates and oversubscription
	cables[0] = n
	for (k = 0; k < tiers; k++) {
		if (cables[k] % of["radix_down", k])
			bad("tier " k ": no whole number of switches")
		switches[k] = cables[k] / of["radix_down", k]
		if (k == tiers - 1)
			break
		up = cables[k] * of["downlink_speed_gbps", k]
		if (up % (of["downlink_speed_gbps", k + 1] * over[k]))
			bad("tier " k ": no whole number of uplinks")
		cables[k + 1] = up / (of["downlink_speed_gbps", k + 1] * over[k])
		if (cables[k + 1] != switches[k] * of["radix_up", k])
			bad("tier " k ": another number of uplinks than Radix_Up says")
	}
	text = n
	for (k = 0; k < tiers; k++)
		text = text " " switches[k]
	print text
	exit wrong
}
