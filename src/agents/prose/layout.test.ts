import { expect, test } from 'vitest';
import { citerOf, placeAt } from '../../testing/prose.ts';
import { composeWithin, type Layout } from './layout.ts';
import type { Paragraph } from './prose.ts';

const place = (name: string) =>
  placeAt(`src/${name}.ts`, name, Array.from({ length: 60 }, (_, at) => `  mail(${name}, ${at});`).join('\n'));
const steps = Array.from({ length: 8 }, (_, at) => ({ text: `\`send\` calls \`step${at}\`.`, sources: [] }));

const citer = citerOf({ mail: 1 });

/** An answer about one place and five that may be meant as well. */
function compose(layout: Layout): Paragraph[] {
  const cite = citer.showing(layout);
  const others = ['a', 'b', 'c', 'd', 'e'].slice(0, layout.shown);
  return [
    { sentences: [{ text: 'It sends.', sources: [cite.place(place('send'), 'main')] }] },
    { sentences: others.map((name) => ({ text: `${name} waits.`, sources: [cite.place(place(name), 'near')] })) },
    { sentences: steps.slice(0, layout.calls) },
  ];
}

function shownIn(characters: number) {
  const [first, second, third] = composeWithin(compose, characters);
  const lengths = [...(first?.sentences ?? []), ...(second?.sentences ?? [])].map(({ sources: [source] }) =>
    source?.lines === undefined ? 0 : source.lines.end - source.lines.start + 1,
  );
  return { lengths, calls: third?.sentences.length };
}

test('with room for all an answer shows 48 lines of the main place, 30 of five others, and every call', () => {
  expect(shownIn(10_000)).toEqual({ lengths: [48, 30, 30, 30, 30, 30], calls: 8 });
});

test('calls go first, then lines of the last places, and the first keep theirs', () => {
  const all = Array.from({ length: 100 }, (_, at) => shownIn(60 * at));
  const layouts = all.filter((one, at) => at === 0 || JSON.stringify(one) !== JSON.stringify(all[at - 1])).toReversed();

  expect(layouts.map(({ calls }) => calls)).toEqual([8, 4, 0, 0, 0]);
  expect(layouts.map(({ lengths }) => lengths.length)).toEqual([6, 6, 6, 5, 4]);
  expect(layouts.at(-1)?.lengths).toEqual([40, 30, 30, 30]);
});

/** The fewest characters into which all of an answer of some lines fits. */
function roomFor(lines: number, indent = ''): number {
  const body = Array.from({ length: lines }, (_, at) => `${indent}mail(${at});`).join('\n');
  const one = (layout: Layout): Paragraph[] => [
    {
      sentences: [
        {
          text: layout.calls === 20 ? 'All.' : '',
          sources: [
            citerOf({ mail: 1 })
              .showing(layout)
              .place(placeAt('a.ts', 'send', body), 'main'),
          ],
        },
      ],
    },
  ];
  let [without, most] = [0, 5_000];
  while (most - without > 1) {
    const middle = Math.floor((without + most) / 2);
    if (composeWithin(one, middle)[0]?.sentences[0]?.text === 'All.') most = middle;
    else without = middle;
  }
  return most;
}

test('a line counts with its marks and without the space that all begin with', () => {
  expect(roomFor(20) - roomFor(19)).toBe('| mail(19);\n'.length);
  expect(roomFor(20, '    ')).toBe(roomFor(20));
});
