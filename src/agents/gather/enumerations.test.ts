import { expect, test } from 'vitest';
import { citerOf } from '../../testing/prose.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { tellMembers } from '../prose/members.ts';
import { parseQuestion } from '../question/question.ts';
import { weighTerms } from '../question/term-weights.ts';
import { findEnumeration, pluralAsked } from './enumerations.ts';

test.each([
  ['which statuses can a job have?', 'status'],
  ['What are the log levels?', 'level'],
  ['For which shells can scripts be written?', 'shell'],
  ['Which file formats of old can be read?', 'format'],
  ['what happens when a job fails?', undefined],
  ['Which function reads the files?', undefined],
  ['How are statuses stored?', undefined],
])('%s asks for all of %s', (words, expected) => {
  expect(pluralAsked(words)).toBe(expected);
});

const symbol = (qualified: string, line: number, kind: string, path = 'src/job.ts') => ({
  path,
  line,
  end: line,
  kind,
  qualified,
});

async function told(words: string, rows: readonly ReturnType<typeof symbol>[], body: string) {
  const { tools } = scriptedTools((_, { action, query }) =>
    action === 'search_symbols'
      ? rows
      : rows
          .filter(
            ({ qualified, path }) =>
              String(query).startsWith(`sym:${qualified}@`) || String(query).startsWith(`${path}:`),
          )
          .slice(0, 1)
          .map((row) => ({ ...row, start: row.line, body })),
  );
  const found = await findEnumeration(tools, words, weighTerms(parseQuestion(words).terms, 1, {}));
  return found === undefined ? [] : tellMembers(citerOf({}), found)[0]?.sentences;
}

test('who asks for all of a kind is told what the enum holds whose name has most of the question', async () => {
  const rows = [symbol('getStatus', 2, 'function'), symbol('Status', 4, 'enum'), symbol('JobStatus', 9, 'enum')];
  const sentences = await told('Which statuses can a job have?', rows, 'enum JobStatus {\n  OPEN,\n  DONE,\n}');

  expect(sentences).toMatchObject([
    {
      text: '`JobStatus` (src/job.ts:9) has 2 entries: `OPEN` and `DONE`.',
      sources: [{ lines: { start: 10, end: 11 } }],
    },
  ]);
});

test('constants that stand next to each other are told as one, and fewer than three as nothing', async () => {
  const run = ['Open', 'Done', 'Lost'].map((name, at) => symbol(`Status${name}`, 3 + at, 'constant'));
  const far = symbol('StatusPath', 90, 'constant');

  expect(await told('Which statuses are there?', [...run, far], 'x\ny\nz')).toMatchObject([
    { text: 'src/job.ts:3 defines 3 constants: `StatusOpen`, `StatusDone` and `StatusLost`.' },
  ]);
  expect(await told('Which statuses are there?', [...run.slice(0, 2), far], 'x\ny')).toEqual([]);
});

test('a name with less than three tenths of a question is about something else', async () => {
  const rows = [symbol('Status', 4, 'enum')];
  const body = 'enum Status {\n  OPEN,\n  DONE,\n}';

  expect(await told('Which statuses can a job have?', rows, body)).toHaveLength(1);
  expect(await told('Which statuses can a job of another worker pool report?', rows, body)).toEqual([]);
});
