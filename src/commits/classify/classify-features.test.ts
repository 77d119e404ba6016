import { expect, test } from 'vitest';
import { type CommitFile, featuresOf } from './classify-features.ts';

/** Features and their strengths as one text, as the model gets them. */
function describeFeatures(description: string, body: string, files: CommitFile[]): string[] {
  return [...featuresOf(description, { subject: description, body, files })].map(
    ([name, value]) => `${name} ${Number(value.toFixed(3))}`,
  );
}

test('words, body, kinds of files and amounts of lines are strengths that the model was trained on', () => {
  const body = 'Carts rounded up.\n\n* feat: coupons\nSigned-off-by: Ann <ann@example.org>\nFixes #12';

  expect(
    describeFeatures('Round `price()` to v1.2 (#7)', body, [
      { path: 'src/cart.ts', status: 'M', growth: 700 },
      { path: 'src/coupon.ts', status: 'A', growth: 315 },
      { path: 'test/cart.test.ts', status: 'A', growth: 385 },
      { path: 'LICENSE', status: 'R' },
    ]),
  ).toMatchInlineSnapshot(`
    [
      "first:round 1.5",
      "second:pric 0.5",
      "w:round 1",
      "w:pric 1",
      "w:to 1",
      "w:v 1",
      "p:round_pric 0.7",
      "p:pric_to 0.7",
      "p:to_v 0.7",
      "length 0.4",
      "tick 1",
      "version 1",
      "to version 1",
      "identifier 1",
      "b:cart 0.35",
      "b:round 0.35",
      "b:up 0.35",
      "b:fixe 0.35",
      "closes 1",
      "number 1",
      "k:source 0.5",
      "has:source 1",
      "k:test 0.25",
      "has:test 1",
      "k:docs 0.25",
      "has:docs 1",
      "kinds:docs+source+test 1",
      "e:ts 0.5",
      "f:cart.ts 0.5",
      "d:src 0.5",
      "f:coupon.ts 0.5",
      "f:cart.test.ts 0.5",
      "d:test 0.5",
      "e:none 0.5",
      "f:license 0.5",
      "d:. 0.5",
      "files 0.536",
      "new 0.5",
      "gone 0",
      "moved 0.25",
      "new source 1",
      "new test 1",
      "lines:source 0.725",
      "lines:test 0.275",
      "lines:docs 0",
      "added 0.743",
      "deleted 0",
      "growth 0.976",
      "size:5 1",
      "source added 0.68",
      "source deleted 0",
      "source growth 0.967",
      "test added 0.497",
    ]
  `);
  expect(describeFeatures('Tidy', '', [{ path: 'a.md', status: 'D', growth: -70 }])).toMatchInlineSnapshot(`
    [
      "first:tidy 1.5",
      "w:tidy 1",
      "length 0.1",
      "no body 1",
      "k:docs 1",
      "has:docs 1",
      "all:docs 1",
      "kinds:docs 1",
      "e:md 0.5",
      "f:a.md 0.5",
      "d:. 0.5",
      "files 0.231",
      "new 0",
      "gone 1",
      "moved 0",
      "one file 1",
      "lines:docs 1",
      "added 0",
      "deleted 0.22",
      "growth -0.667",
      "size:1 1",
      "source added 0",
      "source deleted 0",
      "source growth 0",
      "test added 0",
    ]
  `);
  expect(describeFeatures('Tidy up', '', [])).toMatchInlineSnapshot(`
    [
      "first:tidy 1.5",
      "second:up 0.5",
      "w:tidy 1",
      "w:up 1",
      "p:tidy_up 0.7",
      "length 0.2",
      "no body 1",
    ]
  `);
});

test('beyond 8 files names say nothing, and beyond 600 characters a body says nothing', () => {
  const files = Array.from({ length: 9 }, (_, at) => ({ path: `src/f${at}.ts`, status: 'M' }));
  const features = featuresOf('Move', { subject: 'Move', body: `${'x '.repeat(299)}known unknown`, files });

  expect([features.has('f:f7.ts'), features.has('f:f8.ts')]).toEqual([true, false]);
  expect([features.has('b:x'), features.has('b:unknown')]).toEqual([true, false]);
});

test.each([
  [0, 0],
  [70, 1],
  [105, 2],
  [-210, 2],
  [245, 3],
  [70_000, 9],
])('a change by %i bytes is of size %i', (growth, size) => {
  const features = describeFeatures('Change', 'Change', [{ path: 'a.ts', status: 'M', growth }]);

  expect(features.filter((feature) => feature.startsWith('size:'))).toEqual([`size:${size} 1`]);
});

test('a commit of more than three hundred files is one of three hundred, a long subject one of fifteen words', () => {
  const files = Array.from({ length: 301 }, (_, at) => ({
    path: at === 300 ? 'README.md' : `src/f${at}.ts`,
    status: 'A',
  }));
  const features = describeFeatures('word '.repeat(20), '', files);

  expect(features).toEqual(
    expect.arrayContaining(['length 1.5', 'all:source 1', `files ${(Math.log(301) / 3).toFixed(3)}`]),
  );
  expect(describeFeatures('word '.repeat(14), '', files)).toContain('length 1.4');
});

test('what is about nothing in particular has no feature of it', () => {
  const features = describeFeatures('Use version two of price', 'A body', [
    { path: 'src/a.ts', status: 'M', growth: 350 },
    { path: 'test/a.test.ts', status: 'M', growth: -700 },
  ]);
  const names = features.map((feature) => feature.slice(0, feature.lastIndexOf(' ')));

  for (const absent of ['tick', 'version', 'to version', 'identifier', 'closes', 'number', 'no body', 'new source'])
    expect(names).not.toContain(absent);
  for (const absent of ['new test', 'one file', 'tiny', 'all:source', 'all:test']) expect(names).not.toContain(absent);
  expect(features).toEqual(
    expect.arrayContaining(['lines:source 0.333', 'lines:test 0.667', 'growth -0.323', 'k:source 0.5', 'new 0']),
  );
});
