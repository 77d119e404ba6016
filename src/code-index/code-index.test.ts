import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShard, type ShardDatabase } from '../indexes/shards/shards.ts';
import { withExtractors } from '../testing/extractors.ts';
import { partialClone, type TestRepository, testFolder, testRepository } from '../testing/git.ts';
import { type CodeIndexResult, indexCode } from './code-index.ts';
import { CODE_FORMAT } from './format/shard-schema.ts';
import { coverage, findDefinitions, grep, unreadFiles, usages } from '../code/queries/store.ts';

/** An application over two files, and a test of it. */
const SHOP = {
  'src/mail.ts': '/** Sends a mail. */\nexport function sendMail(to: string): void {\n  console.log(to);\n}\n',
  'src/order.ts': "import { sendMail } from './mail.js';\n\nexport function order(): void {\n  sendMail('a');\n}\n",
  'src/order.test.ts': "import { order } from './order.js';\n\norder();\n",
  'tool/run.py': 'def run():\n    return 1\n\nrun()\n',
  'README.md': '# Shop\n\nCalls sendMail.\n',
};

let folder = '';
const repositories: { remove: () => void }[] = [];
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.remove();
});

function shop(files: Record<string, string | Buffer> = SHOP): TestRepository {
  const repository = testRepository([{ files }]);
  repositories.push(repository, { remove: () => undefined });
  return repository;
}

async function index(
  { path, git }: Pick<TestRepository, 'path' | 'git'>,
  {
    shard = 'shard',
    signal = new AbortController().signal,
    onProgress = (_: { stage: string }): void => undefined,
  } = {},
): Promise<CodeIndexResult> {
  const task = {
    gitDir: git('rev-parse', '--absolute-git-dir'),
    commit: git('rev-parse', 'HEAD'),
    repository: path,
    factsCache: join(folder, 'facts'),
    targetFile: join(folder, shard),
  };
  return withExtractors((extractors) => indexCode(task, { signal, extractors, onProgress }));
}

