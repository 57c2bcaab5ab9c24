/* The report's reader: filters, and a case's page unpacked when it is asked for. Text of the record is
 * only ever set as text. */
'use strict';
(() => {
	const PAGE = 400; // messages of a ladder that are drawn at a time
	const ROW = 22, TIME = 84, LANE = 74;
	const SVG = 'http://www.w3.org/2000/svg';
	const find = (id) => document.getElementById(id);
	const rows = [...document.querySelectorAll('#cases tbody tr')];
	const byKey = new Map(rows.map((row) => [row.dataset.key, row]));
	const texts = rows.map((row) => row.textContent.toLowerCase());

	document.documentElement.classList.add('js');

	function element(name, attributes, ...children) {
		const made = document.createElement(name);
		for (const [key, value] of Object.entries(attributes || {}))
			made.setAttribute(key, value);
		made.append(...children.filter((child) => child !== null && child !== undefined));
		return made;
	}

	function drawn(name, attributes, ...children) {
		const made = document.createElementNS(SVG, name);
		for (const [key, value] of Object.entries(attributes || {}))
			made.setAttribute(key, value);
		made.append(...children);
		return made;
	}

	/* --- filters --- */

	function filter() {
		const verdict = find('filter-verdict').value, clause = find('filter-clause').value;
		const words = find('filter-text').value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		rows.forEach((row, i) => {
			const fits = (!verdict || row.dataset.verdict === verdict ||
					(verdict === 'warning' && row.dataset.warnings !== '0')) &&
				(!clause || row.dataset.spec === clause) && words.every((word) => texts[i].includes(word));
			row.hidden = !fits;
			shown += fits;
		});
		find('filter-count').textContent = `${shown} of ${rows.length} cases`;
	}

	for (const id of ['filter-verdict', 'filter-clause', 'filter-text'])
		find(id).addEventListener('input', filter);
	filter();

	/* --- a case --- */

	async function unpack(base64) {
		const packed = Uint8Array.from(atob(base64.replace(/\s/g, '')), (c) => c.charCodeAt(0));
		const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
		return JSON.parse(await new Response(stream).text());
	}

	const seconds = (us) => (us / 1e6).toFixed(6);

	/* Long text scrolls in a box of its own, which is also laid out in no time. */
	const boxed = (text) => text.length > 1000 ? element('pre', { tabindex: '0' }, text) : text;

	function facts(pairs) {
		const list = element('dl');
		for (const [name, value] of pairs)
			if (value !== undefined && value !== null && value !== '')
				list.append(element('dt', {}, name), element('dd', {}, typeof value === 'string' ? boxed(value) : value));
		return list;
	}

	function dump(hex) {
		const lines = [];
		for (let at = 0; at < hex.length; at += 32) {
			const octets = hex.slice(at, at + 32).match(/../g);
			const text = octets.map((octet) => {
				const code = parseInt(octet, 16);
				return code > 31 && code < 127 ? String.fromCharCode(code) : '.';
			}).join('');
			lines.push(`${(at / 2).toString(16).padStart(4, '0')}  ${octets.join(' ').padEnd(47)}  ${text}`);
		}
		return lines.join('\n');
	}

	/* "ue" of "ue12"; a name may be of any length */
	function kindOf(link) {
		let end = link.length;
		while (end > 0 && link[end - 1] >= '0' && link[end - 1] <= '9')
			end--;
		return link.slice(0, end);
	}

	/* A share on the line from 0 to 100 %: what is allowed, what was stated, what was found. */
	function plot(figure) {
		const W = 420, L = 10, x = (share) => (L + share * (W - 2 * L)).toFixed(1);
		const found = figure.offered ? figure.sent / figure.offered : 0;
		const from = Math.max(0, figure.stated - figure.tolerance), to = Math.min(1, figure.stated + figure.tolerance);
		const percent = (share) => `${(100 * share).toFixed(1)} %`;
		const text = `${figure.what}: offered ${figure.offered}, sent ${figure.sent} (${percent(found)}, interval ` +
			`${percent(figure.low)} to ${percent(figure.high)}); stated ${percent(figure.stated)}, within ${percent(from)} to ${percent(to)}`;
		const svg = drawn('svg', { class: 'plot', viewBox: `0 0 ${W} 44`, width: W, height: 44, role: 'img', 'aria-label': text },
			drawn('line', { class: 'lane', x1: x(0), x2: x(1), y1: 20, y2: 20 }),
			drawn('rect', { class: 'allowed', x: x(from), y: 10, width: (x(to) - x(from)).toFixed(1), height: 20 }),
			drawn('line', { class: 'stated', x1: x(figure.stated), x2: x(figure.stated), y1: 6, y2: 34 }),
			drawn('line', { class: 'found', x1: x(figure.low), x2: x(figure.high), y1: 20, y2: 20 }),
			drawn('circle', { class: 'found', cx: x(found), cy: 20, r: 4 }));
		for (const share of [0, 0.25, 0.5, 0.75, 1])
			svg.append(drawn('text', { class: 'soft', x: x(share), y: 43, 'text-anchor': share === 0 ? 'start' : share === 1 ? 'end' : 'middle' },
				`${100 * share} %`));
		return element('figure', {}, svg, element('figcaption', {}, text));
	}

	/* Many elements of a kind (ue1 ... ue200) share a lane; each of a few has its own. */
	function lanesOf(events) {
		const kinds = new Map();
		/* whose timers are nobody's stands outside, on the left */
		if (events.some((event) => event.owner === 'tester'))
			kinds.set('tester', new Set(['tester']));
		for (const event of events) {
			const link = event.link || event.owner;
			if (link) {
				const kind = kindOf(link);
				if (!kinds.has(kind))
					kinds.set(kind, new Set());
				kinds.get(kind).add(link);
			}
		}
		const lane = new Map(), names = [];
		for (const [kind, links] of kinds) {
			const alone = links.size <= 4;
			if (!alone)
				names.push(`${kind}*`);
			for (const link of links) {
				if (alone)
					names.push(link);
				lane.set(link, names.length - 1);
			}
		}
		names.push('IUT');
		return { lane, names };
	}

	/* Row at which a timer ends: its own end, or the first event at or after it; page.length if none is. */
	function endOf(page, i) {
		const timer = page[i], end = timer.t + timer.us;
		for (let k = i + 1; k < page.length; k++) {
			const other = page[k];
			if (other.kind === 'timer' && other.owner === timer.owner && other.timer === timer.timer)
				return k;
			if (other.t >= end)
				return k;
		}
		return page.length;
	}

	/* In the lane of whom it belongs to: what begins reaches down to its end, what ended has a stop. */
	function timerMark(page, i, x, middle, spans) {
		const begins = page[i].what === 'given' || page[i].what === 'started';
		if (!begins)
			return drawn('line', { class: 'p-timer', x1: x - 6, x2: x + 6, y1: middle, y2: middle });
		spans.append(drawn('line', { class: 'p-timer', x1: x, x2: x, y1: middle, y2: middle + (endOf(page, i) - i) * ROW }));
		return drawn('circle', { class: 'p-timer', cx: x, cy: middle, r: 4 });
	}

	function describe(event) {
		if (event.kind === 'message')
			return `${event.link} ${event.sent ? 'to' : 'from'} the IUT, ${event.proto}: ${event.summary}`;
		return `${event.kind}: ${event.summary}`;
	}

	function show(event, panel) {
		panel.replaceChildren(element('h3', {}, event.summary.slice(0, 300) || event.kind));
		panel.append(facts([['time', `${seconds(event.t)} s`],
			['direction', event.kind === 'message' ? `${event.link} ${event.sent ? '\u2192' : '\u2190'} IUT` : ''],
			['protocol', event.proto], ['addresses', event.address],
			['timer', event.kind === 'timer' ? `${event.timer} of ${event.owner}` : ''],
			['in one line', event.summary]]));
		if (event.fields)
			panel.append(element('h4', {}, 'Fields'), element('pre', { tabindex: '0' }, event.fields));
		if (event.hex)
			panel.append(element('h4', {}, `${event.hex.length / 2} octets`),
				element('pre', { tabindex: '0' }, dump(event.hex)));
	}

	function ladder(events, from, lanes, panel) {
		const page = events.slice(from, from + PAGE);
		const right = TIME + lanes.names.length * LANE, width = right + 900;
		const x = (lane) => TIME + lane * LANE + LANE / 2;
		const iut = lanes.names.length - 1;
		const svg = drawn('svg', { class: 'ladder', width, height: (page.length + 2) * ROW,
			role: 'group', 'aria-label': `Message ladder, ${page.length} events` });
		lanes.names.forEach((name, lane) => {
			svg.append(drawn('line', { class: 'lane', x1: x(lane), x2: x(lane), y1: ROW, y2: (page.length + 2) * ROW }),
				drawn('text', { class: 'soft', x: x(lane), y: ROW - 6, 'text-anchor': 'middle' },
					name.length > 10 ? `${name.slice(0, 9)}\u2026` : name));
		});
		let last = null;
		const spans = drawn('g', { class: 'spans' });
		svg.append(spans);
		page.forEach((event, i) => {
			const y = (i + 1) * ROW, middle = y + ROW / 2;
			const proto = event.kind === 'message' ? event.proto : event.kind === 'timer' ? 'timer' : 'control';
			const g = drawn('g', { class: 'message', role: 'button', tabindex: '0',
				'aria-label': `${seconds(event.t)} s, ${describe(event)}`.slice(0, 400) });
			g.append(drawn('rect', { class: 'hit', x: 0, y, width, height: ROW }));
			g.append(drawn('text', { class: 'soft', x: TIME - 6, y: middle + 4, 'text-anchor': 'end' },
				last !== null && event.t - last >= 1e6 ? `+${((event.t - last) / 1e6).toFixed(1)} s` : (event.t / 1e6).toFixed(3)));
			last = event.t;
			if (event.kind === 'message') {
				const tester = x(lanes.lane.get(event.link)), there = x(iut);
				const [x1, x2] = event.sent ? [tester, there] : [there, tester];
				const back = x2 > x1 ? -7 : 7;
				g.append(drawn('line', { class: `p-${proto}`, x1, x2, y1: middle, y2: middle }),
					drawn('path', { class: `p-${proto}`, d: `M${x2} ${middle}l${back} -4v8z` }));
			} else if (event.kind === 'timer') {
				g.append(timerMark(page, i, x(lanes.lane.get(event.owner) ?? 0), middle, spans));
			} else {
				g.append(drawn('line', { class: 'p-control', x1: TIME, x2: right, y1: middle, y2: middle,
					'stroke-dasharray': '3 3' }));
			}
			g.append(drawn('text', { class: `p-${proto}`, x: right + 6, y: middle + 4 },
				`${event.kind === 'message' ? `${event.proto}  ` : `${event.kind}  `}${event.summary}`.slice(0, 120)));
			const choose = () => {
				svg.querySelector('.chosen')?.classList.remove('chosen');
				g.classList.add('chosen');
				show(event, panel);
			};
			g.addEventListener('click', choose);
			g.addEventListener('keydown', (key) => {
				const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[key.key];
				if (step) {
					g[step]?.focus?.();
					key.preventDefault();
				} else if (key.key === 'Enter' || key.key === ' ') {
					choose();
					key.preventDefault();
				}
			});
			svg.append(g);
		});
		return svg;
	}

	function messages(data, article) {
		const events = data.events;
		const panel = element('section', { id: 'message', 'aria-live': 'polite', 'aria-label': 'The message chosen' });
		article.append(element('h3', {}, `Messages, control actions, timers, verdicts: ${events.length}`));
		for (const remark of data.remarks)
			article.append(element('p', { class: 'notice' }, remark));
		if (events.length === 0)
			return;
		const lanes = lanesOf(events);
		const box = element('div', { class: 'ladder-box' });
		const place = element('span', { 'aria-live': 'polite' });
		const earlier = element('button', { type: 'button' }, 'Earlier');
		const later = element('button', { type: 'button' }, 'Later');
		let from = 0;
		const draw = () => {
			box.replaceChildren(ladder(events, from, lanes, panel));
			box.scrollTop = 0;
			place.textContent = `${from + 1} to ${Math.min(from + PAGE, events.length)} of ${events.length}`;
			earlier.disabled = from === 0;
			later.disabled = from + PAGE >= events.length;
		};
		earlier.addEventListener('click', () => { from -= PAGE; draw(); });
		later.addEventListener('click', () => { from += PAGE; draw(); });
		if (events.length > PAGE) {
			/* what decides stands at the end */
			from = data.verdict === 'pass' ? 0 : Math.floor((events.length - 1) / PAGE) * PAGE;
			article.append(element('div', { class: 'pages' }, earlier, place, later));
		}
		draw();
		article.append(element('p', {}, 'Choose a message to see its fields and octets; the arrow keys go from one to the next.'),
			box, panel);
	}

	async function open(key) {
		const row = byKey.get(key);
		const article = find('case');
		if (!row) {
			article.hidden = true;
			return;
		}
		article.hidden = false;
		delete article.dataset.shows;
		article.replaceChildren(element('h2', {}, element('span', { class: `verdict ${row.dataset.verdict}` },
			row.dataset.verdict), ' ', row.dataset.key));
		let data;
		try {
			data = await unpack(find(row.dataset.pack).textContent);
		} catch (error) {
			article.append(element('p', { class: 'notice' },
				`This browser cannot unpack the case (${error.message}); it needs DecompressionStream.`));
			return;
		}
		if (decodeURIComponent(location.hash.slice(1)) !== key)
			return;
		article.append(facts([['purpose', data.purpose], ['clause', data.clause],
			['requirement', data.requirement && `${data.requirement} (${data.strength || '?'})`],
			['stimulus', data.stimulus], ['expected', data.expectation],
			['reason', data.reason || (data.verdict === 'pass' ? 'as expected' : '')],
			['baseline', data.baseline], ['time', `${data.iut_ms} ms of the IUT, ${data.wall_ms} ms of the rig`],
			['repeat', element('code', {}, boxed(data.repro || ''))], ['evidence', data.evidence]]));
		for (const [title, lines] of [['Warnings', data.warnings], ['Figures and observations', data.notes]])
			if (lines.length)
				article.append(element('h3', {}, title), element('ul', {}, ...lines.map((line) => element('li', {}, boxed(line)))));
		if (data.figures.length)
			article.append(element('h3', {}, 'Shares'), ...data.figures.map(plot));
		if (data.detail)
			article.append(element('h3', {}, 'Expected and received'), element('pre', { tabindex: '0' }, data.detail));
		messages(data, article);
		if (data.filters.length) {
			const list = element('dl');
			for (const [finds, text] of data.filters)
				list.append(element('dt', {}, finds), element('dd', {}, element('code', {}, text)));
			article.append(element('h3', {}, 'Display filters of Wireshark for trace.pcapng'), list);
		}
		if (data.log)
			article.append(element('h3', {}, 'Log'), element('pre', { tabindex: '0' }, data.log));
		article.dataset.shows = key;
		article.focus({ preventScroll: true });
		article.scrollIntoView();
	}

	function follow() {
		let key = location.hash.slice(1);
		try {
			key = decodeURIComponent(key);
		} catch { /* as it stands */ }
		open(key);
	}

	addEventListener('hashchange', follow);
	if (location.hash)
		follow();
})();
