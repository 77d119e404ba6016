import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../testing/git.ts';
import { causesOf, describeChange } from './staleness.ts';
import { fileVersions } from './lookups/history-lookup.ts';
import type { AnchorCommit, AnchorStatus } from './store/store.ts';

const OTHER = 'export function other(): void {}\n';
const SEND = 'export function send(to: string): void {\n  open(to);\n  close(to);\n}\n';

function members(a: string, b: string): string {
  return `class A {\n  run() {\n    ${a}();\n  }\n}\nclass B {\n  run() {\n    ${b}();\n  }\n}\n`;
}

/** A history of one file or more: what each commit made of it, oldest first. Only what differs is named. */
async function causes(
  steps: [name: string, files: Record<string, string | undefined>][],
  { status, symbol = 'send' }: { status: AnchorStatus; symbol?: string | null },
): Promise<string[]> {
  const states = new Map<string, Map<string, string>>();
  let files = new Map<string, string>();
  const before = new Map<string, Map<string, string>>();
  for (const [name, changed] of steps) {
    before.set(name, files);
    const next = new Map(
      [...files, ...Object.entries(changed)].flatMap(([path, text]) =>
        text === undefined ? [] : [[path, text] as const],
      ),
    );
    for (const [path, text] of Object.entries(changed)) if (text === undefined) next.delete(path);
    states.set(name, next);
    files = next;
  }
  const commits = steps
    .slice(1)
    .map(([name]): AnchorCommit => ({ sha: name, subject: name, date: '2026-01-01' }))
    .toReversed();
  const paths = [...new Set(steps.flatMap(([, changed]) => Object.keys(changed)))];
  const touching = await causesOf({ symbol }, { status, paths }, commits, async (versions) =>
    versions.map(({ commit, isBefore, path }) => (isBefore ? before : states).get(commit)?.get(path)),
  );
  return touching.map(({ sha, change }) => `${sha}: ${change === undefined ? '' : describeChange(change)}`);
}

test('commits that changed a function itself are told with what they did, those beside it are not', async () => {
  const steps: Parameters<typeof causes>[0] = [
    ['baseline', { 'a.ts': SEND + OTHER }],
    ['beside', { 'a.ts': `${SEND}export function other(): void {\n  log();\n}\n` }],
    ['comment', { 'a.ts': SEND.replace('  open', '  // first\n  open') + OTHER }],
    ['body', { 'a.ts': SEND.replace('  close(to);', '  close(to);\n  log(to);') + OTHER }],
    ['signature', { 'a.ts': SEND.replace('to: string', 'to: Mailbox') + OTHER }],
    ['newest', { 'a.ts': SEND.replace('to: string', 'to: Mailbox') }],
  ];

  expect(await causes(steps, { status: 'changed' })).toEqual([
    'signature: changed its signature, +1 −2',
    'body: changed it, +1 −1',
  ]);
});

test('a union that a formatter writes on one line is the same', async () => {
  const steps: Parameters<typeof causes>[0] = [
    ['baseline', { 'a.ts': "export type Way =\n  | 'in'\n  | 'out';\n" }],
    ['format', { 'a.ts': "export type Way = 'in' | 'out';\n" }],
    ['more', { 'a.ts': "export type Way = 'in' | 'out' | 'up';\n" }],
  ];

  expect(await causes(steps, { status: 'changed', symbol: null })).toEqual(['more: changed it, +1 −1']);
});