function withIndex<T>(work: (db: ShardDatabase) => T, shard = 'shard'): T {
  const db = openShard(join(folder, shard), CODE_FORMAT);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Every row of every table of a shard. */
function rowsOf(shard: string): unknown[] {
  return withIndex((db) => {
    const query =
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' order by name";
    const tables = db.prepare(query).all();
    return tables.map(({ name }) => [name, db.prepare(`select * from "${String(name)}"`).all()]);
  }, shard);
}

/** Returns the uses of a symbol, as `path:line use`. */
function usesOf(db: ShardDatabase, name: string): string[] {
  const symbols = findDefinitions(db, { query: name, limit: 10 }).rows.map(({ id }) => id);
  const { rows } = usages(db, { symbols, limit: 100, offset: 0 });
  return rows.map(({ path, line, use }) => `${path}:${line} ${use}`);
}

test('indexes a commit: symbols, their uses across files, text and coverage', async () => {
  const stages: string[] = [];

  const result = await index(shop(), { onProgress: ({ stage }) => stages.push(stage) });

  expect(result).toMatchObject({ files: 5, parsed: 5, reused: 0, failed: 0, gaps: [] });
  expect(Object.keys(result.languages)).toEqual(['TypeScript', 'Python']);
  expect([...new Set(stages)]).toEqual(['list', 'extract', 'resolve', 'write']);
  withIndex((db) => {
    expect(usesOf(db, 'sendMail')).toEqual(['src/order.ts:1 import', 'src/order.ts:4 call']);
    expect(usesOf(db, 'order')).toEqual(['src/order.test.ts:1 import', 'src/order.test.ts:3 call']);
    expect(usesOf(db, 'run')).toEqual(['tool/run.py:4 call']);
    expect(coverage(db, {})).toMatchObject({ files: 5, parsed: 5, unparsed: 0, lines: 19 });
    // A file in which nothing is defined has no symbols, however whole it was read.
    const files = db.prepare('select count(*) as n from file where symbols > 0').get() as { n: number };
    expect(coverage(db, {}).withSymbols).toBe(files.n);
    expect(files.n).toBeLessThan(5);
  });
});

test('imports through symbolic links of files and folders find the files behind them', async () => {
  const repository = shop({
    'src/real.ts': 'export function real() {}\n',
    'use.ts':
      "import { real } from './folder/real';\nimport { real as other } from './alias';\nimport { real as third } from './up/folder/real';\nreal(other, third);\n",
    'tools/helper.py': 'def helper(): pass\n',
    'run.py': 'from linked.helper import helper\nhelper()\n',
    'lib/page.rb': 'class Page; end\n',
    'page_test.rb': "require_relative 'rb/page'\nPage.new\n",
  });
  const links = {
    folder: 'src',
    'alias.ts': 'src/real.ts',
    linked: 'tools',
    rb: './lib',
    up: '.',
    loop: 'loop',
    out: '/etc',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(repository.path, name));
  repository.commit();

  const { gaps } = await index(repository);

  withIndex((db) => {
    expect(usesOf(db, 'real')).toEqual([
      'use.ts:1 import',
      'use.ts:2 import',
      'use.ts:2 import',
      'use.ts:3 import',
      'use.ts:3 import',
      'use.ts:4 call',
      'use.ts:4 read',
      'use.ts:4 read',
    ]);
    expect(usesOf(db, 'helper')).toEqual(['run.py:1 import', 'run.py:2 call']);
    const importing = db
      .prepare('select path from file join link on link.file = file.id where imports is not null')
      .all();
    expect(importing.map(({ path }) => path)).toContain('page_test.rb');
  });
  expect(gaps).toMatchObject([{ kind: 'links', count: 7 }]);
});

test('parses only what a commit changed', async () => {
  const repository = shop();
  await index(repository);
  repository.commit({ files: { 'src/order.ts': "import { sendMail } from './mail.js';\n\nsendMail('b');\n" } });

  const result = await index(repository);

  expect(result).toMatchObject({ parsed: 1, reused: 4 });
  withIndex((db) => expect(usesOf(db, 'sendMail')).toEqual(['src/order.ts:1 import', 'src/order.ts:3 call']));
});

test('parses a text once, however many files have it, and knows it under its next name', async () => {
  const repository = shop({ 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const a = 1;\n' });
  expect(await index(repository)).toMatchObject({ files: 2, symbols: 2, parsed: 1 });
  repository.git('mv', 'b.ts', 'c.ts');
  repository.commit();

  expect(await index(repository)).toMatchObject({ files: 2, symbols: 2, parsed: 0, reused: 1 });
});

test('a run tells the same numbers as the index that it wrote', async () => {
  const text = 'export const alike = 1;\n';
  const repository = shop({
    'b.ts': text,
    'a.css': `a { b: "${'c'.repeat(text.length - 11)}" }\n`,
    'broken.ts': 'export function broken( {\n',
    'empty/__init__.py': '',
    'long.md': '# Long\n\n'.repeat(9),
    'latin.go': Buffer.from('caf\xe9 = 1\n', 'latin1'),
  });

  const { files, symbols, lines, failed, languages } = await index(repository);

  const totals = withIndex((db) => coverage(db, {}));
  expect({ files, symbols, lines, unparsed: failed }).toEqual({
    files: totals.files,
    symbols: totals.symbols,
    lines: totals.lines,
    unparsed: totals.unparsed,
  });
  expect(Object.entries(languages)).toEqual(Object.entries(totals.languages));
  expect(languages).not.toHaveProperty('Python');
});

test('searches what is large or minified as text, leaves out what is no text, and names each', async () => {
  const repository = shop({
    'ok.ts': 'export const ok = 1;\n',
    'big.ts': `export const big = 1;\n${'// filler\n'.repeat(110_000)}`,
    'small.min.js': `a(${'b,'.repeat(15_000)}c)`,
    'zero.go': Buffer.from('package a\0'),
    'logo.png': Buffer.from('png'),
    data: Buffer.from([0, 1, 2]),
    'old.dart': 'main() {}\n',
    'latin.py': Buffer.from('caf\xe9 = 1\n', 'latin1'),
    'utf16.ts': Buffer.from('\ufeffexport const größe = 1;\n', 'utf16le'),
    'huge.json': `["${'x'.repeat(100)}"]\n`.repeat(80_000),
    'wide.js': `a(${'b,'.repeat(600_000)}c)`,
  });
  symlinkSync('ok.ts', join(repository.path, 'alias.ts'));
  repository.commit();

  const result = await index(repository);

  expect(result).toMatchObject({ files: 10, failed: 6, parsed: 3 });
  const { failed } = withIndex((db) => coverage(db, {}));
  expect(Object.fromEntries(failed.map(({ path, reason }) => [path, reason]))).toEqual({
    'big.ts': 'larger than 1 MB: searched as text, not parsed',
    'huge.json': 'larger than 8 MB: not searched',
    'old.dart': 'no parser for Dart: searched as text',
    'small.min.js': 'minified: its lines are longer than 500 characters: searched as text, not parsed',
    'wide.js': 'minified: its lines are longer than 500 characters, and it is larger than 1 MB: not searched',
    'zero.go': 'it contains zero bytes',
  });
  expect(result.gaps.map(({ kind, count, text }) => `${kind} ${count} ${text.slice(0, 60)}`)).toEqual([
    'large 2 Too large: big.ts (larger than 1 MB: searched as text, not p',
    'lines 2 Of very long lines: small.min.js (minified: its lines are lo',
    'binary 1 Not read as text: zero.go (it contains zero bytes).',
    'encoding 1 Read in an encoding that was guessed: latin.py (windows-1252',
    'links 1 Symbolic links, whose content is indexed under its own path:',
    'unparsed 1 Not parsed: old.dart (no parser for Dart: searched as text).',
  ]);
  const unread = withIndex((db) => unreadFiles(db, { limit: 20 }));
  const named = ['huge.json', 'wide.js', 'zero.go', 'big.ts', 'old.dart', 'small.min.js', 'alias.ts', 'latin.py'];
  expect(unread.files.map(({ path }) => path)).toEqual(named);
  const matchesOf = (pattern: string): unknown[] =>
    withIndex((db) => grep(db, { pattern, limit: 1, offset: 0 }).rows.map(({ path, line }) => `${path}:${line}`));
  expect([matchesOf('const größe'), matchesOf('café'), matchesOf('filler'), matchesOf(',c\\)')]).toEqual([
    ['utf16.ts:1'],
    ['latin.py:1'],
    ['big.ts:2'],
    ['small.min.js:1'],
  ]);
});

test('gives up a file that crashes the parser, remembers that, and indexes the rest', async () => {
  const repository = shop({
    ...SHOP,
    'src/hostile.ts': `x = ${'a ? b : '.repeat(50_000)}c\n`.replaceAll(': a', ':\na'),
  });

  const first = await index(repository);
  const second = await index(repository);

  expect(first).toMatchObject({ files: 6, failed: 1 });
  expect(second).toMatchObject({ files: 6, failed: 1, parsed: 0, reused: 6 });
  withIndex((db) => expect(usesOf(db, 'sendMail')).toHaveLength(2));
});

test('gives the same index whatever was known before', async () => {
  const repository = shop();
  await index(repository, { shard: 'first' });
  await index(repository, { shard: 'second' });

  expect(rowsOf('second')).toEqual(rowsOf('first'));
});

test('indexes a partial clone as far as it goes and tells the gap', async () => {
  const clone = partialClone(shop());
  repositories.push(clone);

  const result = await index(clone);

  expect(result).toMatchObject({ files: 5, symbols: 0, parsed: 0, failed: 5 });
  expect(result.gaps).toEqual([
    { kind: 'missing', count: 5, text: 'Files whose content is missing (a partial clone): 5.' },
  ]);
});

test('files that lost lines to syntax errors are named with them, and no others', async () => {
  const files = {
    'lost.kt': 'fun one() = 1\n\nclass Two( {\n  fun three(a: Int {\n    return a\n  }\n}\n',
    'lost.ts': 'export function whole() {\n  return ((;\n}\n',
    'lost.py': 'class One:\n    pass\n\n\nx = 1 +* 2\ndef two():\n    return 2\n',
    'kept.go': 'package a\n\nfunc One() int { return 1 + ) }\n\nfunc Two() {}\n',
    'whole.kt': 'fun five() = 5 // TODO: six\n',
  };
  const repository = testRepository([{ files }]);
  repositories.push(repository);

  const first = await index(repository);
  const cached = await index(repository);

  const text = 'Not fully read because of syntax errors: lost.kt (lines 3-5), lost.py (lines 5), lost.ts (lines 1-2).';
  expect(first).toMatchObject({ files: 5, failed: 3, parsed: 5, gaps: [{ kind: 'syntax', count: 3, text }] });
  expect(cached).toMatchObject({ failed: 3, parsed: 0, reused: 5, gaps: first.gaps });
  expect(withIndex((db) => coverage(db, {}))).toMatchObject({
    parsed: 2,
    unparsed: 3,
    failed: [
      { path: 'lost.kt', reason: 'syntax errors in lines 3-5' },
      { path: 'lost.py', reason: 'syntax errors in lines 5' },
      { path: 'lost.ts', reason: 'syntax errors in lines 1-2' },
    ],
  });
  withIndex((db) =>
    expect(findDefinitions(db, { query: 'one', limit: 9 })).toMatchObject({ rows: [{ path: 'lost.kt' }] }),
  );
});

test('of many broken lines the first five are named', async () => {
  const file = Array.from(
    { length: 8 },
    (_, at) => `int f${at}() { return ${at}; }\n\nMACRO(a b) ) c d ${at}\n\n`,
  ).join('');
  const repository = testRepository([{ files: { 'many.c': file } }]);
  repositories.push(repository);

  await index(repository);

  withIndex((db) =>
    expect(coverage(db, {}).failed[0]?.reason).toMatch(/^syntax errors in lines (\d[-\d]*, ){4}\d[-\d]* and \d+ more$/),
  );
});

test('pointers to Git LFS are named, and are no text of the repository', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`;
  const repository = testRepository([{ files: { 'data/prices.csv': pointer, 'a.ts': 'export const a = 1;\n' } }]);
  repositories.push(repository);

  const result = await index(repository);

  expect(result).toMatchObject({
    files: 2,
    gaps: [{ kind: 'pointers', count: 1, text: 'Only Git LFS pointers, without their content: data/prices.csv.' }],
  });
});

test('goes on where a run that was stopped has been', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 600 }, (_, id) => [
      `src/f${String(id).padStart(3, '0')}.ts`,
      `export const x${id} = ${id};\n`,
    ]),
  );
  const repository = shop(files);
  const stop = new AbortController();
  const run = index(repository, {
    signal: stop.signal,
    onProgress: ({ stage }) => (stage === 'resolve' ? stop.abort(new Error('stopped')) : undefined),
  });
  await expect(run).rejects.toThrow('stopped');

  const result = await index(repository);

  expect(result).toMatchObject({ files: 600, symbols: 600, parsed: 0, reused: 600 });
});

test('says that a commit is missing', async () => {
  const repository = shop();
  const task = {
    gitDir: repository.git('rev-parse', '--absolute-git-dir'),
    commit: 'a'.repeat(40),
    repository: 'x',
    factsCache: join(folder, 'facts'),
    targetFile: join(folder, 'shard'),
  };

  const run = indexCode(task, { signal: new AbortController().signal, onProgress: () => undefined });

  await expect(run).rejects.toMatchObject({ name: 'ServiceError' });
});
