import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { lateAwaits } from './late-awaits.ts';
import { asyncNames, unhandledVoids } from './unhandled-voids.ts';

const SRC = dirname(import.meta.dirname);
const FILES = globSync('**/*.ts', { cwd: SRC }).filter(
  (file) => !file.endsWith('.test.ts') && !file.startsWith('testing/'),
);

test('a promise that begins before another await and is awaited after it is recognised in every form', () => {
  const bad = `
    async function a() { const first = f(); await g(); return await first; }
    async function b() { const first = f(); await g(); await Promise.all([first, h()]); }
    async function c() { const all = []; for (const x of y) { all.push(f(x)); await g(); } await Promise.all(all); }
    async function d() { const over = Promise.withResolvers(); await g(); await over.promise; }
    async function e() { const first = f(); for await (const x of g()) h(x); await first; }
    async function i() { await Promise.all([f(), await g()]); }`;

  expect(lateAwaits('bad.ts', bad).map((location) => location.split(' ')[0])).toEqual(['2', '3', '4', '5', '6', '7']);
});

test('promises that have a handler from the start, or are awaited next, are not', () => {
  const good = `
    async function a() { const first = awaitLater(f()); await g(); await first; }
    async function b() { const first = f().catch(report); await g(); await first; }
    async function c() { const first = f(); first.catch(report); await g(); await first; }
    async function d() { const [first, second] = await Promise.all([f(), g()]); await h(); return first + second; }
    async function e() { const all = new Set(); for (const x of y) { all.add(awaitLater(f(x))); await g(); } await Promise.all(all); }
    async function i() { const first = f(); const second = async () => { await g(); }; await first; await second(); }`;

  expect(lateAwaits('good.ts', good)).toEqual([]);
});

test('a promise that is thrown away without a handler is recognised in every form, and nothing else', () => {
  const text = `
    class Store { async save() {} #load(): Promise<void> {} size(): number {} }
    const fetchAll = async () => {};
    const a = () => void store.save();
    const b = () => void this.#load();
    const c = () => void fetchAll();
    const d = () => void store.save().finally(end);
    const e = () => void store.save().then(end);
    const handled = [() => void store.save().catch(end), () => void store.save().then(end, end), () => void store.size()];`;
  const names = new Set(asyncNames('text.ts', text));

  expect([...names]).toEqual(['save', 'load', 'fetchAll']);
  expect(unhandledVoids('text.ts', text, (name) => names.has(name))).toEqual([
    '4 save',
    '5 load',
    '6 fetchAll',
    '7 finally',
    '8 then',
  ]);
});

test('no promise of the service is thrown away without a handler', () => {
  const texts = FILES.map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));
  const names = new Set(texts.flatMap(({ file, text }) => asyncNames(file, text)));
  const unhandled = texts.flatMap(({ file, text }) =>
    unhandledVoids(file, text, (name) => names.has(name)).map((location) => `${file}:${location}`),
  );

  expect(names.size).toBeGreaterThan(500);
  expect(unhandled).toEqual([]);
});

test('no promise of the service is without a handler between its begin and its await', () => {
  expect(FILES.length).toBeGreaterThan(900);

  const late = FILES.flatMap((file) =>
    lateAwaits(file, readFileSync(join(SRC, file), 'utf8')).map((location) => `${file}:${location}`),
  );

  // `awaitLater` of kernel/await-later.ts gives it one.
  expect(late).toEqual([]);
});
