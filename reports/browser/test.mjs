// The HTML report in a real browser: what a reader does with it, what a hostile IUT tries, how fast
// it opens. usage: node test.mjs SPILLWAY [FOLDER-FOR-SCREENSHOTS]
// Exit: 0 fine, 1 not, 77 there is no browser or nothing that drives it.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ATTACKS, big, damage, hostile, report, results, run } from './records.mjs';

const [spillway, shots] = process.argv.slice(2);
const browserFile = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const driver = await import('playwright-core').catch(() => null);
if (!browserFile || !driver) {
	console.log(`skipped: ${browserFile ? 'playwright-core (npm ci in reports/browser)' : 'Chromium'} is missing`);
	process.exit(77);
}

const OPEN_MS = 2000;
const SIZE_MAX = 20e6;
const CASES = 243;
const MESSAGES = 100000;

const folder = mkdtempSync(join(tmpdir(), 'spillway-html-'));
const browser = await driver.chromium.launch({ executablePath: browserFile,
	args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
let failed = 0;

async function test(name, body) {
	const began = Date.now();
	try {
		await body();
		console.log(`ok      ${name} (${Date.now() - began} ms)`);
	} catch (error) {
		failed++;
		console.log(`FAILED  ${name}\n${error.stack}`);
	}
}

// Runs body with a page of file; whatever the page complains about, or wants from elsewhere, fails.
async function open(file, body, options = {}, fragment = '') {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
	const page = await context.newPage();
	const complaints = [];
	page.setDefaultTimeout(20000);
	page.on('console', (message) => {
		if (['error', 'warning'].includes(message.type()))
			complaints.push(message.text());
	});
	page.on('pageerror', (error) => complaints.push(String(error)));
	page.on('dialog', (dialog) => {
		complaints.push(`dialog ${dialog.message()}`);
		dialog.dismiss();
	});
	page.on('request', (request) => {
		if (!/^(file|data|blob):/.test(request.url()))
			complaints.push(`request for ${request.url()}`);
	});
	try {
		await page.goto(pathToFileURL(file).href + fragment);
		await body(page);
		assert.deepEqual(complaints, []);
	} finally {
		await context.close();
	}
}

const fragmentOf = (id) => '#' + id.split('/').map(encodeURIComponent).join('/');
const rows = (page) => page.locator('#cases tbody tr[data-id]');
const shown = (page) => page.locator('#cases tbody tr[data-id]:visible');

async function openCase(page, id) {
	await page.goto(page.url().replace(/#.*/, '') + fragmentOf(id));
	await page.locator('#case h2', { hasText: id }).waitFor();
}

async function look(page, name) {
	if (shots)
		await page.screenshot({ path: join(shots, `${name}.png`) });
}

const small = join(folder, 'small');
const smallFile = join(folder, 'small.html');
run(spillway, small, 'TP/N1/AMF/EXEMPT/*', 'TP/N2/AMF/FMT/*', '--should', 'fail', '--fault', 'amf-rejects-paging-response');
assert.equal(report(spillway, small, smallFile).status, 0);
const timers = join(folder, 'timers');
const timersFile = join(folder, 'timers.html');
run(spillway, timers, 'TP/N1/UE/START/02');
assert.equal(report(spillway, timers, timersFile).status, 0);
const finished = results(small);
const bad = finished.find((result) => result.verdict === 'fail');
assert.ok(bad, 'the fault is noticed');

await test('the first view says what was run, and what came of it', () => open(smallFile, async (page) => {
	const text = await page.locator('main').innerText();
	const record = JSON.parse(readFileSync(join(small, 'run.json'), 'utf8'));
	assert.ok(text.includes(record.started.slice(0, 10)), 'the date');
	assert.ok(text.includes(record.version) && text.includes(record.iut) && text.includes(record.profile));
	assert.equal(await page.locator('h1').count(), 1);
	assert.equal(await rows(page).count(), finished.length);
	assert.ok(await page.locator('#coverage tbody tr').count() > 20, 'the catalogue');
	assert.match(await page.locator('#coverage').innerText(), /not tested/i);
	await look(page, 'first-1280');
}));

await test('it reads without scripts', () => open(smallFile, async (page) => {
	assert.equal(await rows(page).count(), finished.length);
	assert.ok((await page.locator('main').innerText()).includes(bad.reason));
}, { javaScriptEnabled: false }));

await test('cases are filtered by verdict, clause and text', () => open(smallFile, async (page) => {
	const failures = finished.filter((result) => result.verdict === 'fail');
	await page.selectOption('#filter-verdict', 'fail');
	assert.equal(await shown(page).count(), failures.length);
	for (const row of await shown(page).all())
		assert.equal(await row.getAttribute('data-verdict'), 'fail');
	assert.match(await page.locator('#filter-count').innerText(), new RegExp(`\\b${failures.length}\\b`));
	await page.selectOption('#filter-verdict', '');
	await page.fill('#filter-text', 'exempt/10');
	assert.equal(await shown(page).count(), 1);
	await page.fill('#filter-text', 'no case holds this');
	assert.equal(await shown(page).count(), 0);
	await page.fill('#filter-text', '');
	const clause = page.locator('#filter-clause');
	if (await clause.evaluate((element) => element.tagName) === 'SELECT')
		await clause.selectOption({ index: 1 });
	else
		await clause.fill(bad.clause);
	const count = await shown(page).count();
	assert.ok(count > 0 && count < finished.length);
}));

await test('a case has its story, its ladder, and each message field by field', () => open(smallFile, async (page) => {
	await page.locator(`#cases a[href="${fragmentOf(bad.id)}"]`).first().click();
	const article = page.locator('#case');
	await article.locator('h2', { hasText: bad.id }).waitFor();
	await article.locator('svg.ladder .message').first().waitFor();
	const text = await article.innerText();
	for (const part of [bad.purpose, bad.clause, bad.reason, bad.repro])
		assert.ok(text.includes(part), part);
	const messages = article.locator('svg.ladder .message');
	await look(page, 'case-1280');
	await messages.and(page.locator('[aria-label*="ngap"]')).last().click();
	await page.locator('#message').waitFor();
	const fields = await page.locator('#message').innerText();
	assert.match(fields, /cause|NGAP|identity/i);
	assert.match(fields, /\b[0-9a-f]{2}( [0-9a-f]{2})+/, 'its octets');
	await look(page, 'message-1280');
	await messages.first().focus();
	await page.keyboard.press('Enter');
	await page.waitForFunction((before) => document.querySelector('#message').innerText !== before, fields);
}));

await test('timers stand on the ladder, from their beginning to their end', () => open(timersFile, async (page) => {
	await openCase(page, 'TP/N1/UE/START/02');
	const given = page.locator('svg.ladder .message[aria-label*="T3346 given"]');
	await given.first().waitFor();
	const silence = page.locator('svg.ladder .message[aria-label*="silence started"]').first();
	const place = (locator) => locator.locator('circle').evaluate((circle) => [circle.cx.baseVal.value, circle.cy.baseVal.value]);
	const [x, y] = await place(silence);
	assert.equal(x, (await place(given.first()))[0], 'both in the lane of the UE');
	const spans = await page.locator('svg.ladder .spans line').evaluateAll((lines) =>
		lines.map((line) => [line.x1.baseVal.value, line.y1.baseVal.value, line.y2.baseVal.value]));
	assert.ok(spans.some((span) => span[0] === x && span[1] === y && span[2] > y), 'the silence has a length');
	await given.first().click();
	assert.match(await page.locator('#message').innerText(), /T3346 of ue1/);
	await look(page, 'timers-1280');
}));

await test('a link opens the case at once', () => open(smallFile, async (page) => {
	await page.locator('#case h2', { hasText: bad.id }).waitFor();
}, {}, fragmentOf(bad.id)));

await test('it is usable with keyboard and screen reader', () => open(smallFile, async (page) => {
	await openCase(page, bad.id);
	const faults = await page.evaluate(() => {
		const list = [];
		if (!document.documentElement.lang)
			list.push('no language');
		for (const input of document.querySelectorAll('input, select, button'))
			if (!input.labels?.length && !input.getAttribute('aria-label') && !input.textContent.trim())
				list.push(`no label: ${input.outerHTML.slice(0, 80)}`);
		let last = 0;
		for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5')) {
			const level = Number(heading.tagName[1]);
			if (level > last + 1)
				list.push(`a level left out: ${heading.textContent.slice(0, 40)}`);
			last = level;
		}
		for (const svg of document.querySelectorAll('svg'))
			if (!svg.getAttribute('aria-label') && !svg.querySelector('title') && svg.getAttribute('aria-hidden') !== 'true')
				list.push('a drawing without a name');
		for (const table of document.querySelectorAll('table'))
			if (!table.querySelector('th'))
				list.push(`a table without headings: ${table.id}`);
		if (!document.querySelector('main'))
			list.push('no main');
		return list;
	});
	assert.deepEqual(faults, []);
	await page.keyboard.press('Tab');
	assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY');
}));

for (const colorScheme of ['light', 'dark']) {
	for (const width of [400, 1280]) {
		await test(`nothing sticks out at ${width} pixels, ${colorScheme}`, () => open(smallFile, async (page) => {
			const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert.ok(await wide() <= 0, 'first view');
			await look(page, `first-${width}-${colorScheme}`);
			await openCase(page, bad.id);
			await page.locator('svg.ladder .message').first().waitFor();
			assert.ok(await wide() <= 0, 'case');
			await look(page, `case-${width}-${colorScheme}`);
			const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor
				.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) > 382);
			assert.equal(light, colorScheme === 'light');
		}, { colorScheme, viewport: { width, height: 900 } }));
	}
}

await test('it prints', () => open(smallFile, async (page) => {
	const pdf = await page.pdf({ format: 'A4' });
	assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
	assert.ok(pdf.length > 10000);
	await openCase(page, bad.id);
	assert.ok((await page.pdf({ format: 'A4' })).length > 10000);
}));

await test('a hostile IUT gets no script to run, and hides nothing', async () => {
	const dir = join(folder, 'hostile');
	const file = join(folder, 'hostile.html');
	hostile(dir);
	report(spillway, dir, file);
	const source = readFileSync(file, 'utf8');
	assert.doesNotMatch(source, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
	assert.match(source, /Content-Security-Policy/);
	await open(file, async (page) => {
		const ids = await rows(page).evaluateAll((list) => list.map((row) => row.dataset.id));
		assert.ok(ids.length >= ATTACKS.length);
		for (const link of await page.locator('#cases a[href^="#"]').all()) {
			await link.evaluate((element) => element.click());
			await page.waitForFunction(() => document.querySelector('#case').dataset.shows ===
				decodeURIComponent(location.hash.slice(1)));
			for (const message of (await page.locator('svg.ladder .message').all()).slice(0, 4))
				await message.evaluate((element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true })));
			assert.equal(await page.evaluate(() => window.pwned), undefined);
		}
		assert.equal(await page.locator('img, iframe, object, embed, form, [onload], [onerror]').count(), 0);
		assert.equal(await page.locator('a[href^="javascript"]').count(), 0);
		assert.ok((await page.locator('body').innerText()).includes('<img src=x'), 'it stands there as text');
		await look(page, 'hostile');
	});
});

