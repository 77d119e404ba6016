import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withExtractors } from '../../testing/extractors.ts';
import { type TestRepository, testFolder, testRepository } from '../../testing/git.ts';
import { shardContent, shardDifferences } from '../../testing/shard-content.ts';
import { type CodeIndexResult, type CodeIndexTask, indexCode } from '../code-index.ts';
import { writeValues } from '../../testing/shard-values.ts';
import { updateCode, updateOrIndexCode } from './update.ts';

let folder = '';
let repository: TestRepository;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => {
  repository.remove();
  rmSync(folder, { recursive: true, force: true });
});

const run = { signal: new AbortController().signal, onProgress: (): void => undefined };

function task(commit: string, shard: string): CodeIndexTask {
  return {
    gitDir: repository.git('rev-parse', '--absolute-git-dir'),
    commit,
    repository: 'one',
    factsCache: join(folder, 'facts'),
    targetFile: join(folder, shard),
  };
}

function index(given: CodeIndexTask): Promise<CodeIndexResult> {
  return withExtractors((extractors) => indexCode(given, { ...run, extractors }));
}

/** Makes a repository with these files, and its first shard. */
async function begin(files: Record<string, string>): Promise<void> {
  repository = testRepository();
  const commit = repository.commit({ files });
  await index(task(commit, 'base'));
  writeValues(join(folder, 'base'));
}

/** Commits, updates the shard, and compares it with one that is made anew. Gives what the update says of itself. */
function step(files: Record<string, string | undefined>): Promise<CodeIndexResult> {
  return updateTo(repository.commit({ files }));
}

/** Updates the shard to a commit, and compares it with one that is made anew. */
async function updateTo(commit: string): Promise<CodeIndexResult> {
  const updated = await withExtractors((extractors) =>
    updateCode({ ...task(commit, 'updated'), previousFile: join(folder, 'base') }, { ...run, extractors }),
  );
  if (!('files' in updated)) throw new Error(`not updated: ${updated.anew}`);
  writeValues(join(folder, 'updated'), join(folder, 'base'));
  const whole = await index(task(commit, 'whole'));
  writeValues(join(folder, 'whole'));
  expect(shardDifferences(join(folder, 'updated'), join(folder, 'whole'))).toEqual([]);
  expect(countsOf(updated)).toEqual(countsOf(whole));
  renameSync(join(folder, 'updated'), join(folder, 'base'));
  return updated;
}

/** Returns the results that do not depend on how the shard was made. */
function countsOf({ files, symbols, lines, languages, failed, gaps }: CodeIndexResult): unknown {
  return { files, symbols, lines, languages, failed, gaps };
}

const filler = (name: string): string => `export function ${name}Filler(): string {\n  return '${name}';\n}\n`;

const SHOP = {
  'package.json': '{ "name": "shop" }\n',
  'src/mail.ts': [
    'export interface Mailer {\n  send(to: string): void;\n}\n',
    'export class Smtp implements Mailer {\n  send(to: string): void {\n    console.log(to);\n  }\n}\n',
    'export function mailer() {\n  return new Smtp();\n}\n',
  ].join('\n'),
  'src/order.ts':
    "import { mailer } from './mail.js';\n\nexport const current = mailer();\n\nexport function order() {\n  current.send('a');\n  return current;\n}\n",
  'src/page.ts':
    "import { order } from './order.js';\nimport { late } from './late.js';\n\norder().send('b');\nlate();\nunknown.close();\n",
  'src/barrel.ts': "export * from './order.js';\nexport { mailer as post } from './mail.js';\n",
  'src/user.ts': "import { order, post } from './barrel.js';\n\npost().send('c');\norder();\n",
  ...Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => [`src/filler/${name}.ts`, filler(name)]),
  ),
};

