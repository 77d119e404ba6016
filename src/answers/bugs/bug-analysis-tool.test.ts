import { afterAll, beforeAll, expect, test } from 'vitest';
import { allOperations } from '../../testing/all-operations.ts';
import { openSearchBench, type SearchBench } from '../../testing/search.ts';
import type { Hypothesis, SimilarFix, Suspect, SuspectCommit } from './analysis.ts';

const QUEUE = `/** Holds mails until they can be delivered. */
export class MailQueue {
  retryAfter = 0;

  /** Sends all that waits. */
  flush(limit: number): number {
    if (limit < 0) throw new Error('cannot flush a queue with a negative limit');
    return limit - this.retryAfter;
  }
}
`;
const COUNTER = 'setTimeout(() => {\n  throw new Error("late");\n}, 7);\n';
const FILES = {
  'src/counter.js': COUNTER,
  'src/mail/queue.ts': QUEUE,
  'src/mail/address.ts': `/** Whether a text is an address of a customer. */
export function isAddress(text: string): boolean {
  return text.includes('@');
}
`,
  'src/orders/order.ts': `import { MailQueue } from '../mail/queue.ts';

/** Tells a customer that an order is on its way. */
export function confirmOrder(): number {
  return new MailQueue().flush(3);
}
`,
  'docs/queue.md': '# MailQueue\n\nThe queue of mails is flushed: retryAfter says when.\n',
  // What is built out of the sources, and what declares them.
  'dist/stickers.js': `export class StickerSheet {
  printLabels(labels) {
    return labels.map((label) => label.text);
  }
}
`,
  'types/stickers.d.ts': `export class StickerSheet {
  labelCount: number;
  printLabels(labels: { text: string }[]): string[];
}
`,
  'src/stickers.js': `import { confirmOrder } from './orders/order.ts';

export const exported = ['StickerSheet'];
export class StickerSheet {
  printLabels(labels) {
    return labels.map((label) => label.text.slice(confirmOrder()));
  }
}
`,
  'test/stickers.test.js': `import * as stickers from '../src/stickers.js';

test('labels', () => new stickers[stickers.exported[0]]().printLabels([]));
`,
  'test/queue.test.ts': `import { MailQueue } from '../src/mail/queue.ts';

test('flush', () => new MailQueue().flush(1));
`,
};

let bench: SearchBench;

beforeAll(async () => {
  bench = await openSearchBench();
  bench.repository.commit({ files: FILES, message: 'feat: send mails', author: 'Ada Stone <ada@example.org>' });
  bench.repository.git('tag', 'shop@1.4.0');
  bench.repository.commit({
    files: { 'src/counter.js': `exports.begin = () => 1;\n\nexports.end = () => 2;\n\n${COUNTER}` },
    message: 'chore: begin',
  });
  bench.repository.commit({
    files: { 'src/mail/address.ts': FILES['src/mail/address.ts'].replace("'@'", "'@', 1") },
    message: 'fix: refuse parcels without an address',
  });
  bench.repository.git('tag', 'v1');
  await bench.commitAndIndex({
    files: { 'src/mail/queue.ts': QUEUE.replace('limit - this', 'limit + this') },
    message: 'perf: count retries up',
    author: 'Ben Hill <ben@example.org>',
  });
});
afterAll(() => bench.close());

interface Answered {
  parsed: { error?: { type: string }; frames: unknown[]; symbols: string[] };
  suspects: Suspect[];
  suspect_commits: SuspectCommit[];
  hypotheses: Hypothesis[];
  similar_fixes: SimilarFix[];
  plan: { steps: string[]; tests_to_add: string[]; impact: { affected: number; tests: string[] } };
  coverage: { own_frames: number; gaps: string[] };
  run: { id: string; state: string; pct: number };
}

async function analyse(report: string, more: Record<string, unknown> = {}): Promise<{ text: string; json: Answered }> {
  const tool = allOperations(bench).find(({ name }) => name === 'run_bugAnalysisWorkflow');
  if (tool === undefined) throw new Error('There is no workflow.');
  const { text, json } = await bench.call(tool, { report, ...more });
  return { text, json: json as unknown as Answered };
}

test('a frame of the trace decides, and the lines tell who wrote them and what a fix reaches', async () => {
  const { json, text } = await analyse(
    'Parcels without address\n\nTypeError: no address\n    at MailQueue.flush (/srv/app/src/mail/queue.ts:8:12)\n    at run (node:internal/x:1:1)',
  );

  expect(json.suspects[0]).toMatchObject({ path: 'src/mail/queue.ts', symbol: 'MailQueue/flush', lines: [6, 9] });
  expect(json.suspects[0]?.evidence[0]).toMatchObject({ kind: 'frame', id: 'src/mail/queue.ts:8' });
  expect(json.coverage).toMatchObject({ own_frames: 1 });
  expect(json.suspect_commits.map(({ subject, touches }) => [subject, touches[0]])).toEqual(
    expect.arrayContaining([
      ['feat: send mails', 'src/mail/queue.ts:6-9'],
      ['perf: count retries up', 'src/mail/queue.ts:6-9'],
    ]),
  );
  expect(json.hypotheses[0]).toMatchObject({ probability: json.suspects[0]?.likelihood });
  expect(json.hypotheses[0]?.for.join(' ')).toContain('src/mail/queue.ts:8');
  expect(json.plan.impact.tests).toEqual(['test/queue.test.ts']);
  expect(json.plan.tests_to_add[0]).toContain('test/queue.test.ts');
  expect(text).toMatch(/^run_bugAnalysisWorkflow · shop@\w{7} main fresh · /);
  expect(text).toContain('1 of 2 frames are code of this repository');
});

