import { expect, test } from 'vitest';
import { citerOf, placeAt } from '../testing/prose.ts';
import { scriptedTools } from '../testing/scripted-tools.ts';
import type { CodePlace } from './gather/code.ts';
import { parseQuestion } from './question/question.ts';
import { type Story, tell } from './tell-code.ts';

const body = (name: string): string => [`${name}() {`, ...Array<string>(30).fill('  mail();'), '}'].join('\n');
const place = (path: string, name: string, more: Partial<CodePlace> = {}): CodePlace =>
  placeAt(path, name, body(name), { doc: `Sends mail of ${name}.`, ...more });
const commit = { sha: 'c1', id: 'c:c1', date: '2026-01-01', author: 'Ann', type: 'feat', subject: 'Send mail' };
const others = ['near', 'near2', 'near3', 'far', 'far2'].map((name) =>
  place(name.startsWith('near') ? 'src/main.ts' : 'src/other.ts', name),
);

function storyOf(isNamed: boolean, words = 'How is mail sent?'): Story {
  return {
    tools: scriptedTools(() => []).tools,
    question: parseQuestion(words),
    effort: 'standard',
    cite: citerOf({ mail: 1 }),
    main: place('src/main.ts', 'main', { isNamed }),
    others,
    around: { uses: [], totals: { uses: 0, tests: 0 }, open: [], callees: [], parents: [], heirs: [] },
    hops: [],
    way: [],
    history: {
      repo: 'shop',
      commits: [commit],
      ofFirst: [],
      total: 1,
      authors: [{ name: 'Ann', commits: 1 }],
      period: '2026',
    },
    written: [],
    beginnings: [],
    reasons: [],
    lines: [],
    alike: [],
    environment: [],
    calls: new Map(),
    rival: undefined,
    enumeration: undefined,
  };
}

const findings = { places: [], unknownNames: [], knownNames: [], searched: 1, terms: {}, total: 1 };

const LEADS = new Set(['Also involved:', 'These may be meant as well:']);

function told(story: Story) {
  const { paragraphs } = tell(story, findings, 5_250).composed;
  const [also] = paragraphs.filter(({ sentences }) => LEADS.has(sentences[0]?.text ?? ''));
  const rows = also?.sentences.slice(1) ?? [];
  return {
    names: rows.map(({ text }) => /^`(\w+)`/.exec(text)?.[1]),
    lengths: rows.map(({ sources: [first] }) => (first?.lines?.end ?? 0) - (first?.lines?.start ?? 0) + 1),
    people: paragraphs.flatMap(({ sentences }) => sentences).filter(({ text }) => text.startsWith('Ann made')).length,
  };
}

test('where only words tell the place, others are told as they fit, with many lines of each', () => {
  expect(told(storyOf(false))).toMatchObject({
    names: ['near', 'near2', 'near3', 'far', 'far2'],
    lengths: [30, 30, 30, 30, 30],
  });
});

test('beside a place that is named those of other files come before those of its own', () => {
  expect(told(storyOf(true))).toMatchObject({
    names: ['near', 'near2', 'far', 'far2', 'near3'],
    lengths: [8, 8, 8, 8, 8],
  });
});

test('who knows a place is told of one that is named, or when that is asked', () => {
  expect([told(storyOf(false)).people, told(storyOf(true)).people]).toEqual([0, 1]);
  expect(told(storyOf(false, 'Who knows how mail is sent?')).people).toBe(1);
});

function gapsOf(path: string): readonly string[] {
  return tell({ ...storyOf(true), main: place(path, 'main', { isNamed: true }) }, findings, 5_250).composed.gaps;
}

test('a section of a document is not told to be used by no code', () => {
  expect(gapsOf('src/main.ts')).toHaveLength(1);
  expect(gapsOf('guide/mails.md')).toEqual([]);
});

test('where only words led to a place, it is told to call what has a tenth of the question, and all when it is named', () => {
  const calling = placeAt('src/main.ts', 'main', 'main() {\n  go();\n  postMail();\n  flush();\n}');
  const called = ['postMail', 'flush'].map((name) => placeAt('src/box.ts', name, `${name}() {}`));
  const callees = called.map(({ symbol, path }) => ({ symbol, path, line: 1 }));
  const calls = (weight: number, isNamed = false): string[] => {
    const story = { ...storyOf(isNamed), cite: citerOf({ mail: weight, rest: 100 - weight }), others: called };
    const main = { ...calling, isNamed };
    const { paragraphs } = tell({ ...story, main, around: { ...story.around, callees } }, findings, 5_250).composed;
    return paragraphs.flatMap(({ sentences }) =>
      sentences.flatMap(({ text }) => /^`main` calls `(\w+)` \(/.exec(text)?.[1] ?? []),
    );
  };

  expect([calls(9), calls(11), calls(9, true)]).toEqual([[], ['postMail'], ['postMail', 'flush']]);
});

/** The gaps of an answer about a place with lines that may use it. */
function gapsWith(open: readonly number[]): readonly string[] {
  const story = storyOf(true);
  const uses = open.map((line) => ({ ...others[0], path: 'src/post.rb', line, use: 'call' }));
  const around = { ...story.around, open: uses } as unknown as Story['around'];
  return tell({ ...story, around }, findings, 5_250).composed.gaps;
}

test('of what nothing is known to use, lines are told that have its name where it is open what that means', () => {
  expect(gapsWith([])).toEqual([
    'no code outside tests was found that uses `main`: it may be called by a framework, by name or from elsewhere',
  ]);
  expect(gapsWith([7])).toEqual(['what uses `main` was not resolved: src/post.rb:7 outside tests has its name']);
  expect(gapsWith([7, 9])).toEqual([
    'what uses `main` was not resolved: src/post.rb:7 and 1 further line outside tests have its name',
  ]);
});
