// Run records for the browser's test: one of real size, one of an IUT that attacks whoever reads the
// report, and damaged ones. What a real record looks like says design/cli.md.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, truncateSync,
	writeFileSync } from 'node:fs';
import { join } from 'node:path';

// A run of the suites on a reference IUT; it may fail, and says so by its status.
export function run(spillway, out, ...args) {
	try {
		execFileSync(spillway, ['run', ...args, '--out', out], { stdio: 'ignore' });
	} catch (error) {
		if (error.status !== 1)
			throw error;
	}
}

export function report(spillway, dir, file) {
	try {
		execFileSync(spillway, ['report', dir, '--format', 'html', '-o', file],
			{ stdio: ['ignore', 'ignore', 'pipe'] });
		return { status: 0, said: '' };
	} catch (error) {
		return { status: error.status, said: String(error.stderr) };
	}
}

export function results(dir) {
	return readFileSync(join(dir, 'results.jsonl'), 'utf8').split('\n').filter(Boolean).map(JSON.parse);
}

function write(dir, run, list) {
	mkdirSync(dir, { recursive: true });
	writeFileSync(join(dir, 'run.json'), JSON.stringify(run));
	writeFileSync(join(dir, 'results.jsonl'), list.map((r) => JSON.stringify(r) + '\n').join(''));
}

function evidence(dir, id, events, log) {
	const folder = join(dir, 'cases', id);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'events.jsonl'), events);
	writeFileSync(join(folder, 'log.txt'), log);
}

// Cases enough with messages as a real run has them: those of dir, again and again.
export function big(dir, from, cases, messages) {
	const pool = [];
	for (const result of results(from)) {
		const lines = readFileSync(join(from, result.evidence, 'events.jsonl'), 'utf8').split('\n');
		pool.push(...lines.filter((line) => line.includes('"kind":"message"')));
	}
	const run = JSON.parse(readFileSync(join(from, 'run.json'), 'utf8'));
	const list = [];
	const each = Math.ceil(messages / cases);
	run.cases = { 'n1-congestion': [] };
	for (let i = 0; i < cases; i++) {
		const id = `TP/N1/BIG/${String(i).padStart(3, '0')}`;
		const lines = [];
		for (let k = 0; k < each; k++)
			lines.push(pool[(i * 7919 + k) % pool.length].replace(/"t_us":\d+/, `"t_us":${k * 1000}`));
		evidence(dir, id, lines.join('\n') + '\n', 'log\n'.repeat(100));
		run.cases['n1-congestion'].push(id);
		list.push({ id, verdict: i % 10 ? 'pass' : 'fail', reason: i % 10 ? '' : 'silence where an answer is due',
			warnings: [], requirement: 'N1-A-06', clause: '24.501 5.3.9 e', seed: 1, iut_ms: each, wall_ms: 2,
			repro: `spillway run ${id} --seed 1`, suite: 'n1-congestion', role: 'amf', strength: 'should',
			purpose: 'A case of a large run', repetition: 1, evidence: `cases/${id}` });
	}
	run.counts = { selected: cases, finished: cases };
	write(dir, run, list);
}

export const ATTACKS = [
	'<img src=x onerror="window.pwned=1">',
	'</script><script>window.pwned=2</script>',
	'"><svg/onload=window.pwned=3>',
	"'-alert(1)-' onmouseover='window.pwned=4'",
	'</title></style></textarea><iframe srcdoc="<script>parent.pwned=5</script>">',
	'javascript:window.pwned=6',
	'\u202egpj.exe\u2066\u0001\u001b[2J\u0085\u2028\u200f',
	'<!--<script>', ']]>', '&lt;b&gt;',
	'A'.repeat(60000),
];