test('the trace of another version means the function that it names, wherever that stands now', async () => {
  const { json } = await analyse('TypeError: no limit\n    at confirmOrder (/srv/app/src/orders/order.ts:1:12)');
  const moved = await analyse('TypeError: no limit\n    at MailQueue.flush (/srv/app/src/mail/queue.ts:3:12)');

  expect(json.suspects[0]).toMatchObject({ path: 'src/orders/order.ts', symbol: 'confirmOrder', lines: [4, 6] });
  expect(moved.json.suspects[0]).toMatchObject({ symbol: 'MailQueue/flush', lines: [6, 9] });
  // Nobody is sent to a line that has moved away from its function.
  expect(moved.json.suspects[0]?.evidence.find(({ kind }) => kind === 'frame')).toMatchObject({
    id: 'src/mail/queue.ts:6',
    says: expect.stringContaining('line 3 of the trace is of another version'),
  });
  expect(moved.json.hypotheses[0]?.test).toBe('run test/queue.test.ts');
});

const frameOf = async (report: string): Promise<string | undefined> => {
  const { suspects } = (await analyse(report)).json;
  return suspects.flatMap(({ evidence }) => evidence).find(({ kind }) => kind === 'frame')?.id;
};

test('a frame of a released version is where its line is now, when the report names the tag', async () => {
  const trace = 'Error: late\n    at /srv/app/src/counter.js:2:9';

  expect(await frameOf(`It stops with shop 1.4.0\n${trace}`)).toBe('src/counter.js:6');
  expect(await frameOf(`It stops with shop 1.5.0\n${trace}`)).toBe('src/counter.js:2');
});

test('an error that names no type is an error text all the same', async () => {
  const { json } = await analyse('It stopped at night.\nError: cannot flush a queue with a negative limit');

  expect(json.parsed.error).toMatchObject({ type: 'Error' });
});

const gapsOf = async (report: string): Promise<string[]> => (await analyse(report)).json.coverage.gaps;

test('that only words were searched is said of a report that quotes nothing, and of no other', async () => {
  const gap = 'the report names no code and shows no output: only its words were searched';

  expect(await gapsOf('Mails are sent late at night')).toContain(gap);
  expect(await gapsOf('Mails are late: it says "cannot flush a queue"')).not.toContain(gap);
  expect(await gapsOf('Mails of `retryAfter` are late')).not.toContain(gap);
  expect(await gapsOf('Mails are late when I call this every day:\n\n    select id from mail\n')).not.toContain(gap);
});

test('a run is kept: it is read again by its id, as it was, with another budget', async () => {
  const { json, text } = await analyse('mail queue flush', { top_k: 1 });
  const again = await analyse('', { run_id: json.run.id, max_tokens: 20_000 });

  expect(json.run).toMatchObject({ id: expect.stringMatching(/^run:/) as string, state: 'done', pct: 100 });
  expect(again.json).toEqual(json);
  expect(text).toContain(json.run.id);
  await expect(analyse('', { run_id: 'run:7' })).rejects.toMatchObject({ code: 'run_not_found' });
});

test('an error text that stands in one file leads there, and tests and prose stay behind', async () => {
  const { json } = await analyse('It fails with "cannot flush a queue with a negative limit"');

  expect(json.suspects[0]).toMatchObject({ path: 'src/mail/queue.ts', symbol: 'MailQueue/flush' });
  expect(json.suspects[0]?.evidence.map(({ id }) => id)).toContain('src/mail/queue.ts:7');
  expect(json.suspects.findIndex(({ path }) => path === 'docs/queue.md')).not.toBe(0);
  expect(json.suspects.map(({ path }) => path)).not.toContain('test/queue.test.ts');
});

test('what is built and what declares types stay behind the source, but not where the report is of types', async () => {
  const { json } = await analyse('`printLabels` prints the text of labels without its end, labelCount is 2');
  const types = await analyse('Wrong type: `labelCount` of StickerSheet should be optional');

  expect(json.suspects[0]?.path).toBe('src/stickers.js');
  expect(json.suspects.map(({ path }) => path)).not.toContain('dist/stickers.js');
  expect(types.json.suspects[0]?.path).toBe('types/stickers.d.ts');
});

test('a name in quotes means its symbol, not the list where it stands as well', async () => {
  const { json } = await analyse("Printing fails\nTypeError: 'StickerSheet' cannot be printed");

  expect(json.suspects[0]).toMatchObject({
    path: 'src/stickers.js',
    symbol: expect.stringContaining('StickerSheet') as string,
  });
});

