import { expect, test } from 'vitest';
import { citerOf, placeAt } from '../testing/prose.ts';
import { scriptedTools } from '../testing/scripted-tools.ts';
import type { CodePlace } from './gather/code.ts';
import { parseQuestion } from './question/question.ts';
import { type Story, tell } from './tell-code.ts';

const body = (name: string): string => [`${name}() {`, ...Array<string>(30).fill('  mail();'), '}'].join('\n');
const place = (path: string, name: string, more: Partial<CodePlace> = {}): CodePlace =>
  placeAt(path, name, body(name), { doc: `Sends mail of ${name}.`, ...more });
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
    around: { uses: [], totals: { uses: 0, tests: 0 }, callees: [], parents: [], heirs: [] },
    hops: [],
    way: [],
    lines: [],
    environment: [],
    calls: new Map(),
    rival: undefined,
    enumeration: undefined,
  };
}

const LEADS = new Set(['Also involved:', 'These may be meant as well:']);

function told(story: Story) {
  const paragraphs = tell(story, 5_250);
  const [also] = paragraphs.filter(({ sentences }) => LEADS.has(sentences[0]?.text ?? ''));
  const rows = also?.sentences.slice(1) ?? [];
  return {
    names: rows.map(({ text }) => /^`(\w+)`/.exec(text)?.[1]),
    lengths: rows.map(({ sources: [first] }) => (first?.lines?.end ?? 0) - (first?.lines?.start ?? 0) + 1),
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

test('where only words led to a place, it is told to call what has a tenth of the question, and all when it is named', () => {
  const calling = placeAt('src/main.ts', 'main', 'main() {\n  go();\n  postMail();\n  flush();\n}');
  const called = ['postMail', 'flush'].map((name) => placeAt('src/box.ts', name, `${name}() {}`));
  const callees = called.map(({ symbol, path }) => ({ symbol, path, line: 1 }));
  const calls = (weight: number, isNamed = false): string[] => {
    const story = { ...storyOf(isNamed), cite: citerOf({ mail: weight, rest: 100 - weight }), others: called };
    const main = { ...calling, isNamed };
    const paragraphs = tell({ ...story, main, around: { ...story.around, callees } }, 5_250);
    return paragraphs.flatMap(({ sentences }) =>
      sentences.flatMap(({ text }) => /^`main` calls `(\w+)` \(/.exec(text)?.[1] ?? []),
    );
  };

  expect([calls(9), calls(11), calls(9, true)]).toEqual([[], ['postMail'], ['postMail', 'flush']]);
});
