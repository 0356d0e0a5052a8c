# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A fabric as weft writes it (ibnetdiscover's layout) in another form:
#
#   awk -v form=FORM -f forms.awk FABRIC
#
# db_csv     ibdiagnet2.db_csv, all columns that readers look at
# rows       ibnetdiscover -p
# links      iblinkinfo
# line       iblinkinfo --line
# net_dump   ibdiagnet2.net_dump, with two ports of a switch in a cage
#
# and of opensm-lfts.dump ibdiagnet2.fdbs (fdbs), of opensm-sl2vl.dump
# ibdiagnet2.slvl (slvl).
BEGIN {
	FS = "\""
	split("SDR DDR QDR FDR EDR HDR NDR XDR", name, " ")
	for (i = 1; i <= 8; i++)
		# base speeds up to QDR, 4 beside the extended ones
		code[name[i]] = i <= 3 ? 2 ^ (i - 1) : 4 + 256 * 2 ^ (i - 4)
	code["FDR10"] = 65540
	split("2.5 5.0 10.0 14.0625 25.78125 53.125 106.25 212.5", gbps, " ")
	for (i = 1; i <= 8; i++)
		rate_of[name[i]] = gbps[i] " Gbps"
	rate_of["FDR10"] = "10.0 Gbps (FDR10)"
	split("2.5 5 10 14 25 50 100 200", rounded, " ")
	for (i = 1; i <= 8; i++)
		round_of[name[i]] = rounded[i]
	round_of["FDR10"] = "FDR10"
	lanes["1x"] = 1
	lanes["4x"] = 2
	lanes["8x"] = 4
	lanes["12x"] = 8
	lanes["2x"] = 16
}

# The word that follows another one; "" without.
function after(text, word,    n, w, i) {
	n = split(text, w, "[ \t]+")
	for (i = 1; i < n; i++)
		if (w[i] == word)
			return w[i + 1]
	return ""
}

function hex(text,    i, value) {
	for (i = 1; i <= length(text); i++)
		value = 16 * value + index("0123456789abcdef",
			substr(text, i, 1)) - 1
	return value
}

