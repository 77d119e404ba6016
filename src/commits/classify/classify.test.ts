import { expect, test } from 'vitest';
import { type CommitClass, classifyCommit, openModel, typeByPaths } from './classify.ts';

const file = (path: string, status = 'M'): { path: string; status: string; added: number; deleted: number } => ({
  path,
  status,
  added: 3,
  deleted: 1,
});

function classOf(subject: string, body = '', ...paths: string[]): CommitClass {
  return classifyCommit({
    subject,
    body,
    files: (paths.length === 0 ? ['src/a.ts'] : paths).map((path) => file(path)),
  });
}

test.each([
  ['feat: add a cart', { type: 'feat', breaking: false }],
  ['fix(cart)!: round down', { type: 'fix', scope: 'cart', breaking: true }],
  ['Feature(web, api): search', { type: 'feat', scope: 'web, api', breaking: false }],
  ['bugfix: round', { type: 'fix', breaking: false }],
  ['🐛 round down', { type: 'fix', breaking: false }],
  [':recycle: move the cart', { type: 'refactor', breaking: false }],
  ['✨ feat(cart): coupons', { type: 'feat', scope: 'cart', breaking: false }],
  ['⚡️ read less', { type: 'perf', breaking: false }],
  ['revert: feat: add a cart', { type: 'revert', breaking: false }],
  ['Revert "feat: add a cart"', { type: 'revert', breaking: false }],
])('what the author says wins: %s', (subject, stated) => {
  const expected = { ...stated, confidence: 1, labelSource: 'author' };

  expect(classOf(subject, '', 'docs/cart.md')).toEqual(expected);
});

test.each([
  ['Describe the cart', ['README.md', 'docs/cart.rst'], 'docs'],
  ['Check rounding', ['src/cart.test.ts', 'src/__tests__/data.json'], 'test'],
  ['Use Node 24', ['.github/workflows/ci.yml'], 'ci'],
])('without a convention the paths decide where all files are of one kind: %s', (subject, paths, type) => {
  expect(classOf(subject, '', ...paths)).toMatchObject({ type, labelSource: 'rule' });
});

test('a breaking change is told by a footer and by the subject, with or without a convention', () => {
  expect(classOf('Change the price', 'It is in cents.\n\nBREAKING CHANGE: prices are in cents').breaking).toBe(true);
  expect(classOf('feat: cents', 'BREAKING-CHANGE: prices are in cents').breaking).toBe(true);
  expect(classOf('BREAKING: prices are in cents').breaking).toBe(true);
  expect(classOf('fix: a breaking change: none', 'This is no breaking change').breaking).toBe(false);
});

test('a place before the colon is the scope, a sentence is not', () => {
  expect(classOf('net/http: fix a crash when the header is missing')).toMatchObject({ type: 'fix', scope: 'net/http' });
  expect(classOf('Fix two things: a leak and a crash')).not.toHaveProperty('scope');
});

test.each([
  ['Fix a crash when the cart is empty', ['src/cart.ts', 'src/cart.test.ts'], 'fix'],
  ['Add support for coupons', ['src/coupon.ts', 'src/cart.ts', 'README.md'], 'feat'],
  ['Rename Cart to Basket and move it', ['src/cart.ts', 'src/basket.ts'], 'refactor'],
])('without a convention the model tells what words and files mean: %s', (subject, paths, type) => {
  const commitClass = classOf(subject, '', ...paths);

  expect(commitClass.best?.[0] ?? commitClass.type).toBe(type);
  expect(commitClass.labelSource).toBe('model');
});

test('what the model does not know is unclassified, with the two likeliest types', () => {
  const { type, confidence, best } = classOf('Cart');

  expect(type).toBe('unclassified');
  expect(confidence).toBeLessThan(0.6);
  expect(new Set(best).size).toBe(2);
});

test('a sure class is above 0.6, and a commit without files has one too', () => {
  const sure = classOf('Fix a crash when the cart is empty', 'Fixes #12', 'src/cart.ts');

  expect(sure).toMatchObject({ type: 'fix', labelSource: 'model' });
  expect(sure.confidence).toBeGreaterThanOrEqual(0.6);
  expect(classifyCommit({ subject: 'Merge branch main', body: '', files: [] })).toMatchObject({
    type: 'chore',
    labelSource: 'rule',
  });
});

const typeOfPaths = (...paths: string[]): string | undefined => typeByPaths(paths.map((path) => ({ path })));

test('only files of one kind that leaves no other type decide it', () => {
  expect([
    typeOfPaths('README.md', 'src/a.ts'),
    typeOfPaths('package.json'),
    typeOfPaths('src/a.ts'),
    typeOfPaths(),
  ]).toEqual([undefined, undefined, undefined, undefined]);
  expect([typeOfPaths('README.md'), typeOfPaths('src/a.test.ts'), typeOfPaths('.github/workflows/a.yml')]).toEqual([
    'docs',
    'test',
    'ci',
  ]);
  expect([classOf('1.2.3'), classOf('Cart', '', 'README.md')].map(({ confidence }) => confidence)).toEqual([
    0.95, 0.95,
  ]);
});

/** Of two types: the first by how much its score is above that of the second. */
const likelihoodAbove = (score: number): number => Number((1 / (1 + Math.exp(-score / 8))).toFixed(6));

test('a model sums up the weights of the features that it knows and its bias, the likeliest type first', () => {
  const weights = [4, 0, 0, 8, -2, 2];
  const model = openModel({
    classes: ['fix', 'feat'],
    features: 'one\ntwo',
    weights: Buffer.from(Int8Array.from(weights).buffer).toString('base64'),
    unit: 0.25,
    sharpness: 0.5,
  });
  const shown = (features: [string, number][]): unknown[] =>
    model(new Map(features)).map(({ type, probability }) => [type, Number(probability.toFixed(6))]);

  expect(shown([])).toEqual([
    ['fix', likelihoodAbove(4)],
    ['feat', likelihoodAbove(-4)],
  ]);
  expect(shown([['one', 2]])).toEqual([
    ['feat', likelihoodAbove(4)],
    ['fix', likelihoodAbove(-4)],
  ]);
  expect(
    shown([
      ['two', 0.5],
      ['three', 9],
    ])[0],
  ).toEqual(['fix', likelihoodAbove(8)]);
});
