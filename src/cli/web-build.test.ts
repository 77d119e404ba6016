import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { ensureWebBuild, isOutdated, webFolder } from './web-build.ts';

const CHECKOUT = dirname(dirname(import.meta.dirname));
const EARLY = new Date('2026-01-01T00:00:00Z');
const LATE = new Date('2026-01-02T00:00:00Z');

/** A package whose build writes a page of its own, `built` first when it is given. */
function testPackage(config: string): string {
  const root = testFolder();
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'web', 'pages'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(join(CHECKOUT, 'node_modules', 'vite'), join(root, 'node_modules', 'vite'));
  writeFileSync(join(root, 'web', 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(root, 'web', 'pages', 'home.ts'), 'export {};');
  writeFileSync(join(root, 'vite.config.mjs'), config);
  return root;
}

const WORKING = `export default { root: 'web', logLevel: 'warn', build: { outDir: '../dist/web', emptyOutDir: true } };`;

function touch(path: string, at: Date): void {
  utimesSync(path, at, at);
}

test('a checkout is built once, and again when a source is newer; a second process waits for the first', async () => {
  const root = testPackage(WORKING);

  const first = await Promise.all([ensureWebBuild(root), ensureWebBuild(root)]);
  const again = await ensureWebBuild(root);
  const page = join(webFolder(root), 'index.html');
  for (const path of ['web', 'web/pages', 'web/index.html', 'web/pages/home.ts']) touch(join(root, path), EARLY);
  touch(page, EARLY);
  const whileSame = isOutdated(root);
  touch(join(root, 'web', 'pages', 'home.ts'), LATE);
  const afterChange = await ensureWebBuild(root);

  expect(first.toSorted((a, b) => Number(a) - Number(b))).toEqual([false, true]);
  expect([again, whileSame, afterChange]).toEqual([false, false, true]);
  expect(statSync(page).mtimeMs).toBeGreaterThan(LATE.getTime());
});

test('an installed package has no sources and needs no build', async () => {
  const root = testPackage(WORKING);
  rmSync(join(root, 'web'), { recursive: true });

  expect(await ensureWebBuild(root)).toBe(false);
});

test('a build that fails says why, and what to do when the builder is missing', async () => {
  const broken = testPackage('throw new Error("broken on purpose");');
  const bare = testPackage(WORKING);
  rmSync(join(bare, 'node_modules', 'vite'));

  await expect(ensureWebBuild(broken)).rejects.toMatchObject({ message: expect.stringContaining('broken on purpose') });
  await expect(ensureWebBuild(bare)).rejects.toMatchObject({ fix: expect.stringContaining('npm ci') });
});