form == "fdbs" && /^Unicast/ {
	match($0, /guid 0x[0-9a-f]*/)
	print "osm_ucast_mgr_dump_ucast_routes: Switch " \
		substr($0, RSTART + 5, RLENGTH - 5)
	print "PLFT_NUM: 0\nLID    : Port : Hops : Optimal"
	next
}
form == "fdbs" && /^0x/ {
	printf "%s : %s  : 00   : yes\n", substr($0, 1, 6), substr($0, 8, 3)
}
form == "slvl" && /^Switch/ {
	switch_guid = substr($0, 8, 18)
}
form == "slvl" && /^[0-9]/ {
	n = split($0, part, "[ :]+")
	printf "%s %d %d", switch_guid, part[1], part[2]
	for (i = 3; i < 19; i += 2)
		printf " 0x%x%x", part[i], part[i + 1]
	print ""
}
form == "fdbs" || form == "slvl" {
	next
}
/^(vendid|devid|sysimgguid)=/ {
	split($0, part, "=0x")
	id[part[1]] = part[2]
}
/^(switch|ca|rt)guid=/ {
	guid0 = ""
	if (split($0, part, "[()]") > 1)
		guid0 = part[2]
}
/^(Switch|Ca|Rt)\t/ {
	split($1, part, "[\t ]")
	node = ++nodes
	guid[node] = substr($2, 3)
	type[node] = substr($2, 1, 1)
	ports[node] = part[2]
	rest = $0
	sub(/^[^#]*# "/, "", rest)
	at = match(rest, /"[^"]*$/)
	label[node] = substr(rest, 1, at - 1)
	facts = substr(rest, at + 1)
	vendor[node] = hex(id["vendid"])
	device[node] = hex(id["devid"])
	sysguid[node] = id["sysimgguid"]
	number[guid[node]] = node
	if (type[node] == "S") {
		enhanced[node] = facts ~ /enhanced/
		lid[node, 0] = after(facts, "lid")
		lmc[node, 0] = after(facts, "lmc")
		port_guid[node, 0] = guid0
	}
	next
}
/^\[/ {
	split($1, part, "[][()]")
	port = part[2]
	cabled[node, port] = 1
	if (type[node] != "S") {
		port_guid[node, port] = part[4]
		lid[node, port] = after($0, "lid")
		lmc[node, port] = after($0, "lmc")
	}
	far[node, port] = substr($2, 3)
	split($3, part, "[][]")
	far_port[node, port] = part[2]
	n = split($0, part, " ")
	rate = part[n]
	match(rate, /x/)
	width[node, port] = substr(rate, 1, RSTART)
	speed[node, port] = substr(rate, RSTART + 1)
}

# The port that a node is found by.
function first(node,    p) {
	for (p = type[node] != "S"; p && !cabled[node, p];)
		p++
	return p
}

# The GUID of a port, 0 where it is not cabled.
function guid_of(node, port) {
	if (type[node] == "S")
		port = 0
	return port_guid[node, port] == "" ? 0 : port_guid[node, port]
}

function db_csv(    n, p) {
	print "# INDEX_TABLE offset: 1, line: 1\n\nSTART_NODES"
	print "NodeDesc,NumPorts,NodeType,ClassVersion,SystemImageGUID," \
		"NodeGUID,PortGUID,DeviceID,VendorID,LocalPortNum"
	for (n = 1; n <= nodes; n++)
		printf "\"%s\",%d,%d,1,0x%s,0x%s,0x%s,%d,%d,%d\n", label[n],
			ports[n], index("HSR", type[n]), sysguid[n], guid[n],
			port_guid[n, first(n)], device[n], vendor[n],
			first(n)
	print "END_NODES\n\nSTART_SWITCHES\nNodeGUID,LinearFDBCap,ENP0"
	for (n = 1; n <= nodes; n++)
		if (type[n] == "S")
			print "0x" guid[n] ",49152," enhanced[n]
	print "END_SWITCHES\n\nSTART_PORTS"
	print "NodeGuid,PortGuid,PortNum,LID,LMC,LinkWidthActv," \
		"LinkSpeedActv,PortState"
	for (n = 1; n <= nodes; n++)
		for (p = type[n] != "S"; p <= ports[n]; p++)
			printf "0x%s,0x%s,%d,%d,%d,%d,%d,%d\n", guid[n],
				guid_of(n, p), p, lid[n, p],
				lmc[n, p], lanes[width[n, p]],
				code[speed[n, p]], cabled[n, p] ? 4 : 1
	print "END_PORTS\n\nSTART_LINKS"
	print "NodeGuid1,PortNum1,NodeGuid2,PortNum2"
	for (n = 1; n <= nodes; n++)
		for (p = 1; p <= ports[n]; p++)
			if (cabled[n, p] && is_first(n, p))
				printf "0x%s,%d,0x%s,%d\n", guid[n], p,
					far[n, p], far_port[n, p]
	print "END_LINKS"
}

# The LID of a port of any node.
function lid_of(n, p) {
	return lid[n, type[n] == "S" ? 0 : p]
}

# The type, LID, port and GUID of an end.
function end(n, p) {
	return sprintf("%s %5d %2d 0x%s", kind[type[n]], lid_of(n, p), p,
		guid_of(n, p))
}

function rows(    n, p, m, q) {
	kind["S"] = "SW"
	kind["H"] = "CA"
	kind["R"] = "RT"
	for (n = 1; n <= nodes; n++)
		for (p = 1; p <= ports[n]; p++) {
			m = number[far[n, p]]
			q = far_port[n, p]
			if (cabled[n, p])
				printf "%s %s %s - %s ( '%s' - '%s' )\n",
					end(n, p), width[n, p], speed[n, p],
					end(m, q), label[n], label[m]
			else if (type[n] == "S")
				printf "%s 4x SDR '%s'\n", end(n, p), label[n]
		}
}

function link(n, p, in_line,    m, q) {
	printf "%6d %4d[  ] ==(", lid_of(n, p), p
	if (!cabled[n, p]) {
		print "                Down/ Polling)==>             [  ] " \
			"\"\" ( )"
		return
	}
	m = number[far[n, p]]
	q = far_port[n, p]
	printf "%3s %18s Active/  LinkUp)==>  %s%6d %4d[  ] \"%s\" ( )\n",
		toupper(width[n, p]), rate_of[speed[n, p]],
		in_line ? "0x" guid_of(m, q) " " : "", lid_of(m, q), q,
		label[m]
}

function links(in_line,    n, p) {
	heading["S"] = "Switch:"
	heading["H"] = "CA:"
	heading["R"] = "Router:"
	for (n = 1; n <= nodes; n++) {
		if (!in_line)
			printf "%s%s %s:\n", heading[type[n]],
				type[n] == "S" ? " 0x" guid_of(n, 0) : "",
				label[n]
		for (p = 1; p <= ports[n]; p++) {
			if (!cabled[n, p] && type[n] != "S")
				continue
			if (in_line)
				printf "0x%s \"%30s\" ", guid_of(n, p),
					label[n]
			else
				printf "      %s", type[n] == "S" ? "" : \
					"0x" guid_of(n, p) " "
			link(n, p, in_line)
		}
	}
}

# What is printed beside a port.
function printed(n, p) {
	return type[n] == "S" ? int((p + 1) / 2) "/" 2 - p % 2 : p
}

function net_dump(    n, p, m, q) {
	print "# Switch label port numbering explanation:\n"
	for (n = 1; n <= nodes; n++) {
		if (type[n] != "S")
			continue
		printf "\"%s\", Mellanox, 0x%s, LID %d\n", label[n], guid[n],
			lid_of(n, 0)
		print "  #   : IB# : Sta  : PhysSta : MTU : LWA  : LSA  : " \
			"FEC mode : Retran : Neighbor Guid : N# : NLID : " \
			"Neighbor Description"
		for (p = 1; p <= ports[n]; p++) {
			m = number[far[n, p]]
			q = far_port[n, p]
			printf "  %-4s: %-3d : ", printed(n, p), p
			if (!cabled[n, p]) {
				print "DOWN : POLLING : N/A : N/A : N/A : " \
					"N/A : N/A :  :  :  : "
				continue
			}
			printf "ACT  : LINK UP : 5 : %s : %s : RS : NO-RTR : " \
				"0x%s : %s : %d : \"%s\"\n", width[n, p],
				round_of[speed[n, p]], guid[m], printed(m, q),
				lid_of(m, q), label[m]
		}
	}
}

# Of the two ends of a cable one is told.
function is_first(n, p,    m) {
	m = number[far[n, p]]
	return n < m || (n == m && p < far_port[n, p])
}

END {
	if (form == "db_csv")
		db_csv()
	else if (form == "rows")
		rows()
	else if (form == "links" || form == "line")
		links(form == "line")
	else if (form == "net_dump")
		net_dump()
	else if (form != "fdbs" && form != "slvl")
		exit 2
}