await test('a damaged record gives what is there, and says what is missing', async () => {
	for (const { dir, words } of damage(small, folder)) {
		const file = `${dir}.html`;
		const { status } = report(spillway, dir, file);
		assert.ok(status === 0 || status === 2, `${dir}: ${status}`);
		await open(file, async (page) => {
			assert.ok(await rows(page).count() >= finished.length - 1);
			for (const result of finished.slice(0, 3))
				await openCase(page, result.id);
			assert.match(await page.locator('body').innerText(), words, dir);
		});
	}
});

await test(`${CASES} cases with ${MESSAGES} messages open in ${OPEN_MS} ms`, async () => {
	const from = join(folder, 'from');
	const dir = join(folder, 'big');
	const file = join(folder, 'big.html');
	run(spillway, from, 'TP/N1/AMF/EXEMPT/*', 'TP/N2/AMF/SEQ/*', 'TP/N4/UP/FMT/*', 'TP/SBI/SRV/ST/*');
	big(dir, from, CASES, MESSAGES);
	const began = Date.now();
	report(spillway, dir, file);
	const size = statSync(file).size;
	console.log(`        written in ${Date.now() - began} ms, ${(size / 1e6).toFixed(1)} MB`);
	assert.ok(size < SIZE_MAX, `${size} octets`);
	const context = await browser.newContext();
	const page = await context.newPage();
	const start = Date.now();
	await page.goto(pathToFileURL(file).href);
	await shown(page).nth(CASES - 1).waitFor();
	const opened = Date.now() - start;
	await page.evaluate((fragment) => { location.hash = fragment; }, fragmentOf('TP/N1/BIG/007'));
	await page.locator('#case svg.ladder .message').first().waitFor();
	console.log(`        opened in ${opened} ms, a case in ${Date.now() - start - opened} ms`);
	assert.ok(opened < OPEN_MS, `${opened} ms`);
	await context.close();
});

await browser.close();
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
