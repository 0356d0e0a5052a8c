#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The interactive page of weft show in a browser, headless: a script that stands
# for somebody who clicks, and what the page shows then.
. "$WEFT_SRCDIR/tests/tools/browser"

cat >clicks.html <<'END'
<script>
(function () {
	const out = document.createElement("pre"), said = [];
	const svg = document.querySelector("svg.fabric");
	const one = (what) => document.querySelector(what);
	const all = (what) => document.querySelectorAll(what).length;
	const box = () => svg.getAttribute("viewBox");
	const click = (e) => e.dispatchEvent(
		new MouseEvent("click", { bubbles: true }));
	const find = (text) => {
		one("#find").value = text;
		one("#find").dispatchEvent(new Event("input"));
	};
	const pick = (text, which) => {
		find(text);
		click(one("#found button"));
		click(Array.from(document.querySelectorAll("#panel button"))
			.find((e) => e.textContent === which));
	};
	const before = box();

	click(one("#in"));
	said.push("zoomed " + (box() !== before));
	click(one("#fit"));
	said.push("whole " + (box() === before));
	svg.dispatchEvent(new WheelEvent("wheel", { deltaY: -1,
		clientX: 100, clientY: 100, cancelable: true }));
	said.push("wheel " + (box() !== before));
	click(svg.querySelector('[data-s="0"] rect'));
	said.push("switch " + one("#panel h2").textContent + " ports " +
		all("#panel tbody tr") + " marked " + all("svg .picked"));
	click(one("#panel tbody button"));
	said.push("then " + one("#panel h2").textContent);
	find("nobody");
	said.push("none " + one("#found").textContent);
	find("spine");
	said.push("found " + all("#found button"));
	pick("host-0000", "Route from here");
	pick("host-0015", "Route to here");
	said.push("route " + all("#route li") + " " +
		one("#panel > p:last-child").textContent);
	said.push("way " + (all("svg .way") > 3));
	out.id = "said";
	out.textContent = said.join("\n");
	document.body.appendChild(out);
})();
</script>
END

# clicked PAGE: what the clicks say there.
clicked() {
	sed '/<\/body>/{
		r clicks.html
	}' "$1" >clicked.html
	timeout 60 $browser --headless --no-sandbox --disable-gpu --dump-dom \
		"file://$dir/clicked.html" 2>/dev/null |
		sed -n '/<pre id="said">/,/<\/pre>/p' |
		sed 's/.*<pre id="said">//; s/<\/pre>.*//'
}

weft show --interactive -q -o tree.html 'pgft:2;4,4;1,4;1,1' || exit 1
clicked tree.html >said
cat said
for line in 'zoomed true' 'whole true' 'wheel true' \
	'switch leaf-000 ports 8 marked 1' \
	'none nothing of that name, GUID or LID' 'found 4' \
	'route 3 It arrives over 3 switches.' 'way true'; do
	grep -qxF "$line" said || fail "not there: $line"
done
grep -q '^then host-0' said || fail 'a click on a neighbour picks nobody'

# a route that is not there, and names that would be markup
weft gen 'pgft:2;4,4;1,4;1,1' |
	sed 's/"host-0015"/"host-0015<\/script><img src=x onerror=document.title=1>"/' >bad.net
weft route -q -e minhop bad.net -o bad >/dev/null || exit 1
weft show --interactive -q -o bad.html bad || exit 1
clicked bad.html >said
grep -qF 'route 3 It arrives over 3 switches.' said || {
	cat said
	fail 'hostile names stop the page'
}
grep -c '<img' bad.html && fail 'a name is markup'
grep -qE "(src|href)=['\"]?(https?:)?//" tree.html && fail 'it fetches something'
[ "$(wc -l <"$WEFT_SRCDIR/src/tools/show/view.js")" -lt 500 ] ||
	fail 'more script than anybody reads'
echo "$failed failed"
[ $failed -eq 0 ]
