import { expect, test } from 'vitest';
import { placeAt } from '../../testing/prose.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { findConstants, withConstants } from './constants.ts';

const VALUES: Record<string, string> = {
  MAIL_COUNT: 'MAIL_COUNT = 60',
  defaultBox: 'const defaultBox = 5',
  kOther: 'kOther = 1',
  MAIL_TABLE: ['MAIL_TABLE = {', ...Array<string>(6).fill('"a": 1,'), '}'].join('\n'),
  MAIL_HOST: 'MAIL_HOST = find()',
};

/** The values of constants that some bodies use, and the names that were looked up. */
async function found(bodies: readonly string[], weights: Readonly<Record<string, number>>, isTwice = false) {
  const { tools, asked } = scriptedTools((_, { query }) => {
    const body = VALUES[String(query)];
    const row = (path: string) => ({ path, start: 9, end: 9, kind: 'variable', qualified: String(query), body });
    return body === undefined ? [] : isTwice ? [row('b.py'), row('c.py')] : [row('a.py')];
  });
  const places = bodies.map((body, at) => placeAt(isTwice ? 'c.py' : `place${at}.py`, 'send', body));
  const lines = await findConstants(tools, places, new Map(Object.entries(weights)));
  return { said: lines.map(({ place }) => place.body), names: asked.map(({ args }) => args['query']), lines };
}

const WEIGHTS = { mail: 1, box: 1, server: 1, rest: 1 };

test('a constant on a line about what is asked is told with its value, the best first', async () => {
  const body = 'send()\n  reach(server, mail: MAIL_COUNT)\n  wait(conf.defaultBox)\n  // mail MAIL_HOST';

  expect(await found([body], WEIGHTS)).toMatchObject({
    said: ['MAIL_COUNT = 60', 'const defaultBox = 5'],
    names: ['MAIL_COUNT', 'defaultBox'],
  });
});

async function saidOf(own: number, around: number): Promise<number> {
  const weights = { mail: own, send: around, rest: 100 - own - around };
  return (await found(['send()\n  reach(MAIL_COUNT)'], weights)).said.length;
}

test('a line with a fifth of what is asked is enough, and what the place around it is called counts two fifths', async () => {
  expect([await saidOf(21, 0), await saidOf(19, 0)]).toEqual([1, 0]);
  expect([await saidOf(16, 11), await saidOf(16, 9)]).toEqual([1, 0]);
});

test('what gives no value, or holds many, is no constant to tell, and four are looked up', async () => {
  expect((await found(['mail(MAIL_HOST, MAIL_TABLE)'], WEIGHTS)).said).toEqual([]);
  expect((await found(['mail(MAIL_A, MAIL_B, MAIL_C, MAIL_D, MAIL_E)'], WEIGHTS)).names).toHaveLength(4);
});

test('of several of its name the one in the file that uses it is meant', async () => {
  const { lines } = await found(['mail(MAIL_COUNT)'], WEIGHTS, true);

  expect(lines.map(({ place }) => place.path)).toEqual(['c.py']);
});

test('a place that fits less has less of the worth, and a line is told once', async () => {
  const { lines } = await found(['mail(MAIL_COUNT)', 'box(defaultBox)'], WEIGHTS);
  const [first, second] = lines;
  if (first === undefined || second === undefined) throw new Error('Two are found.');

  expect(second.worth / first.worth).toBeCloseTo(0.96);
  const other = { ...first, from: 3, worth: 9 };
  expect(withConstants([{ ...first, worth: 8 }, other], lines)).toEqual([other, first, second]);
});
