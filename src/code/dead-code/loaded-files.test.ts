import { expect, test } from 'vitest';
import { globbedPaths, loadedFiles } from './loaded-files.ts';

test.each([
  ['await import(`./plugins/${name}.ts`)', ['./plugins/**.ts']],
  ["require('./jobs/' + name)", ['./jobs/**']],
  ["require('./jobs/' + name + '/run.js')", ['./jobs/**/run.js']],
  ["import.meta.glob('./pages/*.ts')", ['./pages/*.ts']],
  ["import.meta.glob<Page>(['/src/a/*.ts', '../b/*.ts'], { eager: true })", ['/src/a/*.ts', '../b/*.ts']],
  ["require.context('./icons', true, /x/)", ['./icons/**']],
  ["for (const one of fs.readdirSync(path.join(__dirname, 'events'))) require(path.join(dir, one));", ['./events/**']],
  ['readdirSync(__dirname).map((one) => require(one))', ['./**']],
  [
    "const jobs = path.join(__dirname, 'jobs');\nfor (const f of readdirSync(jobs)) require(path.join(jobs, f));",
    ['./jobs/**'],
  ],
  [
    "const at = new URL('./jobs/', import.meta.url); for (const f of await readdir(at)) await import(f);",
    ['./jobs/**'],
  ],
  ["require(path.join(__dirname, 'jobs', name))", ['./jobs/**']],
  ["const at = join(__dirname, 'texts'); require(name)", []],
  ["readdirSync(join(__dirname, 'texts')); require('./one')", []],
  ["const place = '../server';\nrequire(place);", ['../server']],
  ["import('./one.ts'); require('fs'); import(name)", []],
])('%s loads what its globs mean', (text, globs) => {
  expect(loadedFiles(text)).toEqual(globs);
});

test.each([
  ['server/', './plugins/**.ts', 'server/plugins/one', true],
  ['server/', './plugins/**', 'server/plugins/two/index', true],
  ['server/', '../web/{a,b}/*.ts', 'web/b/one', true],
  ['server/', '../web/{a,b}/*.ts', 'web/b/deep/one', false],
  ['server/', '/src/*.ts', 'src/one', true],
  ['server/', './plugins/*.ts', 'other/plugins/one', false],
])('in %s, %s and %s: %s', (folder, glob, path, isMeant) => {
  expect(globbedPaths(folder, glob)?.test(path)).toBe(isMeant);
});

test('a long text without an end is read in one go', () => {
  // Each beginning tried up to the end would outlast the test.
  expect(loadedFiles('require('.repeat(200_000))).toEqual([]);
});