test('an update is row by row the shard that is made anew: bodies, members, new files, moves, exports', async () => {
  await begin(SHOP);

  const body = await step({
    'src/mail.ts': SHOP['src/mail.ts'].replace('console.log(to)', 'console.warn(`to ${to}`) // TODO: queue'),
  });
  expect(body).toMatchObject({ parsed: 1, resolved: 1 });

  const member = await step({
    'src/mail.ts': SHOP['src/mail.ts']
      .replace('export class Smtp', 'export const first = 1;\n\nexport class Smtp')
      .replace('  send(to: string): void {', '  close(): void {}\n\n  send(to: string): void {'),
  });
  // page.ts says `.close` of something unknown: now it may be this one.
  expect(member.resolved).toBeGreaterThan(1);
  expect(member.resolved).toBeLessThan(Object.keys(SHOP).length - 1);

  await step({ 'src/late.ts': 'export function late(): void {}\n', 'docs/notes.md': '# Notes\n\nCalls late.\n' });
  await step({ 'src/late.ts': undefined, 'src/later/late.ts': 'export function late(): void {}\n' });
  await step({
    'src/mail.ts': SHOP['src/mail.ts'].replace('return new Smtp()', 'return { send: (to: string) => to }'),
  });
  await step({ 'src/barrel.ts': "export { order } from './order.js';\nexport { mailer as post } from './mail.js';\n" });
  await step({
    'src/order.ts': `${SHOP['src/order.ts']}\nexport default order;\n`,
    'src/user.ts': "import again from './order.js';\n\nagain().send('d');\n",
  });
  await step({
    'src/order.ts': SHOP['src/order.ts'].replace('return current;', ''),
    'package.json': '{ "version": "1.1.0", "name": "shop" }\n',
  });
  const deleted = await step({ 'src/filler/c.ts': undefined, 'src/filler/d.ts': filler('other'), 'logo.txt': 'a\0b' });
  expect(deleted.files).toBe(16);
});

const entity = (name: string): string => `export class ${name} {\n  id = 1;\n  title = '${name}';\n}\n`;

test('of a new TypeScript file only what imports it is resolved again, however common its names are', async () => {
  const reader = "import { Post } from './entity/Post';\n\nexport const title = new Post().title;\n// Post, 'Post'\n";
  const folders = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  await begin({
    'package.json': '{ "name": "posts", "exports": { "./mapped": "./src/mapped.js" } }\n',
    ...Object.fromEntries(
      folders.flatMap((name) => [
        [`src/${name}/entity/Post.ts`, entity('Post')],
        [`src/${name}/read.ts`, reader],
      ]),
    ),
    'src/late/read.ts': reader,
    'src/late/again.ts': "import { title } from './read.js';\n\ntitle.id;\n",
    'src/package.ts':
      "import { Post } from 'posts/mapped';\nimport all from './folder';\n\nnew Post().id;\nall.title;\n",
  });

  const unrelated = await step({ 'src/i/entity/Post.ts': entity('Post') });
  expect(unrelated.resolved).toBe(1);
  const awaited = await step({ 'src/late/entity/Post.ts': entity('Post') });
  expect(awaited.resolved).toBe(3);
  await step({ 'src/mapped.ts': entity('Post') });
  await step({ 'src/folder/index.ts': "import { Post } from '../mapped';\n\nexport default new Post();\n" });
  const gone = await step({ 'src/a/entity/Post.ts': undefined });
  expect(gone.resolved).toBe(1);
});

test('an update is the shard that is made anew after any edits of modules', async () => {
  const next = pseudoRandom(7);
  const any = <Item>(list: readonly Item[]): Item => list[next() % list.length] as Item;
  const places = ['a', 'b/index', 'b/c', 'd', 'd/index', 'e.util', 'f/g/index', 'f/g/h', 'f/i'];
  const names = ['id', 'post', 'title', 'send', 'at'];
  const specifier = (from: string): string => {
    const up = '../'.repeat(from.split('/').length - 1) || './';
    return up + any(places).replace(next() % 2 === 0 ? /\/index$/ : /$/, '') + any(['', '', '.js']);
  };
  const module = (stem: string): string => {
    const lines = Array.from({ length: 1 + (next() % 4) }, () => {
      const [name, otherName, source] = [any(names), any(names), specifier(stem)];
      return any([
        `export * from '${source}';`,
        `export { ${name} as ${otherName} } from '${source}';`,
        `export { default as ${name} } from '${source}';`,
        `import * as all from '${source}';\nexport const made = all.${name}();\nmade.${otherName};`,
        `import ${name} from '${source}';\n${name}.${otherName}();`,
        `import { ${name} } from '${source}';\nexport default ${name};`,
        `import { ${name} } from '${source}';\nexport const ${otherName}Made = ${name}().${otherName};`,
        `export class ${name} {\n  ${otherName} = 1;\n  ${any(names)}() {\n    return this;\n  }\n}`,
        `export function ${name}() {\n  return { ${otherName}: 1 };\n}`,
        `unknown.${name}(${otherName});`,
      ]);
    });
    return `${lines.join('\n')}\n`;
  };
  await begin({
    'package.json': '{ "name": "any" }\n',
    ...Object.fromEntries(places.map((stem) => [`${stem}.ts`, module(stem)])),
    // So many that it is never most of the files that are resolved again: then all would be.
    ...Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`filler/${n}.ts`, `export const filler${n} = ${n};\n`]),
    ),
  });
  const present = new Set(places);

  let resolved = 0;
  for (let round = 0; round < 6; round += 1) {
    const edits = new Map<string, string | undefined>();
    for (const stem of [any(places), any(places)].slice(next() % 2)) {
      const isRemoved = present.has(stem) && next() % 3 === 0;
      edits.set(`${stem}.ts`, isRemoved ? undefined : `${module(stem)}// ${round}\n`);
      if (isRemoved) present.delete(stem);
      else present.add(stem);
    }
    resolved += (await step(Object.fromEntries(edits))).resolved;
  }
  expect(resolved).toBeGreaterThan(6);
});