test('tests that reach the file are named where none was found for the symbol', async () => {
  const { json } = await analyse('TypeError: x\n    at StickerSheet.printLabels (/srv/app/src/stickers.js:6:9)');

  expect(json.plan.impact.tests).toEqual(['test/stickers.test.js']);
  expect(json.hypotheses[0]?.against.join(' ')).toContain('1 test file reaches its file');
});

test('what fixes with such words touched is suspected, although its own text says nothing of it', async () => {
  const { json } = await analyse('Parcels are refused');

  expect(json.suspects[0]).toMatchObject({ path: 'src/mail/address.ts' });
  expect(json.similar_fixes[0]).toMatchObject({
    subject: 'fix: refuse parcels without an address',
    paths: ['src/mail/address.ts'],
  });
});

test('a last good state makes what changed since a suspect, and its commit the first', async () => {
  const report = 'Customers are told of their order twice';
  const [before, after] = [await analyse(report), await analyse(report, { since: 'v1' })];
  const likelihoodOf = ({ json }: typeof before): number =>
    json.suspects.find(({ path }) => path === 'src/mail/queue.ts')?.likelihood ?? 0;

  expect(likelihoodOf(after)).toBeGreaterThan(likelihoodOf(before));
  expect(after.json.suspect_commits[0]).toMatchObject({
    subject: 'perf: count retries up',
    why: 'touched src/mail/queue.ts after v1',
  });
});

test('functions come before files, each with the lines that have the words', async () => {
  const { json, text } = await analyse('Delivering mails ignores the limit when it is flushed');
  const [first] = json.suspects;

  expect(first).toMatchObject({ path: 'src/mail/queue.ts', symbol: 'MailQueue/flush', score: 1 });
  expect(first?.evidence[0]).toMatchObject({ kind: 'text', says: expect.stringContaining('limit') as string });
  const isFile = json.suspects.map(({ symbol }) => symbol === '');
  expect(isFile).toEqual(isFile.toSorted((a, b) => Number(a) - Number(b)));
  expect(json.suspects.filter(({ symbol }) => symbol === '')[0]).toMatchObject({ path: 'src/mail/queue.ts', score: 1 });
  expect(json.hypotheses).toEqual([]);
  expect(text).toMatch(/^functions\n 1 1\.00 src\/mail\/queue\.ts:6-9 MailQueue\/flush$/m);
  expect(text).toMatch(/^files\n 1 1\.00 src\/mail\/queue\.ts$/m);
});

test('paths narrow the suspects, and a report that says nothing of the code has no hypothesis', async () => {
  const narrowed = await analyse('mail queue flush', { paths: ['src/orders'] });
  expect(narrowed.json.suspects.map(({ path }) => path)).toEqual(['src/orders/order.ts', 'src/orders/order.ts']);

  const { json, text } = await analyse('Zebra xylophone quartz');
  expect(json).toMatchObject({ suspects: [], hypotheses: [] });
  expect(json.coverage.gaps).toContain('nothing in the index fits the report');
  expect(text).toContain('none: no trace, verbatim text or commit singles out a suspect');
});

test('the answer keeps to its budget, and a report needs words', async () => {
  const { text, json } = await analyse(`mail queue flush limit ${'retryAfter '.repeat(400)}`, { max_tokens: 500 });
  expect(text.length).toBeLessThanOrEqual(1_750);
  expect(JSON.stringify(json).length).toBeLessThanOrEqual(1_750);
  expect(json.suspects[0]?.path).toBe('src/mail/queue.ts');

  await expect(analyse(' … ')).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(analyse('mail', { since: 'no-such-ref' })).rejects.toMatchObject({ code: 'unknown_id' });
});

test('of several repositories the one of which the report names most is analysed', async () => {
  const parcel = {
    'src/parcel.ts':
      '/** Sends a parcel back. */\nexport function returnParcel(order: string): string {\n  return `back ${order}`;\n}\n',
  };
  await bench.addRepository('depot', parcel);
  const report = 'TypeError: no order\n    at returnParcel (/srv/app/src/parcel.ts:3:12)';

  const depot = await analyse(report);
  const shop = await analyse('TypeError: no limit\n    at MailQueue.flush (/srv/app/src/mail/queue.ts:8:12)', {
    repo: '*',
    // The other repository has no such tag.
    since: 'v1',
  });
  const byName = await analyse('`returnParcel` does not send anything back');
  const neither = analyse('Nothing happens when I press the button.');

  expect(depot.text).toMatch(/^run_bugAnalysisWorkflow · depot@/);
  expect(depot.json.suspects[0]).toMatchObject({ path: 'src/parcel.ts', symbol: 'returnParcel' });
  expect(shop.text).toMatch(/^run_bugAnalysisWorkflow · shop@/);
  expect(byName.text).toMatch(/^run_bugAnalysisWorkflow · depot@/);
  await expect(neither).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'The report names no code of 2 repositories, so which one it is about is not known.',
  });

  await bench.addRepository('mirror', parcel);
  await expect(analyse(report)).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'The report names as much code of depot as of mirror, so which one it is about is not known.',
    fix: 'Name it: repo="depot"',
  });
});
