import { expect, test } from 'vitest';
import { placeAt } from '../../testing/prose.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import type { WantedLine } from '../question/wanted-lines.ts';
import { grepLines, readLines } from './grep-lines.ts';
import type { TellingLines } from './lines.ts';

/** What is looked for where each word has a weight. */
async function lookedFor(weights: Readonly<Record<string, number>>, wanted: readonly WantedLine[]): Promise<string[]> {
  const { tools, asked } = scriptedTools(() => []);
  await grepLines(tools, { weights: new Map(Object.entries(weights)), wanted });
  return asked.map(({ args }) => String(args['query']));
}

test('the two rarest words of three letters and more are looked for close together, whatever their forms', async () => {
  const weights = { it: 9, retry: 3, mail: 2, box: 1 };

  expect(await lookedFor(weights, ['condition'])).toEqual(['(?i)(retr.{0,60}mail|mail.{0,60}retr)']);
  expect(await lookedFor(weights, [])).toEqual([]);
  expect(await lookedFor({ it: 9, box: 3, mai: 2 }, ['error'])).toEqual(['(?i)(box.{0,60}mai|mai.{0,60}box)']);
  expect(await lookedFor({ retry: 3 }, ['condition'])).toEqual([]);
});

test('who asks for a value is told what gives one to the two rarest words', async () => {
  const [, values = ''] = await lookedFor({ default: 9, retry: 3, mail: 2, box: 1 }, ['value']);
  const given = new RegExp(values.replace('(?i)', ''), 'i');

  const lines = ['retries = 3', 'MAIL_LIMIT: 5', '"mail": "on"', 'const mail: number = 4', 'retry || false', 'box = 3'];
  expect(lines.map((text) => given.test(text))).toEqual([true, true, true, true, false, false]);
});

/** A line of a file that its words alone found. */
function line(start: number): TellingLines {
  const place = { ...placeAt('src/a.ts', '', 'if (full) {'), start, end: start };
  return { place, from: 0, to: 0, worth: 1 };
}

test('a line found by its words is told with four lines behind it, and three pieces at most', async () => {
  const body = ['if (full) {', '  a();', '  b();', '  c();', '  d();'].join('\n');
  const { tools, asked } = scriptedTools(() => [{ path: 'src/a.ts', start: 3, end: 7, body }]);
  const told = await readLines(tools, [line(3), line(20), line(40), line(60)], ['condition']);

  expect(asked.map(({ args }) => args['query'])).toEqual(['src/a.ts:3-7', 'src/a.ts:20-24', 'src/a.ts:40-44']);
  expect(told.map(({ from, to }) => to - from)).toEqual([4, 4, 4]);
});

test('a line within a longer piece is told from itself on', async () => {
  const { tools, asked } = scriptedTools(() => [{ path: 'src/a.ts', start: 5, end: 9, body: 'x = 1\n\nz = 2\n' }]);
  const [told] = await readLines(tools, [{ ...line(3), from: 2, to: 2 }], ['value']);

  expect(asked.map(({ args }) => args['query'])).toEqual(['src/a.ts:5-9']);
  expect(told).toMatchObject({ from: 0, to: 0, place: { start: 5 } });
});