/** A generator of whole numbers that gives the same ones each time. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
}

test('an update keeps, finds and forgets files with syntax errors', async () => {
  const lost = 'class Two( {\n  fun three(a: Int {\n    return a\n  }\n}\n';
  await begin({ ...SHOP, 'a.kt': `fun one() = 1 // TODO: four\n\n${lost}`, 'b.kt': 'fun five() = 5\n' });

  const unrelated = await step({ 'src/filler/a.ts': filler('other') });
  const added = await step({ 'b.kt': lost, 'src/filler/b.ts': 'const a = ((;\n' });
  const forgotten = await step({ 'a.kt': 'fun one() = 1\n', 'b.kt': undefined });

  expect(unrelated.gaps).toMatchObject([
    { kind: 'syntax', count: 1, text: expect.stringContaining('a.kt (lines 3-5).') },
  ]);
  expect(added.gaps).toMatchObject([{ count: 3, text: expect.stringContaining('b.kt (lines 1-3)') }]);
  expect(forgotten.gaps).toMatchObject([{ count: 1, text: expect.stringContaining('src/filler/b.ts (lines 1') }]);
});

test('an update keeps what a partial clone lacks as a gap, and reads what has come since', async () => {
  repository = testRepository();
  const lost = "export function lost() {\n  return 'lost';\n}\n";
  const user = "import { lost } from '../lost/a.js';\n\nlost();\n";
  const first = repository.commit({
    files: { ...SHOP, 'lost/a.ts': lost, 'lost/notes.unknown': 'a\n', 'use/a.ts': user },
  });
  const second = repository.commit({ files: { 'src/filler/a.ts': filler('other'), 'late/b.ts': filler('late') } });
  const third = repository.commit({ files: { 'src/filler/b.ts': filler('third') } });
  for (const path of ['lost/a.ts', 'lost/notes.unknown', 'late/b.ts']) {
    const id = repository.git('rev-parse', `${third}:${path}`);
    rmSync(join(repository.path, '.git/objects', id.slice(0, 2), id.slice(2)), { force: true });
  }
  await index(task(first, 'base'));

  const lacking = await updateTo(second);
  writeFileSync(join(folder, 'lost.ts'), lost);
  repository.git('hash-object', '-w', join(folder, 'lost.ts'));
  const arrived = await updateTo(third);

  expect(lacking.gaps).toMatchObject([{ kind: 'missing', count: 3 }]);
  expect(arrived.gaps).toMatchObject([{ kind: 'missing', count: 2 }]);
  expect(arrived.symbols).toBe(lacking.symbols + 1);
});

test('a script that changes is matched with its declaration file again', async () => {
  const declared = 'export function store(): number;\nexport function late(): number;\n';
  await begin({ ...SHOP, 'lib/store.d.ts': declared, 'lib/store.js': 'export function store() {\n  return 1;\n}\n' });

  const changed = await step({
    'lib/store.js': 'export const other = 1;\n\nexport function store() {\n  return 2;\n}\n',
  });
  expect(changed).toMatchObject({ parsed: 1, resolved: 2 });
  await step({ 'lib/store.js': 'export function late() {\n  return 3;\n}\n' });
  await step({ 'lib/store.js': undefined });
  await step({ 'lib/store.js': 'export const store = () => 4;\n' });
});

test('an update follows links that stay, and the shard is made anew when one changes', async () => {
  repository = testRepository();
  symlinkSync('src', join(repository.path, 'link'));
  const commit = repository.commit({
    files: { ...SHOP, 'use.ts': "import { order } from './link/order';\norder();\n" },
  });
  await index(task(commit, 'base'));

  await step({ 'src/order.ts': `${SHOP['src/order.ts']}export const more = 1;\n` });
  await step({
    'src/added.ts': 'export const added = 1;\n',
    'late.ts': "import { added } from './link/added';\nadded;\n",
  });
  rmSync(join(repository.path, 'link'));
  const removed = await updateCode(
    { ...task(repository.commit(), 'updated'), previousFile: join(folder, 'base') },
    run,
  );

  expect(removed).toEqual({ anew: 'symbolic links changed' });
});

test('the shard is made anew, and says why, when too much or what says where modules are has changed', async () => {
  await begin(SHOP);
  const previousFile = join(folder, 'base');
  const anew = async (commit: string): Promise<string | undefined> =>
    (await updateOrIndexCode({ ...task(commit, 'updated'), previousFile }, run)).anew;

  const config = repository.commit({ files: { 'package.json': '{ "name": "store" }\n' } });
  expect(await anew(config)).toMatch(/where modules are/);
  repository.git('reset', '--quiet', '--hard', 'HEAD~1');
  const much = repository.commit({
    files: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`more/${at}.ts`, filler(`m${at}`)])),
  });
  expect(await anew(much)).toMatch(/much/);
  expect(shardContent(join(folder, 'updated')).get('file')).toHaveLength(44);
  copyFileSync(join(folder, 'facts'), join(folder, 'base'));
  expect(await anew(much)).toMatch(/no shard/);
});

test('the shard is made anew when the names of a changed file lead on further than the stack goes', async () => {
  const steps = Array.from({ length: 10_000 }, (_, n) => `  const v${n + 1} = v${n};\n`).join('');
  const deep = (first: string): string =>
    `export function deep() {\n  const v0 = ${first};\n${steps}  return v10000;\n}\n`;
  await begin({ ...SHOP, 'src/deep.ts': deep('1') });

  const commit = repository.commit({ files: { 'src/deep.ts': deep("'one'") } });
  const result = await updateOrIndexCode({ ...task(commit, 'updated'), previousFile: join(folder, 'base') }, run);

  expect(result).toMatchObject({ anew: expect.stringContaining('stack') as string, failed: 0 });
});

test('updates that go on from one shard at a time leave it as it was: calls read it meanwhile', async () => {
  await begin(SHOP);
  const [base, commit] = [join(folder, 'base'), repository.commit({ files: { 'src/mail.ts': filler('mail') } })];
  const before = readFileSync(base);

  const both = await Promise.all(
    ['one', 'two'].map((name) => updateCode({ ...task(commit, name), previousFile: base }, run)),
  );

  for (const result of both) expect(result).not.toHaveProperty('anew');
  expect(readFileSync(base).equals(before)).toBe(true);
  expect(readFileSync(join(folder, 'one')).equals(readFileSync(join(folder, 'two')))).toBe(true);
});

test('the shard is made anew when the one before is deleted meanwhile', async () => {
  await begin(SHOP);
  const [base, commit] = [join(folder, 'base'), repository.commit({ files: { 'src/mail.ts': filler('mail') } })];
  const onProgress = ({ stage }: { stage: string }) => stage === 'resolve' && rmSync(base, { force: true });

  const result = await updateOrIndexCode({ ...task(commit, 'updated'), previousFile: base }, { ...run, onProgress });

  expect(result).toMatchObject({ anew: 'the shard before is gone', files: 14 });
});

test('an update that is cancelled leaves nothing behind', async () => {
  await begin(SHOP);
  const commit = repository.commit({ files: { 'src/mail.ts': filler('mail') } });
  const stopped = new AbortController();
  const stop = {
    signal: stopped.signal,
    onProgress: ({ stage }: { stage: string }) => stage === 'resolve' && stopped.abort(new Error('enough')),
  };

  await expect(
    updateOrIndexCode({ ...task(commit, 'updated'), previousFile: join(folder, 'base') }, stop),
  ).rejects.toThrow('enough');

  expect(readdirSync(folder).filter((name) => name.startsWith('updated'))).toEqual([]);
});
