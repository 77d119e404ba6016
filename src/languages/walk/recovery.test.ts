import { expect, test } from 'vitest';
import type { FileFacts } from '../facts/facts.ts';
import { describeFacts } from '../../testing/describe-facts.ts';
import { Extractors } from '../extract/extract.ts';
import type { Parser } from '../languages.ts';

const extractors = new Extractors();

const definitions = (facts: FileFacts): string[] =>
  describeFacts(facts, ['definitions']).map((line) =>
    line.replace(/ \d+:\d+.*?( in |$)/, '$1').replace(/ type=.*/, ''),
  );

/** Functions `f1` to `f40` of a class, of which some have another body. */
function classOf(bodies: Readonly<Record<number, string>>, { head = 'class A {', word = 'fun' } = {}): string {
  const members = Array.from(
    { length: 40 },
    (_, index) => `  ${word} f${index + 1}() {\n    ${bodies[index + 1] ?? `g(${index})`}\n  }\n`,
  );
  return `${head}\n${members.join('\n')}}\n`;
}

const members = (facts: FileFacts): string[] => definitions(facts).filter((line) => line.endsWith(' in A'));

test('of a class with a line that the grammar does not know only that line is not read, and it is told', async () => {
  const text = classOf({ 7: '!!! ??? unknown to all', 30: '§ nobody § knows' });

  const facts = await extractors.extract('kotlin', text);

  expect(members(facts)).toHaveLength(40);
  expect([...facts.broken]).toEqual([27, 27, 119, 119]);
});

test.each<[Parser, string, { head?: string; word: string }]>([
  ['java', 'x § = ) y z;', { word: 'void' }],
  ['csharp', 'x § = ) y z;', { word: 'void' }],
  ['swift', 'let a § ) = b c', { word: 'func' }],
  ['scala', 'val § a ) = b', { word: 'def' }],
])('%s loses no member to a line that it cannot read', async (language, line, how) => {
  const facts = await extractors.extract(language, classOf({ 5: line, 20: line }, how));

  expect(members(facts)).toHaveLength(40);
  expect(facts.errors).toBeGreaterThan(0);
});

test('what follows a value that cannot be read keeps its place and its owner', async () => {
  const text = 'class A {\n  fun a(): B =\n    § ( c d\n\n  fun b() = e()\n}\n';

  const facts = await extractors.extract('kotlin', text);

  expect(members(facts)).toEqual(['method a in A', 'method b in A']);
  expect([...facts.broken]).toEqual([3, 3]);
  expect(facts.definitions.nameStart(2)).toBe(text.indexOf('b() ='));
});

test('a text that the grammar reads whole is read once, and as it is', async () => {
  const facts = await extractors.extract('kotlin', classOf({}));

  expect([facts.errors, facts.broken.length, members(facts).length]).toEqual([0, 0, 40]);
});