test('the commit that removed or moved it comes first, whatever came after', async () => {
  const steps: Parameters<typeof causes>[0] = [
    ['baseline', { 'a.ts': SEND + OTHER }],
    ['body', { 'a.ts': SEND.replace('open', 'start') + OTHER }],
    ['removal', { 'a.ts': OTHER }],
    ['later', { 'a.ts': `${OTHER}${OTHER}` }],
  ];
  const moved: Parameters<typeof causes>[0] = [
    ['baseline', { 'a.ts': SEND }],
    ['move', { 'a.ts': undefined, 'b.ts': SEND }],
    ['after', { 'b.ts': SEND.replace('open', 'start') }],
  ];

  const split: Parameters<typeof causes>[0] = [
    ['baseline', { 'a.ts': SEND + OTHER, 'b.ts': '' }],
    ['split', { 'a.ts': OTHER, 'b.ts': SEND }],
    ['removal', { 'b.ts': OTHER }],
    ['back', { 'b.ts': SEND + OTHER }],
  ];

  expect(await causes(steps, { status: 'gone' })).toEqual(['removal: removed it', 'body: changed it, +1 −1']);
  expect(await causes(split, { status: 'moved' })).toEqual(['split: moved it', 'removal: removed it']);
  expect(await causes(moved, { status: 'moved' })).toEqual(['move: moved it', 'after: changed it, +1 −1']);
});

test('of what changed often since, the commit that removed it is found however long ago that is', async () => {
  const later = Array.from({ length: 60 }, (_, at): [string, Record<string, string>] => [
    `later-${at}`,
    { 'a.ts': `export const count = ${at};\n` },
  ]);
  const steps: Parameters<typeof causes>[0] = [
    ['baseline', { 'a.ts': SEND }],
    ['removal', { 'a.ts': OTHER }],
    ...later,
  ];

  expect(await causes(steps, { status: 'gone' })).toEqual(['removal: removed it']);
});

test('commits are read forty at a time, and no older ones once one of them explains what became of it', async () => {
  const steps = Array.from({ length: 62 }, (_, at): [string, Record<string, string>] => {
    // The newest is the 61st: what changed 3, 30 and 50 commits before it.
    const times = [11, 31, 58].filter((changed) => at >= changed).length;
    return [`step-${at}`, { 'a.ts': `${SEND.replace('close', `close${times}`)}export const count = ${at};\n` }];
  });

  expect(await causes(steps, { status: 'changed' })).toEqual([
    'step-58: changed it, +1 −1',
    'step-31: changed it, +1 −1',
  ]);
});

test('a member is known by its class, and a whole file by its words', async () => {
  const steps: Parameters<typeof causes>[0] = [
    ['baseline', { 'a.ts': members('one', 'two') }],
    ['of-b', { 'a.ts': members('one', 'three') }],
    ['of-a', { 'a.ts': members('four', 'three') }],
    ['comment', { 'a.ts': `// a\n${members('four', 'three')}` }],
  ];

  expect(await causes(steps, { status: 'changed', symbol: 'A/run' })).toEqual(['of-a: changed it, +1 −1']);
  expect(await causes(steps, { status: 'changed', symbol: null })).toHaveLength(2);
  expect(await causes(steps, { status: 'changed', symbol: 'C/run' })).toEqual([]);
});

test('files are read as commits have them, and as they were before; what is not there or longer than a megabyte is nothing', async () => {
  const repository = testRepository([
    { message: 'one', files: { 'a b.ts': 'one' } },
    {
      message: 'two',
      files: { 'a b.ts': 'two', 'long.ts': ' '.repeat(1_000_000), 'longer.ts': ' '.repeat(1_000_001) },
    },
  ]);
  onTestFinished(() => repository.remove());
  const commit = repository.git('rev-parse', 'HEAD');

  expect(
    await fileVersions(`${repository.path}/.git`, [
      { commit, isBefore: true, path: 'a b.ts' },
      { commit, isBefore: false, path: 'a b.ts' },
      { commit, isBefore: false, path: 'none.ts' },
      { commit: 'f'.repeat(40), isBefore: false, path: 'a b.ts' },
    ]),
  ).toEqual(['one', 'two', undefined, undefined]);
  const [long, longer] = await fileVersions(`${repository.path}/.git`, [
    { commit, isBefore: false, path: 'long.ts' },
    { commit, isBefore: false, path: 'longer.ts' },
  ]);
  expect([long?.length, longer?.length]).toEqual([1_000_000, undefined]);
});
