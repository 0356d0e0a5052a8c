#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Pages of HTML in a browser, headless: as wide as a phone and as a screen, light
# and dark.  Nothing is wider than the page, text has contrast to what it stands
# on, nothing is fetched, and no name becomes markup or a script.
. "$WEFT_SRCDIR/tests/tools/browser"

# page NAME ARGUMENT...: a report, one that found something, too.
page() {
	name=$1
	shift
	weft report -q -n 20 -o "$name.html" "$@"
	[ $? -le 1 ] && [ -s "$name.html" ] || fail "no page of $name"
	pages="$pages $name"
}

# joined NAME ARGUMENT...: a report about subnets.
joined() {
	name=$1
	shift
	weft subnets report -q -n 2 -o "$name.html" "$@"
	[ $? -le 1 ] && [ -s "$name.html" ] || fail "no page of $name"
	pages="$pages $name"
}

# shown NAME ARGUMENT...: a picture in a page.
shown() {
	name=$1
	shift
	weft show -q -o "$name.html" "$@" || fail "no page of $name"
	pages="$pages $name"
}

# Names that would do something if they were taken for anything but text, and
# one that no line has room for.
hostile() {
	weft gen ring:5 | awk -v quote="'" '{
		sub(/"host-0000"/, "\"<script>document.title=1</script>\"")
		sub(/"host-0001"/, "\"<img src=x onerror=alert(1)>\"")
		sub(/"host-0002"/, "\"--></style></section>" quote "\"")
		sub(/"sw-0"/, "\"</td></tr></table><h1>mine\"")
		sub(/"sw-1"/, "\"" sprintf("%64s", "") "\"")
		sub(/"sw-2"/, "\"a\342\200\256b\033[7m\377\"")
		if (/"sw-3"/) {
			long = "w"
			for (i = 0; i < 6; i++)
				long = long long
			sub(/"sw-3"/, "\"" long "\"")
		}
		print
	}' >hostile.net
}

pages=
weft gen 'pgft:2;4,4;1,2;1,1' >a.net
weft gen ring:5 | sed 's/2574546/2574547/g; s/"sw-/"other-/' |
	cat a.net - >parts.net
hostile
page tree -e minhop deimos
page torus torus:4x4x2
page loops -e minhop ring:6
page parts -e weave parts.net
page hostile -e minhop hostile.net
page chain chain:4
shown shown-tree -e updn --load --hottest 5 --unused rack648
shown shown-hostile -e minhop --route lid:1,lid:2 hostile.net
shown shown-any slimfly:5
page lanes -e psssp:deadlock=layers torus:4x4
joined joined -e eftree subnets:2
joined ringed -e minhop 'subnets:2,routers=1,ports=1,of=ring:5,hosts=1'
weft subnets route -q -e minhop --map=static -o site \
	'subnets:2,routers=2,ports=1,of=ring:5,hosts=1' >site.txt
sed -i 's/"router-000"/"<script>document.title=1<\/script>"/
	s/"host-0000"/"<img src=x onerror=alert(1)>"/' site/*/*.ibnetdiscover
{
	printf '[<script>document.title=2</script>]\nfabric = site/subnet-1\n'
	printf '[%064d]\nfabric = site/subnet-2\n' 0
} >site.ini
joined joined-hostile -e minhop site.ini

# What a page is asked, in a frame of each width.
cat >ask.js <<'EOF'
function luminance(c) {
	const part = c.slice(0, 3).map(v => (v /= 255) <= .03928 ? v / 12.92 :
		((v + .055) / 1.055) ** 2.4);
	return .2126 * part[0] + .7152 * part[1] + .0722 * part[2];
}
function color(text) {
	const c = text.match(/[\d.]+/g).map(Number);
	return c.length < 4 ? [c[0], c[1], c[2], 1] : c;
}
function ground(w, e) {
	const above = [];
	for (; e; e = e.parentElement)
		above.push(color(w.getComputedStyle(e).backgroundColor));
	return above.reverse().reduce((under, c) => under.map((v, i) =>
		v * (1 - c[3]) + c[i] * c[3]), [255, 255, 255]);
}
function contrast(w, e) {
	const style = w.getComputedStyle(e);
	const a = luminance(color(e instanceof w.SVGElement ? style.fill :
				  style.color));
	const b = luminance(ground(w, e));
	return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}
function ask(name, width, dark, frame, say) {
	const w = frame.contentWindow, d = w.document;
	const page = `${name} at ${width}: `;
	let texts = 0;

	if (w.matchMedia('(prefers-color-scheme: dark)').matches != dark)
		say(page + 'another colour scheme');
	if (d.documentElement.scrollWidth > width)
		say(page + `is ${d.documentElement.scrollWidth} wide`);
	if (d.querySelector('script,img,link,iframe,object'))
		say(page + 'holds what no page does');
	if (d.querySelectorAll('h1').length != 1 || !d.title)
		say(page + 'a name has become markup');
	for (const e of d.body.querySelectorAll('*')) {
		const own = [...e.childNodes].some(n => n.nodeType == 3 &&
						   n.data.trim());
		if (!own || !e.getClientRects().length)
			continue;
		texts++;
		if (contrast(w, e) < 4.5)
			say(page + `contrast ${contrast(w, e).toFixed(1)}: ` +
			    e.textContent.slice(0, 40));
	}
	for (const id of d.querySelectorAll('[aria-labelledby]'))
		for (const l of id.getAttribute('aria-labelledby').split(' '))
			if (!d.getElementById(l))
				say(page + 'no label ' + l);
	if (texts < (name.startsWith('shown') ? 5 : 50))
		say(page + `only ${texts} texts`);
}
EOF

# A page of frames: says what is wrong, and that it has asked all of them.
write_frames() {
	cat <<-EOF
		<!DOCTYPE html><body><pre id="said"></pre>
		<script src="ask.js"></script><script>
		const said = document.getElementById('said');
		let left = 0, asked = 0;
		function say(text) { said.textContent += 'SA' + 'ID ' + text + '\n'; }
		function add(name, width) {
			const f = document.createElement('iframe');
			left++;
			f.style = 'border:0;height:800px;width:' + width + 'px';
			f.onload = () => {
				ask(name, width, $1, f, say);
				asked++;
				if (!--left)
					say('asked ' + asked);
			};
			f.src = name + '.html';
			document.body.append(f);
		}
		for (const name of '$pages'.trim().split(' '))
			for (const width of [390, 1400])
				add(name, width);
		</script>
	EOF
}

# browse SCHEME DARK: 1 false is light, 0 true dark
browse() {
	write_frames "$2" >frames.html
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--no-first-run --user-data-dir="$dir/profile" \
		--allow-file-access-from-files --enable-logging=stderr \
		--blink-settings=preferredColorScheme="$1" \
		--virtual-time-budget=20000 --dump-dom \
		"file://$dir/frames.html" >dom 2>log || fail "$browser failed"
	grep CONSOLE log && fail 'the console has messages'
	sed -n 's/.*SAID //p' dom >said
	grep -q "^asked $asked$" said || fail "not all pages were asked"
	if grep -v '^asked' said; then
		failed=$((failed + 1))
	fi
}

asked=$(($(echo "$pages" | wc -w) * 2))
browse 1 false
browse 0 true
echo "$asked frames, light and dark; $failed failed"
[ $failed -eq 0 ]
