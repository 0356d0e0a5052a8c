// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The interactive page of weft show: zoom, pan, find, ports, routes.  Everything
// is in the page; texts become text nodes, never markup.
"use strict";
(function () {
	const data = JSON.parse(document.getElementById("data").textContent);
	const svg = document.querySelector("svg.fabric");
	const panel = document.getElementById("panel");
	const whole = svg.getAttribute("viewBox").split(" ").map(Number);
	const lft = data.lft === null ? null :
		Uint8Array.from(atob(data.lft), (c) => c.charCodeAt(0));
	const NO_PORT = 255, SHOWN = 20;
	let box = whole.slice(), from = null, to = null;

	function make(tag, text, parent) {
		const e = document.createElement(tag);

		if (text !== undefined)
			e.textContent = text;
		if (parent)
			parent.appendChild(e);
		return e;
	}

	function button(text, parent, act) {
		const e = make("button", text, parent);

		e.type = "button";
		e.addEventListener("click", act);
		return e;
	}

	// --- zoom and pan -----------------------------------------------------

	function show() {
		svg.setAttribute("viewBox", box.join(" "));
	}

	// A point of the window in the coordinates of the picture.
	function inside(x, y) {
		const m = svg.getScreenCTM().inverse();

		return [m.a * x + m.e, m.d * y + m.f];
	}

	function zoom(factor, x, y) {
		const least = whole[2] / 200;

		if (box[2] * factor < least || box[2] * factor > 2 * whole[2])
			return;
		box = [x - (x - box[0]) * factor, y - (y - box[1]) * factor,
		       box[2] * factor, box[3] * factor];
		show();
	}

	function zoomMiddle(factor) {
		zoom(factor, box[0] + box[2] / 2, box[1] + box[3] / 2);
	}

	function fit() {
		box = whole.slice();
		show();
	}

	svg.addEventListener("wheel", (e) => {
		e.preventDefault();
		zoom(e.deltaY < 0 ? 0.8 : 1.25, ...inside(e.clientX, e.clientY));
	}, { passive: false });

	let held = null, moved = false;
	svg.addEventListener("pointerdown", (e) => {
		held = inside(e.clientX, e.clientY);
		moved = false;
	});
	svg.addEventListener("pointermove", (e) => {
		if (!held || !e.buttons)
			return;
		const at = inside(e.clientX, e.clientY);

		moved = moved || Math.hypot(at[0] - held[0], at[1] - held[1]) >
			box[2] / 200;
		box[0] -= at[0] - held[0];
		box[1] -= at[1] - held[1];
		show();
	});
	window.addEventListener("pointerup", () => { held = null; });

	// --- marks on the picture ---------------------------------------------

	function unmark(name) {
		for (const e of svg.querySelectorAll("." + name))
			e.classList.remove(name);
	}

	function markSwitch(s, name) {
		for (const e of svg.querySelectorAll(`[data-s="${s}"] rect`))
			e.classList.add(name);
	}

	function markCable(a, b) {
		for (const e of svg.querySelectorAll(
			`[data-a="${a}"][data-b="${b}"],` +
			`[data-a="${b}"][data-b="${a}"]`))
			e.classList.add("way");
	}

	function centre(s) {
		const e = svg.querySelector(`[data-s="${s}"]`);

		if (!e)
			return;
		const r = e.getBoundingClientRect();
		const at = inside(r.x + r.width / 2, r.y + r.height / 2);

		if (box[2] < whole[2])
			box = [at[0] - box[2] / 2, at[1] - box[3] / 2,
			       box[2], box[3]];
		show();
	}

	// --- routes -----------------------------------------------------------

	// Ports of switches that a packet takes, or why there is no route.
	function trace(a, b) {
		const way = [];
		let s = data.hosts[a].s;

		for (let hops = 0; hops <= data.switches.length; hops++) {
			const port = lft[s * data.hosts.length + b];

			if (port === NO_PORT || port === 0)
				return { way: way, end: "no route from " +
					data.switches[s].n };
			const p = data.switches[s].p.find((q) => q[0] === port);

			if (!p)
				return { way: way, end: "no cable at port " +
					port + " of " + data.switches[s].n };
			way.push([s, p]);
			if (p[1])
				return { way: way, end: p[2] === b ? "" :
					"it ends at another host" };
			s = p[2];
		}
		return { way: way, end: "it goes in circles" };
	}

	function showRoute() {
		const r = trace(from, to), a = data.hosts[from],
			b = data.hosts[to];

		unmark("way");
		fit();
		panel.replaceChildren();
		make("h2", "Route", panel);
		make("p", a.n + " to " + b.n + ", LID " + b.l, panel);
		const list = make("ol", undefined, panel);

		list.id = "route";
		for (const [s, p] of r.way) {
			const item = make("li", undefined, list);

			link(item, data.switches[s].n, () => pickSwitch(s));
			item.append(", port " + p[0]);
			markSwitch(s, "way");
			if (!p[1])
				markCable(s, p[2]);
		}
		make("p", r.end || "It arrives over " + r.way.length +
			(r.way.length === 1 ? " switch." : " switches."), panel);
	}

	// --- what is picked ---------------------------------------------------

	function link(parent, text, act) {
		const e = button(text, parent, act);

		e.className = "link";
		return e;
	}

	function fact(list, name, value) {
		const d = make("div", undefined, list);

		make("dt", name, d);
		make("dd", value, d);
	}

	function facts(title, node) {
		panel.replaceChildren();
		make("h2", title, panel);
		const list = make("dl", undefined, panel);

		list.className = "facts";
		fact(list, "GUID", node.g);
		fact(list, "LID", node.l || "none");
		return list;
	}

	function pickHost(h) {
		const host = data.hosts[h], list = facts(host.n, host);

		unmark("picked");
		markSwitch(host.s, "picked");
		for (const e of svg.querySelectorAll(`[data-h="${h}"]`))
			e.classList.add("picked");
		fact(list, "Port", host.p);
		const p = make("p", "On ", panel);

		link(p, data.switches[host.s].n, () => pickSwitch(host.s));
		centre(host.s);
		if (!lft) {
			make("p", "Routes are left out of this page: the fabric is large.",
			     panel);
			return;
		}
		const q = make("p", undefined, panel);

		button("Route from here", q, () => choose("from", h));
		button("Route to here", q, () => choose("to", h));
		if (from !== null || to !== null)
			make("p", "The other end is " + data.hosts[
				from !== null ? from : to].n + ".", panel);
	}

	function choose(end, h) {
		if (end === "from")
			from = h;
		else
			to = h;
		if (from === null || to === null) {
			pickHost(h);
			return;
		}
		showRoute();
		from = to = null;
	}

	// LIDs of hosts that a switch sends out by each port.
	function routesBy(s) {
		const n = new Uint32Array(256), hosts = data.hosts.length;

		for (let h = 0; lft && h < hosts; h++)
			n[lft[s * hosts + h]]++;
		return n;
	}

	function pickSwitch(s) {
		const sw = data.switches[s], list = facts(sw.n, sw);
		const n = routesBy(s);

		unmark("picked");
		unmark("way");
		markSwitch(s, "picked");
		centre(s);
		fact(list, "Ports with cables", sw.p.length);
		const table = make("table", undefined, panel);
		const head = make("tr", undefined, make("thead", undefined,
							table));

		for (const t of ["Port", "Leads to", "Rate", "Load",
				 "Hosts by it"])
			make("th", t, head);
		const body = make("tbody", undefined, table);

		for (const p of sw.p) {
			const row = make("tr", undefined, body);
			const far = p[1] ? data.hosts[p[2]] :
				data.switches[p[2]];

			make("td", p[0], row);
			link(make("td", undefined, row), far.n + ":" + p[3],
			     () => (p[1] ? pickHost : pickSwitch)(p[2]));
			make("td", p[4], row);
			make("td", p[5] === null ? "" : p[5], row);
			make("td", lft ? n[p[0]] : "", row);
		}
	}

	svg.addEventListener("click", (e) => {
		const at = e.target.closest("[data-h],[data-s]");

		if (moved || !at)
			return;
		if (at.dataset.h !== undefined)
			pickHost(Number(at.dataset.h));
		else
			pickSwitch(Number(at.dataset.s));
	});

	// --- finding ----------------------------------------------------------

	function matches(node, text) {
		return node.n.toLowerCase().includes(text) ||
			node.g.includes(text) || String(node.l) === text;
	}

	function find(text) {
		const list = document.getElementById("found");
		let n = 0;

		list.replaceChildren();
		text = text.trim().toLowerCase();
		for (const [all, pick] of [[data.hosts, pickHost],
					   [data.switches, pickSwitch]])
			for (let i = 0; text && i < all.length; i++) {
				if (!matches(all[i], text) || n++ >= SHOWN)
					continue;
				link(make("li", undefined, list), all[i].n,
				     () => pick(i));
			}
		if (text && n > SHOWN)
			make("li", "and " + (n - SHOWN) + " more", list);
		if (text && !n)
			make("li", "nothing of that name, GUID or LID", list);
	}

	document.getElementById("find").addEventListener("input",
		(e) => find(e.target.value));
	document.getElementById("in").addEventListener("click",
		() => zoomMiddle(0.8));
	document.getElementById("out").addEventListener("click",
		() => zoomMiddle(1.25));
	document.getElementById("fit").addEventListener("click", fit);
})();