// Every string of it attacks; the octets of messages are nonsense.
export function hostile(dir) {
	const list = [];
	const cases = { 'n1-congestion': [] };
	ATTACKS.forEach((attack, i) => {
		const id = `TP/N1/HOSTILE/${i}`;
		const event = { t_us: 5, kind: 'message', link: attack, dir: 'received', proto: i % 2 ? 'ngap' : attack,
			summary: attack, hex: 'ffee3c7363726970743e', stream: 1, ppid: 60, local: attack, peer: attack };
		const lines = [event, { ...event, proto: 'nas', hex: '7e00ff3c' }, { ...event, proto: 'pfcp', hex: '2034' },
			{ ...event, proto: 'http2', hex: Buffer.from(attack).toString('hex') || '00' },
			{ t_us: 6, kind: 'control', action: attack, outcome: attack },
			{ t_us: 7, kind: 'timer', owner: attack, timer: attack, what: attack, us: 5 },
			{ t_us: 8, kind: 'verdict', verdict: attack, reason: attack },
			{ t_us: -1e300, kind: attack }, { t_us: attack, kind: 'message' }, { t_us: 9e15, kind: 'message', hex: 'zz' }];
		// A JSON reader in C may refuse the character NUL: it costs that line alone.
		lines.push({ ...event, summary: 'a\u0000b' });
		evidence(dir, id, lines.map((line) => JSON.stringify(line) + '\n').join(''), `${attack}\n`);
		cases['n1-congestion'].push(id);
		list.push({ id, verdict: 'fail', reason: attack, warnings: [attack], requirement: attack, clause: attack, seed: 1,
			iut_ms: 1, wall_ms: 1, repro: attack, suite: 'n1-congestion', role: attack, strength: attack,
			purpose: attack, repetition: 1, notes: [attack], detail: attack, ladder: attack, evidence: `cases/${id}` });
	});
	list.push({ ...list[0], id: 'TP/<b>' + ATTACKS[1] + ATTACKS[6], evidence: '../../../../etc' });
	list.push({ ...list[0], id: '__proto__', evidence: 'cases/TP/N1/HOSTILE/0' });
	write(dir, { version: ATTACKS[0], profile: ATTACKS[1], iut: ATTACKS[2], host: ATTACKS[6], role: ATTACKS[4], mode: ATTACKS[3],
		started: ATTACKS[5], ended: ATTACKS[0], seed: 1, globs: ATTACKS, cases, not_put_back: ATTACKS[0],
		counts: { selected: list.length } }, list);
}

function files(dir, name) {
	return readdirSync(dir, { recursive: true }).filter((file) => file.endsWith(name)).map((file) => join(dir, file)).sort();
}

// Damaged copies of a record: what each is, and the words that a report of it has to hold.
export function damage(from, into) {
	const copy = (name) => {
		const dir = join(into, name);
		cpSync(from, dir, { recursive: true });
		return dir;
	};
	const killed = copy('killed');
	const half = files(killed, 'events.jsonl')[0];
	truncateSync(half, Math.floor(statSync(half).size / 2));
	const journal = join(killed, 'results.jsonl');
	truncateSync(journal, statSync(journal).size - 40);
	writeFileSync(join(killed, 'run.json'), JSON.stringify({
		...JSON.parse(readFileSync(join(killed, 'run.json'), 'utf8')), ended: null }));

	const missing = copy('missing');
	rmSync(join(missing, results(missing)[0].evidence), { recursive: true });

	const nonsense = copy('nonsense');
	appendFileSync(files(nonsense, 'events.jsonl')[0], 'this is no JSON\n{"t_us":\n[]\n7\n');
	appendFileSync(join(nonsense, 'results.jsonl'), 'nor is this\n');

	const newer = copy('newer');
	const run = JSON.parse(readFileSync(join(newer, 'run.json'), 'utf8'));
	writeFileSync(join(newer, 'run.json'), JSON.stringify({ ...run, record_version: 99, novel: { a: [1] } }));
	appendFileSync(files(newer, 'events.jsonl')[0], '{"t_us":9,"kind":"novelty","what":"x"}\n');

	return [
		{ dir: killed, words: /not run|killed|cut off|incomplete/i },
		{ dir: missing, words: /missing|not there|no evidence/i },
		{ dir: nonsense, words: /passed over|not JSON|no JSON|torn/i },
		{ dir: newer, words: /newer/i },
	];
}
